"""Every answer of recall leaves a trace on this machine, through whatever door, and nothing else does."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import apsw
import pytest

from tests.cases.doors import Case, Door
from vault_memory.adapters.files.local import LOCAL
from vault_memory.adapters.uses.tracefile import TraceFile
from vault_memory.live.handle import LiveVault
from vault_memory.model.uses import Use
from vault_memory.surfaces.mcp.reach import ByItself
from vault_memory.vault import Vault

QUESTION = "what is a persimmon of the marmalade recipe"


def place(root: Path) -> Path:
    return root / LOCAL / "uses.db"


def traced(root: Path) -> list[Use]:
    return list(TraceFile(place(root)).since(None))


def paths(use: Use) -> list[str]:
    return [one.path for one in use.memories]


def stats(case: Case, *argv: str) -> Mapping[str, Any]:
    value: Mapping[str, Any] = case.vmem("stats", "--uses", "--json", *argv).value
    return value


def test_each_recall_is_noted_with_what_it_gave(door: Door, filled: Case) -> None:
    door.recall("persimmon", agent="akashi")
    door.recall("nothing at all is known of zeppelins")
    first, second = traced(filled.root)
    assert (first.agent, first.door, first.session) == ("akashi", "recall", None)
    assert set(paths(first)) == {"note.md", "shared/ops/persimmon-of-an-agent.md"}
    assert first.tokens > 0
    assert (second.agent, paths(second)) == (None, [])


def test_neither_the_question_nor_the_text_of_a_memory_is_in_the_file(door: Door, filled: Case) -> None:
    door.recall(QUESTION)
    [use] = traced(filled.root)
    assert use.memories
    content = place(filled.root).read_bytes()
    assert b"marmalade" not in content
    assert b"persimmon of a person" not in content


def test_other_verbs_leave_no_trace(filled: Case) -> None:
    for argv in (
        ["search", "persimmon"],
        ["show", "note.md"],
        ["list"],
        ["stats"],
        ["status"],
        ["stats", "--uses"],
    ):
        assert filled.vmem(*argv).code == 0
    assert not place(filled.root).exists()


def test_what_was_only_looked_at_was_not_recalled(filled: Case) -> None:
    assert filled.vmem("recall", "persimmon", "--at", "HEAD").code == 0
    assert filled.vmem("remember", "a kaki", "--propose=p", "--agent", "akashi").code == 0
    assert "kaki" in filled.vmem("recall", "kaki", "--proposals", "--agent", "akashi").out
    assert filled.vmem("recall", "persimmon", "--reviewed").code == 0
    assert filled.vmem("check", "--write", "persimmon").code == 0
    assert filled.vmem("check").code == 0
    assert filled.vmem("bisect", "persimmon", "--expect", "shared/ops/persimmon-of-an-agent.md").code == 0
    assert not place(filled.root).exists()


def test_a_vault_kept_open_notes_cached_answers_too_and_what_one_handle_notes_the_other_knows(
    filled: Case,
) -> None:
    with LiveVault(filled.root, clock=filled.clock) as live:
        way = ByItself(live, "akashi")
        with live.warming() as vault:
            vault.person.recall("warm up")
        answers = [way.ask("recall", {"query": "persimmon"}).value["text"] for _ in range(3)]
        assert len(set(answers)) == 1
        with live.writing() as vault:
            found = vault.overview.traces.usage(vault.agent("akashi").scope)
            assert (found.answers, found.hits) == (3, 3)
    assert [use.agent for use in traced(filled.root)] == ["akashi"] * 3


def test_a_proposing_agents_recall_leaves_no_trace(filled: Case) -> None:
    with (
        Vault.open(filled.root, clock=filled.clock, ids=filled.ids) as vault,
        vault.agent("akashi").propose("p") as proposal,
    ):
        assert proposal.recall("persimmon").hits
    assert list(filled.root.rglob("uses.db")) == []


def test_with_the_setting_off_nothing_is_written_and_stats_say_so(
    filled: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VMEM_TRACES", "false")
    assert filled.vmem("recall", "persimmon").code == 0
    assert not place(filled.root).exists()
    assert "the setting traces is off" in filled.vmem("stats", "--uses").out
    assert stats(filled)["traces"] is False


def test_a_vaults_own_file_can_not_set_it(filled: Case) -> None:
    with (filled.root / ".vmem" / "config.toml").open("a") as file:
        file.write("traces = false\n")
    assert filled.vmem("recall", "persimmon").code == 78


def test_an_agent_is_told_of_its_own_answers_and_of_no_other(filled: Case) -> None:
    filled.vmem("remember", "persimmon of akashi alone", "--agent=akashi", "--title=Secret persimmon")
    for agent in (["--agent", "akashi"], ["--agent", "aka"], []):
        assert filled.vmem("recall", "persimmon", *agent).code == 0
    assert stats(filled)["answers"] == 3
    own, other = (stats(filled, "--agent", name) for name in ("akashi", "aka"))
    assert own["answers"] == other["answers"] == 1
    assert "Secret" in json.dumps(own)
    assert "Secret" not in json.dumps(other)
    denied = filled.vmem("stats", "--forget-uses", "--agent", "aka")
    assert denied.code == 77
    assert len(traced(filled.root)) == 3


def test_the_count_follows_a_move_and_what_was_removed_is_told_as_a_number(filled: Case) -> None:
    filled.vmem("recall", "persimmon")
    assert filled.vmem("move", "shared/ops/persimmon-of-an-agent.md", "shared/fruit/").code == 0
    assert filled.vmem("forget", "note.md").code == 0
    found = stats(filled)
    assert [(one["path"], one["answers"]) for one in found["most"]] == [
        ("shared/fruit/persimmon-of-an-agent.md", 1)
    ]
    assert (found["removed"], found["never"]) == (1, 0)
    assert "1 memory that was given is no longer there" in filled.vmem("stats", "--uses").out


def test_a_window_chooses_answers_and_a_filter_memories(filled: Case) -> None:
    filled.vmem("recall", "persimmon")
    filled.clock.move(days=10)
    filled.vmem("recall", "zeppelins")
    assert stats(filled)["answers"] == 2
    assert stats(filled, "--since", "2d")["answers"] == 1
    assert stats(filled, "--until", "2d")["hits"] == 1
    assert len(stats(filled, "--namespace", "ops")["most"]) == 1
    assert [one["day"] for one in stats(filled)["days"]] == ["2026-03-14", "2026-03-24"]


def test_the_numbers_of_a_vault_tell_what_was_given_lately(filled: Case) -> None:
    assert "given in the last" not in filled.vmem("stats").out
    filled.vmem("recall", "persimmon")
    filled.vmem("recall", "nothing at all is known of zeppelins")
    lately = "given in the last 30 days\n  2 answers, 50% gave memories\n"
    assert lately in filled.vmem("stats").out
    assert lately not in filled.vmem("stats", "--namespace", "ops").out, "it is of all memories"
    assert "answers" not in filled.vmem("stats", "--json").value
    filled.clock.move(days=31)
    assert "given in the last" not in filled.vmem("stats").out


def test_forgetting_leaves_the_memories_and_no_trace(filled: Case) -> None:
    before = filled.files()
    for _ in range(2):
        filled.vmem("recall", "persimmon")
    assert filled.vmem("stats", "--forget-uses", "--json").value == {"forgotten": 2}
    assert traced(filled.root) == []
    assert filled.vmem("stats", "--forget-uses").out == "✔ forgotten: what was noted of 0 answers\n"
    assert filled.files() == before


def test_traces_survive_a_rebuilt_index_and_are_in_no_score(filled: Case) -> None:
    def scores() -> list[tuple[str, float]]:
        found = filled.vmem("recall", "persimmon", "--json").value
        return [(one["path"], one["score"]) for one in found["memories"]]

    first = scores()
    for _ in range(5):
        assert scores() == first
    assert filled.vmem("reindex").code == 0
    assert scores() == first
    assert len(traced(filled.root)) == 7


def test_git_sees_nothing_of_them(filled: Case) -> None:
    filled.vmem("recall", "persimmon")
    status = subprocess.run(
        ["git", "status", "--porcelain", "--untracked-files=all"], cwd=filled.root, capture_output=True,
        text=True, check=True,
    )  # fmt: skip
    assert "uses.db" not in status.stdout


@pytest.mark.parametrize("trouble", ["locked", "folder", "damaged"])
def test_an_answer_comes_whatever_is_the_matter_with_the_traces(
    door: Door, filled: Case, trouble: str
) -> None:
    file = place(filled.root)
    held = None
    if trouble == "locked":
        assert door.recall("persimmon").code == 0
        held = apsw.Connection(str(file))
        held.execute("BEGIN EXCLUSIVE")
    elif trouble == "folder":
        file.mkdir()
    else:
        file.write_bytes(os.urandom(5_000))
    said = door.recall("persimmon")
    assert (said.code, len(said.value["memories"])) == (0, 2)
    if held is not None:
        held.close()
    shown = filled.vmem("stats", "--uses")
    assert (shown.code, shown.err) == (0, "")
