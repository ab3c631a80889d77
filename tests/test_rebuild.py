"""Whatever happens to the files, the index that followed along equals one built from scratch.

Two handles of one vault follow by turns, and the files lie on one of three disks.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, invariant, rule

from tests.disks import DISKS, LATER_NS, MOST_BYTES, Dump, MovedClock, near, open_vault
from tests.gitrun import run_git
from tests.ramdisk import in_memory
from tests.stand import CountedIds
from vault_memory.errors import VmemError
from vault_memory.model.change import diff
from vault_memory.vault import Vault

if TYPE_CHECKING:
    pass

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
TALK = "Ann: Were you there yesterday?\nBo: I was, and it rained.\nAnn: Was it cold?\nBo: Not at all."
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
        TALK,
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
        "---\nsource_agent: Akashi\nupdated: 2026-01-31T23:30:00-05:00\n---\n",
    ]
)
JUNK = st.sampled_from(
    [b"\xff\xfe\x00", b"Caf\xe9 at noon\n", b"\x89PNG\r\n\x1a\n\x00\x00", b"", b"---\n: : :\n---\nbody\n"]
)


class FollowingIndex(RuleBasedStateMachine):
    """A person, an agent and git change files in any order; after each step the indexes are compared."""

    paths = Bundle("paths")

    @initialize(disk=st.sampled_from(sorted(DISKS)))
    def begin(self, disk: str) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="vmem-rebuild-", dir=in_memory()))
        self.root = self.folder / "vault"
        Vault.create(self.root)
        self.clock = MovedClock(ahead_ns=LATER_NS if disk == "settled" else 0)
        self.ids, self.coarse = CountedIds(), disk == "coarse"
        self.place = self.root / ".vmem" / "local" / "index.db"
        self.vault, self.other = (
            open_vault(self.root, self.clock, self.ids, coarse=self.coarse, place=self.place)
            for _ in range(2)
        )
        (self.root / "first.md").write_text("the first\n", encoding="utf-8")
        run_git(self.root, "add", "-A")
        run_git(self.root, "commit", "-qm", "first")

    def tick(self) -> None:
        """Wait until the disk's clock has moved on, so that what comes now has a time of its own."""
        probe = self.folder / "probe"
        probe.touch()
        begun = probe.stat().st_ctime_ns
        while probe.stat().st_ctime_ns == begun:
            probe.touch()

    def put(self, name: str, content: bytes) -> None:
        self.tick()
        file = self.root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)

    @rule()
    def take_the_other_handle(self) -> None:
        self.vault, self.other = self.other, self.vault

    @rule()
    def time_passes(self) -> None:
        """From now on stamps have settled when they are read, or have not."""
        if not self.coarse:
            self.clock.ahead_ns = LATER_NS - self.clock.ahead_ns

    @rule(target=paths, name=NAMES, head=HEADS, words=WORDS)
    def write(self, name: str, head: str, words: str) -> str:
        self.put(name, (head + words).encode())
        return name

    @rule(target=paths, name=NAMES, junk=JUNK)
    def break_file(self, name: str, junk: bytes) -> str:
        self.put(name, junk)
        return name

    @rule(name=paths, words=WORDS)
    def change_behind_a_stale_stamp(self, name: str, words: str) -> None:
        """Same size and mtime: only the change time tells, or, on a coarse disk, nothing at all."""
        file = self.root / name
        if not file.is_file():
            return
        before = file.stat()
        old = file.read_bytes()
        self.put(name, (words.encode() + b"." * len(old))[: len(old)])
        os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))

    @rule(name=paths)
    def outgrow_the_limit(self, name: str) -> None:
        """It can't be read any more, so its old text must not be found."""
        self.put(name, b"long\n" * MOST_BYTES)

    @rule(name=paths)
    def touch(self, name: str) -> None:
        self.tick()
        if (self.root / name).is_file():
            (self.root / name).touch()

    @rule(name=paths)
    def delete(self, name: str) -> None:
        (self.root / name).unlink(missing_ok=True)

    @rule(target=paths, name=paths, to=NAMES)
    def rename(self, name: str, to: str) -> str:
        """Also over another file, as editors save."""
        self.tick()
        if (self.root / name).is_file():
            (self.root / to).parent.mkdir(parents=True, exist_ok=True)
            (self.root / name).replace(self.root / to)
        return to

    @rule(name=paths, other=paths)
    def swap(self, name: str, other: str) -> None:
        self.tick()
        one, two, between = self.root / name, self.root / other, self.folder / "between"
        if one.is_file() and two.is_file() and name != other:
            one.rename(between)
            two.rename(one)
            between.rename(two)

    @rule()
    def move_a_folder(self) -> None:
        """There, and the next time back."""
        here, there = self.root / "notes", self.root / "moved"
        if here.is_dir() and not there.exists():
            here.rename(there)
        elif there.is_dir() and not here.exists():
            there.rename(here)

    # What vmem itself writes is in the index at once, and what it refuses leaves files and index alone: a
    # memory that is gone, broken or changed by others.

    @rule(words=WORDS, namespace=st.sampled_from([None, "ops", "market"]))
    def remember(self, words: str, namespace: str | None) -> None:
        self.vault.agent("akashi").remember(f"remembered {words}", namespace=namespace)
        self.compare(vectors=False)

    @rule(name=paths, importance=st.sampled_from([0.25, 0.75]))
    def edit(self, name: str, importance: float) -> None:
        with contextlib.suppress(VmemError):
            self.vault.person.edit(name, importance=importance)
        self.compare(vectors=False)

    @rule(name=paths)
    def forget(self, name: str) -> None:
        with contextlib.suppress(VmemError):
            self.vault.person.forget(name)
        self.compare(vectors=False)

    @rule(name=paths)
    def restore(self, name: str) -> None:
        with contextlib.suppress(VmemError):
            self.vault.person.restore(name)
        self.compare(vectors=False)

    @rule()
    def undo(self) -> None:
        with contextlib.suppress(VmemError):
            self.vault.person.undo()
        self.compare(vectors=False)

    @rule()
    def rebuild(self) -> None:
        self.vault.index.rebuild()

    @rule()
    def delete_the_sidecar(self) -> None:
        """While two handles hold it open; what they fill then is there for others too."""
        shutil.rmtree(self.root / ".vmem" / "local")
        self.same_as_rebuilt()
        newcomer = open_vault(self.root, self.clock, self.ids, coarse=self.coarse, place=self.place)
        with contextlib.closing(newcomer):
            assert newcomer.index.dump() == self.vault.index.dump()

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
        self.tick()
        run_git(self.root, "checkout", "-q", "main")

    @invariant()
    def same_as_rebuilt(self) -> None:
        if not hasattr(self, "vault"):
            return
        self.vault.index.refresh()
        followed = self.compare()
        assert {row[6] for row in followed["passages"]} == {row[0] for row in followed["vectors"]}
        self.other.index.refresh()
        assert self.other.index.dump() == followed
        if self.clock.ahead_ns:
            ports = self.vault._opened.ports
            changes = diff(ports.files.scan().stamps, ports.index.known_files())
            again = [stamp.path for stamp in changes.suspect if stamp.size <= MOST_BYTES]
            assert again == [], "settled files are read again for nothing"

    def compare(self, *, vectors: bool = True) -> Dump:
        """The index as it stands against one built from scratch; writing leaves vectors to the next look."""
        followed = self.vault.index.dump()
        assert isinstance(followed, dict)
        fresh = open_vault(self.root, self.clock, self.ids, coarse=self.coarse, place=None)
        with contextlib.closing(fresh):
            fresh.index.refresh()
            built = fresh.index.dump()
            if vectors:
                assert near(self.vault) == pytest.approx(near(fresh), abs=1e-6)
        assert isinstance(built, dict)
        unlike = [
            table for table in built if built[table] != followed[table] and (vectors or table != "vectors")
        ]
        assert unlike == []
        return followed

    def teardown(self) -> None:
        if hasattr(self, "vault"):
            self.vault.close()
            self.other.close()
            shutil.rmtree(self.folder)


def test_to_compare_leaves_the_index_that_follows_as_it_is() -> None:
    at = FollowingIndex()
    at.begin("settled")
    try:
        at.same_as_rebuilt()
        at.write("a.md", "", "stop loss")
        at.vault.index.refresh()
        at.compare()
        found = at.vault.index.refresh()
        assert (found.rebuilt, found.added, found.changed, found.embedded) == (None, 0, 0, 0)
    finally:
        at.teardown()


@pytest.mark.parametrize("disk", DISKS)
def test_the_index_follows_a_walk_through_every_kind_of_change(disk: str) -> None:
    """What chance may not draw in one run, in an order in which each kind can go wrong."""
    at = FollowingIndex()
    at.begin(disk)
    try:
        for step in (
            lambda: at.write("a.md", "---\ntitle: One\n---\n", "See [[b]]."),
            lambda: at.write("notes/plan.md", "", "stop loss"),
            lambda: at.write("b.md", "---\nsource_agent: mira\n---\n", TALK),
            lambda: at.write("b.md", "---\nsource_agent: mira\ncreated: 2025-12-31\n---\n", TALK),
            lambda: at.write("b.md", "", TALK.replace("Bo:", "Cy:")),
            lambda: at.change_behind_a_stale_stamp("a.md", "---\ntitle: Two\n---\n[[c]]"),
            lambda: at.change_behind_a_stale_stamp("notes/plan.md", "RSI"),
            lambda: at.touch("a.md"),
            at.take_the_other_handle,
            lambda: at.edit("a.md", 0.25),
            lambda: at.edit("notes/plan.md", 0.25),
            at.undo,
            at.commit,
            at.time_passes,
            lambda: at.swap("a.md", "notes/plan.md"),
            lambda: at.outgrow_the_limit("a.md"),
            lambda: at.write("a.md", "", "short again"),
            lambda: at.rename("a.md", "notes/plan.md"),
            at.move_a_folder,
            at.take_the_other_handle,
            at.delete_the_sidecar,
            lambda: at.remember("RSI above 70", "ops"),
            lambda: at.forget("first.md"),
            lambda: at.restore("first.md"),
            lambda: at.break_file("first.md", b"\xff\xfe\x00"),
            at.rebuild,
            lambda: at.checkout(2),
            at.move_a_folder,
            lambda: at.delete("first.md"),
        ):
            step()
            at.same_as_rebuilt()
    finally:
        at.teardown()


FollowingIndex.TestCase.settings = settings(
    max_examples=40, stateful_step_count=30, deadline=None, suppress_health_check=list(HealthCheck)
)
# Making a failing example small may take minutes.
TestFollowingIndex = pytest.mark.timeout(600)(FollowingIndex.TestCase)
