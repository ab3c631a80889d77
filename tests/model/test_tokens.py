"""The estimate of tokens: never too few for ordinary text, and additive enough to budget with."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vault_memory.adapters.tokens import EstimatedTokens
from vault_memory.model import tokens
from vault_memory.model.tokens import estimate

SAMPLES: list[dict[str, Any]] = json.loads(Path(__file__).with_name("token_samples.json").read_text("utf-8"))

runs = st.sampled_from(
    ["a", "B", "é", "7", " ", "\t", "\n", "\r", "-", ".", "中", "한", "ก", "😀", "\x00", "\u2028"]
)
texts = st.one_of(st.text(max_size=40), st.lists(runs, max_size=30).map("".join))


@pytest.mark.parametrize("sample", SAMPLES, ids=[f"{at}-{one['kind']}" for at, one in enumerate(SAMPLES)])
def test_the_estimate_is_not_below_what_real_tokenizers_counted(sample: dict[str, Any]) -> None:
    assert len(sample["tokens"]) == 3
    for tokenizer, counted in sample["tokens"].items():
        assert estimate(sample["text"]) >= counted, tokenizer


def test_english_and_code_are_overestimated_by_less_than_a_third() -> None:
    plain = [one for one in SAMPLES if one["kind"] in {"English", "code"}]
    for tokenizer in ("cl100k", "o200k", "claude"):
        ratios = [estimate(one["text"]) / one["tokens"][tokenizer] for one in plain]
        assert sum(ratios) / len(ratios) < 1.33


@settings(max_examples=500)
@given(texts, texts)
def test_a_text_costs_no_more_than_its_two_parts(first: str, second: str) -> None:
    assert estimate(first + second) <= estimate(first) + estimate(second)


@pytest.mark.parametrize("character", list("aAé0-. \n中"))
def test_long_runs_too_cost_no_more_than_their_parts(character: str) -> None:
    costs = [estimate(character * length) for length in range(400)]
    assert all(
        costs[first + second] <= costs[first] + costs[second]
        for first in range(200)
        for second in range(first, 200)
    )


@given(st.text(min_size=1, max_size=20))
def test_any_text_but_the_empty_one_costs_something(text: str) -> None:
    assert estimate(text) > 0


def test_the_empty_text_costs_nothing() -> None:
    assert estimate("") == 0


@given(texts)
def test_the_same_text_always_costs_the_same(text: str) -> None:
    assert estimate(text) == estimate(str(text.encode("utf-8", "surrogatepass"), "utf-8", "surrogatepass"))


@pytest.mark.parametrize(
    "text", ["a" * 500_000, " " * 500_000, "a1" * 250_000, " \t" * 250_000 + "7", "中" * 200_000]
)
def test_the_time_grows_with_the_length_alone(text: str) -> None:
    began = time.process_time()
    assert estimate(text) > 1_000
    assert time.process_time() - began < 2


def test_a_cjk_character_costs_more_than_a_latin_letter() -> None:
    assert estimate("再保险") > estimate("abc")


@given(
    st.text(
        st.one_of(st.sampled_from("aZ09 19.,-! \t é中👩\u200b\x0b\x00'\"()#/"), st.characters()), max_size=20
    )
)
def test_a_line_costs_what_all_its_runs_cost_however_it_is_counted(text: str) -> None:
    line = text.replace("\n", " ").replace("\r", " ")
    cost = sum(tokens._cost(run) for run in tokens._RUNS(line))
    cost += tokens.UNIT if line.endswith((" ", "\t")) else 0
    assert estimate(line) == -(-cost // tokens.UNIT)


def test_the_port_counts_what_the_model_estimates() -> None:
    assert EstimatedTokens().count("three small words") == estimate("three small words")
