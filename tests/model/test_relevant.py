"""What goes with a prompt: little for few telling words, nothing twice, and what has changed once more."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.model.test_workingset import entry
from vault_memory.model.chatter import telling
from vault_memory.model.hit import Hit, Parts
from vault_memory.model.relevant import MOST, fitting, not_given, worth
from vault_memory.model.uses import known_as

RELEVANCE = st.floats(0, 1)


def hit(name: str, relevance: float, version: str = "1", replaced: str | None = None) -> Hit:
    parts = Parts(relevance, 0.5, 0.5, relevance)
    return Hit(entry(name, version=version), relevance, parts, (), replaced)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "prompt",
    ["ok", "thanks, go on", "yes please", "Continue.", "LGTM!", "hm, that is not what I meant",
     "and now?", "sounds good, let's do that", "danke, weiter",
     "好的", "谢谢，继续", "はい、お願いします", "", "…"],
)  # fmt: skip
def test_words_that_keep_a_talk_going_tell_nothing(prompt: str) -> None:
    assert telling(prompt) == 0


@pytest.mark.parametrize(
    ("prompt", "least"),
    [("what stop loss does the NVDA strategy use?", 4), ("ok, now the retry limit of the uploader", 3),
     ("风险控制策略", 3)],
)  # fmt: skip
def test_words_of_a_matter_count(prompt: str, least: int) -> None:
    assert telling(prompt) >= least


@given(RELEVANCE, st.integers(0, 40))
def test_more_telling_words_and_more_relevance_are_worth_more(relevance: float, terms: int) -> None:
    assert 0 <= worth(relevance, terms) <= relevance
    assert worth(relevance, terms) <= worth(relevance, terms + 1)


@given(st.lists(RELEVANCE, max_size=9), st.integers(0, 12), RELEVANCE)
def test_nothing_comes_that_is_worth_less_than_asked(values: list[float], terms: int, least: float) -> None:
    hits = [hit(f"{at}.md", value) for at, value in enumerate(sorted(values, reverse=True))]
    found = fitting(hits, terms, least)
    assert len(found) <= MOST
    assert all(worth(one.parts.relevance, terms) >= least for one in found)
    if not terms:
        assert not found


def test_what_another_memory_has_replaced_stays_out() -> None:
    hits = [hit("old.md", 0.9, replaced="new.md"), hit("new.md", 0.9)]
    assert [one.entry.path for one in fitting(hits, 5, 0.3)] == ["new.md"]


def test_a_memory_is_given_once_and_again_when_it_has_changed() -> None:
    first, changed = hit("a.md", 0.9), hit("a.md", 0.9, version="2")
    given_before = {known_as(first.entry.id, first.entry.path): "1"}
    assert not_given([first], {}) == [first]
    assert not_given([first], given_before) == []
    assert not_given([changed], given_before) == [changed]
