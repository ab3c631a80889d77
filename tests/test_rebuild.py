"""Whatever happens to the files, the index that followed along equals one built from scratch."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, invariant, rule

from tests.gitrun import run_git
from tests.stand import CountedIds, ToldClock
from vault_memory.errors import VmemError
from vault_memory.vault import Vault

NAMES = st.sampled_from(
    [
        "a.md",
        "b.md",
        "notes/plan.md",
        "notes/größe.md",
        "shared/ops/重启.md",
        "private/akashi/x.md",
        "deep/er/z.md",
    ]
)
WORDS = st.sampled_from(
    [
        "RSI above 70",
        "stop loss",
        "重启worker后生效",
        "# Heading\n\nunder it",
        "```\ncode\n```",
        "See [[plan]].",
        "",
        "x\n\n\ny",
    ]
)
HEADS = st.sampled_from(
    [
        "",
        "---\ntitle: One\ntags: [a, b]\n---\n",
        "---\ntitle: Plan: two\n---\n",
        "---\nid: k7\nimportance: 0.4\n---\n",
        "---\nnever closed\n",
        "\ufeff---\r\ntitle: T\r\n---\r\n",
        "---\nttl: 1d\ncreated: 2020-01-01\n---\n",
    ]
)
JUNK = st.sampled_from(
    [b"\xff\xfe\x00", b"Caf\xe9 at noon\n", b"\x89PNG\r\n\x1a\n\x00\x00", b"", b"---\n: : :\n---\nbody\n"]
)


class FollowingIndex(RuleBasedStateMachine):
    """A person, an agent and git change files in any order; after each step the two indexes are compared."""

    paths = Bundle("paths")

    @initialize()
    def begin(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="vmem-rebuild-"))
        self.root = self.folder / "vault"
        Vault.create(self.root)
        self.vault = Vault.open(
            self.root, clock=ToldClock(), ids=CountedIds(), settings={"refresh_seconds": 0.0}
        )
        (self.root / "first.md").write_text("the first\n", encoding="utf-8")
        run_git(self.root, "add", "-A")
        run_git(self.root, "commit", "-qm", "first")

    @rule(target=paths, name=NAMES, head=HEADS, words=WORDS)
    def write(self, name: str, head: str, words: str) -> str:
        file = self.root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes((head + words).encode())
        return name

    @rule(target=paths, name=NAMES, junk=JUNK)
    def break_file(self, name: str, junk: bytes) -> str:
        file = self.root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(junk)
        return name

    @rule(name=paths, words=WORDS)
    def change_behind_a_stale_stamp(self, name: str, words: str) -> None:
        """Same size and mtime: only the change time tells, or, within its tick, nothing at all."""
        file = self.root / name
        if not file.is_file():
            return
        before = file.stat()
        old = file.read_bytes()
        file.write_bytes((words.encode() + b"." * len(old))[: len(old)])
        os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))

    @rule(name=paths)
    def delete(self, name: str) -> None:
        (self.root / name).unlink(missing_ok=True)

    @rule(name=paths, to=NAMES)
    def rename(self, name: str, to: str) -> None:
        if (self.root / name).is_file():
            (self.root / to).parent.mkdir(parents=True, exist_ok=True)
            (self.root / name).replace(self.root / to)

    @rule(words=WORDS, namespace=st.sampled_from([None, "ops", "market"]))
    def remember(self, words: str, namespace: str | None) -> None:
        self.vault.agent("akashi").remember(f"remembered {words}", namespace=namespace)

    @rule(name=paths)
    def edit(self, name: str) -> None:
        # Gone, broken, or not to be spliced: refused, and the files are as they were.
        with contextlib.suppress(VmemError):
            self.vault.person.edit(name, importance=0.25)

    @rule()
    def commit(self) -> None:
        run_git(self.root, "add", "-A")
        subprocess.run(
            ["git", "commit", "-qm", "by a person"], cwd=self.root, check=False, capture_output=True
        )

    @rule(back=st.integers(1, 3))
    def checkout(self, back: int) -> None:
        """To an earlier commit and back to the branch: files come and go in one step."""
        commits = run_git(self.root, "rev-list", "--first-parent", "HEAD").split()
        target = commits[min(back, len(commits) - 1)]
        self.commit()
        run_git(self.root, "checkout", "-q", "--detach", target)
        self.same_as_rebuilt()
        run_git(self.root, "checkout", "-q", "main")

    @invariant()
    def same_as_rebuilt(self) -> None:
        if not hasattr(self, "vault"):
            return
        self.vault.index.refresh()
        followed = self.vault.index.dump()
        shutil.rmtree(self.folder / "copy", ignore_errors=True)
        (self.folder / "copy").mkdir()
        for file in (self.root).rglob("*.md"):
            to = self.folder / "copy" / file.relative_to(self.root)
            to.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(file, to)
        (self.folder / "copy" / ".vmem").mkdir()
        shutil.copy2(self.root / ".vmem" / "config.toml", self.folder / "copy" / ".vmem")
        with Vault.open(self.folder / "copy", clock=ToldClock()) as fresh:
            fresh.index.refresh()
            assert fresh.index.dump() == followed

    def teardown(self) -> None:
        if hasattr(self, "vault"):
            self.vault.close()
            shutil.rmtree(self.folder)


FollowingIndex.TestCase.settings = settings(
    max_examples=25, stateful_step_count=20, deadline=None, suppress_health_check=list(HealthCheck)
)
TestFollowingIndex = FollowingIndex.TestCase
