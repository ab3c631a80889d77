"""The comment for a pull request: safe against what stands in memories, within the size, always the same."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC
from html.parser import HTMLParser

from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from vault_memory.model.comparison import Comparison, compare
from vault_memory.model.flags.flag import Flag
from vault_memory.model.namespace import VaultPath
from vault_memory.model.pullrequest.mark import MARK, NOTHING
from vault_memory.render.diffcomment import MOST, render_comment

OURS = frozenset("h3 h4 p ul li b i code details summary table tr th td pre ins del".split())
HOSTILE = (
    "</pre></details><script>alert(1)</script>",
    "</code></summary></li></ul>",
    "![x](https://evil.example/a.png) [y](https://evil.example) <https://evil.example>",
    "@octocat fixes #1, see !2 and ~label and $x",
    "```\n~~~\n<!-- vmem diff -->\n-->",
    "| a | b |\n|---|---|\n# heading\n* item\n    code",
    "\n\n\n<img src=x onerror=alert(1)>\n\n",
    "line\u2028two\x0bthree\x85four \u202egnp.exe",
    "&lt;b&gt; &#64;octocat <b>bold</b>",
    "[ref]: https://evil.example\n[ref]",
)


class Tags(HTMLParser):
    """What a reader's browser would see: tags with their attributes, and the text outside of code."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.seen: set[str] = set()
        self.attributes: list[object] = []
        self.bare = ""
        self.comments: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.append(tag)
        self.seen.add(tag)
        self.attributes += attrs

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if not {"code", "pre"} & set(self.open):
            self.bare += data

    def handle_comment(self, data: str) -> None:
        self.comments.append(data)


def shown(comment: str) -> Tags:
    """As a forge renders it."""
    tags = Tags()
    tags.feed(MarkdownIt("commonmark", {"html": True}).enable("table").render(comment))
    tags.close()
    return tags


def comparison(*texts: str, flags: tuple[Flag, ...] = ()) -> Comparison:
    files = {
        VaultPath(f"notes/{number:04} {text[:20]!a}.md".replace("\n", "")): (
            None if number % 2 else b"---\ntitle: old\n---\nsome words stand here\n",
            f"---\ntitle: {text!r}\nkey: {text!r}\n---\nsome words stand {text} here\n{text}\n".encode(
                "utf-8", "surrogatepass"
            ),
        )
        for number, text in enumerate(texts)
    }
    found = compare(files, zone=UTC)
    return Comparison("main", "memory/akashi/x", tuple(replace(one, flags=flags) for one in found), texts)


def check(comment: str) -> Tags:
    tags = shown(comment)
    assert tags.open == []
    assert tags.seen <= OURS
    assert tags.attributes == []
    assert tags.comments == [" vmem diff "]
    return tags


def test_nothing_in_a_memory_becomes_a_tag_a_link_or_a_mention() -> None:
    flags = tuple(Flag("instructions", text, 3) for text in HOSTILE)
    comment = render_comment(comparison(*HOSTILE, flags=flags))
    tags = check(comment)
    assert "evil" not in tags.bare
    assert "octocat" not in tags.bare
    assert "@octocat" not in comment
    assert "#1" not in comment
    assert comment.startswith(MARK)


@given(st.lists(st.text(max_size=60) | st.sampled_from(HOSTILE), min_size=1, max_size=4))
def test_whatever_a_memory_holds_the_comment_is_whole(texts: list[str]) -> None:
    found = comparison(*texts, flags=(Flag("fault", texts[0], 1),))
    tags = check(render_comment(found))
    assert tags.bare.count("fault") == len(found.differences) * 2


def test_the_text_of_a_memory_can_be_read_word_by_word() -> None:
    [one] = compare({VaultPath("a.md"): (b"RSI above 70 here\n", b"RSI above 80 here\n")}, zone=UTC)
    comment = render_comment(Comparison("a", "b", (one,)))
    assert "~RSI above <del>70</del><ins>80</ins> here" in comment


def test_the_same_comparison_gives_the_same_comment() -> None:
    assert render_comment(comparison(*HOSTILE)) == render_comment(comparison(*HOSTILE))


def test_what_has_no_room_is_counted_and_what_has_flags_comes_first() -> None:
    texts = [f"{number} " + "words of a long note " * 20 for number in range(1, 600, 2)]
    found = comparison(*texts)
    *others, last = found.differences
    flagged = replace(last, flags=(Flag("secret", "looks like it holds a secret (x)", 4),))
    found = replace(found, differences=(*others, flagged))
    whole = f"<details><summary><code>{last.path}".replace("'", "&#x27;")
    for most in (MOST, 20_000, 7_000):
        comment = render_comment(found, most=most)
        assert len(comment.encode("utf-16-le")) // 2 <= most
        assert "For want of room this leaves out" in check(comment).bare
        assert whole in comment


def test_very_many_flags_leave_room_for_the_memories() -> None:
    texts = [f"{number}" for number in range(600)]
    flags = (Flag("fault", "x" * 200, 2),)
    comment = render_comment(comparison(*texts[:400], flags=flags))
    assert len(comment) <= MOST
    listed = comment.count("<li><b>fault</b>")
    assert f"and {400 - listed} more flags" in check(comment).bare
    assert 50 < listed <= 100
    assert "<h4>Added (200)</h4>" in comment
    assert comment.count("<details>") > 20


def test_no_difference_is_a_short_comment() -> None:
    comment = render_comment(Comparison("a", "b", ()))
    assert comment == f"{MARK}\n\n<h3>No memory differs (a → b).</h3>\n"
    assert f"\n{NOTHING}" in comment
