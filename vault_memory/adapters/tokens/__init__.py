"""Counting tokens."""

from vault_memory.adapters.tokens.estimate import EstimatedTokens

__all__ = ["EstimatedTokens"]
