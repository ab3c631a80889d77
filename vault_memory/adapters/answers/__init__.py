"""Answers kept in memory."""

from vault_memory.adapters.answers.kept import KeptAnswers

__all__ = ["KeptAnswers"]
