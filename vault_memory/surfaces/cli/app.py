"""The `vmem` command line: one call in, one exit code out, never a traceback."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

import vault_memory
from vault_memory.config import environ
from vault_memory.errors import UsageError, VmemError
from vault_memory.surfaces.cli.commands import COMMANDS
from vault_memory.surfaces.cli.context import Call, World
from vault_memory.surfaces.cli.options import AgentOption, JsonOption, VaultOption
from vault_memory.surfaces.cli.output import Output

INTERRUPTED = 130
BUG = 70

app = typer.Typer(
    name="vmem",
    no_args_is_help=True,
    add_completion=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Long-term memory of AI agents: plain Markdown files in git, searched and recalled.",
    epilog='Begin: vmem init ~/memory   then: vmem remember "…"   and: vmem recall "…"',
)
for command in COMMANDS:
    command(app)


def _version(asked: bool) -> None:
    if asked:
        sys.stdout.write(f"vmem {vault_memory.__version__}\n")
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
    """Carry out one command line; the exit code. Every error becomes a message on stderr."""
    out = Output.of_terminal(no_colour=environ.no_colour())
    out = Output(json="--json" in argv, colour=out.colour, width=out.width)
    try:
        app(args=list(argv), prog_name="vmem", standalone_mode=False, obj=Call(world, out))
    except VmemError as error:
        return out.error(error)
    except typer.Exit as stop:
        return stop.exit_code
    except typer.Abort:
        return INTERRUPTED
    except typer.TyperException as error:
        return _usage_error(out, error)
    except KeyboardInterrupt:
        sys.stderr.write("vmem: interrupted; what was acknowledged is kept\n")
        return INTERRUPTED
    except BrokenPipeError:
        # The reader of our pipe has enough. Point stdout elsewhere so that Python's own flush at
        # exit does not complain.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        # The last line of defence: a bug must not end in a wall of text, nor look like success.
        if environ.debug():
            raise
        sys.stderr.write(
            f"vmem: this is a bug in vmem: {type(error).__name__}: {error}\n"
            "      VMEM_DEBUG=1 shows where; your files and their history are not affected\n"
        )
        return BUG
    return 0


def _usage_error(out: Output, error: typer.TyperException) -> int:
    message = error.format_message()
    if not message:  # no arguments at all: the help that typer printed is the answer
        return error.exit_code
    context: typer.Context | None = getattr(error, "ctx", None)
    return out.error(UsageError(message, hint=f"{context.command_path if context else 'vmem'} --help"))


def main(argv: Sequence[str] | None = None, *, world: World | None = None) -> int:
    """The entry point of `vmem`."""
    for stream in (sys.stdout, sys.stderr):
        # The same bytes in every locale; a name that is no Unicode comes out as it is.
        stream.reconfigure(encoding="utf-8", errors="surrogateescape")  # type: ignore[union-attr]  # a TextIOWrapper
    return run(sys.argv[1:] if argv is None else argv, world or World())
