"""Many contents read from git and written to it at once, by the git program."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Sequence

from vault_memory.adapters.git.cli import DURABLE, GitProgram


def stored(git: GitProgram, names: Sequence[str]) -> Iterator[bytes | None]:
    """The blobs of these names (hashes), as git stores them; `None` for one that it does not have. Raises
    `GitRefusedError`."""
    asked = "".join(f"{name}\n" for name in names).encode()
    return _parted(git.get("cat-file", "--batch", stdin=asked)) if names else iter(())


def read(git: GitProgram, names: Sequence[str]) -> list[bytes]:
    """The same, empty for one that git does not have."""
    return [content or b"" for content in stored(git, names)]


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


def _parted(batch: bytes) -> Iterator[bytes | None]:
    """The objects that `git cat-file --batch` wrote, in order."""
    at = 0
    while at < len(batch):
        end = batch.index(b"\n", at)
        _, *kind = batch[at:end].split()
        if len(kind) < 2:  # "missing"
            yield None
            at = end + 1
            continue
        start, size = end + 1, int(kind[-1])
        yield batch[start : start + size]
        at = start + size + 1
