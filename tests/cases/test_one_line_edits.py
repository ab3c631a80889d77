"""An edit of one field is a diff of one line: what a person wrote around it is not ours to tidy."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from tests.cases.doors import Case, Door
from tests.gitrun import Git

PERSONS = b"""\
---
# owner: keep this line
title: "Quoted on purpose"
date: 2026-02-11        # day only
aliases: [One, Two]
weird_key: {b: 2, a: 1}
summary: >
  folded
  text
importance: 0.3
---
Body with two trailing spaces  
"""  # noqa: W291 - they are the point
IMPORTANCE = b"importance: 0.3\n"

EDITS: dict[str, tuple[dict[str, Any], bytes, bytes]] = {
    "importance": ({"importance": 0.4}, b"importance: 0.3", b"importance: 0.4"),
    "a title keeps its quotes": ({"title": "Other"}, b'"Quoted on purpose"', b'"Other"'),
    "a first tag": ({"add_tags": ["x"]}, IMPORTANCE, IMPORTANCE + b"tags: [x]\n"),
    "a ttl": ({"ttl": "90d"}, IMPORTANCE, IMPORTANCE + b"ttl: 90d\n"),
    "an expiry": ({"expires": "2030-01-02"}, IMPORTANCE, IMPORTANCE + b"expires: 2030-01-02\n"),
    "a kind": ({"kind": "decision"}, IMPORTANCE, IMPORTANCE + b"kind: decision\n"),
    "a pin": ({"pinned": True}, IMPORTANCE, IMPORTANCE + b"pinned: true\n"),
    "a key of one's own": ({"status": "open"}, IMPORTANCE, IMPORTANCE + b"status: open\n"),
    "a date keeps its comment": ({"date": "2026-02-12"}, b"date: 2026-02-11 ", b'date: "2026-02-12" '),
    "a flow list": ({"aliases": "One, Two, Three"}, b"[One, Two]", b"[One, Two, Three]"),
    "a folded text": ({"summary": "now short"}, b"summary: >\n  folded\n  text\n", b"summary: now short\n"),
    "the body": ({"text": "New body"}, b"Body with two trailing spaces  ", b"New body"),
}
"""What is changed, the bytes that go, the bytes that come."""


@pytest.mark.parametrize(("fields", "old", "new"), EDITS.values(), ids=EDITS)
def test_only_the_bytes_of_the_field_change(
    door: Door, case: Case, git: Git, fields: Mapping[str, Any], old: bytes, new: bytes
) -> None:
    place = case.write("notes/person.md", PERSONS)
    edited = door.edit("notes/person.md", **fields)
    assert edited.code == 0, edited
    expected = PERSONS.replace(old, new)
    assert place.read_bytes() == expected
    added = max(1, new.count(b"\n")) - (old in new)
    removed = 0 if old in new else max(1, old.count(b"\n"))
    stat = f"{added}\t{removed}"
    assert git(case.root, "show", "--numstat", "--format=", "HEAD") == f"{stat}\tnotes/person.md"
    assert git(case.root, "status", "--porcelain", "notes") == ""


def test_the_persons_own_version_is_committed_first_and_as_theirs(door: Door, case: Case, git: Git) -> None:
    case.write("notes/person.md", PERSONS)
    assert door.edit("notes/person.md", agent=None, importance=0.4).code == 0
    assert git(case.root, "log", "--format=%an|%s").splitlines() == [
        "Test Person|edit: Quoted on purpose",
        "Test Person|keep: Quoted on purpose",
    ]
    assert git(case.root, "show", "HEAD~1:notes/person.md").encode() + b"\n" == PERSONS


LISTS: dict[str, tuple[bytes, bytes]] = {
    "flow": (b"tags: [a, b]\n", b"tags: [a, b, x]\n"),
    "flow with a comment": (b"tags: [a, b]  # mine\n", b"tags: [a, b, x]  # mine\n"),
    "flow in quotes": (b"tags: ['a', \"b\"]\n", b"tags: ['a', \"b\", x]\n"),
    "block": (b"tags:\n  - a\n  - b\n", b"tags:\n  - a\n  - b\n  - x\n"),
    "block without indent": (b"tags:\n- a\n- b\n", b"tags:\n- a\n- b\n- x\n"),
    "block with comments": (
        b"tags:\n  - a # one\n  # two\n  - b\n",
        b"tags:\n  - a # one\n  # two\n  - b\n  - x\n",
    ),
    "commas": (b"tags: a, b\n", b"tags: a, b, x\n"),
    "spaces": (b"tags: a b\n", b"tags: a b x\n"),
    "one word": (b"tags: a\n", b"tags: a, x\n"),
    "empty": (b"tags: []\n", b"tags: [x]\n"),
    "no value": (b"tags:\n", b"tags: [x]\n"),
    "the other name": (b"tag: a\n", b"tag: a, x\n"),
}


@pytest.mark.parametrize(("old", "new"), LISTS.values(), ids=LISTS)
def test_a_tag_joins_the_list_in_the_lists_own_style(
    door: Door, case: Case, git: Git, old: bytes, new: bytes
) -> None:
    before = b"---\ntitle: T\n" + old + b"# after\nzz: 1\n---\nbody\n"
    place = case.write("t.md", before)
    edited = door.edit("t.md", add_tags=["x"])
    assert edited.code == 0, edited
    after = place.read_bytes()
    assert "x" in door.show("t.md").value["tags"]
    assert git(case.root, "show", "--numstat", "--format=", "HEAD").split()[0] == "1"
    assert after == before.replace(old, new), after.decode()
    assert door.edit("t.md", remove_tags=["x"]).code == 0
    assert door.show("t.md").value["tags"] == [tag for tag in ("a", "b") if f"{tag}".encode() in old[4:]]
    assert place.read_bytes().startswith(b"---\ntitle: T\n")
    assert place.read_bytes().endswith(b"# after\nzz: 1\n---\nbody\n")


REFUSED: dict[str, tuple[bytes, dict[str, Any], int]] = {
    "tags that are a mapping": (b"---\ntags: {a: 1}\n---\nbody\n", {"add_tags": ["x"]}, 2),
    "a block that is not YAML": (b"---\ntitle: Plan: phase two\n---\nbody\n", {"importance": 0.4}, 2),
    "a fence that never closes": (b"---\ntitle: open\nbody\n", {"importance": 0.4}, 1),
    "an anchor": (b"---\nimportance: &i 0.3\nother: *i\n---\nbody\n", {"importance": 0.4}, 2),
    "one line for all keys": (b"---\n{title: T, importance: 0.3}\n---\nbody\n", {"importance": 0.4}, 2),
    "twice the same key": (b"---\nimportance: 0.3\nimportance: 0.5\n---\nbody\n", {"importance": 0.4}, 3),
}
"""What can't be changed in its own lines: the file, the change, the line that stands in the way."""


@pytest.mark.parametrize(("content", "fields", "line"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_changed_by_its_line_is_refused_with_the_line_and_stays(
    door: Door, case: Case, content: bytes, fields: Mapping[str, Any], line: int
) -> None:
    place = case.write("t.md", content)
    case.write("good.md", "a good one\n")
    edited = door.edit("t.md", **fields)
    assert edited.code == 65
    assert edited.error.startswith(f"t.md:{line}: ")
    assert place.read_bytes() == content
    assert [hit["path"] for hit in door.search("body").value["hits"]] == ["t.md"]
    assert door.edit("good.md", importance=0.4).code == 0


def test_an_alias_gives_way_to_a_value_and_its_anchor_stays(door: Door, case: Case) -> None:
    place = case.write("t.md", b"---\nother: &i 0.3\nimportance: *i\n---\nbody\n")
    assert door.edit("t.md", importance=0.4).code == 0
    assert place.read_bytes() == b"---\nother: &i 0.3\nimportance: 0.4\n---\nbody\n"


def test_the_body_alone_is_a_memory_and_a_first_key_puts_one_block_above_it(
    door: Door, case: Case, git: Git
) -> None:
    place = case.write("plain.md", "just text  \n\n---\nand a rule\n")
    assert door.edit("plain.md", importance=0.4).code == 0
    assert place.read_bytes() == b"---\nimportance: 0.4\n---\njust text  \n\n---\nand a rule\n"
    assert git(case.root, "show", "--numstat", "--format=", "HEAD") == "3\t0\tplain.md"


def test_a_value_that_stands_there_already_makes_no_commit(door: Door, case: Case, git: Git) -> None:
    place = case.write("notes/person.md", PERSONS)
    git(case.root, "add", "notes/person.md")
    git(case.root, "commit", "--quiet", "-m", "mine")
    before = git(case.root, "rev-parse", "HEAD")
    answered = door.edit("notes/person.md", importance=0.3)
    assert (answered.code, answered.value["known"]) == (0, True)
    assert git(case.root, "rev-parse", "HEAD") == before
    assert place.read_bytes() == PERSONS


def test_updated_is_refreshed_only_where_a_person_keeps_it(door: Door, case: Case) -> None:
    with_it = case.write("with.md", "---\nupdated: 2020-01-01\nimportance: 0.3\n---\nbody one\n")
    without = case.write("without.md", "---\nimportance: 0.3\n---\nbody two\n")
    for name in ("with.md", "without.md"):
        assert door.edit(name, importance=0.4).code == 0
    assert with_it.read_text() == "---\nupdated: 2026-03-14\nimportance: 0.4\n---\nbody one\n"
    assert without.read_text() == "---\nimportance: 0.4\n---\nbody two\n"


def test_many_edits_of_one_key_leave_every_other_byte(door: Door, case: Case) -> None:
    place = case.write("notes/person.md", PERSONS)
    for number in range(20):
        assert door.edit("notes/person.md", importance=number / 100).code == 0
    assert door.edit("notes/person.md", importance=0.3).code == 0
    assert place.read_bytes() == PERSONS


BROKEN = b"---\nid: b\ntitle: Plan: phase two\nup: [[Home]] and more\n---\nThe plan\n\nand its end\n"


def test_a_review_and_a_revert_change_those_lines_alone_too(case: Case, git: Git) -> None:
    """Though the person has gone on in the same file, and though another one's front matter is not YAML."""
    note, broken = case.write("shared/note.md", PERSONS), case.write("shared/broken.md", BROKEN)
    git(case.root, "add", "--all")
    git(case.root, "commit", "--quiet", "--message", "notes")
    akashi = ("--agent", "akashi")
    for argv in (("shared/note.md", "--importance", "0.4"), ("shared/note.md", "--add-tag", "x")):
        assert case.vmem(*akashi, "edit", *argv, "--propose=p").code == 0
    tree = case.root / ".vmem/local/worktrees/akashi/p"
    (tree / "shared/broken.md").write_bytes(BROKEN.replace(b"The plan", b"The new plan"))
    git(tree, "commit", "--quiet", "--all", "--message", "by hand")
    theirs = PERSONS.replace(b"# day only", b"# only the day").replace(
        b"spaces  \n", b"spaces  \n\nand more\n"
    )
    note.write_bytes(theirs)
    broken.write_bytes(BROKEN.replace(b"its end", b"the end"))
    git(case.root, "commit", "--quiet", "--all", "--message", "the person goes on")
    accepted = case.vmem("review", "p", "--accept", "--json").value["committed"]
    assert note.read_bytes() == theirs.replace(b"0.3\n", b"0.4\ntags: [x]\n")
    assert broken.read_bytes() == BROKEN.replace(b"The plan", b"The new plan").replace(b"its end", b"the end")
    assert case.vmem("revert", accepted).code == 0
    assert note.read_bytes() == theirs
    assert broken.read_bytes() == BROKEN.replace(b"its end", b"the end")
