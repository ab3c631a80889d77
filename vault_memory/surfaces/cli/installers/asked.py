"""What `vmem install` is asked to put into the settings of a program that agents run in."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from pathlib import Path

from vault_memory.errors import MissingExtraError, UsageError
from vault_memory.model.namespace import parse_agent
from vault_memory.surfaces.cli.context import Call

NAME = "memory"
_NAME = re.compile(r"[A-Za-z0-9_-]{1,40}")


@dataclass(frozen=True, slots=True)
class Asked:
    """The options of `vmem install` for such programs, as they were given."""

    agent: str | None = None
    name: str = NAME
    project: Path | None = None
    mcp: bool | None = None
    hooks: bool | None = None
    read_only: bool = False
    shown: bool = False
    force: bool = False

    def check(self) -> None:
        """Raise `UsageError` for what no settings can hold."""
        if self.agent is not None:
            parse_agent(self.agent)
        if not _NAME.fullmatch(self.name):
            raise UsageError(
                f"{self.name!r} is no name for a server", hint="take up to 40 of a-z, A-Z, 0-9, - and _"
            )
        if self.project is not None and not self.project.is_dir():
            raise UsageError(f"{self.project} is no folder", hint="--project names the folder of a project")

    def only(self, program: str, *allowed: str) -> None:
        """Raise `UsageError` where an option was given that is not one of a program's."""
        plain = Asked()
        for one in fields(self):
            if one.name not in allowed and getattr(self, one.name) != getattr(plain, one.name):
                option = {"shown": "print", "read_only": "read-only"}.get(one.name, one.name)
                raise UsageError(
                    f"vmem install {program} takes no --{option}", hint=f"vmem install {program} --help"
                )

    def warn_of_mcp(self, call: Call) -> None:
        """Say so where the server that programs are told of could not start."""
        from importlib.util import find_spec

        if find_spec("mcp") is None:
            missing = MissingExtraError("mcp", needed_for="vmem mcp")
            call.out.warn(f"{missing.message}; before it is used: {missing.hint}")
