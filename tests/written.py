"""Expectations that stand in files: compared as they are, written anew with `pytest --rewrite`."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent


@dataclass(frozen=True, slots=True)
class Written:
    """The type of the fixture `written`."""

    rewrite: bool

    def stands_in(self, file: Path, text: str) -> None:
        """The file holds just this text."""
        before = file.read_text(encoding="utf-8") if file.exists() else ""
        if text == before:
            return
        name = str(file.relative_to(ROOT))
        if self.rewrite:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
            raise AssertionError(f"{name} is written anew: read what changed (git diff), then run again")
        lines = difflib.unified_diff(before.splitlines(), text.splitlines(), name, "now", lineterm="")
        raise AssertionError("\n".join(["not what it was (pytest --rewrite takes it on)", *lines]))
