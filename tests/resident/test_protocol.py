"""What is said to a resident: whatever comes in, an object comes out, and the next caller is answered."""

from __future__ import annotations

import json
import os
import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.resident.bylines import OWN, SECONDS, asked, connected, said_to
from tests.resident.living import Living
from vault_memory.surfaces.resident import calls
from vault_memory.surfaces.resident.lines import Lines, UnreadableError

BAD_LINES = {
    "nothing": b"",
    "no JSON": b"recall harbour",
    "half of it": b'{"do": ',
    "a text": b'"state"',
    "a list": b"[1, 2]",
    "no UTF-8": b"\xff\xfe",
    "a zero byte": b'{"do": "st\x00ate"}',
    "very deep": b"[" * 100_000,
    "a number that is too long": b'{"do": ' + b"9" * 10_000 + b"}",
}


@pytest.mark.parametrize("line", BAD_LINES.values(), ids=BAD_LINES.keys())
def test_a_line_that_is_no_request_is_answered_with_an_error(living: Living, root: Path, line: bytes) -> None:
    with connected(root) as peer:
        peer.sendall(line + b"\n" + json.dumps(OWN | {"do": "state"}).encode() + b"\n")
        lines = peer.makefile("rb")
        error = json.loads(lines.readline())["error"]
        assert (error["kind"], error["exit_code"]) == ("UsageError", 2)
        assert json.loads(lines.readline())["value"]["pid"] == os.getpid()  # the same line goes on


BAD_REQUESTS: list[dict[str, object]] = [
    {},
    {"do": "dance"},
    {"do": 7},
    {"do": ["state"]},
    {"do": {"run": 1}},
    {"do": "run"},
    {"do": "run", "argv": "recall x", "folder": "/", "given": {}, "terminal": {}},
    {"do": "run", "argv": ["recall", 7], "folder": "/", "given": {}, "terminal": {}},
    {"do": "run", "argv": ["recall", "x"], "folder": None, "given": {}, "terminal": {}},
    {"do": "run", "argv": ["recall", "x"], "folder": "/", "given": {"HOME": 1}, "terminal": {}},
    {"do": "run", "argv": ["recall", "x"], "folder": "/", "given": [], "terminal": {}},
    {"do": "run", "argv": ["recall", "x"], "folder": "/", "given": {}, "terminal": None},
    {"do": "call"},
    {"do": "call", "verb": "dance", "args": {}},
    {"do": "call", "verb": ["recall"], "args": {}},
    {"do": "call", "verb": "recall"},
    {"do": "call", "verb": "recall", "args": []},
    {"do": "call", "verb": "recall", "args": {"query": "x", "wrong": 1}},
    {"do": "call", "verb": "recall", "args": {"query": 7}},
    {"do": "call", "verb": "recall", "args": {"query": "x", "max_tokens": "many"}},
    {"do": "call", "verb": "recall", "args": {"query": "x", "min_score": "high"}},
    {"do": "call", "verb": "recall", "args": {"query": "x", "strategy": 5}},
    {"do": "call", "verb": "recall", "args": {"query": "x", "since": {"a": 1}}},
    {"do": "call", "verb": "recall", "args": {"query": "x", "tag": 7}},
    {"do": "call", "verb": "recall", "agent": 7, "args": {"query": "x"}},
    {"do": "call", "verb": "recall", "agent": "../x", "args": {"query": "x"}},
    {"do": "call", "verb": "search", "args": {"query": "x", "limit": None}},
    {"do": "call", "verb": "list", "args": {"sort": 3}},
    {"do": "call", "verb": "list", "args": {"expired": "yes"}},
    {"do": "call", "verb": "show", "args": {"ref": 3}},
    {"do": "call", "verb": "show", "args": {"ref": "x", "self": 1}},
    {"do": "call", "verb": "log", "args": {"limit": "x"}},
    {"do": "call", "verb": "remember", "args": {"text": 3}},
    {"do": "call", "verb": "remember", "args": {"text": "x", "self": 1}},
    {"do": "call", "verb": "remember", "args": {"text": "x", "dry_run": "no"}},
    {"do": "call", "verb": "remember", "args": {"text": "x", "wait": "for ever"}},
    {"do": "call", "verb": "remember", "args": {"text": "x", "importance": [[]]}},
    {"do": "call", "verb": "remember_many", "args": {"memories": "x"}},
    {"do": "call", "verb": "remember_many", "args": {"memories": [1]}},
    {"do": "call", "verb": "remember_many", "args": {"memories": [{"text": None}]}},
    {"do": "call", "verb": "edit", "args": {"ref": "x", "extra": 3}},
    {"do": "call", "verb": "edit", "args": {"ref": "x", "add_tags": [3]}},
    {"do": "call", "verb": "edit", "args": {"ref": "x", "title": "a", "extra": {"title": "b"}}},
    {"do": "call", "verb": "forget", "args": {"ref": "x", "if_match": 3}},
    {"do": "call", "verb": "undo", "args": {"all": True}},
]


@pytest.mark.parametrize("request_", BAD_REQUESTS, ids=str)
def test_a_request_of_a_wrong_form_is_a_callers_fault_and_no_bug(
    living: Living, root: Path, request_: dict[str, object]
) -> None:
    error = asked(root, **request_)["error"]
    assert error["kind"] != "bug"
    assert error["exit_code"] in {2, 3, 65}
    assert error["message"]
    assert "value" in asked(root, do="state")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=5,
)
NAMES = sorted({name for verb in calls.VERBS.values() for name in (*verb.needs, *(verb.takes or ()))})


@settings(max_examples=150)
@given(
    verb=st.sampled_from(sorted(calls.VERBS)),
    args=st.dictionaries(st.sampled_from([*NAMES, "title", "tags", "pinned"]) | st.text(max_size=6), JSON),
)
def test_no_arguments_whatever_make_a_bug(verb: str, args: dict[str, Any]) -> None:
    needed = dict.fromkeys(calls.VERBS[verb].needs, "harbour")
    answer = asked(_SHARED[0], do="call", verb=verb, args=needed | args)
    assert answer.get("error", {}).get("kind") != "bug", answer


_SHARED: list[Path] = []


@pytest.fixture(autouse=True)
def _shared(request: pytest.FixtureRequest) -> Iterator[None]:
    """One resident for all the examples that hypothesis draws."""
    if request.node.originalname != "test_no_arguments_whatever_make_a_bug":
        yield
        return
    request.getfixturevalue("living")
    _SHARED.append(request.getfixturevalue("root"))
    yield
    _SHARED.clear()


def test_a_line_that_is_too_long_is_refused_and_not_kept() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:

        def send() -> None:
            with suppress(BrokenPipeError):
                theirs.sendall(b"x" * 300_000)

        sender = threading.Thread(target=send)
        sender.start()
        lines = Lines(ours, longest=200_000)
        with pytest.raises(UnreadableError) as refused:
            lines.hear(begin=SECONDS, whole=SECONDS)
        assert refused.value.last
        ours.shutdown(socket.SHUT_RD)
        ours.close()
        sender.join()


def test_another_version_is_unfit_whatever_it_asks(living: Living, root: Path) -> None:
    for own in ({"vmem": "0.0.0"}, {"protocol": 0}, {"vmem": 5, "protocol": []}, {"vmem": "0.x"}):
        assert set(said_to(root, json.dumps(OWN | {"do": "stop"} | own).encode())) == {"unfit"}
    assert "value" in asked(root, do="state")


def test_a_bug_is_an_answer_and_a_line_in_the_log(
    living: Living, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> calls.Answer:
        raise KeyError("the secret harbour")

    monkeypatch.setattr(calls, "VERBS", {**calls.VERBS, "recall": replace(calls.VERBS["recall"], act=broken)})
    error = asked(root, do="call", verb="recall", args={"query": "x"})["error"]
    assert (error["kind"], error["exit_code"]) == ("bug", 1)
    log = (root / ".vmem" / "local" / "resident.log").read_text()
    assert "bug in call recall: KeyError at test_protocol.py:" in log
    assert "harbour" not in log
    assert "value" in asked(root, do="call", verb="list", args={})


def test_secrets_do_not_come_back_in_an_error(living: Living, root: Path) -> None:
    key = "AKIA" + "IOSFODNN7EXAMPLF"
    error = asked(root, do="call", verb="show", args={"ref": key})["error"]
    assert key not in json.dumps(error)
