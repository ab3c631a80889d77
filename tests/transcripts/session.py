"""A console session kept as a file: what was typed, what was answered, and running it again.

    -- a remark
    $ vmem show nope             typed; `vmem` runs in this process, all else in bash
    2> vmem: no memory is …      what it wrote to stderr
    (exit 3)                     its exit code, where it is not 0
    $ cat > x.md <<'END'         a command goes on in lines that begin with `> `
    > text
    > END
    @ 3 days later               the clock is moved, as each `vmem` does by a minute

In front of `vmem` may stand `NAME=value` and `… |`, behind it `< FILE`.
"""

from __future__ import annotations

import io
import itertools
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from tests.stand import NOON, CountedIds, ToldClock
from vault_memory.surfaces.cli.app import main
from vault_memory.surfaces.cli.context import World

_SESSIONS = re.compile(r"(?<=```console\n).*?(?=^```$)", re.DOTALL | re.MULTILINE)
_LATER = re.compile(r"@ (\d+) (minutes|hours|days|weeks) later")
_MACHINE = (
    (re.compile(r"\bversion \d+\.\d[\w.]*"), "version 2.47.1"),
    (re.compile(r"\b(?:on [\w.]+ with )?[\d,.]+ [KMGT]B free"), "on ext4 with 80 GB free"),
    (re.compile(r"1 not at the default, from VMEM_RESIDENT \(vmem config\)"), "all at their defaults"),
    (re.compile(r"resident   running: .*"), "resident   not running"),
    (re.compile(r'"resident": \{.*?\}', re.DOTALL), '"resident": null'),
    (re.compile(r"\b[0-9a-f]{16}(?=\.\d+\.(?:[0-9a-f]{12}|-))"), "5d41402abc4b2a76"),
    (re.compile(r"watch up to [\d,]+ folders, [\d,]+ programs"), "watch up to 524,288 folders, 128 programs"),
)
"""What is said of the machine that the session is played on, of its index, or of a resident that plays it,
and what stands for it."""

_KEPT = ("-- ", "@ ")
_ASSIGNMENT = re.compile(r"[A-Z_]+=.*")


class Said(NamedTuple):
    """What a command wrote, and its exit code."""

    out: str
    err: str
    code: int


@dataclass(slots=True)
class Console:
    """A place to type in: a folder, a clock of its own, ids that count."""

    home: Path
    clock: ToldClock = field(default_factory=ToldClock)
    ids: CountedIds = field(default_factory=CountedIds)
    real: bool = False
    """Whether `vmem` is a process of its own, with the system's clock and ids."""

    def play_page(self, page: str) -> str:
        """A page of Markdown, all whose sessions have the answers that are given now, one after the other."""
        return _SESSIONS.sub(lambda found: self.play(found[0]), page)

    def play(self, session: str) -> str:
        """The session with the answers that its commands give now."""
        lines: list[str] = []
        for entry in entries(session):
            lines += entry
            if entry[0].startswith("@ "):
                found = _LATER.fullmatch(entry[0])
                assert found is not None, entry[0]
                self.clock.move(**{found[2]: int(found[1])})
            elif entry[0].startswith("$ "):
                lines += self._answer("\n".join([entry[0][2:], *(line[2:] for line in entry[1:])]))
        return "\n".join(lines) + "\n"

    def _answer(self, command: str) -> list[str]:
        said = self.type(command)
        lines = said.out.splitlines() + [f"2> {line}".rstrip() for line in said.err.splitlines()]
        return [*lines, f"(exit {said.code})"] if said.code else lines

    def type(self, command: str) -> Said:
        """Carry out one command."""
        before, _, rest = command.rpartition("| vmem")
        line = f"vmem{rest}" if before else command
        words = self._words(line)
        if words[0] == "cd":
            os.chdir(Path(words[1]).expanduser())
            return Said("", "", 0)
        named = [word for word in words if word == "vmem"][:1]
        at = words.index("vmem") if named else -1
        if self.real or at < 0 or not all(_ASSIGNMENT.fullmatch(word) for word in words[:at]):
            return self._hide(self._bash(command))
        stdin = self._bash(before).out.encode("utf-8", "surrogateescape") if before else b""
        arguments = words[at + 1 :]
        if "<" in arguments:
            stdin = Path(arguments.pop(arguments.index("<") + 1)).read_bytes()
            arguments.remove("<")
        given = dict(word.split("=", 1) for word in words[:at])
        self.clock.move(minutes=1)
        return self._hide(self.vmem(arguments, stdin, given))

    def vmem(self, arguments: list[str], stdin: bytes, given: dict[str, str]) -> Said:
        """Carry out one `vmem`, with those variables more."""
        return run_here(arguments, stdin, given, World(self.clock, self.ids))

    def _words(self, line: str) -> list[str]:
        """The words of a line; bash is asked where it would put in the output of another command."""
        if "$(" not in line:
            return shlex.split(line) if "<<" not in line else line.split()
        return self._bash(f"printf '%s\\0' {line}").out.split("\0")[:-1]

    def _bash(self, command: str) -> Said:
        at = f"{int(self.clock.now().timestamp())} +0000"
        vmem = str(Path(sys.executable).parent)
        environment = os.environ | {
            "GIT_AUTHOR_DATE": at,
            "GIT_COMMITTER_DATE": at,
            "PATH": f"{vmem}{os.pathsep}{os.environ['PATH']}",
        }
        run = subprocess.run(
            ["bash", "-c", command],
            capture_output=True,
            check=False,
            env=environment,
            stdin=subprocess.DEVNULL,
        )
        decoded = [stream.decode("utf-8", "surrogateescape") for stream in (run.stdout, run.stderr)]
        return Said(decoded[0], decoded[1], run.returncode)

    def _hide(self, said: Said) -> Said:
        return Said(self._elsewhere(said.out), self._elsewhere(said.err), said.code)

    def _elsewhere(self, text: str) -> str:
        """The text as any other machine would give it."""
        for pattern, words in _MACHINE:
            text = pattern.sub(words, text)
        return text.replace(str(self.home), "~")


def entries(session: str) -> Iterator[list[str]]:
    """What is kept of a session when it is played again: all but the answers.

    Each typed line comes with those that it goes on in, each remark and blank line between by itself.
    """
    lines = [*session.splitlines(), ""]
    for at, line in enumerate(lines[:-1]):
        if line.startswith("$ "):
            more = itertools.takewhile(lambda one: one == ">" or one.startswith("> "), lines[at + 1 :])
            yield [line, *more]
        elif line.startswith(_KEPT) or (line == "" and lines[at + 1].startswith(("$ ", *_KEPT))):
            yield [line]


def run_here(arguments: list[str], stdin: bytes, given: dict[str, str], world: World) -> Said:
    """Run the command line in this process, with streams that are no terminal."""
    with _streams(stdin) as (out, err), environment_with(given):
        code = main(arguments, world=world)
        sys.stdout.flush()
        sys.stderr.flush()
        written = [stream.getvalue().decode("utf-8", "surrogateescape") for stream in (out, err)]
    return Said(written[0], written[1], code)


@contextmanager
def _streams(stdin: bytes) -> Iterator[tuple[io.BytesIO, io.BytesIO]]:
    before = sys.stdin, sys.stdout, sys.stderr
    out, err = io.BytesIO(), io.BytesIO()
    sys.stdin, sys.stdout, sys.stderr = (
        io.TextIOWrapper(stream, encoding="utf-8") for stream in (io.BytesIO(stdin), out, err)
    )
    try:
        yield out, err
    finally:
        sys.stdin, sys.stdout, sys.stderr = before


@contextmanager
def environment_with(given: dict[str, str]) -> Iterator[None]:
    """The environment of one `vmem` of a session."""
    before = dict(os.environ)
    os.environ.pop("VMEM_RESIDENT", None)  # a command line carried out in this process starts none anyway
    os.environ.update(given)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


__all__ = ["NOON", "Console", "Said", "entries", "environment_with", "run_here"]
