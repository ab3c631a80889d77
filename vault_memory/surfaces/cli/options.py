"""Options that many commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from vault_memory.errors import UsageError
from vault_memory.surfaces.cli.complete import agents, kinds, namespaces, tags, words


def _folder(text: str) -> Path:
    if not text.strip():  # it comes of a variable that was to be set, and must not mean the working folder
        raise UsageError("--vault names no folder", hint="vmem --vault FOLDER …")
    return Path(text)


VaultOption = Annotated[
    Path | None,
    typer.Option(
        "--vault",
        parser=_folder,
        metavar="PATH",
        help="The vault's folder. Else VMEM_VAULT, else the working folder or one above.",
        show_default=False,
    ),
]
AgentOption = Annotated[
    str | None,
    typer.Option(
        "--agent",
        metavar="NAME",
        help="Ask as this agent. Else VMEM_AGENT, else as the person.",
        show_default=False,
        autocompletion=agents,
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
        autocompletion=namespaces,
    ),
]
TagOption = Annotated[
    list[str] | None,
    typer.Option(
        "--tag",
        help="Only with these tags: trading, 'trading and not archived', '(a or b) and c'.",
        show_default=False,
        autocompletion=tags,
    ),
]
KindOption = Annotated[
    list[str] | None,
    typer.Option(
        "--kind",
        help="Only of this kind; repeated, of any of them.",
        show_default=False,
        autocompletion=kinds,
    ),
]
ByOption = Annotated[
    list[str] | None,
    typer.Option(
        "--by",
        "--source-agent",
        help="Only written by this agent; repeated, by any of them.",
        show_default=False,
        autocompletion=agents,
    ),
]
SinceOption = Annotated[
    str | None,
    typer.Option(
        "--since",
        help="Only of this day or later: 2026-03-14, 2026-03, 7d, '2 weeks', yesterday.",
        show_default=False,
    ),
]
UntilOption = Annotated[
    str | None,
    typer.Option("--until", help="Only of this day or earlier, the day included.", show_default=False),
]
PathOption = Annotated[
    list[str] | None,
    typer.Option(
        "--path",
        help="Only below a folder or by a pattern: notes/, 'standup-*', 'shared/**/*.md'.",
        show_default=False,
    ),
]
WhereOption = Annotated[
    list[str] | None,
    typer.Option(
        "--where",
        help="Only where front matter says so: 'bandgap>1.5 and status=open'; also != <= ~ in (…) not.",
        show_default=False,
    ),
]
AtOption = Annotated[
    str | None,
    typer.Option(
        "--at",
        metavar="REV|DATE",
        help="As it was then: in a commit (v1.0, main~3), or by a date (2026-11-01, 7d, yesterday).",
        show_default=False,
    ),
]
ReviewedOption = Annotated[
    bool, typer.Option("--reviewed", help="Only what is on the reviewed branch, as that has it.")
]
ProposalsOption = Annotated[
    bool, typer.Option("--proposals", help="With what this agent itself proposes and nobody merged yet.")
]
StrategyOption = Annotated[
    str | None,
    typer.Option(
        "--strategy",
        help="balanced, recency or importance.",
        show_default=False,
        autocompletion=words("balanced", "recency", "importance"),
    ),
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
AllowSecretOption = Annotated[
    bool,
    typer.Option(
        "--allow-secret", help="Write what looks like a secret all the same (you may, agents may not)."
    ),
]
RequireCommitOption = Annotated[
    bool, typer.Option("--require-commit", help="Exit 70 if the memory is saved but can't be committed now.")
]
