"""A person's own work stays exactly as it was, and git's refusals reach them in its own words."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from tests.adapters.git.conftest import Bench, MakeBench
from tests.gitrun import run_git
from vault_memory.adapters.git import reasons
from vault_memory.adapters.git.hooks import OUR_MARK
from vault_memory.model.revision import FileState


def install(bench: Bench, name: str, script: str) -> Path:
    """Put a hook in place."""
    hook = bench.root / ".git" / "hooks" / name
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\n{script}\n")
    hook.chmod(0o755)
    return hook


def waits(bench: Bench, path: str = "a.md") -> str:
    """Write a file whose commit has to wait; the reason. HEAD and index stand as before."""
    before = (bench.history.state().head, bench.git("ls-files", "--stage"))
    intent = bench.write(path, "text\n")
    report = bench.commit(intent)
    assert (report.commits, report.unversioned) == ({}, {})
    assert (bench.history.state().head, bench.git("ls-files", "--stage")) == before
    assert bench.strays() == []
    return report.waiting[intent.number]


def mess(bench: Bench) -> None:
    """Staged, partly staged, untracked and changed files of the person's, one of each."""
    for name in ("b.py", "other-note.md", "gone.md"):
        (bench.root / name).write_text("one\n")
    bench.git("add", "b.py", "other-note.md", "gone.md")
    bench.git("commit", "--quiet", "--message=base")
    (bench.root / "app.py").write_text("staged\n")
    (bench.root / "b.py").write_text("one\ntwo\n")
    bench.git("add", "app.py", "b.py")
    bench.git("rm", "--quiet", "--cached", "gone.md")
    (bench.root / "b.py").write_text("one\ntwo\nthree\n")
    (bench.root / "draft.txt").write_text("untracked\n")
    (bench.root / "meant.md").write_text("intended\n")
    bench.git("add", "--intent-to-add", "meant.md")
    (bench.root / "other-note.md").write_text("changed\n")


def picture(bench: Bench) -> tuple[str, str, str]:
    """What git shows of the person's work."""
    return (
        bench.git("diff", "--cached"),
        bench.git("diff"),
        bench.git("status", "--porcelain", "--untracked-files=all"),
    )


def test_staged_half_staged_and_untracked_work_is_as_before(bench: Bench) -> None:
    mess(bench)
    before = picture(bench)
    commit = bench.remember("notes/a.md")
    assert bench.files_in(commit) == ["A notes/a.md"]
    assert picture(bench) == before


def test_the_slow_road_leaves_the_persons_work_alone_too(bench: Bench) -> None:
    mess(bench)
    install(bench, "post-commit", "exit 0")
    before = picture(bench)
    assert bench.files_in(bench.remember("notes/a.md")) == ["A notes/a.md"]
    assert picture(bench) == before


def test_a_file_partly_staged_keeps_its_staged_version(bench: Bench) -> None:
    bench.remember("a.md", "one\n")
    (bench.root / "a.md").write_text("staged\n")
    bench.git("add", "a.md")
    intent = bench.write("a.md", "working\n")
    assert bench.history.file_state(intent.operation.path) is FileState.PARTLY_STAGED
    bench.commit(intent)
    assert bench.git("show", ":a.md") == "staged"
    assert bench.git("show", "HEAD:a.md") == "working"


def test_an_unmerged_file_waits_and_others_do_not(bench: Bench) -> None:
    bench.remember("a.md", "base\n")
    (bench.root / "a.md").write_text("stashed\n")
    bench.git("stash", "--quiet")
    bench.remember("a.md", "newer\n")
    subprocess.run(["git", "stash", "pop"], cwd=bench.root, capture_output=True, check=False)
    before = bench.git("ls-files", "--unmerged")
    assert before
    unmerged, other = bench.write("a.md", "resolved?\n"), bench.write("b.md", "b\n")
    report = bench.commit(unmerged, other)
    assert report.waiting == {unmerged.number: reasons.CONFLICTED}
    assert list(report.commits) == [other.number]
    assert bench.git("ls-files", "--unmerged") == before


def test_an_unknown_person_is_told_how_to_introduce_themselves(bench: Bench, home: Path) -> None:
    (home / ".gitconfig").write_text("[user]\n\tuseConfigOnly = true\n")
    assert waits(bench) == reasons.NO_IDENTITY
    assert "git config --global user.name" in reasons.NO_IDENTITY
    bench.git("config", "user.name", "Now Known")
    bench.git("config", "user.email", "known@example.invalid")
    bench.remember("b.md")


def test_the_environment_can_name_the_committer(
    bench: Bench, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / ".gitconfig").write_text("")
    monkeypatch.setenv("GIT_COMMITTER_NAME", "From Outside")
    monkeypatch.setenv("GIT_COMMITTER_EMAIL", "outside@example.invalid")
    bench.remember("a.md")
    assert bench.git("show", "--format=%cn", "-s") == "From Outside"


def test_a_signature_that_fails_lets_the_memory_wait(bench: Bench) -> None:
    bench.git("config", "commit.gpgSign", "true")
    bench.git("config", "gpg.program", "/bin/false")
    assert "gpg failed to sign" in waits(bench)
    bench.git("config", "commit.gpgSign", "false")
    bench.remember("a.md")
    bench.check_sound()


def test_a_signing_program_that_waits_for_a_terminal_is_stopped(bench: Bench, tmp_path: Path) -> None:
    program = tmp_path / "asks"
    program.write_text("#!/bin/sh\n[ -t 0 ] && exit 1\nexec sleep 90\n")
    program.chmod(0o755)
    bench.git("config", "commit.gpgSign", "true")
    bench.git("config", "gpg.program", str(program))
    bench.history._making.timeout = 0.5
    start = time.monotonic()
    assert "did not end within 0.5 s" in waits(bench)
    assert time.monotonic() - start < 5


def test_commits_are_signed_where_the_person_signs(bench: Bench, tmp_path: Path) -> None:
    key = tmp_path / "key"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key], check=True)
    bench.git("config", "gpg.format", "ssh")
    bench.git("config", "user.signingKey", str(key))
    bench.git("config", "commit.gpgSign", "true")
    intents = [bench.write("a.md", "a\n", agent="akashi"), bench.write("b.md", "b\n")]
    assert bench.commit(*intents).waiting == {}
    for commit in bench.git("rev-list", "-2", "HEAD").split():
        assert "-----BEGIN SSH SIGNATURE-----" in bench.git("cat-file", "commit", commit)
    bench.check_sound()


def test_a_hook_that_says_no_is_quoted(bench: Bench) -> None:
    hook = install(bench, "pre-commit", "echo 'no memories on Sundays' >&2; exit 1")
    assert waits(bench) == "no memories on Sundays"
    hook.unlink()
    bench.remember("a.md")
    bench.check_sound()


def test_a_hook_that_sleeps_is_stopped_with_all_it_started(bench: Bench, tmp_path: Path) -> None:
    install(bench, "pre-commit", f"sleep 90 & echo $! > {tmp_path}/pid; sleep 90")
    bench.history._making.timeout = 0.5
    start = time.monotonic()
    assert "did not end within 0.5 s" in waits(bench)
    assert time.monotonic() - start < 5
    child = int((tmp_path / "pid").read_text())
    for _ in range(100):
        if not Path(f"/proc/{child}").exists() or " Z " in Path(f"/proc/{child}/stat").read_text():
            return
        time.sleep(0.02)
    pytest.fail("the hook's child lives on")


def test_after_one_hook_ran_out_of_time_the_rest_is_not_tried(bench: Bench) -> None:
    install(bench, "pre-commit", "sleep 90")
    bench.history._making.timeout = 0.3
    intents = [bench.write(f"{name}.md", name) for name in "abcdef"]
    start = time.monotonic()
    report = bench.commit(*intents)
    assert time.monotonic() - start < 4
    assert list(report.waiting) == [intent.number for intent in intents]


def test_a_child_that_a_hook_leaves_behind_holds_nobody_up(bench: Bench) -> None:
    install(bench, "post-commit", "sleep 5 &")
    start = time.monotonic()
    bench.remember("a.md")
    assert time.monotonic() - start < 4


def test_a_hook_that_rewrites_the_file_has_its_way(bench: Bench) -> None:
    install(
        bench,
        "pre-commit",
        "echo rewritten > a.md && git add a.md && echo more > extra.txt && git add extra.txt",
    )
    commit = bench.remember("a.md", "as written\n")
    assert bench.files_in(commit) == ["A a.md", "A extra.txt"]
    assert bench.git("show", "HEAD:a.md") == "rewritten"
    bench.check_sound()


def test_hooks_on_the_message_see_and_change_it(bench: Bench) -> None:
    install(bench, "prepare-commit-msg", 'echo "prepared-by: $2" >> "$1"')
    install(bench, "commit-msg", 'grep -q "^Vmem-Op: remember" "$1" && echo "seen: yes" >> "$1"')
    bench.remember("a.md")
    assert bench.git("show", "--format=%B", "-s").split("\n")[-4:-1] == [
        "Vmem-Op: remember",
        "prepared-by: message",
        "seen: yes",
    ]


def test_a_hook_sees_the_branch_the_author_and_the_one_file(bench: Bench, tmp_path: Path) -> None:
    (bench.root / "staged.txt").write_text("the person's\n")
    bench.git("add", "staged.txt")
    report = tmp_path / "seen"
    install(
        bench,
        "pre-commit",
        f"exec > {report}; git symbolic-ref HEAD; git diff --cached --name-only; echo $GIT_AUTHOR_NAME;"
        " git ls-files '*.m?'",
    )
    intent = bench.write("a.md", "x\n", agent="akashi")
    assert bench.commit(intent).waiting == {}
    assert report.read_text().split() == ["refs/heads/main", "a.md", "akashi", "README.md", "a.md"]
    assert bench.git("diff", "--cached", "--name-only") == "staged.txt"


def test_our_own_hook_is_not_run_again(bench: Bench) -> None:
    install(bench, "pre-commit", f"{OUR_MARK.decode()}\nexit 1")
    bench.remember("a.md")


def test_a_hook_in_another_folder_is_found(bench: Bench) -> None:
    hooks = bench.root / "tools"
    hooks.mkdir()
    (hooks / "pre-commit").write_text("#!/bin/sh\necho elsewhere; exit 1\n")
    (hooks / "pre-commit").chmod(0o755)
    bench.git("config", "core.hooksPath", "tools")
    assert waits(bench) == "elsewhere"


def test_a_hook_on_refs_runs_and_may_refuse(bench: Bench, tmp_path: Path) -> None:
    hook = install(bench, "reference-transaction", f'cat >> {tmp_path}/refs; [ "$1" != prepared ] || exit 1')
    reason = waits(bench)
    assert "reference" in reason or "hook" in reason
    hook.write_text(f"#!/bin/sh\ncat >> {tmp_path}/refs\n")
    commit = bench.remember("a.md")
    assert f"{commit} refs/heads/main" in (tmp_path / "refs").read_text()
    bench.check_sound()


def test_without_the_git_program_commits_are_still_made(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    intents = [bench.write(f"{number}.md", str(number)) for number in range(60)]
    with monkeypatch.context() as patch:
        patch.setenv("PATH", str(tmp_path))
        assert len(bench.commit(*intents).commits) == 60
    assert bench.git("rev-list", "--count", "HEAD") == "61"
    bench.check_sound()


def test_without_the_git_program_a_hook_makes_the_memory_wait(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(bench, "pre-commit", "exit 0")
    intent = bench.write("a.md", "x")
    with monkeypatch.context() as patch:
        patch.setenv("PATH", str(tmp_path))
        report = bench.commit(intent)
    assert report.waiting == {
        intent.number: "git is not on PATH, and this repository asks for the hook pre-commit"
    }


@pytest.mark.parametrize(
    ("commands", "reason"),
    [
        (["checkout --quiet --detach"], reasons.DETACHED),
        (["merge --quiet side"], "a merge is under way; finish it or abort it"),
        (["rebase --quiet side"], "a rebase is under way; finish it or abort it"),
        (["cherry-pick side"], "a cherry-pick is under way; finish it or abort it"),
        (["revert --no-edit HEAD~1"], "a revert is under way; finish it or abort it"),
        (
            ["bisect start", "bisect bad", "bisect good HEAD~1"],
            "a bisect is under way; finish it or abort it",
        ),
    ],
)
def test_what_is_under_way_lets_the_memory_wait(bench: Bench, commands: list[str], reason: str) -> None:
    bench.remember("x.md", "base\n")
    bench.git("branch", "side")
    bench.remember("x.md", "main\n")
    bench.remember("x.md", "main again\n")
    bench.git("checkout", "--quiet", "side")
    bench.remember("x.md", "side\n")
    bench.git("checkout", "--quiet", "main")
    for command in commands:
        subprocess.run(["git", *command.split()], cwd=bench.root, capture_output=True, check=False)
    assert bench.history.state().blocked == reason
    assert waits(bench) == reason


def test_no_repository_lets_everything_wait(tmp_path: Path, bench_at: MakeBench) -> None:
    bench = bench_at(tmp_path / "plain")
    intent = bench.write("a.md", "x")
    assert not bench.history.state().exists
    assert bench.commit(intent).waiting == {intent.number: reasons.NO_REPOSITORY}
    assert bench.history.file_state(intent.operation.path) is FileState.UNKNOWN
    assert bench.history.head_bytes(intent.operation.path) is None
    assert bench.history.head_time() is None
    bench.history.heal()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder to another user")
def test_a_repository_of_another_owner_gets_gits_own_advice(bench: Bench) -> None:
    subprocess.run(["chown", "-R", "12345", bench.root], check=True)
    intent = bench.write("a.md", "x")
    reason = bench.commit(intent).waiting[intent.number]
    assert f"git config --global --add safe.directory {bench.root}" in reason
    assert bench.history.state().blocked == reason
    subprocess.run(["git", "config", "--global", "--add", "safe.directory", str(bench.root)], check=True)
    assert bench.commit(intent).waiting == {}


def test_a_stale_lock_is_waited_for_and_then_named(bench: Bench) -> None:
    lock = bench.root / ".git" / "index.lock"
    lock.touch()
    bench.history._lock_wait = 0.3
    intent = bench.write("a.md", "x")
    reason = bench.commit(intent).waiting[intent.number]
    assert reason.startswith("index.lock is held (since 2")
    assert lock.exists()
    lock.unlink()
    assert bench.commit(intent).waiting == {}
    bench.check_sound()


def test_a_lock_held_for_a_while_is_waited_for(bench: Bench) -> None:
    lock = bench.root / ".git" / "index.lock"
    lock.touch()
    bench.history._lock_wait = 5
    timer = threading.Timer(1.5, lock.unlink)
    timer.start()
    start = time.monotonic()
    bench.remember("a.md")
    assert 1.4 < time.monotonic() - start < 4
    timer.join()
    bench.check_sound()


def test_a_branch_lock_of_somebody_else_is_named(bench: Bench) -> None:
    (bench.root / ".git" / "refs" / "heads" / "main.lock").touch()
    bench.history._lock_wait = 0.2
    intent = bench.write("a.md", "x")
    assert bench.commit(intent).waiting[intent.number].startswith("main.lock is held (since 2")
    assert bench.git("status", "--porcelain") == "?? a.md"


def test_the_index_of_a_person_who_changed_a_file_in_the_same_instant_stays_true(bench: Bench) -> None:
    """Git tells such a change by the index's time, which our writing moves on."""
    file = bench.root / "racy.md"
    file.write_text("aaaa\n")
    os.utime(file, ns=(10**18, 10**18))
    bench.git("add", "racy.md")
    bench.git("commit", "--quiet", "--message=racy")
    index = bench.root / ".git" / "index"
    stat = file.stat()
    file.write_text("bbbb\n")
    os.utime(file, ns=(10**18, 10**18))
    bench.git("config", "core.trustctime", "false")
    os.utime(index, ns=(10**18, 10**18))
    assert file.stat().st_ino == stat.st_ino
    assert bench.git("status", "--porcelain") == " M racy.md"
    os.utime(index, ns=(10**18, 10**18))
    bench.remember("a.md")
    assert bench.git("status", "--porcelain") == " M racy.md"


def test_import_of_the_adapter_loads_neither_libgit2_nor_gitpython() -> None:
    probe = (
        "import sys, vault_memory.adapters.git.history; print('pygit2' in sys.modules, 'git' in sys.modules)"
    )
    out = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True).stdout
    assert out == "False False\n"


def test_a_shared_repository_keeps_its_modes(repo: Path, bench_at: MakeBench) -> None:
    run_git(repo, "config", "core.sharedRepository", "0664")
    run_git(repo, "commit", "--quiet", "--allow-empty", "--message=first")
    (repo / ".git" / "index").chmod(0o664)
    (repo / ".git" / "refs" / "heads" / "main").chmod(0o664)
    bench_at(repo).remember("a.md")
    for name in ("index", "refs/heads/main"):
        assert (repo / ".git" / name).stat().st_mode & 0o777 == 0o664


@pytest.mark.parametrize("again", [False, True], ids=["by the same process", "by another process"])
@pytest.mark.parametrize("between", [False, True], ids=["at once", "after one more commit"])
def test_a_change_of_the_same_length_within_the_second_of_its_commit_stays_visible(
    bench: Bench, bench_at: MakeBench, *, again: bool, between: bool
) -> None:
    """Most gits tell times by the second, and take such a file for clean once the index is of a later one."""
    begin_a_second()
    assert bench.commit(bench.write("a.md", "acknowledged\n")).waiting == {}
    if between:
        assert bench.commit(bench.write("b.md", "another\n")).waiting == {}
    (bench.root / "a.md").write_text("the person's\n")  # in place: the same file, as long as before
    begin_a_second()
    then = bench_at(bench.root) if again else bench
    assert then.commit(then.write("c.md", "a third\n")).waiting == {}
    assert bench.git("status", "--porcelain") == " M a.md"
    assert then.commit(then.write("d.md", "a fourth\n")).waiting == {}
    assert bench.git("status", "--porcelain") == " M a.md"


def begin_a_second() -> None:
    """Wait for the wall clock's next one."""
    time.sleep(1.0 - time.time() % 1.0)
