"""`vmem watch` as a real process beside a person's editor and git."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cases.beside_git import Desk, new_desk, vmem_command, vmem_environment
from tests.live.scene import SAVES, Save

SECONDS = 60.0


class Watch:
    """A running `vmem watch --json`, and what it has said."""

    def __init__(self, desk: Desk, *options: str) -> None:
        self.desk = desk
        self.process = subprocess.Popen(
            vmem_command(desk.root, "watch", "--json", *options),
            env=vmem_environment({"VMEM_EMBEDDER": "none"}),
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        self.events: list[dict[str, Any]] = []
        self._reader = threading.Thread(target=self._read)
        self._reader.start()
        self.wait_for(lambda: self.events)

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.events.append(json.loads(line))

    def wait_for(self, fact: Any) -> None:
        until = time.monotonic() + SECONDS
        while not fact():
            assert self.process.poll() is None, self.process.stderr and self.process.stderr.read()
            assert time.monotonic() < until, self.events
            time.sleep(0.01)

    def paths(self, what: str) -> list[str]:
        return [path for event in self.events if event["event"] == "indexed" for path in event[what]]

    def committed(self) -> list[dict[str, Any]]:
        return [event for event in self.events if event["event"] == "committed"]

    def end(self, number: int = signal.SIGTERM) -> tuple[int, str]:
        """Its exit code, and what it said on stderr."""
        if self.process.stdout is None or self.process.stdout.closed:
            return self.process.returncode, ""
        if self.process.poll() is None:
            self.process.send_signal(number)
        code = self.process.wait(SECONDS)
        self._reader.join()
        assert self.process.stdout is not None
        assert self.process.stderr is not None
        err = self.process.stderr.read()
        self.process.stdout.close()
        self.process.stderr.close()
        return code, err


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    desk = new_desk(tmp_path / "memory")
    (desk.root / "notes").mkdir()
    (desk.root / "notes/a.md").write_text("the heron stands\n", encoding="utf-8")
    return desk


@pytest.fixture
def watch(desk: Desk) -> Iterator[Watch]:
    watch = Watch(desk)
    yield watch
    watch.end()


def test_each_way_to_save_is_seen_as_one_change_of_the_file(desk: Desk, watch: Watch) -> None:
    assert watch.events[0]["event"] == "watching"
    assert watch.events[0]["polled"] is None
    saves: list[Save] = list(SAVES.values())
    for number, save in enumerate(saves):
        seen = [*watch.paths("changed")]
        save(desk.root / "notes/a.md", f"kingfisher number {number}\n")
        watch.wait_for(lambda seen=seen: len(watch.paths("changed")) > len(seen))
        assert desk.recalled(f'"kingfisher number {number}"') == ["notes/a.md"]
    assert desk.recalled("heron") == []
    assert set(watch.paths("changed")) == {"notes/a.md"}
    assert watch.paths("added") == ["notes/a.md"]  # by the first look
    assert watch.paths("removed") == []
    assert watch.end() == (0, "")


def test_moves_new_folders_and_a_checkout_are_seen(desk: Desk, watch: Watch, tmp_path: Path) -> None:
    desk.git("add", "--all")
    desk.git("commit", "--quiet", "--message=one")
    (desk.root / "x/y/z").mkdir(parents=True)
    (desk.root / "x/y/z/deep.md").write_text("an owl\n", encoding="utf-8")
    watch.wait_for(lambda: "x/y/z/deep.md" in watch.paths("added"))
    (desk.root / "notes/a.md").rename(tmp_path / "a.md")
    watch.wait_for(lambda: "notes/a.md" in watch.paths("removed"))
    desk.git("checkout", "--quiet", "--", "notes")
    watch.wait_for(lambda: watch.paths("added").count("notes/a.md") == 2)
    (desk.root / "x").rename(desk.root / "w")
    watch.wait_for(lambda: "w/y/z/deep.md" in watch.paths("added"))
    assert desk.git("log", "--format=%s").splitlines() == ["one"]
    assert desk.git("status", "--porcelain") == "?? w/"


def test_what_is_touched_only_and_what_vmem_writes_says_nothing(desk: Desk, watch: Watch) -> None:
    watch.wait_for(lambda: watch.paths("added"))
    seen = len(watch.events)
    os.utime(desk.root / "notes/a.md")
    desk.json("remember", "an owl of vmem's own", "--title", "Owl")
    (desk.root / "notes/last.md").write_text("the last\n", encoding="utf-8")
    watch.wait_for(lambda: "notes/last.md" in watch.paths("added"))
    assert len(watch.events) == seen + 1


def test_with_commit_one_change_is_one_commit(desk: Desk) -> None:
    desk.git("add", "--all")
    desk.git("commit", "--quiet", "--message=one")
    watch = Watch(desk, "--commit", "--pause", "1")
    try:
        assert watch.events[0]["commit_after_seconds"] == 1.0
        (desk.root / "notes/a.md").write_text("the heron flies\n", encoding="utf-8")
        watch.wait_for(watch.committed)
        [event] = watch.committed()
        assert event["files"] == [{"path": "notes/a.md", "what": "changed"}]
        assert desk.git("rev-parse", "HEAD") == event["commit"]
        assert desk.git("log", "--format=%an: %s").splitlines() == [
            "Test Person: keep: a",
            "Test Person: one",
        ]
        (desk.root / "notes/a.md").write_text("the heron lands\n", encoding="utf-8")
    finally:
        code, err = watch.end()
    assert (code, err) == (0, "")
    assert len(desk.git("log", "--format=%s").splitlines()) == 3  # the last one at its end


def test_it_ends_by_a_signal_and_by_a_reader_that_has_enough(desk: Desk) -> None:
    watch = Watch(desk)
    code, err = watch.end(signal.SIGINT)
    assert (code, err) == (130, "vmem: interrupted; what was acknowledged is kept\n")
    with subprocess.Popen(
        vmem_command(desk.root, "watch"), env=vmem_environment({}), stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == f"Watching {desk.root}: 1 memory in 2 folders. Ctrl+C ends it.\n"
        process.stdout.close()
        (desk.root / "notes/b.md").write_text("said to nobody\n", encoding="utf-8")
        assert process.wait(SECONDS) == 0


def test_a_vault_that_goes_away_is_told_and_so_is_its_return(desk: Desk, watch: Watch) -> None:
    watch.wait_for(lambda: watch.paths("added"))
    desk.root.rename(desk.root.with_name("elsewhere"))
    watch.wait_for(lambda: watch.events[-1]["event"] == "trouble")
    assert str(desk.root) in watch.events[-1]["message"]
    desk.root.with_name("elsewhere").rename(desk.root)
    watch.wait_for(lambda: watch.events[-1]["event"] == "well")
    assert watch.paths("removed") == []


def test_what_can_not_be_asked_is_refused(desk: Desk) -> None:
    said = desk.vmem("watch", "--pause", "3")
    assert (said.code, said.err.splitlines()[0]) == (2, "vmem: --pause is how long --commit waits")
    said = desk.vmem("--agent", "akashi", "watch", "--commit")
    assert said.code == 77
    said = desk.vmem("watch", "--commit", "--pause", "-1")
    assert said.code == 2


def test_an_agent_is_told_only_of_what_it_may_read(desk: Desk) -> None:
    watch = Watch(desk, "--agent", "akashi")
    try:
        for name in ("private/other/x.md", "private/akashi/x.md"):
            (desk.root / name).parent.mkdir(parents=True)
            (desk.root / name).write_text("text\n", encoding="utf-8")
        watch.wait_for(lambda: "private/akashi/x.md" in watch.paths("added"))
        assert "private/other/x.md" not in json.dumps(watch.events)
        assert sum(event["counts"]["added"] for event in watch.events if "counts" in event) == 2
    finally:
        watch.end()
