"""Finding a vault and making one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.adapters.files.unprivileged import run_unprivileged
from tests.gitrun import Git
from vault_memory.adapters.files.layout import create_layout, find_vault
from vault_memory.errors import StorageError

CONFIG = "format = 1\n# inbox = 'notes'\n"


def test_a_new_vault_is_found_from_anywhere_inside(tmp_path: Path) -> None:
    root = tmp_path / "some" / "vault"
    create_layout(root, CONFIG)
    (root / "notes/deep").mkdir(parents=True)
    (root / "notes/a.md").write_bytes(b"x")
    for start in (root, root / "notes/deep", root / "notes/a.md", root / ".vmem/local", root / "not/there"):
        assert find_vault(start) == root.resolve()
    assert find_vault(tmp_path) is None


def test_the_nearest_vault_wins(tmp_path: Path) -> None:
    create_layout(tmp_path, CONFIG)
    create_layout(tmp_path / "inner", CONFIG)
    assert find_vault(tmp_path / "inner") == (tmp_path / "inner").resolve()


def test_a_folder_called_dot_vmem_alone_is_no_vault(tmp_path: Path) -> None:
    root = tmp_path / ".vmem" / "vault"
    create_layout(root, CONFIG)
    assert find_vault(root) == root.resolve()
    assert find_vault(tmp_path) is None


def test_it_says_what_it_made_and_makes_it_once(tmp_path: Path) -> None:
    assert create_layout(tmp_path, CONFIG) == (".vmem/.gitignore", ".vmem/config.toml", ".vmem/local/")
    assert (tmp_path / ".vmem/config.toml").read_text() == CONFIG
    assert (tmp_path / ".vmem/.gitignore").read_text() == "/local\n"
    assert (tmp_path / ".vmem/local").stat().st_mode & 0o777 == 0o700
    assert create_layout(tmp_path, "format = 2\n") == ()
    assert (tmp_path / ".vmem/config.toml").read_text() == CONFIG


def test_nothing_of_the_persons_is_touched(tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_bytes(b"*.log\r\n")
    (tmp_path / "note.md").write_bytes(b"mine")
    before = {place: place.stat() for place in tmp_path.iterdir()}
    create_layout(tmp_path, CONFIG)
    assert {place: place.stat() for place in before} == before


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"# mine\n", b"# mine\n/local\n"),
        (b"no line end", b"no line end\n/local\n"),
        (b"", b"/local\n"),
        (b"/local\r\n", b"/local\r\n"),
    ],
)
def test_an_ignore_file_that_is_there_is_only_added_to(tmp_path: Path, before: bytes, after: bytes) -> None:
    (tmp_path / ".vmem").mkdir()
    (tmp_path / ".vmem/.gitignore").write_bytes(before)
    made = create_layout(tmp_path, CONFIG)
    assert (tmp_path / ".vmem/.gitignore").read_bytes() == after
    assert (".vmem/.gitignore" in made) == (before != after)


def test_git_ignores_the_local_folder_and_nothing_else(tmp_path: Path, git: Git, repo: Path) -> None:
    root = repo / "inner"
    create_layout(root, CONFIG)
    (root / ".vmem/local/index.db").write_bytes(b"x")
    (root / "local").mkdir()
    (root / "local/a.md").write_bytes(b"x")
    seen = git(repo, "status", "--porcelain", "--untracked-files=all").split()[1::2]
    assert seen == ["inner/.vmem/.gitignore", "inner/.vmem/config.toml", "inner/local/a.md"]


def test_a_local_folder_on_another_disk_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "vault/.vmem").mkdir(parents=True)
    (tmp_path / "vault/.vmem/local").symlink_to(tmp_path / "elsewhere")
    create_layout(tmp_path / "vault", CONFIG)
    assert (tmp_path / "vault/.vmem/local").is_symlink()


def test_a_file_in_the_way_is_told(tmp_path: Path) -> None:
    (tmp_path / ".vmem").write_bytes(b"")
    with pytest.raises(StorageError, match="can't make a vault in"):
        create_layout(tmp_path, CONFIG)
    assert list(tmp_path.iterdir()) == [tmp_path / ".vmem"]


def test_a_folder_that_may_not_be_written_is_told() -> None:
    told = run_unprivileged(
        """
        os.mkdir(root / "closed", 0o500)
        fails(lambda: create_layout(root / "closed", "format = 1\\n"))
        report(os.listdir(root / "closed"))
        report(str(find_vault(root / "closed")) == str(root.resolve()))
        os.mkdir(root / "unseen", 0)
        report(str(find_vault(root / "unseen")) == str(root.resolve()))
        """
    )
    assert told == ["StorageError: can't make a vault in ROOT/closed: permission denied", [], True, True]
