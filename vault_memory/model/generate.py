"""The bytes of a new memory's file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime

from vault_memory.errors import ValueFormatError
from vault_memory.model.exported import spliced
from vault_memory.model.fields import FIELDS, parse_body, parse_key, parse_value
from vault_memory.model.memory import Draft
from vault_memory.model.yamlwrite import FieldValue


def new_file(
    draft: Draft, *, memory_id: str, title: str | None, created: datetime, agent: str | None
) -> bytes:
    """A draft as a file: UTF-8, LF, one line end at the end.

    `title` is what the file is to say, `None` to say nothing; `agent` is who wrote it, `None` for
    the person. Raises `ValueFormatError` for what no file can hold; the draft's values are
    otherwise taken as checked. A draft with front matter of its own keeps its lines; a key that can't
    be set in them raises `FrontMatterError`.
    """
    # Imported here: python-frontmatter is not needed by anything that only reads.
    from vault_memory.model.posts import render

    candidates: dict[str, FieldValue | None] = {
        "id": memory_id,
        "title": title,
        "importance": draft.importance,
        "tags": draft.tags or None,
        "ttl": draft.ttl,
        "expires": draft.expires,
        "source_agent": agent,
        "kind": draft.kind,
        "pinned": draft.pinned or None,
        "created": created,
        "links": draft.links or None,
        "supersedes": draft.supersedes or None,
    }
    keys = {key: value for key, value in candidates.items() if value is not None}
    keys.update(_extra(draft.extra, taken=keys))
    if draft.header is not None:
        return spliced(draft.header, parse_body(draft.text), keys)
    return render(keys, parse_body(draft.text)).encode("utf-8")


def _extra(extra: Mapping[str, str], *, taken: Iterable[str]) -> dict[str, FieldValue]:
    """Further keys: known ones by their form, others as text."""
    names = set(taken)
    found: dict[str, FieldValue] = {}
    for key, text in extra.items():
        name = parse_key(key)
        folded = name.casefold()
        if folded in names:
            raise ValueFormatError(name, text, "one value, and it has one already")
        names.add(folded)
        value = parse_value(name, text)
        if value is not None:
            found[folded if folded in FIELDS else name] = value
    return found
