"""A small vault and servers for it, each started once for all tests of a module."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.machine import furnish, move_in
from tests.mcp.talking import Talk, served
from tests.mcp.webbing import Served, listening
from vault_memory.vault import Vault


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A vault with what two agents and a person know."""
    before = dict(os.environ)
    move_in(furnish(tmp_path_factory.mktemp("module-home")))
    folder = tmp_path_factory.mktemp("vault") / "memory"
    Vault.create(folder)
    with Vault.open(folder) as vault:
        ann = vault.agent("ann")
        ann.remember("Ferries sail north at nine, since the tide turns then", title="Ferry", tags=["boats"])
        ann.remember(
            "The harbour closes at ten", title="Harbour", namespace="port", kind="decision", importance=0.9
        )
        vault.agent("bob").remember("Bob's own marker zanzibar ferry harbour", title="Zanzibar")
        vault.person.remember("A note of the person about ferries", title="Mine")
    yield folder
    os.environ.clear()
    os.environ.update(before)


@pytest.fixture(scope="module")
def ann(root: Path) -> Iterator[Talk]:
    """A client that is the agent ann."""
    with served(root) as talk:
        yield talk


@pytest.fixture(scope="module")
def person(root: Path) -> Iterator[Talk]:
    """A client that is the person."""
    with served(root, None) as talk:
        yield talk


@pytest.fixture(scope="module")
def web_of_ann(root: Path) -> Iterator[Served]:
    """The server of the agent ann on HTTP."""
    with listening(root) as one:
        yield one
