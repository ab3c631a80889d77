"""The road for many: a stream for `git fast-import`, which writes one pack where loose objects would be
thousands."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import IO

from vault_memory.adapters.git.cli import DURABLE, GitProgram, GitRefusedError, demand
from vault_memory.adapters.git.plan import Part, Step
from vault_memory.adapters.git.scratch import Scratch
from vault_memory.adapters.git.trees import Entry
from vault_memory.model.revision import Author

FEWEST = 50
"""From so many commits or new files at once the start of the program costs less than it saves."""

REFS = "refs/vmem/"
_SECONDS_A_FILE = 0.05


def worth(steps: Sequence[Step]) -> bool:
    """Whether these are so many that the program is worth its start."""
    new_files = sum(part.working is not None for step in steps for part in step.parts)
    return max(len(steps), new_files) >= FEWEST


@dataclass(frozen=True, slots=True)
class Importer:
    """Makes many commits at once; `told` hears how many of them are written."""

    git: GitProgram
    scratch: Scratch
    person: Author
    now: datetime
    told: Callable[[int], None]

    def commits(
        self, tip: str | None, steps: Sequence[Step], entries: Mapping[str, Entry], stored: frozenset[str]
    ) -> list[str]:
        """The commits of the steps, in order, on top of `tip`; no branch moves. `stored` are the paths
        whose blob is in the repository already. Raises `GitRefusedError`."""
        ref, marks = REFS + self.scratch.name, self.scratch.path("marks")
        parts = sum(len(step.parts) for step in steps)
        with tempfile.TemporaryFile() as stream:
            self._write(stream, tip, steps, entries, stored)
            stream.seek(0)
            outcome = self.git.run(
                *DURABLE,
                "fast-import",
                "--quiet",
                "--done",
                # A retry builds on another tip: the import's ref may then go sideways.
                "--force",
                "--date-format=raw",
                f"--export-marks={marks}",
                stdin=stream,
                timeout=self.git.timeout + _SECONDS_A_FILE * parts,
            )
        demand(outcome, "git fast-import", self.git.timeout)
        with open(marks, encoding="ascii") as lines:
            made = {int(mark.removeprefix(":")): commit for mark, commit in (line.split() for line in lines)}
        commits = [made[number] for number in range(1, len(steps) + 1) if number in made]
        if len(commits) != len(steps) or self.git.get("rev-parse", ref).decode().strip() != commits[-1]:
            raise GitRefusedError("git fast-import did not make every commit")
        return commits

    def _write(
        self,
        stream: IO[bytes],
        tip: str | None,
        steps: Sequence[Step],
        entries: Mapping[str, Entry],
        stored: frozenset[str],
    ) -> None:
        ref, committer = (REFS + self.scratch.name).encode(), _line(self.person, self.now)
        for number, step in enumerate(steps, 1):
            message = step.message.encode("utf-8")
            author = _line(step.author or self.person, step.at)
            stream.write(b"commit %s\nmark :%d\n" % (ref, number))
            stream.write(b"author %s\ncommitter %s\n" % (author, committer))
            stream.write(b"data %d\n%s\n" % (len(message), message))
            if number == 1 and tip is not None:
                stream.write(b"from %s\n" % tip.encode())
            # A file may take the name of a folder whose last file goes, so what goes comes first.
            for part in sorted(step.parts, key=lambda part: part.working is not None):
                _write_part(stream, part, entries, stored)
            stream.write(b"\n")
            self.told(number)
        stream.write(b"done\n")


def _write_part(stream: IO[bytes], part: Part, entries: Mapping[str, Entry], stored: frozenset[str]) -> None:
    path = _quoted(part.path)
    if part.working is None:
        stream.write(b"D %s\n" % path)
    elif part.path in stored:
        entry = entries[part.path]
        stream.write(b"M %o %s %s\n" % (entry.mode, str(entry.oid).encode(), path))
    else:
        content = part.working.content
        stream.write(b"M %o inline %s\n" % (entries[part.path].mode, path))
        stream.write(b"data %d\n%s\n" % (len(content), content))


def forget_import(git: GitProgram, commondir: str, name: str) -> None:
    """Delete the ref that an import kept its commits under, if there is one.

    A leftover name for a commit harms nobody, so a refusal is left for the next heal."""
    folder = os.path.join(commondir, REFS)
    if not os.path.lexists(os.path.join(folder, name)):
        return
    if git.path is not None and git.run("update-ref", "-d", REFS + name).ok:
        with contextlib.suppress(OSError):  # another's import is there
            os.rmdir(folder)


def forget_dead_imports(git: GitProgram, commondir: str) -> None:
    """Delete the refs of imports whose writer is gone: git may have finished one after its death."""
    folder = os.path.join(commondir, REFS)
    try:
        names = os.listdir(folder)
    except FileNotFoundError:
        return
    for name in names:
        if not os.path.lexists(os.path.join(commondir, name)):
            forget_import(git, commondir, name)
    with contextlib.suppress(OSError):  # a living one's is there
        os.rmdir(folder)


def _line(author: Author, at: datetime) -> bytes:
    return f"{author.name} <{author.email}> {int(at.timestamp())} +0000".encode()


def _quoted(path: str) -> bytes:
    raw = path.encode("utf-8", "surrogateescape")
    for plain, escaped in ((b"\\", b"\\\\"), (b'"', b'\\"'), (b"\n", b"\\n")):
        raw = raw.replace(plain, escaped)
    return b'"%s"' % raw
