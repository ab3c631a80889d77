"""The memory that was wanted is never left out for being long, and the budget is never passed."""

from __future__ import annotations

from typing import Any

import pytest

from tests.cases.doors import Case, Door

QUERY = "zeppelin docking procedure"
BIG = "notes/docking.md"
STEP = (
    "Step {0}. The zeppelin docking procedure wants the mooring mast cleared, the ballast trimmed and line"
    " {0} made fast before the crew climbs down to the field."
)
LITTLE = (
    "A short note number {0} that mentions a {1} once among other things, such as the weather of the day,"
    " the price of tea and whoever called about the roof."
)


@pytest.fixture
def filled(case: Case) -> Case:
    """One memory of well over two thousand tokens that fits the query, and ten short ones that hardly do."""
    body = "\n\n".join(STEP.format(number) for number in range(1, 68))
    case.write(BIG, f"---\nid: docking\ntitle: Docking by the book\n---\n{body}\n")
    for number in range(10):
        case.write(f"notes/s{number}.md", LITTLE.format(number, QUERY.split()[number % 3]) + "\n")
    assert case.vmem("status").code == 0
    return case


def recalled(door: Door, budget: int | None) -> dict[str, Any]:
    """The recall's JSON, once it is sure that it adds up."""
    options: dict[str, Any] = {} if budget is None else {"max_tokens": budget}
    value: dict[str, Any] = door.recall(QUERY, **options).value
    limit = 2000 if budget is None else budget
    assert value["budget"] == limit
    assert value["tokens"] <= limit
    assert len(value["memories"]) + len(value["omitted"]) == value["considered"] == 11
    assert {one["reason"] for one in value["omitted"]} <= {"did not fit"}
    assert sum(one["tokens"] for one in value["memories"]) <= limit
    return value


@pytest.mark.parametrize("budget", [900, 300, 200, None])
def test_the_wanted_memory_comes_as_its_best_passages(door: Door, filled: Case, budget: int | None) -> None:
    value = recalled(door, budget)
    first = value["memories"][0]
    assert (first["path"], first["shown"]) == (BIG, "passages")
    assert "zeppelin docking procedure wants the mooring mast" in value["text"]
    assert "docking" in value["text"]
    assert f"{BIG}#L" in value["text"]
    assert "\n  \N{HORIZONTAL ELLIPSIS}" in value["text"]


def test_the_wanted_memory_uses_most_of_the_budget(door: Door, filled: Case) -> None:
    assert recalled(door, 900)["tokens"] > 700


def test_a_hundred_tokens_hold_at_least_its_name_and_where_it_is(door: Door, filled: Case) -> None:
    value = recalled(door, 100)
    assert value["memories"][0]["path"] == BIG
    assert "Docking by the book" in value["text"]
    assert "docking" in value["text"]


@pytest.mark.parametrize("budget", [45, 50, 55, 60, 70, 80, 90])
def test_between_a_name_and_nothing_each_budget_holds_what_it_can(
    door: Door, filled: Case, budget: int
) -> None:
    value = recalled(door, budget)
    if value["memories"]:
        assert value["memories"][0]["path"] == BIG
    else:
        assert value["text"] == f'11 notes were found on "{QUERY}"; none fits into {budget} tokens.'


@pytest.mark.parametrize(("budget", "in_words"), [(0, "0 tokens"), (1, "1 token")])
def test_no_budget_gives_no_text_and_a_word_why(door: Door, filled: Case, budget: int, in_words: str) -> None:
    value = recalled(door, budget)
    assert (value["text"], value["tokens"], value["memories"]) == ("", 0, [])
    assert value["notices"] == [f"11 found, and nothing of it fits into {in_words}"]
    printed = filled.vmem("recall", QUERY, f"--max-tokens={budget}")
    assert (printed.code, printed.out) == (0, "")
    assert printed.err == f"vmem: 11 found, and nothing of it fits into {in_words}\n"


@pytest.mark.parametrize("budget", [-1, -5, -1_000_000])
def test_less_than_nothing_is_an_error(door: Door, filled: Case, budget: int) -> None:
    said = door.recall(QUERY, max_tokens=budget)
    assert said.code == 2
    assert "less than nothing" in said.error


def test_a_million_tokens_hold_everything_whole_and_the_wanted_one_first(door: Door, filled: Case) -> None:
    value = recalled(door, 1_000_000)
    assert value["memories"][0]["path"] == BIG
    assert {one["shown"] for one in value["memories"]} == {"whole"}
    assert value["omitted"] == []
    assert value["memories"][0]["tokens"] > 2_000


def test_what_is_left_of_the_budget_goes_to_the_smaller_ones(door: Door, filled: Case) -> None:
    whole = recalled(door, 1_000_000)["memories"][0]["tokens"]
    value = recalled(door, whole + 250)
    assert [one["shown"] for one in value["memories"]][:2] == ["whole", "whole"]
    assert 2 <= len(value["memories"]) < 11


@pytest.mark.parametrize("budget", range(0, 2_600, 173))
def test_every_budget_is_kept_and_its_text_is_the_longer_the_more_it_may_cost(
    door: Door, filled: Case, budget: int
) -> None:
    value, more = recalled(door, budget), recalled(door, budget + 400)
    assert len(more["text"]) >= len(value["text"])


def test_explain_says_what_did_not_fit(filled: Case) -> None:
    printed = filled.vmem("recall", QUERY, "--max-tokens=300", "--explain").out
    assert "left out:" in printed
    assert printed.count("did not fit") == 10
    assert "of 300 tokens" in printed


@pytest.mark.parametrize("text", ["many", "", "1.5", "1e3", "\N{DEVANAGARI DIGIT ONE}x"])
def test_a_budget_that_is_no_number_is_a_usage_error(filled: Case, text: str) -> None:
    assert filled.vmem("recall", QUERY, f"--max-tokens={text}").code == 2


def test_one_paragraph_that_never_ends_is_cut_at_a_character(door: Door, case: Case) -> None:
    family = "\N{MAN}\u200d\N{WOMAN}\u200d\N{GIRL}"
    case.write("notes/wall.md", "zeppelin " + family * 3_000 + "\n")
    value = door.recall("zeppelin", max_tokens=400).value
    assert value["tokens"] <= 400
    assert value["memories"][0]["path"] == "notes/wall.md"
    shown = value["memories"][0]["text"].removeprefix("zeppelin").strip("\N{HORIZONTAL ELLIPSIS} \n")
    assert shown.replace(family, "") == ""


def test_where_no_text_fits_the_size_and_the_way_to_it_are_told(door: Door, filled: Case) -> None:
    texts = [recalled(door, budget)["text"] for budget in range(60, 90, 3)]
    told = [text for text in texts if "tokens, did not fit; vmem show docking)" in text]
    assert told
    assert f"Docking by the book · undated · docking · {BIG}#L" in told[0]
    assert door.show("docking").value["path"] == BIG
