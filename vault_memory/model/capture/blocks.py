"""The texts in a message's content, in the forms in which clients write it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping


def text_at(record: Mapping[str, object], name: str) -> str | None:
    """The text that a record has under a name; `None` where there is none, or something else."""
    found = record.get(name)
    return found if isinstance(found, str) else None


def texts_of(content: object, kinds: Collection[str]) -> Iterator[str]:
    """Of a text itself, or of a list of texts and of blocks of one of these types (or of none)."""
    if isinstance(content, str):
        yield content
    elif isinstance(content, dict):
        yield from texts_of([content], kinds)
    elif isinstance(content, list):
        for block in content:
            if isinstance(block, str):
                yield block
            elif isinstance(block, dict) and ("type" not in block or str(block["type"]) in kinds):
                text = block.get("text")
                if isinstance(text, str):
                    yield text
