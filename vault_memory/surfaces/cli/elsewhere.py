"""A command line carried out for another process: what it would have printed, and its exit code."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vault_memory.model.wire import Json
from vault_memory.surfaces.cli.app import run
from vault_memory.surfaces.cli.context import World
from vault_memory.surfaces.cli.streams import NO_TERMINAL, Recorded, Terminal, Unfit

if TYPE_CHECKING:
    from vault_memory.vault import Clock, Progress, Vault


def carry_out(
    argv: Sequence[str],
    find: Callable[[Path | None], AbstractContextManager[Vault] | None],
    stdin: Callable[[], bytes],
    terminal: Mapping[str, Any],
    *,
    clock: Clock | None = None,
) -> Json:
    """`{"said": [[1 or 2, text], …], "exit": code}`; texts hold bytes that are no UTF-8 as surrogates.

    `find` gives the vault that the call names. `{"unfit": why}` where the call needs its own process;
    nothing has been done then.
    """

    @contextmanager
    def opening(path: Path | None, _: Progress) -> Iterator[Vault]:
        found = find(path)
        if found is None:
            raise Unfit("it is about another vault, or one that must be opened anew")
        with found as vault:
            yield vault

    recorded = Recorded()
    columns = terminal.get("columns")
    at = Terminal(
        stdin=terminal.get("stdin") is True,
        stdout=terminal.get("stdout") is True,
        stderr=terminal.get("stderr") is True,
        columns=columns if isinstance(columns, int) and columns > 0 else NO_TERMINAL,
    )
    try:
        code = run(argv, World(clock, streams=recorded.streams(stdin, at), opening=opening))
    except Unfit as why:
        return {"unfit": str(why)}
    said = [[number, content.decode("utf-8", "surrogateescape")] for number, content in recorded.said]
    return {"said": said, "exit": code}
