"""The commands, one file each; `COMMANDS` is the order in which `--help` lists them."""

from __future__ import annotations

from collections.abc import Callable

import typer

from vault_memory.surfaces.cli.commands import (
    bench,
    doctor,
    edit,
    embedder,
    forget,
    init,
    list_,
    log,
    recall,
    reindex,
    remember,
    restore,
    search,
    show,
    status,
    undo,
)

COMMANDS: tuple[Callable[[typer.Typer], None], ...] = (
    init.register,
    remember.register,
    recall.register,
    search.register,
    show.register,
    list_.register,
    edit.register,
    forget.register,
    restore.register,
    undo.register,
    log.register,
    status.register,
    reindex.register,
    doctor.register,
    embedder.register,
    bench.register,
)
