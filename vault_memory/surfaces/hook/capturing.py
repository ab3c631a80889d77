"""After a turn or a session: a process in the background that looks through the conversation."""

from __future__ import annotations

import hashlib
import json
import os
import stat
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from vault_memory.config import environ
from vault_memory.config.load import load
from vault_memory.model.agenthook import Event, HookCall
from vault_memory.model.namespace import parse_agent

SEEN = "hook.seen"
"""The file in `.vmem/local/` that knows how long each conversation was when it was last looked through."""
_MOST = 100
_LARGEST = 64 * 1024
_NICENESS = 10


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
    size = found.st_size
    file = root / ".vmem" / "local" / SEEN
    key = hashlib.sha256(
        "\0".join((agent or "", call.session, call.transcript)).encode("utf-8", "surrogateescape")
    ).hexdigest()[:32]
    seen = _read(file)
    before = seen.get(key, 0)
    grown = size - before if size >= before else size  # a shorter one was begun anew
    if grown == 0 or (call.event is Event.STOP and grown < settings["hook_capture_bytes"]):
        return ""
    if not _spawn(root, call, agent):
        return "no process could be started"
    seen.pop(key, None)
    _write(file, {**seen, key: size})
    return ""


def _spawn(root: Path, call: HookCall, agent: str | None) -> bool:
    """The conversation's file is one word behind `--`, whatever it is called."""
    if not sys.executable:
        return False
    # -P: a folder vault_memory in the working folder, which may be a vault from anywhere, is not ours.
    argv = [sys.executable, "-P", "-X", "utf8", "-m", "vault_memory", "--vault", str(root)]
    argv += ["capture", *(("--agent", agent) if agent is not None else ())]
    if call.session:
        argv.append(f"--session={call.session}".replace("\0", ""))
    argv += ["--", os.path.abspath(call.transcript)]
    try:
        child = subprocess.Popen(
            argv,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=environ.of_a_resident(),
            start_new_session=True,
        )
    except (OSError, ValueError):
        return False
    with suppress(OSError, AttributeError):
        os.setpriority(os.PRIO_PROCESS, child.pid, _NICENESS)
    child.returncode = 0  # it is meant to outlive us
    return True


def _read(file: Path) -> dict[str, int]:
    try:
        opened = os.open(file, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
        try:
            value = json.loads(os.read(opened, _LARGEST))
        finally:
            os.close(opened)
    except (OSError, ValueError, RecursionError):
        return {}
    if not isinstance(value, dict):
        return {}
    return {key: size for key, size in value.items() if isinstance(size, int) and not isinstance(size, bool)}


def _write(file: Path, seen: dict[str, int]) -> None:
    """Where it can't be written the conversation is looked through once more, which is no harm."""
    kept = dict(list(seen.items())[-_MOST:])
    own = file.with_name(f"{SEEN}.{os.getpid()}")
    with suppress(OSError):
        opened = os.open(own, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            os.write(opened, json.dumps(kept).encode())
        finally:
            os.close(opened)
        os.replace(own, file)
