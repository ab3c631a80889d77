"""Git says no: the memory is saved and found, the reason told, and the next good run makes the commit."""

from __future__ import annotations

import contextlib
import os
import pty
from pathlib import Path

import pytest

from tests.cases.beside_git import Answer, Desk, new_desk, sound, vmem_command, vmem_environment, work
from tests.cases.blockers import BLOCKERS, Blocker, config, hook
from tests.gitrun import run_git

SOON = 10.0
"""Seconds within which every call has to come back; hooks and signing have one second."""

OURS = ("notes/",)


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """A vault with a commit of the person's and two memories."""
    desk = new_desk(tmp_path / "vault")
    monkeypatch.setenv("VMEM_GIT_SECONDS", "1")
    monkeypatch.setenv("VMEM_LOCK_SECONDS", "1")
    (desk.root / "app.txt").write_text("one\ntwo\nthree\n")
    desk.git("add", "app.txt")
    desk.git("commit", "--quiet", "--message=the person's file")
    assert desk.vmem("remember", "The harbour closes at nine", "--title", "Harbour").code == 0
    assert desk.vmem("remember", "The old pier is gone", "--title", "Pier").code == 0
    return desk


def stage_some(desk: Desk) -> None:
    """A staged file that is changed once more, and one that git does not know."""
    (desk.root / "app.txt").write_text("ONE\ntwo\nthree\n")
    desk.git("add", "app.txt")
    (desk.root / "app.txt").write_text("ONE\ntwo\nTHREE\n")
    (desk.root / "draft.txt").write_text("not for git\n")


def put_away(desk: Desk) -> None:
    """Take that work back, so that a merge or rebase can go on."""
    desk.git("reset", "--quiet", "--", "app.txt")
    desk.git("checkout", "--quiet", "--", "app.txt")


def is_saved(desk: Desk, said: Answer, says: str) -> str:
    """Check one JSON answer of a write that could not be committed; its path."""
    assert (said.code, said.err) == (0, "")
    assert said.seconds < SOON
    assert said.value["committed"] is None
    assert says in said.value["reason"]
    return str(said.value["path"])


@pytest.mark.parametrize("blocker", BLOCKERS, ids=lambda one: one.name)
def test_a_refused_commit_loses_nothing_and_the_next_good_run_makes_it(desk: Desk, blocker: Blocker) -> None:
    blocker.block(desk.root)
    readable = blocker.name != "the repository belongs to another user"
    before = head = None
    if readable:
        stage_some(desk)
        before, head = work(desk.root, without=OURS), desk.git("rev-parse", "HEAD")

    ferry = is_saved(
        desk, desk.vmem("remember", "Ferries sail north", "--title", "Ferry", "--json"), blocker.says
    )
    assert (desk.root / ferry).read_bytes().endswith(b"\n---\nFerries sail north\n")
    assert desk.recalled("sail north")[0] == ferry
    pier = is_saved(desk, desk.vmem("forget", "Pier", "--json"), blocker.says)
    assert not (desk.root / pier).exists()
    assert pier not in desk.recalled("the old pier is gone")
    harbour = is_saved(desk, desk.vmem("edit", "Harbour", "--importance", "0.9", "--json"), blocker.says)
    assert b"importance: 0.9\n" in (desk.root / harbour).read_bytes()
    waiting = {one["path"]: one["op"] for one in desk.json("status")["waiting"]}
    assert waiting == {ferry: "remember", pier: "forget", harbour: "edit"}

    if readable:
        assert (work(desk.root, without=OURS), desk.git("rev-parse", "HEAD")) == (before, head)
        put_away(desk)
    blocker.unblock(desk.root)
    good = desk.json("remember", "The lighthouse has a new lamp", "--title", "Lamp")
    assert good["committed"] == desk.git("rev-parse", "HEAD")
    assert desk.waiting() == []
    ops = ["remember: Lamp", "edit: Harbour", "forget: Pier", "remember: Ferry"]
    there = {ferry, harbour, good["path"]}
    assert desk.subjects(f"-{len(ops)}", "main") == ops
    assert set(desk.git("ls-tree", "-r", "--name-only", "HEAD", "notes/").splitlines()) == there
    assert desk.git("status", "--porcelain", "--", "notes") == ""
    sound(desk.root)


@pytest.mark.parametrize(
    "blocker", [one for one in BLOCKERS if one.name in ("pre-commit refuses", "HEAD is detached", "a merge")],
    ids=lambda one: one.name,
)  # fmt: skip
def test_every_door_tells_the_reason(desk: Desk, blocker: Blocker) -> None:
    blocker.block(desk.root)
    said = desk.vmem("remember", "Ferries sail north", "--title", "Ferry")
    assert said.code == 0
    assert said.out.startswith("✔ notes/ferry.md")
    assert said.out.endswith("saved, not committed\n")
    assert said.err.startswith("vmem: saved and searchable, but not committed: ")
    assert blocker.says in said.err
    assert said.err.count("\n") == 1

    strict = desk.vmem("remember", "Ferries sail south", "--title", "South", "--require-commit")
    assert strict.code == 70
    assert blocker.says in strict.err
    assert "vmem status lists what waits" in strict.err
    assert (desk.root / "notes/south.md").exists()

    strict = desk.vmem("remember", "Ferries sail east", "--title", "East", "--require-commit", "--json")
    assert strict.code == 70
    assert strict.value["committed"] is None
    assert strict.error["kind"] == "NotCommittedError"
    assert blocker.says in strict.error["message"]

    with desk.python() as vault:
        written = vault.agent("akashi").remember("Ferries sail west", title="West")
    assert written.commit is None
    assert blocker.says in str(written.reason)

    status = desk.vmem("status")
    assert status.code == 0
    for path in ("notes/ferry.md", "notes/south.md", "notes/east.md", "private/akashi/west.md"):
        assert f"  {path}   remember: " in status.out
    assert sorted(desk.recalled("ferries sail")) == [
        "notes/east.md", "notes/ferry.md", "notes/south.md", "private/akashi/west.md",
    ]  # fmt: skip


def test_saying_it_again_while_it_waits_is_not_a_second_memory(desk: Desk) -> None:
    desk.git("checkout", "--quiet", "--detach")
    first = desk.json("remember", "Ferries sail north")
    again = desk.json("remember", "Ferries sail north")
    assert (again["known"], again["path"], again["id"]) == (True, first["path"], first["id"])
    assert desk.waiting() == [first["path"]]
    desk.git("checkout", "--quiet", "main")
    once_more = desk.json("remember", "Ferries sail north")
    assert once_more["known"]
    assert desk.waiting() == []


def test_what_waits_is_committed_in_the_order_it_was_said_each_by_its_author(desk: Desk) -> None:
    desk.git("checkout", "--quiet", "--detach")
    desk.vmem("--agent", "akashi", "remember", "one", "--title", "One")
    desk.vmem("--agent", "mira", "remember", "two", "--title", "Two")
    desk.vmem("remember", "three", "--title", "Three")
    desk.git("checkout", "--quiet", "main")
    desk.vmem("--agent", "mira", "remember", "four", "--title", "Four")
    assert desk.git("log", "-4", "--format=%an <%ae>, %cn: %s").splitlines() == [
        "mira <mira@agents.invalid>, Test Person: remember: Four",
        "Test Person <person@example.invalid>, Test Person: remember: Three",
        "mira <mira@agents.invalid>, Test Person: remember: Two",
        "akashi <akashi@agents.invalid>, Test Person: remember: One",
    ]


def test_the_newest_memory_gets_the_hooks_own_words_however_many_wait(desk: Desk) -> None:
    hook(desk.root, "pre-commit", "echo 'spelling: two typos' >&2", "exit 1")
    for number in range(6):
        said = desk.json("remember", f"note {number}")
        assert "spelling: two typos" in said["reason"]


def test_memories_that_a_hook_refuses_do_not_keep_a_good_one_out(desk: Desk) -> None:
    hook(
        desk.root, "pre-commit", "git diff --cached | grep -q teh && { echo 'a typo' >&2; exit 1; }", "exit 0"
    )
    for number in range(5):
        assert "a typo" in desk.json("remember", f"teh note {number}")["reason"]
    assert desk.json("remember", "a well spelt note")["committed"]
    assert len(desk.waiting()) == 5


def test_the_same_holds_in_a_repository_that_only_git_can_write(tmp_path: Path) -> None:
    run_git(tmp_path, "init", "--quiet", "--object-format=sha256", "vault")
    desk = new_desk(tmp_path / "vault")
    assert desk.json("remember", "a first note")["committed"] == desk.git("rev-parse", "HEAD")
    refuses = hook(
        desk.root, "pre-commit", "git diff --cached | grep -q teh && { echo 'a typo' >&2; exit 1; }", "exit 0"
    )
    for number in range(5):
        assert "a typo" in desk.json("remember", f"teh note {number}")["reason"]
    assert desk.json("remember", "a well spelt note")["committed"]
    assert len(desk.waiting()) == 5
    refuses.unlink()
    assert desk.json("remember", "a last note")["committed"]
    assert desk.waiting() == []
    assert len(desk.subjects()) == 8
    sound(desk.root)


def test_a_sleeping_hook_costs_its_limit_once_however_many_wait(desk: Desk) -> None:
    hook(desk.root, "pre-commit", "sleep 90")
    for number in range(4):
        said = desk.vmem("remember", f"note {number}", "--json")
        assert "did not end within 1 s" in said.value["reason"]
        assert said.seconds < 5


def test_a_hook_that_rewrites_and_stages_the_file_has_its_way(desk: Desk) -> None:
    hook(
        desk.root, "pre-commit",
        "for file in $(git diff --cached --name-only); do",
        "sed -i 's/colour/color/' $file; git add $file; done",
    )  # fmt: skip
    written = desk.json("remember", "The colour of the buoy is red", "--title", "Buoy")
    assert written["committed"]
    file = desk.root / written["path"]
    assert file.read_bytes().endswith(b"The color of the buoy is red\n")
    assert desk.git("show", f"HEAD:{written['path']}").endswith("The color of the buoy is red")
    assert desk.git("status", "--porcelain", "--", "notes") == ""
    assert desk.git("diff", "--cached") == ""
    assert desk.json("search", "color")["hits"][0]["path"] == written["path"]
    assert desk.json("show", "Buoy")["version"] != written["version"]
    assert desk.json("search", "colour", "--min-score", "0.3")["hits"] == []  # but by meaning
    assert desk.waiting() == []
    assert desk.json("edit", "Buoy", "--importance", "0.9")["committed"]
    sound(desk.root)


def test_a_hook_that_rewrites_the_file_and_stages_nothing_leaves_a_change_of_the_persons(desk: Desk) -> None:
    hook(desk.root, "pre-commit", "sed -i 's/colour/color/' notes/buoy.md")
    written = desk.json("remember", "The colour of the buoy is red", "--title", "Buoy")
    assert written["committed"]
    assert desk.git("show", "HEAD:notes/buoy.md").endswith("The colour of the buoy is red")
    assert (desk.root / "notes/buoy.md").read_bytes().endswith(b"The color of the buoy is red\n")
    assert desk.git("diff", "--cached") == ""
    assert desk.git("status", "--porcelain", "--", "notes") == " M notes/buoy.md"
    assert desk.recalled("color of the buoy") == ["notes/buoy.md"]


def test_a_signed_commit_is_signed_and_hooks_run(desk: Desk) -> None:
    gpg = desk.root / ".git" / "test-gpg"
    signature = "-----BEGIN PGP SIGNATURE-----\n\nmade-up\n-----END PGP SIGNATURE-----"
    gpg.write_text(f"#!/bin/sh\ncat >/dev/null\necho '[GNUPG:] SIG_CREATED x' >&2\necho '{signature}'\n")
    gpg.chmod(0o755)
    config(desk.root, ("commit.gpgSign", "true"), ("gpg.program", str(gpg)))
    for name in ("pre-commit", "prepare-commit-msg", "commit-msg", "post-commit"):
        hook(desk.root, name, f"echo {name} >> .git/ran")
    assert desk.json("remember", "Ferries sail north")["committed"]
    assert "gpgsig -----BEGIN PGP SIGNATURE-----" in desk.git("cat-file", "commit", "HEAD")
    ran = (desk.root / ".git" / "ran").read_text().split()
    assert ran == ["pre-commit", "prepare-commit-msg", "commit-msg", "post-commit"]


def test_a_branch_without_a_commit_gets_its_first_one(tmp_path: Path) -> None:
    desk = new_desk(tmp_path / "vault")
    (desk.root / "app.txt").write_text("staged\n")
    desk.git("add", "app.txt")
    (desk.root / "app.txt").write_text("staged and changed\n")
    before = work(desk.root, without=OURS)
    assert desk.json("remember", "Ferries sail north", "--title", "Ferry")["committed"]
    assert desk.subjects() == ["remember: Ferry"]
    assert desk.git("ls-tree", "-r", "--name-only", "HEAD") == "notes/ferry.md"
    assert work(desk.root, without=OURS) == before
    sound(desk.root)


def test_without_git_on_the_path_a_plain_repository_is_still_committed_to(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = os.environ["PATH"]
    monkeypatch.setenv("PATH", "/nowhere")
    written = desk.json("remember", "Ferries sail north", "--title", "Ferry")
    assert written["committed"]
    assert desk.recalled("ferries") == [written["path"]]
    assert desk.vmem("status").code == 0
    log = desk.vmem("log")
    assert log.code == 70
    assert log.err == (
        "vmem: git is not on PATH\n      install git; memories are read and written without it\n"
    )
    hook(desk.root, "pre-commit", "exit 0")
    waits = desk.json("remember", "Ferries sail south", "--title", "South")
    assert waits["reason"] == "git is not on PATH, and this repository asks for the hook pre-commit"
    monkeypatch.setenv("PATH", path)
    assert desk.json("remember", "Ferries sail east", "--title", "East")["committed"]
    assert desk.subjects("-3") == ["remember: East", "remember: South", "remember: Ferry"]
    sound(desk.root)


def test_a_folder_that_was_never_a_repository_can_become_one(tmp_path: Path) -> None:
    desk = new_desk(tmp_path / "vault")
    (desk.root / ".git").rename(tmp_path / "git-away")
    said = desk.vmem("remember", "Ferries sail north", "--title", "Ferry")
    assert said.code == 0
    assert said.err == (
        "vmem: saved and searchable, but not committed: no git repository; make one with: git init\n"
    )
    edited = desk.json("edit", "Ferry", "--importance", "0.9")
    assert "no git repository" in edited["reason"]
    run_git(desk.root, "init", "--quiet")
    assert desk.json("remember", "Ferries sail south", "--title", "South")["committed"]
    assert desk.subjects() == ["remember: South", "edit: Ferry"]
    assert desk.waiting() == []
    assert desk.git("status", "--porcelain", "--", "notes") == ""


def test_a_hook_gets_no_terminal_to_ask_at_though_the_person_sits_at_one(desk: Desk) -> None:
    hook(
        desk.root, "pre-commit",
        "if (echo 'Passphrase: ' >/dev/tty && read answer </dev/tty) 2>/dev/null; then exit 0; fi",
        "echo 'there is nobody to ask' >&2; exit 1",
    )  # fmt: skip
    child, terminal = pty.fork()
    if child == 0:
        command = vmem_command(desk.root, "remember", "Ferries sail north")
        os.execve(command[0], command, vmem_environment({}))
    said = b""
    with os.fdopen(terminal, "rb", buffering=0) as screen, contextlib.suppress(OSError):  # EIO: it has gone
        while part := screen.read(4096):
            said += part
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    shown = " ".join(said.decode().split())
    assert "not committed: there is nobody to ask" in shown
    assert "Passphrase" not in shown
