"""The rows of the table of settings that say what finds lessons in transcripts."""

from __future__ import annotations

from vault_memory.config import forms
from vault_memory.config.setting import Setting

CAPTURE_SETTINGS = (
    Setting(
        "capture_command",
        "",
        forms.any_text,
        "a command",
        "What `vmem capture` asks for lessons in place of its rules: docs/capture.md says how.",
        shared=False,
    ),
    Setting(
        "capture_seconds",
        120.0,
        forms.number(0.1, 3600),
        "seconds",
        "How long that command may take; then the rules find the lessons.",
        shared=False,
    ),
)
