"""The pages that the program writes itself are what it would write now."""

from __future__ import annotations

import pytest
import typer.main

from tools.make_docs import DOCS, PAGES, parted_help, walk
from vault_memory.surfaces.cli.app import app

COMMANDS = list(walk(typer.main.get_command(app), "vmem"))


@pytest.mark.parametrize("name", PAGES)
def test_a_generated_page_is_what_the_program_would_write(name: str) -> None:
    assert (DOCS / name).read_text(encoding="utf-8") == PAGES[name](), "make docs-write writes it anew"


def test_every_command_has_a_summary_of_one_line_and_examples_that_fit_the_screen() -> None:
    for name, command in COMMANDS:
        said, examples = parted_help(command)
        assert len(said.split("\n\n")[0]) <= 66, name  # beside the name, in 80 columns
        assert "\n" not in said.split("\n\n")[0], name
        for line in examples.splitlines():
            assert line.startswith(("$ vmem ", "$ git ", "$ VMEM_")) or " | vmem " in line, name
            assert len(line) <= 80, (name, line)


def test_every_option_says_what_it_is() -> None:
    for name, command in COMMANDS:
        for option in command.params:
            assert option.help, f"{name} {option.opts}"
