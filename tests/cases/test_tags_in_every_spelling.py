"""However a person spells the tags of a note, the note is found by them, and its file stays as it is."""

from __future__ import annotations

import pytest

from tests.cases.doors import Case, Door
from tests.gitrun import Git

SPELLINGS: dict[str, tuple[str, list[str], list[str]]] = {
    "commas": ("tags: alpha, beta", ["alpha", "beta"], []),
    "spaces": ("tags: alpha beta", ["alpha", "beta"], []),
    "a quoted hash": ('tags: "#alpha"', ["alpha"], []),
    "a comment": ("tags: #alpha", [], ["VM022"]),
    "a flow list": ('tags: [alpha, "#beta", proj/sub]', ["alpha", "beta", "proj/sub"], []),
    "JSON in quotes": ('tags: \'["alpha", "beta"]\'', ["alpha", "beta"], []),
    "nothing": ("tags:", [], []),
    "one empty item": ("tags:\n  -", [], []),
    "an empty item among others": ("tags:\n  -\n  - alpha\n  - ''", ["alpha"], []),
    "numbers, flags, null": ("tags: [2024, true, null, 1.10]", ["2024", "true", "1.10"], []),
    "a map": ("tags: {a: 1}", [], ["VM021"]),
    "a map among tags": ("tags: [alpha, {a: 1}]", ["alpha"], ["VM021"]),
    "tag": ("tag: alpha", ["alpha"], []),
    "in capitals": ("Tags: [Alpha]", ["Alpha"], []),
    "a block": ("tags:\n- alpha\n- '#beta'", ["alpha", "beta"], []),
    "a comment in a block": ("tags:\n- alpha\n- #beta", ["alpha"], ["VM022"]),
    "lines of text": ("tags: |\n  alpha\n  beta", ["alpha", "beta"], []),
    "twice": ("tags: [alpha, alpha, '#alpha']", ["alpha"], []),
    "an alias": ("mine: &t [alpha]\ntags: *t", ["alpha"], []),
    "keywords": ("keywords: [alpha]", [], []),
}
"""A spelling, the tags that it means, and the faults that it has."""

INLINE = """\
Text with a #real-tag and #1984, `#notatag`, a [link](#part) and \\#none.

```css
color: #00ff88
#include
```

    #indented

%% #hidden %% <span style="color: #abc"> C# ##double
"""


def note(line: str, number: int) -> str:
    return f"---\nid: n{number}\n{line}\n---\nThe capstan number{number:02}.\n"


@pytest.mark.parametrize(("line", "tags", "codes"), SPELLINGS.values(), ids=SPELLINGS)
def test_the_tags_are_read_and_the_bytes_stay(
    door: Door, case: Case, line: str, tags: list[str], codes: list[str]
) -> None:
    place = case.write("t.md", note(line, 0))
    shown = door.show("t.md").value
    assert shown["tags"] == tags
    assert [finding["code"] for finding in shown["findings"]] == codes
    assert all(len(tag) > 1 for tag in tags), "never a single letter of a text"
    for tag in tags:
        assert [entry["path"] for entry in door.list(tag=tag).value] == ["t.md"]
        assert [entry["path"] for entry in door.list(tag=f"#{tag.upper()}").value] == ["t.md"]
    assert door.list(tag="alph").value == []
    assert case.vmem("reindex").code == 0
    assert place.read_text() == note(line, 0)


def test_all_of_them_beside_each_other_stop_nobody(door: Door, case: Case, git: Git) -> None:
    for number, (line, _, _) in enumerate(SPELLINGS.values()):
        case.write(f"n{number:02}.md", note(line, number))
    before = case.files()
    assert [entry["tags"] for entry in door.list().value] == [tags for _, tags, _ in SPELLINGS.values()]
    faulty = {f"n{number:02}.md" for number, (_, _, codes) in enumerate(SPELLINGS.values()) if codes}
    assert {finding["path"] for finding in door.status().value["findings"]} == faulty
    for number in range(len(SPELLINGS)):
        assert door.search(f"number{number:02}").value["hits"][0]["path"] == f"n{number:02}.md"
    assert case.vmem("reindex").code == 0
    assert case.files() == before


def test_a_tag_in_the_text_counts_and_other_hashes_do_not(door: Door, case: Case) -> None:
    place = case.write("t.md", f"---\ntags: [Alpha]\n---\n{INLINE}#alpha again\n")
    shown = door.show("t.md").value
    assert (shown["tags"], shown["inline_tags"], shown["findings"]) == (["Alpha"], ["real-tag"], [])
    assert [entry["inline_tags"] for entry in door.list(tag="real-tag").value] == [["real-tag"]]
    for other in ("1984", "notatag", "00ff88", "include", "indented", "hidden", "abc", "double", "part"):
        assert door.list(tag=other).value == [], other
    assert place.read_text().endswith(f"{INLINE}#alpha again\n")


def test_the_setting_says_whether_tags_in_the_text_count(door: Door, case: Case) -> None:
    case.write("t.md", "A #real-tag.\n")
    assert len(door.list(tag="real-tag").value) == 1
    settings = case.root / ".vmem" / "config.toml"
    settings.write_text(f"{settings.read_text()}inline_tags = false\n")
    assert door.list(tag="real-tag").value == []
    assert door.show("t.md").value["inline_tags"] == ["real-tag"]


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("aliases: [One, Two]", ["One", "Two"]),
        ("aliases: One, Two", ["One", "Two"]),
        ("alias: One", ["One"]),
        ("aliases:\n  - One\n  -", ["One"]),
    ],
)
def test_aliases_are_read_in_every_spelling_and_found(
    door: Door, case: Case, line: str, names: list[str]
) -> None:
    case.write("t.md", note(line, 0))
    shown = door.show("t.md").value
    assert (shown["aliases"], shown["findings"]) == (names, [])
    assert [hit["path"] for hit in door.search("one").value["hits"]] == ["t.md"]
