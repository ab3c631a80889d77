"""Listings are kept only as long as they are true: whoever else writes is seen."""

from __future__ import annotations

import itertools
import os
import shutil
import time
import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from vault_memory.adapters.files import listing
from vault_memory.adapters.files.listing import Listings, folded, folded_all
from vault_memory.adapters.files.tree import VaultFiles
from vault_memory.errors import ConflictError
from vault_memory.model.namespace import Namespace, VaultPath

NOTES = Namespace("notes")
LONG_AGO_NS, HOUR_NS = 1_700_000_000_000_000_000, 3_600_000_000_000


@pytest.fixture
def listed(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """Each folder that is listed, each time."""
    folders: list[bytes] = []
    real = os.listdir

    def listdir(folder: bytes) -> list[bytes]:
        folders.append(folder)
        return real(folder)

    monkeypatch.setattr("vault_memory.adapters.files.listing.os.listdir", listdir)
    return folders


def write(files: VaultFiles, name: str) -> None:
    files.write(VaultPath(f"notes/{name}"), b"text\n", replacing=None)


def eventually(asked: Callable[[], bool]) -> bool:
    """Whether it comes true: a name that came in the moment of a write of ours may be late by a second."""
    end = time.monotonic() + 30
    while not asked():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


def ticked(beside: Path) -> None:
    """Wait until the disk's clock has moved on: a folder that stood for long did not change just now."""
    probe = beside / "probe"
    probe.touch()
    begun = probe.stat().st_ctime_ns
    while probe.stat().st_ctime_ns == begun:
        probe.touch()


def later(listings: Listings) -> None:
    """Let the file system's clock be far on."""
    listings.learn_time(time.time_ns() + HOUR_NS)


def test_a_folder_that_stands_for_long_is_listed_once(tmp_path: Path, listed: list[bytes]) -> None:
    (tmp_path / "Größe.md").touch()
    folder = os.fsencode(tmp_path)
    listings = Listings()
    later(listings)
    assert {listings.names(folder) for _ in range(5)} == {frozenset({"grösse.md"})}
    assert listed == [folder]
    assert {listings.spelling(folder, "GRÖSSE.MD".encode()) for _ in range(5)} == {"Größe.md".encode()}
    assert listings.names(folder) == {"grösse.md"}
    assert listed == [folder, folder]


def test_a_folder_that_changed_a_moment_ago_is_listed_each_time(tmp_path: Path, listed: list[bytes]) -> None:
    (tmp_path / "a.md").touch()
    folder = os.fsencode(tmp_path)
    listings = Listings()
    for learned in (None, tmp_path.stat().st_ctime_ns, tmp_path.stat().st_ctime_ns + listing.TICK_NS):
        if learned is not None:
            listings.learn_time(learned)
        listings.names(folder)
        listings.names(folder)
    assert listed == [folder] * 6


@pytest.mark.parametrize("name", ["new.md", "A.MD", "größe.md"])
def test_what_another_adds_removes_or_renames_is_seen_in_a_folder_that_stood_for_long(
    tmp_path: Path, name: str
) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "old.md").touch()
    folder = os.fsencode(notes)
    listings = Listings()
    later(listings)
    assert listings.names(folder) == {"old.md"}
    ticked(tmp_path)
    (notes / name).touch()
    later(listings)
    assert listings.names(folder) == {"old.md", folded(name.encode())}
    ticked(tmp_path)
    (notes / name).rename(notes / "renamed.md")
    assert listings.names(folder) == {"old.md", "renamed.md"}
    ticked(tmp_path)
    (notes / "renamed.md").unlink()
    assert listings.names(folder) == {"old.md"}


def test_a_folder_that_is_set_back_to_its_old_time_is_listed_again(tmp_path: Path) -> None:
    os.utime(tmp_path, ns=(LONG_AGO_NS, LONG_AGO_NS))
    folder = os.fsencode(tmp_path)
    listings = Listings()
    later(listings)
    assert listings.names(folder) == frozenset()
    (tmp_path / "restored.md").touch()
    os.utime(tmp_path, ns=(LONG_AGO_NS, LONG_AGO_NS))
    assert listings.names(folder) == {"restored.md"}


def test_another_folder_of_the_name_is_listed_for_itself(tmp_path: Path) -> None:
    one, other = tmp_path / "notes", tmp_path / "other"
    one.mkdir()
    other.mkdir()
    (other / "b.md").touch()
    listings = Listings()
    later(listings)
    assert listings.names(os.fsencode(one)) == frozenset()
    one.rename(tmp_path / "away")
    other.rename(one)
    assert listings.names(os.fsencode(one)) == {"b.md"}
    shutil.rmtree(one)
    with pytest.raises(FileNotFoundError):
        listings.names(os.fsencode(one))


def test_our_own_files_are_known_without_a_look(files: VaultFiles, listed: list[bytes]) -> None:
    write(files, "first.md")
    assert files.names_in(NOTES) == {"first.md"}
    looks = len(listed)
    for number in range(20):
        write(files, f"{number}.md")
        assert f"{number}.md" in files.names_in(NOTES)
    began = time.monotonic()
    assert len(files.names_in(NOTES)) == 21
    if time.monotonic() - began < listing.CONTINUED_SECONDS:
        assert len(listed) - looks < 20


def test_a_name_that_another_adds_between_our_writes_is_seen_within_a_second(
    vault: Path, files: VaultFiles
) -> None:
    write(files, "first.md")
    for number in range(3):
        files.names_in(NOTES)
        write(files, f"{number}.md")
        (vault / "notes" / "person.md").touch()
        assert eventually(lambda: "person.md" in files.names_in(NOTES))
        (vault / "notes" / "person.md").unlink()
        assert eventually(lambda: "person.md" not in files.names_in(NOTES))


def test_a_name_that_was_missed_is_never_written_over_and_then_known(
    vault: Path, files: VaultFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(files, "first.md")
    files.names_in(NOTES)
    write(files, "second.md")
    # As on a file system whose clock stands still.
    monkeypatch.setattr(listing, "_key", lambda _: (1, 1, 1, 1))
    files.names_in(NOTES)
    write(files, "third.md")
    (vault / "notes" / "person.md").write_text("theirs\n")
    assert "person.md" not in files.names_in(NOTES)
    with pytest.raises(ConflictError):
        write(files, "person.md")
    assert (vault / "notes" / "person.md").read_text() == "theirs\n"
    assert files.names_in(NOTES) == {"first.md", "second.md", "third.md", "person.md"}


def test_a_month_folder_that_we_make_is_known_in_the_one_around_it(files: VaultFiles) -> None:
    write(files, "first.md")
    files.names_in(NOTES)
    write(files, "second.md")
    write(files, "2026-11/third.md")
    assert files.names_in(NOTES) == {"first.md", "second.md", "2026-11"}
    assert files.names_in(Namespace("notes/2026-11")) == {"third.md"}


def test_no_more_names_are_kept_than_may_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, listed: list[bytes]
) -> None:
    monkeypatch.setattr(listing, "MOST_NAMES", 10)
    folders = []
    for number in range(6):
        folder = tmp_path / str(number)
        folder.mkdir()
        for name in range(4):
            (folder / f"{name}.md").touch()
        folders.append(os.fsencode(folder))
    listings = Listings()
    later(listings)
    for one in folders * 3:
        assert len(listings.names(one)) == 4
    assert len(listed) == 18
    assert len(listings.names(folders[-1])) == 4
    assert len(listed) == 18


def test_two_names_that_fold_to_the_same_have_no_spelling(tmp_path: Path) -> None:
    for name in ("Plan", "PLAN", "other"):
        (tmp_path / name).mkdir(exist_ok=True)
    if len(list(tmp_path.iterdir())) < 3:
        pytest.skip("this file system takes the two for one")
    listings = Listings()
    assert listings.spelling(os.fsencode(tmp_path), b"plan") is None
    assert listings.spelling(os.fsencode(tmp_path), b"Other") == b"other"
    assert listings.spelling(os.fsencode(tmp_path), b"none") is None


NAMES = st.lists(
    st.binary(min_size=1, max_size=12).filter(lambda name: not {0, 0x2F} & set(name))
    | st.text(st.characters(exclude_characters="/\0", codec="utf-8"), min_size=1, max_size=12).map(str.encode)
)


@given(NAMES)
@example(["\u0301x".encode(), b"a"])
@example([b"e", "\u0338".encode()])
@example([b"\xff", "ß".encode(), "\ud800".encode("utf-8", "surrogatepass")])
def test_names_folded_together_are_as_each_folded_alone(names: list[bytes]) -> None:
    assert folded_all(names) == [folded(name) for name in names]
    for one, other in itertools.combinations(names, 2):
        alike = unicodedata.normalize("NFC", one.decode("utf-8", "surrogateescape").casefold())
        assert (folded(one) == folded(other)) == (
            alike == unicodedata.normalize("NFC", other.decode("utf-8", "surrogateescape").casefold())
        )
