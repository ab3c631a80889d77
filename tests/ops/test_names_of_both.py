"""A memory may be called as a commit is: what a person takes back by that name is never a guess."""

from __future__ import annotations

import pytest

from tests.ops.proposed import Scene
from vault_memory.errors import UsageError
from vault_memory.model.namespace import PERSON


def test_a_memory_called_head_is_not_taken_back_in_place_of_the_last_commit(scene: Scene) -> None:
    with scene.vault() as vault:
        vault.agent("akashi").remember("Nothing to see", title="HEAD", namespace="market")
        vault.person.edit("Owl", importance=0.9)
    last = scene.git("rev-parse", "HEAD")
    with scene.vault() as vault:
        with pytest.raises(UsageError, match="'HEAD' is a memory and a commit") as told:
            vault.history.revert(PERSON, "HEAD")
        assert told.value.hint is not None
        assert f"vmem revert {last[:7]} " in told.value.hint
        assert told.value.hint.endswith("vmem revert shared/market/head.md")
        assert scene.git("rev-parse", "HEAD") == last
        by_path = vault.history.revert(PERSON, "shared/market/head.md", dry_run=True)
        assert [one.path for one in by_path.files] == ["shared/market/head.md"]
        assert [one.path for one in vault.history.revert(PERSON, last[:7]).files] == ["shared/market/owl.md"]
