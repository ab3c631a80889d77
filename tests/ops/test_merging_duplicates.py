"""Merging memories that say the same: one commit, nothing lost that is missed, links that still lead."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.gitrun import Git
from tests.stand import ToldClock
from vault_memory.errors import ConflictError, ScopeError
from vault_memory.model.clusters import Likeness
from vault_memory.model.namespace import PERSON, Scope
from vault_memory.vault import Vault

LONG = (
    "The queue loses messages when all workers are down at once, so they are restarted one by one, and never"
    " on a Friday."
)


def put(root: Path, path: str, text: str) -> None:
    place = root / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text + "\n", encoding="utf-8")


def names(root: Path) -> set[str]:
    return {path.relative_to(root).as_posix() for path in root.rglob("*.md")}


def three_twins(vault: Vault, clock: ToldClock) -> list[str]:
    """Paths of the same text thrice, the oldest first."""
    agent, other = vault.agent("akashi"), vault.agent("mira")
    paths = [agent.remember("Standup at ten", tags=["a"], namespace="team").path]
    clock.move(hours=1)
    paths.append(
        agent.remember(
            "standup at ten.", tags=["B"], importance=0.9, namespace="team", on_duplicate="new"
        ).path
    )
    clock.move(hours=1)
    paths.append(other.remember("Standup at ten", title="Standup", namespace="team", on_duplicate="new").path)
    return [str(path) for path in paths]


def test_the_oldest_stays_with_the_tags_names_and_weight_of_all_in_one_commit(
    vault: Vault, root: Path, clock: ToldClock, git: Git
) -> None:
    first, second, third = three_twins(vault, clock)
    ids = [vault.person.show(path).memory.id for path in (second, third)]
    put(root, "notes/n.md", f"[[{second[12:-3]}]] [x](../{third}) [[{ids[0]}]] [[Standup]]")
    [cluster] = vault.upkeep.duplicates.find(PERSON)
    assert (cluster.keep.path, {one.path for one in cluster.others}) == (first, {second, third})
    assert cluster.is_sure
    before = git(root, "rev-list", "--count", "HEAD")
    done = vault.upkeep.duplicates.merge(PERSON, [cluster])
    assert (done.reason, done.broken) == (None, ())
    assert int(git(root, "rev-list", "--count", "HEAD")) == int(before) + 1
    assert sorted(git(root, "show", "--format=", "--name-only", "HEAD").split()) == sorted(
        [first, second, third]
    )
    kept = vault.person.show(first).memory
    assert (kept.tags, kept.importance, kept.body) == (("a", "B"), 0.9, "Standup at ten\n")
    assert set(kept.aliases) >= {*ids, "Standup"}
    assert {one.leads.path for one in vault.overview.links(PERSON, "notes/n.md").out} == {first}
    assert names(root) == {first, "notes/n.md"}
    assert vault.upkeep.duplicates.find(PERSON) == []
    vault.person.undo()
    assert names(root) == {first, second, third, "notes/n.md"}
    assert vault.person.show(first).memory.aliases == ()


def test_the_earliest_date_and_the_longest_life_survive(vault: Vault, root: Path) -> None:
    put(root, "a.md", f"---\ncreated: 2026-01-05\nttl: 300d\n---\n{LONG}")
    put(root, "b.md", f"---\ncreated: 2026-02-05 # when\n---\n{LONG}")
    [cluster] = vault.upkeep.duplicates.find(PERSON)
    assert cluster.keep.path == "b.md"
    vault.upkeep.duplicates.merge(PERSON, [cluster])
    assert (root / "b.md").read_text(encoding="utf-8") == (
        f"---\ncreated: 2026-01-05T00:00:00Z # when\naliases: [a]\n---\n{LONG}\n"
    )


def test_namespaces_stay_apart_and_an_agent_sees_only_its_own(vault: Vault, clock: ToldClock) -> None:
    three_twins(vault, clock)
    vault.agent("mira").remember("Standup at ten")
    vault.person.remember("Standup at ten")
    [cluster] = vault.upkeep.duplicates.find(Scope("akashi"))
    assert [one.source_agent for one in (cluster.keep, *cluster.others)] == ["akashi", "akashi"]
    assert vault.upkeep.duplicates.find(Scope("mira")) == []
    [whole] = vault.upkeep.duplicates.find(PERSON)
    assert (whole.namespace, len(whole.others)) == ("shared/team", 2)
    assert vault.upkeep.duplicates.find(PERSON, namespace="team") == [whole]
    assert vault.upkeep.duplicates.find(PERSON, namespace="market") == []
    vault.agent("mira").remember("Standup at ten", on_duplicate="new")
    [private] = vault.upkeep.duplicates.find(Scope("mira"))
    with pytest.raises(ScopeError):
        vault.upkeep.duplicates.merge(Scope("akashi"), [private])


def test_what_would_be_lost_is_named_and_is_not_sure(vault: Vault, root: Path) -> None:
    put(root, "a.md", f"{LONG}\nAsk Ada.")
    put(root, "b.md", f"{LONG}\nAsk Bob.")
    put(root, "c/a.md", f"---\nticket: 12\ntags: [x]\n---\n{LONG}")
    put(root, "c/b.md", f"---\nticket: 13\n---\n{LONG}")
    near, exact = vault.upkeep.duplicates.find(PERSON)
    assert (near.likeness, near.is_sure, near.lines) == (Likeness.NEAR, False, (("b.md", "Ask Bob."),))
    assert (exact.likeness, exact.is_sure, exact.keys) == (Likeness.EXACT, False, (("c/b.md", "ticket"),))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("---\ntitle: Books\n---\n![[list]]", "---\ntitle: Films\n---\n![[list]]"),
        ("![[Books.base]]", "![[Books.base]]"),  # the files' names are all that they say
        (f"---\ntitle: The API\n---\n{LONG}", f"---\ntitle: Billing\n---\n{LONG}"),
        ("Uses port 8080", "Uses port 9090"),
        (LONG, LONG.replace("never", "always")),
        (LONG, f"---\nsupersedes: [a]\n---\n{LONG}"),
        (f"---\nttl: 1d\ncreated: 2026-03-01\n---\n{LONG}", LONG),
        ("", ""),
    ],
)
def test_what_only_looks_alike_is_in_no_cluster(vault: Vault, root: Path, one: str, other: str) -> None:
    put(root, "a.md", one)
    put(root, "b.md", other)
    assert vault.upkeep.duplicates.find(PERSON) == []


def test_what_changed_since_or_can_not_take_the_names_stays_and_the_rest_is_merged(
    vault: Vault, root: Path, git: Git
) -> None:
    for folder in ("a", "b", "c"):
        put(root, f"{folder}/one.md", f"Of {folder}: {LONG}")
        put(root, f"{folder}/two.md", f"Of {folder}: {LONG}")
    put(root, "c/one.md", f"---\ntitle: [broken\n---\nOf c: {LONG}")
    put(root, "c/two.md", f"---\ntitle: [broken\n---\nOf c: {LONG}")
    found = vault.upkeep.duplicates.find(PERSON)
    put(root, "a/two.md", "something else")
    done = vault.upkeep.duplicates.merge(PERSON, found)
    assert [(one.namespace, one.merged) for one in done.clusters] == [("a", False), ("b", True), ("c", False)]
    assert done.clusters[0].stays == "a/two.md: it was changed since it was listed"
    assert "a/two.md" in names(root)
    assert "b/two.md" not in names(root)
    assert "c/two.md" in names(root)
    # What a person had not committed is in history as theirs, before it went.
    assert git(root, "log", "--format=%s", "--", "b/two.md").splitlines()[1].startswith("keep: ")


def test_without_history_to_bring_it_back_nothing_goes(vault: Vault, root: Path, git: Git) -> None:
    put(root, "a.md", LONG)
    put(root, "b.md", LONG)
    (root / ".gitignore").write_text("b.md\n", encoding="utf-8")
    [cluster] = vault.upkeep.duplicates.find(PERSON)
    assert cluster.stays == "b.md: git ignores it, so history could not bring it back"
    (root / ".gitignore").unlink()
    git(root, "commit", "--quiet", "--allow-empty", "-m", "by hand")
    git(root, "checkout", "--quiet", "--detach")
    [cluster] = vault.upkeep.duplicates.find(PERSON)
    assert cluster.stays is not None
    assert "no commit can be made now" in cluster.stays
    done = vault.upkeep.duplicates.merge(PERSON, [cluster])
    assert done.merged == ()
    assert names(root) == {"a.md", "b.md"}


def test_a_change_that_is_half_staged_stops_all_of_it(vault: Vault, root: Path, git: Git) -> None:
    put(root, "a.md", LONG)
    put(root, "b.md", LONG)
    git(root, "add", ".")
    git(root, "commit", "--quiet", "-m", "by hand")
    put(root, "b.md", f"{LONG} x")
    git(root, "add", "b.md")
    put(root, "b.md", LONG + ".")
    [cluster] = vault.upkeep.duplicates.find(PERSON)
    with pytest.raises(ConflictError, match="staged"):
        vault.upkeep.duplicates.merge(PERSON, [cluster])
    assert names(root) == {"a.md", "b.md"}
