"""Run from inside another git, vmem commits to the vault's repository and to no other."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from tests.cases.beside_git import PACKAGE, Desk, new_desk, sound, vmem_command, work
from tests.cases.blockers import hook, script
from tests.gitrun import run_git

PLACES = (
    "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_COMMON_DIR", "GIT_NAMESPACE",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_PREFIX", "GIT_QUARANTINE_PATH", "GIT_CEILING_DIRECTORIES",
    "GIT_SHALLOW_FILE", "GIT_GRAFT_FILE",
)  # fmt: skip
COMMANDS = (
    ("remember", "Ferries sail north", "--title", "Ferry"),
    ("edit", "Harbour", "--importance", "0.9"),
    ("forget", "Harbour"),
    ("restore", "Pier"),
    ("undo",),
)


@pytest.fixture
def outer(tmp_path: Path) -> Path:
    """A repository that is not the vault's, with one commit and a staged file."""
    outer = tmp_path / "outer"
    outer.mkdir()
    run_git(outer, "init", "--quiet")
    (outer / "code.py").write_text("one\n")
    run_git(outer, "add", "code.py")
    run_git(outer, "commit", "--quiet", "--message=code")
    (outer / "code.py").write_text("two\n")
    run_git(outer, "add", "code.py")
    return outer


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    desk = new_desk(tmp_path / "vault")
    desk.vmem("remember", "The harbour closes at nine", "--title", "Harbour")
    desk.vmem("remember", "The old pier is gone", "--title", "Pier")
    desk.vmem("forget", "Pier")
    return desk


@pytest.mark.parametrize("name", ["pre-commit", "post-commit", "commit-msg"])
def test_a_hook_of_another_repository_may_remember(desk: Desk, outer: Path, name: str) -> None:
    command = vmem_command(desk.root, "remember", "A commit was made", "--title", "Noted", "--require-commit")
    hook(outer, name, "env | grep ^GIT_ > ../seen", f"PYTHONPATH={PACKAGE} {shlex.join(command)} || exit 1")
    run_git(outer, "commit", "--quiet", "--message=two")
    assert "GIT_INDEX_FILE=" in (outer.parent / "seen").read_text()
    assert desk.subjects("-1") == ["remember: Noted"]
    assert desk.git("status", "--porcelain", "--", "notes") == ""
    assert run_git(outer, "log", "--format=%s").splitlines() == ["two", "code"]
    assert run_git(outer, "ls-files") == "code.py"
    assert run_git(outer, "status", "--porcelain") == ""
    sound(outer)
    sound(desk.root)


def test_an_alias_with_a_temporary_index_may_remember(desk: Desk, outer: Path) -> None:
    """`git commit FILE` runs its hooks on an index of its own, under the outer repository's lock."""
    (outer / "more.py").write_text("more\n")
    run_git(outer, "add", "--intent-to-add", "more.py")
    command = vmem_command(desk.root, "remember", "A commit was made", "--title", "Noted", "--require-commit")
    hook(outer, "pre-commit", "env | grep ^GIT_ > ../seen", f"PYTHONPATH={PACKAGE} {shlex.join(command)}")
    run_git(outer, "commit", "--quiet", "--message=part", "more.py")
    assert "next-index" in (outer.parent / "seen").read_text()
    assert desk.subjects("-1") == ["remember: Noted"]
    assert run_git(outer, "diff", "--cached", "--name-only") == "code.py"
    sound(outer)


@pytest.mark.parametrize("slow", [False, True], ids=["plain", "hooks"])
@pytest.mark.parametrize("command", COMMANDS, ids=lambda one: one[0])
def test_an_outer_gits_places_never_reach_ours(
    desk: Desk, outer: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...], slow: bool
) -> None:
    if slow:
        hook(desk.root, "pre-commit", 'test -z "$GIT_DIR" || test "$(git rev-parse --git-dir)" = .git')
    before, refs = work(outer), run_git(outer, "for-each-ref")
    objects = sorted(str(path) for path in (outer / ".git").rglob("*"))
    head = desk.git("rev-parse", "HEAD")
    with pytest.MonkeyPatch.context() as inside:
        for name in PLACES:
            inside.setenv(name, str(outer / ".git" / {"GIT_INDEX_FILE": "index"}.get(name, "")))
        inside.setenv("GIT_WORK_TREE", str(outer))
        inside.setenv("GIT_OBJECT_DIRECTORY", str(outer / ".git" / "objects"))
        inside.setenv("GIT_LITERAL_PATHSPECS", "0")
        inside.setenv("GIT_GLOB_PATHSPECS", "1")
        inside.chdir(outer)
        answer = desk.json(*command)
        log = desk.json("log")
        status = desk.json("status")
    [written] = answer if command == ("undo",) else [answer]
    assert written["committed"] == desk.git("rev-parse", "HEAD")
    assert log[0]["commit"] == written["committed"]
    assert status["head"] == written["committed"]
    assert status["uncommitted"] == []
    assert desk.git("rev-parse", "HEAD~1") == head
    assert (work(outer), run_git(outer, "for-each-ref")) == (before, refs)
    assert sorted(str(path) for path in (outer / ".git").rglob("*")) == objects
    sound(desk.root)


def test_an_outer_gits_configuration_still_names_the_person(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`GIT_COMMITTER_NAME` is the person's own word, unlike where an outer git keeps its files."""
    monkeypatch.setenv("GIT_COMMITTER_NAME", "On The Train")
    monkeypatch.setenv("GIT_COMMITTER_EMAIL", "train@example.invalid")
    desk.json("--agent", "akashi", "remember", "Ferries sail north")
    assert desk.git("log", "-1", "--format=%an %cn %ce") == "akashi On The Train train@example.invalid"


def test_a_git_on_the_path_that_prints_noise_spoils_nothing(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = run_git(desk.root, "--exec-path") + "/git"
    script(tmp_path / "bin" / "git", "echo 'warning: a wrapper says hello' >&2", f'exec "{real}" "$@"')
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    hook(desk.root, "pre-commit", "exit 0")
    said = desk.vmem("remember", "Ferries sail north", "--json")
    assert said.err == ""
    assert said.value["committed"] == desk.git("rev-parse", "HEAD")
    assert desk.json("log")[0]["op"] == "remember"
