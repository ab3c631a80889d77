"""Where a moved memory goes: a folder, a name or a path, and never out of what the caller may write."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault_memory.errors import ScopeError, UnsafePathError, UsageError, VmemError
from vault_memory.model.destination import destination, in_known_folder
from vault_memory.model.namespace import PERSON, Namespace, Scope, VaultPath, is_memory_name

FOLDERS = frozenset({"notes", "notes/sub", "archive", "shared", "shared/market", "private/mira"})


def place(to: str, *, path: str = "notes/plan.md", scope: Scope = PERSON) -> str:
    return destination(scope, VaultPath(path), to, is_folder=lambda folder: folder in FOLDERS)


@pytest.mark.parametrize(
    ("to", "path"),
    [
        ("archive/", "archive/plan.md"),
        ("archive", "archive/plan.md"),
        ("new/er/", "new/er/plan.md"),
        ("Better name", "notes/Better name.md"),
        ("better.md", "notes/better.md"),
        ("better.markdown", "notes/better.markdown"),
        ("v1.2", "notes/v1.2.md"),
        ("archive/better", "archive/better.md"),
        ("/archive/better.md", "archive/better.md"),
        ("/", "plan.md"),
        ("market/", "shared/market/plan.md"),
        ("shared/ops/", "shared/ops/plan.md"),
        ("private/mira/", "private/mira/plan.md"),
        ("./better", "better.md"),
        ("plan", "notes/plan.md"),
    ],
)
def test_a_place_is_a_folder_a_name_or_a_path(to: str, path: str) -> None:
    assert place(to) == path


@pytest.mark.parametrize(
    ("to", "path"),
    [
        ("../archive", "archive/plan.md"),
        ("./better", "notes/better.md"),
        (".", "notes/plan.md"),
        ("..", "plan.md"),
        ("sub", "notes/sub/plan.md"),
        ("sub/", "notes/sub/plan.md"),
        ("archive/", "archive/plan.md"),
        ("archive/x", "archive/x.md"),
    ],
)
def test_a_place_may_be_named_from_where_the_caller_stands(to: str, path: str) -> None:
    assert place(to, scope=Scope(None, Namespace("notes"))) == path


def test_the_ending_of_the_file_stays() -> None:
    assert place("better", path="a.markdown") == "better.markdown"


def test_an_agents_folders_are_shared_ones_or_its_own() -> None:
    akashi = Scope("akashi")
    assert place("market/", path="private/akashi/a.md", scope=akashi) == "shared/market/a.md"
    assert place("private/akashi/", path="shared/a.md", scope=akashi) == "private/akashi/a.md"
    for refused in ("private/mira/", "private/mira/x", "/"):
        with pytest.raises(ScopeError):
            place(refused, path="shared/market/a.md", scope=akashi)


@pytest.mark.parametrize(
    "to",
    [
        "../x",
        "a/../../x",
        ".hidden",
        "a/.git/x",
        "con",
        "a:b",
        "x\x00",
        "Private/mira/",
        "pr\u0456vate/mira/",
        "\u0455hared/x/",
        "private/",
        "private/x",
        "SHARED/x/",
        "x.md/",
        "x.md/y",
        "a/b?",
        "-rf",
        "x" * 300,
    ],
)
def test_a_place_that_is_none_is_refused(to: str) -> None:
    with pytest.raises(UnsafePathError):
        place(to)


def test_no_place_at_all_is_a_usage_error() -> None:
    with pytest.raises(UsageError):
        place("  ")


def test_a_folder_that_is_there_in_another_spelling_is_that_folder() -> None:
    known = ["archive/Old/a.md", "notes/b.md"]
    assert in_known_folder(VaultPath("Archive/old/x.md"), known) == "archive/Old/x.md"
    assert in_known_folder(VaultPath("Archive/new/x.md"), known) == "archive/new/x.md"
    assert in_known_folder(VaultPath("X.md"), known) == "X.md"
    assert in_known_folder(VaultPath("Notes/x.md"), [*known, "Notes/c.md"]) == "Notes/x.md"


@given(
    st.text("ab./\\ :é\x00~-*private", max_size=20),
    st.sampled_from([PERSON, Scope("mira"), Scope("mira", Namespace("notes"))]),
)
def test_no_text_leads_out_of_what_the_caller_may_write(to: str, scope: Scope) -> None:
    try:
        found = place(to, path="shared/market/a.md", scope=scope)
    except VmemError:
        return
    assert is_memory_name(found)
    assert scope.may_write(found)
    assert not any(segment in ("", ".", "..") or segment.startswith(".") for segment in found.split("/"))
