"""The `vmem` command line: one call in, one exit code out, never a traceback."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Annotated

import typer

import vault_memory
from vault_memory.config import environ
from vault_memory.config.door import door
from vault_memory.errors import StorageError, UsageError, VmemError
from vault_memory.surfaces.cli.commands import COMMANDS
from vault_memory.surfaces.cli.context import Call, World
from vault_memory.surfaces.cli.lazy import LazyGroup
from vault_memory.surfaces.cli.ondemand import Noted
from vault_memory.surfaces.cli.options import AgentOption, JsonOption, VaultOption
from vault_memory.surfaces.cli.output import Output
from vault_memory.surfaces.cli.proposed import OPTION, spelled
from vault_memory.surfaces.cli.streams import Streams, Unfit

if TYPE_CHECKING:
    from typer._click import Command

INTERRUPTED = 130
BUG = 1
INTERRUPTION = "interrupted; what was acknowledged is kept"
UNDELIVERED = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EBADF, errno.EPIPE})
NOT_DELIVERED = "what the command did is done: vmem log shows it"
_ASKS_TYPER = ("-h", "--help", "--install-completion", "--show-completion")
"""Options that typer answers itself."""

app = typer.Typer(
    name="vmem",
    cls=LazyGroup,
    no_args_is_help=True,
    add_completion=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Long-term memory of AI agents: plain Markdown files in git, searched and recalled.",
    epilog='Begin: vmem init ~/memory   then: vmem remember "…"   and: vmem recall "…"',
)


def _version(context: typer.Context, asked: bool) -> None:
    if asked:
        call: Call = context.obj
        call.out.result(f"vmem {vault_memory.__version__}")
        raise typer.Exit


@app.callback()
def _every_command(
    context: typer.Context,
    vault: VaultOption = None,
    agent: AgentOption = None,
    json: JsonOption = False,
    version: Annotated[  # noqa: ARG001 - its callback acts
        bool | None, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = None,
) -> None:
    call: Call = context.obj
    context.obj = call.narrowed(vault=vault, agent=agent, json=json)


def run(argv: Sequence[str], world: World) -> int:
    """Carry out one command line; the exit code. Every error becomes a message on stderr.

    In any thread, and in several at a time. Raises `Unfit` where the streams of the world are another
    process', and the call needs that process itself; nothing has been done then.
    """
    streams = world.streams or Streams.of_process()
    if not streams.own and (not argv or any(word.startswith(_ASKS_TYPER) for word in argv)):
        raise Unfit("it asks for help, which is printed by this process")
    out = Output.to(streams, json="--json" in argv, no_colour=environ.no_colour())
    try:
        with door("cli"):
            code = _carry_out(argv, Call(world, out))
        streams.stdout.flush()  # here, where an answer that can't be delivered is still told
    except OSError as error:
        return _undelivered(out, error)
    if code == INTERRUPTED:
        line = "\n" if streams.terminal.stderr else ""  # not behind a question, or the ^C of the terminal
        out.say(f"{line}vmem: {INTERRUPTION}\n")
    return code


def undelivered(argv: Sequence[str], error: OSError) -> int:
    """Say that this process could not print the answer to a command line; the exit code."""
    out = Output.to(Streams.of_process(), json="--json" in argv, no_colour=environ.no_colour())
    return _undelivered(out, error)


def _undelivered(out: Output, error: OSError) -> int:
    # Files of the vault have adapters that say which; this is the answer itself.
    if error.filename is not None or error.errno not in UNDELIVERED:
        if environ.debug() or not out.streams.own:
            raise error
        return _bug(out, error)
    out.streams.silence()
    if isinstance(error, BrokenPipeError):
        return 0  # the reader of our pipe has enough, which is no fault
    return out.error(StorageError("the answer", error.strerror or str(error), hint=NOT_DELIVERED))


def _carry_out(argv: Sequence[str], call: Call) -> int:
    try:
        # typer answers an interrupt, or an early end, with its exit code instead of raising it.
        return _command()(args=spelled(argv), prog_name="vmem", standalone_mode=False, obj=call) or 0
    except VmemError as error:
        return call.out.error(error)
    except typer.TyperException as error:
        return _usage_error(call.out, error, argv)
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    except SystemExit as stop:
        if isinstance(stop.__context__, BrokenPipeError):  # what typer makes of one
            raise stop.__context__ from None
        raise
    except (OSError, Unfit):
        raise
    except Exception as error:
        # The last line of defence: a bug must not end in a wall of text, nor look like success.
        # Whoever carries it out for somebody else has a log, and the other one their own process.
        if environ.debug() or not call.out.streams.own:
            raise
        return _bug(call.out, error)


@cache
def _command() -> Command:
    """The group of all commands, made once a process."""
    return typer.main.get_command(app)


def _bug(out: Output, error: Exception) -> int:
    out.say(
        f"vmem: this is a bug in vmem: {type(error).__name__}: {error}\n"
        "      VMEM_DEBUG=1 shows where; your files and their history are not affected\n"
    )
    return BUG


def _usage_error(out: Output, error: typer.TyperException, argv: Sequence[str]) -> int:
    message = " ".join(error.format_message().split())  # a list of choices comes in lines
    if not message:  # no arguments at all: the help that typer printed is the answer
        return error.exit_code
    context: typer.Context | None = getattr(error, "ctx", None)
    if context is None:  # an option that lacks its value knows of no command
        named = next((word for word in argv if word in COMMANDS), None)
        path = f"vmem {named}" if named else "vmem"
    else:
        path = context.command_path
    hint = f"{path} --help"
    if OPTION in argv and "extra argument" in message:
        hint = f"the name of a proposal stands behind an equals sign: {OPTION}=NAME   ({hint})"
    return out.error(UsageError(message, hint=hint))


def _open_what_is_closed() -> None:
    """A closed stdin, stdout or stderr becomes /dev/null, or a file of the vault would get its number."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            device = os.open(os.devnull, os.O_RDONLY if number == 0 else os.O_WRONLY)
            if device != number:
                os.dup2(device, number)
                os.close(device)
            os.set_inheritable(number, True)
            setattr(sys, name, os.fdopen(number, "r" if number == 0 else "w", encoding="utf-8"))


def main(argv: Sequence[str] | None = None, *, world: World | None = None) -> int:
    """The entry point of `vmem`."""
    _open_what_is_closed()
    for stream in (sys.stdout, sys.stderr):
        # The same bytes in every locale; a name that is no Unicode comes out as it is.
        stream.reconfigure(encoding="utf-8", errors="surrogateescape")  # type: ignore[union-attr]  # a TextIOWrapper
    if argv is not None:
        return run(argv, world or World())
    here = world or World()
    noted = Noted(here)
    code = run(sys.argv[1:], replace(here, opening=noted.opening))
    noted.begin_resident(sys.argv[1:])
    return code
