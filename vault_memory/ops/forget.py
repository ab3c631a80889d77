"""Removing a memory from the vault; history keeps it."""

from __future__ import annotations

from vault_memory.config.settings import Settings
from vault_memory.errors import GitError
from vault_memory.model.message import commit_message
from vault_memory.model.namespace import Scope, VaultPath
from vault_memory.model.outcome import Written
from vault_memory.model.revision import Op, Operation, author_of, version_of
from vault_memory.ops.edit import current
from vault_memory.ops.resolve import link_named
from vault_memory.ops.turn import Turn
from vault_memory.ops.write import Step, keep_persons_version, perform
from vault_memory.ports import Ports


def forget(
    ports: Ports, settings: Settings, scope: Scope, ref: str, *, if_match: str | None = None
) -> Written:
    """Delete one memory's file, in a commit of its own. Of a link only the link goes."""
    turn = Turn(ports, settings["lock_seconds"])

    def act() -> Written:
        link = link_named(ports, scope, ref)
        if link is not None:
            if if_match is not None:
                current(ports, scope, ref, if_match)
            return _forget_link(turn, settings, scope, *link)
        entry, found = current(ports, scope, ref, if_match)
        keep_persons_version(turn, entry.path, found.content, entry.title)
        operation = Operation(
            Op.FORGET,
            entry.path,
            None,
            version_of(found.content),
            commit_message(Op.FORGET, entry.title, memory_id=entry.id, agent=scope.agent),
            author_of(scope),
        )
        [written] = perform(turn, settings.zone, [Step(operation, None, entry.id, entry.title)])
        return written

    [written] = turn.committed([turn.take(act)])
    return written


def _forget_link(turn: Turn, settings: Settings, scope: Scope, path: VaultPath, text: bytes) -> Written:
    """Remove a link; what it leads to stays. Git keeps of a link what is written in it."""
    ports = turn.ports
    scope.check_write(path)
    title = f"{path} → {text.decode('utf-8', 'backslashreplace')}"
    version = version_of(text)
    if not _was_committed(ports, path):
        ports.files.remove(path, replacing=version)
        return Written(Op.FORGET, path, None, title, None, None, "the link never was in git")
    operation = Operation(
        Op.FORGET,
        path,
        None,
        version,
        commit_message(Op.FORGET, f"the link {title}", agent=scope.agent),
        author_of(scope),
    )
    [written] = perform(turn, settings.zone, [Step(operation, None, None, title)])
    return written


def _was_committed(ports: Ports, path: VaultPath) -> bool:
    """Whether history knows the path; where that can't be told the commit will say what is wrong."""
    try:
        return any(True for _ in ports.history.log(path, limit=1))
    except GitError:
        return True
