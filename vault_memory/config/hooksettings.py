"""The rows of the table of settings that say what hooks of agents' programs do."""

from __future__ import annotations

from vault_memory.config import forms
from vault_memory.config.setting import Setting

HOOK_SETTINGS = (
    Setting(
        "hooks",
        True,
        forms.flag,
        "true or false",
        "Whether `vmem hook` does anything when an agent's program calls it.",
        shared=False,
    ),
    Setting(
        "hook_start_tokens",
        500,
        forms.whole(0, 100_000),
        "a whole number of tokens, 0 for nothing",
        "What an agent's session may be given when it begins.",
        shared=False,
    ),
    Setting(
        "hook_prompt_tokens",
        400,
        forms.whole(0, 100_000),
        "a whole number of tokens, 0 for nothing",
        "What may be added to one prompt.",
        shared=False,
    ),
    Setting(
        "hook_relevance",
        0.45,
        forms.number(0, 1),
        "a number from 0 (nearly always) to 1 (never)",
        "How well a memory must fit a prompt to be added to it.",
        shared=False,
    ),
    Setting(
        "hook_seconds",
        2.0,
        forms.number(0, 60),
        "seconds",
        "How long a hook may take; then it ends with nothing said.",
        shared=False,
    ),
    Setting(
        "hook_capture_bytes",
        65_536,
        forms.whole(0, 1_073_741_824),
        "a whole number of bytes, 0 for every turn",
        "How much a conversation must have grown until it is looked through again while it goes on.",
        shared=False,
    ),
)
