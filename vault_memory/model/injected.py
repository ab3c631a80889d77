"""The block in which stored notes are put before an agent, and how it is known again.

What stands in such a block came out of the vault: whoever captures from a conversation takes it out first.
"""

from __future__ import annotations

import re

BEGIN = "<vault-memory>"
END = "</vault-memory>"
_GAP = r"[ \t]{0,3}"
"""Fewer blanks than `harmless` looks across: no stored text can hold what is taken for a mark here."""
_BLOCK = re.compile(
    rf"^[ \t>]*<{_GAP}vault-memory{_GAP}>.*?"
    rf"(?:^[ \t>]*<{_GAP}/{_GAP}vault-memory{_GAP}>[ \t]*(?:\r?\n|\r?\Z)?|\Z)",
    re.IGNORECASE | re.DOTALL | re.MULTILINE,
)
"""One block. Without its end it reaches to the end of the text: what was cut off is no reason to store it."""


def framed(text: str) -> str:
    """The text between the marks. It must be `harmless` already: no mark of ours may stand in it."""
    return f"{BEGIN}\n{text.rstrip()}\n{END}"


def stripped(text: str) -> str:
    """The text without the blocks that were put before the agent."""
    return _BLOCK.sub("", text) if "vault-memory" in text.lower() else text
