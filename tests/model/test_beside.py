"""Changed memories held against one another and against those that did not change."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC

from vault_memory.model.flags.beside import Held, Others, flags_beside
from vault_memory.model.namespace import VaultPath
from vault_memory.model.parse import parse_memory

HERON = "The grey heron stands in the shallow water for hours and waits for a fish to come near.\n"
WINDOW = "The deploy window is Tuesday 09:00.\n"


def held(path: str, text: str, old: str | None = None) -> Held:
    def parsed(content: str) -> object:
        return parse_memory(VaultPath(path), content.encode(), zone=UTC)

    before = parse_memory(VaultPath(path), old.encode(), zone=UTC) if old is not None else None
    return Held(parse_memory(VaultPath(path), text.encode(), zone=UTC), before)


def told(changed: Sequence[Held], *unchanged: Held) -> list[tuple[str, str, str | None]]:
    others = Others(lambda _: unchanged, lambda _: unchanged)
    found = flags_beside(changed, others)
    return [(path, one.name, one.other) for path in sorted(found) for one in found[VaultPath(path)]]


def test_what_says_the_same_as_an_unchanged_memory_is_told_once() -> None:
    new, old = held("new.md", HERON.upper()), held("old.md", HERON)
    assert told([new], old, held("other.md", HERON)) == [("new.md", "near-duplicate", "old.md")]


def test_of_two_new_ones_the_second_is_told() -> None:
    assert told([held("a.md", HERON), held("b.md", HERON)]) == [("b.md", "near-duplicate", "a.md")]


def test_what_repeated_it_before_is_not_told_again() -> None:
    edited = held("a.md", HERON.replace("hours", "many hours"), HERON)
    assert told([edited], held("b.md", HERON)) == []
    became = held("a.md", HERON, "Something else altogether, about bitterns in the reeds.\n")
    assert told([became], held("b.md", HERON)) == [("a.md", "near-duplicate", "b.md")]


def test_notes_made_from_one_form_are_no_duplicates() -> None:
    form = "# Place\n\n## Visits\n\n![[Places by country and by year.base]]\n\n|  |  |\n|---|---|\n"
    assert told([held("a.md", form), held("b.md", form)]) == []


def test_another_value_is_told_with_both_places() -> None:
    new = held("new.md", "# When\n\n" + WINDOW.replace("Tuesday", "Friday"))
    found = flags_beside([new], Others(lambda _: (), lambda _: [held("old.md", WINDOW)]))
    [one] = found[VaultPath("new.md")]
    assert (one.name, one.line, one.other) == ("contradiction", 3, "old.md")
    assert (
        one.message
        == "“The deploy window is Friday 09:00.”, but old.md:1 “The deploy window is Tuesday 09:00.”"
    )


def test_two_new_memories_that_contradict_each_other_are_told_once() -> None:
    found = told([held("a.md", WINDOW), held("b.md", WINDOW.replace("Tuesday", "Friday"))])
    assert found == [("a.md", "contradiction", "b.md")]


def test_an_edit_is_told_only_for_the_sentence_that_it_changed() -> None:
    other = held("b.md", WINDOW.replace("Tuesday", "Friday") + "The release train is blue today.\n")
    edited = held("a.md", WINDOW + "The release train is red today.\n", WINDOW)
    [(path, name, other_path)] = told([edited], other)
    assert (path, name, other_path) == ("a.md", "contradiction", "b.md")
    [one] = flags_beside([edited], Others(lambda _: (), lambda _: [other]))[VaultPath("a.md")]
    assert one.message.startswith("“The release train is red")


def test_what_replaces_the_other_by_its_own_word_does_not_contradict_it() -> None:
    new = held("new.md", "---\nsupersedes: ['[[old]]']\n---\n" + WINDOW.replace("Tuesday", "Friday"))
    assert told([new], held("notes/old.md", WINDOW)) == []


def test_what_many_notes_state_each_in_its_own_way_is_a_field_of_a_form() -> None:
    days = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")
    notes = [held(f"{day}.md", WINDOW.replace("Tuesday", day)) for day in days]
    assert told(notes) == []


def test_dated_notes_of_one_series_do_not_contradict_one_another() -> None:
    mine, theirs = (
        held("log/2026-03-01.md", WINDOW),
        held("log/2026-03-08.md", WINDOW.replace("Tuesday", "Friday")),
    )
    assert told([mine, theirs]) == []
