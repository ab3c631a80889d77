"""Secrets in files that people saved, in what is staged, and in all that git still holds."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from random import Random

import pytest

from tests.gitrun import run_git
from tests.made_secrets import TOKENS, key_block
from vault_memory.errors import GitError, PersonOnlyError
from vault_memory.model.past import Buried, Unearthed
from vault_memory.model.wirepast import unearthed
from vault_memory.vault import Vault

TOKEN = TOKENS["github-token"][0](Random(41))
OTHER = TOKENS["stripe-key"][0](Random(42))
LEAKS = {
    "github-token": f"token ghp{'_'}{'A1b2C3d4' * 5}",
    "private-key": key_block(Random(43)),
    "password-in-url": f"https://u:p4ss@{'host'}/",
    "assigned-password": f"export DB_PASSWORD={'hunter' + '22'}",
}


def vault_at(root: Path, files: Mapping[str, str] | None = None) -> Path:
    Vault.create(root)
    for name, text in (files or {}).items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    return root


def commit(root: Path, message: str) -> str:
    run_git(root, "add", "--all", ".")
    run_git(root, "commit", "--quiet", "--allow-empty", "-m", message)
    return run_git(root, "rev-parse", "HEAD")


def looked(root: Path, *paths: str, agent: str | None = None) -> list[tuple[str, int, str]]:
    with Vault.open(root) as vault:
        who = vault.person if agent is None else vault.agent(agent)
        report = vault.upkeep.secrets.look(who.scope, paths=paths)
    assert TOKEN not in repr([(one.message, one.advice) for one in report.findings])
    return [(one.path, one.line, one.message) for one in report.findings]


def unearth(root: Path) -> Unearthed:
    with Vault.open(root) as vault:
        found = vault.upkeep.secrets.history(vault.person.scope)
    assert TOKEN not in repr(found)
    return found


def places(found: Unearthed) -> list[tuple[str | None, int, str]]:
    return [(one.path, one.line, one.rule) for one in found.found]


@pytest.mark.parametrize("rule", LEAKS)
def test_a_file_saved_in_an_editor_is_named_with_rule_and_line(tmp_path: Path, rule: str) -> None:
    texts = {"a.md": LEAKS[rule], "b.md": f"---\nremark: x\n---\n\n{LEAKS[rule]}\n", "c.md": "all is well"}
    message = f"looks like a secret ({rule})"
    below = int(rule == "private-key")  # of a key it is the line below its head
    found = [("a.md", 1 + below, message), ("b.md", 5 + below, message)]
    assert looked(vault_at(tmp_path / "v", texts)) == found


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        ("tags.md", f"---\ntags: [ops, {TOKEN}]\n---\nx", 2),
        ("title.md", f"---\nid: x\ntitle: The {TOKEN}\n---\nx", 3),
        ("key.md", f"---\nremark: {TOKEN}\n---\nx", 2),
        ("no-end.md", f"---\nremark: {TOKEN}", 2),
        (f"a {TOKEN}.md", "x", 1),
        ("Folder/inner/crlf.md", f"a\r\nb\r\n{TOKEN}", 3),
        (".vmem/checks.yaml", f'- ask: "{TOKEN}"', 1),
    ],
    ids=["tag", "title", "key", "broken", "name", "folder", "checks"],
)
def test_no_place_of_a_vault_is_overlooked(tmp_path: Path, name: str, text: str, line: int) -> None:
    root = vault_at(tmp_path / "v", {name: text})
    assert [(path, at) for path, at, _ in looked(root)] == [(name, line)]
    index = root / ".vmem/local/index.db"
    before = index.read_bytes() if index.exists() else b""
    assert looked(root, name) == looked(root)
    assert (index.read_bytes() if index.exists() else b"") == before, "no index is needed, and none is made"


def test_a_file_that_is_named_is_looked_into_whatever_it_is_and_no_other(tmp_path: Path) -> None:
    root = vault_at(
        tmp_path / "v",
        {".obsidian/app.json": TOKEN, "sheet.csv": f"a,b\n1,{TOKEN}\n", "n/x.md": TOKEN, "n/y.md": TOKEN},
    )
    assert [path for path, _, _ in looked(root)] == ["n/x.md", "n/y.md"]
    named = (".obsidian/app.json", "sheet.csv", "n/y.md", "gone.md")
    assert [(path, line) for path, line, _ in looked(root, *named)] == [
        (".obsidian/app.json", 1), ("n/y.md", 1), ("sheet.csv", 2)
    ]  # fmt: skip
    assert [path for path, _, _ in looked(root, "n")] == ["n/x.md", "n/y.md"]


def test_what_can_not_be_read_is_told_and_does_not_count_as_looked_into(tmp_path: Path) -> None:
    root = vault_at(tmp_path / "v", {"big.md": "x" * 3000, "a.md": "x"})
    (root / "link.txt").symlink_to(tmp_path)
    with Vault.open(root, settings={"max_file_bytes": 1024}) as vault:
        report = vault.upkeep.secrets.look(vault.person.scope, paths=["big.md", "a.md", "link.txt"])
    assert report.files == 1
    [notice] = report.notices
    assert notice.startswith("big.md was not looked into: its 3,000 bytes are more")


def test_allowed_texts_and_ignored_folders_count_here_as_everywhere(tmp_path: Path) -> None:
    root = vault_at(tmp_path / "v", {"Templates/a.md": OTHER, "b.md": TOKEN})
    with (root / ".vmem/config.toml").open("a", encoding="utf-8") as file:
        file.write(f'allow_secrets = ["{TOKEN}"]\nlint_ignore = ["Templates/"]\n')
    assert looked(root) == []


def test_an_agent_hears_only_of_files_that_it_may_read(tmp_path: Path) -> None:
    root = vault_at(tmp_path / "v", {f"private/{name}/a.md": TOKEN for name in ("akashi", "mira")})
    assert [path for path, _, _ in looked(root, agent="mira")] == ["private/mira/a.md"]
    with Vault.open(root) as vault, pytest.raises(PersonOnlyError, match="whole history"):
        vault.upkeep.secrets.history(vault.agent("mira").scope)


def test_of_what_is_staged_the_bytes_of_the_commit_count(tmp_path: Path) -> None:
    root = vault_at(tmp_path / "v", {"old.md": OTHER, "a.md": "x"})
    commit(root, "first")
    (root / "a.md").write_text(f"\n{TOKEN}", encoding="utf-8")
    run_git(root, "add", "a.md")
    (root / "a.md").write_text("x", encoding="utf-8")
    (root / "b.md").write_text(TOKEN, encoding="utf-8")
    with Vault.open(root) as vault:
        report = vault.upkeep.secrets.staged(vault.person.scope)
    assert [(one.path, one.line) for one in report.findings] == [("a.md", 2)]
    assert report.files == 1, "a file that the commit does not change is not looked into"


def test_every_version_on_any_ref_is_looked_through_once(tmp_path: Path) -> None:
    root = vault_at(tmp_path / "v", {"a.md": f"one\n{TOKEN}\n"})
    first = commit(root, "first")
    (root / "a.md").write_text(f"two\n\n{TOKEN}\n", encoding="utf-8")
    second = commit(root, f"it is {OTHER}")
    (root / "a.md").write_text("nothing any more\n", encoding="utf-8")
    (root / "still.md").write_text(f"---\nkey: {OTHER}\n---\n", encoding="utf-8")
    commit(root, "third")
    run_git(root, "checkout", "--quiet", "-b", "side")
    (root / "odd name\n.txt").write_text(TOKEN, encoding="utf-8")
    (root / "picture.png").write_bytes(b"\0\0" + TOKEN.encode())
    commit(root, "side")
    run_git(root, "checkout", "--quiet", "main")
    run_git(root, "merge", "--quiet", "--strategy=ours", "-m", "kept nothing of it", "side")
    run_git(root, "branch", "--quiet", "-D", "side")
    (root / "stashed.md").write_text(TOKEN, encoding="utf-8")
    run_git(root, "stash", "--quiet", "--include-untracked")
    run_git(root, "checkout", "--quiet", "--orphan", "apart")
    (root / "apart.md").write_text(TOKEN, encoding="utf-8")
    run_git(root, "add", "apart.md")
    run_git(root, "commit", "--quiet", "-m", "apart")
    run_git(root, "tag", "kept")
    run_git(root, "checkout", "--quiet", "--force", "main")
    run_git(root, "branch", "--quiet", "-D", "apart")
    found = unearth(root)
    github, stripe = "github-token", "stripe-key"
    assert places(found) == [
        ("a.md", 2, github), ("apart.md", 1, github), ("odd name\n.txt", 1, github),
        ("stashed.md", 1, github), ("still.md", 2, stripe), (None, 1, stripe),
    ]  # fmt: skip
    a = found.found[0]
    assert (a.first, a.last, a.versions, a.present) == (first, second, 2, False)
    assert [one.path for one in found.found if one.present] == ["still.md"]
    assert found.found[-1].first == second
    said = json.loads(json.dumps(unearthed(found)))
    assert said["found"][0] == {
        "path": "a.md", "line": 2, "rule": github, "first": first, "when": said["found"][0]["when"],
        "author": a.author, "last": second, "versions": 2, "present": False,
    }  # fmt: skip
    assert (said["versions"], said["commits"]) == (found.versions, found.commits)


def test_a_secret_that_a_merge_alone_brought_in_is_found(tmp_path: Path) -> None:
    root = vault_at(tmp_path / "v", {"a.md": "x"})
    commit(root, "first")
    run_git(root, "checkout", "--quiet", "-b", "side")
    commit(root, "side")
    run_git(root, "checkout", "--quiet", "main")
    commit(root, "main")
    run_git(root, "merge", "--quiet", "--no-commit", "--no-ff", "side")
    (root / "a.md").write_text(TOKEN, encoding="utf-8")
    merge = commit(root, "merged")
    (root / "a.md").write_text("x", encoding="utf-8")
    commit(root, "clean")
    [one] = unearth(root).found
    assert (one.path, one.first) == ("a.md", merge)


def test_of_a_repository_around_the_vault_only_the_vault_is_looked_through(tmp_path: Path) -> None:
    top = tmp_path / "project"
    top.mkdir()
    run_git(top, "init", "--quiet", "--initial-branch=main", "--object-format=sha256")
    root = vault_at(top / "docs/memory", {"a.md": TOKEN})
    (top / "code.txt").write_text(OTHER, encoding="utf-8")
    commit(top, "first")
    (top / "code.txt").write_text("x", encoding="utf-8")
    commit(top, f"elsewhere {OTHER}")
    found = unearth(root)
    assert places(found) == [("a.md", 1, "github-token")]
    assert found.commits == 1


@pytest.mark.parametrize("how", ["shallow", "partial"])
def test_what_a_clone_does_not_have_is_told_and_not_fetched(tmp_path: Path, how: str) -> None:
    root = vault_at(tmp_path / "v", {"a.md": TOKEN, "b.md": "x"})
    commit(root, "first")
    (root / "a.md").write_text("x", encoding="utf-8")
    commit(root, "clean")
    run_git(root, "config", "uploadpack.allowFilter", "true")
    option = "--depth=1" if how == "shallow" else "--filter=blob:none"
    run_git(tmp_path, "clone", "--quiet", option, root.as_uri(), "clone")
    found = unearth(tmp_path / "clone")
    assert found.found == ()
    told = {"shallow": "this clone is shallow", "partial": "1 version could not be looked into"}
    [notice] = found.notices
    assert notice.startswith(told[how])


def test_a_linked_worktree_and_a_separate_git_folder_have_their_history_too(tmp_path: Path) -> None:
    root = vault_at(tmp_path / "v", {"a.md": TOKEN})
    commit(root, "first")
    run_git(root, "worktree", "add", "--quiet", str(tmp_path / "linked"), "HEAD")
    run_git(root, "init", "--quiet", f"--separate-git-dir={tmp_path / 'apart.git'}")
    for place in (tmp_path / "linked", root):
        assert places(unearth(place)) == [("a.md", 1, "github-token")]
    (root / ".git").unlink()
    with Vault.open(root) as vault, pytest.raises(GitError, match="no git repository holds"):
        vault.upkeep.secrets.history(vault.person.scope)


def test_before_the_first_commit_there_is_nothing_to_find(tmp_path: Path) -> None:
    assert unearth(vault_at(tmp_path / "v", {"a.md": TOKEN})) == Unearthed((), 0, 0)


def test_a_find_says_where_and_never_what() -> None:
    assert set(Buried.__slots__) == {
        "rule", "path", "line", "first", "when", "author", "last", "versions", "present"
    }  # fmt: skip
