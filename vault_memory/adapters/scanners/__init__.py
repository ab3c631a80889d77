"""Scanners: what looks for content that must not enter a memory."""

from __future__ import annotations

from vault_memory.adapters.scanners.none import NoRules
from vault_memory.adapters.scanners.table import SecretTable

__all__ = ["NoRules", "SecretTable"]
