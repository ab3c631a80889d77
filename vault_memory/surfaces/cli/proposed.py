"""Writing to a proposal by an option: `--propose`, or `--propose=NAME`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from vault_memory.surfaces.cli.complete import own_proposals
from vault_memory.surfaces.cli.context import Call

if TYPE_CHECKING:
    from vault_memory.agent import Agent
    from vault_memory.vault import Vault

OPTION = "--propose"

ProposeOption = Annotated[
    str | None,
    typer.Option(
        OPTION,
        metavar="[=NAME]",
        help="Write to a proposal that a person reviews; without a name, to today's.",
        show_default=False,
        autocompletion=own_proposals,
    ),
]


def spelled(argv: Sequence[str]) -> list[str]:
    """The words of a command line, the option's value made plain where none is given: it has one only
    behind an equals sign, since the next word may be the text."""
    words = list(argv)
    end = words.index("--") if "--" in words else len(words)
    return [f"{word}=" if word == OPTION and at < end else word for at, word in enumerate(words)]


@contextmanager
def writing(call: Call, vault: Vault, propose: str | None) -> Iterator[tuple[Agent, Vault]]:
    """Who writes, and where to: the vault, or a proposal as the vault beside it."""
    caller = call.caller(vault)
    if propose is None:
        yield caller, vault
        return
    with caller.propose(propose or None) as proposal:
        yield proposal, proposal.vault
