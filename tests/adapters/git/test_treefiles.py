"""The files of a commit are those that a checkout of it would have, byte for byte."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.gitrun import run_git
from vault_memory.adapters.files.tree import VaultFiles
from vault_memory.adapters.git.treefiles import CommitFiles
from vault_memory.errors import ReadOnlyError, StorageError
from vault_memory.model.namespace import VaultPath

SHAPES: dict[str, tuple[str, ...]] = {"libgit2": (), "only git": ("--object-format=sha256",)}
LIMIT = 5_000
FILES = {
    "notes/a.md": b"one\n",
    "notes/b.markdown": b"two\r\nlines",
    "notes/deep/er/c.md": "drei ä 重启\n".encode(),
    "shared/x.md": b"",
    "shared/build/kept.md": b"vmem writes here\n",
    "wiki/build/out.md": b"ignored by a rule above\n",
    "wiki/inner/out.md": b"ignored by a rule here\n",
    "wiki/inner/in/in.md": b"and this is not\n",
    "wiki/inner/.gitignore": b"*\n!in/\n",
    "node_modules/n.md": b"foreign\n",
    ".hidden/h.md": b"hidden\n",
    "notes/.h.md": b"hidden too\n",
    "notes/~$lock.md": b"of an office\n",
    "notes/plain.txt": b"no memory\n",
    "drafts/d.md": b"left out by the setting\n",
    "eol/crlf.md": b"stored with\nplain ends\n",
    "eol/ident.md": b"$Id$\n",
    "notes/large.md": b"x" * (LIMIT + 1),
}
ATTRIBUTES = b"eol/crlf.md text eol=crlf\neol/ident.md ident\n"


@pytest.fixture(scope="module", params=list(SHAPES.values()), ids=list(SHAPES))
def root(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A vault in a subfolder of a repository, clean, as a checkout has it."""
    repo = tmp_path_factory.mktemp("tree") / "repo"
    vault = repo / "my brain"
    vault.mkdir(parents=True)
    run_git(repo, "init", "-q", "-b", "main", *request.param)
    (repo / ".gitignore").write_bytes(b"build/\n")
    (vault / ".gitattributes").write_bytes(ATTRIBUTES)
    (vault / ".vmem").mkdir()
    (vault / ".vmem" / "config.toml").write_bytes(b"format = 1\n")
    for name, content in FILES.items():
        file = vault / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    (vault / "notes" / "link.md").symlink_to("a.md")
    run_git(repo, "add", "--force", "--all")
    run_git(repo, "commit", "-q", "-m", "all")
    run_git(repo, "rm", "-q", "-r", "--cached", ".")
    run_git(repo, "reset", "-q", "--hard")
    return vault


def commit_files(root: Path, commit: str = "HEAD") -> CommitFiles:
    return CommitFiles(
        root,
        run_git(root, "rev-parse", commit),
        shown="the vault as of then",
        max_bytes=LIMIT,
        exclude=("drafts/",),
    )


def test_they_are_the_files_of_a_checkout(root: Path) -> None:
    on_disk = VaultFiles(root, max_bytes=LIMIT, exclude=("drafts/",))
    of_commit = commit_files(root)
    wanted = [stamp.path for stamp in on_disk.scan().stamps]
    assert [stamp.path for stamp in of_commit.scan().stamps] == wanted
    assert {"shared/build/kept.md", "wiki/inner/in/in.md", "eol/crlf.md"} <= set(wanted)
    assert "wiki/build/out.md" not in wanted
    for path in wanted:
        if path == "notes/large.md":
            continue
        ours, theirs = of_commit.read(path), on_disk.read(path)
        assert ours is not None
        assert theirs is not None
        assert ours.content == theirs.content, path
        assert ours.stamp == of_commit.stat(path)
    assert b"\r\n" in (root / "eol" / "crlf.md").read_bytes()
    assert {path for path, _ in of_commit.scan().skipped} == {path for path, _ in on_disk.scan().skipped}


def test_a_file_above_the_limit_is_not_read(root: Path) -> None:
    with pytest.raises(StorageError, match="more than the limit"):
        commit_files(root).read(VaultPath("notes/large.md"))


def test_a_stamp_tells_the_bytes_whatever_the_commit(root: Path, tmp_path: Path) -> None:
    run_git(tmp_path, "clone", "-q", "--no-local", str(root.parent), "clone")
    clone = tmp_path / "clone" / root.name
    (clone / "notes" / "a.md").write_bytes(b"won\n")
    (clone / "shared" / "x.md").unlink()
    run_git(clone, "commit", "-q", "-a", "-m", "later")
    before, after = commit_files(clone, "HEAD~1"), commit_files(clone)
    assert after.differing(before.scan().stamps) == ["notes/a.md", "shared/x.md"]
    assert after.stat(VaultPath("shared/x.md")) is None
    assert after.read(VaultPath("shared/x.md")) is None
    found = before.read(VaultPath("notes/a.md"))
    assert found is not None
    assert found.content == b"one\n"


def test_links_and_what_is_no_memory_are_not_followed(root: Path) -> None:
    files = commit_files(root)
    assert files.link_text(VaultPath("notes/link.md")) == b"a.md"
    assert files.read(VaultPath("notes/link.md")) is None
    for name in ("notes/plain.txt", "../README.md", "notes", ".hidden/h.md"):
        assert files.read(VaultPath(name)) is None
        assert not files.is_memory(VaultPath(name))


def test_nothing_can_be_written(root: Path) -> None:
    files = commit_files(root)
    with pytest.raises(ReadOnlyError, match="the vault as of then"):
        files.write(VaultPath("notes/new.md"), b"", replacing=None)
    with pytest.raises(ReadOnlyError, match="nothing was written"):
        files.remove(VaultPath("notes/a.md"), replacing="0" * 64)


def test_a_commit_without_the_vaults_folder_holds_nothing(root: Path, tmp_path: Path) -> None:
    run_git(tmp_path, "clone", "-q", "--no-local", str(root.parent), "clone")
    clone = tmp_path / "clone"
    run_git(clone, "switch", "-q", "--orphan", "other")
    run_git(clone, "commit", "-q", "--allow-empty", "-m", "nothing")
    run_git(clone, "switch", "-q", "main")
    assert commit_files(clone / root.name, "other").scan().stamps == ()


def test_files_that_a_filter_writes_come_out_as_it_writes_them(root: Path, tmp_path: Path) -> None:
    """Many at once, and where one can't be had the others are there."""
    run_git(tmp_path, "clone", "-q", "--no-local", str(root.parent), "clone")
    clone = tmp_path / "clone" / root.name
    run_git(clone, "config", "filter.loud.smudge", "sh -c 'if grep -q bad; then exit 1; else echo LOUD; fi'")
    run_git(clone, "config", "filter.loud.clean", "cat")
    run_git(clone, "config", "filter.loud.required", "true")
    (clone / ".gitattributes").write_bytes(ATTRIBUTES + b"loud/*.md filter=loud\n")
    (clone / "loud").mkdir()
    for number in range(5):
        (clone / "loud" / f"{number}.md").write_bytes(b"bad\n" if number == 3 else b"quiet missing\n")
    run_git(clone, "add", "--all", ".")
    run_git(clone, "commit", "-q", "-m", "loud")
    files = commit_files(clone)
    for number in (0, 1, 2, 4):
        found = files.read(VaultPath(f"loud/{number}.md"))
        assert found is not None
        assert found.content == b"LOUD\n"
    with pytest.raises(StorageError, match=r"loud/3\.md"):
        files.read(VaultPath("loud/3.md"))
