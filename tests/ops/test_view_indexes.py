"""The indexes of views: as true as a fresh checkout's, few on disk, filled again where they were lost."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from tests.gitrun import Git
from tests.ops.viewed import KEYWORDS, titles
from tests.stand import CountedIds, ToldClock
from tests.worded import Worded
from vault_memory import viewing
from vault_memory.adapters.indexes.sqlite.backend import SqliteIndex
from vault_memory.model.change import Removal
from vault_memory.vault import Vault
from vault_memory.viewing import MOST_ON_DISK, Views


@pytest.fixture
def vault(root: Path, clock: ToldClock) -> Iterator[Vault]:
    with Vault.open(root, clock=clock, ids=CountedIds(), settings=KEYWORDS) as opened:
        yield opened


def test_a_views_index_is_that_of_a_fresh_checkout_through_a_random_history(
    vault: Vault, root: Path, tmp_path: Path, git: Git
) -> None:
    chance = Random(7)
    paths = [f"{folder}/{name}.md" for folder in ("wiki", "shared/x", "notes") for name in "abcd"]
    for turn in range(8):
        for path in chance.sample(paths, 4):
            file = root / path
            if file.exists() and chance.random() < 0.4:
                file.unlink()
            else:
                file.parent.mkdir(parents=True, exist_ok=True)
                head = f"---\ntitle: {path} {turn}\ntags: [t{turn}]\n---\n"
                file.write_text(f"{head}# lemur {turn}\n\n[[a]] {chance.random()}\n", encoding="utf-8")
        (root / "wiki" / ".gitignore").write_text("old/\n" * (turn % 2), encoding="utf-8")
        git(root, "add", "--all")
        git(root, "commit", "-q", "-m", f"turn {turn}")
        if turn % 3 == 0:
            vault.index.refresh()
    (root / "wiki" / "a.md").write_text("not committed", encoding="utf-8")
    vault.index.refresh()
    for back in (3, 0, 7, 5):
        there = tmp_path / f"checkout-{back}"
        git(root, "worktree", "add", "-q", "--detach", str(there), f"HEAD~{back}")
        with Vault.open(there, settings=KEYWORDS) as fresh, vault.history.at(f"HEAD~{back}") as view:
            fresh.index.refresh()
            view.person.list()
            ours, theirs = view._opened.ports.index.dump(), fresh._opened.ports.index.dump()
            assert isinstance(ours, dict)
            assert isinstance(theirs, dict)
            assert {name: rows for name, rows in ours.items() if name != "files"} == {
                name: rows for name, rows in theirs.items() if name != "files"
            }


def test_only_texts_that_were_never_seen_are_embedded(vault: Vault, root: Path) -> None:
    vault.person.remember("a kitten sleeps", title="Kitten")
    vault.person.remember("a puppy barks", title="Puppy")
    vault.person.edit("Kitten", text="a kitten plays")
    made: list[str] = []
    worded = Worded("view", 64, before=made.extend)
    opened = vault._opened
    index = SqliteIndex.open(root / ".vmem" / "local" / "index.db", embedder_id=worded.id)
    opened.held.index.close()
    opened.held = replace(opened.held, index=index, embedder=worded)
    vault.index.refresh()
    made.clear()
    with vault.history.at("HEAD~1") as then:
        assert titles(then, "kitten")[0] == "Kitten"
        assert then._opened.ports.index.shelf.complete()
    assert len(made) == 1
    with vault.history.at("HEAD~1") as then:
        titles(then, "puppy")
    assert len(made) == 1


def test_few_indexes_stay_on_disk_and_none_goes_that_is_open(vault: Vault, root: Path) -> None:
    for number in range(MOST_ON_DISK + 4):
        vault.person.remember(f"lemur number {number}", title=f"Lemur {number}")
    folder = root / ".vmem" / "local" / viewing.VIEWS
    with vault.history.at(f"HEAD~{MOST_ON_DISK + 3}") as oldest:
        for back in range(MOST_ON_DISK + 3):
            with vault.history.at(f"HEAD~{back}") as view:
                assert len(view.person.list()) == MOST_ON_DISK + 4 - back
        assert len(list(folder.iterdir())) <= MOST_ON_DISK + 1
        assert titles(oldest, "lemur") == ["Lemur 0"]
    with vault.history.at("HEAD~2") as view:
        assert view.person.list()
    assert len(list(folder.iterdir())) <= MOST_ON_DISK
    assert not [file for file in folder.rglob("*") if file.suffix == ".tmp"]


def test_a_view_whose_index_was_deleted_or_damaged_is_filled_again(vault: Vault, root: Path) -> None:
    vault.person.remember("lemur", title="Lemur")
    with vault.history.at("HEAD") as view:
        assert titles(view, "lemur") == ["Lemur"]
        [folder] = (root / ".vmem" / "local" / viewing.VIEWS).iterdir()
        for file in folder.glob("index.db*"):
            file.unlink()
        assert titles(view, "lemur") == ["Lemur"]
    (folder / "index.db").write_bytes(b"nonsense" * 4096)
    with vault.history.at("HEAD") as view:
        assert titles(view, "lemur") == ["Lemur"]
    shutil.rmtree(folder.parent)
    folder.parent.write_text("in the way", encoding="utf-8")
    with vault.history.at("HEAD") as view:
        assert titles(view, "lemur") == ["Lemur"]


def test_links_that_a_clone_brought_are_not_written_through(vault: Vault, root: Path, tmp_path: Path) -> None:
    vault.person.remember("lemur", title="Lemur")
    with vault.history.at("HEAD") as view:
        view.person.list()
    [folder] = (root / ".vmem" / "local" / viewing.VIEWS).iterdir()
    precious = tmp_path / "precious"
    precious.mkdir()
    (precious / "index.db").write_text("precious", encoding="utf-8")
    shutil.rmtree(folder)
    folder.symlink_to(precious)
    with vault.history.at("HEAD") as view:
        assert titles(view, "lemur") == ["Lemur"]
    assert [file.name for file in precious.iterdir()] == ["index.db"]
    assert (precious / "index.db").read_text(encoding="utf-8") == "precious"


def test_views_that_are_kept_open_answer_again_and_are_closed_in_the_end(vault: Vault) -> None:
    for number in range(4):
        vault.person.remember(f"lemur number {number}", title=f"Lemur {number}")
    views = vault._opened.views = Views()
    with vault.history.at("HEAD~3") as one, vault.history.at("HEAD~3") as same:
        assert titles(one, "lemur") == titles(same, "lemur") == ["Lemur 0"]
        assert one._opened.ports.index is same._opened.ports.index
        assert one.person.recall("lemur") is same.person.recall("lemur")
    for back in (0, 1, 2):
        with vault.history.at(f"HEAD~{back}") as view:
            assert len(view.person.list()) == 4 - back
    assert len(views.kept) == viewing.MOST_OPEN
    with vault.history.at("HEAD~1") as held:
        vault.close()
        assert len(held.person.list()) == 3
    assert not views.kept


def test_an_index_of_a_worktree_begins_with_what_the_vault_knows(
    vault: Vault, root: Path, tmp_path: Path, git: Git
) -> None:
    for number in range(3):
        vault.person.remember(f"lemur number {number}", title=f"Lemur {number}")
    git(root, "add", "--all")
    git(root, "commit", "-q", "-m", "settings too")
    vault.index.refresh()
    there = tmp_path / "there"
    git(root, "worktree", "add", "-q", "--detach", str(there), "HEAD")
    assert viewing.seed_index(vault._opened, there)
    assert not viewing.seed_index(vault._opened, there)
    with Vault.open(there, settings=KEYWORDS) as beside:
        report = beside.index.refresh()
        assert (report.added, report.changed, report.removed, report.rebuilt) == (0, 0, 0, None)
        assert beside._opened.ports.index.instance != vault._opened.ports.index.instance
        assert len(titles(beside, "lemur")) == 3


def test_what_a_kill_left_of_a_view_is_gone_with_the_next_look(vault: Vault, root: Path) -> None:
    """Half a copy under its temporary name, and an index of which only a part was filled."""
    for number in range(5):
        vault.person.remember(f"lemur number {number}", title=f"Lemur {number}")
    with vault.history.at("HEAD~1") as view:
        view.person.list()
        index = view._opened.ports.index
        index.apply([Removal(path) for path in list(index.known_files())[:3]])
    [folder] = (root / ".vmem" / "local" / viewing.VIEWS).iterdir()
    with vault.history.at("HEAD~1") as view:
        assert len(titles(view, "lemur number")) == 4
    (folder / "index.db").rename(folder / "index.db.999999999.tmp")
    (folder / "index.db.999999999.tmp-journal").write_bytes(b"half")
    with vault.history.at("HEAD~1") as view:
        assert len(titles(view, "lemur number")) == 4
    assert not list(folder.glob("*.tmp*"))


def test_threads_look_at_different_commits_of_one_kept_vault(vault: Vault) -> None:
    for number in range(4):
        vault.person.remember(f"lemur number {number}", title=f"Lemur {number}")
    vault._opened.views = Views()

    def look(turn: int) -> bool:
        back = turn % 4
        with vault.history.at(f"HEAD~{back}") as view:
            found = set(titles(view, "lemur number"))
        return found == {f"Lemur {number}" for number in range(4 - back)}

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(look, range(32)))
