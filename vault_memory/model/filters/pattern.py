"""Patterns for paths, as `.gitignore` has them: `standup-*`, `notes/`, `shared/**/2026-*.md`."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from fnmatch import translate

from vault_memory.errors import UsageError
from vault_memory.model.normalform import normalized

MAX_PATTERN = 1_000
ANY_DEPTH = "**"


@dataclass(frozen=True, slots=True)
class Pattern:
    """A pattern in parts. Without a `/` in it, it may match a name at any depth; else from the top.

    What matches a folder matches everything below it. `*` and `?` stand for no `/`, `**` does.
    """

    parts: tuple[str, ...]
    folder: bool = False
    """Whether only folders match (it ended in `/`)."""
    names: tuple[re.Pattern[str] | None, ...] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        compiled = [None if part == ANY_DEPTH else re.compile(translate(part)) for part in self.parts]
        object.__setattr__(self, "names", tuple(compiled))

    def matches(self, path: str) -> bool:
        """Whether the file at that path is meant."""
        segments = _composed(path).split("/")
        # The set of places in the pattern that the segments read so far can have led to.
        places = self._onward({0})
        for depth, segment in enumerate(segments, start=1):
            after: set[int] = set()
            for place in places:
                name = self.names[place]
                if name is None or name.match(segment):
                    after.add(place + (name is not None))
            places = self._onward(after)
            is_file = depth == len(segments)
            if len(self.names) in places and not (is_file and self.folder):
                return True
        return False

    def _onward(self, places: set[int]) -> set[int]:
        """The places, and those behind a `**`, which may stand for nothing; the last part is none."""
        found = set(places)
        for place in places:
            at = place
            while self.names[at : at + 1] == (None,):
                at += 1
                found.add(at)
        return found


def parse_pattern(text: str) -> Pattern:
    """A pattern below the vault. Raises `UsageError`."""
    cleaned = _composed(text.strip())
    if len(cleaned) > MAX_PATTERN:
        raise UsageError(
            f"a pattern for paths has at most {MAX_PATTERN:,} characters", hint="name a folder instead"
        )
    anchored = cleaned.startswith(("/", "./")) or "/" in cleaned.rstrip("/")
    folder = cleaned.endswith("/")
    named = [part for part in cleaned.split("/") if part not in ("", ".")]
    # Two `**` behind each other say no more than one, and a thousand would take their time.
    parts = [part for at, part in enumerate(named) if part != ANY_DEPTH or named[at - 1 : at] != [ANY_DEPTH]]
    if not parts or ".." in parts:
        raise UsageError(
            f"the path pattern {text[:200]!r} names nothing in the vault",
            hint="patterns are like notes/, shared/market/*.md or standup-*, and go from the vault's folder",
        )
    if parts[-1] == ANY_DEPTH:
        # `notes/**` is everything below notes, as `notes/` is.
        return Pattern((*parts, "*"), folder)
    if not anchored:
        parts.insert(0, ANY_DEPTH)
    return Pattern(tuple(parts), folder)


def _composed(text: str) -> str:
    return normalized("NFC", text)
