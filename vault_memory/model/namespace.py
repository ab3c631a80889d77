"""Where a memory may live, and who may read and write there."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import NewType

from vault_memory.errors import ScopeError, UnsafePathError

VaultPath = NewType("VaultPath", str)
"""A checked path below the vault's root: `/`-parted, relative, no dot folder, as on disk."""

Namespace = NewType("Namespace", str)
"""A checked folder below the root without a trailing slash, e.g. `shared/market`; `""` is the root."""

PRIVATE = "private"
SHARED = "shared"
MAX_NAME_BYTES = 255
"""The longest file or folder name that common file systems take, in bytes of UTF-8."""

_FORBIDDEN = re.compile(r'[\x00-\x1f\x7f<>:"|?*\\\ud800-\udfff]')
_WINDOWS_DEVICE = re.compile(r"^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\.|$)", re.IGNORECASE)
_AGENT = re.compile(r"[a-z0-9][a-z0-9._-]{0,62}")


def parse_path(text: str) -> VaultPath:
    """Check a path that names an existing file; raises `UnsafePathError`.

    Only what would leave the vault or reach hidden folders is refused: a person's
    file may carry any name that their file system allows.
    """
    _check_segments(text, text.split("/"))
    return VaultPath(text)


def parse_namespace(text: str) -> Namespace:
    """Check a folder in which vmem is to create files; raises `UnsafePathError`.

    Stricter than `parse_path`: every segment must also be a name that Windows takes.
    """
    text = unicodedata.normalize("NFC", text.strip().strip("/") if text.strip() != "/" else "/")
    segments = text.split("/")
    _check_segments(text, segments)
    for segment in segments:
        if _FORBIDDEN.search(segment):
            raise UnsafePathError(text, "it holds a character that not every system allows")
        if _WINDOWS_DEVICE.match(segment):
            raise UnsafePathError(text, f"{segment!r} is a device name on Windows")
        if segment.endswith((".", " ")) or segment.startswith((" ", "-")):
            raise UnsafePathError(text, f"{segment!r} begins or ends with a character that is not safe")
        if "%" in segment:
            raise UnsafePathError(text, "it holds a '%'")
    return Namespace(text)


def parse_agent(text: str) -> str:
    """Check an agent's name; raises `UnsafePathError`. Lower case ASCII, so no two look alike."""
    if not _AGENT.fullmatch(text) or ".." in text or text.endswith(".") or _WINDOWS_DEVICE.match(text):
        raise UnsafePathError(
            text, "an agent's name is 1 to 63 of a-z, 0-9, '.', '_' and '-', beginning with a letter or digit"
        )
    return text


def folder_of(path: str) -> Namespace:
    """The folder a file lies in; `""` for the root."""
    return Namespace(path.rpartition("/")[0])


def owner_of(path: str) -> str | None:
    """The agent whose private folder holds the path; `None` outside `private/<agent>/`."""
    segments = path.split("/")
    return segments[1] if len(segments) > 2 and segments[0].casefold() == PRIVATE else None


@dataclass(frozen=True, slots=True)
class Scope:
    """Who asks: an agent, or (with `agent=None`) the person, who may read and write all."""

    agent: str | None

    def may_read(self, path: str) -> bool:
        """An agent reads its own private folder and everything outside `private/`."""
        segments = path.split("/")
        if self.agent is None or segments[0].casefold() != PRIVATE:
            return True
        return len(segments) > 2 and segments[1] == self.agent

    def may_write(self, path: str) -> bool:
        """An agent writes to its own private folder and to `shared/`."""
        segments = path.split("/")
        if self.agent is None:
            return True
        if segments[0] == SHARED:
            return len(segments) > 1
        return len(segments) > 2 and segments[0] == PRIVATE and segments[1] == self.agent

    def check_write(self, path: str) -> None:
        """Raise `ScopeError` where `may_write` says no."""
        if not self.may_write(path):
            assert self.agent is not None
            raise ScopeError(self.agent, str(folder_of(path)), "write to")


PERSON = Scope(None)


def namespace_for(scope: Scope, asked: str | None, inbox: str) -> Namespace:
    """The folder a new memory goes to.

    With `asked` it is `shared/<asked>` (a leading `shared/` or the agent's own `private/…` is
    taken as written; the person may name any folder that way). Without, an agent writes to its
    private folder and the person to `inbox`.
    """
    if asked is None:
        place = f"{PRIVATE}/{scope.agent}" if scope.agent is not None else inbox
        return parse_namespace(place)
    namespace = parse_namespace(asked)
    first = namespace.split("/")[0]
    if first == PRIVATE:
        if len(namespace.split("/")) < 2:
            raise UnsafePathError(asked, "it must name whose private folder it is: private/<agent>")
        parse_agent(namespace.split("/")[1])
    elif first != SHARED:
        namespace = Namespace(f"{SHARED}/{namespace}")
    scope.check_write(f"{namespace}/new.md")
    return namespace


def _check_segments(text: str, segments: list[str]) -> None:
    if not text:
        raise UnsafePathError(text, "it is empty")
    if "\x00" in text:
        raise UnsafePathError(text, "it holds a zero byte")
    if text.startswith("/") or re.match(r"[A-Za-z]:[\\/]", text):
        raise UnsafePathError(text, "it is absolute; paths are relative to the vault")
    for segment in segments:
        if segment in ("", ".", ".."):
            raise UnsafePathError(text, f"{segment!r} is not a name")
        if segment.startswith("."):
            raise UnsafePathError(text, f"{segment!r} is hidden; hidden files hold no memories")
        try:
            size = len(segment.encode("utf-8", "surrogateescape"))
        except UnicodeEncodeError:
            raise UnsafePathError(text, "it holds half a character") from None
        if size > MAX_NAME_BYTES:
            raise UnsafePathError(text, f"a name is longer than {MAX_NAME_BYTES} bytes")
