"""A vault, or a piece of it, that may not be read or written."""

from __future__ import annotations

import json

import pytest

from tests.cases.doors import Case
from tests.cases.nobody import Nobodys, nobodys_vault


def _filled(theirs: Nobodys) -> None:
    theirs.write("note.md", "---\ntitle: The note\n---\npersimmon of a person\n")
    theirs.write("shared/ops/other.md", "persimmon of an agent\n")


READS = (
    ["recall", "persimmon"],
    ["search", "persimmon"],
    ["list"],
    ["show", "The note"],
    ["status"],
    ["log"],
)


def _close(theirs: Nobodys, *, but_for: tuple[str, ...] = ()) -> None:
    for place in (theirs.root, *theirs.root.rglob("*")):
        if not any(str(place).startswith(str(theirs.root / kept)) for kept in but_for):
            place.chmod(0o555 if place.is_dir() else 0o444)


@pytest.mark.parametrize("indexed", [True, False], ids=["indexed before", "never indexed"])
def test_a_read_only_vault_is_read_and_says_what_it_is(indexed: bool) -> None:
    with nobodys_vault() as theirs:
        _filled(theirs)
        if indexed:
            assert theirs.vmem("status").code == 0
        _close(theirs)
        reads = theirs.several(READS)
        writes = theirs.several(
            [["remember", "new"], ["edit", "note.md", "--importance=0.4"], ["forget", "note.md"], ["reindex"]]
        )
    assert [ran.code for ran in reads] == [0] * len(READS)
    for ran in reads[:2]:
        assert "persimmon of a person" in ran.out.replace("\u2039", "").replace("\u203a", "")
    assert "2 memories" in reads[2].out
    assert reads[3].out == "---\ntitle: The note\n---\npersimmon of a person\n"
    for ran in reads[:4]:
        assert "the index can't be written" in ran.err, ran
    assert [ran.code for ran in writes] == [74] * 4
    for ran in writes:
        assert ran.out == ""


def test_a_read_only_sidecar_is_searched_as_it_is_and_says_so() -> None:
    with nobodys_vault() as theirs:
        _filled(theirs)
        assert theirs.vmem("status").code == 0
        local_folder = theirs.root / ".vmem" / "local"
        for place in (local_folder, *local_folder.iterdir()):
            place.chmod(0o555 if place.is_dir() else 0o444)
        found, listed, remembered = theirs.several(
            [["search", "persimmon", "--json"], ["list"], ["remember", "new"]]
        )
    assert len(found.value["hits"]) == 2
    assert any("can't be written" in notice for notice in found.value["notices"])
    assert "2 memories" in listed.out
    assert "can't be written" in listed.err
    assert remembered.code == 74


def test_files_changed_since_a_read_only_index_was_made_are_never_shown_as_they_were() -> None:
    with nobodys_vault() as theirs:
        _filled(theirs)
        assert theirs.vmem("status").code == 0
        theirs.write("note.md", "---\ntitle: The note\n---\nquince of a person\n")
        (theirs.root / "shared" / "ops" / "other.md").unlink()
        _close(theirs)
        found, recalled = theirs.several([["search", "persimmon", "--json"], ["recall", "persimmon"]])
    assert found.value["hits"] == []
    assert any("the index is behind the files" in notice for notice in found.value["notices"])
    assert "persimmon of" not in recalled.out
    assert "the index is behind the files" in recalled.err


@pytest.mark.parametrize("closed", ["shared", "shared/ops"])
def test_a_folder_that_may_not_be_listed_is_an_error_and_removes_nothing(closed: str) -> None:
    with nobodys_vault() as theirs:
        _filled(theirs)
        assert theirs.vmem("status").code == 0
        (theirs.root / closed).chmod(0)
        answers = theirs.several([["recall", "persimmon"], ["list"], ["reindex"], ["remember", "new"]])
        (theirs.root / closed).chmod(0o755)
        again = theirs.vmem("search", "persimmon", "--json")
    for ran in answers[:3]:
        assert (ran.code, ran.out) == (74, "")
        assert f"can't read {closed}: permission denied" in ran.err.lower()
    assert len(again.value["hits"]) >= 2


@pytest.mark.parametrize("closed", [".", ".vmem"])
def test_a_vault_that_may_not_be_entered_is_not_found_and_nothing_is_lost(closed: str) -> None:
    with nobodys_vault() as theirs:
        _filled(theirs)
        assert theirs.vmem("status").code == 0
        (theirs.root / closed).chmod(0)
        answers = theirs.several([["recall", "persimmon"], ["list"], ["remember", "new"]])
        (theirs.root / closed).chmod(0o755)
        again = theirs.vmem("search", "persimmon", "--json")
    assert {ran.code for ran in answers} <= {3, 74, 78}
    assert {ran.out for ran in answers} == {""}
    assert len(again.value["hits"]) == 2


def test_settings_that_may_not_be_read_are_named() -> None:
    with nobodys_vault() as theirs:
        _filled(theirs)
        (theirs.root / ".vmem" / "config.toml").chmod(0)
        ran = theirs.vmem("list")
    assert ran.code == 78
    assert "config.toml: can't be read: permission denied" in ran.err.lower()


def test_a_home_that_may_not_be_entered_is_no_obstacle(filled: Case) -> None:
    with nobodys_vault() as theirs:
        _filled(theirs)
        (theirs.home / ".config").mkdir()
        (theirs.home / ".config").chmod(0)
        ran = theirs.vmem("list", "--json")
    assert len(json.loads(ran.out)) == 2
