"""Questions without spaces ask for their words, not for what binds these together."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault_memory.model import particles
from vault_memory.model.fold import fold
from vault_memory.model.terms import ask, cut, cut_query

CUT = {"zh": particles.chinese, "ja": particles.japanese, "ko": particles.korean, "th": particles.thai}


@pytest.mark.parametrize(
    ("language", "run", "words"),
    [
        ("zh", "服务器的密码是放在什么地方的", ("服务器", "密码", "放", "地方")),
        ("zh", "我们的目的地是哪里", ("目的地",)),
        ("zh", "請問小貓在哪裡", ("小貓",)),
        ("zh", "酒吧存在吗", ("酒吧存在",)),
        ("zh", "数据库", ("数据库",)),
        ("zh", "这是什么", ("这",)),
        ("ja", "勉強会はいつ開かれるのですか", ("勉強会", "開かれる")),
        ("ja", "鍵はどこで借りたらいいでしょうか", ("鍵", "借り")),
        ("ja", "猫に餌をあげてください", ("猫", "餌", "あげて")),
        ("ja", "靴下が上がる", ("靴下", "上がる")),
        ("ja", "データベースの複製", ("データベース", "複製")),
        ("ja", "どこですか", ()),
        ("ko", "서버를", ("서버",)),
        ("ko", "서버에서는", ("서버",)),
        ("ko", "재시작해야", ("재시작",)),
        ("ko", "집은", ("집은", "집")),
        ("ko", "가을", ("가을",)),
        ("ko", "여가", ("여가",)),
        ("ko", "어떻게", ()),
        ("th", "กุญแจอยู่ที่ไหนครับ", ("กุญแจอยู่",)),
        ("th", "คะแนน", ("คะแนน",)),
    ],
)
def test_a_run_is_cut_at_what_is_no_word_of_its_own(language: str, run: str, words: tuple[str, ...]) -> None:
    assert CUT[language](fold(run)).kept == words


FUNCTION = "什么在哪里的目了存密码猫のはをにどこですかたらいい開くデータ서버를은집어디에ที่ไหนคะกุญแจอยู่"


@given(st.text(alphabet=FUNCTION + " ?a", max_size=40))
def test_what_is_asked_for_is_what_a_text_of_the_same_words_is_indexed_under(text: str) -> None:
    assert set(cut_query(text)) <= set(cut(text))


@given(st.sampled_from(sorted(CUT)), st.text(alphabet=FUNCTION, min_size=1, max_size=30))
def test_pieces_stand_in_the_run_and_none_is_empty(language: str, text: str) -> None:
    run = fold(text)
    pieces = CUT[language](run)
    assert all(piece and piece in run for piece in pieces.kept)
    assert pieces.spare <= set(pieces.kept)


@pytest.mark.parametrize("text", ["กคะ", "กิคะ", "อยู่ที่ไหนก"])
def test_a_thai_syllable_left_alone_is_asked_for_with_what_stands_beside_it(text: str) -> None:
    assert set(cut_query(text)) <= set(cut(text))


def test_a_korean_noun_is_asked_for_without_its_particle() -> None:
    assert set(cut_query("서버는")) <= set(cut("서버를 다시 시작한다"))
    assert set(ask("집은").terms) - ask("집은").spare <= set(cut("집을 판다"))


@pytest.mark.parametrize("query", ["这是什么？", "どこですか", "어떻게?", "อะไร", "wer ist das", "что это"])
def test_where_nothing_else_is_asked_the_little_words_are_looked_for(query: str) -> None:
    assert cut_query(query)
    assert set(cut_query(query)) <= set(cut(query))


@pytest.mark.parametrize(
    "run", ["の" * 200_000 + "ん", "のん" * 100_000, "的" * 300_000, "ครับ" * 100_000, "서는" * 99_999]
)
def test_no_query_takes_more_than_linear_time(run: str) -> None:
    start = time.process_time()
    cut_query(run)
    assert time.process_time() - start < 10
