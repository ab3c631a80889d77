"""Expressions over tags: `trading and not archived`, `(alpha or beta) and "machine learning"`."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

from vault_memory.model.caseless import caseless
from vault_memory.model.filters.condition import KEYWORDS, Condition, Grammar, Subject
from vault_memory.model.filters.scanner import QUOTES, Scanner, quote

WHAT = "the tag expression"


@dataclass(frozen=True, slots=True)
class Tagged:
    """Has that tag, or one below it: `project` holds of `project/alpha`, and never of `projects`."""

    name: str
    key: str = field(init=False, compare=False, repr=False)
    below: str = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "key", tag_key(self.name))
        object.__setattr__(self, "below", f"{self.key}/")

    def holds(self, subject: Subject) -> bool:
        """Whether the memory has it."""
        return any(self.is_one(tag) for tag in subject.tags)

    def is_one(self, key: str) -> bool:
        """Whether a tag, as `tag_key` writes it, is this one or one below it."""
        return key == self.key or key.startswith(self.below)

    def __str__(self) -> str:
        odd = self.name[0] in QUOTES or any(one in "()," or one.isspace() for one in self.name)
        return quote(self.name) if odd or self.name.casefold() in KEYWORDS else self.name


@lru_cache(maxsize=10_000)
def tag_key(text: str) -> str:
    """What tags are compared by: case, composition, a `#` before and a `/` behind don't count."""
    return caseless(_bare(text))


def parse_tags(text: str) -> Condition:
    """The condition of a tag expression. Raises `ExpressionError`."""
    return _GRAMMAR.parse(text, WHAT)


def _read(scanner: Scanner) -> Tagged:
    start = scanner.at
    found = scanner.quoted()
    if found is None:
        found = scanner.word("()")
        if "," in found:
            raise scanner.error(
                "a tag has no comma",
                at=start + found.index(","),
                hint="alpha and beta: with both; alpha or beta: with one of them",
            )
    name = _bare(found)
    if not name:
        raise scanner.error("a tag is expected here", at=start)
    return Tagged(name)


def _bare(text: str) -> str:
    return text.strip().lstrip("#").rstrip("/").strip()


_GRAMMAR = Grammar(_read, "a tag")
