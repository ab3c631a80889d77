"""A link leads where an editor of linked notes would go: by place, then by name, title or id."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault_memory.model.linkmap import Leads, LinkMap, Named
from vault_memory.model.memory import Link
from vault_memory.model.namespace import VaultPath

NFC = "Café.md"
NFD = unicodedata.normalize("NFD", "Café.md")


def shelf(*paths: str | Named) -> LinkMap:
    return LinkMap.of(one if isinstance(one, Named) else Named(VaultPath(one)) for one in paths)


def paths(
    links: LinkMap, target: str, *, source: str = "x.md", label: str = "", kind: str = "link"
) -> list[str]:
    return list(links.resolve(source, Link(target, 1, kind, label)).paths)


@pytest.mark.parametrize(
    ("target", "source", "found"),
    [
        ("plan", "x.md", ["notes/plan.md"]),
        ("PLAN", "x.md", ["notes/plan.md"]),
        ("plan.md", "x.md", ["notes/plan.md"]),
        ("plan.MD", "x.md", ["notes/plan.md"]),
        ("notes/plan", "deep/er/x.md", ["notes/plan.md"]),
        ("/notes/plan.md", "deep/x.md", ["notes/plan.md"]),
        ("/plan", "x.md", []),
        ("b/same", "x.md", ["a/b/same.md"]),
        ("./plan", "notes/x.md", ["notes/plan.md"]),
        ("./plan", "x.md", []),
        ("../notes/plan.md", "deep/x.md", ["notes/plan.md"]),
        ("sub/../plan.md", "notes/x.md", ["notes/plan.md"]),
        ("plan#Heading", "x.md", ["notes/plan.md"]),
        ("plan#^block", "x.md", ["notes/plan.md"]),
        ("plan^block", "x.md", ["notes/plan.md"]),
        ("C# notes", "x.md", ["C# notes.md"]),
        ("a.b.c", "x.md", ["a.b.c.md"]),
        ("readme.markdown", "x.md", ["other/README.markdown"]),
        ("odd.md", "x.md", ["odd.md.md"]),
        ("lan", "x.md", []),
        ("otes/plan", "x.md", []),
        ("sub", "x.md", []),
    ],
)
def test_a_place_is_found_by_its_end_in_any_case(target: str, source: str, found: list[str]) -> None:
    links = shelf(
        "notes/plan.md", "a/b/same.md", "C# notes.md", "a.b.c.md", "other/README.markdown", "odd.md.md"
    )
    assert paths(links, target, source=source) == found


def test_of_several_the_root_wins_then_the_own_folder_then_the_shortest_path() -> None:
    links = shelf("a/long-folder/same.md", "b/same.md", "a/deep/er/same.md", "c/same.md")
    assert paths(links, "same") == ["b/same.md", "c/same.md", "a/deep/er/same.md", "a/long-folder/same.md"]
    assert paths(links, "same", source="a/x.md")[0] == "a/deep/er/same.md"
    assert paths(links, "same", source="c/x.md")[0] == "c/same.md"
    assert links.resolve("x.md", Link("same", 1)).ambiguous
    assert not links.resolve("x.md", Link("c/same", 1)).ambiguous
    assert paths(shelf("same.md", "a/same.md"), "same", source="a/x.md") == ["same.md"]
    assert paths(shelf("same.md", "a/same.md"), "same.md", source="a/x.md") == ["a/same.md"]


def test_unicode_forms_are_one_name_and_of_twins_the_same_is_meant() -> None:
    for there in (NFC, NFD):
        for asked in ("Café", unicodedata.normalize("NFD", "CAFÉ"), there):
            assert paths(shelf(f"n/{there}"), asked) == [f"n/{there}"]
    twins = shelf("Plan.md", "plan.md")
    assert paths(twins, "plan") == ["plan.md"]
    assert paths(twins, "Plan.md") == ["Plan.md"]
    assert set(paths(twins, "PLAN")) == {"Plan.md", "plan.md"}


def test_aliases_titles_and_ids_come_after_places() -> None:
    one = Named(VaultPath("a.md"), "The Plan", ("Roadmap",), "01K8ZQ4T7R3M5N9V2XW6Y0ABCD")
    two = Named(VaultPath("b.md"), "Roadmap", (), "my-own-id")
    links = shelf(one, two, "the plan.md")
    assert paths(links, "the plan") == ["the plan.md"]
    assert paths(links, "roadmap") == ["a.md"]
    assert paths(links, "MY-OWN-ID") == ["b.md"]
    assert paths(links, "01k8zq4t7r3m5n9v2xw6y0abcd") == ["a.md"]
    assert not links.resolve("x.md", Link("roadmap", 1)).by_place
    assert links.resolve("x.md", Link("the plan", 1)).by_place


def test_only_front_matter_takes_the_beginning_of_an_id() -> None:
    links = shelf(Named(VaultPath("a.md"), "A", (), "01K8ZQ4T7R3M5N9V2XW6Y0ABCD"))
    assert paths(links, "01K8ZQ4T", kind="supersedes") == ["a.md"]
    assert paths(links, "01K8ZQ4T") == []
    assert paths(links, "01K", kind="links") == []


@pytest.mark.parametrize(
    ("target", "leads"),
    [
        ("gone", Leads.NOTHING),
        ("gone.md", Leads.NOTHING),
        ("folder/gone", Leads.NOTHING),
        ("v1.2", Leads.NOTHING),
        ("pic.png", Leads.FILE),
        ("folder/Paper.PDF#page=3", Leads.FILE),
        ("Tasks.base", Leads.FILE),
        ("https://example.org/a.md", Leads.ELSEWHERE),
        ("mailto:a@example.org", Leads.ELSEWHERE),
        ("obsidian://open?vault=x", Leads.ELSEWHERE),
        ("../../README.md", Leads.ELSEWHERE),
        (".github/notes.md", Leads.ELSEWHERE),
        ("Plan: phase two", Leads.NOTHING),
    ],
)
def test_what_is_no_memory_is_broken_only_where_one_was_meant(target: str, leads: Leads) -> None:
    found = shelf("a.md").resolve("notes/x.md", Link(target, 1))
    assert (found.leads, found.broken) == (leads, leads is Leads.NOTHING)


def test_a_memory_wins_over_what_its_name_looks_like() -> None:
    assert paths(shelf("logo.png.md"), "logo.png") == ["logo.png.md"]
    assert paths(shelf("a.b.json.md"), "a.b.json") == ["a.b.json.md"]


@pytest.mark.parametrize(
    ("target", "label", "found", "by_label"),
    [
        ("the plan", "topic.plan", ["topic.plan.md"], True),
        ("Tags", "topic.tags#summary", ["topic.tags.md"], True),
        ("Tags", "dendron://some.vault/topic.tags", ["topic.tags.md"], True),
        ("topic.tags", "topic.plan", ["topic.tags.md"], False),
        ("tags", "the label", ["tags.md"], False),
        ("tags", "gone.away", ["tags.md"], False),
        ("gone", "tags", ["tags.md"], True),
        ("gone", "A title", [], False),
        ("dendron://some.vault/topic.plan", "", ["topic.plan.md"], False),
    ],
)
def test_where_labels_come_first_the_name_behind_the_bar_counts(
    target: str, label: str, found: list[str], by_label: bool
) -> None:
    links = shelf("tags.md", "topic.tags.md", "topic.plan.md", Named(VaultPath("t.md"), "A title"))
    resolution = links.resolve("x.md", Link(target, 1, "link", label))
    assert (list(resolution.paths), resolution.by_label) == (found, by_label)


def test_a_link_into_another_vault_is_not_broken() -> None:
    links = shelf("a.md")
    assert links.resolve("x.md", Link("dendron://other/gone", 1)).leads is Leads.ELSEWHERE
    assert links.resolve("x.md", Link("text", 1, "link", "dendron://other/gone")).leads is Leads.ELSEWHERE


def test_the_shortest_target_leads_to_that_memory_alone() -> None:
    links = shelf("plan.md", "a/same.md", "b/same.md", "b/c/plan.md", "Ä/x|y.md")
    assert links.target_of(VaultPath("plan.md"), "b/c/q.md") == "plan"
    assert links.target_of(VaultPath("a/same.md"), "a/x.md") == "a/same"
    assert links.target_of(VaultPath("b/c/plan.md"), "x.md") == "c/plan"
    assert links.target_of(VaultPath("Ä/x|y.md"), "x.md") is None
    with_id = shelf(Named(VaultPath("x#y.md"), "T", (), "my-id"))
    assert with_id.target_of(VaultPath("x#y.md"), "a.md") == "my-id"


def test_what_was_not_put_in_is_not_there() -> None:
    theirs, ours = Named(VaultPath("private/mira/plan.md"), "Secret"), Named(VaultPath("shared/plan.md"))
    assert paths(shelf(ours), "plan") == ["shared/plan.md"]
    assert paths(shelf(ours), "Secret") == []
    assert len(paths(shelf(theirs, ours), "plan")) == 2


NAMES = st.text("abAÄ.# ^|/é\u0301", min_size=1, max_size=6)


@given(st.lists(NAMES, min_size=1, max_size=6, unique=True), NAMES, NAMES)
def test_every_target_that_is_made_leads_back(names: list[str], source: str, asked: str) -> None:
    links = shelf(*(f"{name}.md" for name in names))
    for name in names:
        target = links.target_of(VaultPath(f"{name}.md"), source)
        if target is not None:
            assert links.resolve(source, Link(target, 1)).paths == (f"{name}.md",)
    found = links.resolve(source, Link(asked, 1))
    assert set(found.paths) <= {f"{name}.md" for name in names}
    assert (found.leads is Leads.MEMORY) == bool(found.paths)
    assert found == shelf(*(f"{name}.md" for name in reversed(names))).resolve(source, Link(asked, 1))
