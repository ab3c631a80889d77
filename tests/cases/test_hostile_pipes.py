"""Whatever comes through a pipe: the body of one memory or of many, or refused before a file exists."""

from __future__ import annotations

import time

import pytest

from tests.cases.doors import Case


@pytest.mark.parametrize(
    ("stdin", "code"),
    [
        (b"caf\xe9", 65),
        ("wide".encode("utf-16"), 65),
        (b"a\x00b", 65),
        (b"", 2),
        (b" \n\t\n", 2),
        (b"x" * 300_000, 65),
        (b"word " * 20_000_000, 65),
    ],
    ids=["latin-1", "utf-16", "zero byte", "nothing", "blank", "300 KB", "100 MB"],
)
def test_a_pipe_that_holds_no_text_is_refused(case: Case, stdin: bytes, code: int) -> None:
    began = time.monotonic()
    ran = case.vmem("remember", "-", stdin=stdin)
    assert ran.code == code
    assert ran.out == ""
    assert len(ran.err) < 500
    assert time.monotonic() - began < 10
    assert case.files() == {}


@pytest.mark.parametrize(
    ("stdin", "body"),
    [
        (b"\xef\xbb\xbfmarked", b"marked\n"),
        (b"one\r\ntwo\rthree", b"one\ntwo\nthree\n"),
        (b"---\nid: other\n---\nbody", b"body\n"),
        (b"---\n\nid: other\nbody", b"---\n\nid: other\nbody\n"),
        (b"-rf --force", b"-rf --force\n"),
        (b"trailing  \n\n\n", b"trailing  \n"),
        ("\u91cd\u542f \U0001f680".encode(), "\u91cd\u542f \U0001f680\n".encode()),
    ],
    ids=["mark", "line ends", "front matter", "a rule", "options", "trailing", "unicode"],
)
def test_a_pipe_of_text_is_the_body_of_one_memory(case: Case, stdin: bytes, body: bytes) -> None:
    assert case.vmem("remember", "-", "--title", "T", stdin=stdin).code == 0
    [content] = case.files().values()
    head, fence, rest = content.partition(b"\n---\n")
    assert head.startswith(b'---\nid: "01')
    assert fence
    assert rest == body
    shown = case.vmem("show", "T", "--json").value
    assert (shown["title"], shown["findings"], shown["text"]) == ("T", [], body.decode())


LINES = {
    "no text": b'{"title": "x"}',
    "a text that is none": b'{"text": 5}',
    "a text that is null": b'{"text": null}',
    "an unknown field": b'{"text": "x", "__proto__": 1}',
    "an id": b'{"text": "x", "id": "01K8ZQ4T7R3M5N9V2XW6Y0ABCD"}',
    "a mapping of tags": b'{"text": "x", "tags": {"a": 1}}',
    "a null among tags": b'{"text": "x", "tags": ["a", null]}',
    "a list for extra": b'{"text": "x", "extra": [1]}',
    "a bad key in extra": b'{"text": "x", "extra": {"a: b": 1}}',
    "true for importance": b'{"text": "x", "importance": true}',
    "not a number": b'{"text": "x", "importance": NaN}',
    "half a character": b'{"text": "\\ud800"}',
    "a zero byte": b'{"text": "a\\u0000"}',
    "not UTF-8": b'{"text": "\xff"}',
    "a list": b'["x"]',
    "null": b"null",
    "cut short": b'{"text": "x"',
    "two values": b'{"text": "x"} {"text": "y"}',
    "nested": b"[" * 200_000,
    "a number of 5000 digits": b'{"text": "x", "importance": ' + b"9" * 5_000 + b"}",
}
REFUSED_LINES = {
    "a hostile namespace": b'{"text": "x", "namespace": "../.."}',
    "too long": b'{"text": "' + b"x" * 300_000 + b'"}',
}


@pytest.mark.parametrize("line", LINES.values(), ids=LINES)
def test_one_bad_line_of_many_is_named_and_nothing_is_written(case: Case, line: bytes) -> None:
    ran = case.vmem(
        "remember", "--stdin-jsonl", stdin=b'{"text": "good"}\n\n' + line + b'\n{"text": "good too"}\n'
    )
    assert ran.code == 65
    assert ran.out == ""
    assert "line 3" in ran.err
    assert len(ran.err) < 600
    assert case.files() == {}


@pytest.mark.parametrize("line", REFUSED_LINES.values(), ids=REFUSED_LINES)
def test_one_refused_line_of_many_keeps_all_from_being_written(case: Case, line: bytes) -> None:
    ran = case.vmem("remember", "--stdin-jsonl", stdin=b'{"text": "good"}\n' + line + b'\n{"text": "too"}\n')
    assert (ran.code, ran.out) == (65, "")
    assert case.files() == {}


def test_lines_may_leave_out_say_null_and_begin_with_a_mark(case: Case) -> None:
    stdin = b'\xef\xbb\xbf{"text": "one"}\r\n{"text": "two", "title": null, "namespace": null, "tags": []}\n'
    ran = case.vmem("remember", "--stdin-jsonl", "--json", stdin=stdin)
    assert ran.code == 0
    assert [one["path"] for one in ran.value] == ["notes/one.md", "notes/two.md"]


def test_no_lines_are_no_memories(case: Case) -> None:
    ran = case.vmem("remember", "--stdin-jsonl", "--json", stdin=b"\n \n")
    assert (ran.code, ran.value) == (0, [])
