"""A link is added to, or taken out of, a front matter list in the list's own style."""

from __future__ import annotations

from datetime import UTC

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.model.splicing import File, files
from vault_memory.errors import FrontMatterError
from vault_memory.model.frontmatter import parse_memory
from vault_memory.model.linkadd import add_link, links_under, remove_links
from vault_memory.model.namespace import VaultPath

PATH = "a.md"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("text", '---\nlinks: ["[[B]]"]\n---\ntext'),
        ("---\ntitle: T\n---\n", '---\ntitle: T\nlinks: ["[[B]]"]\n---\n'),
        ("---\nlinks:\n---\n", '---\nlinks: ["[[B]]"]\n---\n'),
        ("---\nlinks: []  # none\n---\n", '---\nlinks: ["[[B]]"]  # none\n---\n'),
        ("---\nlinks: a # c\n---\n", '---\nlinks: ["a", "[[B]]"] # c\n---\n'),
        ("---\nlinks: '[[a]]'\n---\n", "---\nlinks: ['[[a]]', \"[[B]]\"]\n---\n"),
        ("---\nLinks: ['[[a]]', 'b']\n---\n", "---\nLinks: ['[[a]]', 'b', '[[B]]']\n---\n"),
        ("---\nlinks: [[a]]\n---\n", '---\nlinks: [[a], "[[B]]"]\n---\n'),
        ("---\nlinks:\n- a\n# below\nx: 1\n---\n", '---\nlinks:\n- a\n- "[[B]]"\n# below\nx: 1\n---\n'),
        (
            "---\r\nlinks:\r\n  - '[[a]]' # c\r\n---\r\n",
            "---\r\nlinks:\r\n  - '[[a]]' # c\r\n  - '[[B]]'\r\n---\r\n",
        ),
        ("---\nlinks:\n-   [[a]]\n---\n", '---\nlinks:\n-   [[a]]\n-   "[[B]]"\n---\n'),
    ],
)
def test_a_link_is_added_in_one_line(before: str, after: str) -> None:
    added = add_link(PATH, before.encode(), "links", "B")
    assert added.decode() == after
    assert [link.target for link in links_under(PATH, added, "links")][-1] == "B"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('---\nlinks: ["[[B]]"]\n---\n', "---\nlinks: []\n---\n"),
        ('---\nlinks: [a, "[[B]]", c]\n---\n', "---\nlinks: [a, c]\n---\n"),
        ("---\nlinks:\n  - a # keep\n  - B\n---\n", "---\nlinks:\n  - a # keep\n---\n"),
        ("---\nlinks: '[[B|label]]' # c\n---\n", "---\nlinks: [] # c\n---\n"),
        ('---\nlinks: [B, "[[B]]", a]\n---\n', "---\nlinks: [a]\n---\n"),
        ("---\nlinks: [a]\n---\n[[B]]", "---\nlinks: [a]\n---\n[[B]]"),
        ("[[B]]", "[[B]]"),
    ],
)
def test_a_link_is_taken_out(before: str, after: str) -> None:
    assert remove_links(PATH, before.encode(), "links", lambda link: link.target == "B").decode() == after


def test_a_key_of_ones_own_holds_links_too() -> None:
    content = add_link(PATH, b"---\nrelates-to: [x]\n---\n", "relates-to", "B")
    assert content == b'---\nrelates-to: [x, "[[B]]"]\n---\n'
    memory = parse_memory(VaultPath(PATH), content, zone=UTC)
    assert [(link.target, link.kind) for link in memory.links] == [("B", "relates-to")]


@pytest.mark.parametrize(
    "before",
    [
        "---\nlinks: {a: b}\n---\n",
        "---\nlinks: |\n  a\n---\n",
        "---\nlinks: &x [a]\nother: *x\n---\n",
        "---\nlinks: [a\n---\n",
        "---\nlinks: a\nlinks: b\n---\n",
        "---\nnever closed",
    ],
)
def test_what_cant_be_changed_by_the_line_is_refused(before: str) -> None:
    with pytest.raises(FrontMatterError):
        add_link(PATH, before.encode(), "links", "B")


@settings(max_examples=300)
@given(
    files(),
    st.sampled_from(["weird_key", "links", "on", "date"]),
    st.sampled_from(["B", "it's: x", "設定/a b", "~", "x - y"]),
)
def test_in_any_file_adding_and_removing_changes_that_key_alone(one: File, key: str, target: str) -> None:
    before = one.render()
    try:
        after = add_link(PATH, before, key, target)
    except FrontMatterError:
        return
    old, new = (parse_memory(VaultPath(PATH), content, zone=UTC) for content in (before, after))
    assert {name: value for name, value in new.front.items() if name != key} == {
        name: value for name, value in old.front.items() if name != key
    }
    assert new.body == old.body
    assert links_under(PATH, after, key)[-1].target == target
    gone = remove_links(PATH, after, key, lambda link: link.target == target)
    assert target not in [link.target for link in links_under(PATH, gone, key)]
    assert parse_memory(VaultPath(PATH), gone, zone=UTC).body == old.body
