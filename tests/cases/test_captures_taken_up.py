"""A capture that was killed, or found no room, is begun again when the agent's next session begins."""

from __future__ import annotations

import fcntl
import json
import os
import sys
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest

from tests.cases.beside_git import Desk, new_desk
from tests.cases.residents import wait_until
from tests.cases.test_agents_hooks import hook, log_of
from vault_memory.surfaces.hook import seen
from vault_memory.surfaces.hook.seen import Seen

linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells which processes there are")
LEARNED = "We decided to retry uploads three times, because the gateway drops idle connections."


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return new_desk(tmp_path / "vault")


@pytest.fixture
def talk(tmp_path: Path) -> Path:
    """A conversation with something to keep."""
    told = {"role": "assistant", "content": [{"type": "text", "text": LEARNED}]}
    place = tmp_path / "talk.jsonl"
    place.write_text(json.dumps({"sessionId": "abc", "type": "assistant", "message": told}) + "\n")
    return place


def captured(desk: Desk) -> int:
    return len(list((desk.root / "private/claude/inbox").glob("*.md")))


def is_being_captured(talk: Path) -> bool:
    """Whether a process has it on its command line."""
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if os.fsencode(talk) in (entry / "cmdline").read_bytes().split(b"\0"):
                return True
    return False


def only(desk: Desk) -> Seen:
    [one] = seen.read(desk.root).values()
    return one


@linux
def test_a_capture_that_came_to_no_end_is_begun_again_at_the_next_start(desk: Desk, talk: Path) -> None:
    with (desk.root / ".vmem/local/capture").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        hook(desk, "SessionEnd", {"session_id": "abc", "transcript_path": str(talk)}, VMEM_LOCK_SECONDS="0")
        assert not only(desk).whole
        wait_until(lambda: not is_being_captured(talk))
    assert captured(desk) == 0
    hook(desk, "SessionStart", {"session_id": "next"})
    wait_until(lambda: captured(desk) == 1)
    wait_until(lambda: only(desk).tries == 1)
    hook(desk, "SessionStart", {"session_id": "and one more"})
    wait_until(lambda: only(desk).whole)
    assert captured(desk) == 1
    assert log_of(desk) == ""


def test_another_agents_start_leaves_it_alone(desk: Desk, talk: Path) -> None:
    seen.write(desk.root, {"x": Seen("mira", "abc", str(talk), talk.stat().st_size)})
    hook(desk, "SessionStart", {"session_id": "next"})
    assert only(desk).tries == 0


def test_a_transcript_that_is_gone_is_asked_for_no_more(desk: Desk, tmp_path: Path) -> None:
    seen.write(desk.root, {"x": Seen("claude", "abc", str(tmp_path / "gone.jsonl"), 10)})
    hook(desk, "SessionStart", {"session_id": "next"})
    wait_until(lambda: only(desk).whole)


def test_what_never_comes_to_its_end_is_given_up(desk: Desk, talk: Path) -> None:
    seen.write(desk.root, {"x": Seen("claude", "abc", str(talk), 10**6)})
    for _ in range(seen.MOST_TRIES):
        before = only(desk).tries
        hook(desk, "SessionStart", {"session_id": "next"})
        wait_until(partial(_tried, desk, before + 1))
    assert only(desk).whole


def _tried(desk: Desk, times: int) -> bool:
    return only(desk).tries == times


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"{}", b"[[[", b"[1]", b'[{"agent": "claude"}]', b'{"0123": 90000}', b"\xff", b"[" * 100_000],
)
def test_a_list_that_cant_be_read_is_none(desk: Desk, content: bytes) -> None:
    (desk.root / ".vmem/local" / seen.NAME).write_bytes(content)
    assert seen.read(desk.root) == {}
    hook(desk, "SessionStart", {"session_id": "next"})
    assert log_of(desk) == ""
