"""How long a resident waits for its callers: not long for a silent one, to its end for an answer."""

from __future__ import annotations

import json
import os
import socket
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from tests.resident.bylines import OWN, SECONDS, asked, connected
from tests.resident.living import Living
from tests.stand import CountedIds, ToldClock
from vault_memory.surfaces.resident import calls, server
from vault_memory.surfaces.resident.asking import ask
from vault_memory.surfaces.resident.lines import EndedError, Lines


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
