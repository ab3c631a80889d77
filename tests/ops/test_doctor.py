"""The doctor: each fault is told with what to do, and --fix mends what needs no person."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.gitrun import put_hook, run_git
from tests.stand import CountedIds, ToldClock
from vault_memory.errors import LockedError
from vault_memory.model.health import Check, Mended
from vault_memory.model.namespace import PERSON, Scope
from vault_memory.ops.doctor import CHECKS
from vault_memory.vault import Vault

HOUR = 3600


@pytest.fixture
def root(tmp_path: Path) -> Path:
    Vault.create(tmp_path / "memory")
    with opened(tmp_path / "memory") as vault:
        vault.person.remember("one that is fine")
    return tmp_path / "memory"


@contextmanager
def opened(root: Path) -> Iterator[Vault]:
    with Vault.open(root, clock=ToldClock(), ids=CountedIds(), settings={"refresh_seconds": 0.0}) as vault:
        yield vault


def checks(root: Path, scope: Scope = PERSON) -> dict[str, Check]:
    with opened(root) as vault:
        return {check.name: check for check in vault.upkeep.doctor(scope)}


def mended(root: Path) -> list[Mended]:
    with opened(root) as vault:
        return vault.upkeep.mend(PERSON)


def bad(root: Path) -> dict[str, Check]:
    return {name: check for name, check in checks(root).items() if not check.well}


HOLD = """\
import sys
from pathlib import Path
from vault_memory.adapters.files.lock import VaultLock
with VaultLock(Path(sys.argv[1])).held(wait=5):
    print("held", flush=True)
    sys.stdin.read()
"""


def holder_of(root: Path) -> subprocess.Popen[bytes]:
    """Another process that writes to the vault, until its stdin is closed."""
    lock = str(root / ".vmem" / "local" / "lock")
    return subprocess.Popen([sys.executable, "-c", HOLD, lock], stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def notes(root: Path) -> dict[str, tuple[bytes, int]]:
    """Every note, with its bytes and when it was written."""
    return {str(file): (file.read_bytes(), file.stat().st_mtime_ns) for file in root.rglob("*.md")}


def test_every_check_of_a_sound_vault_is_well_and_nothing_is_to_be_mended(root: Path) -> None:
    found = checks(root)
    assert [check for check in found.values() if not check.well] == []
    assert list(found) == [name for name, _ in CHECKS]
    assert all(check.found and not check.advice for check in found.values())
    assert found["identity"].found.startswith("Test Person <")
    assert mended(root) == []


def open_to_all(root: Path) -> None:
    (root / ".vmem" / "local").chmod(0o777)


def not_ignored(root: Path) -> None:
    (root / ".vmem" / ".gitignore").write_text("other\n")


def left_over(root: Path) -> None:
    (root / ".vmem" / "local" / "tmp").mkdir(exist_ok=True)
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    (root / ".vmem" / "local" / "tmp" / f".vmem-{gone.pid}-ab-1.tmp").write_text("half a note")


def own_dead_lock(root: Path) -> None:
    """As a killed vmem leaves it: the lock is the second name of a file in its own folder."""
    folder = root / ".git" / "vmem-999999999-abcd"
    folder.mkdir()
    (folder / "owner").write_text("")
    (folder / "index").write_bytes((root / ".git" / "index").read_bytes())
    os.link(folder / "index", root / ".git" / "index.lock")


def waiting(root: Path) -> None:
    run_git(root, "switch", "--quiet", "--detach")
    with opened(root) as vault:
        vault.person.remember("this one waits")
    run_git(root, "switch", "--quiet", "main")


def damaged_index(root: Path) -> None:
    file = root / ".vmem" / "local" / "index.db"
    content = bytearray(file.read_bytes())
    content[4096 * 9 : 4096 * 9 + 8] = b"\xff" * 8
    file.write_bytes(content)


SAFE: dict[str, tuple[Callable[[Path], None], str]] = {
    "a local folder that all may enter": (open_to_all, "local"),
    "a local folder that git does not ignore": (not_ignored, "local"),
    "a temporary file of a killed vmem": (left_over, "local"),
    "a lock of a killed vmem": (own_dead_lock, "locks"),
    "a memory that waits for a branch": (waiting, "journal"),
    "a damaged index": (damaged_index, "index"),
}


@pytest.mark.parametrize(("break_it", "name"), SAFE.values(), ids=SAFE.keys())
def test_what_needs_no_person_is_told_and_mended(
    root: Path, break_it: Callable[[Path], None], name: str
) -> None:
    break_it(root)
    before = notes(root)
    told = bad(root)
    assert list(told) == [name]
    assert "vmem doctor --fix" in told[name].advice or name == "index"
    assert notes(root) == before
    done = mended(root)
    assert [one.name for one in done] == [name]
    assert all(one.done for one in done)
    assert bad(root) == {}
    assert notes(root) == before
    assert mended(root) == []
    with opened(root) as vault:
        assert "fine" in str(vault.person.recall("fine"))


def test_the_local_folder_ends_up_closed_and_ignored(root: Path) -> None:
    open_to_all(root)
    not_ignored(root)
    mended(root)
    assert stat.S_IMODE((root / ".vmem" / "local").stat().st_mode) == 0o770
    assert (root / ".vmem" / ".gitignore").read_text() == "other\n/local\n"
    assert run_git(root, "status", "--porcelain", "--untracked-files=all").splitlines() == [
        "?? .vmem/.gitignore",
        "?? .vmem/config.toml",
    ]


def test_a_lock_that_is_not_proved_to_be_ours_stays_and_is_told(root: Path) -> None:
    lock = root / ".git" / "index.lock"
    lock.write_text("")
    assert checks(root)["locks"].well, "a git may be at work this moment"
    past = time.time() - 2 * HOUR
    os.utime(lock, (past, past))
    told = bad(root)
    assert list(told) == ["locks"]
    assert "2 hours" in told["locks"].found
    assert f"rm {lock}" in told["locks"].advice
    assert mended(root) == []
    assert lock.exists()


def test_another_who_writes_is_named(root: Path) -> None:
    other = holder_of(root)
    assert other.stdout is not None
    assert other.stdout.readline() == b"held\n"
    try:
        found = checks(root)["locks"]
    finally:
        other.communicate()
    assert found.well
    assert f"process {other.pid} (vmem) writes" in found.found


def test_who_is_unknown_to_git_is_told_how_to_say_it(root: Path, home: Path) -> None:
    (home / ".gitconfig").unlink(missing_ok=True)
    config = Path(os.environ.get("GIT_CONFIG_GLOBAL", home / ".gitconfig"))
    config.write_text("")
    for name in ("GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL"):
        os.environ.pop(name, None)
    told = bad(root)
    assert list(told) == ["identity"]
    assert "git config --global user.name" in told["identity"].advice


def test_hooks_and_signing_are_told_and_no_fault(root: Path) -> None:
    put_hook(root / ".git", "pre-commit", "exit 0")
    run_git(root, "config", "commit.gpgSign", "true")
    found = checks(root)["hooks"]
    assert found.well
    assert "each commit runs pre-commit; each commit is signed; up to 20 s" in found.found


def test_what_waits_is_told_with_its_reason_and_age(root: Path) -> None:
    waiting(root)
    run_git(root, "switch", "--quiet", "--detach")
    clock = ToldClock()
    clock.move(days=3, hours=1)
    with Vault.open(root, clock=clock) as vault:
        found = {check.name: check for check in vault.upkeep.doctor(PERSON)}["journal"]
        assert (
            "1 memory waits for its commit: notes/this-one-waits.md (remember, for 3 days: HEAD"
            in found.found
        )
        mended_now = vault.upkeep.mend(PERSON)
    assert [(one.name, one.done) for one in mended_now] == [("journal", False)]
    assert "HEAD is detached" in mended_now[0].what


def test_settings_that_others_may_write_are_told(
    root: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("VMEM_RESIDENT")  # by which no test leaves a process behind
    own = home / ".config" / "vault-memory" / "config.toml"
    own.parent.mkdir(parents=True)
    own.write_text("lock_seconds = 5\n")
    assert checks(root)["settings"].found == f"2 not at the default, from {own}, flag (vmem config)"
    for file in (own, root / ".vmem" / "config.toml"):
        file.chmod(0o666)
    told = bad(root)
    assert list(told) == ["settings"]
    assert f"chmod o-w {own}" in told["settings"].advice
    assert str(root / ".vmem" / "config.toml") in told["settings"].found


def test_a_vault_without_a_repository_is_looked_at_too(root: Path) -> None:
    shutil.rmtree(root / ".git")
    told = bad(root)
    assert list(told) == ["repository"]
    assert mended(root) == []


def test_an_agent_hears_of_no_file_that_it_may_not_read(root: Path) -> None:
    secret = root / "private" / "mira" / "plan.md"
    secret.parent.mkdir(parents=True)
    secret.symlink_to("/etc/hostname")
    assert "plan.md" in checks(root)["files"].found
    found = checks(root, Scope("akashi"))
    assert not any("mira" in check.found for check in found.values())


def test_the_steps_of_a_fix_wait_for_nobody_forever(root: Path) -> None:
    other = holder_of(root)
    assert other.stdout is not None
    other.stdout.readline()
    try:
        with Vault.open(root, settings={"lock_seconds": 0.1}) as vault, pytest.raises(LockedError):
            vault.upkeep.mend(PERSON)
    finally:
        other.communicate()
