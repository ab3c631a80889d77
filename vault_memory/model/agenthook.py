"""The events of an agent's session: what each program calls them, and how its hook is answered."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from vault_memory.errors import FormatError, UsageError

LONGEST_SESSION = 200
"""Characters of a session's name that count; it is a key, and nothing else."""
LONGEST_PROMPT = 8_000
"""Characters of a prompt that are asked about: what was pasted behind them tells no more."""


class Event(StrEnum):
    """What happens in an agent's session."""

    SESSION_START = "session-start"
    USER_PROMPT_SUBMIT = "user-prompt-submit"
    POST_TOOL_USE = "post-tool-use"
    PRE_COMPACT = "pre-compact"
    STOP = "stop"
    SESSION_END = "session-end"


CAPTURES = frozenset({Event.PRE_COMPACT, Event.STOP, Event.SESSION_END})
"""After these the transcript is looked through for what is worth keeping."""
CLEARED = "clear"
"""The reason of an end that is none: a context was emptied, and the work goes on."""
INJECTS = frozenset({Event.SESSION_START, Event.USER_PROMPT_SUBMIT})

Said = Mapping[str, object]


def _specific(name: str, text: str) -> Said:
    return {"hookSpecificOutput": {"hookEventName": name, "additionalContext": text}}


def _plain(_: str, text: str) -> Said:
    return {"additional_context": text}


@dataclass(frozen=True, slots=True)
class Caller:
    """One program: its own names of the events, the key of its sessions, and how it takes notes.

    `injects` are the events at which it puts notes before its model."""

    name: str
    events: Mapping[str, Event]
    session: str = "session_id"
    worded: Callable[[str, str], Said] = _specific
    injects: frozenset[Event] = INJECTS


_CLAUDE = {
    "SessionStart": Event.SESSION_START,
    "UserPromptSubmit": Event.USER_PROMPT_SUBMIT,
    "PostToolUse": Event.POST_TOOL_USE,
    "PreCompact": Event.PRE_COMPACT,
    "Stop": Event.STOP,
    "SessionEnd": Event.SESSION_END,
}

CALLERS: Mapping[str, Caller] = {
    caller.name: caller
    for caller in (
        Caller("claude-code", _CLAUDE),
        Caller("codex", _CLAUDE),
        Caller(
            "gemini",
            {
                "SessionStart": Event.SESSION_START,
                "BeforeAgent": Event.USER_PROMPT_SUBMIT,
                "AfterTool": Event.POST_TOOL_USE,
                "PreCompress": Event.PRE_COMPACT,
                "AfterAgent": Event.STOP,
                "SessionEnd": Event.SESSION_END,
            },
        ),
        Caller(
            "cursor",
            {
                "sessionStart": Event.SESSION_START,
                "beforeSubmitPrompt": Event.USER_PROMPT_SUBMIT,
                "postToolUse": Event.POST_TOOL_USE,
                "preCompact": Event.PRE_COMPACT,
                "stop": Event.STOP,
                "sessionEnd": Event.SESSION_END,
            },
            session="conversation_id",
            worded=_plain,
            injects=frozenset({Event.SESSION_START}),  # it documents no other place for notes
        ),
    )
}


@dataclass(frozen=True, slots=True)
class HookCall:
    """What a program told its hook; what it left out is empty."""

    event: Event
    caller: Caller
    session: str
    source: str = ""
    """Of a start: `startup`, `resume`, `clear` or `compact`."""
    reason: str = ""
    """Of an end: `clear` where the next session goes on with the same work, and nothing of the context."""
    prompt: str = ""
    transcript: str = ""
    """The file of the conversation, as it was named: it has not been looked at."""

    def worded(self, text: str) -> Said | None:
        """The object that puts the text before the model; `None` where the program takes none now."""
        if not text or self.event not in self.caller.injects:
            return None
        name = next(own for own, event in self.caller.events.items() if event is self.event)
        return self.caller.worded(name, text)


def caller_named(name: str) -> Caller:
    """The program of that name. Raises `UsageError`."""
    caller = CALLERS.get(name)
    if caller is None:
        raise UsageError(f"no program {name!r:.60} is known", hint=f"--for takes {', '.join(CALLERS)}")
    return caller


def event_named(text: str) -> Event:
    """The event of that name, ours or any program's own, whatever its case. Raises `UsageError`."""
    wanted = text.replace("-", "").replace("_", "").casefold()
    for event in Event:
        if event.value.replace("-", "") == wanted:
            return event
    for caller in CALLERS.values():
        for name, event in caller.events.items():
            if name.casefold() == wanted:
                return event
    raise UsageError(f"there is no event {text!r:.60}", hint=f"there are {', '.join(Event)}")


def read_call(event: Event, caller: Caller, content: bytes) -> HookCall:
    """What a program said on stdin. A value of another form counts as left out.

    Raises `FormatError`, which repeats nothing of it, for what is no JSON object."""
    if not content.strip():
        raise FormatError("stdin is empty", hint="the program gives a JSON object there")
    try:
        value = json.loads(content.decode("utf-8-sig", "surrogateescape"))
    except (ValueError, RecursionError):
        raise FormatError("stdin holds no JSON", hint="the program gives a JSON object there") from None
    if not isinstance(value, dict):
        raise FormatError("stdin holds no JSON object", hint="the program gives a JSON object there")

    def text(key: str, limit: int) -> str:
        found = value.get(key)
        return found[:limit] if isinstance(found, str) else ""

    return HookCall(
        event,
        caller,
        text(caller.session, LONGEST_SESSION) or text("session_id", LONGEST_SESSION),
        text("source", 40),
        text("reason", 40),
        text("prompt", LONGEST_PROMPT),
        text("transcript_path", 4_096),
    )
