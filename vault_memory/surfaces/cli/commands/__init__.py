"""The commands, one file each, in the groups and the order in which `--help` shows them."""

from __future__ import annotations

GROUPS: dict[str, dict[str, str]] = {
    "Write": {
        "remember": "remember",
        "capture": "capture",
        "edit": "edit",
        "link": "link",
        "move": "move",
        "forget": "forget",
    },
    "Find": {
        "recall": "recall",
        "search": "search",
        "list": "list_",
        "show": "show",
        "links": "links",
    },
    "Look over": {
        "tags": "tags",
        "topics": "topics",
        "timeline": "timeline",
        "stats": "stats",
        "changes": "changes",
        "agents": "agents",
    },
    "History": {
        "log": "log",
        "diff": "diff",
        "blame": "blame",
        "revert": "revert",
        "bisect": "bisect",
        "undo": "undo",
        "restore": "restore",
    },
    "Share": {
        "propose": "propose",
        "review": "review",
        "sync": "sync",
        "git-merge": "git_merge",
    },
    "Upkeep": {
        "status": "status",
        "lint": "lint",
        "check": "check",
        "gc": "gc",
        "dedupe": "dedupe",
        "flush": "flush",
        "doctor": "doctor",
        "reindex": "reindex",
    },
    "Set up": {
        "init": "init",
        "config": "config",
        "install": "install",
        "mcp": "mcp",
        "hook": "hook",
        "embedder": "embedder",
        "daemon": "daemon",
        "watch": "watch",
        "bench": "bench",
        "eval": "eval_",
    },
}
"""The module of each command. It is loaded when the command is asked for, and its `register` adds it."""

COMMANDS: dict[str, str] = {name: module for group in GROUPS.values() for name, module in group.items()}

GROUP_OF: dict[str, str] = {name: group for group, names in GROUPS.items() for name in names}
