"""A byte order mark, CRLF, a lone CR, a fence that ends the file: read, and kept by every edit."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cases.doors import Case, Door
from tests.gitrun import Git

BOM = b"\xef\xbb\xbf"
CRLF = BOM + b"---\r\nid: k7\r\ntags: [ops]\r\nimportance: 0.4\r\n---\r\nRotate the key.\r\n"

FILES = {
    "mark and CRLF": CRLF,
    "mark and LF": CRLF.replace(b"\r\n", b"\n"),
    "CRLF": CRLF.removeprefix(BOM),
    "LF": CRLF.removeprefix(BOM).replace(b"\r\n", b"\n"),
    "no line end at the end": CRLF.removesuffix(b"\r\n"),
    "a lone CR in the body": CRLF.replace(b"Rotate the key.", b"Rotate\rthe key."),
    "fence at the end": b"---\nid: k7\ntags: [ops]\nimportance: 0.4\n---",
    "mark, CRLF and fence at the end": BOM + b"---\r\nid: k7\r\ntags: [ops]\r\nimportance: 0.4\r\n---",
    "body in CRLF under a header in LF": b"---\nid: k7\ntags: [ops]\nimportance: 0.4\n---\n"
    b"Rotate\r\nthe key.\r\n",
}
"""What a person's file may look like; all of them say the same."""


@pytest.mark.parametrize("content", FILES.values(), ids=FILES)
def test_id_tags_and_importance_are_read(door: Door, case: Case, content: bytes) -> None:
    place = case.write("a.md", content)
    [entry] = door.list(tag="ops").value
    assert (entry["id"], entry["tags"], entry["importance"]) == ("k7", ["ops"], 0.4)
    shown = door.show("k7").value
    assert shown["findings"] == []
    assert "\r" not in str(shown["front"])
    if b"Rotate" in content:
        assert [hit["path"] for hit in door.search("rotate key").value["hits"]] == ["a.md"]
    assert place.read_bytes() == content


@pytest.mark.parametrize("content", FILES.values(), ids=FILES)
def test_an_edit_of_one_key_is_a_diff_of_one_line(door: Door, case: Case, content: bytes, git: Git) -> None:
    place = case.write("a.md", content)
    edited = door.edit("k7", importance=0.9).value
    assert place.read_bytes() == content.replace(b"importance: 0.4", b"importance: 0.9")
    assert edited["committed"] == git(case.root, "rev-parse", "HEAD")
    assert git(case.root, "show", "--numstat", "--format=", "HEAD") == "1\t1\ta.md"
    assert git(case.root, "status", "--porcelain", "a.md") == ""


@pytest.mark.parametrize("content", FILES.values(), ids=FILES)
def test_a_new_key_is_one_line_with_the_files_own_line_end(
    door: Door, case: Case, content: bytes, git: Git
) -> None:
    place = case.write("a.md", content)
    assert door.edit("k7", kind="decision").code == 0
    newline = b"\r\n" if b"0.4\r\n" in content else b"\n"
    line = b"importance: 0.4" + newline
    assert place.read_bytes() == content.replace(line, line + b"kind: decision" + newline)
    assert git(case.root, "show", "--numstat", "--format=", "HEAD") == "1\t0\ta.md"


@pytest.mark.parametrize("content", FILES.values(), ids=FILES)
def test_a_tag_is_added_on_the_line_of_the_tags(door: Door, case: Case, content: bytes, git: Git) -> None:
    place = case.write("a.md", content)
    assert door.edit("k7", add_tags=["keys"]).code == 0
    assert place.read_bytes() == content.replace(b"[ops]", b"[ops, keys]")
    assert git(case.root, "show", "--numstat", "--format=", "HEAD") == "1\t1\ta.md"


def test_a_header_of_lone_cr_is_named_or_read_and_its_bytes_stay(door: Door, case: Case) -> None:
    content = b"---\rid: k7\rtags: [ops]\r---\rRotate the key.\r"
    place = case.write("a.md", content)
    assert [hit["path"] for hit in door.search("rotate key").value["hits"]] == ["a.md"]
    shown = door.show("a.md").value
    assert shown["id"] == "k7" or shown["findings"]
    edited = door.edit("a.md", importance=0.9)
    after = place.read_bytes()
    assert after == content if edited.code else after.replace(b"importance: 0.9\r", b"") == content


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_a_file_in_utf16_is_named_searched_and_never_changed(door: Door, case: Case, encoding: str) -> None:
    content = ("\ufeff---\r\nid: k9\r\n---\r\nRotate the key.\r\n").encode(encoding)
    place = case.write("wide.md", content)
    case.write("good.md", "Rotate the tyres.\n")
    hits = door.search("rotate").value["hits"]
    assert {hit["path"] for hit in hits} == {"wide.md", "good.md"}
    [finding] = door.show("wide.md").value["findings"]
    assert finding["code"] == "VM002"
    refused = door.edit("wide.md", importance=0.9)
    assert refused.code == 65
    assert "wide.md:1" in refused.error
    assert place.read_bytes() == content
    assert door.edit("good.md", importance=0.9).code == 0


def test_a_replaced_text_keeps_the_mark_and_the_line_ends(door: Door, case: Case) -> None:
    place = case.write("a.md", CRLF)
    assert door.edit("k7", text="Rotate both keys.\nTwice.").code == 0
    assert place.read_bytes() == CRLF.replace(b"Rotate the key.", b"Rotate both keys.\r\nTwice.")


def test_show_prints_the_very_bytes(case: Case) -> None:
    case.write("a.md", CRLF)
    for ran in (case.vmem("show", "k7"), case.process("show", "k7")):
        assert ran.out.encode() == CRLF


def test_an_edit_of_a_marked_crlf_file_holds_under_gits_own_line_end_conversion(
    door: Door, case: Case, git: Git, tmp_path: Path
) -> None:
    (case.root / ".gitattributes").write_text("*.md text\n", encoding="utf-8")
    place = case.write("a.md", CRLF)
    assert door.edit("k7", importance=0.9).code == 0
    assert place.read_bytes() == CRLF.replace(b"0.4", b"0.9")
    assert git(case.root, "show", "--numstat", "--format=", "HEAD") == "1\t1\ta.md"
    assert git(case.root, "status", "--porcelain", "a.md") == ""
