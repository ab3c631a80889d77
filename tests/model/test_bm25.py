"""BM25: relevance is 0–1, means the same in every store, and costs what its postings cost."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.model.shelf import Shelf, memory
from vault_memory.model.bm25 import FULL, B, Corpus, Postings, Ranked, idf, score, squash, worth_fetching
from vault_memory.model.query import parse

VOCABULARY = ["apple", "banana", "cherry", "plum", "quince"]
bodies = st.lists(st.lists(st.sampled_from(VOCABULARY), max_size=12).map(" ".join), min_size=1, max_size=12)
queries = st.lists(st.sampled_from([*VOCABULARY, "unknown"]), min_size=1, max_size=6).map(" ".join)


def pairs(ranked: Ranked) -> list[tuple[int, float]]:
    return list(zip(ranked.numbers.tolist(), ranked.relevance.tolist(), strict=True))


def shelf(*texts: str) -> Shelf:
    return Shelf([memory(text) for text in texts])


@given(bodies, queries)
def test_relevance_is_between_none_and_all_best_first_and_ties_by_number(
    texts: list[str], query: str
) -> None:
    ranked = shelf(*texts).ask(query)
    assert ranked.numbers.dtype == np.int64
    assert ranked.relevance.dtype == np.float64
    assert all(0 < relevance <= 1 for relevance in ranked.relevance)
    assert pairs(ranked) == sorted(pairs(ranked), key=lambda pair: (-pair[1], pair[0]))


@given(bodies, queries)
def test_exactly_the_passages_with_a_word_of_the_query_are_ranked(texts: list[str], query: str) -> None:
    wanted = set(query.split())
    expected = {at + 1 for at, text in enumerate(texts) if wanted & set(text.split())}
    assert set(shelf(*texts).ask(query).numbers.tolist()) == expected


@given(bodies, queries, st.integers(0, 14))
def test_a_limit_gives_the_first_of_the_whole_ranking(texts: list[str], query: str, limit: int) -> None:
    whole = shelf(*texts).ask(query)
    assert pairs(shelf(*texts).ask(query, limit)) == pairs(whole)[:limit]


@given(bodies, queries)
@settings(max_examples=60)
def test_scores_agree_with_the_formula_term_by_term(texts: list[str], query: str) -> None:
    one = shelf(*texts)
    terms = parse(query).terms
    frequencies = {term: len(one.postings(term).passages) for term in terms}
    whole = sum(idf(df, len(texts)) for df in frequencies.values())
    for number, relevance in pairs(one.ask(query)):
        raw = 0.0
        for term in terms:
            tf = one.own[number - 1][term]
            relative = one.corpus.lengths[number] / one.corpus.mean_length
            raw += idf(frequencies[term], len(texts)) * 2.2 * tf / (tf + 1.2 * (1 - B + B * relative))
        assert relevance == pytest.approx(1 - (1 - FULL) ** (raw / whole))


def test_a_passage_of_mean_length_with_every_word_once_has_the_full_relevance() -> None:
    ranked = shelf("apple banana", "cherry plum").ask("apple banana")
    assert ranked.relevance.tolist() == pytest.approx([FULL])


def test_one_known_word_among_five_is_a_weak_match() -> None:
    texts = ["apple pie", *[f"filler{number} text" for number in range(200)]]
    strong = shelf(*texts).ask("apple").relevance[0]
    weak = shelf(*texts).ask("apple with zebra violin kayak marble").relevance[0]
    assert weak < 0.4
    assert strong > 0.7


def test_a_compound_that_nobody_has_does_not_weaken_its_parts() -> None:
    one = shelf("real time sync", "other words")
    assert one.ask("real-time sync").relevance[0] == pytest.approx(one.ask("real time sync").relevance[0])


def test_a_word_in_the_title_counts_less_than_one_in_the_text() -> None:
    ranked = Shelf([memory("plum", title="apple"), memory("apple", title="plum"), memory("x")]).ask("apple")
    assert ranked.numbers.tolist() == [2, 1]
    assert ranked.relevance[1] > 0.5


def test_a_title_finds_a_memory_without_text() -> None:
    assert Shelf([memory("", title="apple pie"), memory("plum")]).ask("apple").numbers.tolist() == [1]


def test_more_occurrences_and_a_shorter_passage_count_more() -> None:
    assert shelf("apple plum plum plum", "apple apple plum plum").ask("apple").numbers.tolist() == [2, 1]
    assert shelf("apple plum quince cherry banana", "apple plum").ask("apple").numbers.tolist() == [2, 1]


def test_rare_words_weigh_more_than_common_ones() -> None:
    ranked = shelf("apple plum", "apple cherry", "apple cherry", "apple plum banana").ask(
        "apple banana cherry"
    )
    assert ranked.numbers[0] == 4


def test_an_empty_store_or_unknown_words_give_nothing() -> None:
    assert len(Shelf([]).ask("apple").numbers) == 0
    assert len(shelf("apple").ask("plum").numbers) == 0
    assert len(shelf("").ask("").numbers) == 0


def test_a_store_of_empty_texts_is_found_by_titles() -> None:
    ranked = Shelf([memory("", title="apple"), memory("", title="plum")]).ask("apple")
    assert pairs(ranked)[0][0] == 1
    assert 0 < pairs(ranked)[0][1] <= 1


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
    corpus = Corpus(count, 10.0, np.full(count + 1, 10), np.arange(count + 1))
    even = np.arange(2, count + 1, 2)
    few = np.array([1, 2, 5])
    return corpus, [
        Postings("appl", even, np.ones_like(even), np.zeros_like(even)),
        Postings("quinc", few, np.ones_like(few), np.zeros_like(few)),
    ]


def test_in_a_large_store_a_common_word_scores_but_does_not_propose() -> None:
    corpus, postings = large(12_000)
    ranked = score(parse("apple quince"), corpus, postings)
    assert ranked.numbers.tolist() == [2, 1, 5]
    assert ranked.relevance[0] > ranked.relevance[1] == ranked.relevance[2]


def test_in_a_small_store_every_word_proposes() -> None:
    corpus, postings = large(9_000)
    assert len(score(parse("apple quince"), corpus, postings).numbers) == 4_502


def test_a_common_word_proposes_where_the_query_has_nothing_else() -> None:
    corpus, postings = large(12_000)
    empty = Postings("quinc", np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0, np.int64))
    assert len(score(parse("apple"), corpus, postings[:1]).numbers) == 6_000
    assert len(score(parse("apple quince"), corpus, [postings[0], empty]).numbers) == 6_000


@pytest.mark.parametrize(
    ("df", "count", "worth"), [(10_000, 10_000, True), (2_001, 10_001, False), (2_000, 10_001, True)]
)
def test_a_word_is_too_common_past_a_fifth_of_a_large_store(df: int, count: int, worth: bool) -> None:
    assert worth_fetching(df, count) is worth


def test_relevance_is_finite_for_a_query_of_many_terms() -> None:
    words = " ".join(f"word{number}" for number in range(512))
    ranked = shelf(words, "word1").ask(words)
    assert all(math.isfinite(relevance) for relevance in ranked.relevance)
    assert ranked.numbers[0] == 1


def beside() -> tuple[Corpus, list[Postings]]:
    """Passages 1–3 of one memory, 4 and 5 of two others; `appl` in 1 and 4, `plum` in 2."""
    corpus = Corpus(5, 10.0, np.array([-1, 10, 10, 10, 10, 10]), np.array([0, 1, 1, 1, 2, 3]))
    ones = np.ones(2, np.int64)
    return corpus, [
        Postings("appl", np.array([1, 4]), ones, ones * 0),
        Postings("plum", np.array([2]), ones[:1], ones[:1] * 0),
    ]


def test_neighbours_lend_their_words_within_a_memory_only() -> None:
    corpus, postings = beside()
    alone = dict(pairs(score(parse("apple plum"), corpus, postings)))
    lent = dict(pairs(score(parse("apple plum"), corpus, postings, neighbours=0.3)))
    assert set(alone) == {1, 2, 4}
    assert set(lent) == {1, 2, 3, 4}
    assert lent[4] == alone[4]
    assert lent[1] > alone[1]
    assert lent[2] > alone[2]
    assert lent[3] < alone[2]


def test_without_a_share_neighbours_lend_nothing() -> None:
    corpus, postings = beside()
    assert pairs(score(parse("apple"), corpus, postings, neighbours=0.0)) == pairs(
        score(parse("apple"), corpus, postings)
    )
