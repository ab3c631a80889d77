"""Sentences that give one thing two values are told from those that are merely alike."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault_memory.model.flags.statements import Statement, agree_in_title, disagree, of_one_series, statements

CONTRADICT = (
    ("RSI above 70 on NVDA was followed by a fall.", "RSI above 80 on NVDA was followed by a fall."),
    ("The deploy window is Tuesday 09:00.", "The deploy window is Friday 09:00."),
    ("The billing database runs on Postgres 14.", "The billing database runs on Postgres 16"),
    ("Our package manager is pnpm.", "Our package manager is yarn."),
    ("We always squash commits before merging.", "We never squash commits before merging."),
    ("The staging server does not use TLS.", "The staging server uses TLS."),
    ("Risk two percent of the book per trade.", "Risk five percent of the book per trade."),
    ("- **Mira's birthday** is 2026-03-14", "Mira's birthday is 2026-04-14"),
    ("Deploys go out on Tuesdays.", "Deploys go out on Fridays."),
    ("The flag `dark_mode` is enabled in production.", "The flag dark_mode is disabled in production."),
    ("生产环境的端口是5432。", "生产环境的端口是6379。"),
)
AGREE = (
    ("The deploy window is Tuesday 09:00.", "The  deploy window is tuesday 09:00!"),
    ("Issue 12 of the parser is closed.", "Issue 13 of the parser is closed."),
    ("On 2026-03-01 we had 5 nodes in the pool.", "On 2026-04-01 we had 7 nodes in the pool."),
    ("The deploy window is Tuesday.", "The deploy window is closed on holidays and in summer."),
    ("Our build server is fast.", "Our build server is fast enough."),
    ("See https://a.example/1 for the port list", "See https://a.example/2 for the port list"),
    ("| RSI above | 70 |", "| RSI above | 80 |"),
    ("## Step 1 of the deploy plan", "## Step 2 of the deploy plan"),
    ("```\nport of the server = 1\n```", "```\nport of the server = 2\n```"),
    ("Run Dendron: Add Vault", "Run Dendron: Reload Index"),
)


def contradict(one: str, other: str) -> list[Statement]:
    theirs = list(statements(other, 1))
    return [mine for mine in statements(one, 1) if any(disagree(mine, each) for each in theirs)]


@pytest.mark.parametrize(("one", "other"), CONTRADICT)
def test_another_value_of_the_same_thing_is_found_both_ways(one: str, other: str) -> None:
    assert contradict(one, other)
    assert contradict(other, one)


@pytest.mark.parametrize(("one", "other"), AGREE)
def test_what_can_hold_together_is_left_alone(one: str, other: str) -> None:
    assert contradict(one, other) == []


def test_a_statement_stands_on_its_line_of_the_file() -> None:
    body = "# Title\n\nFirst. The deploy window is Tuesday.\n\n```\nx is y\n```\nThe release train is blue.\n"
    assert [(one.line, one.text) for one in statements(body, 7) if one.about[0] == "="] == [
        (14, "The release train is blue.")
    ]
    assert {one.line for one in statements(body, 7)} == {9, 14}


def test_names_of_columns_say_something_only_of_notes_about_the_same() -> None:
    [one] = [one for one in statements("Default timeout: 30 s", 1) if one.about[0] == "~"]
    assert one.needs_title
    assert agree_in_title("Postgres pool", "The Postgres pools")
    assert not agree_in_title("Postgres", "Redis cache")


def test_notes_of_different_days_are_of_one_series() -> None:
    assert of_one_series("log/2026-03-01.md", "log/2026-03-02.md")
    assert of_one_series("a/week 12 review.md", "b/week 13 review.md")
    assert not of_one_series("notes/ports.md", "old/ports.md")


@given(st.text(max_size=200))
def test_any_text_can_be_read_and_never_contradicts_itself(text: str) -> None:
    found = list(statements(text, 1))
    assert all(not disagree(one, one) for one in found)
    assert all(1 <= one.line <= text.count("\n") + 1 for one in found)
