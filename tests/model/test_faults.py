"""What is wrong with a file is told with its line, and its text stays searchable."""

from __future__ import annotations

import json
import time
from datetime import UTC

import pytest

from tests.model.reading import read, told
from vault_memory.model import codes
from vault_memory.model.frontmatter import parse_memory
from vault_memory.model.namespace import VaultPath


@pytest.mark.parametrize(
    ("header", "line", "reason", "advice"),
    [
        ("id: x\ntitle: Plan: phase two", 3, "':' in an unquoted value", 'title: "Plan: phase two"'),
        ("author: @mira", 2, "'@' can't begin an unquoted value", 'author: "@mira"'),
        ("path: C:\\temp\\x: y", 2, "':' in an unquoted value", r"path: 'C:\temp\x: y'"),
        ("cmd: `make`", 2, "'`' can't begin an unquoted value", 'cmd: "`make`"'),
        ("title: *draft*", 2, "begins a reference", 'title: "*draft*"'),
        ("title: *draft", 2, "begins a reference", "quote"),
        ("tags:\n\t- a", 3, "a tab can't indent", "spaces"),
        ('id: x\ntitle: "open\nb: c', 3, "a quote is opened and never closed", "close the quote"),
        ("up: [[Home]] and more", 2, "something follows the end of the value", 'up: "[[Home]] and more"'),
        ("a: [1, 2\nb: 3", 2, "a list is opened by '['", "close it by ']'"),
        ("a: {b", 2, "a map is opened by '{'", "close it by '}'"),
        ('a: "\\q"', 2, "'\\' in double quotes", "single quotes"),
        ("no colon\nb: c", 3, "':' where no key can begin", "line above"),
        ("a:\n  b: c\n d: e", 4, "where no key can begin", "indentation"),
        ("a: b\x07", 2, "control character U+0007", "delete"),
        ("a: 1\n--- x\nb: 2", 3, "a second document begins", "take it out"),
        ("%x: y", 2, "a line can't begin with '%'", "#"),
        ("%TAG ! x", 2, "a line can't begin with '%'", "#"),
        ("a: , b", 2, "',' can't begin an unquoted value", 'a: ", b"'),
        ("a: ]", 2, "']' can't begin an unquoted value", 'a: "]"'),
        ("a: [", 2, "a list or map is opened and not closed", "close it"),
        ("a: !!", 2, "an unquoted '!' names a type", 'a: "!!"'),
        ("a: ![[picture.png]]", 2, "an unquoted '!' names a type", 'a: "![[picture.png]]"'),
        ("a: !x!y z", 2, "an unquoted '!' names a type", 'a: "!x!y z"'),
        ("a: - b", 2, "a list can't begin on the line of its key", "- item"),
        ("a: ? b", 2, "'?' can't begin an unquoted value", 'a: "? b"'),
        ("a: |0x", 2, "text follows '|'", 'a: "|0x"'),
        ("a: >\n\tx", 3, "a tab can't indent", "spaces"),
    ],
)
def test_invalid_yaml_is_told_with_line_reason_and_advice(
    header: str, line: int, reason: str, advice: str
) -> None:
    memory = read(f"{header}\n", "Still searchable.\n")
    [finding] = memory.findings
    assert (finding.code, finding.line, finding.path) == (codes.NOT_YAML, line, "notes/a.md")
    assert finding.message.startswith("front matter is not valid YAML: ")
    assert reason in finding.message
    assert advice in finding.advice
    assert (memory.body, memory.front) == ("Still searchable.\n", {})


def test_a_template_is_read_as_far_as_it_goes() -> None:
    memory = read("created: {{date}}\ntitle: {{title}}\ntags: [daily]")
    assert (memory.created, memory.title, memory.tags) == (None, "a", ("daily",))
    assert told(memory) == [(2, codes.PLACEHOLDER), (3, codes.PLACEHOLDER)]
    assert "still the placeholder {{date}} of a template" in memory.findings[0].message
    other = read("last: {{date}}\nmap: {a: {b: c}}\nquoted: '{{date}}'")
    assert told(other) == [(2, codes.PLACEHOLDER)]
    assert json.loads(json.dumps(memory.front))["tags"] == ["daily"]


@pytest.mark.parametrize("inner", ["- a\n- b\n", "Some text between two rules.\n", '"quoted"\n'])
def test_nothing_between_two_rules_is_lost_to_search(inner: str) -> None:
    memory = parse_memory(VaultPath("a.md"), f"---\n{inner}---\nrest\n".encode(), zone=UTC)
    assert (memory.body, memory.body_line) == (f"---\n{inner}---\nrest\n", 1)
    assert told(memory) == [(2, codes.NOT_KEYS)]


@pytest.mark.parametrize("inner", ["", "# a comment\n", "~\n", "null\n"])
def test_an_empty_block_is_no_fault(inner: str) -> None:
    memory = parse_memory(VaultPath("a.md"), f"---\n{inner}---\nrest\n".encode(), zone=UTC)
    assert (memory.body, memory.front, memory.findings) == ("rest\n", {}, ())


def test_aliases_that_explode_are_refused_at_once() -> None:
    lines = ["a: &a [x,x,x,x,x,x,x,x,x]"]
    for one, other in zip("abcdefgh", "bcdefghi", strict=True):
        lines.append(f"{other}: &{other} [{','.join([f'*{one}'] * 9)}]")
    started = time.perf_counter()
    memory = read("\n".join(lines))
    assert time.perf_counter() - started < 2
    assert [finding.code for finding in memory.findings] == [codes.EXPLODES]
    assert (memory.front, memory.body) == ({}, "Body.\n")


@pytest.mark.parametrize(
    "header",
    [
        "a: &a [*a]",
        "a: &a {b: *a}",
        "a: " + "[" * 70 + "]" * 70,
        "a: " + "[" * 100_000,
        "a: " + "{a: " * 900,
        "a: &a " + "[" * 40 + "]" * 40 + "\nb: " + "[" * 40 + "*a" + "]" * 40,
        "\n".join(f"k{number}: v" for number in range(6000)),
    ],
)
def test_endless_deep_and_numerous_values_are_refused(header: str) -> None:
    memory = read(header)
    assert [finding.code for finding in memory.findings] == [codes.EXPLODES]
    assert (memory.front, memory.body) == ({}, "Body.\n")


def test_aliases_in_measure_are_read() -> None:
    memory = read("base: &b {x: [1, 2]}\na: *b\nb: *b")
    assert memory.front == {"base": {"x": ["1", "2"]}, "a": {"x": ["1", "2"]}, "b": {"x": ["1", "2"]}}
    assert memory.findings == ()


def test_a_huge_header_is_refused_with_its_limit_and_the_body_searched() -> None:
    memory = read("\n".join(f"key{number}: a value of some length" for number in range(20_000)))
    [finding] = memory.findings
    assert (finding.code, memory.body) == (codes.TOO_LARGE, "Body.\n")
    assert "262,144" in finding.message


CONFLICT = "<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> branch\n"


@pytest.mark.parametrize(
    ("body", "line"),
    [
        (CONFLICT, 4),
        ("text\n\n" + CONFLICT, 6),
        ("<<<<<<< ours\na\n||||||| base\nb\n=======\nc\n>>>>>>> theirs\n", 4),
        ("<<<<<<< ours\n```py\n=======\n```python\n>>>>>>> theirs\ncode\n```\n", 4),
    ],
)
def test_merge_markers_keep_a_memory_out_of_recall(body: str, line: int) -> None:
    memory = read("id: x", body)
    assert memory.conflicted
    assert told(memory) == [(line, codes.CONFLICT)]


@pytest.mark.parametrize(
    "body",
    [
        f"```\n{CONFLICT}```\n",
        f"~~~~ text\n{CONFLICT}~~~~\n",
        "<<<<<<< HEAD\nours\n",
        "=======\n>>>>>>> branch\n<<<<<<< HEAD\n",
        "Title\n=======\n\n<<<<<<<HEAD\n",
        f"  {CONFLICT}",
        "> " + CONFLICT.replace("\n", "\n> "),
    ],
)
def test_what_only_looks_like_merge_markers_is_none(body: str) -> None:
    memory = read("id: x", body)
    assert not memory.conflicted
    assert memory.findings == ()


def test_merge_markers_in_and_across_the_front_matter_count() -> None:
    inside = read("id: x\n" + CONFLICT.replace("ours", "title: a").replace("theirs", "title: b") + "a: b")
    assert inside.conflicted
    assert {finding.code for finding in inside.findings} == {codes.CONFLICT, codes.NOT_YAML}
    across = read("id: x\n<<<<<<< HEAD\ntitle: a", "ours\n=======\ntitle: b\n---\ntheirs\n>>>>>>> b\n")
    assert across.conflicted
    assert (3, codes.CONFLICT) in told(across)
    above = parse_memory(VaultPath("a.md"), b"<<<<<<< HEAD\n---\na: b\n---\n=======\n>>>>>>> b\n", zone=UTC)
    assert (above.conflicted, told(above)) == (True, [(1, codes.CONFLICT)])


def test_an_odd_file_is_a_memory_with_an_empty_text() -> None:
    memory = parse_memory(VaultPath("img/x.md"), b"\x89PNG\r\n\x1a\n\x00\x00\x00", zone=UTC)
    assert (memory.title, memory.body, memory.id) == ("x", "", None)
    assert told(memory) == [(1, codes.BINARY)]
    assert parse_memory(VaultPath("empty.md"), b"", zone=UTC).findings == ()


def test_latin1_text_is_searchable_but_for_its_odd_bytes() -> None:
    memory = parse_memory(VaultPath("a.md"), b"Caf\xe9 at noon\n", zone=UTC)
    assert memory.body == "Caf\ufffd at noon\n"
    assert told(memory) == [(1, codes.NOT_UTF8)]
