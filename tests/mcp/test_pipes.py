"""The two pipes: every line is passed on or answered, none is lost, and nothing else is said."""

from __future__ import annotations

import json
import os
import select
import sys
import threading
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault_memory.surfaces.mcp import pipes
from vault_memory.surfaces.mcp.greeting import greet
from vault_memory.surfaces.mcp.pipes import Pipes
from vault_memory.surfaces.mcp.room import has_room

PING = {"jsonrpc": "2.0", "id": 7, "method": "ping"}


class Ends:
    """The far ends of a server's pipes, fed all at once."""

    def __init__(self, said: bytes, *, open_after: bool = False) -> None:
        theirs, self.ours = os.pipe()
        self.heard, answers = os.pipe()
        self.pipes = Pipes(theirs, answers)
        self.feeder = threading.Thread(target=self._feed, args=(said, open_after))
        self.feeder.start()

    def _feed(self, said: bytes, open_after: bool) -> None:
        left = memoryview(said)
        while left:
            left = left[os.write(self.ours, left) :]
        if not open_after:
            os.close(self.ours)

    def rest(self) -> list[dict[str, object]]:
        """All that was said, once the server's ends are closed."""
        self.feeder.join()
        self.pipes.close()
        with os.fdopen(self.heard, "rb") as lines:
            return [json.loads(line) for line in lines]


def exchanged(said: bytes) -> tuple[list[object], list[dict[str, object]]]:
    """What is passed on of these bytes, and what is answered at once."""
    ends = Ends(said)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(pipes, "LEAVING", 0.0)
        passed: list[object] = []
        while (message := ends.pipes.hear()) is not None:
            passed.append(message)
        return passed, ends.rest()


@pytest.mark.parametrize(
    ("line", "code", "asked"),
    [
        (b"{nonsense", -32700, None),
        (b"\xff\xfe\x00", -32700, None),
        (b"[" * 100_000, -32700, None),
        (b'{"jsonrpc": "2.0", "id": 3, "method": "x", "params": {"a": NaN}}', -32700, None),
        (b"[]", -32600, None),
        (b'[{"jsonrpc": "2.0", "id": 3, "method": "ping"}]', -32600, None),
        (b'"text"', -32600, None),
        (b'{"id": 3, "method": "ping"}', -32600, 3),
        (b'{"jsonrpc": "2.0", "id": 3, "method": 5}', -32600, 3),
        (b'{"jsonrpc": "2.0", "id": true, "method": "ping"}', -32600, None),
        (b'{"jsonrpc": "2.0", "id": 3, "method": "x", "params": [1]}', -32600, 3),
        (b'{"jsonrpc": "2.0", "id": 3}', -32600, 3),
    ],
)
def test_what_is_no_message_is_answered_and_the_next_one_is_heard(
    line: bytes, code: int, asked: object
) -> None:
    passed, [answer] = exchanged(line + b"\n" + json.dumps(PING).encode() + b"\n")
    assert passed == [PING]
    error = answer["error"]
    assert isinstance(error, dict)
    assert (answer["jsonrpc"], answer["id"], error["code"]) == ("2.0", asked, code)
    assert error["message"]


@given(st.lists(st.one_of(st.binary(max_size=30), st.just(json.dumps(PING).encode())), max_size=6))
def test_every_line_that_holds_something_is_passed_on_or_answered(lines: list[bytes]) -> None:
    said = b"\n".join(lines)
    passed, answered = exchanged(said)
    assert len(passed) + len(answered) == sum(1 for line in said.split(b"\n") if line.strip())
    assert passed == [PING] * len(passed)


def test_a_message_may_come_in_pieces_and_the_last_one_without_its_end() -> None:
    long = PING | {"params": {"text": "ä" * 200_000}}
    passed, answered = exchanged(
        json.dumps(long, ensure_ascii=False).encode() + b"\r\n\n" + json.dumps(PING).encode()
    )
    assert (passed, answered) == ([long, PING], [])


def test_a_message_that_is_too_long_is_skipped_and_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipes, "LONGEST", 100_000)
    passed, [answer] = exchanged(b"x" * 500_000 + b"\n" + json.dumps(PING).encode() + b"\n")
    assert passed == [PING]
    assert "100,000 bytes" in json.dumps(answer)


def test_half_of_a_character_outside_unicode_reaches_the_tool_as_a_question_mark() -> None:
    [passed], answered = exchanged(json.dumps(PING | {"params": {"text": "\ud800!"}}).encode())
    assert isinstance(passed, dict)
    assert (passed["params"], answered) == ({"text": "?!"}, [])


def test_the_end_of_stdin_waits_for_what_was_asked_before() -> None:
    ends = Ends(json.dumps(PING).encode() + b"\n")
    assert ends.pipes.hear() == PING
    ended = threading.Event()

    def read_on() -> None:
        assert ends.pipes.hear() is None
        ended.set()

    thread = threading.Thread(target=read_on)
    thread.start()
    assert not ended.wait(0.05)
    ends.pipes.say('{"jsonrpc": "2.0", "id": 7, "result": {}}', 7)
    assert ended.wait(30)
    thread.join()
    assert ends.rest() == [{"jsonrpc": "2.0", "id": 7, "result": {}}]


def test_a_request_that_is_called_off_is_not_waited_for() -> None:
    off = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7}}
    ends = Ends(json.dumps(PING).encode() + b"\n" + json.dumps(off).encode() + b"\n")
    assert [ends.pipes.hear(), ends.pipes.hear()] == [PING, off]
    assert ends.pipes.hear() is None
    assert ends.rest() == []


def test_a_signal_wakes_the_one_that_reads() -> None:
    ends = Ends(b"", open_after=True)
    timer = threading.Timer(0.05, ends.pipes.end)
    timer.start()
    assert ends.pipes.hear() is None
    timer.join()
    os.close(ends.ours)
    assert ends.rest() == []


def test_a_client_that_is_gone_is_the_end() -> None:
    ends = Ends(b"", open_after=True)
    os.close(ends.heard)
    ends.pipes.say('{"jsonrpc": "2.0", "id": 1, "result": {}}', 1)
    assert ends.pipes.hear() is None
    ends.feeder.join()
    ends.pipes.close()
    os.close(ends.ours)


def test_what_is_refused_does_not_come_amid_a_long_answer() -> None:
    ends = Ends(b"{nonsense\n")
    answer = {"jsonrpc": "2.0", "id": 1, "result": {"text": "a" * 300_000}}
    speaker = threading.Thread(target=ends.pipes.say, args=(json.dumps(answer), 1))
    speaker.start()
    while select.select([], [ends.pipes._outgoing], [], 0)[1]:
        time.sleep(0.001)  # until the answer has filled the pipe
    assert not ends.pipes.may_say_at_once("{}")
    listener = threading.Thread(target=ends.pipes.hear)
    listener.start()
    heard = b""
    while heard.count(b"\n") < 2:
        heard += os.read(ends.heard, 4_096)
        time.sleep(0)  # the others' turn
    for thread in (speaker, listener):
        thread.join()
    first, refused = map(json.loads, heard.splitlines())
    assert (first, refused["error"]["code"]) == (answer, -32700)
    assert ends.rest() == []


@pytest.mark.skipif(sys.platform != "linux", reason="other systems don't tell how much a pipe holds")
def test_what_an_empty_pipe_has_room_for_is_said_without_waiting(tmp_path: Path) -> None:
    ends = Ends(b"")
    answer = json.dumps({"jsonrpc": "2.0", "id": 1, "result": {"text": "é" * 10_000}}, ensure_ascii=False)
    assert ends.pipes.may_say_at_once(answer)
    assert not ends.pipes.may_say_at_once(answer + " " * 20_000)  # of which a pipe holds less than two
    ends.pipes.say(answer, 1)
    assert not ends.pipes.may_say_at_once("{}")  # nobody has read that one yet
    os.read(ends.heard, 10)
    assert not ends.pipes.may_say_at_once("{}")
    os.read(ends.heard, 1 << 16)
    assert ends.pipes.may_say_at_once("{}")
    assert ends.rest() == []
    with (tmp_path / "no pipe").open("wb") as file:
        assert not has_room(file.fileno(), 1)


def test_a_greeting_is_said_at_once_and_once() -> None:
    hello = PING | {
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": {"name": "a", "version": "1"},
        },
    }
    ends = Ends(json.dumps(hello).encode() + b"\n" + json.dumps(PING | {"id": 8}).encode() + b"\n")
    assert greet(ends.pipes)
    assert ends.pipes.hear() == hello
    ends.pipes.say('{"jsonrpc": "2.0", "id": 7, "result": {"said": "again"}}', 7)
    assert (ends.pipes.hear() or {})["id"] == 8
    ends.pipes.say('{"jsonrpc": "2.0", "id": 8, "result": {}}', 8)
    assert ends.pipes.hear() is None
    [first, second] = ends.rest()
    assert (first["id"], second["id"]) == (7, 8)
    assert "instructions" in json.dumps(first)
