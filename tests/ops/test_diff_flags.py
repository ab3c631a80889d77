"""`vault.files.diff` with its flags: between all kinds of points, against what the vault holds beside."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from tests.gitrun import run_git
from tests.made_secrets import TOKENS
from tests.stand import CountedIds, ToldClock
from vault_memory.errors import UsageError
from vault_memory.model.comparison import Comparison
from vault_memory.model.namespace import PERSON, Scope
from vault_memory.vault import Vault

WINDOW = "The deploy window is Tuesday 09:00. Mira looks after it."
HERON = "The grey heron stands in the shallow water for hours and waits for a fish to come near."
TOKEN = TOKENS["github-token"][0](Random(5))


@pytest.fixture
def vault(tmp_path: Path) -> Iterator[Vault]:
    Vault.create(tmp_path / "memory")
    with Vault.open(
        tmp_path / "memory", clock=ToldClock(), ids=CountedIds(), settings={"refresh_seconds": 0.0}
    ) as opened:
        opened.person.remember(WINDOW, title="Deploy window")
        opened.agent("mira").remember(HERON, title="Heron")
        yield opened


def put(vault: Vault, path: str, text: str) -> None:
    file = vault.root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def flags(found: Comparison) -> list[tuple[str, str, str | None]]:
    return [(one.path, flag.name, flag.other) for one in found.differences for flag in one.flags]


def branch(vault: Vault) -> None:
    """A branch `proposal` with two memories that the vault holds in other words, and HEAD on main."""
    run_git(vault.root, "checkout", "--quiet", "-b", "proposal")
    put(vault, "shared/ops/window.md", WINDOW.replace("Tuesday", "Friday") + "\n")
    put(vault, "shared/birds.md", HERON.upper() + "\n")
    run_git(vault.root, "add", "shared")
    run_git(vault.root, "commit", "--quiet", "--message", "proposed")
    run_git(vault.root, "checkout", "--quiet", "main")


TOLD = [
    ("shared/birds.md", "near-duplicate", "private/mira/heron.md"),
    ("shared/ops/window.md", "contradiction", "notes/deploy-window.md"),
]


def test_a_branch_is_held_against_what_the_vault_holds_now(vault: Vault) -> None:
    branch(vault)
    found = vault.files.diff(PERSON, "main...proposal")
    assert flags(found) == TOLD
    assert found.newer == "proposal"
    assert found.older == run_git(vault.root, "rev-parse", "main")
    [birds, _] = found.differences
    assert birds.flags[0].message.endswith("private/mira/heron.md, which is private to mira")
    assert flags(vault.files.diff(PERSON, "main..proposal")) == TOLD
    assert flags(vault.files.diff(PERSON, "...proposal")) == TOLD
    assert flags(vault.files.diff(PERSON, "proposal", "main")) == []


def test_what_main_did_since_is_no_part_of_a_proposal_but_stands_beside_it(vault: Vault) -> None:
    vault.person.forget("Deploy window")
    branch(vault)
    vault.person.remember(WINDOW, title="When we deploy")
    found = vault.files.diff(PERSON, "main...proposal")
    assert [one.path for one in found.differences] == ["shared/birds.md", "shared/ops/window.md"]
    assert flags(found)[1:] == [("shared/ops/window.md", "contradiction", "notes/when-we-deploy.md")]
    # Of two points that lie where they lie, what neither of them holds is none of theirs.
    assert flags(vault.files.diff(PERSON, "main~1", "proposal"))[1:] == []


def test_an_agent_is_told_nothing_of_anothers_private_memories(vault: Vault) -> None:
    branch(vault)
    run_git(vault.root, "branch", "memory/akashi/birds", "proposal")  # what an agent may look at is its own
    assert flags(vault.files.diff(Scope("akashi"), "main...memory/akashi/birds")) == TOLD[1:]


def test_the_index_is_compared_and_not_the_files(vault: Vault) -> None:
    put(vault, "notes/deploy-window.md", (vault.root / "notes/deploy-window.md").read_text() + "\nMore.\n")
    put(vault, "new.md", f"token {TOKEN}\n")
    run_git(vault.root, "add", "new.md")
    put(vault, "new.md", "nothing secret\n")
    found = vault.files.diff(PERSON, staged=True)
    assert (found.older, found.newer) == ("HEAD", "staged")
    assert flags(found) == [("new.md", "secret", None)]
    run_git(vault.root, "rm", "--quiet", "--cached", "private/mira/heron.md")
    since = vault.files.diff(PERSON, "HEAD~1", staged=True)
    assert [(one.path, one.how.value) for one in since.differences] == [("new.md", "added")]
    with pytest.raises(UsageError, match="at most one commit"):
        vault.files.diff(PERSON, "HEAD", "main", staged=True)


def test_before_the_first_commit_all_that_is_staged_is_new(tmp_path: Path) -> None:
    Vault.create(tmp_path)
    put_file = tmp_path / "a.md"
    put_file.write_text("a\n")
    run_git(tmp_path, "add", "a.md")
    with Vault.open(tmp_path, clock=ToldClock(), ids=CountedIds()) as vault:
        found = vault.files.diff(PERSON, staged=True)
        assert [(one.path, one.how.value) for one in found.differences] == [("a.md", "added")]


def test_a_secret_is_told_and_shown_nowhere(vault: Vault) -> None:
    put(vault, "new.md", f"---\ntitle: {TOKEN}\napi_key: {TOKEN}\n---\nfirst\nkey {TOKEN}\n")
    found = vault.files.diff(PERSON)
    assert [(name, other) for _, name, other in flags(found)] == [("secret", None)] * 3
    assert {flag.line for flag in found.differences[0].flags} == {2, 3, 6}
    assert TOKEN not in repr(found)
    assert "+key [secret]" in found.differences[0].lines
    run_git(vault.root, "add", "new.md")
    run_git(vault.root, "commit", "--quiet", "--message", "oops")
    put(vault, "new.md", f"---\ntitle: T\n---\nfirst\nkey {TOKEN}\nmore\n")
    found = vault.files.diff(PERSON)
    assert flags(found) == []
    assert TOKEN not in repr(found)
    other = TOKENS["github-token"][0](Random(6))
    put(vault, "new.md", f"---\ntitle: T\n---\nfirst\nkey {other}\nmore\n")
    assert flags(vault.files.diff(PERSON)) == [("new.md", "secret", None)]


def test_lines_without_a_common_past_are_told_in_words(vault: Vault) -> None:
    run_git(vault.root, "checkout", "--quiet", "--orphan", "alone")
    run_git(vault.root, "commit", "--quiet", "--message", "alone")
    with pytest.raises(UsageError, match="no commit in common"):
        vault.files.diff(PERSON, "main...alone")


def test_a_memory_whose_title_has_dots_is_no_range(vault: Vault) -> None:
    vault.person.remember("text", title="to be continued")
    put(vault, "notes/v1..v2.md", "dots\n")
    found = vault.files.diff(PERSON, "notes/v1..v2.md")
    assert [one.path for one in found.differences] == ["notes/v1..v2.md"]
