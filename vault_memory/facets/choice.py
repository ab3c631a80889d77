"""Choosing the embedder: the model is tried first, then the settings are written, or nothing is."""

from __future__ import annotations

from vault_memory import compose
from vault_memory.config.forms import is_model_name
from vault_memory.config.load import VAULT_FILE, survey
from vault_memory.errors import UsageError
from vault_memory.facets.configuration import Configuration, SettingChanged
from vault_memory.model.namespace import Scope

WITH_MODEL = frozenset({"onnx", "sentence-transformers"})
_WITHOUT = frozenset({"bundled", "none"})


def choose_embedder(
    configuration: Configuration, scope: Scope, name: str, model: str | None, *, shared: bool | None = None
) -> tuple[SettingChanged, ...]:
    """Set `embedder`, and `embedder_model` where one is given, once it has turned a text into a vector.

    `shared` chooses the vault's file or this machine's; without it a model's name goes to the vault's,
    if there is one, and a folder to this machine's. Raises `UnknownPluginError`,
    `EmbedderUnavailableError`, `MissingExtraError`, `UsageError`, and what `Configuration.put` raises.
    """
    scope.check_person("choose the embedder", hint="ask the person to run: vmem embedder use …")
    settings = survey(configuration.root)[0]
    if model is not None and name in _WITHOUT:
        raise UsageError(f"{name} takes no model", hint=f"vmem embedder use {name}")
    used = settings["embedder_model"] if model is None else model
    if name in WITH_MODEL and not used:
        raise UsageError(
            f"{name} needs a model", hint=f"vmem embedder use {name} MODEL   (a name or a folder)"
        )
    is_folder = model is not None and not is_model_name(model)
    if is_folder and shared is None:
        shared = False
    keys = {"embedder": name} if model is None else {"embedder_model": model, "embedder": name}
    if shared is False:
        _refuse_what_the_vault_overrules(configuration, keys)
    compose.try_embedder(name, used, settings["model_threads"])
    return tuple(configuration.put(scope, key, text, shared=shared) for key, text in keys.items())


def _refuse_what_the_vault_overrules(configuration: Configuration, keys: dict[str, str]) -> None:
    if configuration.root is None:
        return
    file = str(configuration.root / VAULT_FILE)
    layers = survey(configuration.root)[0].layers
    for key, text in keys.items():
        set_there = [value for origin, value in layers[key] if origin == file]
        if set_there and set_there[-1] != text:
            raise UsageError(
                f"{file} sets {key} = {set_there[-1]!r}, which wins over this machine's own settings",
                hint=f"vmem config {key} --unset --shared   and try again",
            )
