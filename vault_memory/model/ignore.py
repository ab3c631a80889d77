"""Ignore rules in the form that git reads them: whether a folder or a file is left out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

LONGEST = 1_000
"""Characters of a pattern that is heeded: nobody writes a longer one by hand."""
MOST = 2_000
"""Patterns of one file that are heeded, the last ones: each is tried on every folder."""
ROOM = 20_000
"""Characters of patterns with wildcards that are heeded, from the end: each costs some microseconds before
anything is compared, at every call."""

_CLASSES = {
    "alpha": "A-Za-z", "digit": "0-9", "alnum": "A-Za-z0-9", "upper": "A-Z", "lower": "a-z",
    "space": r"\s", "blank": r" \t", "xdigit": "0-9A-Fa-f", "punct": r"!-/:-@\[-`{-~",
    "cntrl": r"\x00-\x1f\x7f", "graph": "!-~", "print": " -~",
}  # fmt: skip

_ANY_FOLDERS = re.compile(r"\*\*+")
_WILD = re.compile(r"[*?\[\\]")

Name = re.Pattern[str] | str | None


@dataclass(frozen=True, slots=True)
class Pattern:
    """One line. `names` are a path's names in order, or expressions of them; `None` is any number of them."""

    names: tuple[Name, ...]
    brings_back: bool
    folders_only: bool
    anywhere: bool
    """Whether it is about the last name of a path, not about the path."""

    def fits(self, path: Sequence[str]) -> bool:
        """Whether a path's names are those of the pattern."""
        if self.anywhere:
            [name] = self.names
            return name is None or _is(name, path[-1])
        # Of several runs of any folders only the last one need be tried in other lengths, as with stars.
        at = place = 0
        again: tuple[int, int] | None = None
        while place < len(path):
            if at < len(self.names) and (wanted := self.names[at]) is None:
                again = (at, place)
                at += 1
            elif at < len(self.names) and wanted is not None and _is(wanted, path[place]):
                at += 1
                place += 1
            elif again is not None:
                at, place = again[0] + 1, again[1] + 1
                again = (again[0], place)
            else:
                return False
        return at == len(self.names)


@dataclass(frozen=True, slots=True)
class Rules:
    """The lines of one file, or of a setting: about what lies below the folder `base`, `""` or ending in
    `/`."""

    base: str
    patterns: tuple[Pattern, ...]
    weight: int = 0
    """Characters of those with wildcards."""

    def verdict(self, path: str, *, folder: bool) -> bool | None:
        """Whether the rules leave the path out; `None` where they say nothing. The last line wins."""
        if not self.patterns or not path.startswith(self.base):
            return None
        names = _as_bytes(path[len(self.base) :]).split("/")
        for pattern in reversed(self.patterns):
            if (folder or not pattern.folders_only) and pattern.fits(names):
                return not pattern.brings_back
        return None


def parse_rules(lines: Iterable[str], base: str = "", *, room: int = ROOM) -> Rules:
    """Read lines as a `.gitignore` holds them; what is no pattern is passed over, as git does.

    `room` is the most `weight` that the rules may have: those before are left out.
    """
    found: list[Pattern] = []
    weight = 0
    for line in reversed(list(lines)):
        if len(line) > LONGEST or not line:
            continue
        more = len(line) if _WILD.search(line) else 0
        if weight + more > room or len(found) == MOST:
            break
        weight += more
        pattern = _pattern(_as_bytes(line))
        if pattern is not None:
            found.append(pattern)
    return Rules(base, tuple(reversed(found)), weight)


def left_out(rules: Iterable[Rules], path: str, *, folder: bool) -> bool:
    """Whether several rules leave a path out: the first of them that says anything decides."""
    for one in rules:
        verdict = one.verdict(path, folder=folder)
        if verdict is not None:
            return verdict
    return False


def _is(wanted: re.Pattern[str] | str, name: str) -> bool:
    return wanted == name if isinstance(wanted, str) else wanted.fullmatch(name) is not None


def _as_bytes(text: str) -> str:
    """The text's UTF-8 with a character for each byte: a `?` of git's is one byte."""
    return text if text.isascii() else text.encode("utf-8", "surrogateescape").decode("latin-1")


def _without_blanks_at_the_end(line: str) -> str:
    """As git reads a line: a blank behind a backslash stays."""
    bare = line.rstrip(" ")
    escapes = len(bare) - len(bare.rstrip("\\"))
    return bare + " " if escapes % 2 and bare != line else bare


def _pattern(line: str) -> Pattern | None:
    text = _without_blanks_at_the_end(line.removesuffix("\n").removesuffix("\r"))
    if not text or text.startswith("#") or len(text) > LONGEST:
        return None
    brings_back = text.startswith("!")
    text = text.removeprefix("!")
    folders_only = text.endswith("/")
    text = text.removesuffix("/")
    anywhere = "/" not in text
    text = text.removeprefix("/")
    segments = text.split("/")
    if not all(segments):
        return None
    names: list[Name] = []
    for segment in segments:
        any_folders = _ANY_FOLDERS.fullmatch(segment) is not None
        name = None if any_folders else _expression(segment)
        if name is None and not any_folders:
            return None
        names.append(name)
    if names[-1] is None and not anywhere:
        names.append(re.compile(".*", re.DOTALL))  # all that is inside, and not the folder itself
    return Pattern(tuple(names), brings_back, folders_only, anywhere)


def _expression(glob: str) -> Name:
    """One name of a pattern, as a regular expression if it takes one; `None` where it fits nothing."""
    if not _WILD.search(glob):
        return glob
    between: list[str] = [""]
    at = 0
    while at < len(glob):
        char = glob[at]
        if char == "*":
            between.append("")
        elif char == "?":
            between[-1] += "."
        elif char == "[":
            found = _set(glob, at)
            if found is None:
                return None
            part, at = found
            between[-1] += part
            continue
        elif char == "\\":
            at += 1
            if at == len(glob):
                return None
            between[-1] += re.escape(glob[at])
        else:
            between[-1] += re.escape(char)
        at += 1
    first, *rest = between
    if rest:
        # Atomic, since the nearest place for what stands between two stars is as good as any: other
        # people write these patterns, and none of them may take for ever.
        first += "".join(f"(?>.*?{middle})" for middle in rest[:-1] if middle) + f".*{rest[-1]}"
    try:
        return re.compile(first, re.DOTALL)
    except re.error:  # a range that runs backwards
        return None


def _set(glob: str, at: int) -> tuple[str, int] | None:
    """Read `[a-z]` and its kin, and where it ends; `None` where it never does."""
    place = at + 1
    negated = glob[place : place + 1] in ("!", "^")
    place += negated
    begin = place
    inside = ""
    while place < len(glob) and (place == begin or glob[place] != "]"):
        if glob.startswith("[:", place) and (close := glob.find(":]", place)) > 0:
            inside += _CLASSES.get(glob[place + 2 : close], "")
            place = close + 2
            continue
        if glob[place] == "\\":
            place += 1
        if place < len(glob):
            escaped = glob[place - 1] == "\\" and place > begin
            # A second dash is escaped: to `re` two of them may some day be an operator.
            dash = glob[place] == "-" and not escaped and not inside[1:].endswith("-")
            inside += "-" if dash else re.escape(glob[place])
        place += 1
    if place >= len(glob) or not inside:
        return None
    return f"[{'^' if negated else ''}{inside}]", place + 1
