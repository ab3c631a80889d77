"""Taking the postings of a word's forms together, so that a word counts once in whichever form it stands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vault_memory.model.corpus import Postings


def together(postings: Sequence[Postings], same: Mapping[str, str]) -> list[Postings]:
    """The postings with those of each form (`same`: form → term) joined to the term's own."""
    if not same:
        return list(postings)
    by_term = {one.term: one for one in postings}
    for form, term in same.items():
        other = by_term.pop(form, None)
        if other is not None:
            by_term[term] = _joined(term, by_term.get(term), other)
    return list(by_term.values())


def _joined(term: str, one: Postings | None, other: Postings) -> Postings:
    """A passage that holds both holds one word, so the greater count is the word's."""
    import numpy as np

    from vault_memory.model.corpus import Postings

    if one is None:
        return Postings(term, other.passages, other.own, other.context)
    passages = np.union1d(one.passages, other.passages)
    own, context = np.zeros(passages.size, np.int64), np.zeros(passages.size, np.int64)
    for part in (one, other):
        at = np.searchsorted(passages, part.passages)
        own[at] = np.maximum(own[at], part.own)
        context[at] = np.maximum(context[at], part.context)
    return Postings(term, passages, own, context)
