"""Which commit each line of a file is of, by the git program."""

from __future__ import annotations

import os
import re

from vault_memory.adapters.git.cli import GitProgram, GitRefusedError
from vault_memory.adapters.git.locate import Place
from vault_memory.errors import GitCommandError
from vault_memory.model.blame import Origin

_HEAD = re.compile(rb"([0-9a-f]{40,64}) \d+ \d+(?: \d+)?")
_NAME = b"filename "
_ESCAPE = re.compile(rb"\\([0-7]{3}|.)")
_ESCAPED = {b"n": b"\n", b"t": b"\t", b"r": b"\r", b"a": b"\a", b"b": b"\b", b"f": b"\f", b"v": b"\v"}


def blame(git: GitProgram, place: Place, path: str) -> list[Origin]:
    """Its lines as they lie there, in order. Raises `GitCommandError`, as for a file that HEAD has not."""
    try:
        out = git.get("-c", "core.quotePath=false", "blame", "--porcelain", "--", path)
    except GitRefusedError as error:
        raise GitCommandError("blame", str(error)) from error
    found: list[Origin] = []
    names: dict[bytes, bytes] = {}
    commit = b""
    for line in out.split(b"\n"):
        if line.startswith(b"\t"):
            text = line[1:].rstrip(b"\r").decode("utf-8", "replace")
            is_known = commit.strip(b"0") != b""
            named = place.note(os.fsdecode(_unquoted(names.get(commit, b""))))
            found.append(Origin(text, commit.decode("ascii") if is_known else None, named))
        elif head := _HEAD.fullmatch(line):
            commit = head[1]
        elif line.startswith(_NAME):
            names[commit] = line.removeprefix(_NAME)
    return found


def _unquoted(name: bytes) -> bytes:
    """A name as it is: git writes one with quotes or control characters as a C string."""
    if not (name.startswith(b'"') and name.endswith(b'"')):
        return name
    return _ESCAPE.sub(lambda found: _ESCAPED.get(found[1]) or _byte(found[1]), name[1:-1])


def _byte(digits: bytes) -> bytes:
    return bytes([int(digits, 8)]) if len(digits) == 3 else digits
