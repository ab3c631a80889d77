"""A key of a settings file changes by its own lines; every other byte stays."""

from __future__ import annotations

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault_memory.config.settings import SETTINGS, Setting
from vault_memory.config.tomlline import (
    Lines,
    UnsplicedError,
    statements,
    with_key,
    without_key,
)
from vault_memory.creating import config_text
from vault_memory.model.tomlwords import toml

FILE = config_text()
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
VALUES = st.one_of(
    TEXTS,
    st.integers(-(10**9), 10**9),
    st.floats(allow_nan=False, allow_infinity=False),
    st.booleans(),
    st.lists(TEXTS, max_size=4).map(tuple),
)


def lines_apart(one: str, other: str) -> list[tuple[str, str]]:
    """The lines in which two texts with equally many lines differ."""
    pairs = zip(one.split("\n"), other.split("\n"), strict=True)
    return [(left, right) for left, right in pairs if left != right]


@given(VALUES)
def test_a_value_is_written_as_toml_reads_it(value: object) -> None:
    expected = list(value) if isinstance(value, tuple) else value
    assert tomllib.loads(f"x = {toml(value)}") == {"x": expected}


@pytest.mark.parametrize("row", [row for row in SETTINGS if row.shared], ids=lambda row: row.key)
def test_the_comment_that_shows_a_default_becomes_the_line_and_back(row: Setting) -> None:
    changed = with_key(FILE, row.key, "x", default=row.default)
    assert lines_apart(FILE, changed) == [(f"# {row.key} = {toml(row.default)}", f'{row.key} = "x"')]
    again = with_key(changed, row.key, ("y",), default=row.default)
    assert lines_apart(changed, again) == [(f'{row.key} = "x"', f'{row.key} = ["y"]')]
    assert without_key(again, row.key, default=row.default, doc=row.doc) == FILE


def test_remarks_spaces_order_and_line_ends_of_a_persons_own_file_stay() -> None:
    text = "\ufeff# mine\r\n\"zone\"   =  'UTC'   # because\r\n\r\nformat=1\r\n"
    changed = with_key(text, "zone", "Europe/Berlin", default="UTC")
    assert changed == '\ufeff# mine\r\n"zone"   =  "Europe/Berlin"   # because\r\n\r\nformat=1\r\n'
    assert with_key(text, "other", True, default=False) == text + "other = true\r\n"
    assert without_key(text, "zone", default="UTC", doc="The zone.") == "\ufeff# mine\r\n\r\nformat=1\r\n"


def test_a_value_of_many_lines_is_replaced_whole() -> None:
    text = 'a = [ # one\n  "x]", # two\n  """\nb = 2\n""",\n] # three\nc = 3\n'
    assert with_key(text, "a", ("y",), default=()) == 'a = ["y"] # three\nc = 3\n'
    assert Lines(text).of("c") == 7
    assert Lines(text).of("b") is None
    text = "x = '''\n# b = 2\n'''\n"
    assert with_key(f"{text}[table]\n", "b", 3, default=2) == f"{text}b = 3\n[table]\n"


def test_a_key_goes_above_the_tables_and_one_in_a_table_is_another() -> None:
    tables = "# of akashi\n[agents.akashi]\nreview = 'required'\n# zone = 1\n"
    text = f"format = 1\n\n{tables}"
    assert Lines(text).of("review") is None
    assert with_key(text, "review", ("market",), default=()) == f'format = 1\n\nreview = ["market"]\n{tables}'
    assert with_key(text, "zone", 2, default=1) == f"format = 1\n\nzone = 2\n{tables}"
    assert with_key(tables, "zone", 2, default=1) == f"zone = 2\n{tables}"
    assert without_key(text, "review", default=(), doc="") == text


def test_the_line_of_a_key_in_a_table_is_found_however_the_table_is_written() -> None:
    place = ("agents", "akashi", "review")
    for text, line in (
        ("[agents.akashi]\nreadonly = true\nreview = 'x'\n", 3),
        ('[agents]\n[ agents . "akashi" ]\nreview = 1\n', 3),
        ("[agents]\nakashi.review = 1\n", 2),
        ("a = 1\nagents.akashi.review = 1\n", 2),
        ("agents = {akashi = {review = 1}}\n", 1),
        ("[agents.akashi]\n", 1),
        ("[agents]\nreview = 1\n[namespaces.akashi]\nreview = 1\n", 1),
        ("review = 1\n", None),
    ):
        assert Lines(text).within(place) == line, text


def test_a_persons_own_remark_about_a_setting_is_no_line_to_change() -> None:
    text = '# zone = "Europe/Paris" once\n# zone = "Europe/Paris"\nformat = 1'
    assert with_key(text, "zone", "UTC", default="UTC") == f'{text}\nzone = "UTC"\n'


def test_what_is_not_toml_is_left_alone() -> None:
    for text in ("a = = 1\n", 'a = "\n', "a = 1\na = 2\n", "x.a = 1\na.b = 2\n"):
        with pytest.raises(UnsplicedError):
            with_key(text, "a", 3, default=0)


@given(st.text(alphabet="ab=\"'#[]{}\\\n\r \t1,", max_size=60))
def test_the_pieces_of_any_text_are_that_text(text: str) -> None:
    assert "".join(text[one.start : one.end] for one in statements(text)) == text


@given(
    st.lists(st.tuples(st.sampled_from("abc"), VALUES), unique_by=lambda pair: pair[0]),
    st.sampled_from("abcd"),
    VALUES,
    st.sampled_from(["\n", "\r\n"]),
)
def test_any_key_set_and_taken_out_leaves_the_others(
    pairs: list[tuple[str, object]], key: str, value: object, newline: str
) -> None:
    text = "".join(f"# about {name}{newline}{name} = {toml(old)}{newline}" for name, old in pairs)
    changed = with_key(text, key, value, default=None)
    assert tomllib.loads(changed) == tomllib.loads(text) | tomllib.loads(f"{key} = {toml(value)}")
    gone = without_key(changed, key, default=0, doc="")
    before = tomllib.loads(text)
    before.pop(key, None)
    assert tomllib.loads(gone) == before
    assert gone.count("# about") == len(pairs)


def test_the_lines_of_many_keys_are_found_in_one_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "".join(f"k{number} = 1\n[t{number}]\nkey = 1\n" for number in range(200))
    read: list[str] = []
    loads = tomllib.loads

    def counted(piece: str) -> dict[str, object]:
        read.append(piece)
        return loads(piece)

    monkeypatch.setattr(tomllib, "loads", counted)
    lines = Lines(text)
    assert [lines.within((f"t{n}", "key")) for n in range(200)] == [3 * n + 3 for n in range(200)]
    assert len(read) == 600
    assert lines.of("k0") == 1
