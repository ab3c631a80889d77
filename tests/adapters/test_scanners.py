"""Scanners."""

from __future__ import annotations

from vault_memory.adapters.scanners import NoRules


def test_without_rules_nothing_is_found() -> None:
    assert NoRules().scan("password: hunter2\n") == []
