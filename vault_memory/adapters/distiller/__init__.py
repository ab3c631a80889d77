"""A program of the person's own that finds lessons in a conversation."""

from __future__ import annotations

from vault_memory.adapters.distiller.command import CommandDistiller

__all__ = ["CommandDistiller"]
