"""The person's editor, on a terminal."""

from __future__ import annotations

import os
import shlex
import subprocess
import tempfile
from pathlib import Path

from vault_memory.config import environ
from vault_memory.errors import UsageError

FALLBACK = "vi"


def run_editor(command: str, file: Path) -> None:
    """Open the file in the editor of the settings, of VISUAL or EDITOR, and wait until it is closed."""
    words = shlex.split(command or environ.editor() or FALLBACK)
    try:
        done = subprocess.run([*words, str(file)], check=False)
    except OSError as error:
        raise UsageError(
            f"can't run the editor {words[0]!r}: {error.strerror}", hint="set EDITOR to one you have"
        ) from error
    if done.returncode != 0:
        raise UsageError(f"the editor {words[0]!r} ended with exit code {done.returncode}; nothing was done")


def keep_text(text: str) -> Path:
    """Put a text that could not be remembered where the person finds it again."""
    number, name = tempfile.mkstemp(prefix="vmem-", suffix=".md")
    with os.fdopen(number, "w", encoding="utf-8") as file:
        file.write(text)
    return Path(name)


def text_from_editor(command: str) -> str:
    """What a person writes in an empty file."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "memory.md"
        file.touch()
        run_editor(command, file)
        return file.read_text(encoding="utf-8")
