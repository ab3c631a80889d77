"""What a question costs before it is answered: a reading process loads nothing that only writes need."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from vault_memory.vault import Vault

NEVER = {
    "git",
    "pygit2",
    "frontmatter",
    "torch",
    "sentence_transformers",
    "watchdog",
    "regex",
    "rich.progress",
}
"""Packages that reading has no use for: together they would double the time of a cold start."""

COMMANDS = "vault_memory.surfaces.cli.commands."
OTHERS = (
    *(f"vault_memory.facets.{name}" for name in ("files", "overview", "upkeep")),
    "vault_memory.adapters.journal.cursors",
    "vault_memory.model.capture",
    "vault_memory.model.denied",
)
"""Our own modules that a question needs none of: each costs about as much as the question."""

PROBE = """
import sys
from vault_memory.surfaces.cli.app import main
code = main(sys.argv[1:])
sys.stderr.write("\\nloaded: " + " ".join(sys.modules))
sys.exit(code)
"""


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    root = tmp_path / "memory"
    Vault.create(root)
    (root / "notes").mkdir()
    for name in ("heron", "bittern"):
        (root / "notes" / f"{name}.md").write_text(
            f"---\ntitle: The {name}\ntags: [birds]\n---\nIt nests by the lake – see [[heron]].\n"
        )
    return root


def ask(root: Path, *argv: str) -> tuple[str, set[str]]:
    """What the command answers, and the modules that its process holds at the end."""
    ran = subprocess.run(
        [sys.executable, "-c", PROBE, "--vault", str(root), *argv],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout, set(ran.stderr.partition("\nloaded: ")[2].split())


def test_a_process_that_opens_no_vault_does_not_load_what_a_vault_needs(vault: Path) -> None:
    answer, loaded = ask(vault, "--version")
    assert answer.startswith("vmem ")
    for needless in ("vault_memory.ports", "vault_memory.compose", "vault_memory.model.uses"):
        assert needless not in loaded


@pytest.mark.parametrize(
    "argv",
    [
        ("recall", "nests by the lake"),
        ("--agent", "akashi", "recall", "nests", "--json"),
        ("search", "lake"),
        ("search", "lake", "--explain"),
        ("show", "notes/heron.md"),
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("indexed", [True, False], ids=["indexed", "first look"])
def test_a_reading_process_loads_no_git_no_model_and_no_writer(
    vault: Path, argv: tuple[str, ...], indexed: bool
) -> None:
    if indexed:
        with Vault.open(vault) as opened:
            opened.index.refresh()
    answer, loaded = ask(vault, *argv)
    assert "heron" in answer
    assert "vault_memory.agent" in loaded
    assert loaded & NEVER == set()
    assert [one for one in loaded if one.startswith(OTHERS)] == []
    (command,) = set(argv) & {"recall", "search", "show"}
    assert [one for one in loaded if one.startswith(COMMANDS)] == [COMMANDS + command]
