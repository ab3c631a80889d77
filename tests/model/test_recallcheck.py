"""The file of recall checks: read strictly, added to without a change of what is there, judged as it says."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault_memory.errors import ChecksFileError
from vault_memory.model.hit import Strategy
from vault_memory.model.recallcheck.append import HEAD, lines_of, with_check
from vault_memory.model.recallcheck.check import FILE, RecallCheck, Wanted
from vault_memory.model.recallcheck.judge import said
from vault_memory.model.recallcheck.read import LARGEST, read_checks

WHOLE = b"""\
# What must come back.
- ask: NVDA risk
  as: akashi
  max_tokens: 800
  first: 5
  strategy: recency
  min_score: 0.1
  filter: {tag: [trading, nvda], since: 2026-01-01}
  must:
    - shared/market/nvda-rsi-rule.md
    - text: "two percent
        of the book"
  must_not: private/akashi/old-rule.md
"""


def read(text: str) -> tuple[RecallCheck, ...]:
    return read_checks(text.encode())


def fault(content: bytes) -> ChecksFileError:
    with pytest.raises(ChecksFileError) as caught:
        read_checks(content)
    return caught.value


def test_every_key_of_a_check_is_read_with_the_lines_that_messages_name() -> None:
    [check] = read_checks(WHOLE)
    assert check == RecallCheck(
        line=2,
        ask="NVDA risk",
        must=(
            Wanted(10, "shared/market/nvda-rsi-rule.md"),
            Wanted(11, "two percent of the book", is_text=True),
        ),
        must_not=(Wanted(13, "private/akashi/old-rule.md"),),
        agent="akashi",
        max_tokens=800,
        first=5,
        strategy=Strategy.RECENCY,
        min_score=0.1,
        filter={"tag": ["trading", "nvda"], "since": "2026-01-01"},
        filter_line=8,
    )


@pytest.mark.parametrize("content", [b"", b"\n\n", b"# nothing yet\n", b"\xef\xbb\xbf", b"~\n", b"[]\n"])
def test_a_file_that_says_nothing_holds_no_checks(content: bytes) -> None:
    assert read_checks(content) == ()


@pytest.mark.parametrize("ends", [b"\r\n", b"\r"])
def test_line_ends_and_a_byte_order_mark_are_no_part_of_what_is_said(ends: bytes) -> None:
    assert read_checks(b"\xef\xbb\xbf" + WHOLE.replace(b"\n", ends)) == read_checks(WHOLE)


def test_values_stay_the_text_that_is_written() -> None:
    [check] = read("- ask: 1.10\n  must: [no, 0123, 16:9]\n")
    assert check.ask == "1.10"
    assert [one.name for one in check.must] == ["no", "0123", "16:9"]


def test_an_anchor_stands_for_what_it_names() -> None:
    first, second = read("- ask: a\n  must: &both [x, y]\n- ask: b\n  must: *both\n")
    assert [one.name for one in first.must] == [one.name for one in second.must] == ["x", "y"]


_TENFOLD = [f"- &{new} [{', '.join([f'*{old}'] * 10)}]\n" for old, new in ("ab", "bc", "cd", "de")]
BOMB = "- &a [x, x, x, x, x, x, x, x, x, x]\n" + "".join(_TENFOLD)

FAULTS: dict[str, tuple[str, int, str, str]] = {
    "no list": ("ask: x\nmust: y\n", 1, "checks are a list", "begin each of them with '- ask':"),
    "a text": ("some words\n", 1, "checks are a list", "begin each of them"),
    "an item that is text": ("- NVDA risk\n", 1, "a check is made of keys", "- ask: NVDA risk"),
    "an empty item": ("- ask: a\n  must: b\n-\n", 3, "a check is made of keys", "write it as"),
    "no question": ("- must: x\n", 1, "a check without a question", "give it one"),
    "nothing to break": ("- ask: x\n- ask: y\n  must: z\n", 1, "nothing can break", "must_not"),
    "unknown key": ("- ask: x\n  musst: y\n", 2, "a check has no 'musst'", "did you mean 'must'?"),
    "unlike key": ("- ask: x\n  qqqqq: y\n", 2, "a check has no 'qqqqq'", "it takes ask, as, max_tokens"),
    "a key twice": ("- ask: x\n  must: y\n  must: z\n", 3, "must stands there twice", "under one of them"),
    "an empty question": ("- ask:\n  must: y\n", 1, "ask is empty", "take the line out"),
    "a blank question": ('- ask: "  "\n  must: y\n', 1, "ask is empty", ""),
    "a question that is a list": ("- ask: [a, b]\n  must: y\n", 1, "ask is one text", "ask: some words"),
    "an empty must": ("- ask: x\n  must: []\n", 2, "must is empty", "name a memory"),
    "a must of nothing": ("- ask: x\n  must:\n", 2, "an entry of must is empty", ""),
    "an entry of must that is a list": ("- ask: x\n  must:\n    - [a]\n", 3, "is one text", ""),
    "another key in must": ("- ask: x\n  must:\n    - txt: a\n", 3, "has no 'txt'", "did you mean 'text'?"),
    "no number": ("- ask: x\n  max_tokens: many\n  must: y\n", 2, "max_tokens can't be 'many'", "1 or more"),
    "a number of nothing": ("- ask: x\n  first: 0\n  must: y\n", 2, "first can't be '0'", "1 or more"),
    "a negative number": ("- ask: x\n  first: -1\n  must: y\n", 2, "first can't be '-1'", ""),
    "endless digits": (f"- ask: x\n  first: {'9' * 5000}\n  must: y\n", 2, "first can't be '99", "whole"),
    "digits of another script": ("- ask: x\n  first: ٣\n  must: y\n", 2, "first can't be '٣'", ""),
    "no score": ("- ask: x\n  min_score: nan\n  must: y\n", 2, "min_score can't be 'nan'", "from 0 to 1"),
    "no strategy": ("- ask: x\n  strategy: best\n  must: y\n", 2, "no strategy is called 'best'", "balanced"),
    "no agent": ("- ask: x\n  as: Mira!\n  must: y\n", 2, "as: 'Mira!' can't be an agent's name", "akashi"),
    "no filter": ("- ask: x\n  filter: trading\n  must: y\n", 2, "the filter is made of keys", ""),
    "an unknown filter": ("- ask: x\n  filter: {tags: a}\n  must: y\n", 2, "no 'tags'", "mean 'tag'?"),
    "several folders": ("- ask: x\n  filter: {namespace: [a]}\n  must: y\n", 2, "namespace is one text", ""),
    "a bad indent": ("- ask: x\n   must: y\n", 2, "not valid YAML", ""),
    "a tab": ("- ask: x\n\tmust: y\n", 2, "not valid YAML: a tab can't indent", "indent with spaces"),
    "a colon": ("- ask: what: this\n  must: y\n", 1, "not valid YAML: ':' in an unquoted", "quote the value"),
    "an unknown anchor": ("- ask: x\n  must: *y\n", 2, "no &y stands above", "quote a value"),
    "two documents": ("- ask: x\n  must: y\n---\n- ask: z\n", 3, "a second document begins", "take it out"),
    "a bomb": (
        BOMB, 4, "too big to read: more than 10,000 values", "fewer of them",
    ),
    "a deep nest": (f"- ask: {'[' * 100}\n", 1, "too big to read: nested", "write the values out"),
    "a list of itself": ("- &a [*a]\n", 1, "too big to read: *a refers to a value that holds it", ""),
    "a zero byte": ("- ask: a\x00b\n  must: y\n", 1, "the control character U+0000", "delete that character"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "line", "reason", "hint"), FAULTS.values(), ids=FAULTS.keys())
def test_a_fault_is_named_with_its_line_and_with_what_to_do(
    text: str, line: int, reason: str, hint: str
) -> None:
    error = fault(text.encode())
    assert (error.path, error.line, error.exit_code) == (FILE, line, 65)
    assert error.message.startswith(f"{FILE}:{line}: ")
    assert reason in error.message
    assert hint in (error.hint or "")
    assert len(error.message) < 300
    assert "front matter" not in f"{error.message} {error.hint}"


def test_bytes_that_are_not_utf8_are_named_with_their_line() -> None:
    error = fault(b"- ask: x\n  must: \xff\n")
    assert (error.line, error.reason) == (2, "not UTF-8")


@given(st.binary(max_size=300) | st.text(max_size=300).map(lambda text: text.encode("utf-8", "replace")))
def test_any_bytes_are_checks_or_a_fault_within_the_file(content: bytes) -> None:
    checks: tuple[RecallCheck, ...] = ()
    line = 1
    try:
        checks = read_checks(content)
    except ChecksFileError as error:
        line = error.line
    assert 1 <= line <= content.count(b"\n") + content.count(b"\r") + 1
    assert all(check.ask and (check.must or check.must_not) for check in checks)


names = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=40).filter(
    lambda text: text.strip() == text
)
wanted = st.lists(st.builds(Wanted, st.just(0), names, st.booleans()), max_size=3).map(tuple)
checks_made = st.builds(
    RecallCheck,
    st.just(0),
    names,
    must=wanted.filter(bool),
    must_not=wanted,
    agent=st.none() | st.just("akashi"),
    max_tokens=st.none() | st.integers(1, 10_000),
    first=st.none() | st.integers(1, 60),
    strategy=st.none() | st.sampled_from(Strategy),
    min_score=st.sampled_from([0.0, 0.25, 1.0]),
    filter=st.sampled_from([{}, {"tag": "a"}, {"tag": ["a", "b, c"], "since": "2026-01-01"}]),
)


def facts(check: RecallCheck) -> tuple[object, ...]:
    """A check without its lines."""
    sides = tuple([(one.name, one.is_text) for one in side] for side in (check.must, check.must_not))
    ways = (check.agent, check.max_tokens, check.first, check.strategy, check.min_score, dict(check.filter))
    return (check.ask, *sides, *ways)


@given(checks_made)
def test_a_check_that_is_written_reads_as_it_was_meant(check: RecallCheck) -> None:
    [again] = read(lines_of(check))
    assert facts(again) == facts(check)


NEW = RecallCheck(0, "stop loss", (Wanted(0, "shared/market/stop: loss.md"),), first=2)
LINES = '- ask: stop loss\n  first: 2\n  must:\n    - "shared/market/stop: loss.md"\n'

BEFORE: dict[str, tuple[bytes, bytes]] = {
    "other checks": (WHOLE, LINES.encode()),
    "windows line ends": (WHOLE.replace(b"\n", b"\r\n"), LINES.replace("\n", "\r\n").encode()),
    "old line ends": (b"- ask: a\r  must: b\r", LINES.replace("\n", "\r").encode()),
    "no last line end": (b"- ask: a\n  must: b", b"\n" + LINES.encode()),
    "no last line end, windows": (
        b"- ask: a\r\n  must: b",
        b"\r\n" + LINES.replace("\n", "\r\n").encode(),
    ),
    "a comment at the end": (b"- ask: a\n  must: b\n  # the rest is to come\n\n", LINES.encode()),
    "comments alone": (b"# checks\n", LINES.encode()),
    "a byte order mark": (b"\xef\xbb\xbf- ask: a\n  must: b\n", LINES.encode()),
    "a byte order mark alone": (b"\xef\xbb\xbf", LINES.encode()),
    "indented items": (
        b"---\n  - ask: a\n    must: b\n",
        "".join(f"  {line}" for line in LINES.splitlines(keepends=True)).encode(),
    ),
    "a block of text at the end": (b"- ask: a\n  must:\n    - text: |\n        b", b"\n" + LINES.encode()),
    "an anchor": (b"- ask: a\n  must: &x [b]\n- ask: c\n  must: *x\n", LINES.encode()),
}


@pytest.mark.parametrize(("before", "added"), BEFORE.values(), ids=BEFORE.keys())
def test_a_check_is_added_behind_what_is_there_and_nothing_else_changes(before: bytes, added: bytes) -> None:
    after, check = with_check(before, NEW)
    assert after == before + added
    assert read_checks(after) == (*read_checks(before), check)
    assert facts(check) == facts(NEW)


@pytest.mark.parametrize("before", [None, b""])
def test_a_new_file_begins_with_what_it_is_for(before: bytes | None) -> None:
    after, check = with_check(before, NEW)
    assert after == (HEAD + LINES).encode()
    assert check.line == 2


@given(st.lists(checks_made, max_size=3), checks_made, st.sampled_from(["\n", "\r\n"]))
def test_adding_is_a_suffix_whatever_is_there(
    known: list[RecallCheck], check: RecallCheck, ends: str
) -> None:
    before = "".join(map(lines_of, known)).replace("\n", ends).encode()
    if any(one.asks_like(check) for one in known):
        with pytest.raises(ChecksFileError, match="is asked here already"):
            with_check(before, check)
        return
    after, _ = with_check(before, check)
    assert after.startswith(before)
    assert [*map(facts, read_checks(after))] == [*map(facts, known), facts(check)]


REFUSED: dict[str, tuple[bytes, str]] = {
    "an empty list in brackets": (b"[]\n", "a list in [ ] can't be added to"),
    "a list in brackets": (b"[{ask: a, must: b}]\n", "a list in [ ] can't be added to"),
    "the end of a document": (b"- ask: a\n  must: b\n...\n", "can't be added to what is written like this"),
    "the same question": (b"# x\n- ask: Stop LOSS\n  first: 2\n  must: x\n", "is asked here already"),
    "a fault": (b"- ask: a\n  mus: b\n", "a check has no 'mus'"),
}


@pytest.mark.parametrize(("before", "reason"), REFUSED.values(), ids=REFUSED.keys())
def test_what_can_not_be_added_to_is_refused_with_the_lines_to_add_by_hand(
    before: bytes, reason: str
) -> None:
    with pytest.raises(ChecksFileError, match=r"\.vmem/checks\.yaml:\d+: ") as caught:
        with_check(before, NEW)
    assert reason in caught.value.message
    if "can't be added" in reason:
        assert LINES.rstrip() in (caught.value.hint or "")


def test_the_same_words_asked_in_another_way_are_another_check() -> None:
    after, _ = with_check(b"- ask: stop loss\n  as: mira\n  first: 2\n  must: x\n", NEW)
    assert len(read_checks(after)) == 2


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("Two percent\n  of the book", "two  percent of THE book"),
        ("cafe\u0301", "caf\u00e9"),
        ("Straße", "STRASSE"),
    ],
)
def test_texts_are_the_same_whatever_their_case_and_line_breaks(text: str, other: str) -> None:
    assert said(text) == said(other)


def test_the_largest_file_is_read_in_no_time_that_counts() -> None:
    line = "- {ask: a, must: b}\n"
    error = fault((line * (LARGEST // len(line))).encode())
    assert "too big to read: more than 10,000 values" in error.message
