"""The programs that agents run in: one row each, of where its settings stand and of what form they are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from vault_memory.model.agenthook import CALLERS, CAPTURES, Event


class Base(StrEnum):
    """A folder in which a program keeps settings of the person's, for all projects."""

    HOME = "home"
    CLAUDE = "claude"
    """Claude Code's settings: `CLAUDE_CONFIG_DIR`, else `~/.claude`."""
    CLAUDE_STATE = "claude-state"
    """Where its `.claude.json` lies: `CLAUDE_CONFIG_DIR`, else the home itself."""
    CODEX = "codex"
    """`CODEX_HOME`, else `~/.codex`."""
    PROGRAMS = "programs"
    """Where programs with windows keep settings on this system."""


@dataclass(frozen=True, slots=True)
class Place:
    """A file of settings: for all projects below `base`, and the one of a project."""

    base: Base
    path: str
    project: str | None = None
    """Its name in a project; `None` where the program reads none there."""


@dataclass(frozen=True, slots=True)
class Servers:
    """How a program is told of servers of the Model Context Protocol: entries by name, below `key`."""

    place: Place
    then: str
    """What to do in the program afterwards, and how to see it there."""
    key: str = "mcpServers"
    typed: bool = False
    """An entry says `"type": "stdio"`."""
    toml: bool = False


@dataclass(frozen=True, slots=True)
class Hooks:
    """How a program is told of commands to run at its events: below `hooks`, a list for each event."""

    place: Place
    caller: str
    """Who calls, for `vmem hook --for`."""
    events: Mapping[str, Event]
    """The program's own word for each event."""
    timeout: int
    """How long it waits for a command, in its own unit."""
    then: str = ""
    flat: bool = False
    """Commands stand in an event's list themselves, not in groups of it."""
    named: bool = False
    version: bool = False
    """The file begins with `"version": 1`."""


@dataclass(frozen=True, slots=True)
class Client:
    """A program: its name for people, its agent's name, and its settings."""

    title: str
    agent: str
    servers: Servers
    hooks: Hooks | None = None


def _events(caller: str, *, but: Event | None = None) -> Mapping[str, Event]:
    """Its words for the events at which it takes notes, or after which a conversation is looked through;
    `but` is one that it does not have."""
    program = CALLERS[caller]
    wanted = program.injects | CAPTURES
    return {said: event for said, event in program.events.items() if event in wanted and event is not but}


_CLAUDE_CODE = Client(
    "Claude Code",
    "claude",
    Servers(
        Place(Base.CLAUDE_STATE, ".claude.json", ".mcp.json"),
        "Begin a new session of Claude Code; /mcp there, or claude mcp list, shows the server.",
        typed=True,
    ),
    Hooks(
        Place(Base.CLAUDE, "settings.json", ".claude/settings.json"),
        "claude-code",
        _events("claude-code"),
        timeout=10,
        then="/hooks there lists what runs and when.",
    ),
)
_GEMINI = Place(Base.HOME, ".gemini/settings.json", ".gemini/settings.json")

CLIENTS: Mapping[str, Client] = {
    "claude": _CLAUDE_CODE,
    "claude-code": _CLAUDE_CODE,
    "claude-desktop": Client(
        "Claude Desktop",
        "claude",
        Servers(
            Place(Base.PROGRAMS, "Claude/claude_desktop_config.json"),
            "Quit Claude Desktop and start it again; Settings > Developer lists the server.",
        ),
    ),
    "cursor": Client(
        "Cursor",
        "cursor",
        Servers(
            Place(Base.HOME, ".cursor/mcp.json", ".cursor/mcp.json"),
            "Start Cursor again; its settings list the server under MCP.",
        ),
        Hooks(
            Place(Base.HOME, ".cursor/hooks.json", ".cursor/hooks.json"),
            "cursor",
            _events("cursor"),
            timeout=10,
            then="Its settings list what runs and when under Hooks.",
            flat=True,
            version=True,
        ),
    ),
    "vscode-mcp": Client(
        "VS Code",
        "copilot",
        Servers(
            Place(Base.PROGRAMS, "Code/User/mcp.json", ".vscode/mcp.json"),
            'In VS Code, "MCP: List Servers" shows the server and starts it.',
            key="servers",
            typed=True,
        ),
    ),
    "codex": Client(
        "Codex",
        "codex",
        Servers(
            Place(Base.CODEX, "config.toml", ".codex/config.toml"),
            "Begin a new session of Codex; codex mcp list shows the server.",
            key="mcp_servers",
            toml=True,
        ),
        Hooks(
            Place(Base.CODEX, "hooks.json", ".codex/hooks.json"),
            "codex",
            _events("codex", but=Event.SESSION_END),
            timeout=10,
            then="Codex runs them when you have let it: /hooks there.",
        ),
    ),
    "gemini": Client(
        "Gemini CLI",
        "gemini",
        Servers(_GEMINI, "Begin a new session of Gemini CLI; /mcp there shows the server."),
        Hooks(
            _GEMINI,
            "gemini",
            _events("gemini"),
            timeout=10_000,
            then="/hooks panel there lists what runs and when.",
            named=True,
        ),
    ),
}
"""By the word that `vmem install` takes. The timeouts are far above what a hook allows itself; Gemini's is in
milliseconds, all others in seconds."""

WITH_HOOKS = frozenset({"claude-code"})
"""Which of them get hooks unless told otherwise."""
