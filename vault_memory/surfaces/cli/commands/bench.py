"""`vmem bench`: how fast it is here."""

from __future__ import annotations

import typer


def register(app: typer.Typer) -> None:
    """Add the command."""
