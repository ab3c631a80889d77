"""Whether git stores a file's bytes as they are, and its blob where it does not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vault_memory.adapters.git.cli import DURABLE, GitProgram, GitRefusedError
from vault_memory.adapters.git.scratch import Scratch
from vault_memory.adapters.git.working import Working, read_working

if TYPE_CHECKING:
    import pygit2

    from vault_memory.adapters.git.settings import Settings


def converted(repo: pygit2.Repository, settings: Settings, path: str, content: bytes) -> str | None:
    """What changes these bytes on their way into git (`filter=lfs`), `None` where nothing does.

    Errs on the side of naming something: git then decides."""
    wanted = repo.get_attr(path, "filter")
    if isinstance(wanted, str):
        return f"filter={wanted}"
    encoding = repo.get_attr(path, "working-tree-encoding")
    if isinstance(encoding, str):
        return f"working-tree-encoding={encoding}"
    if b"$Id" in content and repo.get_attr(path, "ident") is True:
        return "ident"
    if b"\r" in content:
        return _line_ends(repo, settings, path)
    return None


def _line_ends(repo: pygit2.Repository, settings: Settings, path: str) -> str | None:
    text = repo.get_attr(path, "text")
    if text is None:
        text = repo.get_attr(path, "crlf")  # the name that `text` had before 2010; git still reads it
    if text is False:
        return None
    if text is not None:
        return "text"
    if repo.get_attr(path, "eol") is not None:
        return "eol"
    automatic = settings.text("core.autocrlf")
    return "core.autocrlf" if automatic is not None and settings.flag("core.autocrlf") is not False else None


def checked_out(repo: pygit2.Repository, settings: Settings, path: str, stored: bytes) -> bool:
    """Whether a checkout would write these stored bytes as they are."""
    for attribute in ("filter", "working-tree-encoding", "eol"):
        if isinstance(repo.get_attr(path, attribute), str):
            return False
    if b"$Id" in stored and repo.get_attr(path, "ident") is True:
        return False
    return settings.flag("core.autocrlf") is not True and settings.text("core.eol") is None


def blob_by_git(
    git: GitProgram, scratch: Scratch, path: str, working: Working, head: tuple[str, int] | None
) -> tuple[str, int]:
    """The (blob, mode) that `git add` would make of the working file, which must still be `working`.

    `head` is the (blob, mode) that HEAD has there: git's choice of line ends looks at it. Raises
    `GitRefusedError` where git or a filter says no, or the file changed meanwhile."""
    environment = {"GIT_INDEX_FILE": scratch.path("one")}
    known = ["--cacheinfo", f"{head[1]:o},{head[0]},{path}"] if head is not None else []
    git.get(*DURABLE, "update-index", "--add", *known, "--", path, environment=environment)
    listed = git.get("ls-files", "--stage", "-z", "--", path, environment=environment)
    again = read_working(f"{git.workdir}/{path}")
    if again is None or again.version != working.version:
        raise GitRefusedError("the file changed while it was read")
    mode, blob, _ = listed.split(b"\t")[0].split(b" ")
    return blob.decode("ascii"), int(mode, 8)
