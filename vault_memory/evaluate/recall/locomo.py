"""Reading LoCoMo: long conversations of two people, and questions with the ids of their turns."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from vault_memory.evaluate.recall.conversations import (
    HELD_OUT,
    TUNING,
    Conversation,
    Dataset,
    Question,
    Session,
    one_line,
)
from vault_memory.evaluate.recall.fields import malformed, of_kind, required

FORM = "locomo"
CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop"}
"""Those that are asked; the fifth has no answer in the conversation."""
TUNED_ON = 5
"""So many conversations, the first of the file, are for choosing weights."""

_MONTHS = "january february march april may june july august september october november december".split()
_NO_DATE = "no date such as '1:56 pm on 8 May, 2023'"
_WHEN = re.compile(r"\s*(\d{1,2}):(\d\d)\s*([ap])m on (\d{1,2}) ([A-Za-z]+),? (\d{4})\s*", re.IGNORECASE)
_SESSION = re.compile(r"session_(\d+)")
_TURN_ID = re.compile(r"D:?(\d+):(\d+)")


def read_locomo(found: list[object], name: str) -> Dataset:
    """The conversations of a file with what is asked of them. Raises `FormatError`."""
    return Dataset(
        FORM, name, tuple(_conversation(one, number, name) for number, one in enumerate(found, start=1))
    )


def _conversation(found: object, number: int, name: str) -> Conversation:
    place = f"{name}: conversation {number}"
    title = str(of_kind(found, dict, place).get("sample_id") or f"conversation-{number}")
    told = required(found, "conversation", dict, place)
    numbers = sorted(int(match[1]) for key in told if (match := _SESSION.fullmatch(key)))
    sessions: list[Session] = []
    turns: dict[str, tuple[int, int]] = {}
    for session in numbers:
        read = _session(told, session, f"{place}: session_{session}")
        if read is not None:
            ids, one = read
            turns |= {turn_id: (len(sessions), at) for at, turn_id in enumerate(ids)}
            sessions.append(one)
    if not sessions:
        malformed(place, "there is no session in it")
    asked_at = max(one.at for one in sessions) + timedelta(days=1)
    given = required(found, "qa", list, place)
    questions = tuple(
        question
        for at, one in enumerate(given, start=1)
        if (question := _question(one, f"{title}/{at}", turns, asked_at, f"{place}: question {at}"))
    )
    half = TUNING if number <= TUNED_ON else HELD_OUT
    return Conversation(title, tuple(sessions), questions, half, len(given) - len(questions))


def _session(told: Mapping[str, Any], number: int, place: str) -> tuple[list[str], Session] | None:
    """The ids of the turns, and the session; `None` for one in which nobody said anything."""
    turns = of_kind(told[f"session_{number}"], list, place)
    if not turns:
        return None
    ids, lines = [], []
    for at, turn in enumerate(turns, start=1):
        where = f"{place}: turn {at}"
        ids.append(required(turn, "dia_id", str, where))
        shares = f" [shares {turn['blip_caption']}]" if turn.get("blip_caption") else ""
        speaker = required(turn, "speaker", str, where)
        lines.append(one_line(f"{speaker}: {turn.get('text') or ''}{shares}"))
    when = required(told, f"session_{number}_date_time", str, place)
    title = f"Session {number}"
    return ids, Session(f"session-{number:02}", title, _moment(when, place), tuple(lines))


def _question(
    found: object, question_id: str, turns: Mapping[str, tuple[int, int]], asked_at: datetime, place: str
) -> Question | None:
    """A question with the turns that answer it; `None` where the file names none of the conversation."""
    category = required(found, "category", int, place)
    if category not in CATEGORIES:
        return None
    named = _TURN_ID.findall(" ".join(map(str, of_kind(found, dict, place).get("evidence") or ())))
    keys = (f"D{int(session)}:{int(turn)}" for session, turn in named)
    evidence = frozenset(turns[key] for key in keys if key in turns)
    if not evidence:
        return None
    text = required(found, "question", str, place)
    sessions = frozenset(session for session, _ in evidence)
    return Question(question_id, text, CATEGORIES[category], asked_at, evidence, sessions)


def _moment(text: str, place: str) -> datetime:
    """`1:56 pm on 8 May, 2023`, taken as UTC."""
    match = _WHEN.fullmatch(text)
    month = match[5].lower() if match else ""
    if match is None or month not in _MONTHS:
        malformed(place, f"{text!r} is {_NO_DATE}")
    hour = int(match[1]) % 12 + (12 if match[3].lower() == "p" else 0)
    try:
        return datetime(
            int(match[6]), _MONTHS.index(month) + 1, int(match[4]), hour, int(match[2]), tzinfo=UTC
        )
    except ValueError:
        malformed(place, f"{text!r} is {_NO_DATE}")
