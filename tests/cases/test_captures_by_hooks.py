"""What hooks have looked through: conversations that have grown, once each, and again what came to no end."""

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
from tests.cases.hooked import LOSS, hook, log_of, text_of
from tests.cases.residents import wait_until
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
    wait_until(lambda: not is_being_captured(talk))  # how far it came is known once it has ended
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


def test_a_conversation_is_looked_through_when_it_has_grown(desk: Desk, tmp_path: Path) -> None:
    talk, seen = tmp_path / "--talk; rm -rf $HOME.jsonl", desk.root / ".vmem" / "local" / "hook.seen"
    told = {"session_id": "s'\"\n$(x)", "transcript_path": str(talk)}

    def size() -> int:
        return json.loads(seen.read_text(encoding="utf-8"))[0]["size"] if seen.exists() else 0

    talk.write_bytes(b"{}\n" * 10)
    assert hook(desk, "Stop", told) is None
    assert size() == 0, "too little has been said since the begin"
    hook(desk, "PreCompact", told)
    assert size() == 30
    talk.write_bytes(b"{}\n" * 30_000)
    hook(desk, "Stop", told)
    assert size() == 90_000
    talk.write_bytes(b"{}\n" * 30_001)
    hook(desk, "Stop", told)
    assert size() == 90_000
    hook(desk, "SessionEnd", told)
    assert size() == 90_003
    assert log_of(desk) == ""


def test_a_transcript_that_is_no_file_is_left_alone(desk: Desk, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in ("pipe", "gone", ".", "a\0b"):
        hook(desk, "SessionEnd", {"transcript_path": str(tmp_path / path)})
    assert log_of(desk).count("the transcript that the program named is") == 4


def test_what_was_given_is_not_captured_again(desk: Desk, tmp_path: Path) -> None:
    talk = tmp_path / "talk.jsonl"
    base = {"session_id": "abc", "transcript_path": str(talk)}
    decided = "We decided to keep PostgreSQL, because the JSON path queries need it"
    desk.json("remember", LOSS, "--title", "Stop loss", "--namespace", "market", "--agent", "claude")
    desk.json("remember", decided, "--title", "Database", "--kind", "decision", "--agent", "claude")
    block = text_of(hook(desk, "SessionStart", base))
    assert decided in block
    assert LOSS in block
    learned = "We decided to retry uploads three times, because the gateway drops idle connections."
    rows = [
        {"type": "user", "message": {"role": "user", "content": f"{block}\nplease set up the uploader"}},
        {
            "type": "assistant",
            "message": {"role": "assistant", "content": [{"type": "text", "text": learned}]},
        },
    ]
    talk.write_text("".join(json.dumps({"sessionId": "abc", **row}) + "\n" for row in rows), encoding="utf-8")
    assert hook(desk, "SessionEnd", base) is None
    inbox = desk.root / "private" / "claude" / "inbox"
    wait_until(lambda: any(inbox.glob("*.md")))
    wait_until(lambda: not desk.json("status")["waiting"])
    texts = [file.read_text(encoding="utf-8") for file in inbox.glob("*.md")]
    assert any("retry uploads" in text for text in texts)
    assert not any("PostgreSQL" in text for text in texts)
    assert not any("stop loss" in text for text in texts)
