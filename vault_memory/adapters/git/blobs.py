"""Many contents read from git and written to it at once, by the git program."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Sequence

from vault_memory.adapters.git.cli import DURABLE, GitProgram


def read(git: GitProgram, names: Sequence[str]) -> list[bytes]:
    """The blobs of these names (hashes), as git stores them. Raises `GitRefusedError`."""
    asked = "".join(f"{name}\n" for name in names).encode()
    return list(_parted(git.get("cat-file", "--batch", stdin=asked))) if names else []


def checked_out(git: GitProgram, name: str, path: str) -> bytes:
    """One blob as a checkout writes it at that repository path. Raises `GitRefusedError`.

    One at a time: of many at once git tells the sizes as they are stored."""
    return git.get("cat-file", "--filters", f"--path={path}", name)


def write(git: GitProgram, contents: Sequence[bytes]) -> list[str]:
    """The hashes under which git now holds these contents as they are. Raises `GitRefusedError`."""
    if not contents:
        return []
    with tempfile.TemporaryDirectory(prefix="vmem-blobs-") as folder:
        for number, content in enumerate(contents):
            with open(os.path.join(folder, str(number)), "wb") as file:
                file.write(content)
        paths = "".join(f"{folder}/{number}\n" for number in range(len(contents))).encode()
        out = git.get(*DURABLE, "hash-object", "-w", "--no-filters", "--stdin-paths", stdin=paths)
    return out.decode("ascii").split()


def _parted(batch: bytes) -> Iterator[bytes]:
    """The objects that `git cat-file --batch` wrote, in order; nothing for one it does not have."""
    at = 0
    while at < len(batch):
        end = batch.index(b"\n", at)
        _, *kind = batch[at:end].split()
        if len(kind) < 2:  # "missing"
            yield b""
            at = end + 1
            continue
        start, size = end + 1, int(kind[-1])
        yield batch[start : start + size]
        at = start + size + 1
