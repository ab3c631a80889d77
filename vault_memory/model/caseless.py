"""Text as names are compared: exact but for case and for how accented letters are put together."""

from __future__ import annotations

from vault_memory.model.normalform import normalized


def caseless(text: str) -> str:
    """Equal for texts that differ only in case or composition; accents count."""
    if text.isascii():
        return text.lower()
    return normalized("NFC", normalized("NFC", text).casefold())
