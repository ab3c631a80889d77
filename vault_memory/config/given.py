"""What the environment gives a call of `vmem`, read so cheaply that the fast path can: `os` alone.

A resident process answers for many callers: `as_caller` puts one caller's environment and working
folder in place of the process' own, for the thread that answers.
"""

from __future__ import annotations

import os
import sys
from _contextvars import ContextVar

TYPE_CHECKING = False  # the name itself would cost the import of typing, half of a fast call
if TYPE_CHECKING:
    from _contextvars import Token
    from collections.abc import Mapping
    from types import TracebackType

CARRIED = ("HOME", "XDG_CONFIG_HOME", "NO_COLOR", "TERM")
"""Variables that decide an answer, besides all that begin with `VMEM_`."""
SIGNING = ("SSH_AUTH_SOCK", "GNUPGHOME")
"""Variables that decide by what key git signs a commit: a write carries them too."""
PREFIX = "VMEM_"
_GIT = "GIT_"
_ASKING = frozenset(
    {
        "GIT_ASKPASS", "GIT_EDITOR", "GIT_SEQUENCE_EDITOR", "GIT_PAGER", "GIT_TERMINAL_PROMPT",
        "GIT_OPTIONAL_LOCKS", "GIT_SSH", "GIT_SSH_COMMAND",
    }
)  # fmt: skip
"""Variables of git that say how to ask, show or fetch: terminals of editors and agents set them for all."""

_caller: ContextVar[tuple[Mapping[str, str], str] | None] = ContextVar("caller", default=None)


def variable(name: str) -> str:
    """The caller's value, empty where there is none."""
    caller = _caller.get()
    return (os.environ if caller is None else caller[0]).get(name, "")


def names() -> list[str]:
    """The names of the caller's variables."""
    caller = _caller.get()
    return list(os.environ if caller is None else caller[0])


def folder() -> str:
    """The caller's working folder; `.` where it was deleted under them."""
    caller = _caller.get()
    if caller is not None:
        return caller[1]
    try:
        return os.getcwd()
    except OSError:
        return "."


def carried(*, writes: bool = False) -> dict[str, str]:
    """The caller's variables that decide an answer, or also what is committed."""
    plain = (*CARRIED, *SIGNING) if writes else CARRIED
    return {name: variable(name) for name in names() if name.startswith(PREFIX) or name in plain}


def caller() -> tuple[dict[str, str], str] | None:
    """Whose environment and working folder count, for another process that works on; `None`: our own."""
    found = _caller.get()
    return None if found is None else (dict(found[0]), found[1])


def sets_git() -> bool:
    """Whether the caller tells git by the environment where, how or as whom to commit: a write of theirs
    is done by a process of their own."""
    return any(name.startswith(_GIT) and name not in _ASKING for name in names())


def runtime_folders() -> tuple[str, ...]:
    """Where sockets of this user may lie, best first."""
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA", "")
        return (f"{local}/vault-memory",) if local else ()
    given = os.environ.get("XDG_RUNTIME_DIR", "")
    own = f"/tmp/vmem-{os.getuid()}"  # noqa: S108 - made with mode 0700, its owner checked
    return (f"{given}/vault-memory", own) if os.path.isabs(given) else (own,)


def state_folder() -> str:
    """Where this user's own logs lie, empty where there is no home; the folder need not exist."""
    if sys.platform == "win32":
        local = variable("LOCALAPPDATA")
        return f"{local}/vault-memory" if local else ""
    state = variable("XDG_STATE_HOME")
    home = variable("HOME")
    if not os.path.isabs(state):
        state = f"{home}/.local/state" if os.path.isabs(home) else ""
    return f"{state}/vault-memory" if state else ""


class as_caller:  # noqa: N801 - used as a context manager, like a function
    """Answer as if the environment and the working folder were these."""

    def __init__(self, environment: Mapping[str, str], folder: str) -> None:
        self._caller = environment, folder
        self._token: Token[tuple[Mapping[str, str], str] | None] | None = None

    def __enter__(self) -> None:
        self._token = _caller.set(self._caller)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._token is not None:
            _caller.reset(self._token)
