"""What most tests of operations stand on: a new vault, open, with a clock and ids that are told."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.ops.proposed import Scene, begun, propose_three
from tests.stand import CountedIds, ToldClock
from vault_memory.vault import Vault


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return Vault.create(tmp_path / "memory").root


@pytest.fixture
def clock() -> ToldClock:
    return ToldClock()


@pytest.fixture
def vault(root: Path, clock: ToldClock) -> Iterator[Vault]:
    with Vault.open(root, clock=clock, ids=CountedIds(), settings={"refresh_seconds": 0.0}) as opened:
        yield opened


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    """A vault with a person's notes, to which proposals are made."""
    return begun(tmp_path / "vault")


@pytest.fixture
def three(scene: Scene) -> Scene:
    """With a proposal of three memories."""
    propose_three(scene)
    return scene
