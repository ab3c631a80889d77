"""What of a text to remember is known: who says it already, and who gives one of its facts another value.

Both are looked up by a few of the text's terms, so neither costs more beside many memories.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from vault_memory.errors import StorageError
from vault_memory.model.again import says_nothing_new, words_said
from vault_memory.model.expiry import has_expired
from vault_memory.model.frontmatter import parse_memory
from vault_memory.model.memory import Memory
from vault_memory.model.namespace import Namespace, Scope, VaultPath
from vault_memory.model.passage import StoredPassage
from vault_memory.model.succession import MOST, Disagreement, Told, disagreement, told_by
from vault_memory.model.terms import cut_words
from vault_memory.ops.superseded import is_superseded
from vault_memory.ports import Ports

WINDOW = 300
"""Characters of a text whose words are looked for together: they stand in one passage of what repeats it."""
TERMS = 5
"""So many of a window's terms are looked for, the longest: these are the rarest."""
ALIKE = 6
"""So many passages that hold them are looked at."""
WORDS = 4
"""So many words of a statement have to stand in what contradicts it, the longest."""
STATED = 12
"""So many passages that hold them are looked at."""
COMMON = 3
"""What more memories than these state, each with a value of its own, is a field of a form and no fact."""


@dataclass(frozen=True, slots=True)
class Against:
    """A memory that gives a fact another value."""

    memory: Memory
    what: Disagreement


@dataclass(frozen=True, slots=True)
class Lookup:
    """What the vault holds, as one caller may read it at that time."""

    ports: Ports
    scope: Scope
    zone: ZoneInfo
    now: datetime

    def saying(self, text: str, namespace: Namespace | None) -> Memory | None:
        """A memory of the namespace (`None`: of any) beside which the text says nothing new; `None` where
        there is none."""
        seen: set[VaultPath] = set()
        for terms in _windows(text):
            found = self.ports.index.holding(self.scope, terms, folder=namespace, most=ALIKE)
            for passage in found:
                path = VaultPath(passage.path)
                if path in seen or not _may_say(text, passage):
                    continue
                seen.add(path)
                memory = self.read(path)
                if memory is not None and says_nothing_new(text, memory.body):
                    return memory
        return None

    def against(self, told: Told) -> Iterator[Against]:
        """The memories that give facts of the text other values, those first that were written last; none
        for what many of them state, each in its own way."""
        seen: set[VaultPath] = set()
        for statement in told.stated()[:MOST]:
            if not any(statement.value):
                continue
            holding: dict[VaultPath, Memory] = {}
            terms = dict.fromkeys(
                term for word in sorted(set(statement.words), key=_rarity)[:WORDS] for term in cut_words(word)
            )
            for passage in self.ports.index.holding(self.scope, terms, most=STATED):
                path, stated = VaultPath(passage.path), Told(passage.passage.text).stated()
                if path in holding or all(one.about != statement.about for one in stated):
                    continue
                memory = self.read(path)
                if memory is not None:
                    holding[path] = memory
            if len(holding) > COMMON:
                continue
            for path, memory in holding.items():
                what = None if path in seen else disagreement(told, told_by(memory))
                if what is not None:
                    seen.add(path)
                    yield Against(memory, what)

    def read(self, path: VaultPath) -> Memory | None:
        """The memory as its file is now: the index may be behind. `None` where it does not count, having
        expired or lost its place to another one."""
        with suppress(StorageError):
            found = self.ports.files.read(path)
            if found is not None:
                memory = parse_memory(path, found.content, zone=self.zone)
                counts = not (memory.conflicted or has_expired(memory, self.now))
                return memory if counts and not is_superseded(self.ports, self.scope, memory) else None
        return None


def _windows(text: str) -> Iterator[Sequence[str]]:
    """The longest terms of the beginning, the middle and the end of a text, or of all of a short one."""
    middle = max((len(text) - WINDOW) // 2, 0)
    starts = (0,) if len(text) <= 2 * WINDOW else (0, middle, len(text) - WINDOW)
    for start in starts:
        part = text[start : start + (2 * WINDOW if len(starts) == 1 else WINDOW)]
        words = words_said(part)
        if len(starts) > 1 and len(words) > 2:
            words = words[start > 0 : -1]  # without those that are cut through
        terms = sorted(set(cut_words(" ".join(words))), key=_rarity)[:TERMS]
        if terms:
            yield terms


def _rarity(word: str) -> tuple[int, str]:
    return -len(word), word


def _may_say(text: str, passage: StoredPassage) -> bool:
    """Whether the memory is worth reading: of one that is a single passage the index tells that."""
    return passage.among > 1 or says_nothing_new(text, passage.passage.text)
