"""Postings that have been read, kept small, and brought from one generation to the next."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from vault_memory.model.corpus import Postings

if TYPE_CHECKING:
    from vault_memory.adapters.indexes.sqlite.touched import Terms
    from vault_memory.model.corpus import Numbers

MOST_BYTES = 48_000_000
"""What is kept of all terms together; the one not asked for longest goes first."""
A_TERM = 500
"""Bytes that a term takes beside its places, about."""
WIDE = 1_000
"""Up to so many places are kept as they are given out."""
STEPS = 64
"""Terms that so many changes have passed by are read anew if they are ever asked for again."""


class _Kept(NamedTuple):
    """A term's postings in the smallest whole numbers that hold them, as of a step."""

    passages: Numbers
    own: Numbers
    context: Numbers
    step: int

    @property
    def size(self) -> int:
        return A_TERM + self.passages.nbytes + self.own.nbytes + self.context.nbytes


class _Step(NamedTuple):
    """What a change did: the passages touched (ascending), and where terms stand in them now."""

    touched: Numbers
    added: Mapping[str, list[tuple[int, int, int]]]


class Places:
    """The postings of terms that were asked for."""

    def __init__(self) -> None:
        self._terms: dict[str, _Kept] = {}
        self._bytes = 0
        self._steps: deque[_Step] = deque(maxlen=STEPS)
        self._step = 0

    def get(self, term: str) -> Postings | None:
        """A term's as they are now, `None` where they have to be read."""
        kept = self._terms.pop(term, None)
        if kept is None:
            return None
        self._bytes -= kept.size
        behind = self._step - kept.step
        if behind > len(self._steps):
            return None
        for at in range(len(self._steps) - behind, len(self._steps)):
            kept = _after(kept, term, self._steps[at])
        self._put(term, kept._replace(step=self._step))
        return _given(term, kept)

    def keep(self, found: Postings) -> Postings:
        """Keep a term's postings, just read."""
        self._put(
            found.term, _Kept(_small(found.passages), _small(found.own), _small(found.context), self._step)
        )
        return found

    @property
    def has_room(self) -> bool:
        """Whether half of the room is free still: what is not asked for does not drive out what is."""
        return self._bytes * 2 < MOST_BYTES

    def change(self, touched: Mapping[int, Terms | None]) -> None:
        """Take notice of passages that came, went or have other terms now."""
        import numpy as np

        if not self._terms:
            return
        added: dict[str, list[tuple[int, int, int]]] = {}
        for passage in sorted(touched):
            terms = touched[passage]
            if terms is None:
                continue
            own, context = Counter(terms.own.split(" ")), Counter(terms.context.split(" "))
            for term in (own.keys() | context.keys()) - {""}:
                added.setdefault(term, []).append((passage, own[term], context[term]))
        self._steps.append(_Step(np.array(sorted(touched), np.int64), added))
        self._step += 1

    def _put(self, term: str, kept: _Kept) -> None:
        before = self._terms.pop(term, None)
        if before is not None:
            self._bytes -= before.size
        self._terms[term] = kept
        self._bytes += kept.size
        while self._bytes > MOST_BYTES and len(self._terms) > 1:
            self._bytes -= self._terms.pop(next(iter(self._terms))).size


def _after(kept: _Kept, term: str, step: _Step) -> _Kept:
    """The postings after a change."""
    import numpy as np

    passages, own, context, at_step = kept
    at = np.searchsorted(passages, step.touched)
    inside = at < passages.size
    gone = at[inside][passages[at[inside]] == step.touched[inside]]
    if gone.size:
        passages, own, context = (np.delete(array, gone) for array in (passages, own, context))
    added = step.added.get(term)
    if added:
        numbers, in_text, around = (np.array(column, np.int64) for column in zip(*added, strict=True))
        at = np.searchsorted(passages, numbers)
        passages, own, context = (
            _small(np.insert(array.astype(np.int64), at, new))
            for array, new in ((passages, numbers), (own, in_text), (context, around))
        )
    return _Kept(passages, own, context, at_step)


def _given(term: str, kept: _Kept) -> Postings:
    """As they are given out: passages wide enough to be indices, and nothing that can be written."""
    import numpy as np

    return Postings(term, kept.passages.astype(np.int64, copy=False), kept.own, kept.context)


def _small(array: Numbers) -> Numbers:
    """Of many numbers none is wider than it must be."""
    import numpy as np

    if array.size > WIDE:
        array = array.astype(np.min_scalar_type(int(array.max())))
    array.setflags(write=False)
    return array
