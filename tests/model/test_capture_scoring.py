"""Lessons that no phrase knows are found by what is to be seen of them, and what is merely long is not."""

from __future__ import annotations

import pytest

from tests.model.conversed import found
from vault_memory.model.capture.scoring import SHIPPED, SORTS, Table
from vault_memory.model.capture.traits import traits
from vault_memory.model.capture.turn import Role, Sort

U, A = Role.USER, Role.ASSISTANT
UNNAMED = (
    (U, Sort.CONSTRAINT, "Invoices stay in euros for every branch, no matter what the customer pays in."),
    (A, Sort.RESULT, "Two of the nine sensors drift by 0.4 °C per month, the other seven by 0.05 °C."),
    (U, Sort.PREFERENCE, "no abbreviations in column names pls, not even the common ones"),
    (U, Sort.DEAD_END, "we had a nightly rebuild of the cache for years, it failed and nobody noticed."),
)  # fmt: skip
LONG = (
    "The view calls the helper with the request and the object, and the helper returns a list of entries.",
    "I've added a test and moved the two helpers to a module of their own because it is easier to read then.",
)
LATER = "Two of the sensors aren't calibrated yet, Nora has to do that on Monday."


@pytest.mark.parametrize(("role", "sort", "text"), UNNAMED)
def test_what_no_phrase_knows_is_found_by_all_that_speaks_for_it(role: Role, sort: Sort, text: str) -> None:
    [lesson] = found((role, text))
    assert lesson.sort is sort


@pytest.mark.parametrize("text", LONG)
def test_a_sentence_is_not_kept_for_being_long_nor_for_a_phrase_by_the_way(text: str) -> None:
    assert found((A, text)) == ()


def test_what_looks_like_an_intent_is_something_else_where_it_is_said_early() -> None:
    others = [(U, f"and what about part {number}") for number in range(20)]
    [early] = found((A, LATER), *others)
    [late] = found(*others, (A, LATER))
    assert late.kind == "intent"
    assert (early.kind, early.tags) == ("evidence", ("dead-end",))


def test_two_lessons_of_a_line_stand_in_the_order_in_which_they_were_said() -> None:
    first, second = "Let's move the lock to the local disk.", "The export must never run longer than 2 hours."
    assert [one.text for one in found((U, f"{first} {second}"))] == [first, second]
    assert [one.text for one in found((U, f"{second} {first}"))] == [second, first]


def test_a_trait_that_the_table_does_not_name_weighs_nothing() -> None:
    table = Table((-1.0, *(0.0 for _ in SORTS)), {"rule": (2.0, 0.0, 1.0, *(0.0 for _ in SORTS[2:]))})
    assert table.score(frozenset({"rule", "why"})) == 1.0
    assert table.likeliest(frozenset({"rule", "why"})) == (Sort.CONSTRAINT, Sort.CONSTRAINT)


def test_the_same_words_are_other_traits_in_a_persons_mouth() -> None:
    said = "Every table needs a key, never two."
    assert traits(said, U) - traits(said, A) >= {"a person", "person: rule"}
    assert {"rule, twice", "a comma", "7 words"} <= traits(said, A)


def test_the_table_has_a_weight_for_each_sort() -> None:
    assert {len(row) for row in (SHIPPED.base, *SHIPPED.rows.values())} == {len(SORTS) + 1}


def test_a_short_sentence_that_ends_by_pointing_back_is_kept_with_what_it_points_to() -> None:
    assert found((U, "No, keep it. We must never look at those.")) == ()
    [lesson] = found((U, "The old reports are on the archive server. We must never look at those."))
    assert lesson.text == "The old reports are on the archive server. We must never look at those."
    assert len(found((U, "We must never look at the old reports."))) == 1
