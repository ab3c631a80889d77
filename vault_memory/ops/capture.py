"""Capturing the lessons of a transcript: those that are new, once each, and never into shared memory."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from vault_memory.config.settings import Settings
from vault_memory.errors import DistillerError, RefusedError
from vault_memory.model.capture.captured import Captured
from vault_memory.model.capture.cursor import Cursor
from vault_memory.model.capture.distilled import conversation, lessons_of
from vault_memory.model.capture.lessons import LONGEST_TURN, Found, lessons_in
from vault_memory.model.capture.turn import Lesson, Role, Turn
from vault_memory.model.kinds import captured_days
from vault_memory.model.namespace import Scope
from vault_memory.model.outcome import Written
from vault_memory.ops.known import Lookup
from vault_memory.ports import Lock, Ports
from vault_memory.ports.transcripts import Cursors, Distiller, Reading, Transcripts

Memories = Sequence[Mapping[str, object]]
Save = Callable[[Memories], Sequence[Written]]
"""Writes memories to where captured ones go; an outcome for each."""

MOST_HELD = 16_000_000
"""Characters of a conversation that are held for a command, at most: the last turns."""


@dataclass(frozen=True, slots=True)
class Sources:
    """What a capture reads beside the vault."""

    transcripts: Transcripts
    cursors: Cursors
    lock: Lock
    """Held by the one capture at a time: what it finds is saved before the next one looks."""
    distiller: Distiller | None = None


@dataclass(frozen=True, slots=True)
class Wish:
    """What is to be captured. `session` is what the caller calls it, `None` for what the transcript says."""

    place: Path
    form: str
    session: str | None = None
    dry_run: bool = False


def capture(
    ports: Ports, settings: Settings, scope: Scope, sources: Sources, wish: Wish, save: Save
) -> Captured:
    """Look through what the transcript has got since the last capture. Where it raises `NotFoundError`,
    `StorageError`, `FormatError`, `LockedError`, or what `save` raises, the next one looks through the same.

    A kill between saving and noting up to where does that too: what was saved is known by then.
    """
    with contextlib.ExitStack() as stack:
        if not wish.dry_run:
            wait = settings["lock_seconds"] + (settings["capture_seconds"] if sources.distiller else 0)
            stack.enter_context(sources.lock.held(wait=wait))
        reading = stack.enter_context(sources.transcripts.reading(wish.place, wish.form))
        assert scope.agent is not None
        after = captured_up_to(sources, reading, scope.agent)
        found, notices = _found(ports, sources, reading.turns(after), line=after.line + 1 if after else 1)
        done = Captured(
            str(wish.place),
            reading.form,
            _session(ports, wish.session or reading.session),
            scope.agent,
            turns=found.turns,
            left_out=found.left_out,
            broken=reading.broken,
            bytes_left=reading.bytes_left,
            dry_run=wish.dry_run,
            notices=notices,
        )
        done = _saved(ports, settings, scope, done, found, save)
        cursor = reading.cursor()
        if not wish.dry_run and cursor != after:
            sources.cursors.put(scope.agent, str(wish.place), cursor)
        return done


def captured_up_to(sources: Sources, reading: Reading, agent: str) -> Cursor | None:
    """Where the last capture for that agent ended; `None` where there was none, or the transcript is another
    by now."""
    known = sources.cursors.of(agent, reading.start)
    return next((one for one in known if reading.holds(one)), None)


def _found(
    ports: Ports, sources: Sources, turns: Iterator[Turn], *, line: int
) -> tuple[Found, tuple[str, ...]]:
    """By the person's command where there is one, else (or where that fails) by the rules."""
    if sources.distiller is None:
        return lessons_in(turns), ()
    held, count = _held(turns)
    if not any(turn.role is not Role.TOOL for turn in held):
        return lessons_in(held), ()
    try:
        asked = _without_secrets(ports, conversation(held))
        found = lessons_of(sources.distiller.distil(asked), turns=count, line=line)
    except DistillerError as error:
        return lessons_in(held), (f"{error.message}; the rules found the lessons instead",)
    return found, ()


def _held(turns: Iterator[Turn]) -> tuple[list[Turn], int]:
    """The last turns, without what tools answered, and how many there were."""
    held: list[Turn] = []
    size = count = 0
    for turn in turns:
        count += 1
        text = "" if turn.role is Role.TOOL else turn.text[:LONGEST_TURN]
        held.append(replace(turn, text=text))
        size += len(text)
        while size > MOST_HELD:
            size -= len(held.pop(0).text)
    return held, count


def _without_secrets(ports: Ports, text: str) -> str:
    """The text without the lines in which secrets stand: it leaves our hands."""
    doomed = {line for _, line in ports.scanner.scan(text)}
    if not doomed:
        return text
    lines = text.split("\n")
    return "\n".join("[left out]" if at in doomed else line for at, line in enumerate(lines, start=1))


def _session(ports: Ports, name: str | None) -> str | None:
    """What the session is called; `None` where that is no name, or looks like a secret."""
    if name is None:
        return None
    plain = " ".join("".join(char for char in name if char.isprintable()).split())[:200]
    return plain if plain and not ports.scanner.scan(f"source_session: {plain}") else None


def _saved(
    ports: Ports, settings: Settings, scope: Scope, done: Captured, found: Found, save: Save
) -> Captured:
    turns = dict.fromkeys(one.around for one in found.lessons)
    secret = {around for around in turns if _holds_secret(ports, around)}
    clean = [one for one in found.lessons if one.around not in secret and not _is_secret(ports, one)]
    lookup = Lookup(ports, scope, settings.zone, ports.clock.now())
    new = [one for one in clean if lookup.saying(one.text, None) is None]
    refused = len(found.lessons) - len(clean)
    known = len(clean) - len(new)
    outcomes: Sequence[Written] = ()
    while new:
        try:
            outcomes = save([_memory(done, one) for one in new])
            break
        except RefusedError as error:
            # A blocking rule knew better than we did: without that one the others are written.
            if error.item is None:
                raise
            refused += 1
            del new[error.item - 1]
    kept = [(one, written) for one, written in zip(new, outcomes, strict=bool(new)) if not written.known]
    return replace(
        done,
        lessons=tuple(one for one, _ in kept),
        saved=tuple(written for _, written in kept),
        known=known + len(new) - len(kept),
        refused=refused,
    )


def _holds_secret(ports: Ports, turn: str) -> bool:
    """In one line, or across the end of one: terminals and people break what is long."""
    whole = "".join(line.strip() for line in turn.splitlines())
    return bool(ports.scanner.scan(turn) or ports.scanner.scan(whole))


def _is_secret(ports: Ports, lesson: Lesson) -> bool:
    return any(ports.scanner.scan(text) for text in (lesson.title, lesson.text, *lesson.tags))


def _memory(done: Captured, lesson: Lesson) -> Mapping[str, object]:
    """The memory that a lesson becomes, with where it was said."""
    extra = {"source_line": str(lesson.line)}
    if done.session is not None:
        extra = {"source_session": done.session, **extra}
    return {
        "text": lesson.text,
        "title": lesson.title,
        "kind": lesson.kind,
        "importance": lesson.importance,
        "tags": list(lesson.tags),
        "ttl": f"{captured_days(lesson.kind)}d",
        "extra": extra,
    }
