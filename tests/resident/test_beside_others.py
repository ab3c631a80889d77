"""A resident at work beside other processes of the same vault: nobody is told of locks, nothing is lost."""

from __future__ import annotations

import json
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import apsw

from tests.cases.blockers import hook
from tests.gitrun import run_git
from tests.resident.processes import eventually, running, state, vmem
from vault_memory import connect

MANY = 1500
HERE = {"VMEM_RESIDENT": "off"}
"""For a command that is to do its work in its own process."""


def fill(root: Path, count: int) -> None:
    for number in range(count):
        folder = root / "notes" / f"{number % 30}"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{number}.md").write_text(f"# Note {number}\n\nThe harbour of day {number} is open.\n")


def test_while_it_indexes_for_the_first_time_all_others_work(root: Path) -> None:
    fill(root, MANY)
    with running(root) as process, ThreadPoolExecutor(4) as pool:
        asked = [pool.submit(vmem, root, "recall", "harbour", "--json") for _ in range(4)]
        asked += [pool.submit(vmem, root, "recall", "harbour", "--json", env=HERE) for _ in range(2)]
        wrote = [
            pool.submit(vmem, root, "remember", f"Ferry {number} sails", "--json") for number in range(3)
        ]
        again = pool.submit(vmem, root, "reindex", "--json")
        for one in (*asked, *wrote, again):
            said = one.result()
            assert said.code == 0, said.err
            assert "locked" not in said.out + said.err
        eventually(lambda: state(root).behind is None)
        with connect(root, start=False) as person:
            assert len(person.list()) == MANY + 3
            assert all(one.result().value["committed"] for one in wrote)
        assert process.poll() is None
    assert len(vmem(root, "list", "--json", env=HERE).value) == MANY + 3
    assert run_git(root, "log", "--format=%s").count("Ferry") == 3


def test_a_long_write_of_another_process_delays_no_question(root: Path) -> None:
    with running(root):
        vmem(root, "remember", "Ferries sail north", "--title", "Ferry")
        eventually(lambda: state(root).behind is None)
        other = apsw.Connection(str(root / ".vmem" / "local" / "index.db"))
        other.execute("BEGIN IMMEDIATE")
        try:
            with connect(root, start=False) as person:
                began = time.monotonic()
                assert person.search("ferries")["hits"][0]["title"] == "Ferry"
                assert time.monotonic() - began < 2
                written = person.remember("Buoys are red", title="Buoy")
                assert written["path"] == "notes/buoy.md"  # on the disk, and said to be in no index yet
                assert "not in the search index yet" in written["notices"][0]
        finally:
            other.execute("ROLLBACK")
            other.close()
        with connect(root, start=False) as person:
            eventually(lambda: [hit["title"] for hit in person.search("buoys")["hits"]][:1] == ["Buoy"])


def test_nothing_but_answers_goes_over_the_line(root: Path) -> None:
    for name in ("post-commit", "pre-commit"):
        hook(root, name, "echo noise; echo noise >&2; exit 0")
    (root / "broken.md").write_text("---\ntitle: Plan: two\n---\nThe plan of the harbour.\n")
    with running(root, {"PYTHONWARNINGS": "default", "PYTHONDEVMODE": "1"}):
        said = vmem(root, "remember", "Ferries sail north", "--json")
        assert (said.code, said.err) == (0, "")
        assert json.loads(said.out)["committed"]
        asked = vmem(root, "recall", "harbour", "--json")
        assert (asked.code, asked.err) == (0, "")
        assert [memory["path"] for memory in asked.value["memories"]][:1] == ["broken.md"]


def test_a_rebuild_by_another_process_is_seen(root: Path) -> None:
    with running(root), connect(root, start=False) as person:
        person.remember("Ferries sail north", title="Ferry", wait="commit")
        assert vmem(root, "reindex", env=HERE).code == 0
        assert person.search("ferries")["hits"][0]["title"] == "Ferry"
        for file in (root / ".vmem" / "local").glob("index.db*"):
            file.unlink()
        assert person.search("ferries")["hits"][0]["title"] == "Ferry"
        assert [one["title"] for one in vmem(root, "list", "--json", env=HERE).value] == ["Ferry"]
