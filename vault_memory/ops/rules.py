"""What may not enter a memory: the blocking rules, checked before any file exists."""

from __future__ import annotations

from vault_memory.config.settings import Settings
from vault_memory.errors import RefusedError, UsageError
from vault_memory.model.memory import Draft
from vault_memory.ports import Ports


def check_text(ports: Ports, settings: Settings, text: str) -> None:
    """Raise `RefusedError` for text that a rule keeps out; the text is never echoed."""
    size = len(text.encode("utf-8", "surrogatepass"))
    limit = settings["max_memory_bytes"]
    if size > limit:
        raise RefusedError(
            "size",
            f"{size:,} bytes are more than the limit of {limit:,}",
            hint="split it, or raise max_memory_bytes in .vmem/config.toml",
        )
    for rule, line in ports.scanner.scan(text):
        raise RefusedError(
            rule, "the text looks like it holds a secret", line=line, hint="take the secret out"
        )


def check_draft(ports: Ports, settings: Settings, draft: Draft) -> None:
    """The same for everything that a draft would write."""
    if not draft.text.strip() and not (draft.title or "").strip():
        raise UsageError("there is no text to remember", hint='vmem remember "what to keep"')
    check_text(ports, settings, draft.text)
    for text in (draft.title or "", *draft.tags, *draft.extra.values()):
        check_text(ports, settings, text)
