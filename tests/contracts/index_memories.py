"""What every index promises of the memories that it gives back."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest

from tests.contracts.index_values import (
    AT,
    entry_of,
    paths,
    places,
    upsert,
)
from vault_memory.model.memory import Finding, Link
from vault_memory.model.namespace import PERSON, Namespace, Scope, VaultPath
from vault_memory.model.textkey import text_key
from vault_memory.ports import Index


class MemoriesContract:
    """Entries, scopes, links, findings."""

    def test_an_entry_comes_back_as_it_was(self, index: Index) -> None:
        away = timezone(timedelta(hours=-7, minutes=-30))
        change = upsert(
            "shared/m/ü.md", "text", id="01K8zQ", title="Größe 重启 🙂\x00 'x' \"y\"", importance=0.9,
            tags=("a", "b'c", "日本"), kind="semantic", pinned=True, source_agent="akashi", created=AT,
            updated=AT.astimezone(away), dated=datetime(1, 1, 1, tzinfo=UTC),
            expires=datetime(9999, 12, 31, 23, 59, 59, 999999, tzinfo=UTC), conflicted=True,
            front={"z": "1.10", "a": ["x", ["y"]], "m": {"k": {"n": ""}}, "no": "no", "e": [], "u": "\ud800"},
        )  # fmt: skip
        index.apply([change])
        found = index.entry(VaultPath("shared/m/ü.md"))
        assert found == entry_of(change)
        assert found is not None
        assert list(found.front) == ["z", "a", "m", "no", "e", "u"]
        assert index.entries(PERSON) == [found]
        (passage,) = index.passages_of(VaultPath("shared/m/ü.md"))
        assert index.entries_of([passage.number]) == {passage.number: found}

    def test_times_beyond_the_calendar_in_utc_are_held_to_its_ends(self, index: Index) -> None:
        east, west = timezone(timedelta(hours=14)), timezone(timedelta(hours=-12))
        early, late = datetime(1, 1, 1, tzinfo=east), datetime(9999, 12, 31, 23, tzinfo=west)
        index.apply([upsert("a.md", "x", created=early, expires=late)])
        found = index.entry(VaultPath("a.md"))
        assert found is not None
        assert found.created == datetime.min.replace(tzinfo=UTC)
        assert found.expires == datetime.max.replace(tzinfo=UTC)

    def test_halves_of_characters_are_no_obstacle(self, index: Index) -> None:
        index.apply(
            [upsert("a.md", "half \ud83d there", title="\ud800", id="\udfff", links=(Link("\ud800", 1),))]
        )
        found = index.entry(VaultPath("a.md"))
        assert found is not None
        assert found.title == "\N{REPLACEMENT CHARACTER}"
        assert places(index, "there") == {("a.md", 0): (1, 0)}
        assert index.find(PERSON, title="\udc80", id_prefix="\udc80") == [found]
        assert index.entry(VaultPath("\udc80")) is None

    def test_a_text_of_megabytes_comes_back_whole(self, index: Index) -> None:
        text = "risk 重启 " * 300_000
        index.apply([upsert("a.md", text, front={"k": text})])
        assert index.passages_of(VaultPath("a.md"))[0].passage.text == text
        assert places(index, "重启") == {("a.md", 0): (300_000, 0)}

    def test_the_passages_of_a_memory_are_numbered_on_and_know_how_many_they_are(self, index: Index) -> None:
        index.apply([upsert("a.md", "one", "two", "three"), upsert("b.md", "four")])
        index.apply([upsert("a.md", "one", "two", "three", "five")])
        passages = index.passages_of(VaultPath("a.md"))
        first = passages[0].number
        assert [(one.number, one.passage.ordinal, one.among) for one in passages] == [
            (first + at, at, 4) for at in range(4)
        ]
        numbers = [passages[2].number, passages[0].number, passages[2].number, 10_000]
        assert index.passages(numbers) == {one.number: one for one in (passages[0], passages[2])}
        assert index.passages(iter([])) == {}

    def test_entries_come_in_path_order_and_only_from_below_the_folder(self, index: Index) -> None:
        names = [
            "z.md",
            "a/b.md",
            "a-b/c.md",
            "a/b/c.md",
            "ab.md",
            "a0/x.md",
            "A/x.md",
            "%/x.md",
            "_/x.md",
            "ä/x.md",
        ]
        index.apply([upsert(name, "x") for name in names])
        assert paths(index.entries(PERSON)) == sorted(names)
        assert paths(index.entries(PERSON, under=Namespace("a"))) == ["a/b.md", "a/b/c.md"]
        assert paths(index.entries(PERSON, under=Namespace("%"))) == ["%/x.md"]
        assert paths(index.entries(PERSON, under=Namespace("_"))) == ["_/x.md"]
        assert paths(index.entries(PERSON, under=Namespace("nowhere"))) == []
        assert paths(index.entries(PERSON, under=Namespace(""))) == sorted(names)

    def test_what_ends_by_a_time_is_found_in_path_order_within_the_scope(self, index: Index) -> None:
        tick = timedelta(microseconds=1)
        index.apply(
            [
                upsert("z.md", "x", expires=AT - timedelta(days=9)),
                upsert("a.md", "x", expires=AT),
                upsert("b.md", "x", expires=AT + tick),
                upsert("c.md", "x"),
                upsert("private/akashi/d.md", "x", expires=AT),
                upsert("private/mira/e.md", "x", expires=AT.astimezone(timezone(timedelta(hours=13)))),
            ]
        )
        every = ["a.md", "private/akashi/d.md", "private/mira/e.md", "z.md"]
        assert paths(index.expired(PERSON, AT)) == every
        assert paths(index.expired(Scope("akashi"), AT)) == ["a.md", "private/akashi/d.md", "z.md"]
        assert paths(index.expired(PERSON, AT - tick)) == ["z.md"]
        assert index.expired(PERSON, AT)[0] == index.entry(VaultPath("a.md"))

    @pytest.mark.parametrize("agent", [None, "aka", "akashi", "mira", ""])
    def test_every_list_holds_what_the_scope_may_read_and_no_more(
        self, index: Index, agent: str | None
    ) -> None:
        names = [
            "notes/a.md", "shared/m/a.md", "private/akashi/a.md", "private/akashi/sub/a.md", "a.md",
            "private/akashi.md", "private/aka/a.md", "Private/akashi/a.md", "PRIVATE/mira/a.md",
            "private/mira/2026-01/a.md", "x/private/mira/a.md", "privates/mira/a.md",
        ]  # fmt: skip
        fault = Finding("VM012", "", 3, "broken")
        index.apply(
            [
                upsert(name, "x", title="Same", id=f"01K8{at}", findings=(replace(fault, path=name),))
                for at, name in enumerate(names)
            ]
        )
        scope = Scope(agent)
        readable = sorted(name for name in names if scope.may_read(name))
        assert paths(index.entries(scope)) == readable
        assert index.count(scope) == index.count(scope) == len(readable)
        assert index.corpus(scope).count == len(readable)
        inside = [index.corpus(scope).within(one) for one in index.postings(["x"])]
        assert [one.passages.size for one in inside] == [len(readable)]
        assert paths(index.find(scope, title="same")) == readable
        assert paths(index.find(scope, id_prefix="01k8")) == readable
        assert paths(index.find(scope, id_prefix="01k8", title="same")) == readable
        assert [found.path for found in index.findings(scope)] == readable
        below = [name for name in readable if name.startswith("private/")]
        assert paths(index.entries(scope, under=Namespace("private"))) == below

    def test_an_id_prefix_is_literal_and_its_case_does_not_count(self, index: Index) -> None:
        ids = {
            "a.md": "01K8ZQ4T",
            "b.md": "01K8ZR77",
            "c.md": "01k9",
            "d.md": "0_K8",
            "e.md": "%",
            "f.md": None,
        }
        index.apply([upsert(path, "x", id=id_) for path, id_ in ids.items()])
        assert paths(index.find(PERSON, id_prefix="01K8")) == ["a.md", "b.md"]
        assert paths(index.find(PERSON, id_prefix="01k8zr")) == ["b.md"]
        assert paths(index.find(PERSON, id_prefix="01K9")) == ["c.md"]
        assert paths(index.find(PERSON, id_prefix="0_")) == ["d.md"]
        assert paths(index.find(PERSON, id_prefix="%")) == ["e.md"]
        for nothing in ("", "*", "?", "01K8ZQ4TX", "K8", "01K8%", " 01K8"):
            assert index.find(PERSON, id_prefix=nothing) == []
        assert index.find(PERSON) == []

    def test_a_title_is_found_whole_whatever_its_case_and_composition(self, index: Index) -> None:
        index.apply(
            [
                upsert("a.md", "x", title="Straße Nr. 1"),
                upsert("b.md", "x", title="Cafe\u0301"),
                upsert("c.md", "x"),
            ]
        )
        assert paths(index.find(PERSON, title="STRASSE nr. 1")) == ["a.md"]
        assert paths(index.find(PERSON, title="CAFÉ")) == ["b.md"]
        assert index.find(PERSON, title="Straße") == []
        assert index.find(PERSON, title="%") == []

    def test_the_same_text_is_known_within_its_folder_and_its_months(self, index: Index) -> None:
        key = text_key("Buy low.")
        for path in ("shared/m/sub/a.md", "shared/mm/a.md", "shared/a.md", "shared/m/2026/a.md"):
            index.apply([upsert(path, "Buy low.")])
        assert index.same_text(Namespace("shared/m"), key) == []
        assert index.same_text(Namespace("shared/m"), text_key("other")) == []
        added = ["shared/m/x.md", "shared/m/2026-11/y.md", "shared/m/2026-11-2/z.md"]
        index.apply([upsert(path, "Buy low.") for path in added])
        assert paths(index.same_text(Namespace("shared/m"), key)) == sorted(added)
        assert paths(index.same_text(Namespace("shared/m/2026-11"), key)) == ["shared/m/2026-11/y.md"]

    def test_passages_are_found_by_all_of_some_terms_within_scope_and_folder(self, index: Index) -> None:
        index.apply(
            [
                upsert("shared/m/a.md", "buy low", "sell high"),
                upsert("shared/m/2026-11/b.md", "buy low AND high"),
                upsert("shared/n/c.md", "buy low 重启"),
                upsert("private/akashi/d.md", "buy low"),
            ]
        )

        def found(
            terms: list[str], folder: str | None = None, scope: Scope = PERSON, most: int = 9
        ) -> list[str]:
            within = None if folder is None else Namespace(folder)
            return [one.path for one in index.holding(scope, terms, folder=within, most=most)]

        assert set(found(["buy", "low"])) == {
            "shared/m/a.md", "shared/m/2026-11/b.md", "shared/n/c.md", "private/akashi/d.md",
        }  # fmt: skip
        assert found(["buy", "high"]) == ["shared/m/2026-11/b.md"]
        assert set(found(["low"], "shared/m")) == {"shared/m/a.md", "shared/m/2026-11/b.md"}
        assert found(["low"], "shared/m/2026-11") == ["shared/m/2026-11/b.md"]
        assert found(["重启"]) == ["shared/n/c.md"]
        assert "private/akashi/d.md" not in found(["low"], scope=Scope("mira"))
        assert "private/akashi/d.md" in found(["low"], scope=Scope("akashi"))
        assert found([]) == found(['x" OR "buy']) == found(["\x00", "\ud800"]) == []
        last = max(index.passages_of(VaultPath(path))[0].number for path in found(["buy"]))
        [newest] = index.holding(PERSON, ["buy"], most=1)
        assert newest.number == last

    def test_links_that_supersede_come_with_what_has_that_id_and_by_name(self, index: Index) -> None:
        old, twin = "01K8ZQ4T7R3M5N9V2XW6Y0ABCD", "01K8ZQ4T7R3M5N9V2XW6Y0ABCE"
        links = (Link(old.lower(), 2, "supersedes"), Link("Old", 3, "supersedes"), Link(old, 4))
        index.apply([upsert("a.md", "x", id=old), upsert("b.md", "x", links=links)])
        index.apply([upsert("c.md", "x", id=twin), upsert("d.md", "x", id=twin)])
        index.apply([upsert("private/mira/e.md", "x", links=(Link(twin, 2, "supersedes"),))])
        mine = [("b.md", links[0], "a.md"), ("b.md", links[1], None)]
        assert index.superseding(Scope("akashi")) == mine
        assert index.superseding(PERSON) == [*mine, ("private/mira/e.md", Link(twin, 2, "supersedes"), None)]
        assert index.named_as_superseded(PERSON, ["Old", "New", "\ud800"]) == [("b.md", links[1])]
        assert index.named_as_superseded(Scope("akashi"), [twin, old]) == []

    def test_it_would_tell_of_a_memory_what_it_tells_once_it_holds_it(self, index: Index) -> None:
        long_ago = datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=14)))
        change = upsert(
            "notes/ü.md", "text", id="\udfff", title="\ud800 重启", tags=("a",), aliases=("\ud83d",),
            created=long_ago, front={"z": "1.10", "m": {"k": ["x"]}, "u": "\ud800"},
            links=(Link("\ud800", 3, "link", "l"), Link("b", 1)),
            findings=(Finding("VM2", "notes/ü.md", 9, "\ud800", "do"), Finding("VM1", "notes/ü.md", 2, "m")),
        )  # fmt: skip
        told = index.would_tell(change.memory, change.stamp.size)
        assert index.known_files() == {}
        index.apply([change])
        assert [told.entry] == index.entries(PERSON)
        assert [(change.memory.path, link) for link in told.links] == index.links(PERSON)
        assert sorted(told.findings, key=lambda found: found.line) == index.findings(PERSON)

    def test_links_and_findings_come_in_order_and_go_with_their_memory(self, index: Index) -> None:
        links = (Link("b", 3, "link", "the B"), Link("a", 1, "supersedes"), Link("b", 3))
        faults = (Finding("VM2", "a.md", 9, "late", "do"), Finding("VM1", "a.md", 2, "ärly"))
        index.apply([upsert("b.md", "x", findings=(Finding("VM3", "b.md", 1, "m"),))])
        index.apply([upsert("a.md", "x", links=links, findings=faults)])
        assert index.links_from(VaultPath("a.md")) == list(links)
        other = Finding("VM3", "b.md", 1, "m")
        assert index.links(PERSON) == [(VaultPath("a.md"), link) for link in links]
        assert index.findings(PERSON) == [faults[1], faults[0], other]
        index.apply([upsert("a.md", "x")])
        assert index.links_from(VaultPath("a.md")) == []
        assert index.links(PERSON) == []
        assert index.findings(PERSON) == [other]
