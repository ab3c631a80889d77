"""Front matter is found where it is, in whatever line ends, and nowhere else."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vault_memory.model.split import split

BOM = b"\xef\xbb\xbf"
FILE = "---\nid: k7\ntags: [ops]\n---\nRotate the key.\n\nTwice.\n"


@pytest.mark.parametrize("bom", [b"", BOM])
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_front_matter_is_found_in_every_line_end_and_behind_a_mark(bom: bytes, newline: str) -> None:
    content = bom + FILE.replace("\n", newline).encode()
    parts = split(content)
    assert parts.header == "id: k7\ntags: [ops]\n"
    assert parts.body == "Rotate the key.\n\nTwice.\n"
    assert (parts.bom, parts.newline, parts.body_line) == (bom, newline, 5)
    assert content[slice(*parts.header_span)].decode().replace(newline, "\n") == parts.header
    assert content[parts.body_start :].decode().replace(newline, "\n") == parts.body
    assert parts.faults == ()


def test_the_closing_fence_may_be_the_files_end() -> None:
    parts = split(b"---\nid: k8\n---")
    assert (parts.header, parts.body, parts.body_line) == ("id: k8\n", "", 4)


def test_three_dots_close_it_too_and_blanks_behind_a_fence_do_not_matter() -> None:
    parts = split(b"--- \nid: k8\n...\t\nbody")
    assert (parts.header, parts.body, parts.body_line) == ("id: k8\n", "body", 4)


@pytest.mark.parametrize("inner", ["", "# only a comment\n"])
def test_an_empty_block_is_front_matter(inner: str) -> None:
    parts = split(f"---\n{inner}---\nbody".encode())
    assert (parts.header, parts.body) == (inner, "body")


@pytest.mark.parametrize(
    "text",
    [
        '{"title": "json"}\n\nbody\n',
        "+++\ntitle = 'toml'\n+++\nbody\n",
        "----\ntitle: x\n----\nbody\n",
        "\n---\ntitle: x\n---\nbody\n",
        " ---\ntitle: x\n---\n",
        "text\n---\ntitle: x\n---\n",
        "```\n---\ntitle: x\n---\n```\n",
        "--- a\ntitle: x\n---\n",
        "---",
        "",
    ],
)
def test_what_only_looks_like_front_matter_is_body(text: str) -> None:
    parts = split(text.encode())
    assert (parts.header, parts.body, parts.body_line, parts.faults) == (None, text, 1, ())


def test_rules_in_the_body_stay_there() -> None:
    assert split(b"---\na: b\n---\nx\n\n---\n\ny\n").body == "x\n\n---\n\ny\n"


def test_a_block_that_never_closes_is_told_and_all_body() -> None:
    parts = split(b"---\ntitle: x\nbody\n")
    assert (parts.header, parts.body) == (None, "---\ntitle: x\nbody\n")
    assert [(fault.code, fault.line) for fault in parts.faults] == [("VM010", 1)]


def test_bytes_that_are_not_utf8_are_told_with_their_line() -> None:
    parts = split(b"---\nid: x\n---\nfine\nCaf\xe9 at noon\n")
    assert parts.body == "fine\nCaf\ufffd at noon\n"
    assert [(fault.code, fault.line) for fault in parts.faults] == [("VM001", 5)]
    parts = split(b"---\nid: \xe9\n---\nfine\n")
    assert (parts.header, parts.body) == ("id: \ufffd\n", "fine\n")
    assert [(fault.code, fault.line) for fault in parts.faults] == [("VM001", 2)]


def test_a_replacement_character_that_was_typed_is_no_fault() -> None:
    assert split("---\nid: \ufffd\n---\n\ufffd".encode()).faults == ()


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
def test_utf16_with_a_mark_is_told_and_read(encoding: str) -> None:
    parts = split(("\ufeff" + FILE).encode(encoding))
    assert (parts.header, parts.body) == ("id: k7\ntags: [ops]\n", "Rotate the key.\n\nTwice.\n")
    assert [fault.code for fault in parts.faults] == ["VM002"]
    assert parts.encoding == encoding[:6]


@pytest.mark.parametrize(
    ("content", "code"),
    [
        ("Rotate the key at noon\n".encode("utf-16-le"), "VM002"),
        ("Rotate the key at noon\n".encode("utf-16-be"), "VM002"),
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x01\x00\x00\x00\x01\x00\x08\x06\x00\x00\x00", "VM003"),
        (b"---\nid: x\n---\ntext with one \x00 in it", "VM003"),
        (b"\x00", "VM003"),
    ],
)
def test_what_is_not_text_has_an_empty_body_and_is_told(content: bytes, code: str) -> None:
    parts = split(content)
    assert (parts.header, parts.body, parts.encoding) == (None, "", "binary")
    assert [fault.code for fault in parts.faults] == [code]


PIECES = st.lists(
    st.sampled_from(
        [b"---", b"...", b"\n", b"\r", b"\r\n", b" ", b"a: b", b"\xff", b"\x00", BOM, b"# x", b"\xc3\xa9"]
    ),
    max_size=14,
).map(b"".join)


@settings(max_examples=500)
@given(st.one_of(PIECES, PIECES.map(lambda tail: b"---\n" + tail), st.binary(max_size=80)))
def test_any_bytes_can_be_split_and_the_parts_fit_together(content: bytes) -> None:
    parts = split(content)
    assert "\r" not in parts.body
    if parts.encoding != "utf-8":
        return
    assert content.startswith(parts.bom)
    first, last = parts.header_span
    assert len(parts.bom) <= first <= last <= parts.body_start <= len(content)
    whole = content[: parts.body_start].decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
    if parts.header is None:
        assert parts.body_line == 1
    else:
        assert parts.body_line == 1 + whole.count("\n") + (not whole.endswith("\n"))


@given(PIECES)
def test_without_fences_the_whole_file_is_body(tail: bytes) -> None:
    parts = split(b"---\n" + tail, fenced=False)
    assert parts.header is None
    assert parts.body.startswith("---\n") or parts.encoding == "binary"
