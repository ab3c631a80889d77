"""A text that is known is found, and one that is known no more is written once."""

from __future__ import annotations

from pathlib import Path

from tests.stand import CountedIds, ToldClock
from vault_memory.vault import Vault


def test_a_text_whose_first_copy_expired_is_written_once_more_and_not_each_time(tmp_path: Path) -> None:
    clock = ToldClock()
    root = Vault.create(tmp_path / "memory").root
    with Vault.open(root, clock=clock, ids=CountedIds()) as vault:
        agent = vault.agent("akashi")
        first = agent.remember("Uses port 8080", title="A port", ttl="1d")
        clock.move(days=2)
        second = agent.remember("Uses port 8080", title="The port")
        third = agent.remember("uses port 8080.", title="The port again")
    assert first.path < second.path  # the expired one is met first
    assert (second.known, third.known) == (False, True)
    assert third.path == second.path
