"""What every implementation of the `Files` port promises."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from vault_memory.errors import ConflictError, StorageError, VaultUnreadableError
from vault_memory.model.namespace import Namespace, VaultPath
from vault_memory.ports import Files

A = VaultPath("shared/market/a.md")

_SAFE = st.characters(exclude_categories=("Cs", "Cc"), exclude_characters="/\\:")
NAMES = st.text(_SAFE, min_size=1, max_size=40).filter(lambda name: not name.startswith((".", "~$")))
"""File names as people give them: any script, emoji and blanks included."""


def version(content: bytes) -> str:
    """The sha256 by which writers say what they replace."""
    return hashlib.sha256(content).hexdigest()


class FilesContract:
    """Inherit, and give a fixture `files`: an empty vault whose `max_bytes` is 100,000."""

    def test_what_is_written_is_read_back(self, files: Files) -> None:
        stamp = files.write(A, b"one\r\ntwo", replacing=None)
        found = files.read(A)
        assert found is not None
        assert found.content == b"one\r\ntwo"
        assert found.stamp == stamp == files.stat(A)
        assert (stamp.path, stamp.size) == (A, 8)

    @settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(content=st.binary(max_size=300), name=NAMES)
    def test_any_bytes_under_any_name_come_back_equal(self, files: Files, content: bytes, name: str) -> None:
        path = VaultPath(f"notes/{name}.md"[:100])
        files.write(path, content, replacing=None)
        found = files.read(path)
        assert found is not None
        assert found.content == content
        files.remove(path, replacing=version(content))
        assert files.read(path) is None

    def test_nothing_is_read_where_nothing_is(self, files: Files) -> None:
        files.write(A, b"one", replacing=None)
        for path in ("shared/market/b.md", "no/such/folder.md", f"{A}/below-a-file.md"):
            assert files.read(VaultPath(path)) is None
            assert files.stat(VaultPath(path)) is None

    def test_a_new_file_never_replaces_one_that_is_there(self, files: Files) -> None:
        files.write(A, b"first", replacing=None)
        with pytest.raises(ConflictError):
            files.write(A, b"second", replacing=None)
        found = files.read(A)
        assert found is not None
        assert found.content == b"first"

    def test_an_edit_replaces_the_version_it_names(self, files: Files) -> None:
        first = files.write(A, b"first", replacing=None)
        second = files.write(A, b"second", replacing=version(b"first"))
        found = files.read(A)
        assert found is not None
        assert found.content == b"second"
        assert not first.same_as(second)

    def test_a_stale_edit_is_refused_with_both_versions(self, files: Files) -> None:
        files.write(A, b"theirs", replacing=None)
        with pytest.raises(ConflictError) as refused:
            files.write(A, b"mine", replacing=version(b"as I read it"))
        assert refused.value.expected == version(b"as I read it")
        assert refused.value.found == version(b"theirs")
        found = files.read(A)
        assert found is not None
        assert found.content == b"theirs"

    def test_an_edit_of_a_deleted_file_does_not_bring_it_back(self, files: Files) -> None:
        with pytest.raises(ConflictError):
            files.write(A, b"mine", replacing=version(b"gone"))
        assert files.read(A) is None
        assert files.scan().stamps == ()

    def test_remove_takes_only_the_version_it_names(self, files: Files) -> None:
        files.write(A, b"one", replacing=None)
        with pytest.raises(ConflictError):
            files.remove(A, replacing=version(b"two"))
        assert files.stat(A) is not None
        files.remove(A, replacing=version(b"one"))
        assert files.stat(A) is None
        with pytest.raises(ConflictError):
            files.remove(A, replacing=version(b"one"))

    def test_what_a_scan_would_take_for_a_memory_can_be_asked_of_one_path(self, files: Files) -> None:
        for name in ("a.md", "notes/B.MD", "shared/node_modules/x/c.markdown"):
            assert files.is_memory(VaultPath(name))
        for name in (
            "a.txt",
            ".a.md",
            "notes/.git/a.md",
            "node_modules/a.md",
            "x/node_modules/a.md",
            "~$a.md",
        ):
            assert not files.is_memory(VaultPath(name))

    def test_a_root_without_its_settings_is_no_vault_any_more(self, files: Files) -> None:
        files.check_root()
        (files.root / ".vmem" / "config.toml").unlink()
        with pytest.raises(VaultUnreadableError, match="any more"):
            files.check_root()

    def test_a_scan_gives_every_file_with_its_stamp_in_path_order(self, files: Files) -> None:
        paths = ["b.md", "a/z.md", "a.md", "a/b/c.MARKDOWN", "Größe 🚀.md"]
        stamps = {files.write(VaultPath(path), b"x", replacing=None) for path in paths}
        scan = files.scan()
        assert [stamp.path for stamp in scan.stamps] == sorted(paths)
        assert set(scan.stamps) == stamps
        assert scan.odd == ()

    def test_names_are_told_so_that_no_two_look_alike(self, files: Files) -> None:
        files.write(VaultPath("n/Cafe\u0301.md"), b"x", replacing=None)
        files.write(VaultPath("n/STRASSE.md"), b"x", replacing=None)
        assert files.names_in(Namespace("n")) == {"café.md", "strasse.md"}
        assert files.names_in(Namespace("elsewhere")) == frozenset()
        assert "n" in files.names_in(Namespace(""))

    def test_a_folder_is_spelled_as_the_one_that_is_there(self, files: Files) -> None:
        files.write(VaultPath("Notes/Größe/a.md"), b"x", replacing=None)
        for typed in ("notes", "NOTES", "Notes"):
            assert files.spelled(Namespace(typed)) == "Notes"
        assert files.spelled(Namespace("notes/GRO\u0308SSE/new")) == "Notes/Größe/new"
        assert files.spelled(Namespace("elsewhere/notes")) == "elsewhere/notes"

    def test_a_folder_that_several_are_like_is_left_as_typed(self, files: Files) -> None:
        files.write(VaultPath("Plan/a.md"), b"x", replacing=None)
        files.write(VaultPath("PLAN/a.md"), b"x", replacing=None)
        if len(files.scan().stamps) == 1:
            pytest.skip("this disk knows no case")
        assert [files.spelled(Namespace(typed)) for typed in ("plan", "PLAN", "Plan")] == [
            "plan",
            "PLAN",
            "Plan",
        ]

    def test_a_file_above_the_limit_is_refused_before_anything_is_made(self, files: Files) -> None:
        with pytest.raises(StorageError, match="limit") as refused:
            files.write(A, b"x" * 100_001, replacing=None)
        assert "100,001" in str(refused.value)
        assert files.names_in(Namespace("shared")) == frozenset()
        files.write(A, b"x" * 100_000, replacing=None)
        assert files.read(A) is not None

    def test_good_writes_leave_nothing_to_sweep(self, files: Files) -> None:
        files.write(A, b"one", replacing=None)
        files.write(A, b"two", replacing=version(b"one"))
        files.remove(A, replacing=version(b"two"))
        assert files.sweep() == ()

    def test_only_what_is_not_as_its_stamp_says_differs(self, files: Files) -> None:
        other, gone = VaultPath("notes/größe.md"), VaultPath("notes/gone.md")
        stamps = [files.write(path, b"one", replacing=None) for path in (A, other, gone)]
        assert files.differing(stamps) == []
        assert files.differing([]) == []
        files.write(other, b"two", replacing=version(b"one"))
        files.remove(gone, replacing=version(b"one"))
        odd = stamps[0]._replace(path=VaultPath("notes/half \udcff.md"))
        assert files.differing([*stamps, odd]) == [other, gone, odd.path]
        assert files.differing([stamps[0]._replace(inode=stamps[0].inode + 1)]) == [A]
