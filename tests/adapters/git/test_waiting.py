"""What a commit waits for: a name, a signature, what git is at, an owner, a lock; in words that help."""

from __future__ import annotations

import os
import subprocess
import threading
import time
from pathlib import Path

import pytest

from tests.adapters.git.conftest import Bench, MakeBench
from vault_memory.adapters.git import reasons
from vault_memory.model.revision import FileState


def test_an_unknown_person_is_told_how_to_introduce_themselves(bench: Bench, home: Path) -> None:
    (home / ".gitconfig").write_text("[user]\n\tuseConfigOnly = true\n")
    assert bench.waits() == reasons.NO_IDENTITY
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
    assert "gpg failed to sign" in bench.waits()
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
    assert "did not end within 0.5 s" in bench.waits()
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
    assert bench.waits() == reason


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
