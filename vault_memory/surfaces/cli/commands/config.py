"""`vmem config`: the settings, where each comes from, and changing one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from vault_memory.errors import UsageError
from vault_memory.model import wireconfig
from vault_memory.render.config import render_explained, render_settings, render_value
from vault_memory.render.style import harmless, styled
from vault_memory.surfaces.cli.complete import config_keys
from vault_memory.surfaces.cli.context import Call
from vault_memory.surfaces.cli.options import AgentOption, JsonOption, VaultOption

if TYPE_CHECKING:
    from vault_memory.facets.configuration import Configuration, SettingChanged


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("config")(config)


def config(
    context: typer.Context,
    key: Annotated[
        str | None,
        typer.Argument(help="The setting; without it, all.", show_default=False, autocompletion=config_keys),
    ] = None,
    value: Annotated[
        str | None,
        typer.Argument(
            help="What it is to be; a list with commas between, or as TOML writes it.", show_default=False
        ),
    ] = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Say what it means, what it takes, and all that sets it.")
    ] = False,
    unset: Annotated[
        bool, typer.Option("--unset", help="Take KEY out of its file, so that what comes before it holds.")
    ] = False,
    shared: Annotated[
        bool, typer.Option("--shared", help="Change the vault's file, which travels with it.")
    ] = False,
    machine: Annotated[bool, typer.Option("--machine", help="Change this machine's own file.")] = False,
    vault: VaultOption = None,
    agent: AgentOption = None,
    json: JsonOption = False,
) -> None:
    """Show the settings and where each comes from, or change one.

    Later wins: the default, this machine's file, the vault's file, VMEM_ variables. A change is one line
    of one file: of the vault's for a setting that may travel with it, else of this machine's. Agents may
    look and not change.

    [bold]Examples[/bold]

      vmem config
      vmem config timezone
      vmem config timezone Europe/Berlin
      vmem config lock_seconds --explain
      vmem config timezone --unset
    """
    from vault_memory.facets.configuration import Configuration

    call: Call = context.obj.narrowed(vault=vault, agent=agent, json=json)
    configuration = Configuration.of(call.vault)
    where = _where(shared=shared, machine=machine)
    changes = value is not None or unset
    if unset and (key is None or value is not None):
        raise UsageError("--unset takes one key and no value", hint="vmem config KEY --unset")
    if where is not None and not changes:
        raise UsageError(
            "--shared and --machine choose the file of a change", hint="vmem config KEY VALUE --machine"
        )
    if key is not None and changes:
        scope = call.asks()
        done = (
            configuration.put(scope, key, value, shared=where)
            if value is not None
            else configuration.take_out(scope, key, shared=where)
        )
        _tell_change(call, configuration, key, done)
    else:
        _tell(call, configuration, key, explain=explain)


def _where(*, shared: bool, machine: bool) -> bool | None:
    """Whether the vault's file is asked for, `None` where neither is."""
    if shared and machine:
        raise UsageError("--shared and --machine are two files", hint="give one of them")
    return shared if shared or machine else None


def _tell(call: Call, configuration: Configuration, key: str | None, *, explain: bool) -> None:
    faults = configuration.faults()
    one = configuration.explain(key) if key is not None else None
    if one is not None and faults and not explain and not call.out.json:
        raise faults[0]  # a script must not go on with a value that a fault may have hidden
    every = [one] if one is not None else configuration.explain_all()
    if call.out.json:
        values = [wireconfig.setting(each) for each in every]
        call.out.value(values if one is None else values[0])
    elif explain:
        call.out.result("\n\n".join(render_explained(each, colour=call.out.colour) for each in every))
    elif one is not None:
        call.out.result(render_value(one))
    else:
        call.out.result(render_settings(every, width=call.out.width, colour=call.out.colour))
    if faults:
        call.out.warn_all(tuple(fault.message for fault in faults[1:]))
        raise faults[0]


def _tell_change(call: Call, configuration: Configuration, key: str, done: SettingChanged) -> None:
    from vault_memory.config.settings import BY_KEY

    if call.out.json and key in BY_KEY:
        call.out.value(wireconfig.setting(configuration.explain(key)))
    elif call.out.json:
        call.out.value(None)
    else:
        call.out.result(_told(call, configuration, key, done))
    if not call.out.json:
        if done.overruled_by is not None:
            call.out.warn(f"{key} comes from {done.overruled_by} all the same")
        call.out.warn_all(tuple(fault.message for fault in configuration.faults()))


def _told(call: Call, configuration: Configuration, key: str, done: SettingChanged) -> str:
    from vault_memory.config.settings import BY_KEY

    mark = styled("✔", "green", colour=call.out.colour)
    if done.file is None:
        return f"{mark} {key} is set in no file; nothing changed"
    written = (
        f" = {configuration.explain(key).holds.written}" if key in BY_KEY and not done.overruled_by else ""
    )
    travels = "; it travels with the vault once you commit it" if done.shared and done.changed else ""
    state = "" if done.changed else ", as it was"
    return f"{mark} {harmless(key + written)}{state}   ({harmless(str(done.file))}{travels})"
