"""Two versions of memories compared: what became of each, which keys changed, which lines."""

from __future__ import annotations

import subprocess
from datetime import UTC
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from vault_memory.model.comparison import Difference, How, KeyChange, Versions, compare
from vault_memory.model.namespace import VaultPath


def compared(**files: tuple[str | None, str | None]) -> list[Difference]:
    versions: dict[VaultPath, Versions] = {
        VaultPath(f"{name}.md"): (
            old.encode() if old is not None else None,
            new.encode() if new is not None else None,
        )
        for name, (old, new) in files.items()
    }
    return list(compare(versions, zone=UTC))


def test_a_key_and_a_line_that_changed_are_named_by_the_files_own_lines() -> None:
    [one] = compared(
        a=(
            "---\ntitle: T\nimportance: 0.5\nold: x\n---\none\ntwo\nthree\nfour\n",
            "---\ntitle: T\nimportance: 0.8\ntags: [a]\n---\none\ntwo\n3\nfour\n",
        )
    )
    assert (one.how, one.path, one.title, one.came_from) == (How.EDITED, "a.md", "T", None)
    assert one.keys == (
        KeyChange("importance", "0.5", "0.8"),
        KeyChange("tags", None, ["a"]),
        KeyChange("old", "x", None),
    )
    assert one.lines == ("@@ -6,4 +6,4 @@", " one", " two", "-three", "+3", " four")


def test_what_is_the_same_is_not_listed_and_what_says_the_same_is_told() -> None:
    assert compared(a=("x\n", "x\n")) == []
    [one] = compared(a=("---\ntitle: 'T'\n---\nx\ny\n", '---\ntitle: "T" # mine\n---\nx\r\ny'))
    assert one.only_form


def test_new_and_gone_memories_come_whole() -> None:
    new, gone = compared(a=(None, "one\ntwo\n"), b=("---\nid: 01X\n---\nold\n", None))
    assert (new.how, new.lines) == (How.ADDED, ("@@ -0,0 +1,2 @@", "+one", "+two"))
    assert (gone.how, gone.id, gone.lines) == (How.REMOVED, "01X", ("@@ -4 +0,0 @@", "-old"))


def test_a_memory_elsewhere_was_moved_by_its_id_or_else_by_its_bytes() -> None:
    [one] = compared(old=("---\nid: 01X\n---\na\n", None), new=(None, "---\nid: 01X\n---\nb\n"))
    assert (one.how, one.path, one.came_from) == (How.MOVED, "new.md", "old.md")
    assert one.lines == ("@@ -4 +4 @@", "-a", "+b")
    [same] = compared(old=("the same\n", None), new=(None, "the same\n"))
    assert (same.how, same.lines, same.keys) == (How.MOVED, (), ())


def test_which_of_two_alike_was_moved_is_not_guessed() -> None:
    found = compared(a=("same\n", None), b=("same\n", None), c=(None, "same\n"))
    assert [one.how for one in found] == [How.REMOVED, How.REMOVED, How.ADDED]
    two = compared(a=("same\n", None), b=(None, "same\n"), c=(None, "same\n"))
    assert sorted(one.how for one in two) == [How.ADDED, How.MOVED]


def test_a_memory_that_took_anothers_place_is_told_as_both() -> None:
    found = compared(
        a=("---\nid: 01A\n---\na\n", None), b=("---\nid: 01B\n---\nb\n", "---\nid: 01A\n---\na\n")
    )
    assert [(one.path, one.how) for one in found] == [("a.md", How.REMOVED), ("b.md", How.EDITED)]


LINES = st.lists(st.sampled_from(["a", "b", "c", "", "# d", "  e"]), max_size=12)


@given(LINES, LINES)
def test_applied_to_the_old_text_the_changes_give_the_new_one(old: list[str], new: list[str]) -> None:
    texts = ["".join(f"{line}\n" for line in lines) for lines in (old, new)]
    found = compared(a=(texts[0], texts[1]))
    assert bool(found) is (old != new)
    if found:
        hunks = [line for line in found[0].lines if line.startswith("@@")]
        kept = [line[1:] for line in found[0].lines if line[0] in " -" and not line.startswith("@@")]
        put = [line[1:] for line in found[0].lines if line[0] in " +" and not line.startswith("@@")]
        assert bool(hunks) is bool(found[0].lines)
        assert len(old) - len(kept) == len(new) - len(put)


def test_git_takes_the_text_as_a_patch(tmp_path: Path) -> None:
    old = "".join(f"line {number}\n" for number in range(40))
    new = (
        old.replace("line 3\n", "line three\n")
        .replace("line 30\n", "")
        .replace("line 39\n", "line 39\nend\n")
    )
    [one] = compared(a=(old, new))
    (tmp_path / "a.md").write_text(old)
    patch = "--- a/a.md\n+++ b/a.md\n" + "\n".join(one.lines) + "\n"
    subprocess.run(["git", "apply", "-"], input=patch.encode(), cwd=tmp_path, check=True, timeout=20)
    assert (tmp_path / "a.md").read_text() == new
