"""Each line of a memory has the commit that brought it in, and the log tells who did what, and when."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.gitrun import Git
from tests.stand import ToldClock
from vault_memory.errors import MemoryNotFoundError
from vault_memory.model.blame import Blame
from vault_memory.model.namespace import PERSON, Scope
from vault_memory.surfaces.cli.app import main
from vault_memory.vault import Vault


def who(blame: Blame) -> dict[str, str | None]:
    """Who each line is of; `None` for what is in no commit."""
    return {
        line.text: (line.revision.agent or line.revision.author) if line.revision is not None else None
        for line in blame.lines
    }


def test_lines_of_text_and_front_matter_have_their_authors_over_renames_and_what_is_new_has_none(
    vault: Vault, root: Path, git: Git
) -> None:
    akashi = vault.agent("akashi")
    path = akashi.remember("Sell at seventy\n\nor never", title="Rule", namespace="ops").path
    vault.agent("mira").edit("Rule", importance=0.9)
    (root / "notes").mkdir()
    git(root, "mv", path, "notes/rule.md")
    git(root, "commit", "--quiet", "-m", "moved by hand")
    file = root / "notes/rule.md"
    file.write_bytes(file.read_bytes() + "or at évery one\r\n".encode())
    found = vault.history.blame(PERSON, "Rule")
    told = who(found)
    assert told["importance: 0.9"] == "mira"
    assert told["title: Rule"] == told["Sell at seventy"] == "akashi"
    assert told["or at évery one"] is None
    assert [line.number for line in found.lines] == list(range(1, len(file.read_text().splitlines()) + 1))
    assert [line.text for line in found.lines if line.front][-1] == "---"
    assert not [line for line in found.lines if line.front and line.text.startswith("Sell")]
    assert [line.committed for line in found.lines][-2:] == [True, False]


def test_a_file_that_is_in_no_commit_is_nobodys_and_one_that_is_gone_is_not_there(
    vault: Vault, root: Path
) -> None:
    (root / "new.md").write_bytes(b"one\r\ntwo\n")
    assert who(vault.history.blame(PERSON, "new.md")) == {"one": None, "two": None}
    (root / "empty.md").write_bytes(b"")
    assert vault.history.blame(PERSON, "empty.md").lines == ()
    with pytest.raises(MemoryNotFoundError):
        vault.history.blame(PERSON, "never")


def test_hostile_names_are_names(vault: Vault, root: Path, git: Git) -> None:
    for name in ("--all.md", 'a "quoted"\ttab.md', ":(exclude)x.md", "[a]*.md"):
        (root / name).write_bytes(b"line of it\n")
        git(root, "add", "-A")
        git(root, "commit", "--quiet", "-m", "hostile")
        assert who(vault.history.blame(PERSON, f"./{name}")) == {"line of it": "Test Person"}


def test_an_agent_is_told_nothing_of_a_commit_in_anothers_private_folder(
    vault: Vault, root: Path, git: Git
) -> None:
    path = vault.agent("mira").remember("a line that was private\n\nand one more", title="Safe").path
    (root / "shared").mkdir(exist_ok=True)
    git(root, "mv", path, "shared/safe.md")
    git(root, "commit", "--quiet", "-m", "shared now")
    found = vault.history.blame(Scope("akashi"), "shared/safe.md")
    assert {line.revision for line in found.lines} == {None}
    assert all(line.committed for line in found.lines)
    assert set(who(vault.history.blame(Scope("mira"), "shared/safe.md")).values()) == {"mira"}


def test_the_log_can_be_of_some_agents_and_of_some_time(vault: Vault, clock: ToldClock) -> None:
    akashi = vault.agent("akashi")
    akashi.remember("one", title="One", namespace="ops")
    vault.person.edit("One", importance=0.9)
    clock.move(days=3)
    akashi.edit("One", importance=0.2)

    def told(ref: str | None = None, **choice: object) -> list[str]:
        found = vault.history.log(PERSON, ref, **choice)  # type: ignore[arg-type]  # as a caller may
        return [f"{one.agent} {one.op}" for one in found]

    assert told() == told("One") == ["akashi edit", "None edit", "akashi remember"]
    assert told(source_agent="AKASHI") == ["akashi edit", "akashi remember"]
    assert told("One", source_agent="test person") == ["None edit"]
    assert told(since="2026-03-15") == ["akashi edit"]
    assert told("One", until="2026-03-15", source_agent=["akashi"]) == ["akashi remember"]
    assert told(source_agent="akashi", limit=1) == ["akashi edit"]


def test_the_command_shows_it_line_by_line_and_json_the_same(
    vault: Vault, root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (root / "plan.md").write_bytes(b"mine \x1b[31m\n")
    at = ["--vault", str(root), "blame"]
    assert main([*at, "plan.md"]) == 0
    [line] = capsys.readouterr().out.splitlines()
    assert line.startswith("   1") and "not committed" in line and "\x1b" not in line  # noqa: PT018 - one line
    vault.agent("akashi").remember("x", title="Rule", namespace="ops")
    assert main([*at, "Rule", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [one["agent"] for one in told["lines"]] == ["akashi"] * len(told["lines"])
    assert {one["op"] for one in told["lines"]} == {"remember"}
