"""Changing where links lead changes their targets and not one other byte."""

from __future__ import annotations

from datetime import UTC

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vault_memory.model.frontmatter import parse_memory
from vault_memory.model.linksplice import MARKDOWN, WIKI, Wanted, rewrite_links
from vault_memory.model.memory import Link
from vault_memory.model.namespace import VaultPath

PATH = VaultPath("notes/a.md")


def renamed(old: str, new: str) -> Wanted:
    return lambda link, form: (new, False) if link.target in (old, f"{old}.md") else None


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("[[old]]", "[[new name]]"),
        ("![[old]] and [[ old ]]", "![[new name]] and [[ new name ]]"),
        ("[[old#Part|the old]] [[old|old]]", "[[new name#Part|the old]] [[new name|old]]"),
        ("| [[old\\|x]] |", "| [[new name\\|x]] |"),
        ("`[[old]]` [[old]]", "`[[old]]` [[new name]]"),
        ("```\n[[old]]\n```\n[[old]]", "```\n[[old]]\n```\n[[new name]]"),
        ("older [[older]] [[gold]] old", "older [[older]] [[gold]] old"),
        ("é\u00a0[[old]]\r\n\r\nü [[old]]\r\n", "é\u00a0[[new name]]\r\n\r\nü [[new name]]\r\n"),
        ("a\r[[old]]\rb", "a\r[[new name]]\rb"),
        ("---\nno keys here\n---\n[[old]]", "---\nno keys here\n---\n[[new name]]"),
        ('---\nlinks: ["[[old]]"] # c\n---\n[[old]]', '---\nlinks: ["[[new name]]"] # c\n---\n[[new name]]'),
        ("---\nlinks:\n- old\n- '[[old|x]]'\n---\n", "---\nlinks:\n- new name\n- '[[new name|x]]'\n---\n"),
        ('---\nup: "[[old#h]]"\nsee: old\n---\n', '---\nup: "[[new name#h]]"\nsee: old\n---\n'),
        ("---\nlinks: [[old]]\ntitle: old\n---\n", "---\nlinks: [[new name]]\ntitle: old\n---\n"),
        ('---\nt: "[[old]]\nlinks: x\n---\n[[old]]', '---\nt: "[[old]]\nlinks: x\n---\n[[new name]]'),
    ],
)
def test_targets_change_and_nothing_else(before: str, after: str) -> None:
    assert rewrite_links(PATH, before.encode(), renamed("old", "new name")).content.decode() == after


@pytest.mark.parametrize(
    ("new", "bare", "angle"),
    [
        ("sub/new.md", "sub/new.md", "sub/new.md"),
        ("new name.md", "new%20name.md", "new name.md"),
        ("a (b).md", "a%20%28b%29.md", "a (b).md"),
        ("50%25.md", "50%2525.md", "50%2525.md"),
        ("C#.md", "C%23.md", "C%23.md"),
        ("Größe 設定.md", "Größe%20設定.md", "Größe 設定.md"),
        ("wide\u3000space.md", "wide%E3%80%80space.md", "wide\u3000space.md"),
        ("../<x>.md", "../%3Cx%3E.md", None),
    ],
)
def test_a_markdown_target_is_escaped_where_it_must_be(new: str, bare: str, angle: str | None) -> None:
    content = b'[t](old.md) [t](old.md#part "title")'
    assert rewrite_links(PATH, content, renamed("old", new)).content.decode() == (
        f'[t]({bare}) [t]({bare}#part "title")'
    )
    in_angle = rewrite_links(PATH, b"[t](<old.md#part>)", renamed("old", new))
    if angle is None:
        assert (in_angle.content, in_angle.changed, len(in_angle.left)) == (b"[t](<old.md#part>)", 0, 1)
    else:
        assert in_angle.content.decode() == f"[t](<{angle}#part>)"


def test_a_label_that_names_the_memory_is_what_changes() -> None:
    def wanted(link: Link, form: str) -> tuple[str, bool] | None:
        return ("topic.new", True) if link.label.startswith("topic.old") else None

    before = b'---\nup: "[[Old|topic.old]]"\n---\n[[The topic.old|topic.old#h]] [[x|y]]'
    after = rewrite_links(PATH, before, wanted)
    assert after.content == b'---\nup: "[[Old|topic.new]]"\n---\n[[The topic.old|topic.new#h]] [[x|y]]'
    assert after.changed == 2


@pytest.mark.parametrize("new", ["a|b", "a]b", "a#b", "a[b", "a\nb", ""])
def test_a_target_that_would_not_read_back_is_not_written(new: str) -> None:
    content = b'---\nlinks: ["[[old]]"]\n---\n[[old]]'
    after = rewrite_links(PATH, content, renamed("old", new))
    assert after.content == content
    assert [link.line for link in after.left] == [2, 4]


@pytest.mark.parametrize(
    "content",
    ["[[old]]".encode("utf-16"), b"\x00[[old]]", b"\xff [[old]]\n[[old]] \xff\n"],
)
def test_bytes_that_are_no_utf8_stay(content: bytes) -> None:
    after = rewrite_links(PATH, content, renamed("old", "new"))
    assert after.content in (content, content.replace(b"\n[[old]]", b"\n[[new]]"))


PIECES = st.sampled_from(
    [
        "[[old]]",
        "[[old|l]]",
        "[[old#h|l]]",
        "[t](old.md)",
        "[t](<old.md>)",
        "![[old]]",
        "[[other]]",
        "`",
        "```",
        "\n",
        "\r\n",
        "\n\n",
        " ",
        "é",
        "設",
        "[[",
        "]]",
        "](",
        "old",
        "| ",
        "> ",
        "- ",
        "\\",
        "[[old\\|x]]",
        "~~~\n",
        "\ufeff",
        "\u2028",
        "%20",
        "<",
        ">",
        "(",
        ")",
    ]
)
HEADERS = st.lists(
    st.sampled_from(
        [
            'links: ["[[old]]", b]',
            "links:\n  - old\n  - '[[old]]'",
            "supersedes: old",
            'up: "[[old|x]]"',
            "title: old",
            "# old [[old]]",
            "tags: [old]",
            "links: [[old]]",
            'text: "see [[old]]"',
            "x: &a '[[old]]'",
            "y: |\n  [[old]]",
        ]
    ),
    max_size=4,
    unique_by=lambda line: line.partition(":")[0],
)
TARGETS = st.sampled_from(
    ["new", "new name", "a/b/new", "it's", 'say "x"', "new: x", "# x", "ü", "a\\b", "[x", "-", "*x"]
)


@settings(max_examples=500)
@given(HEADERS, st.lists(PIECES, max_size=30).map("".join), st.sampled_from(["\n", "\r\n"]), TARGETS)
def test_in_any_text_only_the_targets_change(header: list[str], body: str, newline: str, new: str) -> None:
    front = newline.join(["---", *("\n".join(header).split("\n") if header else ()), "---", ""])
    before = (front + body).encode()
    forms: list[str] = []

    def wanted(link: Link, form: str) -> tuple[str, bool] | None:
        forms.append(form)
        return (new if form == WIKI else f"{new}.md", False) if link.target in ("old", "old.md") else None

    after = rewrite_links(PATH, before, wanted)
    old, now = (parse_memory(PATH, one, zone=UTC) for one in (before, after.content))
    left = sorted((link.line, link.target, link.label, link.kind) for link in after.left)
    expected = []
    for link in old.links:
        words = (link.line, link.target, link.label, link.kind)
        if words in left:
            left.remove(words)
        elif link.target in ("old", "old.md"):
            words = (link.line, link.target.replace("old", new), link.label, link.kind)
        expected.append(words)
    assert [(link.line, link.target, link.label, link.kind) for link in now.links] == expected
    assert left == []
    assert set(forms) <= {WIKI, MARKDOWN}
    back = rewrite_links(
        PATH,
        after.content,
        lambda link, form: (link.target.replace(new, "old"), False) if link.target.startswith(new) else None,
    )
    assert back.content == before
    if not after.changed:
        assert after.content == before
