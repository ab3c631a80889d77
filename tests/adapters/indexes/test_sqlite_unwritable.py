"""Places that can't be written, and disks that fill up."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.adapters.indexes.processes import HASTE, ROOT, beside, run
from tests.contracts.index_values import many, upsert
from vault_memory.adapters.indexes.sqlite.backend import SqliteIndex
from vault_memory.errors import StorageError

_NOBODY = 65534
_AS_NOBODY = """
    import json, os, sys
    from pathlib import Path
    import numpy, numpy.linalg
    from tests.contracts.index_values import many, places, upsert
    from vault_memory.adapters.indexes.sqlite.backend import SqliteIndex
    from vault_memory.adapters.indexes.sqlite import connection
    from vault_memory.errors import VmemError
    from vault_memory.model.namespace import PERSON
    path = Path(sys.argv[1])
    if os.geteuid() == 0:  # whoever we become may not read the modules, so they are loaded above
        os.setgroups([])
        os.setgid({nobody})
        os.setuid({nobody})
    index = SqliteIndex.open(path, embedder_id="e", patience=connection.Patience(0.2, 0.2))
    told = {{"notice": index.notice, "writable": index.writable, "rebuilt": index.rebuilt}}
    told["count"], told["places"] = index.count(PERSON), len(places(index, "risk"))
    try:
        told["applied"] = index.apply([upsert("new.md", "risk")])
    except VmemError as error:
        told["error"] = type(error).__name__
    told["then"] = index.count(PERSON)
    if len(sys.argv) > 2:
        print("ready", flush=True)
        sys.stdin.readline()
        told["later"], told["later_notice"] = index.count(PERSON), index.notice
    index.close()
    print(json.dumps(told))
"""


@pytest.fixture
def public() -> Iterator[Path]:
    """An index of three memories in a folder that anybody may reach and nobody else may write."""
    home = Path(tempfile.mkdtemp(prefix="vmem-public-"))
    home.chmod(0o755)
    path = home / "local" / "index.db"
    index = SqliteIndex.open(path, embedder_id="e")
    index.apply(many(3))
    index.close()
    path.chmod(0o644)
    path.parent.chmod(0o755)
    yield path
    path.parent.chmod(0o755)
    shutil.rmtree(home)


def as_nobody(path: Path) -> dict[str, object]:
    """What somebody without the right to write finds."""
    if os.geteuid() != 0:
        path.parent.chmod(0o555)
    told: dict[str, object] = json.loads(run(_AS_NOBODY.format(nobody=_NOBODY), path))
    return told


def stale(reason: str) -> str:
    return f"the index can't be written ({reason}): answers may be out of date"


def test_a_read_only_folder_is_read_as_it_is(public: Path) -> None:
    public.chmod(0o444)
    told = as_nobody(public)
    assert told["notice"] == stale("it is read-only")
    assert (told["writable"], told["count"], told["places"], told["then"]) == (False, 3, 3, 3)
    assert (told["rebuilt"], told["error"]) == (None, "StorageError")
    assert beside(public) == ["index.db"]


def test_a_file_that_may_be_written_in_a_folder_that_may_not_is_read_as_it_is(public: Path) -> None:
    public.chmod(0o666)
    told = as_nobody(public)
    assert told["notice"] == stale("it is read-only")
    assert (told["writable"], told["count"], told["error"]) == (False, 3, "StorageError")


def test_beside_a_writer_who_may_the_newest_is_read(public: Path) -> None:
    writer = SqliteIndex.open(public, embedder_id="e")
    writer.apply([upsert("fourth.md", "risk")])
    for found in public.parent.iterdir():
        found.chmod(0o644)
    told = as_nobody(public)
    assert (told["writable"], told["count"], told["places"]) == (False, 4, 4)
    writer.close()


def test_a_reader_who_may_not_write_follows_the_writers_who_come_and_go(public: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only the superuser can be two people")
    script = textwrap.dedent(_AS_NOBODY.format(nobody=_NOBODY))
    command = [sys.executable, "-W", "error", "-c", script, str(public), "wait"]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        assert process.stdout.readline() == "ready\n"
        writer = SqliteIndex.open(public, embedder_id="e")
        writer.apply([upsert("fourth.md", "risk")])
        writer.close()
        process.stdin.write("\n")
        process.stdin.flush()
        told = json.loads(process.stdout.read())
    assert (told["then"], told["later"]) == (3, 4)
    assert told["later_notice"] is not None


def test_where_no_file_can_be_made_memory_serves(public: Path) -> None:
    public.unlink()
    told = as_nobody(public)
    assert told["notice"] == (
        "the index can't be written (it can't be opened for writing): searching from memory"
    )
    assert (told["writable"], told["rebuilt"], told["then"]) == (True, "the index is kept in memory", 1)


def test_a_read_only_file_that_is_damaged_or_was_never_filled_is_not_read(public: Path) -> None:
    index = SqliteIndex.open(public, embedder_id="e")
    index.drop()
    index.close()
    never = as_nobody(public)
    public.parent.chmod(0o755)
    public.write_bytes(b"junk" * 2000)
    damaged = as_nobody(public)
    for told in (never, damaged):
        assert str(told["notice"]).endswith("searching from memory")
        assert told["writable"] is True


def test_a_folder_in_the_files_place_is_answered_from_memory(path: Path) -> None:
    path.mkdir(parents=True)
    index = SqliteIndex.open(path, patience=HASTE)
    assert index.notice is not None
    assert index.apply([upsert("a.md", "x")]) == 1


_FULL = """
    import resource, sys
    from pathlib import Path
    from tests.contracts.index_values import many, upsert
    from vault_memory.adapters.indexes.sqlite.backend import SqliteIndex
    from vault_memory.errors import StorageError
    from vault_memory.model.namespace import PERSON

    path, limit = Path(sys.argv[1]), int(sys.argv[2])
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    index = SqliteIndex.open(path)
    print(index.notice)
    before = index.dump()
    try:
        index.apply(many(2000, "a longer text than usual " * 20))
        print("applied")
    except StorageError as error:
        print(error)
        assert index.dump() == before
    index.apply([upsert("a.md", "x")])
    print(index.count(PERSON))
    index.close()
"""


def test_a_disk_too_full_for_a_new_file_is_answered_from_memory(path: Path) -> None:
    notice, applied, count = run(_FULL, path, 3000).splitlines()
    assert notice == "the index can't be written (the disk reports an error): searching from memory"
    assert (applied, count) == ("applied", "2001")


def test_a_disk_that_fills_up_leaves_the_old_content_whole(path: Path) -> None:
    notice, error, count = run(_FULL, path, 400_000).splitlines()
    assert notice == "None"
    assert error == f"can't write {path}: the disk reports an error"
    assert count == "1"


def test_a_full_index_says_so(open_index: Callable[..., SqliteIndex]) -> None:
    index = open_index()
    index.apply([upsert("a.md", "x")])
    before = index.dump()
    index._db.pragma("max_page_count", 60)
    with pytest.raises(StorageError, match="the disk is full"):
        index.apply(many(500))
    assert index.dump() == before
    index._db.pragma("max_page_count", 100_000)
    assert index.apply(many(500)) == 2
