"""A vault behind the server that answers when the test lets it."""

from __future__ import annotations

import threading
from typing import Any

from tests.mcp.talking import PATIENCE
from vault_memory.surfaces.mcp.reach import Reach, Said


class Slow(Reach):
    """Answers once it is let go."""

    def __init__(self) -> None:
        super().__init__(None, None)
        self.begun, self.go = threading.Event(), threading.Event()
        self.asked: list[str] = []

    def ask(self, verb: str, **args: Any) -> Said:
        self.begun.set()
        assert self.go.wait(PATIENCE)
        self.asked.append(verb)
        written: dict[str, object] = {
            "op": verb, "id": None, "path": "a.md", "version": None, "committed": None, "known": False,
            "proposed": None, "reason": None, "notices": [], "nearly": False, "supersedes": [],
        }  # fmt: skip
        return Said([] if verb == "list" else written)
