"""The multilingual check set is well-formed, and its questions do not repeat the words they look for."""

from __future__ import annotations

import unicodedata
from collections import Counter

import pytest

from tests.retrieval.multilingual import GROUPS, CheckSet, Found, Pair, read_set

UNSPACED = ("CJK UNIFIED", "HIRAGANA", "KATAKANA", "HANGUL", "THAI")
LANGUAGES = {"zh", "ja", "ko", "en", "th", "ru", "ar", "de", "fr", "es", "pt", "pl", "tr", "vi"}
AT_LEAST = {"zh": 16, "ja": 16, "ko": 16, "cross": 12, "other": 12}

CHECK_SET: CheckSet = read_set()
TEXTS = {one.id: one.text for one in CHECK_SET.passages}


def is_unspaced(character: str) -> bool:
    return unicodedata.name(character, "").startswith(UNSPACED)


def runs(text: str, length: int) -> set[str]:
    """Runs of that many characters of Chinese, Japanese, Korean or Thai that stand in the text."""
    pieces = (text[start : start + length] for start in range(len(text) - length + 1))
    return {piece for piece in pieces if all(is_unspaced(character) for character in piece)}


def words(text: str) -> list[str]:
    """Spaced words of five letters and more, by their first five: `Hotel` and `hotels` are one."""
    kept = "".join(" " if is_unspaced(one) or not one.isalnum() else one for one in text.casefold())
    return [word[:5] for word in kept.split() if len(word) >= 5]


def test_passages_are_enough_and_no_two_are_alike() -> None:
    assert len(CHECK_SET.passages) >= 160
    assert len(TEXTS) == len(CHECK_SET.passages), "an id is given twice"
    assert len(set(TEXTS.values())) == len(TEXTS)
    assert {one.lang for one in CHECK_SET.passages} == LANGUAGES
    named = {answer for pair in CHECK_SET.pairs for answer in pair.answers}
    assert named <= set(TEXTS)
    assert len(TEXTS) - len(named) >= 80, "notes that answer nothing must outnumber a lucky guess"


def test_every_group_has_its_pairs() -> None:
    counts = Counter(pair.group for pair in CHECK_SET.pairs)
    assert set(counts) == set(GROUPS)
    assert all(counts[group] >= least for group, least in AT_LEAST.items())
    assert len(CHECK_SET.pairs) - counts["other"] >= 64
    assert len({pair.question for pair in CHECK_SET.pairs}) == len(CHECK_SET.pairs)


def test_a_pair_is_in_one_language_and_a_cross_pair_in_two() -> None:
    langs = {one.id: one.lang for one in CHECK_SET.passages}
    for pair in CHECK_SET.pairs:
        assert pair.answers, pair
        answered = {langs[answer] for answer in pair.answers}
        if pair.group == "cross":
            assert pair.lang not in answered, pair
        else:
            assert answered == {pair.lang}, pair
        if pair.group in ("zh", "ja", "ko"):
            assert pair.lang == pair.group, pair


def test_chinese_is_there_in_both_kinds_of_characters() -> None:
    questions = "".join(pair.question for pair in CHECK_SET.pairs if pair.lang == "zh")
    assert {"什么", "什麼"} <= {questions[at : at + 2] for at in range(len(questions))}


@pytest.mark.parametrize("pair", CHECK_SET.pairs, ids=lambda pair: f"{pair.group}-{min(pair.answers)}")
def test_a_question_is_in_other_words_than_its_answer(pair: Pair) -> None:
    for answer in pair.answers:
        text = TEXTS[answer]
        assert not runs(pair.question, 4) & runs(text, 4), answer
        shared = set(words(pair.question)) & set(words(text))
        assert len(shared) <= max(1, len(set(words(pair.question))) // 3), (answer, shared)


def test_hits_are_counted_by_group_and_only_to_the_depth_asked() -> None:
    first, second, third = (
        Pair(f"{n}?", "zh", group, frozenset("a")) for n, group in enumerate(("zh", "zh", "cross"))
    )
    found = Found({first: 1, second: 4, third: 0})
    assert found.share(1, ("zh",)) == 0.5
    assert found.share(5, ("zh",)) == 1.0
    assert found.share(5, ("zh", "cross")) == pytest.approx(2 / 3)
