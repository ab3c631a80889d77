"""Memories side by side in plain lists, to rank them without an index."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from vault_memory.model.bm25 import Shares, score
from vault_memory.model.corpus import NO_DAY, Corpus, Postings
from vault_memory.model.memory import Memory
from vault_memory.model.namespace import VaultPath
from vault_memory.model.passage import passage_terms
from vault_memory.model.query import parse


def memory(body: str, *, title: str = "", path: str = "notes/x.md", tags: tuple[str, ...] = ()) -> Memory:
    return Memory(VaultPath(path), "0" * 64, None, title, body, 1, tags=tags)


def corpus(
    lengths: Sequence[int],
    memories: Sequence[int],
    *,
    voices: Sequence[int] | None = None,
    cues: Sequence[int] | None = None,
    days: Sequence[int] | None = None,
    names: Mapping[int, str] | None = None,
) -> Corpus:
    """Passages with these lengths (-1 for none) and memories, in arrays by number."""
    size = len(lengths)
    held = [length for length in lengths if length >= 0]
    return Corpus(
        len(held),
        sum(held) / max(len(held), 1),
        np.array(lengths),
        np.array(memories),
        np.array(voices or [0] * size),
        np.array(cues or [0] * size),
        np.array(days or [NO_DAY] * size),
        names or {},
    )


class Shelf:
    """One passage a memory (give short ones); its number is its place in the list, from 1."""

    def __init__(self, memories: Sequence[Memory]) -> None:
        cut = [passage_terms(one)[0] for one in memories]
        self.own = [Counter(one.terms) for one in cut]
        self.context = [Counter(one.context) for one in cut]
        self.corpus = corpus([-1, *(len(one.terms) for one in cut)], [-1, *range(1, len(cut) + 1)])

    def postings(self, term: str) -> Postings:
        held = [at for at in range(len(self.own)) if term in self.own[at] or term in self.context[at]]
        return Postings(
            term,
            np.array([at + 1 for at in held], np.int64),
            np.array([self.own[at][term] for at in held], np.int64),
            np.array([self.context[at][term] for at in held], np.int64),
        )

    def ask(self, text: str) -> Shares:
        query = parse(text)
        return score(query, self.corpus, [self.postings(term) for term in query.terms])


def rank(text: str, bodies: Sequence[str]) -> list[int]:
    """Places (from 0) of the bodies that hold a term of the query, best first."""
    found = Shelf([memory(body) for body in bodies]).ask(text)
    order = np.lexsort((found.numbers, -found.shares))
    return [int(number) - 1 for number in found.numbers[order]]
