"""Queries: any text is one, and nothing in it is syntax but balanced double quotes."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.model.shelf import rank
from vault_memory.model.query import parse, phrase_in
from vault_memory.model.terms import cut, cut_query, cut_words

# Each query with a note that holds it word for word, and one that holds only a part of it.
EXACT = [
    ("gpt-4o", "We pay for gpt-4o by the month.", "The 4o sheet of the gpt family is printed."),
    ("C++", "The engine is written in C++ mostly.", "Plan c is to leave at noon, plan c again."),
    ("C#", "The client is C# with a thin shell.", "Vitamin c is in the box, take c daily."),
    (".env", "Secrets live in .env and nowhere else.", "The env of the env command is large."),
    ("foo:bar", "Set foo:bar before the start.", "A foo walks into a bar with a foo."),
    ("title:x", "The filter title:x is not supported.", "The title of chapter x is a title."),
    ("2026-03-14", "Moved the office on 2026-03-14 at last.", "In 2026 we had 03 or 14 visits in 14 days."),
    ("OPS-1042", "Blocked by OPS-1042 since Monday.", "Ops wrote 1042 lines for ops."),
    ("-x", "Run it with -x to see the trace.", "The x of the plot has an x."),
    ("it's", "He says it's broken for good.", "The disk is broken for good."),
    ("a@b.co", "Write to a@b.co when it fails.", "Section b of the co agreement, part b."),
    ("path/to/file.md", "See path/to/file.md for more.", "The file is on the path, an md file on a path."),
    ("snake_case", "Names are snake_case in this code.", "The snake in the case saw a case."),
    ("NOT rocket", "It does not take a rocket to see.", "A rocket of red glass."),
    ("NEAR(", "We live near the lake.", "Far from the lake."),
    ("^x", "The unknown is x in this sum.", "The unknown is y in this sum."),
    ("SELECT 1;--", "Ping by select 1 each minute.", "Number 1 is a good seed."),
    ('"open quote', "Never leave an open quote in a shell.", "Open all day."),
    ("🚀", "release 🚀 party", "release 🎉 party"),
]
FILLER = [f"Filler number {word} about gardens and rain." for word in "one two three four five six".split()]

NOTHING = ["AND", "a OR", "*", "(", "{}", "%", "\\", "", "   ", '"', '""', '" "', "to the of and"]


@pytest.mark.parametrize(("query", "exact", "part"), EXACT, ids=[row[0] for row in EXACT])
def test_the_note_with_the_exact_term_comes_first(query: str, exact: str, part: str) -> None:
    assert rank(query, [*FILLER, part, exact])[0] == len(FILLER) + 1


@pytest.mark.parametrize("query", NOTHING)
def test_a_query_without_a_telling_word_finds_nothing(query: str) -> None:
    assert parse(query).empty
    assert rank(query, [*FILLER, "and or * ( {} % to the of"]) == []


@given(st.text(alphabet=st.characters(), max_size=200))
def test_any_text_is_a_query(text: str) -> None:
    query = parse(text)
    assert query.text == text
    assert len(set(query.terms)) == len(query.terms)
    assert query.spare <= set(query.terms)
    assert all(len(phrase) > 1 for phrase in query.phrases)
    assert query.empty == (not query.terms)


@pytest.mark.parametrize(
    "text",
    [
        "x" * 100_000,
        "word " * 5_000,
        "ab " * 33_000,
        '"' * 100_000,
        '"a b" ' * 20_000,
        " ".join(map(str, range(5_000))),
        "設定" * 50_000,
    ],
)
def test_a_very_long_query_ends_soon(text: str) -> None:
    start = time.process_time()
    assert len(parse(text).terms) <= 512
    assert time.process_time() - start < 1


RELEASES = "Releases are cut on Thursday by the platform team."
OTHERS = [
    f"The {noun} {verb} {place}, so please tell {who} what it was and why the thing could not be done."
    for noun in (
        "printer",
        "server",
        "garden",
        "invoice",
        "meeting",
        "contract",
        "bicycle",
        "window",
        "parser",
        "budget",
    )
    for verb in ("stopped", "moved", "failed", "waited", "broke")
    for place in ("upstairs", "again", "twice", "quietly")
    for who in ("them",)
]
LOG = " ".join(
    f"ERROR worker-{number} 2031-01-{number % 28 + 1:02} connection refused by peer "
    f"at stage{number} retry{number * 7}"
    for number in range(30)
)


@pytest.mark.parametrize(
    "query",
    [
        "when do we usually cut a release and who does it?",
        "could you please tell me why the thing about releases",
    ],
)
def test_a_whole_sentence_finds_the_note_first_among_two_hundred(query: str) -> None:
    assert len(OTHERS) == 200
    assert rank(query, [*OTHERS, RELEASES])[0] == 200


def test_one_telling_word_in_a_pasted_log_is_enough() -> None:
    assert len(LOG.split()) > 250
    query = f"{LOG[:900]} Thursday {LOG[900:]}"
    assert 200 in rank(query, [*OTHERS, RELEASES])[:3]


BODIES = {
    "japanese": "新しい設定ファイルの場所",
    "chinese": "重启worker后生效",
    "korean": "서버를 다시 시작한다",
    "thai": "ที่อยู่ของเซิร์ฟเวอร์",
    "latin": "Größe, naïve, São Paulo, İstanbul",
    "emoji": "release 🚀 party",
    "plain": "Nothing but English words stand here.",
}


@pytest.mark.parametrize(
    ("query", "body"),
    [
        ("設定", "japanese"),
        ("場所", "japanese"),
        ("ファイル", "japanese"),
        ("worker", "chinese"),
        ("重启", "chinese"),
        ("生效", "chinese"),
        ("启", "chinese"),
        ("서버", "korean"),
        ("시작", "korean"),
        ("เซิร์ฟเวอร์", "thai"),
        ("ที่อยู่", "thai"),
        ("groesse", "latin"),
        ("grosse", "latin"),
        ("GRÖSSE", "latin"),
        ("naive", "latin"),
        ("sao paulo", "latin"),
        ("istanbul", "latin"),
        ("🚀", "emoji"),
        ("words", "plain"),
    ],
)
def test_each_language_finds_its_own_and_no_other(query: str, body: str) -> None:
    names = list(BODIES)
    assert [names[place] for place in rank(query, list(BODIES.values()))] == [body]
    assert set(cut_query(query)) - parse(query).spare <= set(cut(BODIES[body]))


def test_words_in_quotes_are_a_phrase_as_well_as_terms() -> None:
    query = parse('when is the "stop loss rule" due')
    assert query.phrases == (("stop", "loss", "rule"),)
    assert query.terms == ("stop", "loss", "rule", "due")


@pytest.mark.parametrize(
    "text", ['"open quote', 'a "b', '"one"', '5" by 7" glass and 3" steel', 'x"y z"w', "'stop loss'", '"" ""']
)
def test_a_lone_word_or_an_unbalanced_quote_is_no_phrase(text: str) -> None:
    assert parse(text).phrases == ()


def test_curly_quotes_are_quotes() -> None:
    assert parse("“stop loss” „due date“").phrases == (("stop", "loss"), ("due", "date"))


def test_a_phrase_of_stop_words_alone_is_looked_for() -> None:
    assert parse('"the who"').terms == ("the", "who")
    assert parse("the who").empty


@pytest.mark.parametrize(
    ("phrase", "body"),
    [
        ("stop loss", "Never without a stop-loss order."),
        ("stop loss", "STOP, LOSS!"),
        ("gpt-4o mini", "We use GPT-4o mini here"),
        ("platform team", "by the platform teams."),
        ("worker后", "重启worker后生效"),
        ("启worker", "重启worker后生效"),
        ("設定ファイル", "新しい設定ファイルの場所"),
        ("to the end", "it goes to the end of it"),
        ("a a b", "a a a b"),
    ],
)
def test_a_phrase_is_found_where_its_words_stand_together(phrase: str, body: str) -> None:
    assert phrase_in(tuple(cut_words(phrase)), cut_words(body))


@pytest.mark.parametrize(
    ("phrase", "body"),
    [
        ("stop loss", "stop the loss"),
        ("stop loss", "loss stop"),
        ("loss rule", "stop loss"),
        ("設定場所", "設定の場所"),
        ("a b", ""),
        ("worker重", "重启worker后生效"),
    ],
)
def test_a_phrase_is_not_found_where_they_do_not(phrase: str, body: str) -> None:
    assert not phrase_in(tuple(cut_words(phrase)), cut_words(body))


words = st.lists(st.sampled_from(["a", "b", "c"]), max_size=8)


@given(words, st.lists(st.sampled_from(["a", "b", "c"]), min_size=2, max_size=3))
def test_phrase_search_agrees_with_looking_everywhere(body: list[str], phrase: list[str]) -> None:
    everywhere = any(body[at : at + len(phrase)] == phrase for at in range(len(body)))
    assert phrase_in(tuple(phrase), body) == everywhere
