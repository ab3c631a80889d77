"""Memories held against others: which say nearly the same, and which the same with another value."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from vault_memory.model.clip import clip, one_line
from vault_memory.model.flags import flag
from vault_memory.model.flags.flag import Flag
from vault_memory.model.flags.statements import (
    Statement,
    agree_in_title,
    disagree,
    of_one_series,
    statements,
)
from vault_memory.model.memory import Memory
from vault_memory.model.namespace import VaultPath, owner_of, without_ending
from vault_memory.model.near import Known, nearly_same
from vault_memory.model.textkey import text_key

TELLING = 40
"""Characters of a text that is long enough to be called the same as another, but for headings, embeds and
links that stand alone: notes made from one form are alike until somebody writes in them."""
SAME_LINES = 0.8
"""Where so large a share of a text's lines stayed, what it repeats it repeated before."""
COMMON = 3
"""What more other memories state, each with a value of its own, is a field of a form and no fact."""
MOST = 3
"""So many contradictions of one memory are told."""
SHOWN = 80

_NO_PROSE = re.compile(r"^\s*(?:#{1,6}\s.*|[#!>\s]*!?\[\[[^\[\]]*\]\]\s*|[-=*|:\s]*)$", re.MULTILINE)

About = tuple[str, ...]


@dataclass(slots=True)
class Held:
    """A memory with what it states; of a changed one with its older version."""

    memory: Memory
    before: Memory | None = None
    _stated: dict[About, list[Statement]] | None = field(default=None, init=False)

    @property
    def path(self) -> VaultPath:
        """Where it lies."""
        return self.memory.path

    def stated(self) -> Mapping[About, Sequence[Statement]]:
        """Its statements by what they are about."""
        if self._stated is None:
            self._stated = defaultdict(list)
            for one in statements(self.memory.body, self.memory.body_line):
                self._stated[one.about].append(one)
        return self._stated

    def new_statements(self) -> list[Statement]:
        """Those that the older version did not make."""
        every = [one for several in self.stated().values() for one in several]
        if self.before is None:
            return every
        lines, old_lines = self.memory.body.split("\n"), self.before.body.split("\n")
        old, first = set(old_lines), self.memory.body_line
        fresh = [one for one in every if lines[one.line - first] not in old]
        if fresh:
            gone = set(old_lines).difference(lines)
            rest = "\n".join(line if line in gone else "" for line in old_lines)
            known = {(one.about, one.value) for one in statements(rest, 1)}
            fresh = [one for one in fresh if (one.about, one.value) not in known]
        return fresh

    def new_text(self) -> bool:
        """Whether it is long enough to repeat another, and says much that its older version did not."""
        body = self.memory.body
        if not tells(body):
            return False
        if self.before is None:
            return True
        lines = [line for line in body.split("\n") if line.strip()]
        old = set(self.before.body.split("\n"))
        return sum(line in old for line in lines) < SAME_LINES * len(lines)


@dataclass(frozen=True, slots=True)
class Others:
    """The memories that did not change, as far as the caller may read them."""

    like: Callable[[str], Iterable[Held]]
    """Those that may say nearly the same as a text."""
    with_words: Callable[[Sequence[str]], Iterable[Held]]
    """Those in which all of these words stand in one passage."""


def flags_beside(changed: Sequence[Held], others: Others) -> dict[VaultPath, list[Flag]]:
    """The flags of each changed memory that come of another one, changed or not."""
    found: dict[VaultPath, list[Flag]] = defaultdict(list)
    for path, one in (*_repeats(changed, others), *_contradictions(changed, others)):
        found[path].append(one)
    return found


def _repeats(changed: Sequence[Held], others: Others) -> Iterator[tuple[VaultPath, Flag]]:
    """One flag a memory at most: of the unchanged ones the first by path, else an earlier changed one."""
    fresh = [held.new_text() for held in changed]
    if not any(fresh):
        return
    known = Known()
    for number, held in enumerate(changed):
        body = held.memory.body
        earlier = known.first_like(number, body) if tells(body) else None
        if not fresh[number]:
            continue
        rivals = sorted(others.like(body), key=lambda other: other.path)
        twin = next((other for other in rivals if _repeats_now(held, other)), None)
        if twin is None and earlier is not None and _repeats_now(held, changed[earlier]):
            twin = changed[earlier]
        if twin is not None:
            same = text_key(body) == text_key(twin.memory.body)
            owner = owner_of(twin.path)
            private = f", which is private to {owner}" if owner not in (None, owner_of(held.path)) else ""
            message = f"says {'' if same else 'nearly '}the same as {twin.path}{private}"
            yield held.path, Flag(flag.NEAR_DUPLICATE, message, None, twin.path)


def tells(body: str) -> bool:
    """Whether a text is long enough to be called the same as another."""
    return len(_NO_PROSE.sub("", body).strip()) >= TELLING


def _repeats_now(held: Held, other: Held) -> bool:
    if other.path == held.path or _replaces(held.memory, other.memory):
        return False
    if not nearly_same(other.memory.body, held.memory.body):
        return False
    return held.before is None or not nearly_same((other.before or other.memory).body, held.before.body)


def _contradictions(changed: Sequence[Held], others: Others) -> Iterator[tuple[VaultPath, Flag]]:
    by_about: dict[About, list[Held]] = defaultdict(list)
    for held in changed:
        for about in held.stated():
            by_about[about].append(held)
    told: set[tuple[frozenset[str], About]] = set()
    for held in changed:
        count = 0
        for mine in held.new_statements():
            if count >= MOST:
                break
            if len(by_about[mine.about]) > COMMON + 1:
                continue
            rivals = {other.path: other for other in by_about[mine.about] if other is not held}
            rivals |= {other.path: other for other in others.with_words(mine.words)}
            against = _against(held, mine, [rivals[path] for path in sorted(rivals)])
            if against is None:
                continue
            other, theirs = against
            pair = frozenset((held.path, other.path)), mine.about
            if pair not in told:
                told.add(pair)
                count += 1
                message = f"“{_short(mine.text)}”, but {other.path}:{theirs.line} “{_short(theirs.text)}”"
                yield held.path, Flag(flag.CONTRADICTION, message, mine.line, other.path)


def _against(held: Held, mine: Statement, rivals: Sequence[Held]) -> tuple[Held, Statement] | None:
    """The first memory that gives another value, with its statement; none where many state it, and none
    where one has the same value too, or is replaced."""
    about = [other for other in rivals if mine.about in other.stated()]
    if len(about) > COMMON:
        return None
    for other in about:
        theirs = other.stated()[mine.about]
        differing = next((one for one in theirs if disagree(mine, one)), None)
        if differing is None or any(one.value == mine.value for one in theirs):
            continue
        if mine.needs_title and not agree_in_title(held.memory.title, other.memory.title):
            continue
        if of_one_series(held.path, other.path) or _replaces(held.memory, other.memory):
            continue
        if _replaces(other.memory, held.memory):
            continue
        return other, differing
    return None


def _replaces(one: Memory, other: Memory) -> bool:
    """Whether `supersedes` of the one names the other, which then may say what it says."""
    names = {name.casefold().removesuffix(".md").strip("[]") for name in one.supersedes}
    if not names:
        return False
    path = without_ending(other.path)
    called = {path, path.rpartition("/")[2], other.title, *other.aliases}
    return bool(names & {name.casefold() for name in called}) or any(
        other.id is not None and len(name) >= 8 and other.id.casefold().startswith(name) for name in names
    )


def _short(text: str) -> str:
    return clip(one_line(text), SHOWN, ellipsis="…")
