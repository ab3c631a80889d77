"""Passages fill the page in the order of their own scores; what is left goes to their surroundings."""

from __future__ import annotations

import pytest

from tests.model.candidates import Candidate, candidate, found, frame
from vault_memory.model.budget import WEAK, Fitted, fit
from vault_memory.model.hit import Reason, Shown
from vault_memory.model.page import STRONG
from vault_memory.model.tokens import estimate

NAMES = ("Ann", "Bo")
PLENTY = 100_000


def dialogue(
    name: str, turns: int, matched: dict[int, float], *, words: int = 6, first_line: int = 7
) -> Candidate:
    """A note of turns, one a line and a passage; `matched` are the scores of those that fit."""
    body = "\n".join(
        f"{NAMES[at % 2]}: in {name} we spoke of matter {at} " + "and so on " * words for at in range(turns)
    )
    best = sorted(matched, key=lambda at: -matched[at])
    return candidate(
        body,
        title=name,
        path=f"notes/{name}.md",
        id=None,
        matched=best,
        scores=[matched[at] for at in best],
        first_line=first_line,
    )


def fitted(candidates: list[Candidate], budget: int, *, least: float = 0.0) -> Fitted:
    return fit(found(candidates), budget, frame(), estimate, least=least)


def shown(of: Fitted) -> dict[str, list[int]]:
    """By title, the numbers of the turns that stand in the text."""
    return {
        item.hit.entry.title: [
            int(line.split(" matter ")[1].split()[0]) for line in item.text.split("\n") if "matter" in line
        ]
        for item in of.items
    }


def matched(of: Fitted) -> dict[str, list[int]]:
    """By title, the numbers of the turns that stand in the text because they matched."""
    return {
        item.hit.entry.title: sorted(stored.passage.ordinal for stored in item.hit.passages)
        for item in of.items
    }


def test_passages_are_taken_best_first_across_all_notes() -> None:
    one = dialogue("one", 30, {20: 0.9, 5: 0.5, 9: 0.3})
    two = dialogue("two", 30, {2: 0.8, 12: 0.6})
    assert matched(fitted([one, two], 150)) == {"one": [20], "two": [2]}
    assert matched(fitted([one, two], 190)) == {"one": [20], "two": [2, 12]}
    assert matched(fitted([one, two], 225)) == {"one": [5, 20], "two": [2, 12]}


def test_notes_stand_in_the_order_of_their_best_passage_and_passages_in_that_of_the_file() -> None:
    one = dialogue("one", 30, {20: 0.9, 5: 0.4})
    two = dialogue("two", 30, {12: 0.8, 2: 0.7})
    assert list(shown(fitted([one, two], 225)).items()) == [("one", [5, 20]), ("two", [2, 12])]


def test_a_passage_that_does_not_fit_is_passed_over_for_the_next() -> None:
    long = dialogue("long", 3, {0: 0.8}, words=60)
    one, two = dialogue("one", 30, {20: 0.9}), dialogue("two", 30, {2: 0.7})
    assert list(shown(fitted([one, long, two], 210))) == ["one", "two"]


def test_a_gap_is_marked_and_neighbours_are_not_parted() -> None:
    (item,) = fitted([dialogue("one", 9, {3: 0.9, 4: 0.8, 7: 0.7})], 170).items
    lines = [line if line == "…" else line.split(" matter ")[1].split()[0] for line in item.text.split("\n")]
    assert lines == ["3", "4", "…", "7"]
    assert item.line == 7 + 3


def test_text_that_goes_on_ends_in_a_gap_and_text_that_ends_does_not() -> None:
    note = dialogue("one", 9, {7: 0.9, 8: 0.8})
    assert not fitted([note], 130).text.endswith("…")
    assert fitted([dialogue("one", 10, {7: 0.9, 8: 0.8})], 130).text.endswith("\n  …")


def test_each_note_has_one_source_line_however_many_of_its_passages_are_shown() -> None:
    text = fitted([dialogue("one", 30, dict.fromkeys(range(0, 30, 2), 0.9))], 600).text
    assert text.count("notes/one.md#L") == 1
    assert text.count("matter") > 8


def test_what_is_left_goes_to_the_neighbours_of_what_matched_of_the_best_notes_first() -> None:
    one = dialogue("one", 30, {20: 0.9})
    two = dialogue("two", 30, {2: 0.9 * STRONG})
    weaker = dialogue("weaker", 30, {9: 0.9 * STRONG - 0.01})
    of = shown(fitted([one, two, weaker], 600))
    assert set(of["one"]) > {18, 19, 20, 21, 22}
    assert of["one"] == list(range(of["one"][0], of["one"][-1] + 1))
    assert of["weaker"] == [9]


def test_neighbours_take_no_place_from_what_matched() -> None:
    one = dialogue("one", 30, {20: 0.9})
    others = [dialogue(f"other-{at}", 30, {at: 0.4}) for at in range(1, 8)]
    budget = 450
    of = fitted([one, *others], budget)
    assert len(of.items) >= 6
    assert len(shown(of)["one"]) <= 2


def test_a_large_budget_shows_the_best_notes_whole() -> None:
    one, two = dialogue("one", 30, {20: 0.9}), dialogue("two", 30, {2: 0.8})
    of = fitted([one, two], PLENTY)
    assert [item.shown for item in of.items] == [Shown.WHOLE, Shown.WHOLE]
    assert [item.text for item in of.items] == [one.body, two.body]


def test_what_scores_far_less_than_the_best_is_not_paid_for_and_the_reason_is_told() -> None:
    best = dialogue("best", 30, {20: 0.9})
    weak = dialogue("weak", 30, {2: 0.9 * WEAK - 0.01})
    of = fitted([best, weak], PLENTY)
    assert list(shown(of)) == ["best"]
    assert [(one.entry.title, one.reason) for one in of.omitted] == [("weak", Reason.WEAK)]
    assert Reason.WEAK.value == "far below the best"


def test_passages_below_the_least_score_take_no_place() -> None:
    one, two = dialogue("one", 30, {20: 0.9, 3: 0.5}), dialogue("two", 30, {2: 0.7, 11: 0.59})
    assert matched(fitted([one, two], 250)) == {"one": [3, 20], "two": [2, 11]}
    assert matched(fitted([one, two], 250, least=0.6)) == {"one": [20], "two": [2]}


def test_the_same_passage_of_two_notes_is_shown_once() -> None:
    said = "The release waits until the certificate of the mirror is renewed by the people in Oslo"
    turns = "\n\n".join(f"## Part {at}\n\nOf something else number {at} we know nothing." for at in range(3))
    first = candidate(f"{said}.\n\n{turns}", title="first", path="a.md", matched=[0], scores=[0.9])
    copy = candidate(f"{said.lower()}\n\n{turns}", title="copy", path="b.md", matched=[0], scores=[0.8])
    of = fitted([first, copy], PLENTY)
    assert [item.hit.entry.title for item in of.items] == ["first"]
    assert [(one.reason, one.instead_of) for one in of.omitted] == [(Reason.DUPLICATE, "a.md")]


def test_what_a_note_says_besides_a_repeated_passage_is_shown() -> None:
    said = "The release waits until the certificate of the mirror is renewed by the people in Oslo."
    first = candidate(said, title="first", path="a.md", scores=[0.9])
    more = candidate(
        f"{said}\n\n## Since then\n\nIt was renewed.",
        title="more",
        path="b.md",
        matched=[0, 1],
        scores=[0.8, 0.7],
    )
    of = fitted([first, more], PLENTY)
    assert [(item.hit.entry.title, item.shown) for item in of.items] == [
        ("first", Shown.WHOLE),
        ("more", Shown.PASSAGES),
    ]
    assert of.items[1].text == "## Since then\n\nIt was renewed."
    assert of.omitted == ()


def test_a_note_that_repeats_itself_is_shown_as_it_is() -> None:
    body = "\n".join(f"{NAMES[at % 2]}: yes, that is so" for at in range(8))
    (item,) = fitted([candidate(body)], PLENTY).items
    assert (item.shown, item.text) == (Shown.WHOLE, body)


def test_the_passages_of_a_shown_memory_are_those_that_matched_best_first() -> None:
    (item,) = fitted([dialogue("one", 30, {20: 0.9, 5: 0.7, 9: 0.8})], 600).items
    assert [stored.passage.ordinal for stored in item.hit.passages] == [20, 9, 5]
    assert len(item.text.split("\n")) > 3


@pytest.mark.parametrize("budget", range(60, 1000, 37))
def test_what_is_shown_first_by_one_budget_and_not_by_another_is_shown_by_the_larger(budget: int) -> None:
    notes = [
        dialogue(f"note-{at}", 12, {(at * 5 + turn) % 12: 0.9 - 0.02 * at - 0.03 * turn for turn in range(5)})
        for at in range(6)
    ]
    order = sorted(
        ((-one.score, at, one.number) for at, note in enumerate(notes) for one in note.matched),
    )

    def of(budget: int) -> list[bool]:
        items = {item.hit.entry.title: item.hit.passages for item in fitted(notes, budget).items}
        held = {(title, one.passage.ordinal) for title, passages in items.items() for one in passages}
        return [(f"note-{at}", number) in held for _, at, number in order]

    less, more = of(budget), of(budget + 40)
    first = next((at for at, pair in enumerate(zip(less, more, strict=True)) if pair[0] != pair[1]), None)
    assert first is None or more[first]
