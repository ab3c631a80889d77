"""The check of the installed size sees what it is there to see."""

from __future__ import annotations

from pathlib import Path

from tools.check_install import MOST_BYTES, MOST_PACKAGES, Installed, measure, problems


def _distribution(site: Path, name: str) -> None:
    folder = site / f"{name}-1.0.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", encoding="utf-8")


def test_packages_and_bytes_of_a_folder_are_counted(tmp_path: Path) -> None:
    _distribution(tmp_path, "one")
    _distribution(tmp_path, "two")
    (tmp_path / "one.bin").write_bytes(b"x" * 1_000_000)
    found = measure(tmp_path)
    assert found.packages == ("one", "two")
    assert 1_000_000 <= found.size < 1_100_000


def test_an_installation_at_its_bounds_passes() -> None:
    assert problems(Installed(("a",) * MOST_PACKAGES, MOST_BYTES)) == []


def test_one_byte_or_one_package_too_many_is_told() -> None:
    told = problems(Installed(("a",) * (MOST_PACKAGES + 1), MOST_BYTES + 1))
    assert len(told) == 2
