"""Ten thousand hostile names: whatever is accepted stays in the vault, on a real disk with traps in it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from vault_memory.adapters.files.layout import create_layout
from vault_memory.adapters.files.tree import VaultFiles
from vault_memory.errors import ConflictError, ScopeError, StorageError, UnsafePathError, VaultUnreadableError
from vault_memory.model.namespace import (
    Namespace,
    Scope,
    VaultPath,
    namespace_for,
    parse_agent,
    parse_namespace,
    parse_path,
)
from vault_memory.model.naming import slug
from vault_memory.model.ref import parse_ref

A_BATCH, BATCHES = 50, 200
CANARY = b"canary: nobody may read this\n"
OURS = b"written by the test\n"
ID = "01KKP3K2P00000000000000001"

# fmt: off
PIECES = st.sampled_from([
    "..", ".", "", "...", "....", "~", "~root", "-", "-rf", "--force", "a", "notes", "private", "shared", "x",
    "sub", "leak", "loop", "up", "hid", "top", "deep", "outside", "secret", "beside", ".git",
    ".obsidian", ".vmem", "config.toml", "hooks", "post-commit", ".GIT", "git~1", "CON", "nul.txt", "aux.md",
    "COM1", "LPT¹",
    "C:", "C:\\", "\\\\server\\share", "..\\", "\\", "a\\..\\b", "%2e%2e", "%2f", "..%2f..%2f", "%5c", "%00",
    "\x00", "a\x00.md", "\n", "\r\n", "\t", " ", "  ", "a ", " a", "a.", "\x1b[31m", "\x7f", "\x85", "\u2028",
    "\u200b", "\u202e", "\ufeff", "\u2215", "\u2044", "\uff0f", "\uff0e\uff0e", "\u2024\u2024", "\ud800",
    "\udce9", "\udcff", "é", "e\u0301", "\N{ROCKET}", "x" * 250, "y" * 300, "\N{ROCKET}" * 70, "z" * 5_000,
    ":(exclude)*", ":!x", ":/", "*", "?", "[a]", "{a,b}",
    "$(touch pwn)", "`id`", "|", "<", ">", '"', "'", "&",
    ";", "#", "file://", "http://x", "...//", "..;", "..\u0000", "\u0000..", ".. ", " ..", "..\u200b",
])
SEPARATORS = st.sampled_from(["/", "/", "/", "//", "\\", "", "/./", "/../", "\u2215", "%2f", ":"])
ENDINGS = st.sampled_from(["", "", ".md", ".MD", ".markdown", ".md/", ".md\x00", ".md.", ".md ", "/.md"])
STARTS = st.sampled_from([
    "", "", "", "/", "./", "../", "~/", "C:/", "//", "\\\\?\\", "file:", "\ufeff", "sub/",
])
# fmt: on


@st.composite
def hostile_names(draw: st.DrawFn) -> str:
    parts = draw(st.lists(PIECES | st.text(max_size=6), min_size=1, max_size=5))
    name = draw(STARTS) + parts[0]
    for part in parts[1:]:
        name += draw(SEPARATORS) + part
    return name + draw(ENDINGS)


@pytest.fixture(scope="module", autouse=True)
def hasty() -> Iterator[None]:
    """Nothing of this need survive a power cut, and waiting for the disk is nearly all the time it takes."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(os, "fsync", lambda fd: None)
        yield


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A vault with links that lead out of it and round in it, and canaries wherever they lead."""
    top = tmp_path_factory.mktemp("place")
    vault, outside = top / "vault", top / "outside"
    create_layout(vault, "format = 1\n")
    for folder in (
        outside / "deep",
        vault / ".obsidian",
        vault / ".git" / "hooks",
        vault / "private" / "mira",
    ):
        folder.mkdir(parents=True)
    for name in ("outside/secret.md", "outside/deep/secret.md", "outside/a.md", "beside.md"):
        (top / name).write_bytes(CANARY)
    for name in (".obsidian/a.md", ".git/hooks/post-commit", ".git/a.md", "private/mira/a.md"):
        (vault / name).write_bytes(CANARY)
    for name, target in {
        "sub": outside, "leak.md": outside / "secret.md", "loop": Path(), "up": Path(".."), "top": Path("/"),
        "hid": Path(".obsidian"), "x.md": Path(".git/a.md"), "deep": Path("sub/deep"), "a.md": Path("a.md"),
        "shared": Path("private"),
    }.items():  # fmt: skip
        (vault / name).symlink_to(target)
    return top


def guarded(top: Path) -> dict[str, object]:
    """All that nothing may change: everything but the vault's own visible files."""
    found: dict[str, object] = {}
    vault = top / "vault"
    for one in top.rglob("*"):
        inside = one.relative_to(vault).parts if one.is_relative_to(vault) else None
        if one.is_symlink():
            found[str(one)] = one.readlink()
        elif one.is_file() and (inside is None or inside[:2] != (".vmem", "local")):
            hidden = inside is None or any(part.startswith(".") for part in inside)
            if hidden or one.read_bytes() == CANARY:
                found[str(one)] = one.read_bytes()
    return found


def attempt_path(files: VaultFiles, path: VaultPath) -> None:
    """Everything that can be asked of a path."""
    refusals = (StorageError, ConflictError, UnsafePathError, VaultUnreadableError)
    with suppress(*refusals):
        found = files.read(path)
        assert found is None or found.content != CANARY or path.startswith("private/mira/")
    with suppress(*refusals):
        files.stat(path)
    real = files.real(path)
    assert real is None or parse_path(real) == real
    files.link_text(path)
    with suppress(*refusals):
        files.remove(path, replacing="0" * 64)
    with suppress(*refusals):
        stamp = files.write(path, OURS, replacing=None)
        assert stamp.path == path
        where = os.path.realpath(files.root / path)
        assert where.startswith(f"{files.root}/")
        assert Path(where).read_bytes() == OURS
        Path(where).unlink()


def attempt_folder(files: VaultFiles, folder: Namespace) -> None:
    with suppress(StorageError, UnsafePathError, VaultUnreadableError):
        found = {"secret.md", "post-commit", "beside.md"} & files.names_in(folder)
        # Folders called so are of this test's own making.
        assert not any((files.root / folder / name).is_file() for name in found)
    attempt_path(files, VaultPath(f"{folder}/{slug('Ünïcode', ID)}.md"))


@pytest.mark.slow
@settings(
    max_examples=BATCHES, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(names=st.lists(hostile_names(), min_size=A_BATCH, max_size=A_BATCH))
def test_no_hostile_name_leads_out_of_the_vault(place: Path, names: list[str]) -> None:
    files = VaultFiles(place / "vault")
    before = guarded(place)
    for name in names:
        with suppress(UnsafePathError):
            attempt_path(files, parse_path(name))
        with suppress(UnsafePathError):
            attempt_folder(files, parse_namespace(name))
        for scope in (Scope(None), Scope("akashi")):
            with suppress(UnsafePathError, ScopeError):
                folder = namespace_for(scope, name, "notes")
                assert folder.split("/")[0] in ("shared", "private")
                attempt_folder(files, folder)
        made = slug(name, ID)
        assert parse_namespace(made) == made
        attempt_path(files, VaultPath(f"titles/{made}.md"))
        if name.strip():
            for path in parse_ref(name).paths:
                attempt_path(files, path)
        with suppress(UnsafePathError):
            assert parse_agent(name).isascii()
    assert guarded(place) == before
