"""Near-identical texts are one; texts that differ in a number or a negation are two."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault_memory.model import near
from vault_memory.model.near import near_duplicates

WORDS = [
    f"{first}{second}"
    for first in ("ba", "ko", "li", "nu", "se", "to", "vi")
    for second in ("ram", "den", "pol", "kis")
]
TEXT = " ".join(WORDS * 3)


def test_case_spaces_and_the_full_stop_do_not_make_another_text() -> None:
    assert near_duplicates(["Uses port 8080", "uses  PORT 8080.", "Uses\nport 8080 "]) == {1: 0, 2: 0}


def test_one_word_changed_in_a_long_text_is_near_identical() -> None:
    assert near_duplicates([TEXT, TEXT.replace("tokis", "zzz", 1)], threshold=0.8) == {1: 0}
    long = " ".join(f"{word}{other}" for word in WORDS for other in ("a", "e", "i", "o"))
    assert near_duplicates([long, long.replace("lidena", "zzz", 1)]) == {1: 0}


def test_one_word_changed_in_a_short_text_is_not() -> None:
    assert near_duplicates(["The office is in Berlin now.", "The office is in Madrid now."]) == {}


LONG = "The service listens behind the proxy " + " ".join(WORDS * 4)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("on port 8080", "on port 9090"),
        ("by -12 % a year", "by 12 % a year"),
        ("if RSI > 70", "if RSI < 70"),
        ("version v1.2", "version v1.3"),
        ("on worker1", "on worker2"),
        ("since 2026-03-14", "since 2026-03-15"),
        ("and restarts", "and never restarts"),
        ("and it does", "and it doesn't"),
        ("at 5", "at five"),
        ("a ≠ b", "a = b"),
        ("端口8080。", "端口9090。"),
    ],
)
def test_a_number_or_a_negation_makes_another_text_however_long(one: str, other: str) -> None:
    assert near_duplicates([f"{LONG} {one}", f"{LONG} {other}"]) == {}


def test_all_copies_point_to_the_first() -> None:
    texts = [TEXT, "something else", TEXT.upper(), "something else!", f"{TEXT}."]
    assert near_duplicates(texts) == {2: 0, 3: 1, 4: 0}


def test_empty_texts_are_nobody_s_copies() -> None:
    assert near_duplicates(["", " ", "\n"]) == {}
    assert near_duplicates([]) == {}


def test_texts_of_signs_alone_are_compared_too() -> None:
    assert near_duplicates(["?", "!", "?", "…"]) == {2: 0}


def test_japanese_texts_are_compared_by_their_characters() -> None:
    text = "新しい設定ファイルは直下に置きます古いものは消してください必ず再起動すること確認は担当者が行う"
    assert near_duplicates([text, text.replace("必ず", "必らず")], threshold=0.85) == {1: 0}
    assert near_duplicates([text, "サーバーを再起動する手順は別の文書に書いてあります"]) == {}


@given(st.lists(st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join), max_size=12))
def test_the_answer_is_that_of_comparing_every_pair(texts: list[str]) -> None:
    def runs(text: str) -> set[tuple[str, ...]]:
        words = text.split()
        return set(zip(words, words[1:], words[2:], strict=False)) or {tuple(words)}

    expected: dict[int, int] = {}
    for index, text in enumerate(texts):
        for earlier in range(index):
            shared, both = runs(text) & runs(texts[earlier]), runs(text) | runs(texts[earlier])
            if earlier not in expected and text and texts[earlier] and len(shared) / len(both) >= 0.6:
                expected[index] = earlier
                break
    assert near_duplicates(texts, threshold=0.6) == expected


@given(st.lists(st.text(alphabet=st.characters(), max_size=40), max_size=8))
def test_any_texts_can_be_compared_and_none_points_to_a_copy(texts: list[str]) -> None:
    first_of = near_duplicates(texts)
    assert all(first < index and first not in first_of for index, first in first_of.items())


TEMPLATE = " ".join(f"{word}us" for word in WORDS * 2)


def own_words(number: int) -> str:
    """Eight words, of letters alone, that no other number has."""
    spelled = "".join("abcdefghij"[int(digit)] for digit in str(number))
    return " ".join(f"{first}{spelled}" for first in "klmpqrst")


def test_texts_made_from_one_template_are_not_all_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[float] = []
    jaccard = near._jaccard

    def counted(one: near._Shape, other: near._Shape) -> float:
        compared.append(jaccard(one, other))
        return compared[-1]

    monkeypatch.setattr(near, "_jaccard", counted)
    texts = [f"{TEMPLATE} {own_words(number)}" for number in range(1_500)]
    texts += [f"{text} indeed" for text in texts[:10]]
    assert near_duplicates(texts) == {1_500 + number: number for number in range(10)}
    assert len(compared) < 20 * len(texts)


@given(st.lists(st.lists(st.sampled_from("abcd"), max_size=8).map(" ".join), max_size=12))
def test_the_order_of_the_runs_changes_nothing_that_is_found(texts: list[str]) -> None:
    found = near_duplicates(texts, threshold=0.6)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(near, "PATIENCE", 0)
        assert near_duplicates(texts, threshold=0.6) == found
