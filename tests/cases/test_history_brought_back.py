"""Log, restore and undo: the right state comes back, by a new commit, and over nobody's head."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cases.beside_git import Desk, new_desk, sound, work
from tests.cases.blockers import config, hook, script
from tests.gitrun import run_git
from vault_memory.errors import MemoryNotFoundError, NotFoundError
from vault_memory.model.namespace import PERSON


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    desk = new_desk(tmp_path / "vault")
    desk.json(
        "--agent", "akashi", "remember", "The harbour closes at nine", "--title", "Harbour", "-n", "sea"
    )
    return desk


@pytest.fixture
def file(desk: Desk) -> Path:
    return desk.root / "shared/sea/harbour.md"


# Restore


@pytest.mark.parametrize("name", ["id", "prefix", "title", "path", "bare path"])
def test_a_removed_memory_comes_back_by_every_name_it_had(desk: Desk, file: Path, name: str) -> None:
    before = file.read_bytes()
    gone = desk.json("forget", "Harbour")
    names = {
        "id": gone["id"], "prefix": gone["id"][:20], "title": "harbour", "path": gone["path"],
        "bare path": "shared/sea/harbour",
    }  # fmt: skip
    back = desk.json("restore", names[name])
    assert (back["op"], back["path"], back["id"]) == ("restore", gone["path"], gone["id"])
    assert file.read_bytes() == before
    assert desk.recalled("harbour nine") == [gone["path"]]
    assert desk.subjects("-2") == ["restore: Harbour", "forget: Harbour"]
    sound(desk.root)


def test_its_folder_may_be_gone_too(desk: Desk, file: Path) -> None:
    desk.json("forget", "Harbour")
    assert list((desk.root / "shared" / "sea").iterdir()) == []
    (desk.root / "shared" / "sea").rmdir()
    (desk.root / "shared").rmdir()
    desk.json("restore", "Harbour")
    assert file.exists()


def test_a_folder_that_became_a_file_is_named(desk: Desk, file: Path) -> None:
    desk.json("forget", "Harbour")
    (desk.root / "shared" / "sea").rmdir()
    (desk.root / "shared" / "sea").write_text("a file now\n")
    said = desk.vmem("restore", "Harbour")
    assert said.code == 74
    assert said.err.startswith(
        "vmem: can't write shared/sea/harbour.md: a file is where a folder should be\n"
    )
    assert desk.waiting() == []


def test_what_a_person_removed_comes_back_whether_or_not_they_committed_it(desk: Desk, file: Path) -> None:
    before = file.read_bytes()
    file.unlink()
    back = desk.json("restore", "Harbour")
    assert back["committed"]  # HEAD holds it still, so there was nothing to commit anew
    assert file.read_bytes() == before
    assert desk.git("status", "--porcelain", "--", "shared") == ""
    file.unlink()
    desk.git("commit", "--quiet", "--all", "--message=out with it")
    desk.json("restore", str(back["id"]))
    assert file.read_bytes() == before
    assert desk.subjects("-2") == ["restore: Harbour", "out with it"]


def test_what_was_forgotten_while_git_said_no_comes_back(desk: Desk, file: Path) -> None:
    before = file.read_bytes()
    desk.git("checkout", "--quiet", "--detach")
    desk.json("forget", "Harbour")
    desk.json("restore", "Harbour")
    assert file.read_bytes() == before
    desk.git("checkout", "--quiet", "main")
    desk.json("remember", "Ferries sail north", "--title", "Ferry")
    assert desk.waiting() == []
    assert desk.git("status", "--porcelain", "--", "shared", "notes") == ""
    assert desk.subjects() == ["remember: Ferry", "remember: Harbour"]


def test_it_comes_back_beside_another_that_took_its_name(desk: Desk, file: Path) -> None:
    before = file.read_bytes()
    gone = desk.json("forget", "Harbour")
    other = desk.json("remember", "The harbour is being rebuilt", "--title", "Harbour", "-n", "sea")
    assert other["path"] == gone["path"]
    taken = file.read_bytes()
    back = desk.json("restore", gone["id"])
    assert back["path"] == "shared/sea/harbour-2.md"
    assert (desk.root / back["path"]).read_bytes() == before
    assert file.read_bytes() == taken
    # Its name means the one that is there.
    said = desk.vmem("restore", "shared/sea/harbour.md")
    assert said.code == 75
    assert said.err.startswith("vmem: shared/sea/harbour.md: it is there, so there is nothing to restore\n")


def test_a_memory_that_was_moved_is_not_doubled(desk: Desk, file: Path) -> None:
    (desk.root / "shared" / "port").mkdir()
    desk.git("mv", "shared/sea/harbour.md", "shared/port/harbour.md")
    desk.git("commit", "--quiet", "--message=move it")
    for name in ("Harbour", "shared/sea/harbour.md", desk.json("show", "Harbour")["id"]):
        said = desk.vmem("restore", name)
        assert said.code == 75, name
        assert said.err.startswith(
            "vmem: shared/port/harbour.md: it is there, so there is nothing to restore"
        )
    assert desk.names() == ["shared/port/harbour.md"]


def test_two_that_went_by_one_title_are_told_apart(desk: Desk) -> None:
    one = desk.json("forget", "Harbour")
    two = desk.json("remember", "Another harbour", "--title", "Harbour", "-n", "port")
    desk.json("forget", "Harbour")
    said = desk.vmem("restore", "Harbour", "--json")
    assert said.code == 4
    assert [each["path"] for each in said.error["candidates"]] == [two["path"], one["path"]]
    assert {each["title"] for each in said.error["candidates"]} == {"Harbour"}
    assert desk.json("restore", one["path"])["id"] == one["id"]


def test_what_never_was_is_not_found(desk: Desk) -> None:
    for name in ("Nothing", "01ARZ3NDEKTSV4RRFFQ69G5FAV", "shared/none.md", "*", "%", "../x.md", ".git/HEAD"):
        said = desk.vmem("restore", name)
        assert said.code == 3, name
        assert "no removed memory is called" in said.err


def test_a_restore_writes_what_a_checkout_would(desk: Desk, file: Path, tmp_path: Path) -> None:
    """Line ends and filters: git stores other bytes than the file has."""
    (desk.root / ".gitattributes").write_text("crlf/*.md text eol=crlf\nfiltered/*.md filter=rot\n")
    config(desk.root, ("filter.rot.clean", "tr a-z b-za"), ("filter.rot.smudge", "tr b-za a-z"))
    for folder, content in (("crlf", b"# Windy\r\n\r\nlines\r\n"), ("filtered", b"# Secret\n\nwords\n")):
        note = desk.root / folder / "note.md"
        note.parent.mkdir()
        note.write_bytes(content)
        desk.git("add", str(note))
        desk.git("commit", "--quiet", f"--message={folder}")
        assert desk.json("forget", f"{folder}/note.md")["committed"]
        desk.json("restore", f"{folder}/note.md")
        assert note.read_bytes() == content
        edited = desk.json("edit", f"{folder}/note.md", "--importance", "0.9")
        assert edited["committed"]
        desk.json("undo")
        assert note.read_bytes() == content
        assert desk.git("status", "--porcelain", "--", folder) == ""
    assert "xpset" in desk.git("show", "HEAD:filtered/note.md")


def test_a_filter_that_fails_is_told(desk: Desk) -> None:
    broken = script(desk.root / ".git" / "smudge", "echo 'no key' >&2", "exit 1")
    (desk.root / "note.md").write_text("# Secret\n")
    desk.git("add", "note.md")
    desk.git("commit", "--quiet", "--message=note")
    desk.json("forget", "note.md")
    (desk.root / ".gitattributes").write_text("*.md filter=key\n")
    config(desk.root, ("filter.key.smudge", str(broken)), ("filter.key.required", "true"))
    said = desk.vmem("restore", "note.md")
    assert said.code == 70
    assert "no key" in said.err
    assert not (desk.root / "note.md").exists()


# Undo


def test_undo_goes_back_step_by_step_through_every_kind(desk: Desk, file: Path) -> None:
    akashi = ("--agent", "akashi")
    states: list[bytes | None] = [None, file.read_bytes()]
    for op in (("edit", "Harbour", "--importance", "0.9"), ("forget", "Harbour"), ("restore", "Harbour"),
               ("edit", "Harbour", "--add-tag", "x")):  # fmt: skip
        desk.json(*akashi, *op)
        states.append(file.read_bytes() if file.exists() else None)
    for state in reversed(states[:-1]):
        [undone] = desk.json(*akashi, "undo")
        assert undone["committed"] == desk.git("rev-parse", "HEAD")
        assert (file.read_bytes() if file.exists() else None) == state
    said = desk.vmem(*akashi, "undo")
    assert (said.code, said.err.splitlines()[0]) == (3, "vmem: there is no operation to undo")
    assert desk.git("status", "--porcelain", "--", "shared") == ""
    sound(desk.root)


def test_undo_after_a_person_committed_more_is_refused(desk: Desk, file: Path) -> None:
    akashi = ("--agent", "akashi")
    desk.json(*akashi, "edit", "Harbour", "--importance", "0.9")
    file.write_bytes(file.read_bytes() + b"Theirs.\n")
    desk.git("commit", "--quiet", "--all", "--message=more")
    before, head = file.read_bytes(), desk.git("rev-parse", "HEAD")
    said = desk.vmem(*akashi, "undo")
    assert said.code == 75
    assert said.err.startswith("vmem: shared/sea/harbour.md: it was changed after 'edit: Harbour'\n")
    assert "nothing was undone" in said.err
    assert (file.read_bytes(), desk.git("rev-parse", "HEAD")) == (before, head)


def test_undo_never_takes_back_an_older_operation_for_one_that_waits(desk: Desk, file: Path) -> None:
    desk.git("checkout", "--quiet", "--detach")
    desk.json("remember", "Ferries sail north", "--title", "Ferry")
    before = work(desk.root)
    said = desk.vmem("undo")
    assert said.code == 75
    assert said.err.startswith(
        "vmem: notes/ferry.md: 'remember: Ferry' came last and waits for its commit: HEAD is detached"
    )
    assert work(desk.root) == before
    # akashi's own last operation is another one.
    assert desk.json("--agent", "akashi", "undo")[0]["reason"].startswith("HEAD is detached")
    assert not file.exists()
    assert desk.vmem("--agent", "akashi", "undo").code == 75
    desk.git("checkout", "--quiet", "main")
    assert desk.json("undo")[0]["op"] == "undo"
    assert desk.waiting() == []
    assert desk.names() == []


def test_an_agent_undoes_its_own_and_the_person_anybodys(desk: Desk, file: Path) -> None:
    desk.json("--agent", "mira", "remember", "Ferries sail north", "--title", "Ferry", "-n", "sea")
    desk.json("--agent", "akashi", "undo")
    assert not file.exists()
    assert (desk.root / "shared/sea/ferry.md").exists()
    with desk.python() as vault, pytest.raises(NotFoundError):
        vault.agent("other").undo()
    assert desk.json("undo")[0]["path"] == "shared/sea/ferry.md"


def test_undo_gets_past_what_was_undone_before_a_rebase(desk: Desk, file: Path) -> None:
    desk.git("switch", "--quiet", "--create", "side", "HEAD")
    (desk.root / "other.txt").write_text("x\n")
    desk.git("add", "other.txt")
    desk.git("commit", "--quiet", "--message=other")
    desk.git("switch", "--quiet", "main")
    first = file.read_bytes()
    desk.json("edit", "Harbour", "--importance", "0.7")
    second = file.read_bytes()
    desk.json("edit", "Harbour", "--importance", "0.9")
    desk.json("undo")
    desk.git("rebase", "--quiet", "side")
    assert file.read_bytes() == second
    desk.json("undo")
    assert file.read_bytes() == first
    desk.json("undo")
    assert not file.exists()


def test_a_commit_to_which_a_hook_added_is_not_undone_by_halves(desk: Desk) -> None:
    hook(desk.root, "pre-commit", "echo x >> index.md; git add index.md")
    desk.json("remember", "Ferries sail north", "--title", "Ferry")
    head = desk.git("rev-parse", "HEAD")
    said = desk.vmem("undo")
    assert said.code == 75
    assert "the commit of 'remember: Ferry' holds 2 notes" in said.err
    assert f"git revert {head[:12]}" in said.err
    assert desk.git("rev-parse", "HEAD") == head


def test_in_a_shallow_clone_what_is_not_there_is_said(desk: Desk, tmp_path: Path) -> None:
    desk.git("add", ".vmem")
    desk.git("commit", "--quiet", "--message=the vault's own files")
    desk.json("remember", "Ferries sail north", "--title", "Ferry")
    desk.json("edit", "Ferry", "--importance", "0.9")
    run_git(tmp_path, "clone", "--quiet", "--depth=1", f"file://{desk.root}", "shallow")
    shallow = Desk(tmp_path / "shallow")
    said = shallow.vmem("undo")
    assert said.code == 70
    assert said.err == (
        "vmem: what was there before 'edit: Ferry' is not in this repository\n"
        "      in a shallow clone, git fetch --unshallow brings the rest; nothing was undone\n"
    )
    assert [one["subject"] for one in shallow.json("log", "Ferry")] == ["edit: Ferry"]
    # What happens from there on has its history.
    shallow.json("edit", "Ferry", "--importance", "0.1")
    shallow.json("undo")
    shallow.json("forget", "Ferry")
    shallow.json("restore", "Ferry")
    assert "importance: 0.9" in (shallow.root / "notes/ferry.md").read_text()
    assert shallow.vmem("restore", "never was").code == 3
    shallow.git("fetch", "--quiet", "--unshallow")
    shallow.json("undo")
    shallow.json("undo")
    assert shallow.json("undo")[0]["path"] == "notes/ferry.md"
    sound(shallow.root)


# Who may see what


def test_no_agent_reaches_anothers_private_memory_through_history(desk: Desk, file: Path) -> None:
    secret = desk.json("--agent", "mira", "remember", "The safe is behind the clock", "--title", "Blue safe")
    desk.json("--agent", "mira", "edit", "Blue safe", "--importance", "0.9")
    desk.json("--agent", "mira", "forget", "Blue safe")
    names = ("Blue safe", secret["path"], secret["id"], secret["id"][:20], f"./{secret['path']}")
    with desk.python() as vault:
        akashi, mira = vault.agent("akashi"), vault.agent("mira")
        for name in names:
            for call in (akashi.restore, lambda name: vault.history.log(akashi.scope, name)):
                with pytest.raises(MemoryNotFoundError) as told:
                    call(name)
                assert "private/mira" not in str(told.value).replace(name, "")
        assert [one.subject for one in vault.history.log(akashi.scope, limit=None)] == ["remember: Harbour"]
        assert len(vault.history.log(mira.scope, "Blue safe", limit=None)) == 3
        assert len(vault.history.log(PERSON, "Blue safe", limit=None)) == 3
        akashi.undo()
        assert not file.exists()
        with pytest.raises(NotFoundError):
            akashi.undo()
        mira.restore("Blue safe")
    assert (desk.root / secret["path"]).exists()


def test_a_persons_commit_of_many_shows_an_agent_only_its_share(desk: Desk, file: Path) -> None:
    for path in ("private/mira/diary.md", "notes/plan.md"):
        (desk.root / path).parent.mkdir(parents=True, exist_ok=True)
        (desk.root / path).write_text(f"# {path}\n")
    desk.git("add", "private", "notes")
    desk.git("commit", "--quiet", "--message=mira's diary about the safe, and a plan")
    [newest, *_] = desk.json("--agent", "akashi", "log")
    assert newest["paths"] == ["notes/plan.md"]
    assert newest["subject"] == "(several memories)"
    assert "diary" not in desk.vmem("--agent", "akashi", "log").out
    assert "diary" in desk.vmem("--agent", "mira", "log").out


def test_log_follows_a_memory_through_a_move_but_not_into_anothers_folder(desk: Desk, file: Path) -> None:
    (desk.root / "private/mira").mkdir(parents=True)
    (desk.root / "private/mira/old.md").write_text("# Tides\n\n" + "High water at six.\n" * 20)
    desk.git("add", "private")
    desk.git("commit", "--quiet", "--message=mira's secret draft")
    desk.git("mv", "private/mira/old.md", "shared/sea/tides.md")
    desk.git("commit", "--quiet", "--message=published")
    # What a commit that touches her folder says may be about what lies there.
    assert [one["subject"] for one in desk.json("--agent", "akashi", "log", "Tides")] == [
        "(several memories)"
    ]
    assert [one["subject"] for one in desk.json("log", "Tides")] == ["published", "mira's secret draft"]


def test_an_agent_may_not_restore_or_undo_in_a_persons_notes(desk: Desk) -> None:
    desk.json("remember", "The person's own note", "--title", "Own")
    desk.json("forget", "Own")
    said = desk.vmem("--agent", "akashi", "restore", "Own")
    assert said.code == 77
    assert desk.names() == ["shared/sea/harbour.md"]


# What it costs


def test_looking_for_a_removed_memory_reads_few_blobs(desk: Desk, file: Path) -> None:
    with desk.python() as vault:
        akashi = vault.agent("akashi")
        for number in range(40):
            akashi.edit("Harbour", text=f"text {number}")
        akashi.remember_many([{"text": f"note {number}", "title": f"Note {number}"} for number in range(10)])
        akashi.forget("Note 3")
        history = vault._opened.ports.history
        reads: list[str] = []
        real = type(history).bytes_at

        def counted(self: object, commit: str, path: str) -> bytes | None:
            reads.append(path)
            return real(history, commit, path)  # type: ignore[arg-type]  # `self` is of that very type

        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(type(history), "bytes_at", counted)
            akashi.restore("Note 3")
    assert len(reads) <= 3
