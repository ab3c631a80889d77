"""The merge driver in a repository's own settings, which name a program and so travel with nobody."""

from __future__ import annotations

from vault_memory.adapters.git.cli import GitProgram, GitRefusedError
from vault_memory.errors import GitCommandError

NAME = "vmem"
_DRIVER = f"merge.{NAME}.driver"
_SECTION = f"merge.{NAME}"
_ABSENT = (1, 5)
"""Git's exit codes for a key that is not set."""


class MergeDriver:
    """What the repository that `folder` lies in runs to merge memories. Raises `GitCommandError`."""

    def __init__(self, folder: str, *, timeout: float) -> None:
        self._git = GitProgram(folder, timeout=timeout)

    def command(self) -> str | None:
        """The command line, `None` where there is none."""
        out = self._run("config", "--local", "--get", _DRIVER)
        return out.decode("utf-8", "replace").rstrip("\n") or None

    def put(self, command: str, doc: str) -> None:
        """Have git run that command."""
        self._run("config", "--local", f"{_SECTION}.name", doc)
        self._run("config", "--local", _DRIVER, command)

    def take_out(self) -> None:
        """Have git merge as it does by itself."""
        self._run("config", "--local", "--remove-section", _SECTION)

    def _run(self, *arguments: str) -> bytes:
        try:
            done = self._git.run(*arguments)
        except GitRefusedError as error:
            raise GitCommandError("config", str(error)) from error
        if done.ok or done.code in _ABSENT:
            return done.out
        raise GitCommandError("config", done.words() or "it did not end in time")
