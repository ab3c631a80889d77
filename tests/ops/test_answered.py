"""The same question gets the same answer, and no work, as long as nothing that it rests on has changed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from tests.stand import NOON, ToldClock
from vault_memory import compose
from vault_memory.adapters.answers import KeptAnswers
from vault_memory.model.hit import Strategy
from vault_memory.vault import Vault

ENDS = f"{NOON + timedelta(seconds=90):%Y-%m-%dT%H:%M:%SZ}"
NOTES = {
    "notes/heron.md": "---\nimportance: 0.6\n---\nThe staging server is called heron.\n",
    "notes/tern.md": "---\ncreated: 2026-03-01\n---\nThe build server is called tern.\n",
    "shared/ops/gull.md": f"---\nexpires: {ENDS}\n---\nA server.\n",
    "private/mira/secret.md": "The server that only Mira knows of is called avocet.\n",
    "private/akashi/own.md": "Akashi has a server of his own, the curlew.\n",
}


class Bench:
    """An open vault that keeps answers, and its clock."""

    def __init__(self, root: Path) -> None:
        Vault.create(root)
        for path, text in NOTES.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text, encoding="utf-8")
        self.root = root
        self.clock = ToldClock(NOON)
        # The files are looked at once: what changes later, an answer has to see by itself.
        flags = {"embedder": "none", "refresh_seconds": 3600.0}
        self.opened = compose.open_vault(root, flags=flags, clock=self.clock)
        self.opened.keep_answers()
        self.vault = Vault(self.opened)
        self.vault.index.refresh()


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    found = Bench(tmp_path / "memory")
    yield found
    found.vault.close()


def test_the_very_same_answer_comes_again(bench: Bench) -> None:
    person = bench.vault.person
    assert person.recall("server") is person.recall("server")
    assert person.search("server") is person.search("server")
    assert len(person.recall("server").hits) == 5


def test_where_none_are_kept_each_answer_is_another(bench: Bench) -> None:
    bench.opened.held = replace(bench.opened.held, answers=None)
    person = bench.vault.person
    assert person.recall("server") is not person.recall("server")
    assert person.recall("server") == person.recall("server")


def test_nobody_is_given_what_another_was_shown(bench: Bench) -> None:
    callers = [bench.vault.person, *map(bench.vault.agent, ("akashi", "mira", "aka"))]
    for _ in range(2):
        for caller in callers:
            allowed = {path for path in NOTES if caller.scope.may_read(path)}
            assert {hit.entry.path for hit in caller.recall("server").hits} == allowed
            assert {hit.entry.path for hit in caller.search("server").hits} == allowed
            assert ("avocet" in str(caller.recall("server"))) == (caller in (callers[0], callers[2]))


def test_another_question_is_another_answer(bench: Bench) -> None:
    person = bench.vault.person
    first = person.recall("server", max_tokens=500)
    others = [
        person.recall("server", max_tokens=60),
        person.recall("servers of ours", max_tokens=500),
        person.recall("server", max_tokens=500, strategy=Strategy.RECENCY),
        person.recall("server", max_tokens=500, min_score=0.5),
        person.recall("server", max_tokens=500, path="notes/"),
    ]
    assert all(one is not first for one in others)
    assert person.recall("server", max_tokens=500) is first
    assert person.recall("server", max_tokens=500, path="notes/") is others[-1]
    assert person.search("server", limit=1).hits != person.search("server", limit=2).hits


def test_other_weights_are_another_question(bench: Bench) -> None:
    first = bench.vault.person.search("server")
    bench.opened.weights = replace(bench.opened.weights, length=0.9)
    assert bench.vault.person.search("server") is not first


@pytest.mark.parametrize("verb", ["recall", "search"])
def test_a_change_of_any_memory_ends_it(bench: Bench, verb: str) -> None:
    def ask() -> object:
        return getattr(bench.vault.person, verb)("server")

    before = ask()
    (bench.root / "notes/new.md").write_text("A word of something else.\n", encoding="utf-8")
    bench.vault.index.refresh()
    assert ask() is not before


@pytest.mark.parametrize("verb", ["recall", "search"])
def test_a_file_that_it_shows_is_looked_at_before_it_is_given_again(bench: Bench, verb: str) -> None:
    def ask() -> str:
        hits = getattr(bench.vault.person, verb)("server heron").hits
        return " ".join(one.passage.text for hit in hits for one in hit.passages)

    assert "heron" in ask()
    (bench.root / "notes/heron.md").write_text("The staging server is called bittern.\n", encoding="utf-8")
    for _ in range(2):
        assert "heron" not in ask()
        assert "bittern" in ask()
    (bench.root / "notes/heron.md").unlink()
    for _ in range(2):
        assert "bittern" not in ask()


def test_within_a_minute_time_stands_still_and_then_goes_on(bench: Bench) -> None:
    person = bench.vault.person
    first = person.recall("tern")
    bench.clock.move(seconds=59)
    assert person.recall("tern") is first
    bench.clock.move(seconds=1)
    second = person.recall("tern")
    assert second is not first
    assert second.hits[0].parts.recency < first.hits[0].parts.recency
    bench.clock.move(seconds=40)
    later = person.recall("tern build")
    bench.clock.move(seconds=-20)
    assert person.recall("tern build") is not later, "it was made after this time"


def test_an_answer_ends_with_the_first_memory_in_it_that_does(bench: Bench) -> None:
    person = bench.vault.person
    bench.clock.move(seconds=60)
    shown = person.recall("server", path="shared/")
    elsewhere = person.recall("heron")
    assert [hit.entry.path for hit in shown.hits] == ["shared/ops/gull.md"]
    bench.clock.move(seconds=29)
    assert person.recall("server", path="shared/") is shown
    bench.clock.move(seconds=1)
    assert person.recall("server", path="shared/").hits == ()
    assert person.recall("heron") is elsewhere, "it shows nothing that ends"


def test_a_day_begins_with_a_minute(bench: Bench) -> None:
    person = bench.vault.person
    bench.clock.at = NOON.replace(hour=23, minute=59, second=59)
    before = str(person.recall("tern"))
    bench.clock.move(seconds=1)
    assert str(person.recall("tern")) != before


def test_what_a_filter_holds_back_is_counted_anew(bench: Bench) -> None:
    person = bench.vault.person
    held = person.recall("server", where="status = open")
    assert held.filtered_out
    assert person.recall("server", where="status = open") is not held
    timed = person.recall("server", since="2026-01-01")
    assert person.recall("server", since="2026-01-01") is not timed


def test_words_to_the_caller_are_part_of_the_question(bench: Bench) -> None:
    told: list[tuple[str, ...]] = [()]
    vault = Vault(bench.opened, vouched=lambda: told[0])
    plain = vault.person.recall("server")
    told[0] = ("the index is being brought up to the files",)
    assert vault.person.recall("server").notices == told[0]
    told[0] = ()
    assert vault.person.recall("server") is plain


# Where they are kept


def test_the_last_asked_for_stay() -> None:
    kept = KeptAnswers(most_bytes=100, most=3)
    for name in "abc":
        kept.keep(name, name.upper(), 10)
    assert kept.get("a") == "A"
    kept.keep("d", "D", 10)
    assert [kept.get(name) for name in "abcd"] == ["A", None, "C", "D"]
    kept.keep("e", "E", 85)
    assert [kept.get(name) for name in "acde"] == [None, None, "D", "E"]
    kept.keep("f", "F", 101)
    assert [kept.get(name) for name in "def"] == ["D", "E", None]
    kept.keep("e", "new", 5)
    kept.keep("g", "G", 85)
    assert [kept.get(name) for name in "deg"] == ["D", "new", "G"]
