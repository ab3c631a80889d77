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
PREFIX = "VMEM_"
IDENTITY = "GIT_"
"""Variables of git: a write of a caller who sets any is better done by a process of their own."""

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


def carried() -> dict[str, str]:
    """The caller's variables that decide an answer."""
    return {name: variable(name) for name in names() if name.startswith(PREFIX) or name in CARRIED}


def sets_git() -> bool:
    """Whether the caller tells git by the environment where, or as whom, to commit."""
    return any(name.startswith(IDENTITY) for name in names())


def runtime_folders() -> tuple[str, ...]:
    """Where sockets of this user may lie, best first."""
    given = os.environ.get("XDG_RUNTIME_DIR", "")
    own = f"/tmp/vmem-{os.getuid()}" if sys.platform != "win32" else ""  # noqa: S108 - made with mode 0700, its owner checked
    return tuple(folder for folder in (f"{given}/vault-memory" if given else "", own) if folder)


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
