"""Every way of saving leaves what it says, and nothing else but a backup."""

from __future__ import annotations

from pathlib import Path

import pytest

from vault_memory.evaluate.live.saves import SAVES, Change, Save

BEFORE, AFTER = b"what was there\n", b"what is there now, and longer\n"


@pytest.fixture
def to(tmp_path: Path) -> Change:
    (tmp_path / "vault" / "notes").mkdir(parents=True)
    (tmp_path / "aside").mkdir()
    return Change(tmp_path / "vault" / "notes" / "heron.md", AFTER, tmp_path / "aside")


@pytest.mark.parametrize("save", SAVES, ids=[save.name for save in SAVES])
def test_the_content_lies_where_it_says(save: Save, to: Change) -> None:
    if not save.new:
        to.file.write_bytes(BEFORE)
    place = save.act(to)
    left = {path for path in to.file.parents[1].rglob("*") if path.is_file()}
    if place is None:
        assert left == set()
        return
    expected = BEFORE if save.keeps else BEFORE + AFTER if save.name == "appended to" else AFTER
    assert place.read_bytes() == expected
    assert left - {place.with_name(f"{place.name}~")} == {place}
    assert list(to.aside.iterdir()) == []


@pytest.mark.parametrize("save", [save for save in SAVES if save.keeps], ids=lambda save: save.name)
def test_what_only_moves_is_back_when_it_is_done_twice(save: Save, to: Change) -> None:
    to.file.write_bytes(BEFORE)
    there = save.act(to)
    assert there is not None
    assert there != to.file
    assert save.act(Change(there, AFTER, to.aside)) == to.file


def test_no_two_ways_have_the_same_name() -> None:
    assert len({save.name for save in SAVES}) == len(SAVES)
