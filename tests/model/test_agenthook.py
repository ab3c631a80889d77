"""What programs tell their hooks is read whatever it is, and each is answered in its own form."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault_memory.errors import FormatError, UsageError
from vault_memory.model.agenthook import (
    CALLERS,
    LONGEST_PROMPT,
    LONGEST_SESSION,
    Caller,
    Event,
    caller_named,
    event_named,
    read_call,
)
from vault_memory.surfaces.hook.answering import _CAPTURING

JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text() | st.just("prompt"), inner),
)


@pytest.mark.parametrize("client", CALLERS.values(), ids=CALLERS)
def test_every_program_may_use_its_own_names_and_ours(client: Caller) -> None:
    assert client is CALLERS[client.name]
    for name, event in client.events.items():
        assert event_named(name) is event_named(event.value) is event_named(event.value.upper()) is event
    assert set(client.events.values()) == set(Event)


def test_the_events_that_are_answered_by_nothing_are_known_before_anything_is_loaded() -> None:
    """The process that must be quick has the names of its own."""
    quiet = {Event.PRE_COMPACT, Event.STOP, Event.SESSION_END}
    names = [(name, event) for client in CALLERS.values() for name, event in client.events.items()]
    names += [(event.value, event) for event in Event]
    for name, event in names:
        assert (name.replace("-", "").casefold() in _CAPTURING) is (event in quiet)


def test_what_is_no_event_and_no_program_is_said_with_those_there_are() -> None:
    with pytest.raises(UsageError) as event:
        event_named("Nonsense")
    assert "session-start" in str(event.value.hint)
    with pytest.raises(UsageError) as client:
        caller_named("emacs")
    assert "gemini" in str(client.value.hint)


@given(st.binary() | JSON.map(lambda value: json.dumps(value).encode()))
def test_any_bytes_are_a_call_or_an_error_that_repeats_nothing(content: bytes) -> None:
    call = None
    message = ""
    try:
        call = read_call(Event.USER_PROMPT_SUBMIT, CALLERS["claude-code"], content)
    except FormatError as error:
        message = error.message
    if call is None:
        assert message in ("stdin is empty", "stdin holds no JSON", "stdin holds no JSON object")
    else:
        texts = call.session, call.source, call.prompt, call.transcript
        assert all(isinstance(text, str) for text in texts)


def test_values_of_another_form_and_very_long_ones_do_no_harm() -> None:
    told = {"session_id": "s" * 9_999, "prompt": "p" * 99_999, "transcript_path": ["x"], "source": 4}
    call = read_call(Event.USER_PROMPT_SUBMIT, CALLERS["codex"], json.dumps(told).encode())
    assert len(call.session) == LONGEST_SESSION
    assert len(call.prompt) == LONGEST_PROMPT
    assert (call.transcript, call.source) == ("", "")


@pytest.mark.parametrize(
    ("client", "event"),
    [
        ("claude-code", "SessionStart"),
        ("claude-code", "UserPromptSubmit"),
        ("codex", "UserPromptSubmit"),
        ("gemini", "BeforeAgent"),
    ],
)
def test_notes_are_worded_as_the_program_takes_them(client: str, event: str) -> None:
    call = read_call(event_named(event), CALLERS[client], b'{"session_id": "s"}')
    given = {"hookEventName": event, "additionalContext": "notes"}
    assert call.worded("notes") == {"hookSpecificOutput": given}
    assert call.worded("") is None


def test_cursor_takes_notes_at_the_start_alone_and_calls_its_session_otherwise() -> None:
    cursor, told = CALLERS["cursor"], b'{"conversation_id": "c"}'
    start = read_call(Event.SESSION_START, cursor, told)
    assert (start.session, start.worded("notes")) == ("c", {"additional_context": "notes"})
    assert read_call(Event.USER_PROMPT_SUBMIT, cursor, told).worded("notes") is None


@pytest.mark.parametrize("client", CALLERS.values(), ids=CALLERS)
def test_after_a_tool_nothing_is_said(client: Caller) -> None:
    assert read_call(Event.POST_TOOL_USE, client, b"{}").worded("notes") is None
