"""`vmem embedder`: the model that turns texts into vectors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from vault_memory.errors import UsageError
from vault_memory.model.wirevectors import vectors
from vault_memory.render.style import counted, harmless, styled
from vault_memory.render.vectors import Provider, render_providers, render_vectors
from vault_memory.surfaces.cli.context import Call
from vault_memory.surfaces.cli.options import JsonOption, VaultOption

if TYPE_CHECKING:
    from vault_memory.facets.configuration import Configuration, SettingChanged
    from vault_memory.model.vectorstate import VectorState

_PATIENCE = 120.0
"""Seconds that a build in the background waits for one of a model that is no longer wanted."""


def register(app: typer.Typer) -> None:
    """Add the group of commands."""
    group = typer.Typer(no_args_is_help=True, help="The model for search by meaning.")
    group.command("list")(list_)
    group.command("use")(use)
    group.command("status")(status)
    group.command("build")(build)
    group.command("fetch")(fetch)
    app.add_typer(group, name="embedder")


def list_(context: typer.Context, vault: VaultOption = None, json: JsonOption = False) -> None:
    """List the embedders, what each needs, and the models here.

    [bold]Examples[/bold]

      vmem embedder list
      vmem embedder list --json
    """
    from vault_memory.facets.configuration import Configuration
    from vault_memory.plugins import EMBEDDERS, lacks, models_here

    call: Call = context.obj.narrowed(vault=vault, agent=None, json=json)
    configuration = Configuration.of(call.vault)
    used, model = (str(configuration.explain(key).holds.value) for key in ("embedder", "embedder_model"))
    providers = []
    for name in EMBEDDERS:
        found = lacks(name)
        providers.append(
            Provider(name, name == used, found.message if found else None, found.hint if found else None)
        )
    models = [(one.provider, one.name, str(one.folder)) for one in models_here()]
    if call.out.json:
        call.out.value(
            {
                "embedders": [
                    {"name": one.name, "used": one.used, "reason": one.lacks, "install": one.install}
                    for one in providers
                ],
                "model": model or None,
                "models": [{"embedder": by, "name": name, "folder": folder} for by, name, folder in models],
            }
        )
        return
    call.out.result(render_providers(providers, models, model=model, colour=call.out.colour))


def use(
    context: typer.Context,
    name: Annotated[str, typer.Argument(help="bundled, none, onnx or sentence-transformers.")],
    model: Annotated[
        str | None,
        typer.Argument(help="A model's name, or (on this machine only) its folder.", show_default=False),
    ] = None,
    shared: Annotated[
        bool, typer.Option("--shared", help="Set it in the vault's file, which travels with it.")
    ] = False,
    machine: Annotated[bool, typer.Option("--machine", help="Set it in this machine's own file.")] = False,
    wait: Annotated[
        bool, typer.Option("--wait", help="Make all vectors now instead of in the background.")
    ] = False,
    vault: VaultOption = None,
    json: JsonOption = False,
) -> None:
    """Choose the embedder, try it, and make the vectors anew.

    A model that can't be used changes nothing. A name goes into the vault's file, a folder into this
    machine's. The vectors are made in the background; until all are there, answers come by keyword and
    say so. Those of the embedder before are kept: going back to it costs nothing.

    [bold]Examples[/bold]

      vmem embedder use onnx ~/models/multilingual-e5-small
      vmem embedder use sentence-transformers all-MiniLM-L6-v2 --wait
      vmem embedder use bundled
    """
    from vault_memory.facets.choice import choose_embedder
    from vault_memory.facets.configuration import Configuration

    call: Call = context.obj.narrowed(vault=vault, agent=None, json=json)
    if shared and machine:
        raise UsageError("--shared and --machine are two files", hint="give one of them")
    configuration = Configuration.of(call.vault)
    where = shared if shared or machine else None
    changes = choose_embedder(configuration, call.asks(), name, model, shared=where)
    if not call.out.json:
        _tell_changes(call, configuration, changes)
    if configuration.root is None:
        if call.out.json:
            call.out.value({"embedder": name, "model": model, "vectors": None, "background": None})
        return
    state, process = _make_vectors(call, wait=wait)
    if call.out.json:
        value = {"embedder": name, "model": model, "vectors": vectors(state), "background": process}
        call.out.value(value)
        return
    _tell_state(call, state, process)


def status(context: typer.Context, vault: VaultOption = None, json: JsonOption = False) -> None:
    """Show the embedder, and how many texts have vectors of it.

    [bold]Examples[/bold]

      vmem embedder status
    """
    call: Call = context.obj.narrowed(vault=vault, agent=None, json=json)
    with call.open() as opened:
        state = opened.index.vectors(call.asks())
    if call.out.json:
        call.out.value(vectors(state))
        return
    call.out.result(render_vectors(state))


def build(
    context: typer.Context,
    after_another: Annotated[
        bool, typer.Option("--after-another", help="Wait for one that another vmem is at.")
    ] = False,
    vault: VaultOption = None,
    json: JsonOption = False,
) -> None:
    """Make the vectors that are missing.

    It may be stopped at any time and goes on from there. Other commands work meanwhile.

    [bold]Examples[/bold]

      vmem embedder build
    """
    call: Call = context.obj.narrowed(vault=vault, agent=None, json=json)
    with call.open() as opened:
        made = opened.index.build_vectors(wait=_PATIENCE if after_another else 0.0)
        state = opened.index.vectors(call.asks())
    if call.out.json:
        call.out.value({"made": made, **vectors(state)})
        return
    call.out.result(f"Made {counted(made, 'vector')}.\n{render_vectors(state)}")


def fetch(
    context: typer.Context,
    name: Annotated[str, typer.Argument(help="A model's name, e.g. all-MiniLM-L6-v2 or owner/name.")],
    onnx: Annotated[bool, typer.Option("--onnx", help="Its ONNX form, for the embedder onnx.")] = False,
    json: JsonOption = False,
) -> None:
    """Download a model.

    Nothing else in vmem ever downloads anything.

    [bold]Examples[/bold]

      vmem embedder fetch all-MiniLM-L6-v2
      vmem embedder fetch intfloat/multilingual-e5-small --onnx
    """
    from vault_memory.plugins import fetch_model

    call: Call = context.obj.narrowed(vault=None, agent=None, json=json)
    place = fetch_model(name, call.out.warn, onnx=onnx)
    if call.out.json:
        call.out.value({"model": name, "folder": str(place)})
        return
    call.out.result(f"{name} is in {place}")


def _make_vectors(call: Call, *, wait: bool) -> tuple[VectorState, int | None]:
    """Where the vectors stand now, and the process that makes the rest in the background."""
    from vault_memory.surfaces.cli.background import start

    with call.open() as opened:
        opened.index.refresh(in_passing=True)
        state = opened.index.vectors(call.asks())
        if state.have == state.texts:
            return state, None
        if not wait:
            process = start(opened.root, "embedder", "build", "--after-another")
            if process is not None:
                return state, process
        opened.index.build_vectors(wait=_PATIENCE)
        return opened.index.vectors(call.asks()), None


def _tell_changes(call: Call, configuration: Configuration, changes: tuple[SettingChanged, ...]) -> None:
    from vault_memory.facets.choice import WITH_MODEL

    mark = styled("✔", "green", colour=call.out.colour)
    takes_model = configuration.explain("embedder").holds.value in WITH_MODEL
    for key in ("embedder", "embedder_model")[: 1 + takes_model]:
        holds = configuration.explain(key).holds
        if holds.value:
            call.out.result(f"{mark} {key} = {harmless(holds.written)}   ({harmless(holds.origin)})")
    for change in changes:
        if change.overruled_by is not None:
            call.out.warn(f"{change.file} was changed, but {change.overruled_by} wins over it")


def _tell_state(call: Call, state: VectorState, process: int | None) -> None:
    if process is not None:
        share = f"{state.have or 0:,} of {counted(state.texts or 0, 'text')} have vectors"
        call.out.result(
            f"  {share}; process {process} makes the rest in the background.\n"
            "  Search goes on by keyword until then; vmem embedder status shows how far it is."
        )
    elif state.keyword_only:
        call.out.result(f"  search by keyword only: {harmless(state.keyword_only)}")
    else:
        call.out.result(
            f"  all {counted(state.texts or 0, 'text')} have vectors: search by keyword and meaning"
        )
