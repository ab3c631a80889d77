"""The ways in which git says no to a commit: how each comes about, how it ends, and what it says."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.gitrun import run_git

NOBODY = 65534


Change = Callable[[Path], object]
"""Something done to the repository whose top is given."""


@dataclass(frozen=True, slots=True)
class Blocker:
    """`block` and `unblock` are given the top of the repository; `says` stands in the reason."""

    name: str
    block: Change
    unblock: Change
    says: str


def config(top: Path, *pairs: tuple[str, str | None]) -> None:
    """Set keys in the repository's own configuration, or take them out."""
    for key, value in pairs:
        run_git(top, "config", *(["--unset-all", key] if value is None else [key, value]))


def script(place: Path, *lines: str) -> Path:
    """An executable shell script."""
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text("\n".join(("#!/bin/sh", *lines, "")))
    place.chmod(0o755)
    return place


def hook(top: Path, name: str, *lines: str) -> Path:
    """An executable hook."""
    return script(top / ".git" / "hooks" / name, *lines)


def _hooked(name: str, *lines: str, says: str, title: str = "") -> Blocker:
    def unblock(top: Path) -> None:
        (top / ".git" / "hooks" / name).unlink()

    return Blocker(title or f"{name} refuses", lambda top: hook(top, name, *lines), unblock, says)


def _nobody_known(top: Path) -> None:
    home = Path(os.environ["GIT_CONFIG_GLOBAL"])
    home.rename(home.with_suffix(".away"))
    home.write_text("[user]\n\tuseConfigOnly = true\n")


def _somebody_known(top: Path) -> None:
    home = Path(os.environ["GIT_CONFIG_GLOBAL"])
    home.with_suffix(".away").rename(home)


def _signing_with(*lines: str) -> Change:
    def block(top: Path) -> None:
        gpg = script(top / ".git" / "test-gpg", *lines)
        config(top, ("commit.gpgSign", "true"), ("gpg.program", str(gpg)))

    return block


def _not_signing(top: Path) -> None:
    config(top, ("commit.gpgSign", None), ("gpg.program", None))


def _other_owner(top: Path) -> None:
    os.chown(top, NOBODY, NOBODY)
    os.chown(top / ".git", NOBODY, NOBODY)


def _own_again(top: Path) -> None:
    os.chown(top, os.geteuid(), os.getegid())
    os.chown(top / ".git", os.geteuid(), os.getegid())


def _two_sides(top: Path) -> None:
    """A branch `side` whose `plan.txt` conflicts with that of main; main is checked out."""
    (top / "plan.txt").write_text("base\n")
    run_git(top, "add", "plan.txt")
    run_git(top, "commit", "--quiet", "--message=base plan")
    run_git(top, "switch", "--quiet", "--create", "side")
    (top / "plan.txt").write_text("of the side\n")
    run_git(top, "commit", "--quiet", "--all", "--message=side plan")
    run_git(top, "switch", "--quiet", "main")
    (top / "plan.txt").write_text("of main\n")
    run_git(top, "commit", "--quiet", "--all", "--message=main plan")


def _stuck(*command: str) -> Change:
    def block(top: Path) -> None:
        _two_sides(top)
        done = subprocess.run(["git", *command], cwd=top, capture_output=True, check=False)
        assert done.returncode == 1, f"git {command[0]} met no conflict"

    return block


def _resolved(top: Path) -> None:
    (top / "plan.txt").write_text("of both\n")
    run_git(top, "add", "plan.txt")


def _end_merge(top: Path) -> None:
    _resolved(top)
    run_git(top, "commit", "--quiet", "--no-edit")


def _continue(command: str) -> Change:
    """Git goes on only where no tracked file is changed, so the person puts the edits away meanwhile."""

    def unblock(top: Path) -> None:
        run_git(top, "diff", "--binary", "--output=.git/edits", "--", "notes")
        run_git(top, "checkout", "--quiet", "--", "notes")
        _resolved(top)
        run_git(top, "-c", "core.editor=true", command, "--continue")
        run_git(top, "apply", ".git/edits")

    return unblock


def _abort(command: str) -> Change:
    return lambda top: run_git(top, command, "--abort")


def _bisect(top: Path) -> None:
    for number in range(4):
        (top / "steps.txt").write_text(f"{number}\n")
        run_git(top, "add", "steps.txt")
        run_git(top, "commit", "--quiet", f"--message=step {number}")
    run_git(top, "bisect", "start", "HEAD", "HEAD~3")


BLOCKERS = (
    Blocker("nobody is named", _nobody_known, _somebody_known, "git does not know who you are"),
    Blocker(
        "the signing program fails",
        lambda top: config(top, ("commit.gpgSign", "true"), ("gpg.program", "/bin/false")),
        _not_signing,
        "gpg failed to sign",
    ),
    Blocker(
        "the signing program asks at a terminal",
        _signing_with('printf "Passphrase: " >/dev/tty', "read answer </dev/tty || exit 2", "exit 0"),
        _not_signing,
        "gpg failed to sign",
    ),
    Blocker("the signing program never ends", _signing_with("sleep 90"), _not_signing, "within 1 s"),
    _hooked("pre-commit", "echo 'spelling: two typos' >&2", "exit 1", says="spelling: two typos"),
    _hooked("pre-commit", "exit 3", says="pre-commit hook failed with exit code 3", title="it is silent"),
    _hooked("prepare-commit-msg", "echo 'no ticket' >&2; exit 1", says="no ticket"),
    _hooked("commit-msg", "echo 'subject too long'; exit 1", says="subject too long"),
    _hooked("reference-transaction", "echo 'ref is frozen' >&2; exit 1", says="ref is frozen"),
    _hooked("pre-commit", "sleep 90", says="within 1 s", title="a hook never ends"),
    _hooked(
        "pre-commit", "trap '' TERM HUP INT", "sleep 90 & wait; sleep 90", says="within 1 s",
        title="a hook will not be stopped",
    ),
    _hooked(
        "pre-commit", "read line </dev/tty && exit 0", "echo 'no terminal' >&2", "exit 1",
        says="no terminal", title="a hook asks at a terminal",
    ),
    Blocker("HEAD is detached", lambda top: run_git(top, "checkout", "--quiet", "--detach"),
            lambda top: run_git(top, "checkout", "--quiet", "main"), "HEAD is detached"),
    Blocker("the repository belongs to another user", _other_owner, _own_again, "safe.directory"),
    Blocker("a merge", _stuck("merge", "--quiet", "side"), _end_merge, "a merge is under way"),
    Blocker("a merge, given up", _stuck("merge", "--quiet", "side"), _abort("merge"), "a merge is under way"),
    Blocker("a rebase", _stuck("rebase", "side"), _continue("rebase"), "a rebase is under way"),
    Blocker(
        "a rebase, given up", _stuck("rebase", "side"), _abort("rebase"), "a rebase is under way"
    ),
    Blocker("a cherry-pick", _stuck("cherry-pick", "side"), _continue("cherry-pick"), "a cherry-pick"),
    Blocker("a revert", _stuck("revert", "--no-edit", "HEAD~1"), _abort("revert"), "a revert"),
    Blocker("a bisect", _bisect, lambda top: run_git(top, "bisect", "reset"), "a bisect is under way"),
)  # fmt: skip
