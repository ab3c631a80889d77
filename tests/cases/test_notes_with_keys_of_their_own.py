"""A note that is given with its front matter is kept as that note; what can't be read stays text."""

from __future__ import annotations

from tests.cases.doors import Case, Door

NOTE = """\
---
id: 01OLDER
# mine
title: "A note: of old"
tags: [alpha, beta]   # both
importance: 0.9
up: "[[Home]]"
created: 2024-05-01
weird: {b: 2, a: 1}
---

The capstan is oiled. #in-may
"""


def test_its_lines_stay_and_the_memory_is_found_by_them(door: Door, case: Case) -> None:
    written = door.remember(NOTE).value
    assert (written["title"], written["notices"]) == ("A note: of old", [])
    assert written["path"] == "notes/a-note-of-old.md"
    content = (case.root / written["path"]).read_text()
    expected = NOTE.replace("id: 01OLDER", f'id: "{written["id"]}"').replace("---\n\nThe", "---\nThe")
    assert content == expected
    shown = door.show(written["id"]).value
    assert (shown["tags"], shown["inline_tags"]) == (["alpha", "beta"], ["in-may"])
    assert (shown["importance"], shown["created"]) == (0.9, "2024-05-01T00:00:00Z")
    assert door.remember(NOTE).value["known"]


def test_through_a_pipe_options_win_over_the_notes_own_keys(case: Case) -> None:
    ran = case.vmem(
        "remember", "-", "--json", "--importance", "0.2", "--tag", "gamma", "--namespace", "shared/ops",
        stdin=b"\xef\xbb\xbf" + NOTE.replace("\n", "\r\n").encode(),
    )  # fmt: skip
    assert ran.code == 0
    content = (case.root / ran.value["path"]).read_text()
    assert "importance: 0.2\n" in content
    assert "tags: [gamma]   # both\n" in content
    assert "# mine\n" in content
    assert content.count("---\n") == 2


def test_an_agents_note_is_the_agents(door: Door, case: Case) -> None:
    text = "---\nsource_agent: somebody\nid: mine\ncreated: soon\n---\nThe capstan.\n"
    written = door.remember(text, agent="akashi").value
    shown = door.show(written["id"], agent="akashi").value
    assert shown["source_agent"] == "akashi"
    assert shown["created"] == "2026-03-14T12:00:00Z"
    assert written["path"].startswith("private/akashi/")


def test_what_can_not_be_read_stays_text_and_is_told(door: Door, case: Case) -> None:
    text = "---\ntitle: Plan: two\n---\nThe capstan.\n"
    written = door.remember(text).value
    [notice] = written["notices"]
    assert "stays text: line 2" in notice
    assert door.show(written["id"]).value["text"] == text
    assert [hit["path"] for hit in door.search("capstan").value["hits"]] == [written["path"]]


def test_a_fault_in_its_keys_is_told_and_kept(door: Door, case: Case) -> None:
    written = door.remember("---\nimportance: 8/10\nttl: soon\n---\nThe capstan.\n").value
    assert ["VM020" in one or "VM023" in one for one in written["notices"]] == [True, True]
    assert "importance: 8/10\nttl: soon\n" in (case.root / written["path"]).read_text()


def test_a_rule_above_prose_is_no_front_matter(door: Door, case: Case) -> None:
    for text in (
        "---\n\nThe capstan.\n",
        "---\nThe capstan is oiled\n---\nand so on\n",
        "----\na: b\n----\n",
    ):
        written = door.remember(text).value
        assert written["notices"] == []
        assert door.show(written["id"]).value["text"] == text


def test_many_are_taken_line_by_line(case: Case) -> None:
    lines = b'{"text": "---\\ntitle: One\\ntags: [a]\\n---\\nText one."}\n{"text": "Text two."}\n'
    ran = case.vmem("remember", "--stdin-jsonl", "--json", stdin=lines)
    assert [one["title"] for one in ran.value] == ["One", "Text two."]
