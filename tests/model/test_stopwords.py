"""The tables of little words hold what they say, in the form that words are compared in."""

from __future__ import annotations

from vault_memory.model.fold import fold
from vault_memory.model.stopwords import (
    MAYBE_ENGLISH,
    STOP_WORDS,
    function_words,
    languages_of,
    telling_words,
)


def test_words_are_folded_single_words() -> None:
    for words in (STOP_WORDS, MAYBE_ENGLISH, *function_words().values()):
        assert words
        assert all(fold(word) == word and word.isalpha() for word in words)


def test_a_word_that_english_may_hold_is_one_of_another_language() -> None:
    assert set(languages_of()) >= MAYBE_ENGLISH


def test_no_word_that_tells_a_language_is_english() -> None:
    assert telling_words().isdisjoint(STOP_WORDS)
    assert telling_words().isdisjoint(MAYBE_ENGLISH)
    assert telling_words().isdisjoint(
        "end under not all more into than but so no me my over or not via".split()
    )


def test_each_language_has_words_of_its_own() -> None:
    for name, words in function_words().items():
        own = {word for word in words & telling_words() if languages_of()[word] == (name,)}
        assert len(own) >= 10, name
