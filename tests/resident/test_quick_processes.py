"""`vmem` as a process, beside a resident that is a process too: byte for byte what it gives without one."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.forked import run_vmem
from tests.gitrun import Git, run_git
from tests.resident.processes import eventually, running, state, variables
from tests.transcripts.test_terminal import on_terminal
from vault_memory.vault import Vault

OFF = {"VMEM_RESIDENT": "off"}
_RESIDENT = re.compile(rb'^resident   .*\n|  "resident": (null|\{[^}]*\}),?\n', re.MULTILINE)
"""What `vmem status` says of the resident itself."""


class Done(NamedTuple):
    code: int
    out: bytes
    err: bytes


@pytest.fixture
def kept(root: Path) -> Iterator[Path]:
    """A vault with memories of the person's and of an agent's, and its resident."""
    (root / "odd.md").write_bytes(b"---\ntitle: Odd\n---\nred \x1b[31m \xff\r\n")
    with Vault.open(root) as vault:
        vault.person.remember("Deploys are frozen on Fridays", title="Freeze", tags=["ops"])
        vault.person.remember("重启后配置才生效", title="重启", pinned=True)
        vault.agent("ann").remember("Ann's plan is to ship on Monday", title="Plan")
        vault.index.refresh()  # or else the first answers would come before all vectors are made
    with running(root):
        eventually(lambda: state(root).behind is None)  # or else the first answers would say that it is
        yield root


def vmem(*argv: str | bytes, **more: str) -> Done:
    """One call with those variables more."""
    return fed(b"", *argv, **more)


def fed(stdin: bytes, *argv: str | bytes, **more: str) -> Done:
    """The same, with something to read."""
    done = run_vmem(argv, stdin=stdin, environment=variables(more), cwd=Path.cwd())
    return Done(done.returncode, _RESIDENT.sub(b"", done.stdout), done.stderr)


def through_both(root: Path, call: Callable[..., Done]) -> Done:
    """What the resident has answered, after it was held against what the process gives by itself."""
    before = state(root).requests
    quickly = call()
    # `state` is a request too, and `vmem status` asks for it as well.
    assert state(root).requests - before in (2, 3), "the resident was not asked"
    assert call(**OFF) == quickly
    return quickly


CALLS: tuple[tuple[list[str | bytes], int], ...] = (
    (["recall", "frozen deploys"], 0),
    (["recall", "frozen", "--explain", "--max-tokens", "60"], 0),
    (["--json", "recall", "重启"], 0),
    (["recall", b"frozen \xff\xfe"], 0),
    (["recall", ""], 2),
    (["recall", "x", "--min-score", "3"], 2),
    (["--agent", "ann", "search", "ship OR plan", "--json"], 0),
    (["--agent", "../ann", "search", "ship"], 65),
    (["search", "plan", "--where", "a>"], 2),
    (["list", "--tag", "ops"], 0),
    (["list", "--json", "--sort", "nothing"], 2),
    (["show", "Freeze"], 0),
    (["show", "Odd"], 0),
    (["show", "Odd", "--json"], 0),
    (["show", b"no\xff.md", "--json"], 3),
    (["show", "no\x1b[31msuch"], 3),
    (["show"], 2),
    (["status"], 0),
    (["status", "--json"], 0),
    (["status", "--short"], 0),
    (["remember", "Deploys are frozen on Fridays"], 0),
    (["remember", "new", "--dry-run"], 0),
    (["remember", "new", "--importance", "much"], 65),
    (["remember", "", "--json"], 2),
)
"""Each changes nothing, so one vault and one resident do for all."""


def test_every_byte_is_the_same(kept: Path) -> None:
    for argv, code in CALLS:
        assert through_both(kept, lambda **more: vmem(*argv, **more)).code == code, argv  # noqa: B023 - called at once


@pytest.mark.parametrize("locale", ["C", "POSIX"])
def test_no_locale_changes_a_byte(locale: str, kept: Path) -> None:
    said = through_both(kept, lambda **more: vmem("list", LC_ALL=locale, **more))
    assert (said.code, "重启".encode() in said.out) == (0, True)


def test_who_asks_is_the_caller_by_their_variable(kept: Path) -> None:
    assert b"Plan" in through_both(kept, lambda **more: vmem("list", VMEM_AGENT="ann", **more)).out
    assert b"Plan" not in through_both(kept, lambda **more: vmem("list", VMEM_AGENT="bob", **more)).out


def test_a_caller_with_settings_of_their_own_is_answered_by_them(kept: Path) -> None:
    before = state(kept).requests
    said = vmem("recall", "frozen", "--json", VMEM_RECALL_TOKENS="77")
    assert json.loads(said.out)["budget"] == 77
    assert state(kept).requests == before + 2  # it was asked, and said that it is unfit


def test_from_a_folder_of_the_vault_its_places_are_meant(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(kept / "notes")
    assert b"frozen" in through_both(kept, lambda **more: vmem("show", "freeze.md", **more)).out
    assert through_both(kept, lambda **more: vmem("recall", "x", "--vault", "..", **more)).code == 0


def test_a_reader_that_has_enough_is_no_fault(kept: Path) -> None:
    def piped(**more: str) -> Done:
        script = f'{sys.executable} -m vault_memory list --json | head -1; echo "${{PIPESTATUS[0]}}"'
        done = subprocess.run(["bash", "-c", script], env=variables(more), capture_output=True, check=False)
        return Done(done.returncode, done.stdout, done.stderr)

    with Vault.open(kept) as vault:
        vault.person.remember_many([{"text": f"Memory {number} " + "x" * 500} for number in range(300)])
    assert through_both(kept, piped) == (0, b"[\n0\n", b"")


def test_on_a_terminal_it_is_coloured_and_as_wide_as_that(kept: Path) -> None:
    def shown(**more: str) -> Done:
        code, text = on_terminal(*argv, cwd=kept, environment=more)
        return Done(code, _RESIDENT.sub(b"", text.encode()), b"")

    for argv in (["list"], ["search", "frozen"], ["show", "Odd"], ["status"], ["recall", "frozen"]):
        said = through_both(kept, shown)
        assert (said.code, b"\x1b[" in said.out) == (0, argv[0] in ("list", "search", "status")), argv


def test_what_is_piped_in_is_remembered_and_committed(kept: Path, git: Git) -> None:
    before = state(kept).requests
    said = fed("naïve 重启\r\n".encode(), "remember", "-", "--title", "Piped")
    assert said.code == 0
    assert re.fullmatch("✔ notes/piped.md   [0-9A-Z]{8}   committed [0-9a-f]{7}\n", said.out.decode())
    many = fed(b'{"text": "first one"}\n{"text": "second one"}\n', "remember", "--stdin-jsonl")
    names = [line.split()[1] for line in many.out.decode().splitlines()]
    assert names == ["notes/first-one.md", "notes/second-one.md"]
    assert state(kept).requests == before + 3
    assert (kept / "notes/piped.md").read_bytes().endswith("---\nnaïve 重启\n".encode())
    assert git(kept, "status", "--porcelain", "--", "notes") == ""
    assert fed(b"\xff", "remember", "-") == fed(b"\xff", "remember", "-", **OFF)
    assert vmem("recall", "naïve").out == vmem("recall", "naïve", **OFF).out


def test_a_hooks_variables_keep_a_write_in_its_own_process(kept: Path) -> None:
    before = state(kept).requests
    said = vmem("remember", "by a hook", GIT_DIR=str(kept / ".git"), GIT_INDEX_FILE=str(kept / ".git/next"))
    assert said.code == 0
    assert state(kept).requests == before + 1
    assert "by-a-hook" in run_git(kept, "log", "-1", "--name-only", "--format=")


def test_a_write_that_would_come_out_otherwise_is_left_to_the_process(kept: Path) -> None:
    for more in ({"SSH_AUTH_SOCK": "/tmp/agent"}, {"GNUPGHOME": "/tmp/keys"}):
        before = state(kept).requests
        assert vmem("recall", "x", **more).code == vmem("remember", f"with {more}", **more).code == 0
        assert state(kept).requests == before + 3
    mask = os.umask(0o077)
    try:
        assert vmem("remember", "for me alone").code == 0
    finally:
        os.umask(mask)
    assert (kept / "notes/for-me-alone.md").stat().st_mode & 0o777 == 0o600


def test_a_stopped_resident_holds_nobody_up_for_long(root: Path) -> None:
    with running(root) as resident:
        resident.send_signal(signal.SIGSTOP)
        said = vmem("remember", "said to a stopped one")
        assert (said.code, b"said-to-a-stopped-one.md" in said.out) == (0, True)
        resident.send_signal(signal.SIGCONT)
        again = vmem("remember", "said to a stopped one", "--json")
        assert json.loads(again.out)["known"] is True
        assert [one.name for one in root.rglob("*.md")] == ["said-to-a-stopped-one.md"]


def test_what_nobody_was_asked_for_is_left_to_the_process(kept: Path) -> None:
    before = state(kept).requests
    for line in ("--help", "recall --help", "--version", "recall --nope", "lint", "recall -- x"):
        assert vmem(*line.split()) == vmem(*line.split(), **OFF)
    assert state(kept).requests == before + 1
