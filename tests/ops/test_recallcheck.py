"""Recall checks on real vaults: what breaks one, what stands in its place, and when."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.ops.checked import (
    LONG,
    RISK,
    RULE,
    only,
    run,
    told,
    vault_of,
    vault_of_again,
)
from tests.stand import NOON, ToldClock
from vault_memory.errors import (
    ChecksFileError,
    UsageError,
    ValueFormatError,
)
from vault_memory.model.namespace import PERSON
from vault_memory.model.recallcheck.check import FILE
from vault_memory.vault import Vault


def test_a_check_holds_where_all_that_must_comes_back_and_nothing_that_must_not(tmp_path: Path) -> None:
    checks = """
- ask: NVDA risk
  first: 1
  must:
    - notes/risk.md
    - text: the gap   over NIGHT
  must_not:
    - notes/rota.md
    - text: phone
"""
    report = run(tmp_path, checks, {"notes/risk.md": RISK, "notes/rota.md": "Who carries the phone."})
    assert [result.holds for result in report.results] == [True]
    assert report.broken == ()
    assert report.notices == ("built the search index: there was no index yet",)


NAMES = ["notes/risk.md", "notes/risk", "risk", "The risk", "gap", "01K8ZQ4T7R3M5N9V2XW6Y0ABCD", "01k8zq4t"]


@pytest.mark.parametrize("name", NAMES)
def test_a_memory_is_named_as_everywhere_else(tmp_path: Path, name: str) -> None:
    note = f'---\nid: "01K8ZQ4T7R3M5N9V2XW6Y0ABCD"\ntitle: The risk\naliases: [gap]\n---\n{RISK}\n'
    report = run(tmp_path, f"- ask: NVDA risk\n  must: {name}\n", {"notes/risk.md": note})
    assert told(report) == []


def tightest(vault: Vault, query: str, *shown: str) -> int:
    """The least budget at which these are what the memories in the answer show of themselves."""
    return next(
        tokens
        for tokens in range(1, 1000)
        if [item.shown.value for item in vault.person.recall(query, max_tokens=tokens).items] == [*shown]
    )


def test_what_did_not_fit_is_told_with_its_place_and_what_stands_there(tmp_path: Path) -> None:
    files = {"notes/risk.md": RISK, "notes/rule.md": LONG.replace("risk", "rule")}
    with vault_of(tmp_path, None, files) as vault:
        room = tightest(vault, "NVDA risk", "whole")
        checks = f"- ask: NVDA risk\n  max_tokens: {room}\n  must: [notes/rule.md]\n"
        (tmp_path / FILE).write_text(checks, encoding="utf-8")
        report = vault.upkeep.checks.run(PERSON)
    broken = only(report)
    assert (broken.why.value, broken.path, broken.place) == ("did not fit", "notes/rule.md", 2)
    said = f"notes/rule.md did not fit into {room} tokens; place 2, score {broken.score:.2f}"
    assert told(report) == [said]
    [result] = report.results
    assert [item.hit.entry.path for item in result.in_place_of(broken)] == ["notes/risk.md"]


def test_what_is_shown_too_late_is_told_with_those_before_it(tmp_path: Path) -> None:
    checks = "- ask: NVDA risk\n  first: 1\n  must: [rule, {text: followed by a fall}]\n"
    report = run(tmp_path, checks, {"notes/risk.md": RISK, "notes/rule.md": RULE})
    [result] = report.results
    late, late_text = result.broken
    assert (late.why.value, late.place, late_text.place) == ("not among the first", 2, 2)
    assert told(report)[0].startswith("rule (notes/rule.md) is not the first; place 2, score 0.")
    assert told(report)[1].startswith('"followed by a fall" stands in notes/rule.md, which is not the first;')
    for one in result.broken:
        assert [item.hit.entry.path for item in result.in_place_of(one)] == ["notes/risk.md"]


def test_a_title_alone_does_not_count_as_the_memory_but_counts_as_a_leak(tmp_path: Path) -> None:
    with vault_of(tmp_path, None, {"notes/risk.md": LONG}) as vault:
        room = tightest(vault, "NVDA risk", "title")
        checks = f"- ask: NVDA risk\n  max_tokens: {room}\n  must: risk\n  must_not: risk\n"
        (tmp_path / FILE).write_text(checks, encoding="utf-8")
        report = vault.upkeep.checks.run(PERSON)
        with pytest.raises(UsageError, match="nothing comes back"):
            vault.upkeep.checks.add(PERSON, "NVDA", max_tokens=room)
    [result] = report.results
    assert [one.why.value for one in result.broken] == ["only its title is shown", "came back"]
    assert f"by its title alone, the rest did not fit into {room} tokens" in told(report)[0]


def test_a_text_that_is_cut_off_is_told_apart_from_one_that_is_nowhere(tmp_path: Path) -> None:
    other = "Rain fell on the roofs all day. " * 40
    note = f"A zebra crosses the street.\n\n{other}\n\n{other}\n\n{other}\n\n{LONG}\n"
    checks = "- ask: NVDA risk\n  max_tokens: 200\n  must: [{text: zebra crosses}, {text: no such words}]\n"
    cut, nowhere = told(run(tmp_path, checks, {"notes/risk.md": note}))
    assert cut.startswith('"zebra crosses" stands in notes/risk.md, which is shown without that part; ')
    assert nowhere == '"no such words" stands in no memory'


def test_of_the_memories_that_hold_a_text_the_nearest_is_named(tmp_path: Path) -> None:
    files = {"notes/a.md": "A zebra, and no more.", "notes/risk.md": RISK, "notes/rule.md": f"{LONG} zebra"}
    with vault_of(tmp_path, None, files) as vault:
        ranked = [hit.entry.path for hit in vault.person.search("NVDA risk").hits]
        checks = "- ask: NVDA risk\n  max_tokens: 75\n  must: [{text: zebra}]\n"
        (tmp_path / FILE).write_text(checks, encoding="utf-8")
        [said] = told(vault.upkeep.checks.run(PERSON))
    assert sorted(ranked) == ["notes/risk.md", "notes/rule.md"]
    assert said.startswith('"zebra" stands in notes/rule.md, which ')


FACTS: dict[str, tuple[str, dict[str, str], str]] = {
    "it does not match": (
        "- ask: NVDA\n  must: notes/rota.md\n",
        {"notes/rota.md": "Who carries the phone."},
        "notes/rota.md does not match the question",
    ),
    "it has expired": (
        "- ask: phone\n  must: notes/rota.md\n",
        {"notes/rota.md": "---\nexpires: 2026-03-01\n---\nWho carries the phone."},
        "notes/rota.md has expired",
    ),
    "it has expired and does not match": (
        "- ask: NVDA\n  must: notes/rota.md\n",
        {"notes/rota.md": "---\nexpires: 2026-03-01\n---\nWho carries the phone."},
        "notes/rota.md has expired",
    ),
    "the filter keeps it out": (
        "- ask: phone\n  filter: {tag: [ops, urgent]}\n  must: notes/rota.md\n",
        {"notes/rota.md": "---\ntags: ops\n---\nWho carries the phone."},
        "notes/rota.md is kept out by the filter",
    ),
    "it has no date": (
        "- ask: phone\n  filter: {since: 7d}\n  must: notes/rota.md\n",
        {"notes/rota.md": "Who carries the phone."},
        "notes/rota.md is kept out by the filter: it has no date",
    ),
    "another has the same text": (
        "- ask: phone\n  must: [notes/a.md, notes/b.md]\n",
        {"notes/a.md": LONG + "phone", "notes/b.md": LONG + "phone"},
        "notes/b.md has the same text as notes/a.md, which is shown",
    ),
    "it holds merge markers": (
        "- ask: phone\n  must: notes/rota.md\n",
        {"notes/rota.md": "<<<<<<< ours\nphone\n=======\nphones\n>>>>>>> theirs\n"},
        "notes/rota.md holds merge markers",
    ),
    "it scores too little": (
        "- ask: phone\n  min_score: 1\n  must: notes/rota.md\n",
        {"notes/rota.md": "Who carries the phone."},
        "notes/rota.md scores below the minimum",
    ),
    "no such memory": ("- ask: phone\n  must: rota\n", {}, "rota is not in the vault"),
    "nearly that name": (
        "- ask: phone\n  must: notes/rotta.md\n",
        {"notes/rota.md": "phone"},
        "notes/rotta.md is not in the vault (did you mean 'notes/rota.md'?)",
    ),
    "several of that name": (
        "- ask: phone\n  must: rota\n",
        {"notes/rota.md": "phone", "shared/rota.md": "phone"},
        "rota fits several memories: notes/rota.md, shared/rota.md",
    ),
    "another agent's": (
        "- ask: phone\n  as: akashi\n  must: private/mira/rota.md\n",
        {"private/mira/rota.md": "phone"},
        "private/mira/rota.md may not be read by akashi",
    ),
    "a text of another agent's": (
        "- ask: phone\n  as: akashi\n  must: [{text: zebra}]\n",
        {"private/mira/rota.md": "phone, zebra"},
        '"zebra" stands in private/mira/rota.md, which may not be read by akashi',
    ),
}


@pytest.mark.parametrize(("checks", "files", "fact"), FACTS.values(), ids=FACTS.keys())
def test_why_a_memory_is_not_there_is_said(
    tmp_path: Path, checks: str, files: dict[str, str], fact: str
) -> None:
    [said] = told(run(tmp_path, checks, files))
    assert said.partition(";")[0] == fact


def test_the_commit_that_removed_a_memory_is_named(tmp_path: Path) -> None:
    with vault_of(tmp_path, "- ask: phone\n  must: notes/rota.md\n", {"notes/b.md": "phone"}) as vault:
        vault.person.remember("Who carries the phone", title="Rota")
        gone = vault.person.forget("Rota")
        report = vault.upkeep.checks.run(PERSON)
    assert gone.commit is not None
    assert told(report) == [
        f"notes/rota.md is not in the vault since commit {gone.commit[:7]} (forget: Rota)"
    ]


def test_a_memory_that_is_gone_without_a_commit_is_not_said_to_be_gone_by_one(tmp_path: Path) -> None:
    with vault_of(tmp_path, "- ask: phone\n  must: notes/rota.md\n", {"notes/b.md": "phone"}) as vault:
        kept = vault.person.remember("Who carries the phone", title="Rota")
        (tmp_path / kept.path).unlink()
    with vault_of(tmp_path, None, {}) as vault:
        report = vault.upkeep.checks.run(PERSON)
    assert kept.commit is not None
    assert told(report) == [
        f"notes/rota.md is not in the vault any more; last in commit {kept.commit[:7]} (remember: Rota)"
    ]


def test_a_vault_without_git_is_checked_too(tmp_path: Path) -> None:
    with vault_of(tmp_path, "- ask: phone\n  must: notes/rota.md\n", {"notes/b.md": "phone"}):
        pass
    (tmp_path / ".git").rename(tmp_path.parent / "elsewhere.git")
    with vault_of_again(tmp_path) as vault:
        report = vault.upkeep.checks.run(PERSON)
    assert told(report) == ["notes/rota.md is not in the vault"]
    assert report.prefix == ""


def test_what_must_not_come_back_need_not_be_there_and_is_told_of(tmp_path: Path) -> None:
    report = run(tmp_path, "- ask: phone\n  must_not: gone\n", {"notes/b.md": "phone"})
    assert told(report) == []
    assert f"{FILE}:2: gone is not in the vault, so it can't come back" in report.notices


def test_notices_of_an_answer_name_its_check(tmp_path: Path) -> None:
    checks = "- ask: phone\n  must_not: x\n- ask: phone\n  filter: {tag: opss}\n  must_not: notes/b.md\n"
    report = run(tmp_path, checks, {"notes/b.md": "---\ntags: ops\n---\nphone"})
    assert f"{FILE}:3: no memory has the tag 'opss'; did you mean 'ops'?" in report.notices


FILTERS = {"an expression": "{tag: 'a and'}", "a time": "{since: soon}", "a folder": "{namespace: ../x}"}


@pytest.mark.parametrize("filter_", FILTERS.values(), ids=FILTERS.keys())
def test_a_filter_that_is_none_is_a_fault_of_the_file(tmp_path: Path, filter_: str) -> None:
    with pytest.raises(ChecksFileError) as caught:
        run(tmp_path, f"- ask: phone\n  filter: {filter_}\n  must: b\n", {"notes/b.md": "phone"})
    assert (caught.value.line, caught.value.exit_code) == (2, 65)


def test_only_the_checks_whose_question_holds_a_text_are_asked(tmp_path: Path) -> None:
    checks = "- ask: The Phone\n  must: b\n- ask: NVDA\n  must: b\n"
    with vault_of(tmp_path, checks, {"notes/b.md": "phone"}) as vault:
        asked = vault.upkeep.checks.run(PERSON, " phone ")
        with pytest.raises(UsageError, match="no check asks 'zebra'"):
            vault.upkeep.checks.run(PERSON, "zebra")
    assert [result.check.ask for result in asked.results] == ["The Phone"]


# Time.


def test_the_time_of_asking_can_be_told(tmp_path: Path) -> None:
    note = "---\nexpires: 2026-06-01\n---\nWho carries the phone."
    with vault_of(tmp_path, "- ask: phone\n  must: notes/rota.md\n", {"notes/rota.md": note}) as vault:
        checks = vault.upkeep.checks
        assert checks.run(PERSON).broken == ()
        later = checks.run(PERSON, now=datetime(2026, 6, 2, tzinfo=UTC))
        assert told(later) == ["notes/rota.md has expired"]
        assert checks.run(PERSON).broken == ()
        with pytest.raises(ValueFormatError):
            checks.run(PERSON, now=datetime(2026, 6, 2))  # noqa: DTZ001 - the fault under test


def test_a_check_that_time_breaks_is_broken_when_the_clock_says_so(tmp_path: Path) -> None:
    clock = ToldClock()
    note = "---\ncreated: 2026-03-14\nttl: 7d\n---\nWho carries the phone."
    checks = "- ask: phone\n  must: notes/rota.md\n"
    with vault_of(tmp_path, checks, {"notes/rota.md": note}, clock=clock) as vault:
        assert vault.upkeep.checks.run(PERSON).broken == ()
        clock.at = NOON + timedelta(days=8)
        assert told(vault.upkeep.checks.run(PERSON)) == ["notes/rota.md has expired"]
