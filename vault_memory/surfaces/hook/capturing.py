"""After a turn or a session: a process in the background that looks through the conversation."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from vault_memory.config.load import load
from vault_memory.errors import VmemError
from vault_memory.model.agenthook import Event, HookCall
from vault_memory.model.namespace import parse_agent
from vault_memory.surfaces.hook import seen
from vault_memory.surfaces.hook.seen import Seen


def begin(root: Path, call: HookCall, agent: str | None) -> str:
    """Begin `vmem capture` of the conversation, and don't wait for it; why not, or nothing.

    While the session goes on only once it has grown by so much (`hook_capture_bytes`). Raises `ConfigError`,
    `UnsafePathError` for a name that no agent has."""
    settings = load(root)
    if not settings["hooks"]:
        return ""
    if agent is not None:
        parse_agent(agent)
    if not call.transcript:
        return "the program named no transcript"
    try:
        found = os.stat(call.transcript)
    except (OSError, ValueError):
        return "the transcript that the program named is not there"
    if not stat.S_ISREG(found.st_mode):
        return "the transcript that the program named is no file"
    now = Seen(agent or "", call.session, os.path.abspath(call.transcript), found.st_size)
    known = seen.read(root)
    before = known[now.key].size if now.key in known else 0
    grown = now.size - before if now.size >= before else now.size  # a shorter one was begun anew
    if grown == 0 or (call.event is Event.STOP and grown < settings["hook_capture_bytes"]):
        return ""
    if not _spawn(root, now):
        return "no process could be started"
    known.pop(now.key, None)
    seen.write(root, {**known, now.key: now})
    return ""


def take_up(root: Path, agent: str | None) -> None:
    """Begin again what was begun for that agent and never came to its end, as where the machine went off.
    Raises what opening the vault raises."""
    known = seen.read(root)
    open_ones = [one for one in known.values() if not one.whole and one.agent == agent]
    if not open_ones or not load(root)["hooks"]:
        return
    from vault_memory.vault import Vault

    with Vault.open(root) as vault:
        for one in open_ones:
            try:
                is_whole = vault.capture.reached(one.transcript, one.agent) >= one.size
            except VmemError:  # it is gone, or can't be read any more
                is_whole = True
            if is_whole:
                known[one.key] = Seen(one.agent, one.session, one.transcript, one.size, whole=True)
            elif _spawn(root, one):
                known[one.key] = one.begun_again()
    seen.write(root, known)


def _spawn(root: Path, one: Seen) -> bool:
    """The conversation's file is one word behind `--`, whatever it is called."""
    from vault_memory.surfaces.cli.background import start

    words = ["--agent", one.agent] if one.agent else []
    if one.session:
        words.append(f"--session={one.session}".replace("\0", ""))
    return start(root, "capture", *words, "--", one.transcript) is not None
