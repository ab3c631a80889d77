"""Links are found in prose and in front matter, and not in code."""

from __future__ import annotations

import time
from datetime import UTC

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vault_memory.model.frontmatter import parse_memory
from vault_memory.model.links import body_links
from vault_memory.model.markdown import fenced_spans, first_heading, inside, without_code
from vault_memory.model.namespace import VaultPath


def targets(body: str) -> list[str]:
    return [link.target for link in body_links(body, 1, fenced_spans(body))]


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("See [[market-regime]].", ["market-regime"]),
        ("[[a|the alias]] and [[b#heading]] and [[c#h|d]]", ["a", "b", "c"]),
        ("![[embedded]] [[ spaced name ]]", ["embedded", "spaced name"]),
        ("| [[a\\|alias]] |", ["a"]),
        (
            "[text](relative.md) [x](../up/B.MD#part) [y](<with space.md>) [z](a%20b.md 'title')",
            ["relative.md", "../up/B.MD", "with space.md", "a b.md"],
        ),
        ("[paren](a_(b).md)", ["a_(b).md"]),
        ("[web](https://x.y/z.md) [mail](mailto:a@b.md) [x](//host/a.md) [pic](pic.png)", []),
        ("[[#heading]] [[]] [[ ]] \\[[no]]", []),
        ("`[[code]]` and ``a ` [[b]] c`` [[real]]", ["real"]),
        ("```\n[[code]]\n```\n[[real]]", ["real"]),
        ("~~~py\n[[a]]\n```\n[[b]]\n~~~\n[[real]]", ["real"]),
        ("- item\n  ```\n  [[a]]\n  ```\n  [[real]]", ["real"]),
        ("> ```\n> [[a]]\n> ```\n[[real]]", ["real"]),
        ("```\n[[never closed]]", []),
        ("a ` alone [[real]]\n\nb ` too", ["real"]),
        ("[[broken\nline]]", []),
    ],
)
def test_links_are_found_in_prose_alone(body: str, found: list[str]) -> None:
    assert targets(body) == found


def test_links_know_their_line_and_their_key() -> None:
    content = (
        b"---\nlinks:\n  - '[[a|b]]'\n  - c\n  - [[D]]\n  -\nsupersedes: [[old one]]\n"
        b"up: '[[parent|p]]'\nnested: [[no]]\ntext: see [[no]]\n---\n"
        b"x\n\n[[e]] [[f]]\n[[e]]\n"
    )
    memory = parse_memory(VaultPath("a.md"), content, zone=UTC)
    assert [(link.target, link.line, link.kind) for link in memory.links] == [
        ("e", 14, "link"), ("f", 14, "link"), ("e", 15, "link"),
        ("a", 3, "links"), ("c", 4, "links"), ("D", 5, "links"), ("old one", 7, "supersedes"),
        ("parent", 8, "up"),
    ]  # fmt: skip
    assert memory.supersedes == ("old one",)
    assert memory.findings == ()


def test_what_cant_be_a_link_is_told() -> None:
    memory = parse_memory(VaultPath("a.md"), b"---\nlinks: {a: b}\nsupersedes: [a, {b: c}]\n---\n", zone=UTC)
    assert [(finding.line, finding.code) for finding in memory.findings] == [(2, "VM021"), (3, "VM021")]
    assert memory.supersedes == ("a",)


@pytest.mark.parametrize(
    ("body", "heading"),
    [
        ("# One\n# Two", "One"),
        ("text\n   #\tTabbed ##\n", "Tabbed"),
        ("```\n# code\n```\n# Real", "Real"),
        ("#tag\n## second\n    # indented code", None),
        ("# C#", "C#"),
        ("#\n# #\n# x", "x"),
        ("## Books\n\n# Clippings", None),
        ("```\n## code\n```\n# Real\n## Part", "Real"),
    ],
)
def test_a_title_is_the_first_heading_if_that_is_of_the_first_level(body: str, heading: str | None) -> None:
    assert first_heading(body, fenced_spans(body)) == heading


MARKDOWN = st.lists(
    st.sampled_from(
        [
            "```",
            "~~~",
            "`",
            "``",
            "\n",
            "\n\n",
            "[[a]]",
            "[x](y.md)",
            " ",
            ">",
            "- ",
            "# h",
            "text",
            "é",
            "[[",
            "]]",
            "](",
        ]
    ),
    max_size=30,
).map("".join)


@settings(max_examples=300)
@given(MARKDOWN)
def test_blanking_code_moves_nothing(text: str) -> None:
    spans = fenced_spans(text)
    blanked = without_code(text, spans)
    assert len(blanked) == len(text)
    assert [n for n, char in enumerate(blanked) if char == "\n"] == [
        n for n, char in enumerate(text) if char == "\n"
    ]
    assert all(new in (old, " ") for old, new in zip(text, blanked, strict=True))
    assert all(start < end for start, end in spans)
    for start, end in spans:
        assert inside(spans, start)
        assert not inside(spans, end) or any(end == other for other, _ in spans)
    body_links(text, 1, spans)


@pytest.mark.parametrize(
    "piece",
    [
        "[[",
        "](",
        "](a(",
        "`",
        "` ``",
        "[[a|",
        "# " + " " * 40,
        "```\n",
        "- " * 20,
        "> " * 20 + "\n",
        "](<",
        "<<<<<<< \n",
        "=======\n",
    ],
)
def test_long_texts_of_half_written_marks_take_no_longer_than_others(piece: str) -> None:
    content = ("<<<<<<< x\n" + piece * (200_000 // len(piece))).encode()
    started = time.perf_counter()
    parse_memory(VaultPath("a.md"), content, zone=UTC)
    assert time.perf_counter() - started < 5
