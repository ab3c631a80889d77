"""Operations of one batch make one commit, on every road, and nothing else changes for anyone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pygit2
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.adapters.git.conftest import Bench, MakeBench
from tests.adapters.git.persons import mess, picture, seeded, write_back
from tests.gitrun import run_git
from vault_memory.adapters.git.cli import GitProgram
from vault_memory.adapters.git.gitindex import PreparedIndex
from vault_memory.adapters.git.trees import Entry, with_files
from vault_memory.model.revision import EDITED_SINCE, Intent, Op

SIGNATURE = "-----BEGIN PGP SIGNATURE-----"


def together(*intents: Intent, batch: str = "one", message: str = "gc: all of it\n") -> list[Intent]:
    """The same operations as one batch."""
    return [
        replace(one, operation=replace(one.operation, op=Op.GC, batch=batch, message=message))
        for one in intents
    ]


def plain(_: Bench) -> None:
    """libgit2 alone."""


def hook(bench: Bench) -> None:
    bench.hook("pre-commit", "git diff --cached --name-only >> .git/seen; exit 0")


def hook_on_refs(bench: Bench) -> None:
    bench.hook("reference-transaction", "exit 0")


def signing(bench: Bench) -> None:
    """A program that signs whatever it is given."""
    program = bench.root / ".git" / "signs"
    program.write_text(
        "#!/bin/sh\ncat > /dev/null\necho '[GNUPG:] SIG_CREATED ' >&2\n"
        f"printf -- '{SIGNATURE}\\n\\nx\\n-----END PGP SIGNATURE-----\\n'\n"
    )
    program.chmod(0o755)
    bench.git("config", "gpg.program", str(program))
    bench.git("config", "commit.gpgSign", "true")


def sparse_index(bench: Bench) -> None:
    """What libgit2 can open and not write."""
    bench.git("update-index", "--split-index")


Road = Callable[[Bench], None]
ROADS: dict[str, tuple[tuple[str, ...], Road]] = {
    "libgit2": ((), plain),
    "a hook": ((), hook),
    "a hook on refs": ((), hook_on_refs),
    "signing": ((), signing),
    "a split index": ((), sparse_index),
    "sha256": (("--object-format=sha256",), plain),
    "sha256 with a hook": (("--object-format=sha256",), hook),
}


@pytest.fixture(params=ROADS)
def road(request: pytest.FixtureRequest, tmp_path: Path, bench_at: MakeBench) -> Bench:
    """A vault in a repository with one commit, for each road."""
    options, prepare = ROADS[request.param]
    bench = bench_at(seeded(tmp_path / "r", *options))
    prepare(bench)
    return bench


def one_of_each(bench: Bench) -> list[Intent]:
    """A new file, a changed one and a removed one, which is the only one of its folder."""
    known(bench)
    return changes(bench)


def known(bench: Bench) -> None:
    bench.remember("old.md", "old\n")
    bench.remember("deep/er/gone.md", "gone\n")


def changes(bench: Bench) -> list[Intent]:
    return [
        bench.write("notes/new.md", "new\n", agent="akashi"),
        bench.write("old.md", "edited\n", agent="akashi"),
        bench.remove("deep/er/gone.md"),
    ]


def test_a_batch_is_one_commit_of_all_its_files(road: Bench) -> None:
    intents = together(*one_of_each(road), message="gc: three\n\nOne line for each.\n")
    head = road.git("rev-parse", "HEAD")
    report = road.commit(*intents)
    assert (report.waiting, report.unversioned) == ({}, {})
    made = road.git("rev-parse", "HEAD")
    assert report.commits == dict.fromkeys([one.number for one in intents], made)
    assert road.git("rev-parse", "HEAD^") == head
    assert road.files_in(made) == ["D deep/er/gone.md", "A notes/new.md", "M old.md"]
    assert road.git("show", "-s", "--format=%an: %B").strip() == "akashi: gc: three\n\nOne line for each."
    assert not (road.root / ".git" / "signs").exists() or SIGNATURE in road.git("cat-file", "commit", "HEAD")
    road.check_sound()


def test_a_persons_work_beside_a_batch_is_as_before(road: Bench) -> None:
    known(road)
    mess(road)
    before = picture(road)
    assert road.commit(*together(*changes(road))).waiting == {}
    assert road.files_in("HEAD") == ["D deep/er/gone.md", "A notes/new.md", "M old.md"]
    assert picture(road) == before


def test_a_batch_of_many_is_one_commit(road: Bench) -> None:
    many = [road.write(f"many/{number}.md", f"{number}\n") for number in range(60)]
    assert road.commit(*together(*many)).waiting == {}
    assert road.git("rev-list", "--count", "HEAD") == "2"
    assert len(road.files_in("HEAD")) == 60
    gone = [road.remove(f"many/{number}.md") for number in range(60)]
    assert len(set(road.commit(*together(*gone)).commits.values())) == 1
    assert road.git("ls-files") == "README.md"
    road.check_sound()


def test_of_a_batch_the_file_that_was_edited_since_waits_alone(road: Bench) -> None:
    intents = together(*one_of_each(road))
    (road.root / "old.md").write_text("the person's\n")
    report = road.commit(*intents)
    assert report.waiting == {intents[1].number: EDITED_SINCE}
    assert set(report.commits) == {intents[0].number, intents[2].number}
    assert road.files_in("HEAD") == ["D deep/er/gone.md", "A notes/new.md"]
    assert road.git("status", "--porcelain") == " M old.md"


def test_a_file_may_take_the_name_of_a_folder_that_goes_in_the_same_commit(road: Bench) -> None:
    road.remember("name.md/inside.md", "inside\n")
    gone = road.remove("name.md/inside.md")
    (road.root / "name.md").rmdir()
    assert road.commit(*together(road.write("name.md", "a file\n"), gone)).waiting == {}
    assert road.files_in("HEAD") == ["A name.md", "D name.md/inside.md"]
    road.check_sound()
    gone = road.remove("name.md")
    assert road.commit(*together(gone, road.write("name.md/again.md", "x\n"))).waiting == {}
    assert road.files_in("HEAD") == ["D name.md", "A name.md/again.md"]
    road.check_sound()


def test_a_batch_stands_between_single_operations_in_order(bench: Bench) -> None:
    first, last = bench.write("first.md", "1\n"), bench.write("last.md", "3\n")
    pairs = [
        together(bench.write(f"{name}1.md", "x\n"), bench.write(f"{name}2.md", "x\n"), batch=name)
        for name in ("a", "b")
    ]
    report = bench.commit(first, *pairs[0], *pairs[1], last)
    assert report.waiting == {}
    commits = bench.git("rev-list", "--reverse", "-4", "HEAD").split()
    assert [bench.files_in(commit) for commit in commits] == [
        ["A first.md"],
        ["A a1.md", "A a2.md"],
        ["A b1.md", "A b2.md"],
        ["A last.md"],
    ]
    assert [report.commits[one.number] for one in (first, pairs[0][1], pairs[1][0], last)] == commits
    bench.check_sound()


def test_a_batch_among_many_single_ones_is_one_commit_of_the_import(bench: Bench) -> None:
    singles = [bench.write(f"single/{number}.md", f"{number}\n") for number in range(55)]
    pair = together(bench.write("a.md", "a\n"), bench.write("b.md", "b\n"))
    report = bench.commit(*singles[:50], *pair, *singles[50:])
    assert report.waiting == {}
    assert bench.git("rev-list", "--count", "HEAD") == "57"
    assert bench.files_in(report.commits[pair[0].number]) == ["A a.md", "A b.md"]
    bench.check_sound()


def test_the_first_commit_of_a_repository_may_be_a_batch(tmp_path: Path, bench_at: MakeBench) -> None:
    for kind in ("sha1", "sha256"):
        root = tmp_path / kind
        root.mkdir()
        run_git(root, "init", "--quiet", f"--object-format={kind}")
        bench = bench_at(root)
        gone = bench.write("gone.md", "gone\n")
        intents = together(bench.write("a.md", "a\n"), bench.write("b/c.md", "c\n"), gone)
        gone_again = replace(bench.remove("gone.md"), operation=replace(intents[2].operation, version=None))
        report = bench.commit(*intents[:2], gone_again)
        assert report.waiting == {}
        assert set(report.unversioned) == {gone_again.number}
        assert bench.files_in("HEAD") == ["A a.md", "A b/c.md"]
        bench.check_sound()


def test_what_a_later_operation_overtook_is_closed_by_that_one(bench: Bench) -> None:
    intents = together(bench.write("a.md", "one\n"), bench.write("b.md", "one\n"))
    later = bench.write("a.md", "two\n")
    report = bench.commit(*intents, later)
    assert bench.files_in(report.commits[intents[1].number]) == ["A b.md"]
    assert report.commits[intents[0].number] == report.commits[later.number]
    assert bench.files_in(report.commits[later.number]) == ["A a.md"]
    bench.check_sound()


def test_what_head_holds_of_a_batch_already_is_told_and_the_rest_committed(bench: Bench) -> None:
    intents = together(bench.write("a.md", "one\n"), bench.write("b.md", "one\n"))
    bench.git("add", "a.md")
    bench.git("commit", "--quiet", "--message=by hand")
    by_hand = bench.git("rev-parse", "HEAD")
    report = bench.commit(*intents)
    assert report.commits == {intents[0].number: by_hand, intents[1].number: bench.git("rev-parse", "HEAD")}
    assert bench.files_in("HEAD") == ["A b.md"]
    assert bench.commit(*intents) == report
    bench.check_sound()


def test_a_hook_that_says_no_lets_the_whole_batch_wait(bench: Bench) -> None:
    intents = together(*one_of_each(bench))
    refusing = bench.hook("pre-commit", "echo 'not on Sundays' >&2; exit 1")
    report = bench.commit(*intents)
    assert report.waiting == dict.fromkeys([one.number for one in intents], "not on Sundays")
    refusing.unlink()
    assert bench.commit(*intents).waiting == {}
    bench.check_sound()


def test_a_hook_is_run_once_and_sees_all_files_of_the_batch(bench: Bench) -> None:
    intents = together(*one_of_each(bench))
    hook(bench)
    assert bench.commit(*intents).waiting == {}
    seen = (bench.root / ".git" / "seen").read_text().split()
    assert seen == ["deep/er/gone.md", "notes/new.md", "old.md"]


def test_a_batch_that_a_stale_index_took_from_head_is_one_commit_again(bench: Bench) -> None:
    old = (bench.root / ".git" / "index").read_bytes()
    batch = together(bench.write("a.md", "a\n"), bench.write("b.md", "b\n"))
    bench.commit(*batch, bench.write("single.md", "c\n", agent="akashi"))
    write_back(bench, old)
    (bench.root / "theirs.txt").write_text("x\n")
    bench.git("add", "theirs.txt")
    bench.git("commit", "--quiet", "--message=theirs")
    assert bench.files_in("HEAD") == ["D a.md", "D b.md", "D single.md", "A theirs.txt"]
    bench.history.heal()
    assert bench.git("log", "-2", "--format=%an: %s").splitlines() == [
        "akashi: remember: single.md",
        "Test Person: gc: all of it",
    ]
    assert bench.files_in("HEAD") == ["A single.md"]
    assert bench.files_in("HEAD^") == ["A a.md", "A b.md"]
    bench.check_sound()


def test_five_hundred_removals_write_two_trees_and_the_index_once(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = [bench.write(f"notes/{number}.md", f"{number}\n") for number in range(501)]
    bench.commit(*together(*kept))
    gone = together(*(bench.remove(f"notes/{number}.md") for number in range(500)))
    before = loose_objects(bench)
    written: list[str] = []
    really = PreparedIndex.write

    def count(self: PreparedIndex) -> str:
        written.append(really(self))
        return written[-1]

    monkeypatch.setattr(PreparedIndex, "write", count)
    assert bench.commit(*gone).waiting == {}
    assert loose_objects(bench) - before == 3  # the folder, the root, the commit
    assert len(written) == 1
    assert bench.git("ls-files") == "README.md\nnotes/500.md"
    bench.check_sound()


def test_five_hundred_removals_cost_the_git_program_a_handful_of_calls(
    tmp_path: Path, bench_at: MakeBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = bench_at(seeded(tmp_path / "r", "--object-format=sha256"))
    (bench.root / "notes").mkdir()
    for number in range(500):
        (bench.root / "notes" / f"{number}.md").write_text(f"{number}\n")
    bench.git("add", "notes")
    bench.git("commit", "--quiet", "--message=all")
    gone = together(*(bench.remove(f"notes/{number}.md") for number in range(500)))
    called: list[tuple[str, ...]] = []
    really = GitProgram.run

    def count(self: GitProgram, *arguments: str, **options: object) -> object:
        called.append(arguments)
        return really(self, *arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(GitProgram, "run", count)
    assert bench.commit(*gone).waiting == {}
    assert len([one for one in called if "check-ignore" not in one]) < 50
    assert bench.git("ls-files") == "README.md"


def loose_objects(bench: Bench) -> int:
    return int(bench.git("count-objects").split()[0])


NAMES = st.sampled_from(["a", "b", "c"])
PATHS = st.lists(NAMES, min_size=1, max_size=4).map("/".join)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sets(PATHS, max_size=6), st.sets(PATHS, max_size=6))
def test_a_tree_is_the_one_that_git_writes_of_the_same_files(
    repo: Path, before: set[str], after: set[str]
) -> None:
    before, after = no_folder_is_a_file(before), no_folder_is_a_file(after)
    opened = pygit2.Repository(repo)
    blob = opened.create_blob(b"x")
    entry = Entry(pygit2.Oid(hex=str(blob)), 0o100644)
    first = with_files(opened, None, dict.fromkeys(sorted(before), entry), [])
    changes = dict.fromkeys(sorted(before - after)) | dict.fromkeys(sorted(after), entry)
    tree = with_files(opened, first, changes, [])
    run_git(repo, "read-tree", "--empty")
    lines = "".join(f"100644 {blob}\t{path}\n" for path in sorted(after))
    run_git(repo, "update-index", "--add", "--index-info", stdin=lines)
    assert run_git(repo, "write-tree") == (str(tree) if tree is not None else str(empty(opened)))


def no_folder_is_a_file(paths: set[str]) -> set[str]:
    return {path for path in paths if not any(other.startswith(f"{path}/") for other in paths)}


def empty(repo: pygit2.Repository) -> pygit2.Oid:
    return repo.TreeBuilder().write()
