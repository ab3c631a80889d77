"""Completion by the shell's own protocol: commands, options, memories, tags, kinds, folders, keys, rules."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cases.doors import REPOSITORY, Case
from tests.forked import run_vmem


def offered(typed: str, case: Case | None = None, **environment: str) -> list[str]:
    """What bash would offer for the last word; never a message in the middle of the line."""
    words = typed.split(" ")
    if case is not None:
        words[1:1] = ["--vault", str(case.root)]
    done = run_vmem(
        [],
        stdin=b"",
        environment={
            **os.environ,
            "_VMEM_COMPLETE": "complete_bash",
            "COMP_WORDS": " ".join(words),
            "COMP_CWORD": str(len(words) - 1),
            **environment,
        },
        cwd=Path.cwd(),
    )
    assert (done.stderr, done.returncode) == (b"", 0)
    return [line for line in done.stdout.decode().split("\n") if line]


@pytest.fixture
def filled(case: Case) -> Case:
    """A vault with memories of two agents and the person."""
    for argv in (
        ("remember", "one", "--title", "NVDA RSI rule", "--tag", "trading", "--tag", "nvda", "-n", "market"),
        ("remember", "two", "--title", "Sizing", "--tag", "trading", "--kind", "constraint"),
        ("--agent", "mira", "remember", "three", "--title", "Secret", "--tag", "tricky"),
    ):
        assert case.vmem(*argv).code == 0
    return case


def test_commands_and_options() -> None:
    assert offered("vmem st") == ["stats", "status"]
    assert {"remember", "config", "diff", "doctor"} <= set(offered("vmem "))
    assert offered("vmem status --sh") == ["--short"]
    assert offered("vmem recall x --strategy re") == ["recency"]


def test_memories_by_path_and_by_a_title_of_one_word(filled: Case) -> None:
    for command in ("show", "edit", "forget", "links", "link", "move", "log", "diff"):
        assert offered(f"vmem {command} notes/", filled) == ["notes/sizing.md"]
    assert offered("vmem show S", filled) == ["Sizing", "Secret"]
    assert offered("vmem show N", filled) == []
    assert offered("vmem show shared/m", filled) == ["shared/market/nvda-rsi-rule.md"]


def test_tags_kinds_folders_and_agents_in_use(filled: Case) -> None:
    assert offered("vmem list --tag tr", filled) == ["trading", "tricky"]
    assert offered("vmem remember x --tag n", filled) == ["nvda"]
    assert offered("vmem list --kind con", filled) == ["constraint"]
    assert offered("vmem list --namespace shared", filled) == ["shared", "shared/market"]
    assert offered("vmem list --by m", filled) == ["mira"]
    assert offered("vmem --agent m", None) == []


def test_proposals_by_their_branches_and_an_agents_own_behind_the_equals_sign(filled: Case) -> None:
    for agent, name in (("akashi", "nvda-rsi"), ("mira", "notes")):
        assert filled.vmem("--agent", agent, "propose", name, "--about", "`a`").code == 0
    assert offered("vmem review ", filled) == ["memory/akashi/nvda-rsi", "memory/mira/notes"]
    assert offered("vmem review memory/m", filled) == ["memory/mira/notes"]
    assert offered("vmem review aka", filled) == ["akashi/nvda-rsi"]
    assert offered("vmem review n", filled) == ["nvda-rsi", "notes"]
    assert offered("vmem --agent mira review ", filled) == ["memory/mira/notes"]
    for command in ("remember", "edit", "forget"):
        assert offered(f"vmem --agent akashi {command} --propose =", filled) == ["nvda-rsi"]
        assert offered(f"vmem {command} --propose=a", filled) == ["akashi/nvda-rsi"]
        assert offered(f"vmem --agent akashi {command} --propose=x", filled) == []
    # Behind a blank stands the text, and what is offered would become one.
    assert offered("vmem --agent akashi remember --propose ", filled) == []
    assert offered("vmem review n") == []  # in no vault


def test_settings_and_rules() -> None:
    assert offered("vmem config loc") == ["lock_seconds"]
    assert offered("vmem lint --explain VM012") == ["VM012"]
    assert offered("vmem lint --rule missing-i") == ["missing-id"]


def test_an_agent_is_offered_nothing_of_anothers(filled: Case) -> None:
    assert "private/mira/secret.md" in offered("vmem show ", filled)
    assert "private/mira/secret.md" not in offered("vmem --agent akashi show ", filled)
    assert offered("vmem list --tag tri", filled, VMEM_AGENT="akashi") == []


def test_nothing_is_looked_at_and_nothing_is_written(filled: Case) -> None:
    filled.write("notes/new.md", "not looked at yet\n")
    database = filled.root / ".vmem" / "local" / "index.db"
    before = database.read_bytes()
    assert offered("vmem show notes/", filled) == ["notes/sizing.md"]
    assert database.read_bytes() == before


def test_whatever_is_wrong_it_is_silent(case: Case) -> None:
    assert offered("vmem show n") == []  # in no vault
    assert offered("vmem --vault /nowhere show n") == []
    assert offered("vmem --agent ../x show n", case) == []
    assert offered("vmem show n", case, VMEM_TIMEZONE="Mars") == []
    (case.root / ".vmem" / "config.toml").write_text("format = = 1\n")
    assert offered("vmem show n", case) == []
    assert offered("vmem config time", case) == ["timezone"]
    (case.root / ".vmem" / "config.toml").write_text("format = 1\n")
    shutil.rmtree(case.root / ".vmem" / "local")
    (case.root / ".vmem" / "local").write_text("a file\n")
    assert offered("vmem show n", case) == []


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_for_a_shell_is_shown(shell: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "vault_memory", "--show-completion", shell],
        capture_output=True,
        text=True,
        check=False,
        # Else typer asks which program started this one, and under `make` that is no shell.
        env={
            **os.environ,
            "PYTHONPATH": str(REPOSITORY),
            "_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1",
        },
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "_VMEM_COMPLETE" in done.stdout
