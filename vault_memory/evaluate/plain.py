"""The probes of a vault that nobody keeps open: each opens it, or runs a command on it."""

from __future__ import annotations

from vault_memory.evaluate import probes
from vault_memory.evaluate.commands import commands
from vault_memory.evaluate.figures import Figure
from vault_memory.evaluate.meaning import meaning
from vault_memory.evaluate.probe import Probe
from vault_memory.evaluate.scene import Scene


def _first_index(scene: Scene) -> list[Figure]:
    return probes.first_index(scene.root, scene.folder, scene.size, scene.progress)


def _meaning(scene: Scene) -> list[Figure]:
    scene.let_go()
    scene.index()
    plan = scene.plan
    return meaning(
        scene.root, scene.folder, scene.author, scene.size, plan.rounds, plan.queries, scene.progress
    )


def _commands(scene: Scene) -> list[Figure]:
    scene.let_go()
    scene.index()
    return commands(scene.root, scene.folder, scene.author, scene.size, scene.plan.rounds, scene.progress)


def _refreshes(scene: Scene) -> list[Figure]:
    return probes.refreshes(scene.vault(), scene.size, scene.plan.rounds, scene.progress)


def _reads(scene: Scene) -> list[Figure]:
    agent = scene.vault().agent("akashi")
    return probes.reads(agent, scene.author, scene.size, scene.plan.queries, scene.progress)


def _writes(scene: Scene) -> list[Figure]:
    agent = scene.vault().agent("akashi")
    return probes.writes(agent, scene.author, scene.floor, scene.size, scene.plan.rounds, scene.progress)


def _many(scene: Scene) -> list[Figure]:
    agent = scene.vault().agent("akashi")
    return probes.many_writes(agent, scene.author, scene.size, scene.plan.many, scene.progress)


READING = (
    Probe("index", "the first index, by keyword only", _first_index),
    Probe("vectors", "vectors, and search and recall with them", _meaning),
    Probe("commands", "whole commands over all memories", _commands),
    Probe("refresh", "comparing files with the index", _refreshes),
    Probe("read", "search and recall through Python", _reads),
)
"""They leave the vault as it was."""
WRITING = (
    Probe("write", "remember through Python, commit included", _writes),
    Probe("many", "remember_many through Python", _many),
)
"""They leave more memories in it."""
