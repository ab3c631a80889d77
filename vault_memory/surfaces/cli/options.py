"""Options that many commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

VaultOption = Annotated[
    Path | None,
    typer.Option(
        "--vault",
        help="The vault's folder. Else VMEM_VAULT, else the working folder or one above.",
        readable=False,  # we say what is wrong with it, as for VMEM_VAULT
        show_default=False,
    ),
]
AgentOption = Annotated[
    str | None,
    typer.Option(
        "--agent", help="Ask as this agent. Else VMEM_AGENT, else as the person.", show_default=False
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Answer with one JSON value on stdout.")]
NamespaceOption = Annotated[
    str | None,
    typer.Option(
        "--namespace",
        "-n",
        help="Only below this folder: notes, market (or shared/market).",
        show_default=False,
    ),
]
StrategyOption = Annotated[
    str | None,
    typer.Option("--strategy", help="balanced, recency or importance.", show_default=False),
]
MinScoreOption = Annotated[
    float, typer.Option("--min-score", help="Leave out what scores less (0 to 1).", min=0.0, max=1.0)
]
ExplainOption = Annotated[
    bool, typer.Option("--explain", help="Show each part of each score, and what was left out and why.")
]
IfMatchOption = Annotated[
    str | None,
    typer.Option(
        "--if-match", help="Refuse (exit 75) unless the memory still has this version.", show_default=False
    ),
]
RequireCommitOption = Annotated[
    bool, typer.Option("--require-commit", help="Exit 70 if the memory is saved but can't be committed now.")
]
