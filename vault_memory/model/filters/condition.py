"""Conditions joined by `and`, `or`, `not` and parentheses: their tree, and the grammar that reads it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

from vault_memory.model.filters.scanner import Scanner
from vault_memory.model.memory import Entry

MAX_DEPTH = 50
"""So deep parentheses and `not` may be nested."""

KEYWORDS = frozenset({"and", "or", "not"})
"""Words that join, in whatever case; in quotes they are names like any other."""

MEANT = {"&&": "and", "&": "and", "+": "and", "||": "or", "|": "or", ",": "or"}
"""Signs that stand for a joining word elsewhere."""


@dataclass(frozen=True, slots=True)
class Subject:
    """A memory as conditions look at it. `tags` are those that count, as `caseless` writes them."""

    entry: Entry
    tags: tuple[str, ...]


class Condition(Protocol):
    """Something that holds of a memory or does not; `str()` of it reads back as the same condition."""

    def holds(self, subject: Subject) -> bool:
        """Whether it holds of that memory."""


@dataclass(frozen=True, slots=True)
class AllOf:
    """Holds where all parts do. There are at least two."""

    parts: tuple[Condition, ...]

    def holds(self, subject: Subject) -> bool:
        """Whether all hold."""
        return all(part.holds(subject) for part in self.parts)

    def __str__(self) -> str:
        return " and ".join(map(_inside, self.parts))


@dataclass(frozen=True, slots=True)
class AnyOf:
    """Holds where one of the parts does. There are at least two."""

    parts: tuple[Condition, ...]

    def holds(self, subject: Subject) -> bool:
        """Whether any holds."""
        return any(part.holds(subject) for part in self.parts)

    def __str__(self) -> str:
        return " or ".join(map(_inside, self.parts))


@dataclass(frozen=True, slots=True)
class Not:
    """Holds where the part does not."""

    part: Condition

    def holds(self, subject: Subject) -> bool:
        """Whether it does not hold."""
        return not self.part.holds(subject)

    def __str__(self) -> str:
        return f"not {_inside(self.part)}"


def _inside(part: Condition) -> str:
    return f"({part})" if isinstance(part, AllOf | AnyOf) else str(part)


def terms(condition: Condition) -> Iterator[Condition]:
    """What the condition is made of, without what joins it."""
    if isinstance(condition, AllOf | AnyOf):
        for part in condition.parts:
            yield from terms(part)
    elif isinstance(condition, Not):
        yield from terms(condition.part)
    else:
        yield condition


def every(parts: list[Condition]) -> Condition:
    """All of the parts, of which there is at least one."""
    return parts[0] if len(parts) == 1 else AllOf(tuple(parts))


class Grammar:
    """What terms look like. `thing` names one in errors; `meant` is what else people write for joining."""

    def __init__(
        self, read: Callable[[Scanner], Condition], thing: str, meant: Mapping[str, str] = MEANT
    ) -> None:
        self._read = read
        self._thing = thing
        self._meant = meant

    def parse(self, text: str, what: str) -> Condition:
        """The condition that a text says. Raises `ExpressionError`, which points at the place."""
        scanner = Scanner(text, what)
        if scanner.ended:
            raise scanner.error(f"it is empty; it takes {self._thing}")
        found = self._any(scanner, 0)
        if not scanner.ended:
            raise self._left_over(scanner)
        return found

    def _any(self, scanner: Scanner, depth: int) -> Condition:
        parts = [self._all(scanner, depth)]
        while scanner.took("or"):
            parts.append(self._all(scanner, depth))
        return parts[0] if len(parts) == 1 else AnyOf(tuple(parts))

    def _all(self, scanner: Scanner, depth: int) -> Condition:
        parts = [self._one(scanner, depth)]
        while scanner.took("and"):
            parts.append(self._one(scanner, depth))
        return every(parts)

    def _one(self, scanner: Scanner, depth: int) -> Condition:
        start = scanner.at
        if depth > MAX_DEPTH:
            raise scanner.error(f"more than {MAX_DEPTH} parentheses and 'not' inside of each other")
        if scanner.took("not"):
            return Not(self._one(scanner, depth + 1))
        if scanner.take("("):
            found = self._any(scanner, depth + 1)
            if scanner.ended:
                raise scanner.error("this '(' is not closed", at=start, hint="put a ')' where it ends")
            if not scanner.take(")"):
                raise self._left_over(scanner)
            return found
        here = scanner.peek("()")
        if scanner.ended or scanner.next == ")":
            raise scanner.error(f"{self._thing} is expected here")
        if here.casefold() in ("and", "or"):
            raise scanner.error(
                f"{self._thing} is expected before {here!r}", hint=f'called so? Put it in quotes: "{here}"'
            )
        return self._read(scanner)

    def _left_over(self, scanner: Scanner) -> Exception:
        if scanner.next == ")":
            return scanner.error("this ')' closes nothing", hint="take it out, or open one before it")
        found = scanner.peek("()")
        for sign in (found, found[:2], found[:1]):
            meant = self._meant.get(sign.casefold())
            if meant and (sign == found or not sign.isalnum()):
                return scanner.error(f"{sign!r} says nothing here", hint=f"did you mean {meant!r}?")
        return scanner.error("'and', 'or' or the end is expected here",
                             hint="several words that are one name or value go in quotes")  # fmt: skip
