"""A person and their git at work in the repository that the tests commit to."""

from __future__ import annotations

import time
from pathlib import Path

from tests.adapters.git.conftest import Bench
from tests.gitrun import run_git


def seeded(folder: Path, *options: str) -> Path:
    """A repository with one commit."""
    folder.mkdir()
    run_git(folder, "init", "--quiet", *options)
    (folder / "README.md").write_text("# notes\n")
    run_git(folder, "add", "README.md")
    run_git(folder, "commit", "--quiet", "--message=first")
    return folder


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


def write_back(bench: Bench, old: bytes) -> None:
    """What a `git commit` does that had read the index before our commit."""
    fresh = bench.root / ".git" / "index.theirs"
    fresh.write_bytes(old)
    fresh.replace(bench.root / ".git" / "index")


def begin_a_second() -> None:
    """Wait for the wall clock's next one."""
    time.sleep(1.0 - time.time() % 1.0)
