"""A person's hooks run as git runs them, and one that refuses or hangs lets the memory wait."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.adapters.git.conftest import Bench
from vault_memory.adapters.git.hooks import OUR_MARK


def test_a_hook_that_says_no_is_quoted(bench: Bench) -> None:
    hook = bench.hook("pre-commit", "echo 'no memories on Sundays' >&2; exit 1")
    assert bench.waits() == "no memories on Sundays"
    hook.unlink()
    bench.remember("a.md")
    bench.check_sound()


def test_a_hook_that_sleeps_is_stopped_with_all_it_started(bench: Bench, tmp_path: Path) -> None:
    bench.hook("pre-commit", f"sleep 90 & echo $! > {tmp_path}/pid; sleep 90")
    bench.history._making.timeout = 0.5
    start = time.monotonic()
    assert "did not end within 0.5 s" in bench.waits()
    assert time.monotonic() - start < 5
    child = int((tmp_path / "pid").read_text())
    for _ in range(100):
        if not Path(f"/proc/{child}").exists() or " Z " in Path(f"/proc/{child}/stat").read_text():
            return
        time.sleep(0.02)
    pytest.fail("the hook's child lives on")


def test_after_one_hook_ran_out_of_time_the_rest_is_not_tried(bench: Bench) -> None:
    bench.hook("pre-commit", "sleep 90")
    bench.history._making.timeout = 0.3
    intents = [bench.write(f"{name}.md", name) for name in "abcdef"]
    start = time.monotonic()
    report = bench.commit(*intents)
    assert time.monotonic() - start < 4
    assert list(report.waiting) == [intent.number for intent in intents]


def test_a_child_that_a_hook_leaves_behind_holds_nobody_up(bench: Bench) -> None:
    bench.hook("post-commit", "sleep 5 &")
    start = time.monotonic()
    bench.remember("a.md")
    assert time.monotonic() - start < 4


def test_a_hook_that_rewrites_the_file_has_its_way(bench: Bench) -> None:
    bench.hook(
        "pre-commit",
        "echo rewritten > a.md && git add a.md && echo more > extra.txt && git add extra.txt",
    )
    commit = bench.remember("a.md", "as written\n")
    assert bench.files_in(commit) == ["A a.md", "A extra.txt"]
    assert bench.git("show", "HEAD:a.md") == "rewritten"
    bench.check_sound()


def test_hooks_on_the_message_see_and_change_it(bench: Bench) -> None:
    bench.hook("prepare-commit-msg", 'echo "prepared-by: $2" >> "$1"')
    bench.hook("commit-msg", 'grep -q "^Vmem-Op: remember" "$1" && echo "seen: yes" >> "$1"')
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
    bench.hook(
        "pre-commit",
        f"exec > {report}; git symbolic-ref HEAD; git diff --cached --name-only; echo $GIT_AUTHOR_NAME;"
        " git ls-files '*.m?'",
    )
    intent = bench.write("a.md", "x\n", agent="akashi")
    assert bench.commit(intent).waiting == {}
    assert report.read_text().split() == ["refs/heads/main", "a.md", "akashi", "README.md", "a.md"]
    assert bench.git("diff", "--cached", "--name-only") == "staged.txt"


def test_our_own_hook_is_not_run_again(bench: Bench) -> None:
    bench.hook("pre-commit", f"{OUR_MARK.decode()}\nexit 1")
    bench.remember("a.md")


def test_a_hook_in_another_folder_is_found(bench: Bench) -> None:
    hooks = bench.root / "tools"
    hooks.mkdir()
    (hooks / "pre-commit").write_text("#!/bin/sh\necho elsewhere; exit 1\n")
    (hooks / "pre-commit").chmod(0o755)
    bench.git("config", "core.hooksPath", "tools")
    assert bench.waits() == "elsewhere"


def test_a_hook_on_refs_runs_and_may_refuse(bench: Bench, tmp_path: Path) -> None:
    hook = bench.hook("reference-transaction", f'cat >> {tmp_path}/refs; [ "$1" != prepared ] || exit 1')
    reason = bench.waits()
    assert "reference" in reason or "hook" in reason
    hook.write_text(f"#!/bin/sh\ncat >> {tmp_path}/refs\n")
    commit = bench.remember("a.md")
    assert f"{commit} refs/heads/main" in (tmp_path / "refs").read_text()
    bench.check_sound()


def test_without_the_git_program_a_hook_makes_the_memory_wait(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.hook("pre-commit", "exit 0")
    intent = bench.write("a.md", "x")
    with monkeypatch.context() as patch:
        patch.setenv("PATH", str(tmp_path))
        report = bench.commit(intent)
    assert report.waiting == {
        intent.number: "git is not on PATH, and this repository asks for the hook pre-commit"
    }
