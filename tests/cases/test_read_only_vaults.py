"""A vault on a disk that is mounted read-only: it answers, it refuses to write, and it says why."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cases.beside_git import Desk
from vault_memory.vault import Vault


@pytest.fixture(params=["with an index", "without an index"])
def frozen(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Desk]:
    """Two memories on a read-only mount."""
    made = Desk(Vault.create(tmp_path / "made").root)
    made.json("remember", "A heron by the lake", "--title", "Heron")
    (made.root / "owl.md").write_text("---\nttl: soon\n---\nAn owl in the barn\n")
    made.json("list")
    if request.param == "without an index":
        for one in (made.root / ".vmem" / "local").iterdir():
            if one.name.startswith("index.db"):
                one.unlink()
    place = tmp_path / "frozen"
    place.mkdir()
    bind = ["mount", "--bind", str(made.root), str(place)]
    freeze = ["mount", "-o", "remount,ro,bind", str(place)]
    if os.geteuid() != 0 or subprocess.call(bind, stderr=subprocess.DEVNULL):
        pytest.skip("mounting needs root; other tests take the write permission away")
    try:
        subprocess.run(freeze, check=True)
        yield Desk(place)
    finally:
        subprocess.run(["umount", str(place)], check=True)


def test_reading_works_and_writing_is_refused_with_the_reason(frozen: Desk) -> None:
    assert frozen.recalled("heron") == ["notes/heron.md"]
    assert {one["path"] for one in frozen.json("list")} == {"notes/heron.md", "owl.md"}
    assert frozen.json("show", "Heron")["title"] == "Heron"
    assert [one["subject"] for one in frozen.json("log")] == ["remember: Heron"]
    for argv in (
        ("remember", "New"), ("edit", "Heron", "--importance", "0.9"), ("forget", "Heron"), ("restore", "x"),
    ):  # fmt: skip
        said = frozen.vmem(*argv)
        assert said.code == 74, said
        assert "read-only" in said.err
        assert said.err.count("vmem: ") == 1
    assert frozen.names() == ["notes/heron.md", "owl.md"]


def test_the_checks_work_too(frozen: Desk) -> None:
    lint = frozen.vmem("lint")
    assert lint.code == 1
    assert "owl.md:2" in lint.out
    doctor = frozen.vmem("doctor")
    assert doctor.code == 1
    assert "read-only" in doctor.out
    status = frozen.vmem("status")
    assert status.code == 0
    assert "memories   2" in status.out
    assert "bug" not in lint.err + doctor.err + status.err
