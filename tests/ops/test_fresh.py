"""An answer shows no text that its file no longer holds, however many files have changed."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from vault_memory.model.namespace import VaultPath
from vault_memory.ops.fresh import NAMED, answer_fresh
from vault_memory.ops.refresh import refresh
from vault_memory.vault import Vault

MANY = 60


def test_where_all_files_changed_and_nothing_can_be_read_in_the_rounds_are_few(tmp_path: Path) -> None:
    root = Vault.create(tmp_path / "memory").root
    with Vault.open(root) as vault:
        paths = [one.path for one in vault.person.remember_many([f"fact {n}" for n in range(MANY)])]
        last = paths[-1]
        for path in paths[:-1]:
            (root / path).write_text("quite another\n", encoding="utf-8")
        ports = vault._opened.ports
        asked: list[int] = []

        def answer(without: Collection[VaultPath]) -> list[VaultPath]:
            asked.append(len(without))
            return [path for path in paths if path not in without][:2]

        with ports.lock.held(wait=1), Vault.open(root) as other:  # a writer is at work meanwhile
            theirs = other._opened.ports
            # The lock is re-entrant in this thread, but not for the other vault.
            shown, said = answer_fresh(theirs, ZoneInfo("UTC"), answer, lambda given: given)
    assert shown == [last]
    assert len(asked) <= 6
    assert said is not None
    assert said.count(".md") <= NAMED


def test_a_change_that_another_process_indexes_meanwhile_is_seen(tmp_path: Path) -> None:
    root = Vault.create(tmp_path / "memory").root
    with Vault.open(root) as vault, Vault.open(root) as other:
        path = vault.person.remember("the limit is forty").path
        ports = vault._opened.ports
        given: list[str] = []

        def answer(_: Collection[VaultPath]) -> str:
            [passage] = ports.index.passages_of(path)
            text = passage.passage.text
            if not given:  # our text is read, and theirs is in the index before the file is looked at
                (root / path).write_text("the limit is fifty\n", encoding="utf-8")
                other.index.refresh()
            given.append(text)
            return text

        shown, said = answer_fresh(ports, ZoneInfo("UTC"), answer, lambda _: [path])
    assert (shown, said) == ("the limit is fifty", None)
    assert given == ["the limit is forty", "the limit is fifty"]


def test_a_writer_takes_its_turn_while_many_files_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vault_memory.ops.refresh.FILES_A_TRANSACTION", 10)
    root = Vault.create(tmp_path / "memory").root
    for number in range(MANY):
        (root / f"{number}.md").write_text(f"fact {number}\n", encoding="utf-8")
    written: list[str] = []

    with Vault.open(root) as vault, Vault.open(root) as other:

        def progress(what: str, *_: object) -> None:
            if what != "reading files":
                return
            with other._opened.ports.lock.held(wait=0):
                written.append(other.person.remember(f"written beside it, {len(written)}").path)

        ports = vault._opened.ports
        report = refresh(ports, ZoneInfo("UTC"), wait=5, progress=progress)
        assert (report.added, report.removed, report.reason) == (MANY, 0, None)
        assert len(written) == MANY // 10
        assert refresh(ports, ZoneInfo("UTC"), wait=5).touched == ()
        assert {*written, *(f"{n}.md" for n in range(MANY))} == {one.path for one in vault.person.list()}


def test_of_large_files_few_are_held_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vault_memory.ops.refresh.BYTES_A_TRANSACTION", 1_000)
    root = Vault.create(tmp_path / "memory").root
    for number, size in enumerate((300, 300, 300, 300, 5_000, 10, 10)):
        (root / f"{number}.md").write_text("x" * size, encoding="utf-8")
    read: list[int] = []
    with Vault.open(root) as vault:
        report = refresh(
            vault._opened.ports,
            ZoneInfo("UTC"),
            wait=5,
            progress=lambda what, done, _: read.append(done) if what == "reading files" else None,
        )
    assert report.added == 7
    assert read == [3, 4, 5, 7]
