"""What YAML would turn into something else is shown as it was typed, and no odd value stops a file."""

from __future__ import annotations

import pytest

from tests.cases.doors import Case, Door
from tests.gitrun import Git

AS_TYPED = {
    "id: 0123": ("id", "0123"),
    "id: 1234567": ("id", "1234567"),
    "id: 0o17": ("id", "0o17"),
    "id: true": ("id", "true"),
    "id: 2024-05-01": ("id", "2024-05-01"),
    "title: 2024-05-01": ("title", "2024-05-01"),
    "title: null": ("title", "null"),
    "title: ~": ("title", "~"),
    "title: no": ("title", "no"),
    "title: 1.10": ("title", "1.10"),
    "title: 0123": ("title", "0123"),
    "title: 12:30": ("title", "12:30"),
    "title: =": ("title", "="),
    "title: .inf": ("title", ".inf"),
    "title: 1_000": ("title", "1_000"),
}
"""A line, and what id or title it gives."""

KEPT = {
    "ratio: 16:9": "16:9",
    "at: 12:30": "12:30",
    "version: 1.10": "1.10",
    "country: no": "no",
    "op: =": "=",
    "on: push": "push",
    "number: 0123": "0123",
    "big: 1e400": "1e400",
    "date: 2026-02-11": "2026-02-11",
    "nothing: null": "null",
}
"""A line with a key that vmem does not know, and the text it stays."""

REPORTED = {
    'importance: "4"': ("VM020", 2),
    "importance: 8/10": ("VM020", 2),
    "importance: 8": ("VM020", 2),
    "importance: -0.1": ("VM020", 2),
    "importance: .nan": ("VM020", 2),
    "importance: 0,4": ("VM020", 2),
    "importance: true": ("VM020", 2),
    "importance: [0.4]": ("VM020", 2),
    "ttl: 1:00:00": ("VM023", 2),
    "ttl: forever": ("VM023", 2),
    "created: yesterday": ("VM025", 2),
    "created: 2024-05-01T10:00:00+25:00": ("VM025", 2),
    "expires: 03/04/2026": ("VM025", 2),
    "expires: 13.8.26": ("VM025", 2),
    "expires: 2026-02-30": ("VM025", 2),
    "pinned: maybe": ("VM026", 2),
    "tags: [a]\ntags: [b]": ("VM015", 3),
    "Importance: 5\nimportance: 0.5": ("VM016", 3),
    "title: [a, b]": ("VM027", 2),
}
"""A line that can't count, its code and the line it is reported at; the default counts instead."""

GOOD_NUMBERS = {
    'importance: "0.4"': 0.4,
    "importance: 1e-1": 0.1,
    "importance: 1": 1.0,
    "importance: .25": 0.25,
}


def note(line: str) -> str:
    """A memory with that line in its front matter."""
    return f"---\n{line}\n---\nThe capstan is oiled in May.\n"


@pytest.mark.parametrize(("line", "told"), AS_TYPED.items(), ids=AS_TYPED)
def test_ids_and_titles_are_shown_as_typed_and_the_memory_answers_to_them(
    door: Door, case: Case, line: str, told: tuple[str, str]
) -> None:
    place = case.write("t.md", note(line))
    [entry] = door.list().value
    key, text = told
    assert entry[key] == text
    assert door.show(text).value["path"] == "t.md"
    [hit] = door.search("capstan").value["hits"]
    assert hit[key] == text
    assert text in case.vmem("list").out
    assert place.read_text() == note(line)


@pytest.mark.parametrize(("line", "text"), KEPT.items(), ids=KEPT)
def test_a_persons_own_keys_stay_the_text_they_are(door: Door, case: Case, line: str, text: str) -> None:
    place = case.write("t.md", note(line))
    shown = door.show("t.md").value
    assert shown["front"] == {line.partition(":")[0]: text}
    assert shown["findings"] == []
    assert door.edit("t.md", importance=0.9).code == 0
    assert place.read_text() == note(f"{line}\nimportance: 0.9")


@pytest.mark.parametrize(("line", "found"), REPORTED.items(), ids=REPORTED)
def test_what_cannot_count_is_reported_with_its_line_and_the_default_counts(
    door: Door, case: Case, line: str, found: tuple[str, int]
) -> None:
    place = case.write("t.md", note(line))
    shown = door.show("t.md").value
    assert [(one["code"], one["line"]) for one in shown["findings"]] == [found]
    assert (shown["importance"], shown["expires"], shown["pinned"]) == (0.5, None, False)
    code, number = found
    [finding] = door.status().value["findings"]
    assert (finding["path"], finding["line"], finding["code"]) == ("t.md", number, code)
    assert f"t.md:{number}   {code}" in case.vmem("status").out
    assert [hit["path"] for hit in door.search("capstan").value["hits"]] == ["t.md"]
    assert place.read_text() == note(line)


@pytest.mark.parametrize(("line", "value"), GOOD_NUMBERS.items(), ids=GOOD_NUMBERS)
def test_a_number_in_quotes_or_in_another_spelling_counts(
    door: Door, case: Case, line: str, value: float
) -> None:
    case.write("t.md", note(line))
    shown = door.show("t.md").value
    assert (shown["importance"], shown["findings"]) == (value, [])


def test_milliseconds_since_1970_are_a_time(door: Door, case: Case) -> None:
    case.write("t.md", note("created: 1616692663207"))
    assert door.show("t.md").value["created"] == "2021-03-25T17:17:43Z"


def test_twins_are_not_merged_away_by_an_edit(door: Door, case: Case) -> None:
    twins = note("Importance: 5\nimportance: 0.2")
    place = case.write("t.md", twins)
    answered = door.edit("t.md", importance=0.9)
    after = place.read_text()
    assert (answered.code, after) in [(65, twins), (0, twins.replace("0.2", "0.9"))]


@pytest.mark.parametrize(
    "text", ["0123", "1.10", "16:9", "no", "null", "2024-05-01", "=", "true", "a: b", "#x"]
)
def test_what_an_agent_sets_reads_back_as_it_was_given(door: Door, case: Case, text: str) -> None:
    written = door.remember(f"The capstan and {text}", title=text, extra={"mine": text}).value
    shown = door.show(written["id"]).value
    assert (shown["title"], shown["front"]["mine"], shown["findings"]) == (text, text, [])
    assert door.edit(written["id"], other=text).code == 0
    assert door.show(written["id"]).value["front"]["other"] == text


def test_all_of_them_beside_each_other_stop_nobody(door: Door, case: Case, git: Git) -> None:
    lines = [*AS_TYPED, *KEPT, *REPORTED]
    for number, line in enumerate(lines):
        case.write(f"n{number:02}.md", note(line).replace("capstan", f"capstan number{number:02}"))
    before = case.files()
    assert len(door.list().value) == len(lines)
    for number in range(len(lines)):
        assert door.search(f"number{number:02}").value["hits"][0]["path"] == f"n{number:02}.md"
    assert case.vmem("reindex").code == 0
    assert door.status().value["faults"] == len(REPORTED)
    assert case.files() == before
