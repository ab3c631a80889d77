"""Files that are damaged, deleted, exchanged, or whose writer was killed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from pathlib import Path

import apsw
import pytest

from tests.adapters.indexes.processes import ROOT, run
from tests.contracts.index_values import check_against, many, paths, places, query, sha, unit, upsert
from vault_memory.adapters.indexes.sqlite.backend import SqliteIndex
from vault_memory.errors import IndexDamagedError
from vault_memory.model.namespace import PERSON, VaultPath


def filled(open_index: Callable[..., SqliteIndex]) -> None:
    """Leaves a closed index of a few hundred pages."""
    index = open_index()
    index.apply(many(400), vectors={sha("more of it"): unit(1, 0)})
    index.close()


def junk(path: Path) -> None:
    path.write_bytes(b"this is no database " * 3000)


def cut(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def header_only(path: Path) -> None:
    os.truncate(path, 100)


def holes(path: Path) -> None:
    size = path.stat().st_size
    path.write_bytes(path.read_bytes()[:4096] + b"\xff" * (size - 4096))


@pytest.mark.parametrize("damage", [junk, cut, header_only, holes])
def test_a_damaged_file_is_made_anew(
    open_index: Callable[..., SqliteIndex], path: Path, damage: Callable[[Path], None]
) -> None:
    filled(open_index)
    damage(path)
    index = open_index()
    assert index.rebuilt == "the file was damaged"
    assert (index.notice, index.writable, index.known_files()) == (None, True, {})
    index.apply([upsert("a.md", "x")])
    index.close()
    check_against(open_index(), {"a.md": upsert("a.md", "x")})


def test_a_file_cut_to_nothing_is_a_new_one(open_index: Callable[..., SqliteIndex], path: Path) -> None:
    filled(open_index)
    os.truncate(path, 0)
    assert open_index().rebuilt == "there was no index yet"


def test_junk_beside_the_file_is_no_damage(open_index: Callable[..., SqliteIndex], path: Path) -> None:
    filled(open_index)
    path.with_name("index.db-wal").write_bytes(b"\x37\x7f\x06\x82" + b"junk" * 5000)
    path.with_name("index.db-shm").write_bytes(b"junk" * 8192)
    index = open_index()
    assert (index.rebuilt, index.count(PERSON)) == (None, 400)


def test_damage_found_later_is_told_and_dropping_mends_it(
    open_index: Callable[..., SqliteIndex], path: Path
) -> None:
    filled(open_index)
    db = apsw.Connection(str(path))
    page_size = db.pragma("page_size")
    root = db.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'texts'").get
    db.close()
    with path.open("r+b") as file:
        file.seek((root - 1) * page_size)
        file.write(b"\xff" * page_size)
    index = open_index()
    assert index.count(PERSON) == 400
    for _ in range(2):
        with pytest.raises(IndexDamagedError, match="damaged"):
            index.passages_of(VaultPath("notes/00001.md"))
    with pytest.raises(IndexDamagedError, match="damaged"):
        index.apply([upsert("notes/00001.md", "changed")])
    before = index._meta.instance
    index.drop()
    assert (index.rebuilt, index.known_files(), index.notice) == ("the file was damaged", {}, None)
    assert index.instance != before
    index.apply(many(20))
    assert open_index().count(PERSON) == 20


def test_a_missing_table_is_damage(open_index: Callable[..., SqliteIndex], path: Path) -> None:
    filled(open_index)
    db = apsw.Connection(str(path))
    db.execute("DROP TABLE links")
    db.close()
    index = open_index()
    with pytest.raises(IndexDamagedError, match="no such table"):
        index.links_from(VaultPath("a.md"))
    index.drop()
    assert index.links_from(VaultPath("a.md")) == []


def test_when_the_folder_is_deleted_the_next_call_begins_anew(
    open_index: Callable[..., SqliteIndex], path: Path
) -> None:
    index = open_index()
    index.apply([upsert("a.md", "x")])
    assert index.count(PERSON) == 1
    shutil.rmtree(path.parent)
    assert index.known_files() == {}
    assert index.rebuilt == "there was no index yet"
    index.apply([upsert("b.md", "x")])
    assert paths(open_index().entries(PERSON)) == paths(index.entries(PERSON)) == ["b.md"]


def test_when_another_file_takes_its_place_the_next_call_follows(
    open_index: Callable[..., SqliteIndex], path: Path
) -> None:
    index = open_index()
    index.apply([upsert("a.md", "x")], vectors={sha("x"): unit(1, 0)})
    (number,) = [one.number for one in index.passages_of(VaultPath("a.md"))]
    assert index.entries_of([number])[number].path == "a.md"
    assert len(index.nearest(query(1, 0), 1)[0]) == 1
    for found in list(path.parent.iterdir()):
        found.unlink()
    open_index().apply([upsert("b.md", "x")])
    assert index.entries_of([number])[number].path == "b.md"
    assert index.nearest(query(1, 0), 1)[0].tolist() == []
    assert index.apply([upsert("c.md", "x")]) == 2
    assert paths(open_index().entries(PERSON)) == ["b.md", "c.md"]


# Kills


def test_a_kill_at_any_statement_leaves_the_old_or_the_new(tmp_path: Path) -> None:
    script = """
        import os, shutil, signal, sys, warnings
        from pathlib import Path
        from tests.contracts.index_values import many, sha, unit, upsert
        from vault_memory.adapters.indexes.sqlite.backend import SqliteIndex
        from vault_memory.model.change import Removal

        # The threads that newer Pythons warn of are numpy's; the child does nothing but SQL.
        warnings.filterwarnings("ignore", message=".*fork", category=DeprecationWarning)
        folder = Path(sys.argv[1])
        before = many(5)
        changed = upsert("notes/00001.md", "changed", "and longer", "still")
        after = [changed, Removal("notes/00002.md"), *many(7)[5:]]
        vectors = {sha("changed"): unit(1, 0)}

        def kill_at(path, number):
            index = SqliteIndex.open(path, embedder_id="e")
            left = [number]
            def count(*_):
                left[0] -= 1
                if left[0] == 0:
                    os.kill(os.getpid(), signal.SIGKILL)
                return True
            index._db.exec_trace = count
            index.apply(after, vectors=vectors)

        def dump(path):
            index = SqliteIndex.open(path, embedder_id="e")
            assert index.notice is None and index.rebuilt is None
            found = index.dump()
            index.close()
            return found

        base = folder / "base.db"
        index = SqliteIndex.open(base, embedder_id="e")
        index.apply(before)
        index.close()
        done = folder / "done.db"
        shutil.copy(base, done)
        index = SqliteIndex.open(done, embedder_id="e")
        index.apply(after, vectors=vectors)
        index.close()
        old, new = dump(base), dump(done)
        assert old != new
        number, status = 0, None
        while status != 0:
            number += 1
            path = folder / "victim.db"
            for left in folder.glob("victim.db*"):
                left.unlink()
            shutil.copy(base, path)
            child = os.fork()
            if child == 0:
                kill_at(path, number)
                os._exit(0)
            status = os.waitpid(child, 0)[1]
            assert status in (0, signal.SIGKILL)
            assert dump(path) == (new if status == 0 else old), number
        print(number)
    """
    statements = int(run(script, tmp_path))
    assert statements > 20


def test_a_kill_at_any_moment_leaves_whole_generations(path: Path) -> None:
    script = """
        import itertools, sys
        from pathlib import Path
        from tests.contracts.index_values import many
        from vault_memory.adapters.indexes.sqlite.backend import SqliteIndex
        index = SqliteIndex.open(Path(sys.argv[1]))
        for at in itertools.count(index.generation):
            index.apply(many(200, f"round{at}"))
            print(at + 1, flush=True)
    """
    acknowledged = 0
    for delay in (0.0, 0.01, 0.03, 0.06, 0.1, 0.15):
        command = [sys.executable, "-W", "error", "-c", textwrap.dedent(script), str(path)]
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            acknowledged = int(process.stdout.readline())
            time.sleep(delay)
            process.kill()
            acknowledged = int((process.stdout.read().split() or [str(acknowledged)])[-1])
        index = SqliteIndex.open(path)
        assert index.rebuilt is None
        assert acknowledged <= index.generation <= acknowledged + 1
        assert len(places(index, f"round{index.generation - 1}")) == 200
        assert (
            places(index, f"round{index.generation}") == places(index, f"round{index.generation - 2}") == {}
        )
        index.close()
