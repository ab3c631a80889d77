"""Whatever bytes a file holds, reading gives a memory, and a change keeps the rest or is refused."""

from __future__ import annotations

import json
from datetime import UTC
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.model.reading import BERLIN
from vault_memory.errors import FrontMatterError
from vault_memory.model import codes
from vault_memory.model.frontmatter import parse_memory, splice, split
from vault_memory.model.memory import Memory
from vault_memory.model.namespace import VaultPath

EXAMPLES = 10_000
ZONES = st.sampled_from([BERLIN, ZoneInfo("Pacific/Kiritimati"), ZoneInfo("America/Los_Angeles")])


PIECES = st.sampled_from(
    [
        "id",
        "title",
        "tags",
        "Tags",
        "tag",
        "ttl",
        "created",
        "expires",
        "importance",
        "pinned",
        "links",
        "kind",
        ": ",
        ":",
        "\n",
        "\n  - ",
        "[",
        "]",
        "{",
        "}",
        ", ",
        '"',
        "'",
        "|",
        ">",
        "&a ",
        "*a",
        "#",
        " ",
        "\t",
        "~",
        "90d",
        "0.5",
        "2026-03-14",
        "99999999999",
        "0001-01-01T00:00:00+14:00",
        "9999-12-31",
        "[[x]]",
        "null",
        "? ",
        "---\n",
        "...\n",
        "<<<<<<< ",
        "=======\n",
        ">>>>>>> ",
        "```",
        "é",
        "\u2028",
        "\x85",
        "\ufeff",
        "!!int ",
        "%",
        "\\",
        "@",
        "-1",
        "P1M",
        "](x.md)",
        "\r",
    ]
)
HEADERS = st.lists(PIECES, max_size=25).map("".join)


def sound(memory: Memory, content: bytes) -> None:
    """What holds for every memory, whatever its file."""
    json.dumps(memory.front)
    memory.title.encode()
    assert memory.title.strip()
    lines = content.count(b"\n") + content.count(b"\r") + 2
    for finding in memory.findings:
        assert finding.code in codes.CODES
        assert 1 <= finding.line <= lines
        assert finding.message
    for moment in (memory.created, memory.updated, memory.dated, memory.expires):
        assert moment is None or moment.tzinfo is UTC
    assert 0 <= memory.importance <= 1
    tags = (*memory.tags, *memory.inline_tags)
    assert all(tag.strip() for tag in (*tags, *memory.aliases))
    assert len(set(tags)) == len(tags)
    assert memory.pinned is False or memory.expires is None


@settings(max_examples=EXAMPLES, deadline=None)
@given(
    st.one_of(
        st.binary(max_size=120),
        st.builds(lambda header, body: f"---\n{header}\n---\n{body}".encode(), HEADERS, HEADERS),
        HEADERS.map(lambda text: text.encode("utf-16")),
    ),
    ZONES,
)
def test_no_bytes_at_all_make_reading_fail(content: bytes, zone: ZoneInfo) -> None:
    sound(parse_memory(VaultPath("notes/a.md"), content, zone=zone), content)


REAL = [file.read_bytes() for file in sorted((Path(__file__).parents[2] / "vault").rglob("*.md"))]
ODD = [
    b"tags: alpha, beta", b"tags: #alpha", b"tags: [2024, true, null, 1.10]", b"tags: {a: 1}", b"tag: alpha",
    b"tags:\n  -", b"Tags: [Alpha]", b"title: Plan: phase two", b"author: @mira", b"path: C:\\temp\\x: y",
    b"title: *draft*", b"created: {{date}}", b"tags:\n\t- a", b'title: "open', b"up: [[Home]] and more",
    b"id: 0123", b"ratio: 16:9", b"op: =", b"importance: 8/10", b"ttl: 1:00:00", b"Importance: 5",
    b"importance: 2", b"created: 1616692663207", b"expires: 2026-02-30", b"created: 14 March 2026 10:15 PM",
    b"ttl: P1M", b"a: &a [x, x]\nb: *a", b"? [a]\n: b", b"summary: >\n  folded\n  text", b"...", b"---",
    b"+++\na = 1\n+++", b'{"a": 1}', b"<<<<<<< HEAD\na\n=======\nb\n>>>>>>> c", b"#real #1984 `#no` %% #c %%",
    b"```\n#include\n```", b"[[x|y]] [z](w.md)", b"\xef\xbb\xbf", b"\xff\xfe", b"\x00", b"\xe9", b"\r\n",
    "\u2028\x85".encode(), b"aliases: One, Two", b"alias: {a: b}", b"links: ['[[a]]', b]", b"pinned: maybe",
    b"----", b"\r",
]  # fmt: skip
"""What real files were seen to hold, to be put anywhere into others."""


@st.composite
def mangled(draw: st.DrawFn) -> bytes:
    """A real file after up to six accidents: cut, joined to another, repeated, overwritten, mixed up."""
    content = draw(st.sampled_from(REAL))
    for _ in range(draw(st.integers(1, 6))):
        start = draw(st.integers(0, len(content)))
        end = draw(st.integers(start, min(len(content), start + 60)))
        new = draw(
            st.one_of(
                st.sampled_from(ODD).map(lambda line: b"\n" + line + b"\n"),
                st.sampled_from(ODD),
                st.binary(max_size=4),
                st.just(content[start:end] * 2),
                st.sampled_from(REAL).map(lambda other: other[:200]),
            )
        )
        content = content[:start] + new + content[end:]
    newline = draw(st.sampled_from([b"\n", b"\n", b"\n", b"\r\n", b"\r"]))
    return content[: draw(st.integers(0, len(content) * 3))].replace(b"\n", newline)


@pytest.mark.timeout(400)  # many examples, on however busy a machine
@settings(max_examples=EXAMPLES, deadline=None)
@given(mangled(), ZONES)
def test_no_accident_to_a_real_file_makes_reading_or_changing_it_fail(content: bytes, zone: ZoneInfo) -> None:
    memory = parse_memory(VaultPath("notes/a.md"), content, zone=zone)
    sound(memory, content)
    try:
        after = splice("notes/a.md", content, {"importance": 0.25})
    except FrontMatterError as error:
        assert error.hint  # noqa: PT017 — either outcome is right, silence about it is not
        return
    changed = parse_memory(VaultPath("notes/a.md"), after, zone=zone)
    assert changed.importance == 0.25
    assert changed.body == memory.body
    assert split(after).bom == split(content).bom
    kept = {key: value for key, value in changed.front.items() if key.casefold() != "importance"}
    assert kept == {key: value for key, value in memory.front.items() if key.casefold() != "importance"}
