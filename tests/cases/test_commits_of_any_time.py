"""A commit may say any time at all, as one that came with a fetch: nothing breaks down over it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cases.beside_git import Desk, new_desk

TIMES = ["999999999999 +0000", "253402300799 +1400", "1700000000 +9999", "-5 +0000", "garbage"]
COMMANDS = (
    "status", "log", "log Hello", "show Hello --at HEAD", "recall hello --at HEAD", "search hello --at HEAD",
    "diff HEAD~1 HEAD", "blame Hello", "changes --since HEAD~1", "revert HEAD~1 --dry-run",
    "bisect hello --expect Hello", "lint --secrets --history", "review", "review akashi/far",
    "remember more", "undo",
)  # fmt: skip


def commit(desk: Desk, when: str, message: str) -> str:
    """A commit on HEAD, which names that time as it is; it changes nothing."""
    who = f"A <a@example.org> {when}"
    head = (
        f"tree {desk.git('rev-parse', 'HEAD^{tree}').strip()}\nparent {desk.git('rev-parse', 'HEAD').strip()}"
    )
    content = f"{head}\nauthor {who}\ncommitter {who}\n\n{message}\n"
    return desk.git("hash-object", "-t", "commit", "-w", "--literally", "--stdin", stdin=content).strip()


@pytest.mark.parametrize("when", TIMES)
def test_every_command_takes_it(when: str, tmp_path: Path) -> None:
    desk = new_desk(tmp_path / "vault")
    desk.json("remember", "hello there", "--title", "Hello")
    desk.git("update-ref", "HEAD", commit(desk, when, "far away"))
    desk.git("branch", "memory/akashi/far", commit(desk, when, "further"))
    for command in COMMANDS:
        answer = desk.vmem(*command.split())
        assert answer.code in (0, 1), (command, answer.err)
        assert "bug in vmem" not in answer.err, (command, answer.err)
