"""A thousand mixed calls by four clients at once: no error, and what was acknowledged is in git."""

from __future__ import annotations

import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.gitrun import run_git
from tests.mcp.talking import PATIENCE, Talk, process
from vault_memory.vault import Vault

CLIENTS, CALLS = 4, 250
NAMESPACES = ("fleet", "port", "crew", "")
"""Shared ones of all clients, and each client's own."""


@dataclass
class Sailor:
    """One client, and what it was told is saved: by path the text, and the tags that it added."""

    name: str
    talk: Talk
    chance: random.Random
    saved: dict[str, str] = field(default_factory=dict)
    tags: dict[str, set[str]] = field(default_factory=dict)
    gone: set[str] = field(default_factory=set)

    def work(self) -> None:
        """As many calls as one client makes."""
        acts: tuple[Callable[[int], object], ...] = (
            self._remember, self._remember, self._remember, self._recall, self._recall, self._search,
            self._show, self._edit, self._list, self._log, self._forget,
        )  # fmt: skip
        for turn in range(CALLS):
            self.chance.choice(acts if self.saved else (self._remember,))(turn)

    def _any(self) -> str:
        return self.chance.choice(sorted(self.saved))

    def _remember(self, turn: int) -> None:
        text = f"{self.name} logged sounding {turn} of {self.chance.randrange(10**9)} fathoms"
        namespace = self.chance.choice(NAMESPACES)
        more = {"namespace": namespace} if namespace else {}
        path = self.talk.well("remember", text=text, tags=["log"], **more)["path"]
        assert path not in self.saved
        self.saved[path], self.tags[path] = text, {"log"}

    def _recall(self, _: int) -> None:
        path = self._any()
        assert self.saved[path] in self.talk.well("recall", query=self.saved[path], max_tokens=500)["text"]

    def _search(self, turn: int) -> None:
        self.talk.well("search", query=f"sounding {turn}", limit=5)

    def _show(self, _: int) -> None:
        path = self._any()
        assert self.talk.well("show", ref=path)["text"] == f"{self.saved[path]}\n"

    def _edit(self, turn: int) -> None:
        path = self._any()
        self.talk.well("edit", ref=path, add_tags=[f"turn-{turn}"])
        self.tags[path].add(f"turn-{turn}")

    def _list(self, _: int) -> None:
        assert self.talk.well("list", tag="log", limit=5)["memories"]

    def _log(self, _: int) -> None:
        self.talk.well("log", limit=5)

    def _forget(self, _: int) -> None:
        path = self._any()
        self.talk.well("forget", ref=path)
        del self.saved[path], self.tags[path]
        self.gone.add(path)


@pytest.mark.slow
@pytest.mark.timeout(600)  # on a machine with much else to do
def test_a_thousand_mixed_calls_of_four_clients_lose_no_write(tmp_path: Path) -> None:
    root = tmp_path / "memory"
    Vault.create(root)
    with ExitStack() as stack:
        sailors, programs = [], []
        for number in range(CLIENTS):
            program, talk = stack.enter_context(process("--vault", str(root), "--agent", f"sailor-{number}"))
            talk.greet()
            programs.append(program)
            sailors.append(Sailor(f"sailor-{number}", talk, random.Random(number)))
        with ThreadPoolExecutor(CLIENTS) as pool:
            for done in [pool.submit(one.work) for one in sailors]:
                done.result()
        for one in sailors:
            assert one.talk.hang_up() == []
        for program in programs:
            assert program.wait(PATIENCE) == 0
    in_git = set(run_git(root, "ls-tree", "-r", "--name-only", "HEAD").splitlines())
    with Vault.open(root) as vault:
        for one in sailors:
            assert one.saved
            for path, text in one.saved.items():
                assert path in in_git
                memory = vault.person.show(path).memory
                assert memory.body.strip() == text
                assert set(memory.tags) == one.tags[path]
            assert not one.gone & in_git
        assert vault.upkeep.status(vault.person.scope).waiting == ()
    assert run_git(root, "status", "--porcelain", "--", "private", "shared") == ""
    assert run_git(root, "fsck", "--strict", "--no-dangling").strip() == ""
