"""What every index promises of what came and left since a generation."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.contracts.index_opened import SHARED, OpenIndex
from tests.contracts.index_values import sha, unit, upsert
from vault_memory.model.change import Change, Removal, Restamp, Upsert
from vault_memory.model.changes import What, events
from vault_memory.model.namespace import PERSON, Scope, VaultPath
from vault_memory.ports import Index

PATHS = ("a.md", "notes/b.md", "private/akashi/c.md", "private/aka/d.md")
STEPS = st.lists(
    st.lists(st.tuples(st.sampled_from(PATHS), st.sampled_from([None, "x", "y", "same"])), max_size=3),
    max_size=10,
)
"""Transactions, each of files with their new text (`None`: gone)."""


def change(path: str, text: str | None) -> Change:
    return Removal(VaultPath(path)) if text is None else upsert(path, text)


def told(index: Index, scope: Scope, generation: int) -> set[tuple[str, str]] | None:
    """What became of which paths, each by itself: no two files of these tests have the same bytes."""
    since = index.since(scope, generation)
    return None if since is None else {(one.what.value, one.entry.path) for one in events(since, None)}


class SinceContract:
    """What is remembered of changes."""

    @settings(max_examples=40, suppress_health_check=SHARED)
    @given(steps=STEPS)
    def test_since_any_generation_it_tells_what_became_of_each_path(
        self, new_index: OpenIndex, steps: Sequence[Sequence[tuple[str, str | None]]]
    ) -> None:
        index = new_index()
        files: dict[str, str] = {}
        looks = [(0, dict(files))]
        written: list[tuple[int, str]] = []
        for step in steps:
            before = index.generation
            after = index.apply([change(path, text) for path, text in step])
            for path, text in step:
                files.pop(path, None)
                if text is not None:
                    files[path] = text
            if after > before:
                written += [(after, path) for path, _ in step]
            looks.append((after, dict(files)))
        for generation, had in looks:
            for scope in (PERSON, Scope("akashi"), Scope("aka"), Scope("mira")):
                found = told(index, scope, generation)
                assert found is not None
                touched = {path for at, path in written if at > generation}
                for path in PATHS:
                    said = {what for what, of in found if of == path}
                    then, now = had.get(path), files.get(path)
                    if not scope.may_read(path):
                        assert said == set()
                    elif then == now:  # as it was: untouched, or changed and changed back
                        assert said <= ({What.CHANGED} if now is not None and path in touched else set())
                    else:
                        assert said == {
                            What.ADDED if then is None else What.REMOVED if now is None else What.CHANGED
                        }
        index.close()

    def test_an_agent_is_told_of_its_own_folder_and_of_none_that_looks_like_it(self, index: Index) -> None:
        own = "private/akashi/a.md"
        alike = [
            f"private/{name}/a.md"
            for name in (
                "aka",
                "akashi2",
                "Akashi",
                "AKASHI",
                "akashi.",
                "akashi ",
                "\u0430kashi",
                "akashi\u200b",
            )
        ]
        index.apply([upsert(path, "x") for path in (own, *alike, "private/akashi.md", "PRIVATE/aka/a.md")])
        scope = Scope("akashi")
        assert told(index, scope, 0) == {("added", own)}
        assert [one.path for one in index.entries(scope)] == [own]
        assert index.count(scope) == 1
        index.apply([Removal(VaultPath(path)) for path in (own, *alike)])
        assert told(index, scope, 1) == {("removed", own)}

    def test_what_left_is_told_as_it_was(self, index: Index) -> None:
        gone = upsert("a.md", "x", id="01A", tags=("t", "ü"), front={"notify": ["akashi"]}, source_agent="bo")
        before = index.apply([gone])
        index.apply([Removal(VaultPath("a.md"))])
        since = index.since(PERSON, before)
        assert since is not None
        [left] = since.left
        assert (left.entry.id, left.entry.tags, left.entry.source_agent) == ("01A", ("t", "ü"), "bo")
        assert dict(left.entry.front) == {"notify": ["akashi"]}
        assert left.entry.version == gone.memory.version

    def test_the_newest_comes_first(self, index: Index) -> None:
        for path in ("b.md", "c.md", "a.md"):
            index.apply([upsert(path, "x")])
        index.apply([upsert("b.md", "y")])
        index.apply([Removal(VaultPath("c.md"))])
        since = index.since(PERSON, 3)
        assert since is not None
        assert [one.entry.path for one in events(since, None)] == ["c.md", "b.md"]

    def test_neither_a_stamp_nor_a_vector_is_a_change(self, index: Index) -> None:
        one = upsert("a.md", "x")
        index.apply([one])
        generation = index.generation
        index.apply([Restamp(upsert("a.md", "x", number=3).stamp, True)])
        index.apply([], vectors={sha("x"): unit(1, 0)})
        index.apply([one])
        assert told(index, PERSON, generation) == set()

    def test_of_a_generation_to_come_nothing_is_known(self, index: Index) -> None:
        index.apply([upsert("a.md", "x")])
        assert index.since(PERSON, index.generation + 1) is None

    def test_a_dropped_index_is_another_one(self, index: Index) -> None:
        index.apply([upsert("a.md", "x")])
        before, generation = index.instance, index.generation
        index.drop()
        assert index.instance != before
        refilled: list[Upsert] = [upsert("a.md", "x")]
        index.apply(refilled)
        assert index.generation > generation
