"""`git merge-tree`: the tree that a merge makes, and what both sides have changed in it."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field

from vault_memory.adapters.git.cli import DURABLE, GitProgram, GitRefusedError, OutOfTimeError
from vault_memory.adapters.git.locate import Place
from vault_memory.adapters.git.settings import Settings

DRIVER = "vmem"
_ALWAYS = {
    # This driver says no to each file, so that it is told of: they are merged by key afterwards.
    f"merge.{DRIVER}.driver": "false",
    f"merge.{DRIVER}.recursive": "text",
    "merge.conflictStyle": "merge",
    "merge.renames": "true",
    # A note that one side adds to a folder is never moved because the other side moved that folder's notes:
    # it could become readable to others.
    "merge.directoryRenames": "false",
    "core.splitIndex": "false",
    "core.fsmonitor": "false",
}
_SPECIAL = re.compile(r"([\\*?\[])")
_OLD = "git here is older than 2.38 and can't merge without a checkout; a newer one can"
_IS_OLD = (b"usage: git merge-tree", b"unknown option")


@dataclass(slots=True)
class Found:
    """A path that was not merged: what each side holds there, and git's words for why not."""

    path: str
    stages: dict[int, tuple[str, str]] = field(default_factory=dict)
    """1 the base, 2 ours, 3 theirs → (mode, hash)."""
    types: set[str] = field(default_factory=set)
    words: str = ""
    driver: str = ""
    """What merges it by the attributes, where only its content is to be decided."""

    @property
    def only_content(self) -> bool:
        """Whether both hold an ordinary file there, and nothing but its content is to be decided."""
        modes = {mode for mode, _ in self.stages.values()}
        return {2, 3} <= set(self.stages) and self.types <= _OF_CONTENT and modes <= _FILES


_OF_CONTENT = {"Auto-merging", "CONFLICT (contents)", "CONFLICT (content)", "CONFLICT (binary)"}
_FILES = {"100644", "100755"}


def merge_tree(
    git: GitProgram, place: Place, settings: Settings, ours: str, theirs: str
) -> tuple[str, dict[str, Found]]:
    """The tree of both (with markers in what was not merged), and that by path.

    Memories that both have changed are never merged here. Raises `GitRefusedError`."""
    with tempfile.TemporaryDirectory(prefix="vmem-merge-") as folder:
        attributes = os.path.join(folder, "attributes")
        with open(attributes, "wb") as file:
            file.write(_attributes(place, settings))
        options = [f"{key}={value}" for key, value in (_ALWAYS | {"core.attributesFile": attributes}).items()]
        given = [word for option in options for word in ("-c", option)]
        command = ["merge-tree", "--write-tree", "-z", "--messages", ours, theirs]
        done = git.run(*given, *DURABLE, *command)
        if done.code is None:
            raise OutOfTimeError(f"git merge-tree did not end within {git.timeout:g} s and was stopped")
        if done.code not in (0, 1) or not done.out:
            old = any(sign in done.err for sign in _IS_OLD)
            raise GitRefusedError(_OLD if old else done.words() or "git merge-tree failed")
        tree, found = parse(done.out)
        return tree, _with_drivers(git, given, place, found)


def parse(out: bytes) -> tuple[str, dict[str, Found]]:
    """Read what it writes with `-z --messages`."""
    fields = iter(os.fsdecode(out).split("\0"))
    tree = next(fields)
    found: dict[str, Found] = {}
    for line in iter(fields.__next__, ""):
        head, _, path = line.partition("\t")
        mode, name, stage = head.split(" ")
        found.setdefault(path, Found(path)).stages[int(stage)] = (mode, name)
    for paths, kind, words in _messages(fields):
        for path in paths:
            if path in found and kind != "Auto-merging":
                found[path].types.add(kind)
                found[path].words = found[path].words or words.strip()
    return tree, found


def _messages(fields: Iterator[str]) -> Iterator[tuple[list[str], str, str]]:
    for count in fields:
        if count.isdigit():
            yield [next(fields) for _ in range(int(count))], next(fields), next(fields)


def _with_drivers(
    git: GitProgram, given: list[str], place: Place, found: dict[str, Found]
) -> dict[str, Found]:
    """The same, with what merges each: a person may have told git to merge some otherwise."""
    ours = [one.path for one in found.values() if one.only_content and place.in_vault(one.path) is not None]
    if ours:
        asked = b"".join(os.fsencode(path) + b"\0" for path in ours)
        told = os.fsdecode(git.get(*given, "check-attr", "-z", "--stdin", "merge", stdin=asked)).split("\0")
        for path, driver in zip(told[::3], told[2::3], strict=False):
            found[path].driver = driver
    return found


def _attributes(place: Place, settings: Settings) -> bytes:
    """The person's own attributes for all repositories, and before them that memories are merged by us:
    each line of theirs, and of the repository's own files, wins."""
    below = _SPECIAL.sub(r"\\\1", place.prefix)
    lines = [_quoted(f"/{below}**/*.{ending}") for ending in ("[mM][dD]", "[mM][aA][rR][kK][dD][oO][wW][nN]")]
    first = b"".join(line + f" merge={DRIVER}\n".encode() for line in lines)
    own = settings.folder("core.attributesFile", relative_to=place.workdir or "")
    own = own or os.path.join(_config_home(), "git", "attributes")
    try:
        with open(own, "rb") as file:
            return first + file.read(1 << 20)
    except OSError:
        return first


def _config_home() -> str:
    from vault_memory.config.environ import clean_git_environment

    environment = clean_git_environment()
    home = environment.get("XDG_CONFIG_HOME")
    return home or os.path.join(environment.get("HOME") or os.path.expanduser("~"), ".config")


def _quoted(pattern: str) -> bytes:
    """A pattern as git reads it between quotes, whatever is in it."""
    escaped = os.fsencode(pattern).replace(b"\\", b"\\\\").replace(b'"', b'\\"')
    return b'"' + escaped.replace(b"\n", b"\\n").replace(b"\t", b"\\t") + b'"'
