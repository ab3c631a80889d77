"""BM25: relevance is 0–1, means the same in every store, and costs what its postings cost."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.model.shelf import Shelf, corpus, memory
from vault_memory.model.bm25 import FULL, Shares, idf, score, squash, worth_fetching
from vault_memory.model.corpus import Corpus, Postings
from vault_memory.model.cues import Cue
from vault_memory.model.query import parse
from vault_memory.model.weights import DEFAULT, Weights

ALONE = Weights(before=0, after=0, before_two=0, after_two=0, answer=0)

VOCABULARY = ["apple", "banana", "cherry", "plum", "quince"]
bodies = st.lists(st.lists(st.sampled_from(VOCABULARY), max_size=12).map(" ".join), min_size=1, max_size=12)
queries = st.lists(st.sampled_from([*VOCABULARY, "unknown"]), min_size=1, max_size=6).map(" ".join)


def pairs(found: Shares) -> list[tuple[int, float]]:
    return list(zip(found.numbers.tolist(), found.shares.tolist(), strict=True))


def best_first(found: Shares) -> list[int]:
    return [number for number, _ in sorted(pairs(found), key=lambda pair: (-pair[1], pair[0]))]


def shelf(*texts: str) -> Shelf:
    return Shelf([memory(text) for text in texts])


@given(bodies, queries)
def test_shares_are_above_nothing_and_in_the_order_of_numbers(texts: list[str], query: str) -> None:
    found = shelf(*texts).ask(query)
    assert found.numbers.dtype == np.int64
    assert found.shares.dtype == np.float64
    assert (found.shares > 0).all()
    assert (np.diff(found.numbers) > 0).all()


@given(bodies, queries)
def test_exactly_the_passages_with_a_word_of_the_query_are_ranked(texts: list[str], query: str) -> None:
    wanted = set(query.split())
    expected = {at + 1 for at, text in enumerate(texts) if wanted & set(text.split())}
    assert set(shelf(*texts).ask(query).numbers.tolist()) == expected


@given(bodies, queries)
@settings(max_examples=60)
def test_scores_agree_with_the_formula_term_by_term(texts: list[str], query: str) -> None:
    one = shelf(*texts)
    terms = parse(query).terms
    frequencies = {term: len(one.postings(term).passages) for term in terms}
    whole = sum(idf(df, len(texts)) for df in frequencies.values())
    held = DEFAULT.length
    for number, share in pairs(one.ask(query)):
        raw = 0.0
        for term in terms:
            tf = one.own[number - 1][term]
            relative = one.corpus.lengths[number] / one.corpus.mean_length
            raw += idf(frequencies[term], len(texts)) * 2.2 * tf / (tf + 1.2 * (1 - held + held * relative))
        assert share == pytest.approx(raw / whole)


def test_a_passage_of_mean_length_with_every_word_once_has_the_whole_share() -> None:
    assert shelf("apple banana", "cherry plum").ask("apple banana").shares.tolist() == pytest.approx([1.0])


def test_one_known_word_among_five_is_a_weak_match() -> None:
    texts = ["apple pie", *[f"filler{number} text" for number in range(200)]]
    strong = shelf(*texts).ask("apple").shares[0]
    weak = shelf(*texts).ask("apple with zebra violin kayak marble").shares[0]
    assert weak < 0.4
    assert strong > 0.7


def test_a_compound_that_nobody_has_does_not_weaken_its_parts() -> None:
    one = shelf("real time sync", "other words")
    assert one.ask("real-time sync").shares[0] == pytest.approx(one.ask("real time sync").shares[0])


def test_a_word_in_the_title_counts_less_than_one_in_the_text() -> None:
    ranked = Shelf([memory("plum", title="apple"), memory("apple", title="plum"), memory("x")]).ask("apple")
    assert best_first(ranked) == [2, 1]
    assert ranked.shares[0] > 0.4


def test_a_title_finds_a_memory_without_text() -> None:
    assert Shelf([memory("", title="apple pie"), memory("plum")]).ask("apple").numbers.tolist() == [1]


def test_more_occurrences_and_a_shorter_passage_count_more() -> None:
    assert best_first(shelf("apple plum plum plum", "apple apple plum plum").ask("apple")) == [2, 1]
    assert best_first(shelf("apple plum quince cherry banana", "apple plum").ask("apple")) == [2, 1]


def test_rare_words_weigh_more_than_common_ones() -> None:
    ranked = shelf("apple plum", "apple cherry", "apple cherry", "apple plum banana").ask(
        "apple banana cherry"
    )
    assert best_first(ranked)[0] == 4


def test_an_empty_store_or_unknown_words_give_nothing() -> None:
    assert len(Shelf([]).ask("apple").numbers) == 0
    assert len(shelf("apple").ask("plum").numbers) == 0
    assert len(shelf("").ask("").numbers) == 0


def test_a_store_of_empty_texts_is_found_by_titles() -> None:
    ranked = Shelf([memory("", title="apple"), memory("", title="plum")]).ask("apple")
    assert pairs(ranked)[0][0] == 1
    assert pairs(ranked)[0][1] > 0


def test_idf_is_never_negative() -> None:
    assert all(idf(df, 10) > 0 for df in range(11))


@given(st.lists(st.floats(0, 2.2), min_size=2, max_size=20))
def test_squashing_keeps_the_order_and_stays_below_one(shares: list[float]) -> None:
    ordered = squash(np.array(sorted(shares)))
    assert (np.diff(ordered) >= 0).all()
    assert ((ordered >= 0) & (ordered < 1)).all()
    assert squash(np.array([1.0]))[0] == pytest.approx(FULL)


def large(count: int) -> tuple[Corpus, list[Postings]]:
    """A store in which `apple` is in every second passage and `quinc` in three."""
    store = corpus([-1, *[10] * count], range(count + 1))
    even = np.arange(2, count + 1, 2)
    few = np.array([1, 2, 5])
    return store, [
        Postings("appl", even, np.ones_like(even), np.zeros_like(even)),
        Postings("quinc", few, np.ones_like(few), np.zeros_like(few)),
    ]


def test_in_a_large_store_a_common_word_scores_but_does_not_propose() -> None:
    store, postings = large(12_000)
    ranked = score(parse("apple quince"), store, postings)
    assert ranked.numbers.tolist() == [1, 2, 5]
    assert ranked.shares[1] > ranked.shares[0] == ranked.shares[2]


def test_in_a_small_store_every_word_proposes() -> None:
    store, postings = large(9_000)
    assert len(score(parse("apple quince"), store, postings).numbers) == 4_502


def test_a_common_word_proposes_where_the_query_has_nothing_else() -> None:
    store, postings = large(12_000)
    empty = Postings("quinc", np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0, np.int64))
    assert len(score(parse("apple"), store, postings[:1]).numbers) == 6_000
    assert len(score(parse("apple quince"), store, [postings[0], empty]).numbers) == 6_000


@pytest.mark.parametrize(
    ("df", "count", "worth"), [(10_000, 10_000, True), (2_001, 10_001, False), (2_000, 10_001, True)]
)
def test_a_word_is_too_common_past_a_fifth_of_a_large_store(df: int, count: int, worth: bool) -> None:
    assert worth_fetching(df, count) is worth


def test_relevance_is_finite_for_a_query_of_many_terms() -> None:
    words = " ".join(f"word{number}" for number in range(512))
    ranked = shelf(words, "word1").ask(words)
    assert all(math.isfinite(relevance) for relevance in ranked.shares)
    assert best_first(ranked)[0] == 1


def beside() -> tuple[Corpus, list[Postings]]:
    """Passages 1–3 of one memory, 4 and 5 of two others; `appl` in 1 and 4, `plum` in 2."""
    store = corpus([-1, 10, 10, 10, 10, 10], [-1, 1, 1, 1, 2, 3])
    ones = np.ones(2, np.int64)
    return store, [
        Postings("appl", np.array([1, 4]), ones, ones * 0),
        Postings("plum", np.array([2]), ones[:1], ones[:1] * 0),
    ]


def test_neighbours_lend_their_words_within_a_memory_only() -> None:
    store, postings = beside()
    alone = dict(pairs(score(parse("apple plum"), store, postings, ALONE)))
    lent = dict(pairs(score(parse("apple plum"), store, postings, Weights(before=0.3, after=0.3))))
    assert set(alone) == {1, 2, 4}
    assert set(lent) == {1, 2, 3, 4}
    assert lent[1] > alone[1]
    assert lent[2] > alone[2]
    assert lent[3] < alone[2]
    assert lent[4] < lent[1]


@pytest.mark.parametrize(
    ("ingredient", "reached"),
    [("before", {2, 3}), ("after", {1, 2}), ("before_two", {2, 4}), ("after_two", {2}), ("answer", {2})],
)
def test_each_neighbour_has_a_weight_of_its_own(ingredient: str, reached: set[int]) -> None:
    store = corpus([-1, 5, 5, 5, 5], [-1, 1, 1, 1, 1])
    one = np.array([1])
    weights = replace(ALONE, **{ingredient: 0.5})
    assert (
        set(score(parse("plum"), store, [Postings("plum", one * 2, one, one * 0)], weights).numbers)
        == reached
    )


def test_an_answer_is_found_by_the_question_before_it() -> None:
    one = np.array([1])
    store = corpus(
        [-1, 5, 5, 5], [-1, 1, 1, 1], voices=[0, 1, 2, 1], cues=[0, Cue.ASKS, 0, 0], names={1: "ann", 2: "bo"}
    )
    asked = Postings("plum", one, one, one * 0)
    assert set(score(parse("plum"), store, [asked], replace(ALONE, answer=0.5)).numbers) == {1, 2}
    alone = corpus([-1, 5, 5], [-1, 1, 1], voices=[0, 1, 1], cues=[0, Cue.ASKS, 0], names={1: "ann"})
    assert set(score(parse("plum"), alone, [asked], replace(ALONE, answer=0.5)).numbers) == {1}


def test_a_passage_among_long_ones_is_itself_held_back_for_it() -> None:
    store = corpus([-1, 5, 400, 5, 5], [-1, 1, 1, 2, 3])
    ones = np.array([1, 3])
    shares = score(
        parse("plum"), store, [Postings("plum", ones, ones * 0 + 1, ones * 0)], replace(ALONE, after=1)
    ).shares
    assert shares[0] < shares[1]


def test_passages_that_may_not_be_read_lend_nothing() -> None:
    store, postings = beside()
    open_ = store.of(store.memories != 2)
    assert open_.count == 4
    assert set(score(parse("apple"), open_, [open_.within(one) for one in postings[:1]]).numbers) == {1, 2, 3}
