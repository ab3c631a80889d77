"""Many files in one commit: all of them or none, undone together, and each found again by itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.byhand import vault_by_hand
from tests.crash.witness import pending
from tests.gitrun import Git
from tests.grouped import change_all, sha256
from tests.stand import CountedIds, ToldClock
from vault_memory.adapters.files.tree import VaultFiles
from vault_memory.adapters.journal import SqliteJournal
from vault_memory.errors import ConflictError, NotFoundError, StorageError
from vault_memory.model.message import commit_message
from vault_memory.model.namespace import PERSON, Scope, VaultPath
from vault_memory.model.revision import Op, Operation
from vault_memory.ops.settle import settle
from vault_memory.vault import Vault


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return vault_by_hand(tmp_path / "memory")


@pytest.fixture
def vault(root: Path) -> Iterator[Vault]:
    with Vault.open(root, clock=ToldClock(), ids=CountedIds(), settings={"refresh_seconds": 0.0}) as opened:
        akashi = opened.agent("akashi")
        for word in ("one", "two", "three"):
            akashi.remember(f"the text of {word}", title=word, namespace="ops")
        yield opened


def file_of(word: str) -> str:
    return f"shared/ops/{word}.md"


def gone(*words: str) -> dict[str, bytes | None]:
    return dict.fromkeys(map(file_of, words))


def moved(root: Path, word: str, to: str) -> dict[str, bytes | None]:
    """A move with a link updated, the removal named first."""
    return {
        file_of(word): None,
        to: (root / file_of(word)).read_bytes(),
        file_of("three"): (root / file_of("three")).read_bytes() + b"see [[the new place]]\n",
    }


def picture(root: Path) -> dict[str, bytes]:
    return {str(file.relative_to(root)): file.read_bytes() for file in root.rglob("*.md")}


def failing_at(name: str, path: str) -> Callable[[pytest.MonkeyPatch], None]:
    """A disk that refuses one file."""

    def put(patch: pytest.MonkeyPatch) -> None:
        really = getattr(VaultFiles, name)

        def act(self: VaultFiles, at: str, *more: object, **options: object) -> object:
            if at == path:
                raise StorageError(at, "the disk says no")
            return really(self, at, *more, **options)

        patch.setattr(VaultFiles, name, act)

    return put


def test_a_batch_is_one_commit_whose_paths_the_log_lists(vault: Vault, root: Path, git: Git) -> None:
    written = change_all(vault, Op.GC, gone("one", "two"))
    assert [one.path for one in written] == [file_of("one"), file_of("two")]
    assert {one.commit for one in written} == {git(root, "rev-parse", "HEAD")}
    [newest] = vault.history.log(PERSON, limit=1)
    assert (newest.subject, newest.op, newest.paths) == (
        "gc: several",
        Op.GC,
        (file_of("one"), file_of("two")),
    )
    assert [entry.path for entry in vault.person.list()] == [file_of("three")]
    assert pending(root) == 0


def test_in_the_middle_of_a_batch_the_first_stand_in_one_commit(
    vault: Vault, root: Path, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    failing_at("remove", file_of("three"))(monkeypatch)
    with pytest.raises(StorageError, match="the disk says no"):
        change_all(vault, Op.GC, gone("one", "two", "three"))
    assert git(root, "show", "--format=%s", "--name-only").split("\n") == [
        "gc: several", "", file_of("one"), file_of("two"),
    ]  # fmt: skip
    assert git(root, "status", "--porcelain") == ""
    assert pending(root) == 0


@pytest.mark.parametrize(("name", "path"), [("remove", file_of("one")), ("write", file_of("three"))])
def test_of_a_whole_batch_that_fails_nothing_is_left(
    vault: Vault, root: Path, git: Git, monkeypatch: pytest.MonkeyPatch, name: str, path: str
) -> None:
    before, head = picture(root), git(root, "rev-parse", "HEAD")
    failing_at(name, path)(monkeypatch)
    with pytest.raises(StorageError, match="the disk says no"):
        change_all(vault, Op.MOVE, moved(root, "one", "shared/new/place.md"), whole=True)
    assert picture(root) == before
    assert git(root, "rev-parse", "HEAD") == head
    assert git(root, "status", "--porcelain") == ""
    assert pending(root) == 0
    assert [entry.path for entry in vault.person.list()] == sorted(before)


def test_what_cant_be_taken_back_is_finished_when_the_disk_allows_it(
    vault: Vault, root: Path, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = picture(root) | moved(root, "one", "shared/new/place.md")
    really = VaultFiles.write

    def once(self: VaultFiles, path: str, content: bytes, **options: str | None) -> object:
        monkeypatch.setattr(VaultFiles, "write", lambda *_, **__: no(path))
        return really(self, path, content, **options)  # type: ignore[arg-type]  # they are those of `write`

    def no(path: str) -> None:
        raise StorageError(path, "the disk says no")

    monkeypatch.setattr(VaultFiles, "write", once)
    monkeypatch.setattr(VaultFiles, "remove", lambda *_, **__: no("it"))
    with pytest.raises(StorageError, match="the disk says no"):
        change_all(vault, Op.MOVE, moved(root, "one", "shared/new/place.md"), whole=True)
    assert (root / "shared/new/place.md").exists()
    assert (root / file_of("one")).exists()
    head = git(root, "rev-parse", "HEAD")
    assert pending(root) == 3
    assert set(vault.upkeep.settle().waiting.values()) == {"can't write it: the disk says no"}
    monkeypatch.undo()
    assert vault.agent("mira").remember("something else", namespace="ops").commit
    assert git(root, "log", "--format=%s", f"{head}..").splitlines() == [
        "remember: something else",
        "move: several",
    ]
    assert {path: wanted[path] for path in wanted if wanted[path] is not None}.items() <= picture(
        root
    ).items()
    assert not (root / file_of("one")).exists()
    assert pending(root) == 0


def test_nothing_is_written_on_top_of_a_batch_that_is_half_done(
    vault: Vault, root: Path, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a kill between its files leaves it, on a disk that refuses the rest."""
    ports = vault._opened.ports
    new = (root / file_of("one")).read_bytes()
    before = {"shared/new/place.md": None, file_of("one"): sha256(new)}
    message = commit_message(Op.MOVE, "several")
    operations = [
        Operation(Op.MOVE, VaultPath(path), sha256(content), before[path], message, None, "batch")
        for path, content in (("shared/new/place.md", new), (file_of("one"), None))
    ]
    opened = ports.journal.open(operations, branch=ports.history.state().branch, at=ports.clock.now())
    ports.journal.keep({opened[0].number: new, opened[1].number: b""})
    ports.files.write(VaultPath("shared/new/place.md"), new, replacing=None)
    head = git(root, "rev-parse", "HEAD")
    with monkeypatch.context() as patch:
        failing_at("remove", file_of("one"))(patch)
        with pytest.raises(ConflictError, match="'move: several' is half done") as refused:
            vault.person.edit(file_of("one"), importance=0.1)
        assert refused.value.hint
        assert (root / file_of("one")).read_bytes() == new
        assert vault.person.remember("about something else").commit
        assert pending(root) == 2
    vault.upkeep.settle()
    assert git(root, "log", "--format=%s", f"{head}..").splitlines() == [
        "move: several",
        "remember: about something else",
    ]
    assert not (root / file_of("one")).exists()


def test_a_whole_batch_that_only_waits_is_not_done_again(vault: Vault, root: Path, git: Git) -> None:
    """A person takes back one of its files meanwhile: that is their right."""
    merge = root / ".git" / "MERGE_HEAD"
    merge.write_text(git(root, "rev-parse", "HEAD") + "\n", encoding="utf-8")
    written = change_all(vault, Op.GC, gone("one", "two"), whole=True)
    assert {one.commit for one in written} == {None}
    journal = SqliteJournal(root / ".vmem" / "local" / "state.db")
    assert [journal.kept(intent.number) for intent in journal.pending()] == [None, None]
    git(root, "checkout", "--", file_of("one"))
    merge.unlink()
    vault.upkeep.settle()
    assert (root / file_of("one")).exists()
    assert git(root, "show", "--format=%s", "--name-only") == f"gc: several\n\n{file_of('two')}"


def test_a_whole_batch_is_finished_although_git_can_take_nothing(vault: Vault, root: Path, git: Git) -> None:
    """As a kill between the files leaves it, with a merge under way."""
    ports = vault._opened.ports
    new, message = b"moved\n", commit_message(Op.MOVE, "several")
    paths = (("shared/new/place.md", new), (file_of("one"), None))
    before = {path: sha256(picture(root).get(path)) for path, _ in paths}
    operations = [
        Operation(Op.MOVE, VaultPath(path), sha256(content), before[path], message, None, "batch")
        for path, content in paths
    ]
    opened = ports.journal.open(operations, branch=ports.history.state().branch, at=ports.clock.now())
    ports.journal.keep({opened[0].number: new, opened[1].number: b""})
    ports.files.write(VaultPath("shared/new/place.md"), new, replacing=None)
    merge = root / ".git" / "MERGE_HEAD"
    merge.write_text(git(root, "rev-parse", "HEAD") + "\n", encoding="utf-8")
    assert len(vault.upkeep.settle().waiting) == 2
    assert not (root / file_of("one")).exists()
    merge.unlink()
    vault.upkeep.settle()
    assert git(root, "show", "--format=%s", "--name-status", "--no-renames").splitlines() == [
        "move: several", "", "A\tshared/new/place.md", f"D\t{file_of('one')}",
    ]  # fmt: skip


def test_undo_brings_all_files_of_a_commit_back_in_one(vault: Vault, root: Path, git: Git) -> None:
    before = picture(root)
    change_all(vault, Op.GC, gone("one", "two", "three"))
    written = vault.agent("akashi").undo()
    assert picture(root) == before
    assert [one.path for one in written] == sorted(before)
    assert {(one.op, one.undid, one.commit) for one in written} == {
        (Op.UNDO, "gc: several", git(root, "rev-parse", "HEAD"))
    }
    newest, undone = vault.history.log(PERSON, limit=2)
    assert (newest.undoes, newest.subject) == (undone.commit, "undo: gc: several")
    assert newest.paths == undone.paths
    assert len(vault.person.list()) == 3
    # And on to what was done before it.
    [last] = vault.agent("akashi").undo()
    assert last.path == file_of("three")


def test_undo_of_a_move_puts_the_file_back_and_reverts_the_links(vault: Vault, root: Path, git: Git) -> None:
    before = picture(root)
    change_all(vault, Op.MOVE, moved(root, "one", "shared/new/place.md"), whole=True)
    assert not (root / file_of("one")).exists()
    vault.agent("akashi").undo()
    assert picture(root) == before
    assert not (root / "shared/new").exists() or list((root / "shared/new").iterdir()) == []
    assert git(root, "status", "--porcelain") == ""
    for word in ("three", "two", "one"):
        assert [one.undid for one in vault.agent("akashi").undo()] == [f"remember: {word}"]
    with pytest.raises(NotFoundError):
        vault.agent("akashi").undo()


def test_undo_is_refused_where_one_of_the_files_was_changed_since(vault: Vault, root: Path, git: Git) -> None:
    change_all(vault, Op.FIX, {path: content + b"mended\n" for path, content in picture(root).items()})
    for word in ("two", "three"):
        (root / file_of(word)).write_text("the person's\n")
    before, head = picture(root), git(root, "rev-parse", "HEAD")
    with pytest.raises(
        ConflictError, match="and 1 more of its 3 files were changed after 'fix: several'"
    ) as no:
        vault.agent("akashi").undo()
    assert no.value.path == file_of("three")
    assert "nothing was undone" in str(no.value.hint)
    assert (picture(root), git(root, "rev-parse", "HEAD")) == (before, head)


def test_undo_leaves_alone_what_was_brought_back_already(vault: Vault, root: Path) -> None:
    before = picture(root)
    change_all(vault, Op.GC, gone("one", "two"))
    vault.agent("mira").restore("one")
    written = vault.agent("akashi").undo()
    assert [one.path for one in written] == [file_of("two")]
    assert picture(root) == before


def test_an_agent_undoes_only_what_it_may_write_all_of(vault: Vault, root: Path, git: Git) -> None:
    note = root / "notes" / "own.md"
    note.parent.mkdir(exist_ok=True)
    note.write_text("a person's note\n")
    git(root, "add", "notes")
    git(root, "commit", "-qm", "a note")
    change_all(vault, Op.LINK, {"notes/own.md": b"linked\n", file_of("one"): b"linked\n"})
    [written] = vault.agent("akashi").undo()
    assert written.undid == "remember: three"
    assert note.read_text() == "linked\n"
    assert {one.undid for one in vault.person.undo()} == {"link: several"}
    assert note.read_text() == "a person's note\n"


def test_an_undo_of_many_that_fails_in_the_middle_is_taken_back(
    vault: Vault, root: Path, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    change_all(vault, Op.GC, gone("one", "two", "three"))
    head = git(root, "rev-parse", "HEAD")
    failing_at("write", file_of("two"))(monkeypatch)
    with pytest.raises(StorageError, match="the disk says no"):
        vault.agent("akashi").undo()
    assert picture(root) == {}
    assert git(root, "rev-parse", "HEAD") == head
    assert pending(root) == 0
    monkeypatch.undo()
    assert len(vault.agent("akashi").undo()) == 3


def test_one_of_many_removed_comes_back_by_every_name(vault: Vault, root: Path) -> None:
    before = picture(root)
    ids = {entry.title: entry.id for entry in vault.person.list()}
    change_all(vault, Op.GC, gone("one", "two", "three"))
    akashi = vault.agent("akashi")
    assert akashi.restore("one").path == file_of("one")
    assert akashi.restore(str(ids["two"])).path == file_of("two")
    assert akashi.restore(file_of("three")).path == file_of("three")
    assert picture(root) == before


def test_one_of_many_comes_back_though_another_memory_has_its_name(vault: Vault, root: Path) -> None:
    old = (root / file_of("one")).read_bytes()
    memory_id = next(entry.id for entry in vault.person.list() if entry.title == "one")
    change_all(vault, Op.GC, gone("one", "two"))
    again = vault.agent("akashi").remember("quite another text", title="one", namespace="ops")
    assert again.path == file_of("one")
    back = vault.agent("akashi").restore(str(memory_id))
    assert back.path != again.path
    assert (root / back.path).read_bytes() == old


def test_the_log_of_a_moved_memory_goes_on_at_its_old_place(vault: Vault, root: Path) -> None:
    vault.agent("akashi").edit("one", importance=0.9)
    change_all(vault, Op.MOVE, moved(root, "one", "shared/new/place.md"), whole=True)
    change_all(vault, Op.GC, gone("two", "three"))
    assert [one.subject for one in vault.history.log(PERSON, "one")] == [
        "move: several",
        "edit: one",
        "remember: one",
    ]
    assert next(iter(vault.history.log(PERSON, "one"))).paths == ("shared/new/place.md",)


def test_of_a_commit_with_hidden_memories_an_agent_sees_its_part(vault: Vault, root: Path) -> None:
    vault.agent("mira").remember("a secret of mine", title="Hidden")
    change_all(vault, Op.GC, {"private/mira/hidden.md": None, file_of("one"): None}, agent=None)
    [newest] = vault.history.log(Scope("akashi"), limit=1)
    assert (newest.subject, newest.paths, newest.memory_id) == ("(several memories)", (file_of("one"),), None)
    [whole] = vault.history.log(PERSON, limit=1)
    assert whole.subject == "gc: several"


def test_a_settle_of_a_half_done_batch_commits_what_was_done(vault: Vault, root: Path, git: Git) -> None:
    """As a kill between the files leaves it, of a batch that need not be whole."""
    ports = vault._opened.ports
    message = commit_message(Op.GC, "several")
    operations = [
        Operation(Op.GC, VaultPath(file_of(word)), None, sha256((root / file_of(word)).read_bytes()), message,
                  None, "batch")
        for word in ("one", "two", "three")
    ]  # fmt: skip
    ports.journal.open(operations, branch=ports.history.state().branch, at=ports.clock.now())
    for word in ("one", "three"):
        (root / file_of(word)).unlink()
    settle(ports, wait=1)
    assert (
        git(root, "show", "--format=%s", "--name-only")
        == f"gc: several\n\n{file_of('one')}\n{file_of('three')}"
    )
    assert (root / file_of("two")).exists()
    assert pending(root) == 0
