"""The options of a filter, given to every command that finds or looks over memories."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps

from vault_memory.model.filters.choice import Choice
from vault_memory.surfaces.cli.options import (
    ByOption,
    KindOption,
    NamespaceOption,
    PathOption,
    SinceOption,
    TagOption,
    UntilOption,
    WhereOption,
)

OPTIONS = {
    "tag": TagOption,
    "kind": KindOption,
    "source_agent": ByOption,
    "namespace": NamespaceOption,
    "path": PathOption,
    "since": SinceOption,
    "until": UntilOption,
    "where": WhereOption,
}
"""The type of each part of a `Choice` as an option, in the order of `--help`."""


def filtered(command: Callable[..., None]) -> Callable[..., None]:
    """The command with the options of a filter where it has the parameter `choice`, which gathers them.

    typer makes options of a function's signature, so this is where they are put.
    """

    @wraps(command)
    def asked(**given: object) -> None:
        choice = {name: given.pop(name) for name in OPTIONS}
        command(choice=choice, **given)

    parameters: list[inspect.Parameter] = []
    for one in inspect.signature(command, eval_str=True).parameters.values():
        if one.annotation is Choice:
            parameters += [
                one.replace(name=name, annotation=of, default=None) for name, of in OPTIONS.items()
            ]
        else:
            parameters.append(one)
    asked.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]  # what inspect looks for
    asked.__annotations__ = {one.name: one.annotation for one in parameters}
    return asked
