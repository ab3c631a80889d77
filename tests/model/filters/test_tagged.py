"""Expressions over tags: exact, of any case, and readable back from what they print."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.model.filters.entries import entry, holds
from vault_memory.errors import ExpressionError
from vault_memory.model.filters.condition import AllOf, AnyOf, Condition, Not
from vault_memory.model.filters.tagged import Tagged, parse_tags, tag_key

NAMES = st.text(min_size=1, max_size=12).filter(lambda name: name == name.strip().strip("#/").strip() != "")
CONDITIONS: st.SearchStrategy[Condition] = st.recursive(
    st.builds(Tagged, NAMES),
    lambda inner: st.one_of(
        st.builds(Not, inner),
        st.builds(AllOf, st.lists(inner, min_size=2, max_size=3).map(tuple)),
        st.builds(AnyOf, st.lists(inner, min_size=2, max_size=3).map(tuple)),
    ),
    max_leaves=8,
)


def found(expression: str, *tags: str) -> bool:
    return holds(parse_tags(expression), entry(tags=tags))


@pytest.mark.parametrize(
    ("expression", "tags", "fits"),
    [
        ("test", ["test"], True),
        ("test", ["latest", "tests", "a-test"], False),
        ("Test", ["TEST"], True),
        ("#trading", ["trading"], True),
        ("caf\u00e9", ["cafe\u0301"], True),
        ("cafe", ["caf\u00e9"], False),
        ("project", ["project/alpha"], True),
        ("project/alpha", ["project"], False),
        ("project/", ["project/alpha"], True),
        ("project", ["projects/alpha"], False),
        ("a and b", ["a", "b"], True),
        ("a and b", ["a"], False),
        ("a or b", ["b"], True),
        ("a and not b", ["a"], True),
        ("a and not b", ["a", "b"], False),
        ("a or b and c", ["a"], True),
        ("(a or b) and c", ["a"], False),
        ("not(a or b)", ["c"], True),
        ("not not a", ["a"], True),
        ("NOT a AND b", ["b"], True),
        ('"and" or "not"', ["not"], True),
        ('"machine learning"', ["machine learning"], True),
        ("'a (b)'", ["a (b)"], True),
        (r'"a \"b\""', ['a "b"'], True),
        ('"', ['"'], True),
        ("a&b", ["a&b"], True),
    ],
)
def test_a_tag_expression_means_what_it_says(expression: str, tags: list[str], fits: bool) -> None:
    assert found(expression, *tags) is fits


def test_tags_in_the_text_count_as_the_entry_has_them() -> None:
    assert holds(parse_tags("ops"), entry(inline_tags=("Ops",)))


@pytest.mark.parametrize(
    ("expression", "at", "reason", "hint"),
    [
        ("", 0, "it is empty", None),
        ("a b", 2, "'and', 'or' or the end", "quotes"),
        ("a and", 5, "a tag is expected here", None),
        ("and a", 0, "a tag is expected before 'and'", "in quotes"),
        ("a or or b", 5, "is expected before 'or'", "in quotes"),
        ("(a or b", 0, "this '(' is not closed", "')'"),
        ("a or b)", 6, "this ')' closes nothing", "take it out"),
        ("()", 1, "a tag is expected here", None),
        ("a && b", 2, "'&&' says nothing here", "did you mean 'and'?"),
        ("a || b", 2, "'||' says nothing here", "did you mean 'or'?"),
        ("a, b", 1, "a tag has no comma", "with both"),
        ('a and "b', 6, "this quote is not closed", None),
        ("#", 0, "a tag is expected here", None),
        ("(" * 60 + "a", 51, "more than 50", None),
        ("not " * 60 + "a", 204, "more than 50", None),
        ("a" * 2_001, 2_000, "longer than 2,000", None),
    ],
)
def test_what_cannot_be_read_is_pointed_at(expression: str, at: int, reason: str, hint: str | None) -> None:
    with pytest.raises(ExpressionError) as caught:
        parse_tags(expression)
    assert caught.value.at == at
    assert reason in caught.value.message
    assert hint is None or hint in (caught.value.hint or "")
    assert caught.value.exit_code == 2


def test_the_caret_stands_under_the_place_and_a_long_expression_is_shown_around_it() -> None:
    with pytest.raises(ExpressionError) as caught:
        parse_tags("重启 and (b or")
    _, expression, caret = caught.value.message.split("\n")
    assert expression.strip() == "重启 and (b or"
    assert len(caret) - 9 == len("重启 and (b or") + 2  # each of the two characters takes two columns
    with pytest.raises(ExpressionError) as caught:
        parse_tags("a or " * 100 + "b c" + " or d" * 100)
    _, expression, caret = caught.value.message.split("\n")
    assert len(expression) < 90
    assert expression[len(caret) - 1] == "c"


PARTS = ["a", "b", "and", "or", "not", "(", ")", '"', "'", ",", "&&", " "]


@given(st.one_of(st.text(max_size=60), st.lists(st.sampled_from(PARTS), max_size=15).map(" ".join)))
def test_any_text_is_a_condition_or_an_error_with_its_place(text: str) -> None:
    place = len(text)
    try:
        condition = parse_tags(text)
    except ExpressionError as error:
        place = error.at
    else:
        assert parse_tags(str(condition)) == condition
    assert 0 <= place <= len(text)


@given(CONDITIONS)
def test_a_condition_reads_back_from_what_it_prints(condition: Condition) -> None:
    assert parse_tags(str(condition)) == condition


@given(CONDITIONS, st.lists(NAMES, max_size=4))
def test_a_condition_holds_where_its_words_do(condition: Condition, tags: list[str]) -> None:
    def fits(one: Condition) -> bool:
        if isinstance(one, Tagged):
            wanted = tag_key(one.name).split("/")
            return any(tag_key(tag).split("/")[: len(wanted)] == wanted for tag in tags)
        if isinstance(one, Not):
            return not fits(one.part)
        assert isinstance(one, AllOf | AnyOf)
        return (all if isinstance(one, AllOf) else any)(map(fits, one.parts))

    assert holds(condition, entry(tags=tuple(tags))) == fits(condition)
