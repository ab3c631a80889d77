"""A person's git that sets files back in the moment between a write and its commit: no write is lost."""

from __future__ import annotations

import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.cases.beside_git import sound
from tests.cases.residents import Kept, wait_until
from vault_memory.adapters.journal import SqliteJournal

OLD, NEW = "The harbour closes at nine", "The harbour closes at ten"


@pytest.fixture(params=["resident", "alone"])
def busy(kept: Kept, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Kept:
    """A vault with two committed memories and a person's uncommitted change; once with a resident."""
    if request.param == "alone":
        monkeypatch.setenv("VMEM_RESIDENT", "off")
    else:
        kept.start()
    for title in ("Harbour", "Ferries"):
        kept.json("remember", f"{OLD}: {title}", "--title", title)
    (kept.root / "theirs.txt").write_text("one\n")
    kept.desk.git("add", "-A")
    kept.desk.git("commit", "-qm", "theirs")
    (kept.root / "theirs.txt").write_text("two\n")
    return kept


@contextmanager
def before_its_commit(kept: Kept, *argv: str) -> Iterator[subprocess.Popen[str]]:
    """A command that has written its file, and waits for another vmem that makes commits."""
    taken, over = threading.Event(), threading.Event()

    def hold() -> None:
        with kept.desk.python() as vault, vault._opened.ports.committing.held(wait=20):
            taken.set()
            over.wait(60)

    thread = threading.Thread(target=hold)
    thread.start()
    try:
        assert taken.wait(30)
        was = {path: path.read_bytes() for path in (kept.root / "notes").iterdir()}
        running = kept.begin(*argv, "--json")
        wait_until(lambda: {path: path.read_bytes() for path in (kept.root / "notes").iterdir()} != was)
        if argv[0] != "remember":  # of a new file git has nothing that it could set back
            wait_until(lambda: has_its_bytes(kept))
        yield running
    finally:
        over.set()
        thread.join()


def has_its_bytes(kept: Kept) -> bool:
    """Whether the journal holds what the write left: from then on it counts as done."""
    journal = SqliteJournal(kept.root / ".vmem" / "local" / "state.db")
    try:
        return any(journal.kept(one.number) is not None for one in journal.pending())
    finally:
        journal.close_file()


def ended(running: subprocess.Popen[str]) -> None:
    out, err = running.communicate(timeout=60)
    assert running.returncode == 0, (out, err)


def body(kept: Kept, name: str) -> str:
    return (kept.root / "notes" / f"{name}.md").read_text().rpartition("\n---\n")[2].strip()


def test_an_edit_survives_a_reset(busy: Kept) -> None:
    with before_its_commit(busy, "edit", "Harbour", "--text", NEW) as running:
        assert body(busy, "harbour") == NEW
        busy.desk.git("reset", "-q", "--hard")
        assert body(busy, "harbour") == f"{OLD}: Harbour"
    ended(running)
    assert body(busy, "harbour") == NEW
    assert busy.desk.subjects()[0] == "edit: Harbour"
    assert busy.desk.git("status", "--porcelain", "--", "notes") == ""
    assert busy.desk.waiting() == []
    assert busy.json("search", "ten")["hits"][0]["path"] == "notes/harbour.md"
    sound(busy.root)


def test_an_edit_survives_a_reset_and_a_kill(busy: Kept) -> None:
    with before_its_commit(busy, "edit", "Harbour", "--text", NEW) as running:
        busy.desk.git("reset", "-q", "--hard")
        running.kill()
        running.communicate()
        if busy.pid() is not None:
            busy.signal(signal.SIGKILL)
    assert busy.json("remember", "High water at six", "--title", "Tides", VMEM_RESIDENT="off")["committed"]
    assert busy.desk.subjects()[:2] == ["remember: Tides", "edit: Harbour"]
    assert body(busy, "harbour") == NEW
    sound(busy.root)


def test_an_edit_that_a_stash_took_along_is_there_before_and_after_it_is_taken_back(busy: Kept) -> None:
    with before_its_commit(busy, "edit", "Harbour", "--text", NEW) as running:
        busy.desk.git("stash", "push", "-q")
    ended(running)
    assert body(busy, "harbour") == NEW
    assert busy.desk.subjects()[0] == "edit: Harbour"
    busy.desk.git("stash", "pop", "-q")
    assert body(busy, "harbour") == NEW
    assert busy.desk.git("stash", "list") == ""
    assert busy.desk.git("status", "--porcelain").split() == ["M", "theirs.txt"]
    assert (busy.root / "theirs.txt").read_text() == "two\n"
    sound(busy.root)


def test_a_memory_that_was_forgotten_does_not_come_back_by_a_reset(busy: Kept) -> None:
    with before_its_commit(busy, "forget", "Harbour") as running:
        busy.desk.git("reset", "-q", "--hard")
        assert body(busy, "harbour") == f"{OLD}: Harbour"
    ended(running)
    assert busy.desk.subjects()[0] == "forget: Harbour"
    assert busy.desk.names() == ["notes/ferries.md", "theirs.txt"]
    sound(busy.root)


@pytest.mark.parametrize(
    "words", [("reset", "-q", "--hard"), ("stash", "push", "-q"), ("switch", "-qc", "side")]
)
def test_a_new_memory_survives(busy: Kept, words: tuple[str, ...]) -> None:
    with before_its_commit(busy, "remember", "High water at six", "--title", "Tides") as running:
        busy.desk.git(*words)
    ended(running)
    assert body(busy, "tides") == "High water at six"
    assert busy.desk.subjects()[0] == "remember: Tides"
    sound(busy.root)


@pytest.mark.parametrize("verb", ["edit", "forget"])
def test_a_reset_that_holds_the_index_while_a_commit_waits_for_it_takes_nothing_away(
    busy: Kept, verb: str
) -> None:
    file, lock = busy.root / "notes" / "harbour.md", busy.root / ".git" / "index.lock"
    before = file.read_bytes()
    lock.write_bytes(b"")
    running = busy.begin(verb, "Harbour", *(("--text", NEW) if verb == "edit" else ()), "--json")
    wait_until(lambda: not file.exists() or file.read_bytes() != before)
    wait_until(lambda: has_its_bytes(busy))
    time.sleep(1.0)  # now it has looked at its file, and waits for git
    file.write_bytes(before)
    lock.unlink()
    ended(running)
    assert busy.desk.subjects()[0] == f"{verb}: Harbour"
    wait_until(lambda: (body(busy, "harbour") if file.exists() else "") == (NEW if verb == "edit" else ""))
    assert busy.desk.git("status", "--porcelain", "--", "notes") == ""
    assert busy.desk.waiting() == []
    sound(busy.root)


def test_a_switch_that_takes_a_new_file_along_is_not_undone_on_the_other_branch(busy: Kept) -> None:
    """The person has just committed it themselves, and is on another branch when our turn comes."""
    desk, file, lock = busy.desk, busy.root / "notes" / "tides.md", busy.root / ".git" / "index.lock"
    before = desk.git("rev-parse", "HEAD")
    desk.git("branch", "side")
    lock.write_bytes(b"")
    running = busy.begin("remember", "High water at six", "--title", "Tides", "--json")
    wait_until(file.exists)
    time.sleep(1.0)  # now it has looked at its file, and waits for git
    blob = desk.git("hash-object", "-w", str(file))
    tree = desk.git("mktree", stdin=f"100644 blob {blob}\ttides.md\n")
    tree = desk.git("mktree", stdin=f"040000 tree {tree}\tnotes\n")
    commit = desk.git("commit-tree", tree, "-p", before, "-m", "by hand")
    desk.git("update-ref", "refs/heads/main", commit)
    desk.git("symbolic-ref", "HEAD", "refs/heads/side")
    file.unlink()
    lock.unlink()
    ended(running)
    assert desk.git("rev-parse", "side") == before
    assert desk.git("status", "--porcelain", "--", "notes") == ""
    assert desk.waiting() == []
    assert desk.git("show", "main:notes/tides.md").endswith("High water at six")
    sound(busy.root)


def test_a_person_who_writes_something_of_their_own_wins(busy: Kept) -> None:
    with before_its_commit(busy, "edit", "Harbour", "--text", NEW) as running:
        (busy.root / "notes" / "harbour.md").write_text("by hand\n")
    ended(running)
    assert (busy.root / "notes" / "harbour.md").read_text() == "by hand\n"
    assert busy.desk.git("status", "--porcelain", "--", "notes").split() == ["M", "notes/harbour.md"]
    assert busy.desk.waiting() == []
