"""What the pages point at is there: relative links, their headings, and `make` targets."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = [
    page
    for page in (ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md")))
    if page.exists()
]

_FENCE = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"`[^`\n]*`")
_LINK = re.compile(r"\[[^\]]*\]\(<?([^)>\s]+)>?[^)]*\)")
_HEADING = re.compile(r"^#{1,6}\s+(.+?)\s*#*$", re.MULTILINE)
_MAKE = re.compile(r"^\$? ?make ([a-z][a-z-]*)", re.MULTILINE)
_TARGET = re.compile(r"^([a-z][a-z-]*):", re.MULTILINE)


def _anchors(text: str) -> set[str]:
    """The names that headings get on a code host: lower case, spaces to dashes, the rest dropped."""
    headings = _HEADING.findall(_FENCE.sub("", text))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def broken_links(page: Path, text: str) -> Iterator[str]:
    """Relative links of a page that lead nowhere."""
    for target in _LINK.findall(_CODE.sub("", _FENCE.sub("", text))):
        if re.match(r"[a-z][a-z0-9+.-]*:", target):
            continue
        path, _, anchor = target.partition("#")
        aim = page.parent / path if path else page
        if not aim.exists():
            yield target
        elif anchor and aim.suffix == ".md":
            words = text if aim == page else aim.read_text(encoding="utf-8")
            if anchor not in _anchors(words):
                yield target


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_relative_link_leads_somewhere(page: Path) -> None:
    assert list(broken_links(page, page.read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_make_target_that_a_page_names_is_there(page: Path) -> None:
    targets = set(_TARGET.findall((ROOT / "Makefile").read_text(encoding="utf-8")))
    assert set(_MAKE.findall(page.read_text(encoding="utf-8"))) <= targets


def test_the_list_of_pages_names_each_of_them() -> None:
    listed = (ROOT / "README.md").read_text(encoding="utf-8").partition("## Documentation")[2]
    there = {f"docs/{page.name}" for page in PAGES if page.parent.name == "docs"}
    assert set(re.findall(r"^- \[(docs/[\w-]+\.md)\]", listed, re.MULTILINE)) >= there - {"docs/walk.md"}


def test_a_link_that_leads_nowhere_is_seen(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    text = "# A heading\n[a](page.md#a-heading) [b](gone.md) [c](#gone) `[d](code.md)` [e](https://example.org/x)\n"
    page.write_text(text, encoding="utf-8")
    assert list(broken_links(page, text)) == ["gone.md", "#gone"]
