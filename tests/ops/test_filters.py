"""Filters in search, recall and list: nothing that fits is lost, nothing of others is told."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.ops.test_meaning_within_scope import ThreeAxes
from tests.stand import NOON, ToldClock
from vault_memory.adapters.indexes.sqlite.backend import SqliteIndex
from vault_memory.agent import Agent
from vault_memory.compose import open_vault
from vault_memory.errors import UsageError
from vault_memory.model.ask import Ask
from vault_memory.model.filters.choice import filter_from
from vault_memory.model.memory import Entry
from vault_memory.model.namespace import PERSON, Scope
from vault_memory.ops.rank import NEAREST, POOL, rank
from vault_memory.ops.refresh import refresh
from vault_memory.vault import Vault


def write(root: Path, path: str, header: str, body: str = "") -> None:
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    text = body or f"the heron of {path}"
    file.write_text(f"---\n{header}\n---\n{text}\n", encoding="utf-8")


def paths(found: Any) -> set[str]:
    return (
        {str(one.path) for one in found}
        if isinstance(found, list)
        else {hit.entry.path for hit in found.hits}
    )


def test_what_does_not_fit_takes_no_place_from_what_does_among_words(vault: Vault) -> None:
    best = [{"text": f"heron heron heron {number}", "tags": ["loud"]} for number in range(POOL + 50)]
    vault.person.remember_many([*best, {"text": "among many other words one heron", "tags": ["quiet"]}])
    [hit] = vault.person.search("heron", tag="quiet").hits
    assert hit.entry.tags == ("quiet",)
    [hit] = vault.person.recall("heron", tag="not loud").hits
    assert hit.entry.tags == ("quiet",)


def test_what_does_not_fit_takes_no_place_from_what_does_among_meanings(tmp_path: Path, root: Path) -> None:
    with Vault.open(root, clock=ToldClock()) as vault:
        vault.person.remember_many([f"kitten number {n}" for n in range(NEAREST + 50)])
        own = vault.person.remember("the feline in the rain", title="Door", tags=["quiet"])
    opened = open_vault(root, clock=ToldClock(NOON + timedelta(hours=1)))
    index = SqliteIndex.open(tmp_path / "index.db", embedder_id="three-axes")
    ports = replace(opened.ports, index=index, embedder=ThreeAxes())
    refresh(ports, ZoneInfo("UTC"), wait=1.0)
    quiet = filter_from({"tag": "quiet"}, folder=None, now=NOON, zone=ZoneInfo("UTC"), inline_tags=True)
    found = rank(ports, PERSON, Ask("cat", filter=quiet), now=NOON)
    assert [hit.entry.path for hit in found.hits] == [own.path]
    index.close()
    opened.close()


def test_nothing_found_is_told_apart_from_nothing_that_fits(vault: Vault) -> None:
    vault.person.remember_many([{"text": f"heron {number}", "tags": ["a"]} for number in range(3)])
    assert vault.person.search("heron", tag="b").filtered_out == 3
    assert vault.person.search("bittern", tag="b").filtered_out == 0
    assert vault.person.search("heron", tag="a").filtered_out == 0
    recalled = vault.person.recall("heron", tag="b")
    assert recalled.filtered_out == 3
    assert str(recalled) == 'No stored notes on "heron" pass the filter (3 match the words without it, of 3).'
    assert str(vault.person.recall("bittern", tag="b")) == 'No stored notes on "bittern" (0 of 3).'


def test_what_has_expired_is_not_counted_as_filtered_out(vault: Vault, root: Path) -> None:
    write(root, "old.md", "expires: 2026-01-01")
    write(root, "new.md", "tags: [a]")
    assert vault.person.search("heron", tag="b").filtered_out == 1
    assert vault.person.list(tag="b").total == 0


ASK: dict[str, Callable[[Agent], Any]] = {
    "search": lambda agent: agent.search("heron", since="2026-03-01"),
    "recall": lambda agent: agent.recall("heron", since="2026-03-01"),
    "list": lambda agent: agent.list(since="2026-03-01"),
}


@pytest.mark.parametrize("ask", ASK.values(), ids=ASK.keys())
def test_since_says_how_many_it_leaves_out_for_want_of_a_date(
    vault: Vault, root: Path, ask: Callable[[Agent], Any]
) -> None:
    write(root, "created.md", "created: 2026-03-02")
    write(root, "updated.md", "created: 2020-01-01\nupdated: 2026-03-03")
    write(root, "2026-03-04.md", "kind: evidence")
    write(root, "before.md", "created: 2026-02-28")
    write(root, "undated.md", "kind: evidence")
    write(root, "private/mira/undated.md", "kind: evidence")
    found = ask(vault.agent("akashi"))
    assert paths(found) == {"created.md", "updated.md", "2026-03-04.md"}
    assert found.notices[-1].startswith("1 memory without a date was left out")
    assert ask(vault.person).notices[-1].startswith("2 memories without a date were left out")


def test_the_undated_are_counted_among_all_that_match_though_the_first_are_enough(
    vault: Vault, root: Path
) -> None:
    vault.person.remember_many([f"heron heron {number}" for number in range(POOL + 20)])
    write(root, "undated.md", "kind: evidence", "one heron among many more words")
    assert "1 memory without a date" in vault.person.search("heron", since="1d").notices[-1]


def test_a_date_is_a_day_of_the_vaults_zone(root: Path) -> None:
    write(root, "late.md", "created: 2026-03-13T23:30:00Z")
    for zone, day in (("UTC", "2026-03-13"), ("Europe/Berlin", "2026-03-14")):
        with Vault.open(root, clock=ToldClock(), settings={"timezone": zone}) as vault:
            assert paths(vault.person.list(since=day, until=day)) == {"late.md"}
            assert paths(vault.person.list(where=f"created={day}")) == {"late.md"}


def test_tags_in_the_text_count_where_the_vault_says_so(root: Path) -> None:
    write(root, "a.md", "kind: evidence", "the heron #ops")
    for counts in (True, False):
        with Vault.open(root, clock=ToldClock(), settings={"inline_tags": counts}) as vault:
            [entry] = vault.person.list()
            expected = {"a.md"} if counts and entry.inline_tags else set()
            assert paths(vault.person.list(tag="ops")) == expected
            assert paths(vault.person.search("heron", tag="ops")) == expected


CHOICES_OF_A_SPY: tuple[dict[str, Any], ...] = (
    {"tag": "heist"}, {"tag": "heis"}, {"tag": "not fair"}, {"kind": "sekrit"}, {"kind": "sekri"},
    {"source_agent": "mira"}, {"where": "safe=blue"}, {"where": "saf"}, {"path": "private/mira/"},
    {"namespace": "private/mira"}, {"since": "2020"}, {"until": "today", "tag": "heist"},
    {"where": "path~mira"}, {"tag": "zzz"}, {"kind": "zzz", "source_agent": "zzz", "where": "zzz"},
)  # fmt: skip


def test_no_filter_tells_an_agent_of_anothers_private_notes(tmp_path: Path) -> None:
    answers: list[list[object]] = []
    for name in ("with", "without"):
        root = Vault.create(tmp_path / name).root
        write(root, "shared/x.md", "kind: evidence\ntags: [fair]")
        if name == "with":
            header = "kind: sekrit\ntags: [heist]\nsource_agent: mira\nsafe: blue\ncreated: 2026-03-01"
            write(root, "private/mira/plan.md", header)
            write(root, "private/mira/undated.md", "tags: [heist]")
        with Vault.open(root, clock=ToldClock()) as vault:
            akashi = vault.agent("akashi")
            akashi.list()
            answers.append([])
            for choice in CHOICES_OF_A_SPY:
                found, recalled = akashi.search("heron", **choice), akashi.recall("heron", **choice)
                listed = akashi.list(**choice)
                answers[-1] += [
                    found.filtered_out,
                    found.dropped,
                    found.considered,
                    found.notices,
                    paths(found),
                ]
                answers[-1] += [recalled.filtered_out, recalled.omitted, recalled.notices, str(recalled)]
                answers[-1] += [listed.total, listed.notices, paths(listed)]
    for hidden, absent in zip(*answers, strict=True):
        assert hidden == absent


def test_a_name_that_no_memory_has_is_told(vault: Vault) -> None:
    vault.person.remember("heron", tags=["trading"], kind="evidence", extra={"bandgap": "1.5"})
    found = vault.person.search("heron", tag="tradng", kind="decison", where="bandgp>1")
    assert found.notices == (
        "no memory is of kind 'decison'; kinds met: evidence",
        "no memory has the tag 'tradng'; did you mean 'trading'?",
        "no memory has the key 'bandgp'; did you mean 'bandgap'?",
    )
    assert vault.person.list(kind=["evidence", "odd"]).notices == (
        "no memory is of kind 'odd'; kinds met: evidence",
    )
    assert vault.person.list(kind=["evidence", "decision"]).notices == ()


def test_a_list_has_an_order_and_a_limit(vault: Vault, root: Path) -> None:
    write(root, "b.md", "title: alpha\nimportance: 0.2\ncreated: 2026-03-01\nupdated: 2026-03-09")
    write(root, "a.md", "title: Beta\nimportance: 0.9\ncreated: 2026-03-02")
    write(root, "c.md", "title: Ça va\nimportance: 0.5")
    orders = {sort: [entry.path for entry in vault.person.list(sort=sort)] for sort in
              ("path", "title", "importance", "updated", "created")}  # fmt: skip
    assert orders == {
        "path": ["a.md", "b.md", "c.md"],
        "title": ["b.md", "a.md", "c.md"],
        "importance": ["a.md", "c.md", "b.md"],
        "updated": ["b.md", "a.md", "c.md"],
        "created": ["a.md", "b.md", "c.md"],
    }
    few = vault.person.list(limit=1, sort="importance")
    assert ([entry.path for entry in few], few.total) == (["a.md"], 3)


WRONG: dict[str, Callable[[Agent], object]] = {
    "query": lambda agent: agent.search(5),  # type: ignore[arg-type]
    "query of recall": lambda agent: agent.recall(None),  # type: ignore[arg-type]
    "limit": lambda agent: agent.search("x", limit="3"),  # type: ignore[arg-type]
    "a flag for limit": lambda agent: agent.search("x", limit=True),
    "max_tokens": lambda agent: agent.recall("x", max_tokens=3.5),  # type: ignore[arg-type]
    "min_score": lambda agent: agent.search("x", min_score="0.5"),  # type: ignore[arg-type]
    "strategy": lambda agent: agent.recall("x", strategy=5),  # type: ignore[arg-type]
    "tag": lambda agent: agent.search("x", tag=5),  # type: ignore[arg-type]
    "namespace": lambda agent: agent.list(namespace=5),  # type: ignore[arg-type]
    "unknown": lambda agent: agent.search("x", tags=["a"]),  # type: ignore[call-arg]
    "unknown to list": lambda agent: agent.list(kinds="a"),  # type: ignore[call-arg]
    "sort": lambda agent: agent.list(sort="size"),
    "limit of a list": lambda agent: agent.list(limit=0),
}


@pytest.mark.parametrize("ask", WRONG.values(), ids=WRONG.keys())
def test_a_wrong_argument_is_a_usage_error_that_says_what_it_takes(
    vault: Vault, ask: Callable[[Agent], object]
) -> None:
    with pytest.raises(UsageError) as caught:
        ask(vault.person)
    assert caught.value.hint


def test_an_argument_that_is_misspelt_is_told_with_the_right_one(vault: Vault) -> None:
    with pytest.raises(UsageError) as caught:
        vault.person.search("x", tags=["a"])  # type: ignore[call-arg]
    assert (caught.value.message, caught.value.hint) == ("there is no argument 'tags'", "did you mean 'tag'?")


HEADERS = st.fixed_dictionaries(
    {},
    optional={
        "tags": st.sampled_from(["[a]", "[b]", "[a, b]", "[a/x]"]),
        "kind": st.sampled_from(["decision", "evidence"]),
        "n": st.sampled_from(["1", "2.5", "x", "2026-03-01"]),
        "created": st.sampled_from(["2026-01-01", "2026-03-01", "2026-03-14"]),
    },
)
CHOICES = st.fixed_dictionaries(
    {},
    optional={
        "tag": st.sampled_from(["a", "not a", "a and b", "a or not b"]),
        "kind": st.sampled_from(["decision", "decision,evidence"]),
        "where": st.sampled_from(["n>1", "n<=2.5 or kind=evidence", "not n", "n!=x", "n=2026-03"]),
        "since": st.sampled_from(["2026-02", "13d"]),
        "until": st.sampled_from(["2026-03-13", "today"]),
        "path": st.sampled_from(["*1.md", "shared/"]),
    },
)


@settings(max_examples=15, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
@given(st.lists(HEADERS, min_size=1, max_size=12), st.lists(CHOICES, min_size=5, max_size=8))
def test_search_recall_and_list_find_what_a_look_at_each_memory_finds(
    tmp_path_factory: pytest.TempPathFactory, headers: list[dict[str, str]], choices: list[dict[str, str]]
) -> None:
    root = Vault.create(tmp_path_factory.mktemp("brute")).root
    for number, header in enumerate(headers):
        place = ("shared", "notes", "private/mira")[number % 3]
        lines = "\n".join(f"{key}: {value}" for key, value in header.items()) or "x: y"
        write(root, f"{place}/m{number}.md", lines, f"the heron number {number}")
    with Vault.open(root, clock=ToldClock()) as vault:
        entries: list[Entry] = list(vault.person.list())
        for choice in choices:
            wanted = filter_from(choice, folder=None, now=NOON, zone=ZoneInfo("UTC"), inline_tags=True)
            for agent in (vault.person, vault.agent("akashi")):
                scope: Scope = agent.scope
                fit = {one.path for one in entries if wanted.matches(one) and scope.may_read(one.path)}
                assert paths(agent.list(**choice)) == fit  # type: ignore[arg-type]
                assert paths(agent.search("heron", limit=50, **choice)) == fit  # type: ignore[arg-type]
                recalled = agent.recall("heron", max_tokens=100_000, **choice)  # type: ignore[arg-type]
                doubles = {one.entry.path for one in recalled.omitted}
                assert paths(recalled) | doubles == fit
