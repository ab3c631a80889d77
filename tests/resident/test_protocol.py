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

from tests.resident.living import Living
from tests.stand import CountedIds, ToldClock
from vault_memory import __version__
from vault_memory.config import given as caller
from vault_memory.surfaces.resident import calls, door, server
from vault_memory.surfaces.resident.asking import ask
from vault_memory.surfaces.resident.lines import EndedError, Lines, UnreadableError

OWN = {"vmem": __version__, "protocol": door.PROTOCOL}
SECONDS = 30.0


@pytest.fixture
def living(root: Path) -> Iterator[Living]:
    before = set(threading.enumerate())
    one = Living.of(root, ToldClock(), CountedIds())
    try:
        yield one
    finally:
        one.end()
        assert set(threading.enumerate()) <= before


def connected(root: Path) -> socket.socket:
    peer = socket.socket(socket.AF_UNIX)
    peer.settimeout(SECONDS)
    peer.connect(door.places_of(str(root))[0])
    return peer


def said_to(root: Path, line: bytes) -> dict[str, Any]:
    """What is answered to a line, whatever it holds."""
    with connected(root) as peer:
        with suppress(BrokenPipeError):  # one who is turned away may be told so before they have asked
            peer.sendall(line + b"\n")
        answer = json.loads(peer.makefile("rb").readline())
    assert isinstance(answer, dict)
    return answer


def asked(root: Path, **request: object) -> dict[str, Any]:
    return said_to(root, json.dumps(OWN | request).encode())


def run(root: Path, *argv: str, **more: object) -> dict[str, Any]:
    """What a command line of ours is answered."""
    request: dict[str, object] = {
        "argv": argv, "folder": str(root), "given": caller.carried(),
        "terminal": {"stdin": False, "stdout": False, "stderr": False, "columns": 80},
    }  # fmt: skip
    return asked(root, do="run", **(request | more))


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


def test_who_says_nothing_or_half_a_line_is_let_go(living: Living, root: Path) -> None:
    living.server._patience = server.Patience(first=0.2, between=0.3, whole=0.2)
    for said in (b"", b'{"do":', json.dumps(OWN | {"do": "state"}).encode() + b"\n"):
        with connected(root) as peer:
            peer.sendall(said)
            received = peer.makefile("rb").read()  # until the other side hangs up
            assert received.count(b"\n") == said.count(b"\n")
    assert "value" in asked(root, do="state")


def test_many_who_say_nothing_do_not_keep_others_out(
    living: Living, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "MOST_CALLERS", 5)
    silent = [connected(root) for _ in range(5)]
    try:
        assert asked(root, do="state") == {"unfit": server.FULL}
        silent.pop().close()
        until = 100
        while "unfit" in (answer := asked(root, do="state")) and until:
            until -= 1
        assert "value" in answer
    finally:
        for peer in silent:
            peer.close()


def test_a_caller_that_goes_away_does_no_harm(living: Living, root: Path) -> None:
    for _ in range(20):
        with connected(root) as peer:
            peer.sendall(json.dumps(OWN | {"do": "call", "verb": "list", "args": {}}).encode() + b"\n")
    assert "value" in asked(root, do="state")


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


def test_what_a_command_says_is_what_the_command_line_says(living: Living, root: Path) -> None:
    assert run(root, "remember", "Ferries sail north", "--title", "Ferry")["exit"] == 0
    answer = run(root, "recall", "ferries")
    assert answer["exit"] == 0
    assert [number for number, _ in answer["said"]] == [1]
    assert "Ferries sail north" in answer["said"][0][1]
    missing = run(root, "show", "nothing")
    assert (missing["exit"], missing["said"][0][0]) == (3, 2)


@pytest.mark.parametrize(
    ("argv", "more"),
    [
        (("gc",), {}),
        (("daemon", "stop"), {}),
        (("edit", "x"), {}),
        ((), {}),
        (("--json",), {}),
        (("recall", "--help"), {}),
        (("recall", "x"), {"given": {"VMEM_RECALL_TOKENS": "5"}}),
        (("recall", "x"), {"given": {"HOME": "/elsewhere"}}),
        (("recall", "x", "--vault", "../other"), {}),
        (("--vault", "../other", "recall", "x"), {}),
        (("remember", "x"), {"umask": 0o777}),
    ],
    ids=str,
)
def test_what_is_not_for_a_resident_is_left_to_the_caller(
    living: Living, root: Path, argv: tuple[str, ...], more: dict[str, object]
) -> None:
    from vault_memory.vault import Vault

    Vault.create(root.parent / "other")
    assert set(run(root, *argv, **more)) == {"unfit"}
    assert asked(root, do="call", verb="list", args={})["value"] == []


def test_variables_of_the_call_alone_make_no_difference(living: Living, root: Path) -> None:
    own = caller.carried() | {
        "VMEM_AGENT": "ann",
        "VMEM_RESIDENT": "auto",
        "VMEM_VAULT": str(root),
        "TERM": "x",
    }
    assert run(root, "remember", "Ferries sail north", given=own)["exit"] == 0
    [memory] = asked(root, do="call", verb="list", args={})["value"]
    assert memory["source_agent"] == "ann"


def test_stdin_is_asked_for_when_it_is_needed(living: Living, root: Path) -> None:
    request = {
        "do": "run", "argv": ["remember", "-"], "folder": str(root), "given": caller.carried(),
        "terminal": {}, "tell": True,
    }  # fmt: skip
    with connected(root) as peer:
        peer.sendall(json.dumps(OWN | request).encode() + b"\n")
        lines = peer.makefile("rb")
        assert json.loads(lines.readline()) == {"heard": True}
        assert json.loads(lines.readline()) == {"want": "stdin"}
        peer.sendall(json.dumps({"stdin": "Ferries \udcff sail"}).encode() + b"\n")
        refused = json.loads(lines.readline())
        assert refused["exit"] == 65  # a byte that is no UTF-8 has survived the way here
        peer.sendall(json.dumps(OWN | request).encode() + b"\n")
        assert json.loads(lines.readline()) == {"heard": True}
        assert json.loads(lines.readline()) == {"want": "stdin"}
        peer.sendall(json.dumps({"stdin": "Ferries sail north"}).encode() + b"\n")
        assert json.loads(lines.readline())["exit"] == 0


def test_a_written_memory_is_committed_when_the_command_has_answered(living: Living, root: Path) -> None:
    answer = run(root, "remember", "Ferries sail north", "--json")
    assert json.loads(answer["said"][0][1])["committed"]


def test_a_vault_that_went_away_is_unfit_for_commands_and_an_error_for_calls(
    living: Living, root: Path
) -> None:
    peer = connected(root)
    lines = peer.makefile("rb")
    with peer:
        root.rename(root.with_name("aside"))
        request = {
            "do": "run",
            "argv": ["recall", "x"],
            "folder": "/",
            "given": caller.carried(),
            "terminal": {},
        }
        peer.sendall(json.dumps(OWN | request).encode() + b"\n")
        assert set(json.loads(lines.readline())) == {"unfit"}
        peer.sendall(json.dumps(OWN | {"do": "call", "verb": "list", "args": {}}).encode() + b"\n")
        assert json.loads(lines.readline())["error"]["kind"] == "VaultNotFoundError"
    root.with_name("aside").rename(root)


def test_faulty_settings_are_left_to_the_command_line(living: Living, root: Path) -> None:
    config = root / ".vmem" / "config.toml"
    before = config.read_text()
    config.write_text("format = 1\nrecall_tokens = 'many'\n")
    assert set(run(root, "recall", "x")) == {"unfit"}
    assert asked(root, do="call", verb="list", args={})["error"]["kind"] == "ConfigError"
    config.write_text(before)
    assert run(root, "recall", "x")["exit"] == 0


def test_secrets_do_not_come_back_in_an_error(living: Living, root: Path) -> None:
    key = "AKIA" + "IOSFODNN7EXAMPLF"
    error = asked(root, do="call", verb="show", args={"ref": key})["error"]
    assert key not in json.dumps(error)


def test_stop_is_answered_before_it_ends(root: Path) -> None:
    one = Living.of(root, ToldClock(), CountedIds())
    try:
        answer = ask(root, {"do": "stop"}, SECONDS)
        assert answer is not None
        assert answer["value"]["pid"] == os.getpid()  # type: ignore[index]  # it is an object
        one.thread.join(SECONDS)
        assert not one.thread.is_alive()
        assert ask(root, {"do": "state"}, SECONDS) is None
    finally:
        one.end()


def test_ending_lets_an_answer_under_way_be_finished(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, go_on = threading.Event(), threading.Event()

    def slow(*_: object) -> calls.Answer:
        begun.set()
        assert go_on.wait(SECONDS)
        return calls.Answer("done")

    monkeypatch.setattr(calls, "VERBS", {**calls.VERBS, "list": replace(calls.VERBS["list"], act=slow)})
    one = Living.of(root, ToldClock(), CountedIds())
    with connected(root) as peer, connected(root) as idle:
        idle.sendall(json.dumps(OWN | {"do": "state"}).encode() + b"\n")
        assert "value" in json.loads(idle.recv(100_000))
        peer.sendall(json.dumps(OWN | {"do": "call", "verb": "list", "args": {}}).encode() + b"\n")
        assert begun.wait(SECONDS)
        one.server.end("the test wants it")
        assert idle.recv(1) == b""
        go_on.set()
        assert json.loads(peer.makefile("rb").readline()) == {"value": "done"}
    one.thread.join(SECONDS)
    assert not one.thread.is_alive()


def test_a_line_that_never_comes_ends_the_talk() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs, pytest.raises(EndedError):
        Lines(ours).hear(begin=0.05, whole=0.05)
