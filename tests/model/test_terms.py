"""Terms: what a text is cut into decides what finds it."""

from __future__ import annotations

import locale
import threading
import time
import unicodedata
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault_memory.model import terms
from vault_memory.model.fold import fold
from vault_memory.model.terms import MAX_QUERY_TERMS, MAX_WORD, ask, cut, cut_query, cut_words

anything = st.text(alphabet=st.characters(), max_size=120)


@given(anything)
def test_every_term_is_one_that_the_index_stores_as_it_is(text: str) -> None:
    for term in cut(text):
        assert term
        assert not any(character.isspace() or character < "!" or character == "\x7f" for character in term)
        assert '"' not in term
        assert not any("A" <= character <= "Z" for character in term)


@given(anything)
def test_what_a_text_is_asked_for_is_what_it_was_indexed_under(text: str) -> None:
    assert set(cut_query(text)) <= set(cut(text, ask(text).language))


@given(anything)
def test_words_are_terms_and_stand_in_their_order(text: str) -> None:
    found = iter(cut(text))
    assert all(word in found for word in cut_words(text))


@given(anything)
def test_upper_and_lower_case_and_both_normal_forms_give_the_same_terms(text: str) -> None:
    composed = unicodedata.normalize("NFC", text)
    assert cut(unicodedata.normalize("NFD", text)) == cut(composed)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Releases are cut", ["releas", "ar", "cut"]),
        ("gpt-4o", ["gpt", "4o", "gpt-4o"]),
        ("C++", ["c", "c++"]),
        ("C#.", ["c", "c#"]),
        ("C++11", ["c", "11", "c++11"]),
        (".env", ["env", ".env"]),
        ("the end.", ["the", "end"]),
        ("foo:bar", ["foo", "bar", "foo:bar"]),
        ("2026-03-14", ["2026", "03", "14", "2026-03-14"]),
        ("OPS-1042", ["op", "1042", "ops-1042"]),
        ("-x", ["x", "-x"]),
        ("--dry-run", ["dry", "run", "--dry-run", "dry-run"]),
        ("- item", ["item"]),
        ("snake_case", ["snake", "case", "snake_case"]),
        ("a@b.co", ["a", "b", "co", "a@b.co", "b.co"]),
        ("path/to/file.md", ["path", "to", "file", "md", "path/to/file.md", "file.md"]),
        ("std::vector<int>", ["std", "vector", "std::vector", "int"]),
        ("10,000 and 1, 2", ["10", "000", "10,000", "and", "1", "2"]),
        ("it's", ["it", "it's"]),
        ("it’s", ["it", "it's"]),
        ("NVDA's risks", ["nvda", "risk"]),
        ("**bold** `code` [[market-regime]]", ["bold", "code", "market", "regim", "market-regime"]),
        ("camelCase", ["camelcas"]),
        ("running runs", ["run", "run"]),
        ("k8s 4096s", ["k8s", "4096s"]),
        ("重启worker后生效", ["重启", "重", "启", "worker", "后生", "生效", "后", "生", "效"]),
        ("설정", ["설정", "설", "정"]),
        ("カメラ", ["カメ", "メラ"]),
        ("犬", ["犬"]),
        ("เก่า", ["เก่", "ก่า"]),
        ("👩‍💻 ❤️ 👍🏽 🇩🇪", ["👩", "💻", "❤", "👍", "🇩🇪"]),
        ("नमस्ते", ["नमस्ते"]),
        ("s", ["s"]),
        ("", []),
        (" \n\t ", []),
        ('%*(){}\\^"', []),
    ],
)
def test_text_is_cut_like_this(text: str, expected: list[str]) -> None:
    assert cut(text) == expected


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("İstanbul", "istanbul"),
        ("ISTANBUL", "istanbul"),
        ("ılık", "ilik"),
        ("naïve", "naive"),
        ("São Paulo", "sao paulo"),
        ("Straße", "STRASSE"),
        ("Ærø", "AERO"),
        ("Łódź", "lodz"),
        ("Ελλάς", "ΕΛΛΑΣ"),
        ("Ёлка", "елка"),
        ("ﬁle", "file"),
        ("ｇｐｔ", "gpt"),
        ("ｶﾞｲﾄﾞ", "ガイド"),
        ("مُحَمَّد", "محمد"),
        ("co\u00adop", "coop"),
        ("می\u200cخواهم", "میخواهم"),
        ("10−20", "10-20"),
        ("한글", "한글"),
    ],
)
def test_two_spellings_of_one_word_share_a_term(one: str, other: str) -> None:
    assert set(cut_query(other)) <= set(cut(one))
    assert cut_words(one) == cut_words(other)


@pytest.mark.parametrize("query", ["groesse", "grosse", "GRÖSSE", "größe"])
def test_a_german_umlaut_is_found_bare_and_as_two_letters(query: str) -> None:
    assert set(cut_query(query)) <= set(cut("Größe, naïve, São Paulo, İstanbul"))


@pytest.mark.parametrize(("query", "body"), [("が", "か"), ("ปา", "ป่า"), ("कि", "की")])
def test_marks_that_make_another_word_are_kept(query: str, body: str) -> None:
    assert not set(cut(query)) & set(cut(body))


def test_a_word_longer_than_anyone_types_is_cut_off() -> None:
    assert cut("x" * 100_000) == ["x" * MAX_WORD]
    assert all(len(term) <= MAX_WORD for term in cut("ab-" * 5_000 + "c"))
    assert all(len(term) <= 2 * MAX_WORD for term in cut("ก" + "่" * 5_000 + "กา"))


def test_only_stop_words_ask_for_nothing() -> None:
    assert cut_query("to the of and") == []
    assert cut_query("It is WHAT it is?") == []


def test_a_sentence_asks_for_its_telling_words_once_each() -> None:
    asked = cut_query("when do we usually cut a release and who does it, the release?")
    assert asked == ["usual", "cut", "releas"]


def test_a_contraction_is_asked_for_only_when_it_is_all_there_is() -> None:
    assert cut_query("it's") == ["it's"]
    assert cut_query("it's the disk, I don't know") == ["disk", "know"]


def test_a_query_of_five_thousand_words_asks_for_a_bounded_number_of_terms() -> None:
    asked = ask(" ".join(f"word{number}-x" for number in range(5_000)))
    assert len(asked.terms) == MAX_QUERY_TERMS
    assert asked.spare <= set(asked.terms)


def test_compounds_and_second_spellings_are_spare() -> None:
    assert ask("gpt-4o Größe").spare == {"gpt-4o", "groess"}


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Wo ist die Rechnung von der Druckerei?", ["rechnung", "druckerei"]),
        ("Quand est-ce que la facture est payée ?", ["factur", "paye", "pay"]),
        ("Qui s'occupe de l'API ?", ["occup", "s'occupe", "api", "l'api"]),
        ("¿Qué es lo que pidieron los clientes?", ["pidieron", "pid", "client"]),
        ("У кого ключи от дома?", ["ключ", "дом"]),
        ("die hard", ["die", "hard"]),
        ("服务器的密码是什么？", ["服务", "务器", "密码"]),
        ("鍵はどこにありますか？", ["鍵"]),
        ("서버는 언제 재시작해요?", ["서버", "재시", "시작"]),
    ],
)
def test_a_question_goes_without_the_little_words_of_its_language(question: str, expected: list[str]) -> None:
    assert cut_query(question) == expected


def test_a_text_keeps_its_little_words_in_every_language() -> None:
    assert {"wo", "ist", "die"} <= set(cut("Wo ist die Rechnung?", "german"))
    assert {"的密", "么地"} <= set(cut("服务器的密码在什么地方"))


def test_a_text_of_a_known_language_is_indexed_under_the_stems_of_that_language_too() -> None:
    assert cut("Die Häuser", "german") == ["die", "hauser", "haeuser", "hau"]
    assert cut("Das Haus", "german")[1:] == ["hau"]
    assert cut_words("Die Häuser") == ["die", "hauser"], "phrases are looked for as they stand"


def test_a_native_stem_is_another_form_of_the_word_that_need_not_be_known() -> None:
    asked = ask("Welche Häuser sind zu vermieten?")
    assert asked.language == "german"
    assert asked.same == {"hau": "hauser", "vermiet": "vermieten"}
    assert set(asked.same) <= asked.spare
    assert set(asked.same.values()).isdisjoint(asked.spare)


def test_identifiers_have_no_native_stem() -> None:
    assert cut("die Maschine k8s-01", "german")[-3:] == ["k8s", "01", "k8s-01"]


@pytest.fixture
def turkish() -> Iterator[None]:
    before = locale.setlocale(locale.LC_ALL)
    for name in ("tr_TR.UTF-8", "de_DE.UTF-8", "C"):
        try:
            locale.setlocale(locale.LC_ALL, name)
        except locale.Error:
            continue
        break
    yield
    locale.setlocale(locale.LC_ALL, before)


def test_the_locale_changes_nothing(turkish: None) -> None:
    terms._known.clear()
    assert cut("TITLE İSTANBUL I i") == ["titl", "istanbul", "i", "i"]


def test_threads_that_cut_at_once_get_the_same_terms() -> None:
    text = " ".join(
        f"running{'s' * (number % 3)} generalization nationality{chr(97 + number % 26)}"
        for number in range(2_000)
    )
    expected = cut(text)
    results: list[list[str]] = []

    def cut_again() -> None:
        terms._known.clear()
        results.append(cut(text))

    threads = [threading.Thread(target=cut_again) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [expected] * 4


@pytest.mark.parametrize(
    "text",
    [
        "a" * 1_000_000,
        "a-" * 500_000,
        "'s" * 500_000,
        "ก่" * 300_000,
        "設" * 500_000,
        "\u0301" * 1_000_000,
        "🚀" * 300_000,
        "a\u093e" * 300_000,
        "." * 1_000_000,
        "#a" * 400_000,
        "ﷺ" * 50_000,
        "x'" * 400_000,
    ],
    ids=lambda text: repr(text[:4]),
)
def test_no_text_takes_more_than_linear_time(text: str) -> None:
    start = time.process_time()
    cut(text)
    assert time.process_time() - start < 10


@given(
    st.text(
        st.one_of(
            st.sampled_from("aZ09..,-_+#'@/:$éß日カ한ก\u0e31😀🇩\u200d \t\n\x0b\x1c\x85\xa0\u2028\u3000"),
            st.characters(),
        ),
        max_size=30,
    ),
    st.sampled_from([None, "german"]),
)
def test_what_stands_between_blanks_is_cut_as_the_whole_text_is(text: str, tongue: str | None) -> None:
    folded = fold(text)
    known = terms._known_in(tongue)
    whole = (terms._plain() if folded.isascii() else terms._worldwide()).token.findall(folded)
    assert cut(text, tongue) == [term for token in whole for term in known[token].terms]
