"""What has been read of the passages, brought from each generation to the next by what was touched."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from typing import TYPE_CHECKING

from vault_memory.adapters.indexes.sqlite import lexical, reads, touched
from vault_memory.adapters.indexes.sqlite.places import Places
from vault_memory.model.growing import grown
from vault_memory.model.namespace import PERSON

if TYPE_CHECKING:
    import apsw

    from vault_memory.adapters.indexes.sqlite.lexical import Belonging
    from vault_memory.adapters.indexes.sqlite.schema import Meta
    from vault_memory.adapters.indexes.sqlite.touched import Terms
    from vault_memory.model.corpus import Corpus, Flags, Postings
    from vault_memory.model.namespace import Scope
    from vault_memory.model.passage import StoredPassage

AGENTS_BYTES, FEWEST_AGENTS = 32_000_000, 8
"""Of which agents it is kept what they may read: a byte a passage for each, of those that asked last."""
PASSAGES_BYTES, A_PASSAGE = 16_000_000, 700
"""What the passages may take that are kept, those read first going first; bytes that one takes beside its
text, about."""


class Followed:
    """All of it is as of one generation: `follow` comes before each use."""

    unvectored: set[int] | None
    """The passages of which some may lack a vector; `None` where any may."""
    share: tuple[int, int] | None
    """How many texts have a vector, and how many there are."""
    changed: set[int] | None
    """The passages that changed since the matrix of vectors last looked; `None` for all."""

    _corpus: Corpus | None
    _owners: Belonging | None
    _folders: Belonging | None

    def __init__(self) -> None:
        self._generation = -1
        self._cursor = 0
        self._embedder = ""
        self._forget()

    def follow(self, db: apsw.Connection, meta: Meta) -> None:
        """Bring what is kept to the generation of this transaction."""
        if meta.embedder != self._embedder:
            self._embedder, self.unvectored = meta.embedder, None
        if meta.generation == self._generation:
            return
        first, self._generation = self._generation < 0, -1
        changes = {} if first else touched.since(db, self._cursor, meta.touched)
        if first or changes is None:  # the first, or the last one did not come to its end
            self._forget()
        elif changes:
            self._take(db, changes)
        self.share = None
        self._counts.clear()
        self._generation, self._cursor = meta.generation, meta.touched

    def corpus(self, db: apsw.Connection, scope: Scope) -> Corpus:
        """That of what the scope may read."""
        if self._corpus is None:
            self._corpus = lexical.read_corpus(db)
        if scope.agent is None:
            return self._corpus
        own = self._agents.get(scope.sight)
        if own is None:
            own = self._corpus.of(self._open_to(db, scope, self._corpus.lengths.size))
            self._agents[scope.sight] = own
            if len(self._agents) > max(AGENTS_BYTES // self._corpus.lengths.size, FEWEST_AGENTS):
                self._agents.popitem(last=False)
        self._agents.move_to_end(scope.sight)
        return own

    def _open_to(self, db: apsw.Connection, scope: Scope, size: int) -> Flags:
        """By passage number, whether the scope may read it."""
        if scope.sight == scope.agent:  # all but others' private folders: nothing else need be looked at
            if self._owners is None:
                self._owners = lexical.read_owners(db)
            return self._owners.open_to(scope.agent.__eq__, size)
        if self._folders is None:
            self._folders = lexical.read_folders(db)
        return self._folders.open_to(
            lambda folder: scope.may_read(f"{folder}/x.md" if folder else "x.md"), size
        )

    @property
    def known_corpus(self) -> Corpus | None:
        """That of all passages, if it has been read."""
        return self._corpus

    def postings(self, db: apsw.Connection, term: str) -> Postings:
        """A term's."""
        return self._places.get(term) or self._places.keep(lexical.read_postings(db, term))

    def read_ahead(self, db: apsw.Connection, term: str) -> bool:
        """Read a term's postings before somebody asks for them; whether there is room for more."""
        self.postings(db, term)
        return self._places.has_room

    def count(self, db: apsw.Connection, scope: Scope) -> int:
        """How many memories the scope may read."""
        if scope.sight not in self._counts:
            self._counts[scope.sight] = self._counted(db, scope)
        return self._counts[scope.sight]

    def _counted(self, db: apsw.Connection, scope: Scope) -> int:
        """Where each memory has a passage, those of the passages are all: counting rows takes far longer."""
        if scope.agent is None or self._corpus is None:
            return reads.count(db, scope)
        if self._corpus.memory_count() == self.count(db, PERSON):
            return self.corpus(db, scope).memory_count()
        return reads.count(db, scope)

    def passages(self, db: apsw.Connection, numbers: list[int]) -> dict[int, StoredPassage]:
        """Passages by number; those that are not there are left out."""
        known = self._passages
        found = {number: known[number] for number in numbers if number in known}
        if len(found) == len(numbers):
            return found
        read = reads.passages(db, [number for number in numbers if number not in found])
        self._keep(read)
        found |= read
        return {number: found[number] for number in numbers if number in found}

    def _keep(self, read: dict[int, StoredPassage]) -> None:
        known = self._passages
        known.update(read)
        self._bytes += sum(map(_size, read.values()))
        while self._bytes > PASSAGES_BYTES and known:
            self._bytes -= _size(known.pop(next(iter(known))))

    def _forget(self) -> None:
        self._corpus = self._owners = self._folders = None
        self._agents: OrderedDict[Hashable, Corpus] = OrderedDict()
        self._places = Places()
        self._counts: dict[Hashable, int] = {}
        self._passages: dict[int, StoredPassage] = {}
        self._bytes = 0
        """What these take."""
        self.unvectored = self.share = self.changed = None

    def _take(self, db: apsw.Connection, changes: dict[int, Terms | None]) -> None:
        self._agents.clear()
        self._places.change(changes)
        for number in changes:
            gone = self._passages.pop(number, None)
            if gone is not None:
                self._bytes -= _size(gone)
        for kept in (self.unvectored, self.changed):
            if kept is not None:
                kept.update(changes)
        if self._corpus is None:
            return
        now = lexical.read_rows(db, sorted(changes))
        self._corpus = grown(self._corpus, now.rows, lexical.read_names(db, now, self._corpus.names))
        if self._owners is not None:
            self._owners.change(now.rows.numbers, now.owners)
        if self._folders is not None:
            self._folders.change(now.rows.numbers, now.folders)


def _size(stored: StoredPassage) -> int:
    """The bytes of memory that a passage takes, about."""
    text = stored.passage.text
    return A_PASSAGE + (len(text) if text.isascii() else 4 * len(text))
