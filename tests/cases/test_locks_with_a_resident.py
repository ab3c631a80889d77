"""Other people's locks and many writers beside a resident: told at once, committed later."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import apsw
import pytest

from tests.cases.beside_git import PACKAGE, sound, temporary_files, vmem_environment
from tests.cases.residents import Kept, wait_until

_WRITER = """
import sys
from pathlib import Path
from tests.said import said
root, name = Path(sys.argv[1]), sys.argv[2]
for number in range(int(sys.argv[3])):
    text = f"{name} says {number} of them"
    answer = said(root, "call", verb="remember", agent=name, args={"text": text, "namespace": "all"})
    if "value" not in answer:
        sys.exit(str(answer))
"""


@pytest.fixture
def harbour(kept: Kept) -> Kept:
    """A vault with one memory, whose resident runs."""
    kept.start()
    kept.json("remember", "The harbour closes at nine", "--title", "Harbour")
    return kept


def all_committed(kept: Kept) -> bool:
    return kept.desk.waiting() == []


def test_writers_by_socket_and_by_command_lose_nothing(harbour: Kept) -> None:
    names = [f"writer{number}" for number in range(6)]
    command = [sys.executable, "-c", _WRITER, str(harbour.root)]
    by_socket = [
        subprocess.Popen(
            [*command, name, "20"], cwd=PACKAGE, env=vmem_environment({}), stderr=subprocess.PIPE, text=True
        )
        for name in names
    ]
    by_command = []
    for number in range(6):
        resident = ("auto", "off")[number % 2]
        by_command.append(
            harbour.begin(
                "--agent",
                "hand",
                "remember",
                f"hand says {number} of them",
                "-n",
                "all",
                VMEM_RESIDENT=resident,
            )
        )
    for one in (*by_socket, *by_command):
        _, err = one.communicate()
        assert (one.returncode, err) == (0, "")
    harbour.flush()
    wanted = {f"{name} says {number} of them" for name in names for number in range(20)}
    wanted |= {f"hand says {number} of them" for number in range(6)}
    bodies = [one.read_text().split("\n---\n")[1].strip() for one in (harbour.root / "shared").rglob("*.md")]
    assert sorted(bodies) == sorted(wanted)
    assert sorted(harbour.desk.subjects()) == sorted(
        ["remember: Harbour", *(f"remember: {one}" for one in wanted)]
    )
    files = harbour.desk.git("log", "--format=", "--name-only").split()
    assert len(files) == len(set(files)) == 127
    assert len(harbour.value("list")) == 127
    assert harbour.desk.git("status", "--porcelain", "--", "shared", "notes") == ""
    assert temporary_files(harbour.root) == []
    sound(harbour.root)


@contextmanager
def held(kept: Kept, name: str) -> Iterator[None]:
    """Somebody else's lock in `.git`."""
    place = kept.root / ".git" / name
    place.write_bytes(b"somebody's")
    yield
    assert place.read_bytes() == b"somebody's", "a lock was taken away from whoever holds it"
    place.unlink()


@pytest.mark.parametrize("name", ["index.lock", "refs/heads/main.lock"])
def test_a_memory_told_early_waits_for_a_lock_and_is_committed_once_it_is_gone(
    harbour: Kept, name: str
) -> None:
    with held(harbour, name):
        began = time.monotonic()
        written = harbour.value("remember", text="Ferries sail north", title="Ferries")
        assert time.monotonic() - began < 10
        assert written["committed"] is None
        assert harbour.found("ferries") == ["notes/ferries.md"]
        time.sleep(0.5)
        [waiting] = harbour.json("status")["waiting"]
        assert (waiting["path"], waiting["op"]) == ("notes/ferries.md", "remember")
        assert harbour.desk.subjects() == ["remember: Harbour"]
    # Nobody asks anything: the resident sees by itself that git is free.
    wait_until(lambda: harbour.desk.subjects() == ["remember: Ferries", "remember: Harbour"])
    harbour.flush()
    assert harbour.desk.git("status", "--porcelain", "--", "notes") == ""
    sound(harbour.root)


def test_a_command_that_waits_for_its_commit_is_told_of_the_lock(harbour: Kept) -> None:
    with held(harbour, "index.lock"):
        said = harbour.vmem("remember", "Ferries sail north", "--title", "Ferries")
        assert said.code == 0
        assert "not committed: index.lock is held (since " in said.err
        strict = harbour.vmem("remember", "Ferries sail south", "--title", "South", "--require-commit")
        assert strict.code == 70
    wait_until(lambda: all_committed(harbour))
    assert sorted(harbour.desk.subjects()[:2]) == ["remember: Ferries", "remember: South"]


def test_a_resident_killed_before_its_commit_leaves_a_memory_that_the_next_one_commits(harbour: Kept) -> None:
    with held(harbour, "index.lock"):
        harbour.value("remember", text="Ferries sail north", title="Ferries")
        harbour.signal(signal.SIGKILL)
        assert (harbour.root / "notes/ferries.md").read_text().endswith("\n---\nFerries sail north\n")
        status = harbour.json("status", VMEM_RESIDENT="off")
        assert [(one["path"], one["op"]) for one in status["waiting"]] == [("notes/ferries.md", "remember")]
        said = harbour.vmem("recall", "ferries", VMEM_RESIDENT="off")
        assert "Ferries sail north" in said.out
    harbour.start()
    wait_until(lambda: harbour.desk.subjects() == ["remember: Ferries", "remember: Harbour"])
    harbour.flush()
    assert all_committed(harbour)
    assert temporary_files(harbour.root) == []
    sound(harbour.root)


def test_a_command_finishes_what_a_killed_resident_had_acknowledged(harbour: Kept) -> None:
    with held(harbour, "index.lock"):
        harbour.value("remember", text="Ferries sail north", title="Ferries")
        harbour.signal(signal.SIGKILL)
    written = harbour.json("remember", "High water at six", "--title", "Tides", VMEM_RESIDENT="off")
    assert written["committed"]
    assert harbour.desk.subjects() == ["remember: Tides", "remember: Ferries", "remember: Harbour"]
    assert all_committed(harbour)
    sound(harbour.root)


@contextmanager
def written_to(kept: Kept, name: str) -> Iterator[apsw.Connection]:
    """Another process has a write transaction open on that database."""
    db = apsw.Connection(str(kept.root / ".vmem" / "local" / name))
    db.execute("BEGIN IMMEDIATE")
    try:
        yield db
    finally:
        db.execute("ROLLBACK")
        db.close()


def test_questions_do_not_wait_for_a_writer_of_the_index(harbour: Kept) -> None:
    with written_to(harbour, "index.db"):
        began = time.monotonic()
        assert harbour.found("harbour") == ["notes/harbour.md"]
        assert time.monotonic() - began < 10
        for resident in ("auto", "off"):
            said = harbour.vmem("recall", "harbour", VMEM_RESIDENT=resident)
            assert said.code == 0
            assert "The harbour closes at nine" in said.out


def test_a_writer_waits_for_another_process_that_has_the_index(harbour: Kept) -> None:
    with written_to(harbour, "index.db"):
        running = [
            harbour.begin("remember", f"Ferry {number} sails", "--title", f"Ferry {number}", "--json",
                          VMEM_RESIDENT=resident)
            for number, resident in enumerate(("auto", "off"))
        ]  # fmt: skip
        time.sleep(1.0)
    said = [one.communicate() for one in running]
    assert [one.returncode for one in running] == [0, 0], said
    assert not any("database is locked" in err for _, err in said)
    assert {name.name for name in (harbour.root / "notes").iterdir()} == {
        "ferry-0.md",
        "ferry-1.md",
        "harbour.md",
    }
    wait_until(lambda: set(harbour.found("sails")) == {"notes/ferry-0.md", "notes/ferry-1.md"})
    harbour.flush()
    assert all_committed(harbour)
    sound(harbour.root)


def test_a_database_held_for_longer_than_the_limit_is_told_of_in_plain_words(
    kept: Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VMEM_LOCK_SECONDS", "0.5")
    kept.start()
    kept.json("remember", "The harbour closes at nine", "--title", "Harbour")
    with written_to(kept, "index.db"):
        by_socket = kept.call("remember", text="Ferries sail north", title="Ferries")
        # The files are what counts; the index catches up.
        assert by_socket["value"]["path"] == "notes/ferries.md"
        assert by_socket["value"]["notices"]
        by_command = kept.vmem("remember", "Ferries sail south", "--title", "South", "--json")
        if by_command.code:  # the resident is at it still
            assert by_command.code == 74
            assert "another vmem is writing to this vault" in by_command.error["message"]
        else:
            assert by_command.value["notices"] or by_command.err
        assert kept.found("harbour") == ["notes/harbour.md"]
        (kept.root / "notes" / "tides.md").write_text("High water at six\n")
        said = kept.vmem("search", "harbour", "--json")
        assert [hit["path"] for hit in said.value["hits"]] == ["notes/harbour.md"]
    kept.json("remember", "Ferries sail south", "--title", "South")
    for word, path in (("north", "ferries"), ("south", "south"), ("water", "tides")):
        wait_until(lambda word=word, path=path: kept.found(word) == [f"notes/{path}.md"])  # type: ignore[misc]
    wait_until(lambda: all_committed(kept))
    with written_to(kept, "state.db"):
        refused = kept.call("remember", text="Ferries sail west")["error"]
        assert refused["exit_code"] == 74
        assert refused["hint"]
        said = kept.vmem("remember", "Ferries sail east")
        assert said.code == 74
        assert said.err.startswith("vmem: ")
    names = sorted(one.name for one in (kept.root / "notes").iterdir())
    assert names == ["ferries.md", "harbour.md", "south.md", "tides.md"]
    kept.flush()
    sound(kept.root)
