"""Tags are added and removed in the style in which the file has them."""

from __future__ import annotations

from datetime import UTC

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.model.splicing import File, files
from vault_memory.errors import FrontMatterError
from vault_memory.model.frontmatter import parse_memory, splice_tags
from vault_memory.model.namespace import VaultPath

PATH = "notes/a.md"


def file(header: str) -> bytes:
    return f"---\nid: x # c\n{header}z: 1\n---\nBody".encode()


def tags_of(content: bytes) -> tuple[str, ...]:
    return parse_memory(VaultPath(PATH), content, zone=UTC).tags


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("tags: [a, b] # c\n", "tags: [a, b, x] # c\n"),
        ("tags: []\n", "tags: [x]\n"),
        ("tags: [ ]\n", "tags: [x ]\n"),
        ("tags: [a,]\n", "tags: [a, x,]\n"),
        ('tags: ["a", "b"]\n', 'tags: ["a", "b", "x"]\n'),
        ("tags: ['a']\n", "tags: ['a', 'x']\n"),
        ("tags: [a, # one\n  b # two\n  ]\n", "tags: [a, # one\n  b, x # two\n  ]\n"),
        ("tags:\n  - a # one\n  - b\n", "tags:\n  - a # one\n  - b\n  - x\n"),
        ("tags:\n- a\n# outer\n", "tags:\n- a\n- x\n# outer\n"),
        ("tags: # mine\n    -   'a'\n", "tags: # mine\n    -   'a'\n    -   'x'\n"),
        ("tags:\n  -\n", "tags:\n  -\n  - x\n"),
        ("tags: a, b\n", "tags: a, b, x\n"),
        ("tags: a b # c\n", "tags: a b x # c\n"),
        ("tags: a\n", "tags: a, x\n"),
        ('tags: "#a #b"\n', 'tags: "#a #b x"\n'),
        ("tags: '[\"a\"]'\n", 'tags: \'["a", "x"]\'\n'),
        ("tags: '[]'\n", "tags: '[\"x\"]'\n"),
        ('tags: "[\\"a\\"]"\n', "tags: [a, x]\n"),
        ("tags:\n", "tags: [x]\n"),
        ("tags: #a\n", "tags: [x] #a\n"),
        ("tags: ~\n", "tags: [x]\n"),
        ('tags: ""\n', 'tags: ", x"\n'),
        ("Tags: [a]\n", "Tags: [a, x]\n"),
        ("tag: a\n", "tag: a, x\n"),
        ("tag: a\ntags: [b]\n", "tag: a\ntags: [b, x]\n"),
    ],
)
def test_a_tag_is_added_in_the_lists_own_style(before: str, after: str) -> None:
    assert splice_tags(PATH, file(before), add=["x"]).decode() == file(after).decode()


def test_without_tags_one_line_is_added() -> None:
    assert splice_tags(PATH, file(""), add=["x", "y: z"]) == file("").replace(
        b"z: 1\n", b'z: 1\ntags: [x, "y: z"]\n'
    )
    assert splice_tags(PATH, b"text", add=["x"]) == b"---\ntags: [x]\n---\ntext"


@pytest.mark.parametrize("header", ["tags: [X, b]\n", "tags: '#x'\n", "tags:\n  - x\n", "tag: x\n"])
def test_a_tag_that_is_there_is_not_added_again(header: str) -> None:
    assert splice_tags(PATH, file(header), add=["x"], remove=["none"]) == file(header)


@pytest.mark.parametrize(
    "tag", ["a:", "#c", "it's", 'q"', "[", "x]", "-", "?", "no", "1.10", "\\", "{{d}}", "*r", "設定"]
)
@pytest.mark.parametrize(
    "header",
    [
        "tags: a, b\n",
        "tags: a b\n",
        "tags: 'a b'\n",
        'tags: "a, b"\n',
        'tags: \'["a", "b"]\'\n',
        "tags: [a, b]\n",
    ],
)
def test_a_tag_of_any_signs_is_read_back_from_any_style(header: str, tag: str) -> None:
    after = splice_tags(PATH, file(header), add=[tag])
    assert tags_of(after) == ("a", "b", tag.lstrip("#"))
    assert len(after.splitlines()) == len(file(header).splitlines())


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("tags: [a, x, b] # c\n", "tags: [a, b] # c\n"),
        ("tags: [x, a]\n", "tags: [a]\n"),
        ("tags: [a, X]\n", "tags: [a]\n"),
        ("tags: [x, '#x', a, x]\n", "tags: [a]\n"),
        ("tags: [x]\n", "tags: []\n"),
        ("tags: [a, # one\n  x, # two\n  b]\n", "tags: [a, # one\n   # two\n  b]\n"),
        ("tags:\n  - a # one\n  - x # two\n  - b\n", "tags:\n  - a # one\n  - b\n"),
        ("tags:\n- x\n", "tags:\n"),
        ("tags: a, x, b\n", "tags: a, b\n"),
        ("tags: x, a # c\n", "tags: a # c\n"),
        ("tags: a x\n", "tags: a\n"),
        ("tags: '#x #a'\n", "tags: '#a'\n"),
        ("tags: x\n", "tags: []\n"),
        ('tags: \'["a", "x"]\'\n', "tags: [a]\n"),
        ("tag: x\ntags: [x, a]\n", "tag: []\ntags: [a]\n"),
    ],
)
def test_a_tag_is_taken_out_in_the_lists_own_style(before: str, after: str) -> None:
    assert splice_tags(PATH, file(before), remove=["#x"]).decode() == file(after).decode()


@pytest.mark.parametrize(
    "header",
    [
        "tags: {a: 1}\n",
        "tags: |\n  a\n  b\n",
        "tags: &t [a]\nb: *t\n",
        "tags: [a, {b: c}]\n",
        "tags: [a]\nTags: [b]\n",
        "tags: [a]\nx: : y\n",
        "tags:\n- - a\n",
    ],
)
def test_what_cant_be_changed_is_refused(header: str) -> None:
    with pytest.raises(FrontMatterError):
        splice_tags(PATH, file(header), add=["x"])


@settings(max_examples=2_000, deadline=None)
@given(
    files(),
    st.lists(st.sampled_from(["alpha", "BETA", "new", "c++", "a:b", "設定"]), max_size=2),
    st.lists(st.sampled_from(["alpha", "c++", "none", "2024"]), max_size=2),
)
def test_in_any_file_only_the_tags_change(one: File, add: list[str], remove: list[str]) -> None:
    before = one.render()
    try:
        after = splice_tags(PATH, before, add=add, remove=remove)
    except FrontMatterError:
        held = next(piece.text for piece in one.pieces if piece.key == "tags")
        assert "{" in held or "sub:" in held or ">" in held or "|" in held
        return
    old = parse_memory(VaultPath(PATH), before, zone=UTC)
    new = parse_memory(VaultPath(PATH), after, zone=UTC)
    gone = {tag.casefold() for tag in remove} - {tag.casefold() for tag in add}
    wanted = [tag for tag in old.tags if tag.casefold() not in gone]
    for tag in add:
        if tag.casefold() not in {had.casefold() for had in wanted}:
            wanted.append(tag)
    assert list(new.tags) == wanted
    assert new.body == old.body
    others = {key: value for key, value in old.front.items() if key != "tags"}
    assert {key: value for key, value in new.front.items() if key != "tags"} == others
    if tuple(wanted) == old.tags:
        assert after == before
