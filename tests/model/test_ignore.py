"""Ignore rules say of every folder what git says of it."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from vault_memory.model.ignore import LONGEST, left_out, parse_rules

TABLE = [
    # lines, path, whether git leaves the folder out
    ("drafts/", "drafts", True),
    ("drafts/", "deep/drafts", True),
    ("/drafts/", "deep/drafts", False),
    ("drafts", "drafts", True),
    ("drafts\r", "drafts", True),
    ("drafts   ", "drafts", True),
    ("drafts\\ ", "drafts ", True),
    ("# drafts", "# drafts", False),
    ("\\# drafts", "# drafts", True),
    ("!drafts", "drafts", False),
    ("*\n!drafts/", "drafts", False),
    ("*\n!drafts/", "other", True),
    ("!drafts/\n*", "drafts", True),
    ("build*", "building", True),
    ("b?ild", "build", True),
    ("b?ild", "b/ild", False),
    ("[a-c]x", "bx", True),
    ("[!a-c]x", "bx", False),
    ("[^a-c]x", "dx", True),
    ("[[:digit:]]x", "7x", True),
    ("[z-a]x", "mx", False),
    ("[ax", "ax", False),
    ("a/b", "a/b", True),
    ("a/b", "x/a/b", False),
    ("**/b", "x/y/b", True),
    ("a/**/b", "a/b", True),
    ("a/**/b", "a/x/y/b", True),
    ("a/**", "a", False),
    ("a/**", "a/x", True),
    ("a/*", "a/x", True),
    ("a/*", "a", False),
    ("a\\", "a", False),
    ("/", "a", False),
    ("", "a", False),
    ("*.md", "a.md", True),
    ("Größe/", "Größe", True),
]


@pytest.mark.parametrize(("lines", "path", "out"), TABLE)
def test_a_line_means_what_it_means_to_git(lines: str, path: str, out: bool, repo: Path) -> None:
    assert left_out([parse_rules(lines.split("\n"))], path, folder=True) is out
    (repo / ".gitignore").write_bytes(lines.encode())
    (repo / path).mkdir(parents=True)
    assert ignored(repo, [path]) == ({path} if out else set())


def ignored(repo: Path, paths: list[str]) -> set[str]:
    """Those that git ignores, by a rule for themselves or for a folder above them."""
    ran = subprocess.run(
        ["git", "check-ignore", "--no-index", "-z", "--stdin"],
        cwd=repo,
        input="".join(f"{path}\0" for path in paths).encode(),
        capture_output=True,
        check=False,
    )
    assert ran.returncode in (0, 1), ran.stderr
    return set(ran.stdout.decode().split("\0")[:-1])


NAMES = ["a", "b", "ab", "abc", "x.md", "build", "a b", "é", "-"]
SEGMENTS = st.lists(
    st.sampled_from(["a", "b", "c", "*", "?", "[ab]", "[!a]", "[a-c]", "x", ".md", "build", "\\a", "é"]),
    min_size=1,
    max_size=3,
).map("".join)
PATTERNS = st.builds(
    "{}{}{}{}".format,
    st.sampled_from(["", "", "!"]),
    st.sampled_from(["", "", "/", "**/"]),
    st.lists(SEGMENTS, min_size=1, max_size=3).map("/".join),
    st.sampled_from(["", "/", "/*", "/**"]),
)
FOLDERS = ["/".join(parts) for parts in [(one,) for one in NAMES] + [(a, b) for a in NAMES for b in NAMES]]


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(lines=st.lists(PATTERNS, min_size=1, max_size=5))
def test_any_rules_leave_out_the_folders_that_git_ignores(lines: list[str], repo: Path) -> None:
    for folder in FOLDERS:
        (repo / folder).mkdir(parents=True, exist_ok=True)
    (repo / ".gitignore").write_text("\n".join(lines), encoding="utf-8")
    rules = [parse_rules(lines)]
    ours = {
        folder
        for folder in FOLDERS
        if any(
            left_out(rules, folder[:end], folder=True) for end in (folder.find("/"), len(folder)) if end > 0
        )
    }
    assert ours == ignored(repo, FOLDERS)


@pytest.mark.parametrize("pattern", ["*a" * 200 + "b", "**/a/" * 150 + "b", "[a-" * 300, "?*" * 300])
def test_no_pattern_takes_for_ever(pattern: str) -> None:
    start = time.perf_counter()
    rules = parse_rules([pattern])
    for path in ("a" * 250, "/".join("a" * 100), "a/" * 50 + "a" * 200):
        rules.verdict(path, folder=True)
    assert time.perf_counter() - start < 1


def test_a_pattern_longer_than_anybody_writes_is_passed_over() -> None:
    assert parse_rules(["a" * (LONGEST + 1)]).patterns == ()


def test_rules_speak_of_their_own_folder_alone() -> None:
    rules = parse_rules(["/build/"], "web/")
    assert rules.verdict("web/build", folder=True) is True
    assert rules.verdict("build", folder=True) is None
    assert rules.verdict("web/deep/build", folder=True) is None
