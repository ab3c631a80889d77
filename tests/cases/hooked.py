"""Calling a hook as an agent's program does; whatever happens, it keeps its promises."""

from __future__ import annotations

import json
from typing import Any

from tests.cases.beside_git import Answer, Desk

PROMPT = "what stop loss does the NVDA strategy use?"
LOSS = "The NVDA strategy uses a stop loss of two percent"
WITHIN = 30.0
"""Seconds within which a hook has surely ended, on however busy a machine."""


def hook(desk: Desk, event: str, told: object = None, *words: str, **variables: str) -> Any:
    """The object that the hook prints, `None` for nothing. Whatever happens it keeps its promises."""
    stdin = told if isinstance(told, str) else json.dumps(told or {})
    variables.setdefault("VMEM_HOOK_SECONDS", "15")  # the machine may be busy
    answer = desk.process("hook", event, "--agent", "claude", *words, stdin=stdin, env=variables)
    return object_of(answer)


def object_of(answer: Answer) -> Any:
    assert answer.code == 0
    assert answer.err == ""
    assert answer.seconds < WITHIN
    if not answer.out:
        return None
    assert answer.out.count("\n") == 1
    value = json.loads(answer.out)
    assert isinstance(value, dict)
    return value


def text_of(value: Any) -> str:
    return str(value["hookSpecificOutput"]["additionalContext"])


def log_of(desk: Desk) -> str:
    file = desk.root / ".vmem" / "local" / "hook.log"
    return file.read_text(encoding="utf-8") if file.exists() else ""


def prompt(text: str = PROMPT, session: str = "s") -> dict[str, str]:
    return {"session_id": session, "prompt": text, "hook_event_name": "UserPromptSubmit", "cwd": "/"}
