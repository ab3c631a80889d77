"""A call of `vmem` answered by the resident, in little more time than Python takes to start.

Only what is surely understood goes this way; `None` means that the full command line has to answer.
"""

from __future__ import annotations

import io
import os
import sys

from vault_memory import __version__
from vault_memory.config import given
from vault_memory.surfaces.resident import door

TYPE_CHECKING = False  # as in config/given.py
if TYPE_CHECKING:
    from _socket import socket
    from collections.abc import Sequence

CONNECTING = 0.25
"""Seconds for a connection: a resident takes it at once, or not at all."""
READING = 2.0
"""Seconds for the answer to a question. The full command line gives the same one, if later."""
LOOKING = 30.0
"""The same for another view of the vault, whose index may have to be made."""
WRITING = 120.0
"""Seconds for a write that the resident has heard of: it may wait for the vault's lock, and for hooks."""
NO_TERMINAL = 100
"""Columns where there is no terminal."""
UNSURE = -1
"""In place of an exit code: nobody has answered, but what was to be written may be written."""
INTERRUPTED = 130
INTERRUPTION = b"vmem: interrupted; what was acknowledged is kept\n"

EVERYWHERE = "--vault --agent", "--json"
_FOUND = "--tag --kind --by --source-agent --namespace -n --path --since --until --where"
_SCORED = "--strategy --min-score"
OPTIONS = {
    "recall": (f"--max-tokens -t --at {_SCORED} {_FOUND}", "--explain --reviewed --proposals"),
    "search": (f"--limit -k --at {_SCORED} {_FOUND}", "--explain --reviewed --proposals"),
    "list": (f"--sort --limit -k --at {_FOUND}", "--expired"),
    "show": ("--at", ""),
    "status": ("", "--short"),
    "hook": ("--for", ""),
    "remember": (
        "--title --importance --tag --ttl --expires --kind --namespace -n --set --propose --on-duplicate",
        "--pinned --stdin-jsonl --dry-run --allow-secret --require-commit",
    ),
}
"""Of each verb that goes this way the options that take a value, and those that take none."""
_VIEWS = ("--at", "--reviewed", "--proposals")


class Ends:
    """Where this process reads and writes, and how long it waits for the answer to a question."""

    patience = READING

    def is_terminal(self, number: int) -> bool:
        """Whether 0, 1 or 2 is a terminal."""
        return os.isatty(number)

    def columns(self) -> int:
        """The width of stdout, as `shutil.get_terminal_size` finds it."""
        if not self.is_terminal(1):
            return NO_TERMINAL
        told = given.variable("COLUMNS")
        if told.isdecimal() and int(told):
            return int(told)
        try:
            return os.get_terminal_size(1).columns or NO_TERMINAL
        except OSError:
            return NO_TERMINAL

    def read(self) -> bytes:
        """All of stdin. Whoever reads it once more, since the resident failed after this, gets the same."""
        content = sys.stdin.buffer.read()
        sys.stdin = io.TextIOWrapper(io.BytesIO(content), encoding="utf-8")
        return content

    def write(self, number: int, content: bytes) -> None:
        """Write all of it to stdout (1) or stderr (2)."""
        while content:
            content = content[os.write(number, content) :]


def answered(argv: Sequence[str], ends: Ends | None = None) -> int | None:
    """The exit code of a call that the resident has answered; what it said is printed.

    `None` where there is no resident, or the call is not for it; `UNSURE`. Raises what stdout or stderr
    raises.
    """
    try:
        said = _said(argv, ends or Ends())
    except KeyboardInterrupt:
        os.write(2, INTERRUPTION)
        return INTERRUPTED
    if said is None:
        return None
    _print(said[0], ends or Ends())
    return said[1]


def _said(argv: Sequence[str], ends: Ends) -> tuple[list[tuple[int, bytes]], int] | None:
    if given.variable("VMEM_RESIDENT") not in ("", "auto") or None in (sys.stdin, sys.stdout, sys.stderr):
        return None
    if given.variable("VMEM_DEBUG") or given.variable("_VMEM_COMPLETE"):
        return None
    call = understood(argv)
    if call is None:
        return None
    verb, named = call
    writes = verb == "remember"
    if writes and (given.sets_git() or ("--stdin-jsonl" in argv and ends.is_terminal(2))):
        return None  # the commit may be meant for elsewhere; there is a bar to be shown
    root = root_of(named)
    peer = door.connect(root, CONNECTING) if root is not None else None
    if peer is None:
        return None
    try:
        peer.settimeout(LOOKING if any(word.startswith(_VIEWS) for word in argv) else ends.patience)
        door.say(peer, _request(argv, ends, writes=writes))
        return _heard(peer, ends)
    except (OSError, ValueError, door.ClosedError):
        # A write that was heard may be done, wholly or up to where the resident died. The full command
        # line does it without harm once it has looked at the files: the same text is found, not doubled.
        return ([], UNSURE) if writes else None
    finally:
        peer.close()


def _heard(peer: socket, ends: Ends) -> tuple[list[tuple[int, bytes]], int] | None:
    """What the resident lets us print, and the exit code; `None` where it says that it has done nothing.

    Raises `OSError`, `door.ClosedError`, `ValueError` for what is no answer."""
    while True:
        for line in door.hear(peer).split(b"\n"):
            answer = door.read(line)
            if not isinstance(answer, dict):
                raise ValueError(answer)
            if "unfit" in answer:
                return None
            if answer.get("heard"):
                peer.settimeout(WRITING)
            elif answer.get("want") == "stdin":
                text = ends.read().decode("utf-8", "surrogateescape")
                door.say(peer, b'{"stdin":%s}' % door.quoted(text).encode("ascii"))
            else:
                return _answer(answer)


def _answer(answer: dict[str, object]) -> tuple[list[tuple[int, bytes]], int]:
    said, code = answer.get("said"), answer.get("exit")
    if not isinstance(said, list) or type(code) is not int:
        raise ValueError(answer)
    parts = []
    for part in said:
        if not isinstance(part, list) or part[:1] not in ([1], [2]) or not isinstance(part[-1], str):
            raise ValueError(part)
        parts.append((part[0], part[-1].encode("utf-8", "surrogateescape")))
    return parts, code


def _print(said: list[tuple[int, bytes]], ends: Ends) -> None:
    """As the full command line would: on a terminal line by line, else stdout after all of stderr."""
    orderly = said if ends.is_terminal(1) else sorted(said, key=lambda part: -part[0])
    for number, content in orderly:
        ends.write(number, content)


def understood(argv: Sequence[str]) -> tuple[str, str | None] | None:
    """(verb, the vault that is named or `None`) of a call that may go this way; `None` for any other.

    A question for help, an option that is not in the table, a value that looks like one, `--`: the full
    command line knows what they mean.
    """
    verb, vault, texts = "", None, 0
    values, flags = (row.split() for row in EVERYWHERE)
    words = iter(argv)
    for word in words:
        if word[:1] != "-" or word == "-":
            if verb:
                texts += 1
                continue
            if word not in OPTIONS:
                return None
            verb = word
            values, flags = (
                f"{row} {own}".split() for row, own in zip(EVERYWHERE, OPTIONS[verb], strict=True)
            )
            continue
        name, equals, value = word.partition("=")
        if word[1] != "-":
            name, equals = word[:2], word[2:]
            value = equals
        if name in flags and not equals:
            continue
        if not equals:
            value = next(words, "--")
        if name not in values or (value[:1] == "-" and value != "-"):
            return None
        if name == "--vault":
            if not value.strip():
                return None
            vault = value
    if not verb or (verb == "remember" and not texts and "--stdin-jsonl" not in argv):
        return None  # an editor opens for a text
    return verb, vault


def root_of(named: str | None) -> str | None:
    """The vault's folder, by the rules of `compose.locate`; `None` where there is none, or in any doubt."""
    start, here = named or given.variable("VMEM_VAULT"), given.folder()
    if start == "~" or start.startswith("~/"):
        home = given.variable("HOME")
        start = home + start[1:] if home.startswith("/") else "~"
    if "~" in (start[:1], start.lstrip("./")[:1]) or not here.startswith("/"):
        return None
    folder = os.path.realpath(os.path.join(here, start))
    try:
        os.stat(folder)
        while True:
            if os.path.lexists(f"{folder}/.vmem/config.toml"):
                return folder
            if folder == "/":
                return None
            folder = os.path.dirname(folder)
    except (OSError, ValueError):
        return None


def _request(argv: Sequence[str], ends: Ends, *, writes: bool) -> bytes:
    """The line that asks for this call to be carried out; a write wants to be told that it was heard."""
    quoted = door.quoted
    words = ",".join([quoted(word) for word in argv])
    carried = given.carried(writes=writes)
    variables = ",".join([f"{quoted(name)}:{quoted(value)}" for name, value in carried.items()])
    terminal = ",".join(
        f'"{name}":{"true" if ends.is_terminal(number) else "false"}'
        for number, name in enumerate(("stdin", "stdout", "stderr"))
    )
    return (
        f'{{"vmem":{quoted(__version__)},"protocol":{door.PROTOCOL},"do":"run","argv":[{words}],'
        f'"folder":{quoted(given.folder())},"given":{{{variables}}},'
        f'"terminal":{{{terminal},"columns":{ends.columns()}}}{_for_a_write() if writes else ""}}}'
    ).encode("ascii")


def _for_a_write() -> str:
    mask = os.umask(0o077)  # the only way to read it is to set it
    os.umask(mask)
    return f',"tell":true,"umask":{mask}'
