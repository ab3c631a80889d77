"""What a look at a vault passes over: folders that never hold notes, what git ignores, what a person leaves
out. The same on disk and in a commit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from vault_memory.model.ignore import ROOM, Rules, left_out, parse_rules
from vault_memory.model.namespace import ENDINGS, PRIVATE, SHARED

FOREIGN_FOLDERS = frozenset(
    {b"node_modules", b"lost+found", b"$RECYCLE.BIN", b"System Volume Information", b"__pycache__"}
)
"""Folders that never hold notes, by name; those whose names begin with a dot are hidden besides."""
RULES_FILE = b".gitignore"
LARGEST_RULES = 1024 * 1024
"""Bytes of a file of rules that is heeded."""
NO_RULES = Rules("", ())

_OFFICE_LOCK = b"~$"
_SUFFIXES = tuple(ending.encode() for ending in ENDINGS)


@dataclass(frozen=True, slots=True)
class PassedOver:
    """The rules for one vault. `own` are the folders that vmem itself writes to: nothing below them is
    ever passed over, or a memory could be written and not be found.

    `prefix` is the vault's folder below its repository, `""` or ending in `/`; `around` are the rules of
    the repository's folders above the vault, the nearest first."""

    own: tuple[str, ...]
    exclude: Rules
    prefix: str = ""
    around: tuple[Rules, ...] = ()

    def folder(self, name: bytes, path: str, rules: tuple[Rules, ...]) -> str | None:
        """Why a folder is passed over, a word for people; `None` where it is looked into."""
        if any(path == own or path.startswith(f"{own}/") or own.startswith(f"{path}/") for own in self.own):
            return None
        if name in FOREIGN_FOLDERS:
            return _FOREIGN
        verdict = self.exclude.verdict(path, folder=True)
        if verdict is not None:
            return _EXCLUDED if verdict else None
        return _IGNORED if rules and left_out(rules, f"{self.prefix}{path}", folder=True) else None

    def file(self, path: str) -> bool:
        """Whether a file is left out by the setting; one that only git ignores is not."""
        if not self.exclude.patterns or any(path.startswith(f"{own}/") for own in self.own):
            return False
        return self.exclude.verdict(path, folder=False) is True


_FOREIGN = "never holds notes"
_IGNORED = "git ignores it"
_EXCLUDED = "the setting exclude leaves it out"


def own_folders(inbox: str) -> tuple[str, ...]:
    """The folders that vmem itself writes to."""
    return (PRIVATE, SHARED, inbox)


def around_from(prefix: str, rules: Iterable[Rules]) -> tuple[Rules, ...] | None:
    """What holds in a vault at `prefix` of the rules in the folders above it, given the topmost first and one
    for each; `None` where git ignores the vault as a whole, which says nothing of its notes."""
    found: list[Rules] = []
    below = ""
    for name, own in zip(prefix[:-1].split("/"), rules, strict=False):
        found.append(own)
        below += name
        if left_out(reversed(found), below, folder=True):
            return None
        below += "/"
    return tuple(reversed(found))


def rules_in(content: bytes | None, base: str, room: int = ROOM) -> Rules:
    """The rules that a file of a folder holds; `None` for no file."""
    if content is None:
        return NO_RULES
    return parse_rules(content.decode("utf-8-sig", "surrogateescape").split("\n"), base, room=room)


def exclude_from(lines: Sequence[str]) -> Rules:
    """The rules of the setting."""
    return parse_rules(lines)


def is_note(name: bytes) -> bool:
    """Whether a file's name is one that a memory may have."""
    return name.lower().endswith(_SUFFIXES) and not name.startswith((b".", _OFFICE_LOCK))
