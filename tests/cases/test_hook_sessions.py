"""Sessions of an agent, one after another and beside each other: each is told once what is new to it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cases.beside_git import Desk, new_desk
from tests.cases.hooked import LOSS, PROMPT, hook, log_of, text_of
from tests.cases.residents import wait_until
from vault_memory.surfaces.hook.answering import answered
from vault_memory.surfaces.hook.words import Words


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    made = new_desk(tmp_path / "vault")
    made.json("remember", LOSS, "--title", "Stop loss", "--namespace", "market", "--agent", "claude")
    return made


def end(desk: Desk, session: str, *, going_on: int) -> None:
    """End a session, and wait until it is noted that so many go on, which is after the hook has answered."""
    hook(desk, "SessionEnd", {"session_id": session, "reason": "other"})
    looked = desk.root / ".vmem" / "local" / "looked" / "claude"
    wait_until(lambda: looked.read_text(encoding="utf-8").count("\n") == 1 + going_on)


def test_a_session_of_claude_code_from_start_to_stop(desk: Desk, tmp_path: Path) -> None:
    talk = tmp_path / "talk.jsonl"
    base = {"session_id": "abc", "transcript_path": str(talk), "cwd": str(tmp_path)}
    talk.write_text('{"type":"user"}\n', encoding="utf-8")
    desk.json(
        "remember", "Deploy on Tuesdays", "--kind", "decision", "--title", "Deploys", "--agent", "claude"
    )
    start = hook(desk, "SessionStart", {**base, "source": "startup"})
    assert start["hookSpecificOutput"]["hookEventName"] == "SessionStart"
    assert LOSS in text_of(start)
    assert hook(desk, "UserPromptSubmit", {**base, "prompt": PROMPT}) is None, "the start has told it"
    assert hook(desk, "PostToolUse", {**base, "tool_name": "Bash"}) is None
    desk.json("edit", "shared/market/stop-loss.md", "--set", "title=NVDA stop loss")
    assert "NVDA stop loss" in text_of(hook(desk, "UserPromptSubmit", {**base, "prompt": PROMPT}))
    assert hook(desk, "UserPromptSubmit", {**base, "prompt": "ok, thanks"}) is None
    assert hook(desk, "PreCompact", {**base, "trigger": "auto"}) is None
    again = hook(desk, "SessionStart", {**base, "source": "compact"})
    assert LOSS in text_of(again), "the context is gone, and so is what was given"
    assert hook(desk, "UserPromptSubmit", {**base, "prompt": PROMPT}) is None
    assert hook(desk, "Stop", {**base, "stop_hook_active": False}) is None
    assert hook(desk, "SessionEnd", {**base, "reason": "exit"}) is None
    assert log_of(desk) == ""


def test_a_session_beside_another_is_told_what_changed_and_one_after_it_is_not(desk: Desk) -> None:
    def changed(session: str) -> bool:
        return "Changed since" in text_of(hook(desk, "SessionStart", {"session_id": session}))

    assert not changed("first")
    end(desk, "first", going_on=0)
    desk.json("remember", "The pool holds 20 connections", "--namespace", "ops")
    assert changed("one")
    assert changed("beside it")
    end(desk, "one", going_on=1)
    end(desk, "beside it", going_on=0)
    assert not changed("after them")


def test_what_a_session_was_told_is_told_again_after_its_context_was_emptied(desk: Desk) -> None:
    hook(desk, "SessionStart", {"session_id": "first"})
    end(desk, "first", going_on=0)
    desk.json("remember", "The pool holds 20 connections", "--namespace", "ops")
    assert "Changed since" in text_of(hook(desk, "SessionStart", {"session_id": "one"}))
    cleared = Words("SessionEnd", "claude-code", None, "claude")
    said = answered([], cleared, str(desk.root), b'{"session_id": "one", "reason": "clear"}', 9.0)
    assert said.later is not None
    said.later()
    for session in ("one", "named anew"):
        begins = {"session_id": session, "source": "clear"}
        assert "Changed since" in text_of(hook(desk, "SessionStart", begins))
