"""Merging without a checkout: memories by key, though nothing is installed."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from tests.adapters.git.parted import VAULT, Scene
from tests.stand import NOON, ToldClock
from vault_memory.adapters.git.merges import GitMerges
from vault_memory.errors import GitError, RevisionNotFoundError
from vault_memory.model.branches import Followed, Merged
from vault_memory.model.revision import Author
from vault_memory.model.synced import Disputed, Synced
from vault_memory.render.sync import render_synced

NOTE = "---\ntitle: Heron\nimportance: 0.5\ntags: [birds]\n---\nThe heron stands.\n\nIt is grey.\n"


@pytest.fixture
def scene(repo: Path) -> Scene:
    return Scene(repo)


def test_keys_of_both_are_kept_though_nothing_is_installed(scene: Scene) -> None:
    scene.part(
        {"a.md": NOTE},
        {"a.md": NOTE.replace("[birds]", "[birds, water]").replace("0.5", "0.9")},
        {"a.md": NOTE.replace("[birds]", "[birds, ops]").replace("grey", "grey and tall"), "new.md": "new"},
    )
    merged = scene.merge()
    wanted = NOTE.replace("[birds]", "[birds, water, ops]").replace("0.5", "0.9")
    assert scene.at(merged.commit, "a.md") == wanted.replace("grey", "grey and tall")
    assert scene.names(merged.commit) == [f"{VAULT}/a.md", f"{VAULT}/new.md"]
    parents = scene.git("rev-parse", "main", "side").split()
    assert scene.git("show", "-s", "--format=%P", merged.commit or "").split() == parents
    told = scene.git("show", "-s", "--format=%an|%cn|%cI|%s", merged.commit or "")
    assert told == f"Test Person|Test Person|{NOON:%Y-%m-%dT%H:%M:%S}+00:00|Merge side"


def test_another_may_be_the_author_of_a_merge(scene: Scene) -> None:
    scene.part({"a.md": "x"}, {"b.md": "y"}, {"c.md": "z"})
    merged = scene.merges.merged("main", "side", message="m", author=Author("akashi", "a@b.invalid"))
    assert scene.git("show", "-s", "--format=%an|%cn", merged.commit or "") == "akashi|Test Person"


def test_one_that_holds_the_other_is_the_merge(scene: Scene) -> None:
    old = scene.commit({"a.md": "x"})
    new = scene.commit({"a.md": "y"})
    for ours, theirs in ((old, new), (new, old), (new, new)):
        assert scene.merges.merged(ours, theirs, message="m") == Merged(new)
    assert scene.merges.base(old, new) == old


def test_a_conflict_tells_the_keys_that_both_changed_whatever_line_ends_a_checkout_has(scene: Scene) -> None:
    scene.git("config", "core.autocrlf", "true")
    (scene.root / ".gitattributes").write_text("*.md text eol=crlf\n")
    crlf = NOTE.replace("\n", "\r\n")
    scene.part({"a.md": crlf}, {"a.md": crlf.replace("0.5", "0.9")}, {"a.md": crlf.replace("0.5", "0.1")})
    merged = scene.merge()
    assert (merged.commit, merged.outside) == (None, ())
    assert [(one.path, one.keys, one.lines) for one in merged.conflicts] == [("a.md", ("importance",), False)]


def test_lines_that_both_changed_are_told_beside_the_keys(scene: Scene) -> None:
    sides = [NOTE.replace("0.5", key) + line for key, line in (("0.9", "ours"), ("0.1", "theirs"))]
    scene.part({"a.md": NOTE}, {"a.md": sides[0]}, {"a.md": sides[1]})
    [one] = scene.merge().conflicts
    assert (one.keys, one.lines, one.why) == (
        ("importance",), True, "both sides changed the same keys and lines",
    )  # fmt: skip
    synced = Synced("main", Followed("origin", "main"), None, conflicts=(Disputed("Note", one),))
    assert "  Note  a.md  importance and lines of the text" in render_synced(synced, colour=False).split("\n")


def test_every_kind_of_conflict_is_told_in_words_and_what_is_around_the_vault_too(scene: Scene) -> None:
    base: dict[str, str | bytes | None] = {
        "gone-here.md": NOTE, "gone-there.md": NOTE, "lines.md": NOTE, "bin.md": b"\0one",
        "twice.md": "1\n2\n3\n4\n5\n6\n", "../out.md": NOTE, "../kept.md": "x", "data.txt": "x",
    }  # fmt: skip
    scene.part(
        base,
        {
            "gone-here.md": None, "gone-there.md": NOTE + "ours", "lines.md": NOTE + "ours",
            "bin.md": b"\0two", "twice.md": None, "ours.md": "1\n2\n3\n4\n5\n6\n",
            "../out.md": NOTE.replace("[birds]", "[birds, water]"), "data.txt": "y",
        },
        {
            "gone-here.md": NOTE + "theirs", "gone-there.md": None, "lines.md": NOTE + "theirs",
            "bin.md": b"\0three", "twice.md": None, "theirs.md": "1\n2\n3\n4\n5\n6\n",
            "../out.md": NOTE.replace("[birds]", "[birds, ops]"), "data.txt": "z",
        },
    )  # fmt: skip
    merged = scene.merge()
    assert merged.commit is None
    assert merged.outside == ("out.md",)
    told = {one.path: one.why for one in merged.conflicts}
    assert told == {
        "bin.md": "both sides changed the same lines",
        "data.txt": "both sides changed the same lines",
        "gone-here.md": "removed here, and changed there",
        "gone-there.md": "changed here, and removed there",
        "lines.md": "both sides changed the same lines",
        "ours.md": "each side gave it another name",
        "theirs.md": "each side gave it another name",
        "twice.md": "each side gave it another name",
    }


def test_two_memories_under_one_name_get_two_and_both_sides_make_the_same_of_it(scene: Scene) -> None:
    def note(number: int) -> str:
        return f'---\nid: "01K8ZQ4T7R3M5N9V2XW6Y0ABC{number}"\ntitle: Rule\n---\n{number}\n'

    scene.part({"x.md": "x"}, {"rule.md": note(2), "rule-2.md": "x"}, {"rule.md": note(1)})
    one = scene.merge()
    other = scene.merges.merged("side", "main", message="m")
    tree = [scene.git("rev-parse", f"{each.commit}^{{tree}}") for each in (one, other)]
    assert tree[0] == tree[1]
    assert scene.at(one.commit, "rule.md") == note(1)
    assert scene.at(one.commit, "rule-3.md") == note(2)
    assert [(each.path, each.moved_to, each.ours_moved) for each in (*one.apart, *other.apart)] == [
        ("rule.md", "rule-3.md", True),
        ("rule.md", "rule-3.md", False),
    ]


def test_what_goes_on_top_of_a_memory_of_its_name_gets_another_and_that_is_told(scene: Scene) -> None:
    def note(number: int) -> str:
        return f'---\nid: "01K8ZQ4T7R3M5N9V2XW6Y0ABC{number}"\ntitle: Rule\n---\n{number}\n'

    scene.part({"x.md": "x"}, {"rule.md": note(2)}, {"rule.md": note(1)})
    base = scene.merges.base("main", "side")
    assert base is not None
    ours = scene.merges.replanted("side", base, "main")
    theirs = scene.merges.replanted("main", base, "side")
    told = [(each.path, each.moved_to, each.ours_moved) for each in (*ours.apart, *theirs.apart)]
    assert told == [("rule.md", "rule-2.md", True), ("rule.md", "rule-2.md", False)]
    assert scene.at(ours.commit, "rule.md") == scene.at(theirs.commit, "rule.md") == note(1)


def test_an_edit_follows_a_rename_but_never_into_another_memory(scene: Scene) -> None:
    def note(number: int, more: str = "") -> str:
        lines = "".join(f"line {at}\n" for at in range(20))
        return f'---\nid: "01K8ZQ4T7R3M5N9V2XW6Y0ABC{number}"\ntags: [a]\n---\n{lines}{more}'

    scene.part(
        {"private/a/moved.md": note(1), "private/a/gone.md": note(2)},
        {
            "private/a/moved.md": None, "private/a/new-name.md": note(1).replace("[a]", "[a, b]"),
            "private/a/gone.md": None, "shared/another.md": note(3),
        },
        {"private/a/moved.md": note(1, "theirs\n"), "private/a/gone.md": note(2, "secret\n")},
    )  # fmt: skip
    merged = scene.merge()
    assert merged.commit is None
    assert [one.path for one in merged.conflicts] == ["shared/another.md"]
    assert "ids differ" in merged.conflicts[0].why
    scene.commit({"private/a/gone.md": note(2)})
    again = scene.merge()
    assert scene.at(again.commit, "private/a/new-name.md") == note(1, "theirs\n").replace("[a]", "[a, b]")
    assert scene.at(again.commit, "shared/another.md") == note(3)
    assert scene.at(again.commit, "private/a/gone.md") == note(2, "secret\n")


def test_a_new_note_stays_in_its_folder_though_the_other_side_moved_all_that_was_in_it(scene: Scene) -> None:
    scene.part(
        {"private/a/one.md": NOTE, "private/a/two.md": NOTE + "2"},
        {
            "private/a/one.md": None, "private/a/two.md": None,
            "shared/one.md": NOTE, "shared/two.md": NOTE + "2",
        },
        {"private/a/new.md": "mine alone\n"},
    )  # fmt: skip
    merged = scene.merge()
    assert f"{VAULT}/private/a/new.md" in scene.names(merged.commit)


def test_what_a_person_wants_merged_otherwise_is(scene: Scene) -> None:
    attributes = "log.md merge=union\nbin.md -merge\n"
    scene.part(
        {".gitattributes": attributes, "log.md": "a\n", "bin.md": NOTE},
        {"log.md": "a\nours\n", "bin.md": NOTE.replace("[birds]", "[birds, x]")},
        {"log.md": "a\ntheirs\n", "bin.md": NOTE.replace("[birds]", "[birds, y]")},
    )
    merged = scene.merge()
    assert [one.path for one in merged.conflicts] == ["bin.md"]
    scene.git("rm", "--quiet", f"{VAULT}/bin.md")
    scene.git("commit", "--quiet", "--message", "out")
    scene.git("switch", "--quiet", "side")
    scene.commit({"bin.md": NOTE})
    scene.git("switch", "--quiet", "main")
    assert scene.at(scene.merge().commit, "log.md") == "a\nours\ntheirs\n"


def test_the_driver_of_the_tree_is_ours_whatever_the_checkout_holds(scene: Scene) -> None:
    """The line is in the commits and not in the checkout, and the clone's own command is never run."""
    scene.git("config", "merge.vmem.driver", "touch ran; exit 2")
    scene.part(
        {".gitattributes": "*.md merge=vmem\n", "a.md": NOTE},
        {"a.md": NOTE.replace("[birds]", "[birds, water]")},
        {"a.md": NOTE.replace("[birds]", "[birds, ops]")},
    )
    (scene.root / ".gitattributes").unlink()
    merged = scene.merge()
    assert "tags: [birds, water, ops]" in scene.at(merged.commit, "a.md")
    assert not (scene.repo / "ran").exists()


def test_crossed_merges_lose_nothing(scene: Scene) -> None:
    scene.part({"a.md": NOTE}, {"a.md": NOTE.replace("[birds]", "[birds, x]")}, {"b.md": "b"})
    one = scene.merges.merged("main", "side", message="one").commit
    other = scene.merges.merged("side", "main", message="other").commit
    assert one is not None
    assert other is not None
    scene.merges.forward(one)
    scene.git("branch", "--force", "side", other)
    scene.commit({"a.md": NOTE.replace("[birds]", "[birds, x, y]")})
    scene.git("switch", "--quiet", "side")
    scene.commit({"a.md": NOTE.replace("[birds]", "[birds, x, z]")})
    scene.git("switch", "--quiet", "main")
    assert "tags: [birds, x, y, z]" in scene.at(scene.merge().commit, "a.md")


def test_two_histories_are_not_brought_together(scene: Scene) -> None:
    scene.commit({"a.md": "x"})
    scene.git("switch", "--quiet", "--orphan", "other")
    scene.commit({"b.md": "x"})
    assert scene.merges.base("main", "other") is None
    with pytest.raises(GitError, match="no commit in common"):
        scene.merges.merged("main", "other", message="m")


@pytest.mark.parametrize("name", ["", "-x", "--output=y", "no-such", "main..side", "a b"])
def test_what_names_no_commit_is_told(scene: Scene, name: str) -> None:
    scene.commit({"a.md": "x"})
    with pytest.raises(RevisionNotFoundError):
        scene.merges.merged("HEAD", name, message="m")
    with pytest.raises(RevisionNotFoundError):
        scene.merges.forward(name)


def test_a_git_that_is_too_old_is_told(scene: Scene, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scene.part({"a.md": "x"}, {"b.md": "x"}, {"c.md": "x"})
    real = shutil.which("git")
    old = tmp_path / "bin" / "git"
    old.parent.mkdir()
    old.write_text(
        '#!/bin/sh\ncase " $* " in *" merge-tree "*)\n'
        'echo "usage: git merge-tree <base-tree> <branch1> <branch2>" >&2; exit 129;; esac\n'
        f'exec {real} "$@"\n'
    )
    old.chmod(0o755)
    monkeypatch.setenv("PATH", f"{old.parent}:{os.environ['PATH']}")
    with pytest.raises(GitError, match="older than"):
        scene.merges.merged("HEAD", "side", message="m")


def test_where_no_repository_is_all_say_so(tmp_path: Path) -> None:
    merges = GitMerges(tmp_path, clock=ToldClock())
    with pytest.raises(GitError, match="no git repository"):
        merges.merged("a", "b", message="m")
