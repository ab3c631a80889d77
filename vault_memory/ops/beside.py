"""The memories of the vault that changed ones are held against, proposed by the search index."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, tzinfo
from typing import TYPE_CHECKING

from vault_memory.errors import StorageError
from vault_memory.model.expiry import has_expired
from vault_memory.model.flags.beside import Held, Others
from vault_memory.model.namespace import Scope, VaultPath
from vault_memory.model.parse import parse_memory
from vault_memory.model.terms import cut
from vault_memory.ports import Ports

if TYPE_CHECKING:
    from vault_memory.model.corpus import Numbers

LOOKED_UP = 10
"""The longest words of a text, of which the rarest are to be found in what repeats it."""
VOTING, ENOUGH = 6, 4
"""So many of the rarest vote, and so many votes make a candidate."""
WORDS = 4
"""So many words of a statement have to stand in what contradicts it, the longest."""
MOST = 20
"""So many candidates are read for one question; where there are more, the words say too little."""
BEGINNING = 2_000
"""Characters of a text that are looked at for its rare words."""


def others(
    ports: Ports, scope: Scope, zone: tzinfo, *, now: datetime, without: Collection[VaultPath]
) -> Others:
    """What the scope may read but for the paths `without`, as the files are now."""
    shelf = _Shelf(ports, scope, zone, now, frozenset(without))
    return Others(shelf.like, shelf.with_words)


@dataclass(slots=True)
class _Shelf:
    ports: Ports
    scope: Scope
    zone: tzinfo
    now: datetime
    without: frozenset[VaultPath]
    _are_any: bool | None = field(default=None, init=False)
    _terms: dict[str, Sequence[str]] = field(default_factory=dict, init=False)
    _places: dict[str, Numbers] = field(default_factory=dict, init=False)
    _read: dict[int, Held | None] = field(default_factory=dict, init=False)

    def like(self, text: str) -> Iterator[Held]:
        """Memories that hold most of the text's rarest words."""
        if not self._any():
            return iter(())
        terms = sorted(set(cut(text[:BEGINNING])), key=lambda term: (-len(term), term))[:LOOKED_UP]
        places = [self._of_memories(place) for term in terms if (place := self._at(term)).size]
        votes: Counter[int] = Counter()
        rarest = sorted(places, key=len)[:VOTING]
        for one in rarest:
            votes.update(one)
        least = min(ENOUGH, max(len(rarest) - 1, 1))
        return self._held([memory for memory, count in votes.most_common() if count >= least])

    def with_words(self, words: Sequence[str]) -> Iterator[Held]:
        """Memories in one passage of which all of these words stand."""
        import numpy as np

        if not self._any():
            return iter(())
        longest = sorted(dict.fromkeys(words), key=len)[-WORDS:]
        terms = dict.fromkeys(term for word in longest for term in self._terms_of(word))
        found: Numbers | None = None
        for place in sorted((self._at(term) for term in terms), key=len):
            found = place if found is None else np.intersect1d(found, place, assume_unique=True)
            if not found.size:
                break
        return self._held(sorted(self._of_memories(found))) if found is not None else iter(())

    def _any(self) -> bool:
        """Whether there can be any others."""
        if self._are_any is None:
            known = self.ports.index.known(self.without)
            self._are_any = self.ports.index.count(self.scope) > len(known)
        return self._are_any

    def _terms_of(self, word: str) -> Sequence[str]:
        found = self._terms.get(word)
        if found is None:
            found = self._terms[word] = cut(word)[:3]
        return found

    def _at(self, term: str) -> Numbers:
        """The passages in which a term stands, ascending."""
        if term not in self._places:
            index = self.ports.index
            [postings] = index.postings([term])
            self._places[term] = index.corpus(self.scope).within(postings).passages
        return self._places[term]

    def _of_memories(self, passages: Numbers) -> set[int]:
        """A number for each memory that these passages are of."""
        corpus = self.ports.index.corpus(self.scope)
        return set(corpus.memories[passages].tolist())

    def _held(self, memories: Sequence[int]) -> Iterator[Held]:
        if len(memories) > MOST + len(self.without):
            return
        count = 0
        for number in memories:
            if number not in self._read:
                self._read[number] = self._memory(number)
            held = self._read[number]
            if held is not None:
                yield held
                count += 1
                if count == MOST:
                    return

    def _memory(self, number: int) -> Held | None:
        entry = self.ports.index.memories([number]).get(number)
        if entry is None or entry.path in self.without or entry.conflicted or has_expired(entry, self.now):
            return None
        if not self.scope.may_read(entry.path):
            return None
        with suppress(StorageError):
            found = self.ports.files.read(entry.path)
            if found is not None:
                return Held(parse_memory(entry.path, found.content, zone=self.zone))
        return None
