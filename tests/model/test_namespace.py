"""Nothing that is accepted as a place leaves the vault or reaches another agent's folder."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from pathlib import PurePosixPath, PureWindowsPath

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from vault_memory.errors import ScopeError, UnsafePathError
from vault_memory.model.namespace import (
    PERSON,
    Scope,
    namespace_for,
    owner_of,
    parse_agent,
    parse_namespace,
    parse_path,
)

HOSTILE = (
    "",
    "/",
    "..",
    ".",
    "../../outside",
    "a/../../b",
    "/etc/passwd",
    "C:\\x",
    "c:/x",
    ".git/hooks/post-commit",
    ".obsidian/app",
    "a/.git/config",
    "....//x",
    "a//b",
    "a/./b",
    "x\x00y",
    "a/",
    "\ud800",
)
OUTER_SLASH = ("/etc/passwd", "a/")
"""As a folder's name these lose the outer slashes and lie in the vault."""
NOT_MADE_BY_US = (
    "\\\\server\\share",
    "c:x",
    "-rf",
    "--force",
    "CON",
    "nul.txt",
    "com1",
    "LPT9.log",
    "a:b",
    'what? <yes> "no" |',
    "ends with dot.",
    "a /b",
    "%2e%2e%2fx",
    "a\\..\\b",
    "line\nbreak",
    "x" * 400,
    "🚀" * 120,
    "a/ b",
    "\udce9",
)
PLACES = st.one_of(
    st.text(max_size=30),
    st.lists(
        st.sampled_from(
            ["a", "..", ".", "", ".git", "private", "shared", "akashi", "b.md", "C:", "\\", "%2e"]
        ),
        max_size=6,
    ).map("/".join),
)


@pytest.mark.parametrize("text", HOSTILE)
def test_no_path_leaves_the_vault_or_is_hidden(text: str) -> None:
    with pytest.raises(UnsafePathError):
        parse_path(text)


@pytest.mark.parametrize("text", [text for text in (*HOSTILE, *NOT_MADE_BY_US) if text not in OUTER_SLASH])
def test_no_folder_is_made_with_a_name_that_some_system_refuses(text: str) -> None:
    with pytest.raises(UnsafePathError):
        parse_namespace(text)


@pytest.mark.parametrize(
    "name", ["Größe 🚀.md", "a:b.md", "-rf.md", "CON.md", "what? <yes>.md", "%2e.md", "\udce9.md"]
)
def test_a_persons_own_file_may_have_any_name_that_stays_inside(name: str) -> None:
    assert parse_path(f"notes/{name}") == f"notes/{name}"


@settings(max_examples=400)
@given(PLACES)
@example("a/../b")
@example("C:..\\x")
def test_what_is_accepted_stays_below_the_root_and_is_not_hidden(text: str) -> None:
    for parse in (parse_path, parse_namespace):
        try:
            place = PurePosixPath("/vault") / parse(text)
        except UnsafePathError:
            continue
        assert place.parts[:2] == ("/", "vault")
        assert len(place.parts) > 2
        assert not [part for part in place.parts[2:] if part.startswith(".")]


@settings(max_examples=400)
@given(PLACES)
def test_a_folder_that_we_make_stays_below_the_root_on_windows_too(text: str) -> None:
    try:
        place = PureWindowsPath(parse_namespace(text))
    except UnsafePathError:
        return
    assert not place.is_absolute()
    assert not place.drive
    assert not place.root
    assert ".." not in place.parts


@pytest.mark.parametrize(
    "name", ["", "Akashi", "a b", "a/b", "..", "a..b", "-x", ".x", "x.", "con", "ä", "x" * 64, "a\n"]
)
def test_an_agents_name_is_plain_ascii(name: str) -> None:
    with pytest.raises(UnsafePathError):
        parse_agent(name)


@pytest.mark.parametrize("name", ["akashi", "a", "claude-code_2.1", "0"])
def test_usual_agent_names_are_taken(name: str) -> None:
    assert parse_agent(name) == name


@pytest.mark.parametrize(
    ("path", "reads", "writes"),
    [
        ("private/akashi/a.md", True, True),
        ("private/akashi/sub/a.md", True, True),
        ("private/aka/a.md", False, False),
        ("private/akashi2/a.md", False, False),
        ("private/a.md", False, False),
        ("Private/aka/a.md", False, False),
        ("private/AKASHI/a.md", False, False),
        ("shared/market/a.md", True, True),
        ("shared/a.md", True, True),
        ("Shared/a.md", True, False),
        ("shared2/a.md", True, False),
        ("notes/a.md", True, False),
        ("a.md", True, False),
    ],
)
def test_an_agent_reads_and_writes_its_own_and_what_is_shared(path: str, reads: bool, writes: bool) -> None:
    scope = Scope("akashi")
    assert (scope.may_read(path), scope.may_write(path)) == (reads, writes)
    assert PERSON.may_read(path)
    assert PERSON.may_write(path)


def test_the_owner_of_a_private_folder_is_its_agent() -> None:
    assert owner_of("private/akashi/a.md") == "akashi"
    assert owner_of("private/a.md") is None
    assert owner_of("shared/akashi/a.md") is None


@pytest.mark.parametrize(
    ("agent", "asked", "folder"),
    [
        ("akashi", None, "private/akashi"),
        (None, None, "notes"),
        ("akashi", "market", "shared/market"),
        ("akashi", "shared/market", "shared/market"),
        ("akashi", "private/akashi/deep", "private/akashi/deep"),
        (None, "private/akashi", "private/akashi"),
        ("akashi", " market/ ", "shared/market"),
        ("akashi", "cafe\u0301", "shared/caf\u00e9"),
    ],
)
def test_a_new_memory_goes_where_it_was_asked_to(agent: str | None, asked: str | None, folder: str) -> None:
    assert namespace_for(Scope(agent), asked, "notes") == folder


def test_no_agent_puts_a_memory_into_anothers_folder() -> None:
    with pytest.raises(ScopeError):
        namespace_for(Scope("akashi"), "private/aka", "notes")
    with pytest.raises(UnsafePathError):
        namespace_for(Scope("akashi"), "private", "notes")


@settings(max_examples=300)
@given(PLACES, st.sampled_from(["akashi", "aka"]))
def test_whatever_namespace_an_agent_asks_for_it_may_write_there(asked: str, agent: str) -> None:
    scope = Scope(agent)
    try:
        folder = namespace_for(scope, asked, "notes")
    except (UnsafePathError, ScopeError):
        return
    assert scope.may_write(f"{folder}/x.md")
    assert folder.startswith(("shared/", f"private/{agent}")) or folder == "shared"


LOOK_ALIKES: tuple[Callable[[str], str], ...] = (
    str.upper,
    str.title,
    lambda name: f"{name}2",
    lambda name: f"a{name}",
    lambda name: name[:-1],
    lambda name: f"{name}.",
    lambda name: f"{name} ",
    lambda name: f" {name}",
    lambda name: f"{name}\u200b",
    lambda name: f"{name}\u0301",
    lambda name: name.translate(
        str.maketrans("aceopxyk", "\u0430\u0441\u0435\u043e\u0440\u0445\u0443\u212a")
    ),
    lambda name: "".join(chr(ord(char) + 0xFEE0) for char in name),
    lambda name: name.replace("-", "_").replace(".", "-"),
)
"""What a name may be taken for: longer, shorter, in capitals, in other letters that look like its own."""


@st.composite
def agents(draw: st.DrawFn) -> str:
    """The name of an agent, and often one that is like another."""
    name = draw(
        st.sampled_from(["akashi", "aka", "a-b.c", "k2"]) | st.from_regex(r"[a-z0-9][a-z0-9._-]{0,9}")
    )
    try:
        return parse_agent(name.strip())
    except UnsafePathError:
        return "x"


@given(agents(), st.sampled_from(LOOK_ALIKES), st.sampled_from(["private", "Private", "PRIVATE"]))
def test_no_agent_reads_or_writes_in_the_folder_of_one_whose_name_is_like_its_own(
    agent: str, alike: Callable[[str], str], top: str
) -> None:
    other = alike(agent)
    if other == agent or not other:
        return
    scope = Scope(agent)
    for path in (f"{top}/{other}/x.md", f"{top}/{other}/{agent}/x.md", f"{top}/{other}.md"):
        assert not scope.may_read(path)
        assert not scope.may_propose(path)
        assert not scope.may_write(path)
        assert owner_of(path) != agent


@given(agents(), agents())
def test_two_agents_share_no_private_folder_on_any_disk(one: str, other: str) -> None:
    if one == other:
        return
    # Disks that fold case, or drop a dot at the end as Windows does, keep them apart too.
    folded = [unicodedata.normalize("NFKD", name).casefold().rstrip(". ") for name in (one, other)]
    assert folded[0] != folded[1]


@given(st.text(max_size=12))
def test_a_name_that_is_taken_is_taken_as_it_stands(text: str) -> None:
    try:
        name = parse_agent(text)
    except UnsafePathError:
        return
    assert name == text
    assert name.isascii()
    assert name == name.casefold() == unicodedata.normalize("NFKC", name)
