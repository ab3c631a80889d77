"""A moved memory keeps its id, its bytes and its history, and nothing is ever half moved."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from tests.byhand import vault_by_hand
from tests.gitrun import Git
from vault_memory.adapters.files import tree as files_of_a_vault
from vault_memory.adapters.files.place import locate
from vault_memory.adapters.files.tree import VaultFiles
from vault_memory.errors import ConflictError, MemoryNotFoundError, ScopeError, StorageError, UsageError
from vault_memory.model.namespace import PERSON, Namespace, Scope, VaultPath
from vault_memory.vault import Vault

AKASHI = Scope("akashi")
PLAN = '---\nid: "my-plan"\ntitle: The plan\n---\nSee [the rule](../shared/market/rule.md) and [[regime]].\n'
FILES = {
    "notes/plan.md": PLAN,
    "notes/regime.md": "[[plan]] [[notes/plan|the plan]] [p](plan.md#part) [[my-plan]] `[[plan]]`\n",
    "notes/deep/other.md": '---\nlinks: ["[[plan]]"]\nup: "[[notes/plan]]"\n---\n[p](../plan.md)\n',
    "shared/market/rule.md": "[[The plan]] [[notes/plan.md]]\n",
    "private/mira/diary.md": "[[notes/plan]]\n",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return vault_by_hand(tmp_path / "memory", FILES)


def text_of(root: Path, name: str) -> str:
    return (root / name).read_bytes().decode()


def tree(root: Path) -> dict[str, bytes]:
    files = (file for file in root.rglob("*.md") if ".vmem" not in file.parts)
    return {file.relative_to(root).as_posix(): file.read_bytes() for file in files}


def test_a_move_is_one_commit_with_the_same_bytes_and_its_history_follows(
    vault: Vault, root: Path, git: Git
) -> None:
    moved = vault.files.move(PERSON, "my-plan", "archive/2026/", update_links=False)
    assert (moved.came_from, moved.written.path, moved.written.id) == (
        "notes/plan.md", "archive/2026/plan.md", "my-plan",
    )  # fmt: skip
    assert moved.written.commit == git(root, "rev-parse", "HEAD")
    assert text_of(root, "archive/2026/plan.md") == PLAN
    assert not (root / "notes/plan.md").exists()
    shown = git(root, "show", "--format=%s", "--name-status", "--find-renames").splitlines()
    assert shown == ["move: The plan", "", "R100\tnotes/plan.md\tarchive/2026/plan.md"]
    assert "Memory-Id: my-plan" in git(root, "log", "-1", "--format=%B")
    assert git(root, "status", "--porcelain") == ""
    assert [one.subject for one in vault.history.log(PERSON, "my-plan")] == ["move: The plan", "By hand"]
    assert vault.person.show("my-plan").memory.path == "archive/2026/plan.md"
    assert [hit.entry.path for hit in vault.person.search("regime rule plan", limit=1).hits] == [
        "archive/2026/plan.md"
    ]


def test_undo_moves_it_back(vault: Vault, root: Path) -> None:
    before = tree(root)
    vault.files.move(PERSON, "my-plan", "archive/", update_links=True)
    vault.person.undo()
    assert tree(root) == before
    assert vault.person.show("my-plan").memory.path == "notes/plan.md"


def test_links_that_led_to_it_are_told_and_left(vault: Vault, root: Path) -> None:
    moved = vault.files.move(PERSON, "my-plan", "archive/scheme.md", update_links=False)
    assert [(path, link.line, link.target) for path, link in moved.broken] == [
        ("notes/deep/other.md", 2, "plan"),
        ("notes/deep/other.md", 3, "notes/plan"),
        ("notes/deep/other.md", 5, "../plan.md"),
        ("notes/regime.md", 1, "plan"),
        ("notes/regime.md", 1, "notes/plan"),
        ("notes/regime.md", 1, "plan.md"),
        ("private/mira/diary.md", 1, "notes/plan"),
        ("shared/market/rule.md", 1, "notes/plan.md"),
    ]
    assert text_of(root, "notes/regime.md") == FILES["notes/regime.md"]


def test_links_are_changed_with_it_in_the_same_commit(vault: Vault, root: Path, git: Git) -> None:
    moved = vault.files.move(PERSON, "my-plan", "archive/deep/scheme", update_links=True)
    assert moved.broken == ()
    assert dict(moved.updated) == {
        "archive/deep/scheme.md": 1, "notes/deep/other.md": 3, "notes/regime.md": 3,
        "private/mira/diary.md": 1, "shared/market/rule.md": 1,
    }  # fmt: skip
    assert text_of(root, "notes/regime.md") == (
        "[[scheme]] [[archive/deep/scheme|the plan]] [p](../archive/deep/scheme.md#part)"
        " [[my-plan]] `[[plan]]`\n"
    )
    assert text_of(root, "notes/deep/other.md") == (
        '---\nlinks: ["[[scheme]]"]\nup: "[[archive/deep/scheme]]"\n---\n[p](../../archive/deep/scheme.md)\n'
    )
    assert text_of(root, "shared/market/rule.md") == "[[The plan]] [[archive/deep/scheme.md]]\n"
    assert "[the rule](../../shared/market/rule.md)" in text_of(root, "archive/deep/scheme.md")
    assert git(root, "log", "--format=%s").splitlines() == ["move: The plan", "By hand"]
    assert git(root, "status", "--porcelain") == ""
    assert {one.path for one in vault.overview.links(PERSON, "my-plan").back} == {
        "notes/regime.md", "notes/deep/other.md", "shared/market/rule.md", "private/mira/diary.md",
    }  # fmt: skip
    assert not vault.overview.broken_links(PERSON).broken
    assert [one.subject for one in vault.history.log(PERSON, "my-plan")] == ["move: The plan", "By hand"]


def test_an_agents_move_changes_links_only_where_it_may_write(vault: Vault, root: Path, git: Git) -> None:
    for name in ("shared/old.md", "shared/with-link.md", "notes/with-link.md", "private/mira/with-link.md"):
        (root / name).write_text(f"[[shared/old]] {name}\n", encoding="utf-8")
    moved = vault.files.move(AKASHI, "shared/old.md", "market/", update_links=True)
    assert moved.written.path == "shared/market/old.md"
    assert dict(moved.updated) == {"shared/market/old.md": 1, "shared/with-link.md": 1}
    assert [path for path, _ in moved.broken] == ["notes/with-link.md"]
    assert text_of(root, "private/mira/with-link.md").startswith("[[shared/old]]")
    assert git(root, "log", "-1", "--format=%an") == "akashi"


def test_a_link_that_still_leads_there_is_left_as_it_is(vault: Vault, root: Path) -> None:
    moved = vault.files.move(PERSON, "notes/regime.md", "archive/", update_links=True)
    assert [path for path, _ in moved.updated] == ["archive/regime.md"]
    assert text_of(root, "notes/plan.md") == PLAN
    assert "[[plan]]" in text_of(root, "archive/regime.md")
    assert "[p](../notes/plan.md#part)" in text_of(root, "archive/regime.md")


def test_a_name_that_becomes_ambiguous_keeps_every_link_where_it_led(vault: Vault, root: Path) -> None:
    moved = vault.files.move(PERSON, "notes/deep/other.md", "plan.md", update_links=True)
    assert moved.written.path == "notes/deep/plan.md"
    links = vault.overview.links(PERSON, "notes/plan.md")
    assert {(one.path, one.link.target) for one in links.back} >= {
        ("notes/regime.md", "plan"),
        ("notes/deep/plan.md", "notes/plan"),
        ("notes/deep/plan.md", "../plan.md"),
    }
    assert 'links: ["[[notes/plan]]"]' in text_of(root, "notes/deep/plan.md")


@pytest.mark.parametrize(
    ("ref", "to", "error"),
    [
        ("my-plan", "notes/regime.md", ConflictError),
        ("my-plan", "REGIME", ConflictError),
        ("my-plan", "shared/market/rule.md", ConflictError),
        ("my-plan", "notes/Deep/OTHER", ConflictError),
        ("my-plan", "ignored/", UsageError),
        ("my-plan", "", UsageError),
        ("nothing", "archive/", MemoryNotFoundError),
    ],
)
def test_a_place_that_is_taken_or_none_changes_nothing(
    vault: Vault, root: Path, git: Git, ref: str, to: str, error: type[Exception]
) -> None:
    (root / ".gitignore").write_text("ignored/\n", encoding="utf-8")
    before, head = tree(root), git(root, "rev-parse", "HEAD")
    with pytest.raises(error):
        vault.files.move(PERSON, ref, to, update_links=True)
    assert (tree(root), git(root, "rev-parse", "HEAD")) == (before, head)


def test_an_agent_moves_nothing_out_of_or_into_what_is_not_its_own(vault: Vault, root: Path) -> None:
    before = tree(root)
    for ref, to in [("my-plan", "shared/"), ("shared/market/rule.md", "private/mira/"), ("rule", "/")]:
        with pytest.raises(ScopeError):
            vault.files.move(AKASHI, ref, to)
    with pytest.raises(MemoryNotFoundError):
        vault.files.move(AKASHI, "private/mira/diary.md", "shared/")
    assert tree(root) == before


def test_a_move_to_where_it_is_changes_nothing(vault: Vault) -> None:
    for to in ("plan", "notes/", "notes/plan.md"):
        moved = vault.files.move(PERSON, "my-plan", to)
        assert (moved.written.known, moved.written.commit) == (True, None)


def test_a_rename_of_case_or_form_alone_is_a_move(vault: Vault, root: Path, git: Git) -> None:
    assert vault.files.move(PERSON, "my-plan", "PLAN").written.path == "notes/PLAN.md"
    assert sorted(file.name for file in (root / "notes").iterdir()) == ["PLAN.md", "deep", "regime.md"]
    assert git(root, "ls-files", "notes").splitlines() == [
        "notes/PLAN.md",
        "notes/deep/other.md",
        "notes/regime.md",
    ]
    assert vault.person.show("my-plan").memory.path == "notes/PLAN.md"


@pytest.mark.parametrize("update_links", [False, True])
def test_where_both_names_are_one_file_it_goes_by_way_of_a_third(
    vault: Vault, root: Path, git: Git, monkeypatch: pytest.MonkeyPatch, update_links: bool
) -> None:
    monkeypatch.setattr(files_of_a_vault, "locate", locate_in_any_case)
    moved = vault.files.move(PERSON, "my-plan", "PLAN", update_links=update_links)
    assert (moved.came_from, moved.written.path) == ("notes/plan.md", "notes/PLAN.md")
    assert sorted(file.name for file in (root / "notes").iterdir()) == ["PLAN.md", "deep", "regime.md"]
    assert git(root, "ls-files", "notes") == "notes/PLAN.md\nnotes/deep/other.md\nnotes/regime.md"
    assert git(root, "log", "--format=%s").splitlines() == ["move: The plan", "move: The plan", "By hand"]
    assert vault.person.show("my-plan").memory.path == "notes/PLAN.md"
    with pytest.raises(ConflictError):
        vault.files.move(PERSON, "my-plan", "Regime")


def locate_in_any_case(root: bytes, path: str, *, follow: bool) -> bytes:
    """As a file system that ignores case finds a file."""
    place = Path(locate(root, path, follow=follow).decode())
    there = [one for one in place.parent.iterdir() if one.name.lower() == place.name.lower()]
    return str(there[0] if there else place).encode()


def test_folders_take_the_spelling_that_is_there(vault: Vault) -> None:
    assert vault.files.move(PERSON, "my-plan", "Notes/DEEP/").written.path == "notes/deep/plan.md"


def test_a_place_is_named_from_where_the_caller_stands(vault: Vault) -> None:
    here = Scope(None, Namespace("notes"))
    assert vault.files.move(here, "plan.md", "deep").written.path == "notes/deep/plan.md"
    assert vault.files.move(here, "deep/plan.md", "./again").written.path == "notes/again.md"


def test_a_persons_uncommitted_changes_are_committed_first_as_theirs(
    vault: Vault, root: Path, git: Git
) -> None:
    for name in ("notes/plan.md", "notes/regime.md"):
        (root / name).write_text(FILES[name] + "by hand\n", encoding="utf-8")
    (root / "notes/deep/other.md").write_text("no link any more\n", encoding="utf-8")
    vault.files.move(PERSON, "my-plan", "archive/scheme.md", update_links=True)
    subjects = git(root, "log", "--format=%s").splitlines()
    assert subjects == ["move: The plan", "keep: regime", "keep: The plan", "By hand"]
    assert git(root, "status", "--porcelain") == " M notes/deep/other.md"
    assert text_of(root, "archive/scheme.md").endswith("by hand\n")


def test_half_staged_work_in_any_file_it_would_change_refuses_the_move(
    vault: Vault, root: Path, git: Git
) -> None:
    file = root / "notes/regime.md"
    file.write_text("staged [[plan]]\n", encoding="utf-8")
    git(root, "add", "notes/regime.md")
    file.write_text("staged [[plan]] and more\n", encoding="utf-8")
    before = tree(root)
    with pytest.raises(ConflictError, match="staged"):
        vault.files.move(PERSON, "my-plan", "scheme", update_links=True)
    assert tree(root) == before
    vault.files.move(PERSON, "my-plan", "scheme", update_links=False)
    assert text_of(root, "notes/regime.md") == "staged [[plan]] and more\n"


def test_an_untracked_file_is_moved_with_its_first_version_in_history(
    vault: Vault, root: Path, git: Git
) -> None:
    (root / "notes/new.md").write_text("new\n", encoding="utf-8")
    vault.files.move(PERSON, "notes/new.md", "archive/")
    assert git(root, "log", "-2", "--format=%s").splitlines() == ["move: new", "keep: new"]


def test_mode_and_attributes_go_with_it(vault: Vault, root: Path) -> None:
    (root / "notes/plan.md").chmod(0o600)
    vault.files.move(PERSON, "my-plan", "archive/")
    assert stat.S_IMODE((root / "archive/plan.md").stat().st_mode) == 0o600


def test_a_write_protected_file_stays_where_it_is(vault: Vault, root: Path, git: Git) -> None:
    before, head = tree(root), git(root, "rev-parse", "HEAD")
    for protected in ("notes/plan.md", "notes/regime.md"):
        (root / protected).chmod(0o444)
        with pytest.raises(StorageError, match="write-protected"):
            vault.files.move(PERSON, "my-plan", "archive/scheme.md", update_links=True)
        assert (tree(root), git(root, "rev-parse", "HEAD")) == (before, head)
        assert not vault.upkeep.settle().waiting
        (root / protected).chmod(0o644)


def test_a_link_in_the_file_system_is_named_and_left(vault: Vault, root: Path) -> None:
    (root / "notes/way.md").symlink_to("plan.md")
    with pytest.raises(ConflictError, match=r"link to plan\.md"):
        vault.files.move(PERSON, "notes/way.md", "archive/")
    assert (root / "notes/way.md").is_symlink()
    assert text_of(root, "notes/plan.md") == PLAN


def test_without_git_it_is_moved_and_waits(vault: Vault, root: Path, git: Git) -> None:
    git(root, "checkout", "--quiet", "--detach")
    moved = vault.files.move(PERSON, "my-plan", "archive/", update_links=True)
    assert moved.written.commit is None
    assert "HEAD" in str(moved.written.reason)
    assert vault.person.show("my-plan").memory.path == "archive/plan.md"
    git(root, "checkout", "--quiet", "main")
    assert not vault.upkeep.settle().waiting
    assert git(root, "log", "-1", "--format=%s") == "move: The plan"
    assert git(root, "status", "--porcelain") == ""


@pytest.mark.parametrize("writes", range(5))
def test_a_disk_that_fails_on_the_way_leaves_everything_where_it_was(
    vault: Vault, root: Path, git: Git, monkeypatch: pytest.MonkeyPatch, writes: int
) -> None:
    before, head = tree(root), git(root, "rev-parse", "HEAD")
    vault.person.list()
    with monkeypatch.context() as patched:
        patched.setattr(VaultFiles, "write", _failing_after(VaultFiles.write, writes))
        with pytest.raises(StorageError, match="full"):
            vault.files.move(PERSON, "my-plan", "archive/scheme.md", update_links=True)
    assert (tree(root), git(root, "rev-parse", "HEAD")) == (before, head)
    assert vault.person.show("my-plan").memory.path == "notes/plan.md"
    assert not vault.upkeep.settle().waiting


def _failing_after(write: object, writes: int) -> object:
    calls = iter(range(writes + 1))

    def failing(files: object, path: VaultPath, content: bytes, **how: object) -> object:
        if next(calls, None) == writes:
            raise StorageError(path, "the disk is full")
        return write(files, path, content, **how)  # type: ignore[operator]  # the method that it stands for

    return failing


def test_pictures_and_papers_beside_a_note_are_found_from_its_new_place(vault: Vault, root: Path) -> None:
    (root / "notes/img").mkdir()
    for name in ("notes/img/a b.png", "notes/c.pdf", "logo.png"):
        (root / name).write_bytes(b"\0")
    (root / "notes/own.md").write_text(
        '![a](img/a%20b.png "The a") [c](<c.pdf#page=2>) ![l](../logo.png) [[./c.pdf|paper]] ![[c.pdf]]\n'
        "![no](gone.png) ![w](https://x.org/c.pdf) ![r](/logo.png) `![c](c.pdf)` [own](#part)\n",
        encoding="utf-8",
    )
    moved = vault.files.move(PERSON, "notes/own.md", "archive/2026/")
    assert moved.updated == (("archive/2026/own.md", 4),)
    assert text_of(root, "archive/2026/own.md") == (
        '![a](../../notes/img/a%20b.png "The a") [c](<../../notes/c.pdf#page=2>) ![l](../../logo.png)'
        " [[../../notes/c.pdf|paper]] ![[c.pdf]]\n"
        "![no](gone.png) ![w](https://x.org/c.pdf) ![r](/logo.png) `![c](c.pdf)` [own](#part)\n"
    )
    vault.files.move(PERSON, "archive/2026/own.md", "notes/")
    assert text_of(root, "notes/own.md").startswith(
        '![a](img/a%20b.png "The a") [c](<c.pdf#page=2>) ![l](../logo'
    )


def test_embeds_headings_and_blocks_of_a_link_stay(vault: Vault, root: Path) -> None:
    (root / "notes/who.md").write_text(
        "![[notes/plan#Part|x]] ![[notes/plan#^b]] [[plan#A#B]] [p](plan.md#a-b)\n", encoding="utf-8"
    )
    vault.files.move(PERSON, "my-plan", "archive/scheme")
    assert text_of(root, "notes/who.md") == (
        "![[archive/scheme#Part|x]] ![[archive/scheme#^b]] [[scheme#A#B]] [p](../archive/scheme.md#a-b)\n"
    )


def test_a_rename_by_an_editor_that_changes_its_links_leaves_none_broken(vault: Vault, root: Path) -> None:
    vault.files.move(PERSON, "my-plan", "archive/scheme")  # so that all links are by name or path
    (root / "archive/scheme.md").rename(root / "notes/proposal.md")
    for file in root.rglob("*.md"):
        text = file.read_text(encoding="utf-8")
        by_editor = text.replace("[[archive/scheme", "[[notes/proposal").replace("[[scheme", "[[proposal")
        file.write_text(by_editor.replace("archive/scheme.md", "notes/proposal.md"), encoding="utf-8")
    assert vault.person.show("my-plan").memory.path == "notes/proposal.md"
    back = vault.overview.links(PERSON, "my-plan").back
    assert {"notes/regime.md", "notes/deep/other.md"} <= {one.path for one in back}
    assert not [one for one in vault.overview.broken_links(PERSON).broken if "scheme" in one.link.target]
