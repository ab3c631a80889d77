"""The page on secrets names every rule of the scanner, and no other."""

from __future__ import annotations

import re
from pathlib import Path

from vault_memory.adapters.scanners import assigned, shapes, vendors

ROOT = Path(__file__).parent.parent
_ROW = re.compile(r"^\| (`[^|]*) \|", re.MULTILINE)
_FIND = re.compile(r"Find\(\s*\"([a-z-]+)\"|, \"([a-z]+-[a-z]+)\"\)$", re.MULTILINE)


def test_the_page_names_every_rule_and_no_other() -> None:
    page = (ROOT / "docs/secrets.md").read_text(encoding="utf-8")
    named = {name for row in _ROW.findall(page) for name in re.findall(r"`([a-z-]+)`", row)}
    written = Path(str(shapes.__file__)).read_text(encoding="utf-8")
    shaped = {one or other for one, other in _FIND.findall(written)}
    assert {"private-key", "netrc-password", "curl-password"} <= shaped, (
        "the expression still reads the source"
    )
    rules = {row.rule for row in vendors.ROWS} | shaped | {assigned.PASSWORD, assigned.SECRET, assigned.TOKEN}
    assert named == rules
