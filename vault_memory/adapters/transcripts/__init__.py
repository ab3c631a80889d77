"""Transcripts in files of other programs."""

from __future__ import annotations

from vault_memory.adapters.transcripts.files import TranscriptFiles

__all__ = ["TranscriptFiles"]
