"""The page on which a forge compares a branch follows from the remote's address, or there is none."""

from __future__ import annotations

import pytest

from vault_memory.model.forge import compare_link

BRANCH = "memory/akashi/größe"
QUOTED = "memory/akashi/gr%C3%B6%C3%9Fe"


@pytest.mark.parametrize(
    ("address", "link"),
    [
        ("git@github.com:me/notes.git", f"https://github.com/me/notes/compare/main...{QUOTED}?expand=1"),
        ("https://github.com/me/notes", f"https://github.com/me/notes/compare/main...{QUOTED}?expand=1"),
        (
            "ssh://git@github.example.org:2222/me/notes.git/",
            f"https://github.example.org/me/notes/compare/main...{QUOTED}?expand=1",
        ),
        (
            "https://gitlab.com/a/b/notes.git",
            "https://gitlab.com/a/b/notes/-/merge_requests/new?merge_request%5Bsource_branch%5D="
            + QUOTED
            + "&merge_request%5Btarget_branch%5D=main",
        ),
        (
            "git@bitbucket.org:me/notes.git",
            f"https://bitbucket.org/me/notes/pull-requests/new?source={QUOTED}&dest=main",
        ),
        ("https://codeberg.org/me/notes.git", f"https://codeberg.org/me/notes/compare/main...{QUOTED}"),
        ("https://git.gitea.io/me/notes.git", f"https://git.gitea.io/me/notes/compare/main...{QUOTED}"),
    ],
)
def test_a_known_forge_has_a_link(address: str, link: str) -> None:
    assert compare_link(address, "main", BRANCH) == link


@pytest.mark.parametrize(
    "address",
    [
        "",
        "/srv/git/notes.git",
        "../shared.git",
        "C:\\git\\notes",
        "https://example.org/me/notes.git",
        "https://evil.org/github.com/notes",
        "https://notgithub.com/me/notes",
        "git@github.com:me/no tes\x1b[31m.git",
        "https://github.com/me/notes?x=[click](http://evil)",
    ],
)
def test_any_other_address_has_none(address: str) -> None:
    assert compare_link(address, "main", BRANCH) is None
