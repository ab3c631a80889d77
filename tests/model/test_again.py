"""A text is seen again only if the known one says all of it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault_memory.model.again import says_nothing_new, words_said

LONG = (
    "The deploy script builds the image, pushes it to the registry in Frankfurt and restarts the workers one"
    " by one, because the queue loses messages when all of them are down at the same time; whoever changes it"
    " tells the people on call first, and writes down in the runbook what was changed, by whom and for what"
    " reason, so that the next one who is woken at night can follow it without asking anybody about it."
)


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("- uses port 8080", "Uses port `8080`."),
        ("**Never** push to main", "Never push to main!"),
        ("> # The backups run at 3 am", "Backups run at 3 am"),
        ("say “yes” twice", 'Say "yes" twice'),
        ("重启worker后生效。", "重启worker后生效"),
        (LONG, f"{LONG} Thanks."),
        (f"## {LONG}\n", LONG),
    ],
)
def test_marks_of_lists_emphasis_and_ends_and_a_little_less_say_nothing_new(text: str, known: str) -> None:
    assert says_nothing_new(text, known)


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("Uses port 9090", "Uses port 8080"),
        ("Uses port 8080", "Uses port 8080?"),
        ("Use plan A now", "Use plan now"),
        ("Few users complained", "The few users complained"),
        ("Run a-b", "Run a b"),
        ("Run --force", "Run force"),
        ("[ ] ship it", "[x] ship it"),
        ("See [[market]]", "See market"),
        ("2 * (3 + 4)", "(2 * 3) + 4"),
        ("Deploy on Fridays", "Never deploy on Fridays"),
        (f"{LONG} Thanks.", LONG),
        (LONG, f"{LONG} But only on weekdays."),
        (LONG, f"{LONG} Or not."),
        (LONG, LONG.replace("one by one", "all 7 together")),
        (LONG, LONG.replace("people on call", "people in Berlin")),
        ("", ""),
        ("", "text"),
    ],
)
def test_another_word_sign_or_order_says_something(text: str, known: str) -> None:
    assert not says_nothing_new(text, known)


@given(st.text(max_size=60), st.text(max_size=60))
def test_what_says_nothing_new_brings_no_word_that_the_known_text_lacks(text: str, known: str) -> None:
    if says_nothing_new(text, known):
        assert set(words_said(text)) <= set(words_said(known))


@given(st.text(max_size=60))
def test_a_text_says_nothing_new_beside_itself(text: str) -> None:
    assert says_nothing_new(text, text) == bool(words_said(text))
