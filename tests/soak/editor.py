"""A person with an editor: saves notes in every way that editors save, their own and agents' ones."""

from __future__ import annotations

import hashlib
import os
import random
from collections.abc import Callable
from pathlib import Path

from tests.crash.ledger import text_for
from tests.soak.known import PERSON, Known, Memory, Version
from tests.soak.writers import a_token

NOTES = "notes"


def _in_place(place: Path, content: bytes) -> None:
    place.write_bytes(content)


def _in_two_halves(place: Path, content: bytes) -> None:
    with place.open("wb", buffering=0) as file:
        file.write(content[:100])
        os.fsync(file.fileno())
        file.write(content[100:])


def _by_rename(place: Path, content: bytes) -> None:
    fresh = place.with_name(f".{place.name}.swap")
    fresh.write_bytes(content)
    fresh.replace(place)


def _by_backup(place: Path, content: bytes) -> None:
    backup = place.with_name(f"{place.name}~")
    place.rename(backup)
    place.write_bytes(content)
    backup.unlink()


def _by_link(place: Path, content: bytes) -> None:
    backup = place.with_name(f"{place.name}.bak")
    os.link(place, backup)
    place.unlink()
    place.write_bytes(content)
    backup.unlink()


def _removed_first(place: Path, content: bytes) -> None:
    place.unlink()
    place.write_bytes(content)


PATTERNS: dict[str, Callable[[Path, bytes], None]] = {
    "in place": _in_place,
    "in two halves": _in_two_halves,
    "by rename": _by_rename,
    "by backup": _by_backup,
    "by link": _by_link,
    "removed first": _removed_first,
}
"""How a file that is there gets its new content."""


def edit_once(known: Known, root: Path, outside: Path, chance: random.Random) -> None:
    """One save, or a new note, or a note that gets another name."""
    draw = chance.random()
    memory = None
    if draw < 0.85:
        memory = known.take(chance, lambda one: not one.brief, editor=True)
    if memory is None:
        _begin_note(known, root, outside, chance)
    elif memory.agent is None and draw < 0.1:
        _move(known, root, memory, chance)
    else:
        _save(known, root, memory, chance)


def _begin_note(known: Known, root: Path, outside: Path, chance: random.Random) -> None:
    """A new note, made where it is to lie, or moved there from outside the vault."""
    token = a_token(chance)
    place = root / NOTES / f"{token}.md"
    place.parent.mkdir(exist_ok=True)
    content = f"---\ntitle: {token}\n---\n{text_for(token)}\n".encode()
    if chance.random() < 0.5:
        place.write_bytes(content)
    else:
        (outside / place.name).write_bytes(content)
        (outside / place.name).replace(place)
    known.remembered(f"{NOTES}/{place.name}", None, _saved(known, content, token))


def _save(known: Known, root: Path, memory: Memory, chance: random.Random) -> None:
    """Another text under the head that the file has; nothing where git has the file away just now."""
    place = root / memory.path
    token, pattern = a_token(chance), chance.choice(sorted(PATTERNS))
    try:
        head, _, _ = place.read_bytes().rpartition(b"\n---\n")
    except FileNotFoundError:
        known.absent(memory)
        return
    content = head + f"\n---\n{text_for(token)}\n".encode()
    PATTERNS[pattern](place, content)
    known.note(f"saved {pattern}")
    known.changed(memory, _saved(known, content, token))


def _move(known: Known, root: Path, memory: Memory, chance: random.Random) -> None:
    """The file under another name, sometimes in a folder of its own."""
    folder = chance.choice([NOTES, f"{NOTES}/{chance.randrange(20)}/deep"])
    path = f"{folder}/{a_token(chance)}.md"
    (root / folder).mkdir(parents=True, exist_ok=True)
    try:
        (root / memory.path).rename(root / path)
    except FileNotFoundError:
        known.absent(memory)
        return
    known.note("moved")
    last = memory.last
    known.changed(memory, Version(last.sha, last.token, PERSON, known.clock()), path=path)


def _saved(known: Known, content: bytes, token: str) -> Version:
    return Version(hashlib.sha256(content).hexdigest(), token, PERSON, known.clock())
