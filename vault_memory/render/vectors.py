"""How far the vectors of a vault are, and what there is to make them with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from vault_memory.model.vectorstate import VectorState
from vault_memory.render.style import counted, filled, harmless, styled


@dataclass(frozen=True, slots=True)
class Provider:
    """An embedder that may be chosen: whether it is in use, and what has to be installed first."""

    name: str
    used: bool
    lacks: str | None
    install: str | None


def render_vectors(state: VectorState) -> str:
    """A line a fact."""
    search = f"keyword only: {state.keyword_only}" if state.keyword_only else "keyword + meaning"
    lines = [f"embedder   {state.embedder}", f"search     {search}"]
    if state.have is not None and state.texts is not None:
        lines.append(f"vectors    {state.have:,} of {counted(state.texts, 'text')}")
    if state.worker is not None:
        who = f"process {state.worker}" if state.worker else "another process"
        lines.append(f"worker     {who} makes the rest")
    lines += [
        f"kept       {counted(count, 'vector')} of {name}, for a way back"
        for name, count in state.kept.items()
    ]
    return "\n".join(map(harmless, lines))


def render_providers(
    providers: Sequence[Provider], models: Sequence[tuple[str, str, str]], *, model: str, colour: bool
) -> str:
    """The embedders, and below them (provider, name, folder) of the models that were downloaded."""
    lines: list[str] = []
    for one in providers:
        mark = styled("✔", "green", colour=colour) if one.used else " "
        said = [f"in use{f', with {model}' if model else ''}"] if one.used else []
        said += [f"not installed: {one.install}"] if one.lacks else []
        lines.append(f"{mark} {filled(one.name, 22)} {harmless('; '.join(said))}".rstrip())
    lines.append("")
    if not models:
        lines.append(
            "No model was downloaded to this machine (vmem embedder fetch NAME does); a folder is one, too."
        )
        return "\n".join(lines)
    lines.append(styled("Downloaded models:", "bold", colour=colour))
    lines += [
        f"  {filled(provider, 22)} {harmless(name)}   {harmless(folder)}" for provider, name, folder in models
    ]
    return "\n".join(lines)
