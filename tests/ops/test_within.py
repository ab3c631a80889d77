"""A folder to look in is named as a folder to write to is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.stand import CountedIds, ToldClock
from vault_memory.errors import UnsafePathError
from vault_memory.vault import Vault


@pytest.fixture
def vault(tmp_path: Path) -> Iterator[Vault]:
    Vault.create(tmp_path)
    with Vault.open(
        tmp_path, clock=ToldClock(), ids=CountedIds(), settings={"refresh_seconds": 0.0}
    ) as opened:
        yield opened


def titles(vault: Vault, namespace: str) -> list[str]:
    return [entry.title for entry in vault.agent("akashi").list(namespace=namespace)]


def test_what_is_written_to_a_namespace_is_found_in_it(vault: Vault) -> None:
    akashi = vault.agent("akashi")
    akashi.remember("falcon one", title="In market", namespace="market")
    akashi.remember("falcon two", title="Own")
    assert (
        titles(vault, "market") == titles(vault, "shared/market") == titles(vault, "shared") == ["In market"]
    )
    assert [hit.entry.title for hit in akashi.recall("falcon", namespace="market").hits] == ["In market"]
    assert [hit.entry.title for hit in akashi.search("falcon", namespace="market").hits] == ["In market"]
    assert titles(vault, "private/akashi") == ["Own"]


def test_a_folder_of_the_person_goes_before_a_shared_one_of_that_name(vault: Vault) -> None:
    vault.person.remember("mine", title="Mine")
    vault.agent("akashi").remember("ours", title="Ours", namespace="notes")
    assert titles(vault, "notes") == ["Mine"]
    assert titles(vault, "shared/notes") == ["Ours"]


def test_a_folder_that_is_not_there_is_empty_and_one_that_can_not_be_is_refused(vault: Vault) -> None:
    assert titles(vault, "nowhere") == []
    with pytest.raises(UnsafePathError):
        titles(vault, "../nowhere")


def test_no_name_leads_into_the_private_folder_of_another(vault: Vault) -> None:
    vault.agent("mira").remember("secret", title="Secret")
    for name in ("private/mira", "private", "mira"):
        assert titles(vault, name) == []
