"""Reading LongMemEval: for each question a history of its own between a user and an assistant."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from vault_memory.evaluate.recall.conversations import Conversation, Dataset, Question, Session, one_line
from vault_memory.evaluate.recall.fields import malformed, of_kind, required

FORM = "longmemeval"
ABSTAIN = "_abs"
"""The end of the id of a question that the history does not answer; nothing can be found for it."""

_NO_DATE = "no date such as '2023/05/20 (Sat) 02:21'"
_WHEN = re.compile(r"\s*(\d{4})/(\d\d?)/(\d\d?)\b[^\d]*(?:(\d\d?):(\d\d))?\s*")


def read_longmemeval(found: list[object], name: str) -> Dataset:
    """The histories of a file, each with its question. Raises `FormatError`."""
    read = (_conversation(one, f"{name}: question {number}") for number, one in enumerate(found, start=1))
    return Dataset(FORM, name, tuple(read))


def _conversation(found: object, place: str) -> Conversation:
    question_id = required(found, "question_id", str, place)
    histories = required(found, "haystack_sessions", list, place)
    dates = required(found, "haystack_dates", list, place)
    if not histories:
        malformed(place, "there is no session in it")
    if len(dates) != len(histories):
        malformed(place, f"{len(histories)} sessions have {len(dates)} dates")
    ids = of_kind(found, dict, place).get("haystack_session_ids") or [""] * len(histories)
    if len(of_kind(ids, list, f"{place}: haystack_session_ids")) != len(histories):
        malformed(place, f"{len(histories)} sessions have {len(ids)} ids")
    sessions: list[Session] = []
    answering: set[tuple[int, int]] = set()
    for at, (turns, date) in enumerate(zip(histories, dates, strict=True)):
        where = f"{place}: session {at + 1}"
        lines, answers = _turns(turns, where)
        answering |= {(at, turn) for turn in answers}
        moment = _moment(str(date), where)
        sessions.append(Session(f"session-{at + 1:03}", f"Session {at + 1}", moment, lines))
    named = set(map(str, required(found, "answer_session_ids", list, place)))
    questions = _questions(found, question_id, sessions, answering, ids, named, place)
    return Conversation(question_id, tuple(sessions), questions, left_out=1 - len(questions))


def _questions(
    found: object,
    question_id: str,
    sessions: Sequence[Session],
    answering: set[tuple[int, int]],
    ids: Sequence[object],
    named: set[str],
    place: str,
) -> tuple[Question, ...]:
    """The one question of a history; none where nothing in it answers."""
    holding = {at for at, one in enumerate(ids) if str(one) in named} | {at for at, _ in answering}
    if question_id.endswith(ABSTAIN) or not holding:
        return ()
    given = of_kind(found, dict, place).get("question_date")
    asked_at = (
        _moment(str(given), f"{place}: question_date")
        if given
        else max(one.at for one in sessions) + timedelta(days=1)
    )
    text = required(found, "question", str, place)
    category = required(found, "question_type", str, place)
    return (Question(question_id, text, category, asked_at, frozenset(answering), frozenset(holding)),)


def _turns(found: object, place: str) -> tuple[tuple[str, ...], list[int]]:
    """The lines of a session, and the numbers of those that hold the answer."""
    lines, answers = [], []
    for at, turn in enumerate(of_kind(found, list, place)):
        where = f"{place}: turn {at + 1}"
        role = required(turn, "role", str, where)
        lines.append(one_line(f"{role}: {required(turn, 'content', str, where)}"))
        if of_kind(turn, dict, where).get("has_answer") is True:
            answers.append(at)
    return tuple(lines), answers


def _moment(text: str, place: str) -> datetime:
    """`2023/05/20 (Sat) 02:21`, taken as UTC."""
    match = _WHEN.fullmatch(text)
    if match is None:
        malformed(place, f"{text!r} is {_NO_DATE}")
    year, month, day, hour, minute = (int(part or 0) for part in match.groups())
    try:
        return datetime(year, month, day, hour, minute, tzinfo=UTC)
    except ValueError:
        malformed(place, f"{text!r} is {_NO_DATE}")
