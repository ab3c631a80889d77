"""The `vmem` command line: one call in, one exit code out, never a traceback."""

from __future__ import annotations

import errno
import gc
import os
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

import vault_memory
from vault_memory.config import environ
from vault_memory.errors import StorageError, UsageError, VmemError
from vault_memory.surfaces.cli.commands import COMMANDS
from vault_memory.surfaces.cli.context import Call, World
from vault_memory.surfaces.cli.lazy import LazyGroup
from vault_memory.surfaces.cli.options import AgentOption, JsonOption, VaultOption
from vault_memory.surfaces.cli.output import Output

INTERRUPTED = 130
BUG = 1
UNDELIVERED = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EBADF})
NOT_DELIVERED = "what the command did is done: vmem log shows it"

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
        code = _carry_out(argv, Call(world, out))
        sys.stdout.flush()  # here, where an answer that can't be delivered is still told
    except BrokenPipeError:
        _silence_stdout()
        return 0  # the reader of our pipe has enough, which is no fault
    except OSError as error:
        if error.filename is not None or error.errno not in UNDELIVERED:
            if environ.debug():
                raise
            return _bug(error)
        # Files of the vault have adapters that say which; this is the answer itself.
        _silence_stdout()
        return out.error(StorageError("the answer", error.strerror or str(error), hint=NOT_DELIVERED))
    if code == INTERRUPTED:
        sys.stderr.write("vmem: interrupted; what was acknowledged is kept\n")
    return code


def _carry_out(argv: Sequence[str], call: Call) -> int:
    try:
        # typer answers an interrupt, or an early end, with its exit code instead of raising it.
        return app(args=list(argv), prog_name="vmem", standalone_mode=False, obj=call) or 0
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
    except OSError:
        raise
    except Exception as error:
        # The last line of defence: a bug must not end in a wall of text, nor look like success.
        if environ.debug():
            raise
        return _bug(error)


def _bug(error: Exception) -> int:
    sys.stderr.write(
        f"vmem: this is a bug in vmem: {type(error).__name__}: {error}\n"
        "      VMEM_DEBUG=1 shows where; your files and their history are not affected\n"
    )
    return BUG


def _silence_stdout() -> None:
    """Point stdout elsewhere, so that Python's own flush at exit does not complain."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _usage_error(out: Output, error: typer.TyperException, argv: Sequence[str]) -> int:
    message = error.format_message()
    if not message:  # no arguments at all: the help that typer printed is the answer
        return error.exit_code
    context: typer.Context | None = getattr(error, "ctx", None)
    if context is None:  # an option that lacks its value knows of no command
        named = next((word for word in argv if word in COMMANDS), None)
        path = f"vmem {named}" if named else "vmem"
    else:
        path = context.command_path
    return out.error(UsageError(message, hint=f"{path} --help"))


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
    if argv is None:
        # This process makes objects by the ten thousand and ends: looking for cycles among them would
        # take a fifth of the time that a list of fifty thousand memories takes.
        gc.set_threshold(200_000, 50, 1000)
    _open_what_is_closed()
    for stream in (sys.stdout, sys.stderr):
        # The same bytes in every locale; a name that is no Unicode comes out as it is.
        stream.reconfigure(encoding="utf-8", errors="surrogateescape")  # type: ignore[union-attr]  # a TextIOWrapper
    return run(sys.argv[1:] if argv is None else argv, world or World())
