"""Several connections, threads and processes on one index."""

from __future__ import annotations

import random
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable
from pathlib import Path

import apsw
import pytest

from tests.adapters.indexes.processes import ROOT
from tests.contracts.index_values import check_against, paths, places, upsert
from vault_memory.adapters.indexes.sqlite.backend import SqliteIndex
from vault_memory.errors import SidecarError
from vault_memory.model.change import Removal, Upsert
from vault_memory.model.namespace import PERSON, VaultPath


def test_two_connections_see_each_others_changes(open_index: Callable[..., SqliteIndex]) -> None:
    one, two = open_index(), open_index()
    for at in range(5):
        writer, reader = (one, two) if at % 2 else (two, one)
        writer.apply([upsert(f"{at}.md", "risk")])
        assert reader.generation == at + 1
        assert reader.count(PERSON) == reader.corpus(PERSON).count == len(places(reader, "risk")) == at + 1
        assert len(reader.known_files()) == at + 1
    files = {f"{at}.md": upsert(f"{at}.md", "risk") for at in range(5)}
    check_against(one, files)
    check_against(two, files)


def test_inside_reading_nothing_changes(open_index: Callable[..., SqliteIndex]) -> None:
    one, two = open_index(), open_index()
    one.apply([upsert("a.md", "risk")])
    with two.reading():
        one.apply([upsert("b.md", "risk"), Removal(VaultPath("a.md"))])
        assert two.generation == 1
        assert paths(two.entries(PERSON)) == ["a.md"]
        assert places(two, "risk") == {("a.md", 0): (1, 0)}
        with two.reading():
            assert two.corpus(PERSON).count == 1
    assert paths(two.entries(PERSON)) == ["b.md"]
    assert places(two, "risk") == {("b.md", 0): (1, 0)}


def test_an_error_inside_reading_ends_it(open_index: Callable[..., SqliteIndex]) -> None:
    index = open_index()
    with pytest.raises(KeyError), index.reading():
        raise KeyError
    assert index.apply([upsert("a.md", "x")]) == 1


def test_no_change_of_two_writing_processes_is_lost(path: Path) -> None:
    script = """
        import sys
        from pathlib import Path
        from tests.contracts.index_values import upsert
        from vault_memory.adapters.indexes.sqlite.backend import SqliteIndex
        index = SqliteIndex.open(Path(sys.argv[1]))
        assert index.notice is None, index.notice
        for at in range(25):
            index.apply([upsert(f"{sys.argv[2]}-{at}.md", "risk " + sys.argv[2])])
        index.close()
    """
    command = [sys.executable, "-W", "error", "-c", textwrap.dedent(script), str(path)]
    running = [
        subprocess.Popen([*command, str(at)], cwd=ROOT, stderr=subprocess.PIPE, text=True) for at in range(4)
    ]
    for process in running:
        _, errors = process.communicate()
        assert (process.returncode, errors) == (0, "")
    index = SqliteIndex.open(path)
    assert index.generation == index.count(PERSON) == 100
    check_against(
        index, {f"{a}-{b}.md": upsert(f"{a}-{b}.md", f"risk {a}") for a in range(4) for b in range(25)}
    )
    index.close()


@pytest.mark.parametrize("content", [None, b"junk" * 2000])
def test_processes_that_make_the_file_at_once_end_up_with_the_same(path: Path, content: bytes | None) -> None:
    script = """
        import sys
        from pathlib import Path
        from vault_memory.adapters.indexes.sqlite.backend import SqliteIndex
        print("ready", flush=True)
        sys.stdin.readline()
        index = SqliteIndex.open(Path(sys.argv[1]))
        print("open", flush=True)
        sys.stdin.readline()
        print(index.notice, index.instance)
        index.close()
    """
    path.parent.mkdir()
    if content is not None:
        path.write_bytes(content)
    command = [sys.executable, "-W", "error", "-c", textwrap.dedent(script), str(path)]
    pipe = subprocess.PIPE
    running = [
        subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, stderr=pipe, text=True) for _ in range(6)
    ]
    for step in ("ready\n", "open\n"):
        for process in running:
            assert process.stdout is not None
            assert process.stdout.readline() == step
        for process in running:
            assert process.stdin is not None
            process.stdin.write("\n")
            process.stdin.flush()
    said = [process.communicate() for process in running]
    assert [errors for _, errors in said] == [""] * 6
    assert len({answer for answer, _ in said}) == 1
    assert said[0][0].startswith("None ")


def test_threads_share_one_index(open_index: Callable[..., SqliteIndex]) -> None:
    index = open_index()
    faults: list[str] = []

    def read() -> None:
        for _ in range(60):
            with index.reading():
                found, corpus = places(index, "risk"), index.corpus(PERSON)
                if not len(found) == corpus.count == index.count(PERSON) == index.generation:
                    faults.append(f"{len(found)} {corpus.count} {index.generation}")

    threads = [threading.Thread(target=read) for _ in range(3)]
    for thread in threads:
        thread.start()
    for at in range(60):
        index.apply([upsert(f"{at}.md", "risk")])
    for thread in threads:
        thread.join()
    assert faults == []
    assert index.count(PERSON) == 60


@pytest.mark.parametrize("how", ["IMMEDIATE", "EXCLUSIVE"])
def test_while_another_process_writes_reads_go_on_and_writes_say_who_is_in_the_way(
    open_index: Callable[..., SqliteIndex], path: Path, how: str
) -> None:
    index = open_index()
    index.apply([upsert("a.md", "x")])
    other = apsw.Connection(str(path))
    other.execute(f"BEGIN {how}")
    assert open_index().count(PERSON) == index.count(PERSON) == 1
    began = time.monotonic()
    with pytest.raises(SidecarError, match="locked by another process"):
        index.apply([upsert("b.md", "x")])
    assert time.monotonic() - began < 2
    other.execute("ROLLBACK")
    other.close()
    assert index.apply([upsert("b.md", "x")]) == 2


def test_a_file_that_nobody_else_may_even_read_is_replaced_by_memory(
    open_index: Callable[..., SqliteIndex], path: Path
) -> None:
    first = open_index()
    first.apply([upsert("a.md", "x")])
    first.close()
    other = apsw.Connection(str(path))
    other.execute("PRAGMA locking_mode = EXCLUSIVE")
    other.execute("BEGIN EXCLUSIVE")
    index = open_index()
    assert (
        index.notice == "the index can't be written (it is locked by another process): searching from memory"
    )
    assert index.rebuilt == "the index is kept in memory"
    assert index.writable
    index.apply([upsert("a.md", "x")])
    assert index.count(PERSON) == 1
    other.execute("ROLLBACK")
    other.close()
    assert open_index().notice is None


def test_many_small_changes_leave_the_index_as_one_big_one(open_index: Callable[..., SqliteIndex]) -> None:
    index, chance, files = open_index(), random.Random(1), dict[str, Upsert]()
    for at in range(250):
        path = f"{chance.randrange(20)}.md"
        if chance.random() < 0.2:
            files.pop(path, None)
            index.apply([Removal(VaultPath(path))])
        else:
            words = [" ".join(chance.choices("abcdefghij", k=9)) for _ in range(chance.randrange(5))]
            files[path] = upsert(path, *words, context=f"word{at}")
            index.apply([files[path]])
    check_against(index, files)
    fresh = SqliteIndex.open(None, embedder_id="e")
    fresh.apply(list(files.values()))
    assert index.dump() == fresh.dump()
