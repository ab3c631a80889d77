"""The vault that gets hurt: acknowledged memories, a target, and a person's work in every state."""

from __future__ import annotations

from pathlib import Path

from tests.gitrun import run_git
from tests.stand import CountedIds, ToldClock
from vault_memory.vault import Vault

ACKNOWLEDGED = {
    "shared/ops/heron.md": "heron",
    "shared/ops/queue.md": "drained",
    "private/akashi/ibis.md": "ibis",
    "private/mira/kestrel.md": "kestrel",
}
"""Memories that the vault holds before, and a word that only that one has."""

TARGET = "shared/ops/target.md"
"""The memory that is edited, forgotten, brought back."""

PERSONS = "person"
"""The folder with a person's own work in every state between file and commit."""


def open_vault(root: Path, *, first_id: int) -> Vault:
    """The vault with a clock that stands still, so that each run of an act writes the same bytes."""
    return Vault.open(root, clock=ToldClock(), ids=CountedIds(first_id), settings={"refresh_seconds": 0.0})


def furnish(root: Path) -> None:
    """A vault with acknowledged memories, a target, and a person's work in every state."""
    Vault.create(root)
    with open_vault(root, first_id=0) as vault:
        akashi, mira = vault.agent("akashi"), vault.agent("mira")
        akashi.remember("The staging server is called heron", title="Heron", namespace="ops")
        akashi.remember("The queue is drained at night", title="Queue", namespace="ops")
        akashi.remember("The ibis counts its own days", title="Ibis", tags=["birds"])
        mira.remember("A kestrel hovers over the motorway", title="Kestrel")
        akashi.remember("Text of the target", title="Target", namespace="ops", importance=0.5)
    run_git(root, "add", ".vmem")
    run_git(root, "commit", "-qm", "settings")
    own = root / PERSONS
    own.mkdir()
    for name in ("half", "changed", "gone"):
        (own / f"{name}.md").write_text(f"{name} one\n")
    run_git(root, "add", PERSONS)
    run_git(root, "commit", "-qm", "own notes")
    run_git(root, "gc", "-q")
    (own / "half.md").write_text("half two\n")
    (own / "staged.md").write_text("staged\n")
    run_git(root, "add", PERSONS)
    run_git(root, "rm", "-q", f"{PERSONS}/gone.md")
    (own / "half.md").write_text("half two\nhalf three\n")
    (own / "changed.md").write_text("changed two\n")
    (own / "untracked.md").write_text("untracked\n")
