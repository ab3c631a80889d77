"""Reading a branch, and moving it from one commit to the next under a lock of our own."""

from __future__ import annotations

import os
from dataclasses import dataclass

from vault_memory.adapters.git.durable import sync_folder
from vault_memory.adapters.git.locate import Place, content
from vault_memory.adapters.git.locks import Lock, write_finished
from vault_memory.adapters.git.settings import Settings
from vault_memory.adapters.git.state import head_ref

ZERO = "0" * 40


class MovedError(Exception):
    """HEAD or its branch is no longer where it was when the commits were built."""


@dataclass(frozen=True, slots=True)
class Move:
    """A branch to go from `old` (`None`: it has no commit yet) to `new`; `line` is for the reflog."""

    ref: str
    old: str | None
    new: str
    committer: str
    line: str


def final_ref(place: Place, ref: str) -> str:
    """The ref that holds the commit, where a branch is a symbolic name for another."""
    return _follow(place, ref)[0]


def read_ref(place: Place, ref: str) -> str | None:
    """The commit (full hex) of a ref, loose or packed; `None` where it has none."""
    return _commit_in(place, ref, _loose(place, ref))


def final_ref_and_commit(place: Place, ref: str) -> tuple[str, str | None]:
    """Both at once: no file is read twice."""
    final, found = _follow(place, ref)
    return final, _commit_in(place, final, found)


def _follow(place: Place, ref: str) -> tuple[str, str | None]:
    """The ref at the end of symbolic ones, and what its own file holds."""
    found = _loose(place, ref)
    for _ in range(5):
        if found is None or not found.startswith("ref:"):
            break
        ref = found.removeprefix("ref:").strip()
        found = _loose(place, ref)
    return ref, found


def _commit_in(place: Place, ref: str, found: str | None) -> str | None:
    return _packed(place, ref) if found is None else found.strip() or None


def prepare_move(place: Place, move: Move, finished: str) -> Lock:
    """The lock that will hold the branch's new value; `finished` is a place for our own file."""
    path = os.path.join(place.commondir, move.ref)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    write_finished(finished, f"{move.new}\n".encode(), like=path)
    return Lock(finished, path)


def check_unmoved(place: Place, move: Move) -> None:
    """With the branch's lock held: raise `MovedError` unless all is as it was when the move was planned."""
    head = head_ref(place)
    if head is None or final_ref(place, head) != move.ref or read_ref(place, move.ref) != move.old:
        raise MovedError


def append_reflog(place: Place, move: Move, settings: Settings) -> None:
    """One line for the branch and one for HEAD, where git would write them."""
    line = f"{move.old or ZERO} {move.new} {move.committer}\t{move.line}\n".encode("utf-8", "surrogateescape")
    wanted = _reflogs_wanted(settings)
    _append(os.path.join(place.commondir, "logs", move.ref), line, create=wanted)
    _append(os.path.join(place.gitdir, "logs", "HEAD"), line, create=wanted)


def sync_ref(place: Place, ref: str) -> None:
    """Make a finished move durable."""
    sync_folder(os.path.dirname(os.path.join(place.commondir, ref)))


def _reflogs_wanted(settings: Settings) -> bool:
    word = settings.text("core.logAllRefUpdates")
    if word is None:
        return settings.flag("core.bare") is not True
    return word.lower() == "always" or settings.flag("core.logAllRefUpdates") is True


def _append(path: str, line: bytes, *, create: bool) -> None:
    if create:
        os.makedirs(os.path.dirname(path), exist_ok=True)
    try:
        fd = os.open(path, os.O_WRONLY | os.O_APPEND | (os.O_CREAT if create else 0), 0o666)
    except FileNotFoundError:
        return
    try:
        os.write(fd, line)
    finally:
        os.close(fd)


def _loose(place: Place, ref: str) -> str | None:
    try:
        return content(os.path.join(place.commondir, ref)).decode("utf-8", "surrogateescape")
    except (FileNotFoundError, IsADirectoryError, NotADirectoryError):
        return None


def _packed(place: Place, ref: str) -> str | None:
    try:
        with open(os.path.join(place.commondir, "packed-refs"), "rb") as file:
            packed = file.read()
    except FileNotFoundError:
        return None
    end = b" " + ref.encode("utf-8", "surrogateescape")
    for line in packed.splitlines():
        if line.endswith(end) and not line.startswith((b"#", b"^")):
            return line.partition(b" ")[0].decode("ascii")
    return None
