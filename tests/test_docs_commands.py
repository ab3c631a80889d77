"""Every `vmem …` that a page shows is one that vmem takes: the command is there, and so are its options."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tools.make_docs import GROUP, options_of, walk

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
COMMANDS = dict(walk(GROUP, "vmem"))
SHARED = {name for option in options_of(GROUP) for name in option.opts} | {"--help", "-h"}

_TYPED = re.compile(r"^\$ (.*\bvmem .*(?:\n> .*)*)$", re.MULTILINE)
_EMPTY = re.compile(r"\bvmem (?:COMMAND|…)")


def shown(page: str) -> Iterator[str]:
    """Each command line of a page, from `vmem` on."""
    inline = [
        span for line in page.splitlines() if line.count("`") % 2 == 0 for span in line.split("`")[1::2]
    ]
    for found in (*inline, *_TYPED.findall(page)):
        for part in re.split(r"\bvmem (?=[a-z-])", re.sub(r"\\\n>\s+", " ", found))[1:]:
            if not _EMPTY.search(found):
                yield re.split(r"\s[|<>]\s|\s{3,}", part)[0]


def command_of(words: list[str]) -> tuple[str, Any]:
    """The command that the words name, and what typer knows of it."""
    rest = [
        word
        for at, word in enumerate(words)
        if not word.startswith("-") and (at == 0 or words[at - 1] not in SHARED)
    ]
    for count in (2, 1):
        name = " ".join(["vmem", *rest[:count]])
        if name in COMMANDS:
            return name, COMMANDS[name]
    raise AssertionError(f"no such command: {' '.join(words)}")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_command_line_on_a_page_can_be_typed(page: Path) -> None:
    for line in shown(page.read_text(encoding="utf-8")):
        words = shlex.split(line.replace("'s ", " "))
        if words[0].startswith("--") and len(words) == 1:
            assert words[0] in SHARED
            continue
        name, command = command_of(words)
        known = SHARED | {
            one for option in options_of(command) for one in (*option.opts, *option.secondary_opts)
        }
        for word in words:
            option = word.split("=")[0]
            if re.fullmatch(r"--?[a-z][a-z-]*", option):
                assert option in known, f"{name} has no {option}: {line}"


def test_a_command_or_an_option_that_is_not_there_is_seen() -> None:
    assert list(shown("`vmem recall x --fast` and\n$ VMEM_AGENT=a vmem frob | cat\n")) == [
        "recall x --fast",
        "frob",
    ]
    with pytest.raises(AssertionError, match="no such command"):
        command_of(["frob"])
