"""Whether files of the local folder are git's: then whoever made the repository has written them."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from vault_memory.adapters.git import locate
from vault_memory.adapters.git.cli import GitProgram, GitRefusedError
from vault_memory.adapters.git.locate import Place
from vault_memory.errors import StorageError

_SECONDS = 20.0
_PLAIN = b"DIRC\0\0\0"
"""So an index begins; its version follows, and in the fourth one names are not whole."""
_WHOLE_NAMES = b"\2\3"


def check_local(root: Path, local: str) -> None:
    """Raise `StorageError` where git holds a file of the local folder: an index that came with a clone may
    say of the memories what it likes."""
    place = locate.find(root)
    if place is not None and _may_hold(place, local) and (found := _tracked(place, local)):
        name = os.fsdecode(found[0]).removeprefix(place.prefix)
        raise StorageError(
            local,
            f"git holds {name}, so it came with the repository and may say anything",
            wanted="trust",
            hint=f"git rm -r -f {local}   and commit that; the folder is made anew",
        )


def is_tracked(root: Path, path: str) -> bool:
    """Whether git's index has the file, or has a folder above it as a repository of its own. Where nobody can
    be asked (no repository, no git) it is not."""
    place = locate.find(root)
    if place is None:
        return False
    wanted = os.fsencode(place.tracked(path))
    listed = _tracked(place, path.partition("/")[0])
    return any(wanted == one or wanted.startswith(one + b"/") for one in listed)


def _may_hold(place: Place, folder: str) -> bool:
    """Whether git's index can have something in the folder: a look at its bytes, since every opening asks."""
    wanted = os.fsencode(place.tracked(folder)) + b"/"
    for file in (os.path.join(place.gitdir, "index"), *_shared(place)):
        with suppress(OSError):
            content = Path(file).read_bytes()
            if wanted in content or content[:7] != _PLAIN or content[7:8] not in _WHOLE_NAMES:
                return True
    return False


def _shared(place: Place) -> list[str]:
    """The rest of an index that is split."""
    with suppress(OSError), os.scandir(place.gitdir) as entries:
        return [entry.path for entry in entries if entry.name.startswith("sharedindex.")]
    return []


def _tracked(place: Place, folder: str) -> list[bytes]:
    """What git has there, by the repository's names."""
    if place.workdir is None:
        return []
    try:
        listed = GitProgram(place.workdir, timeout=_SECONDS).get(
            "ls-files", "-z", "--", place.tracked(folder)
        )
    except GitRefusedError:
        return []
    return [one for one in listed.split(b"\0") if one]
