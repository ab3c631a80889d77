"""A text to remember that brings front matter of its own: a note exported somewhere, say."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC

from vault_memory.errors import FrontMatterError
from vault_memory.model import codes
from vault_memory.model.codes import Fault
from vault_memory.model.memory import Draft
from vault_memory.model.moments import read_moment
from vault_memory.model.splice import splice
from vault_memory.model.split import split
from vault_memory.model.yamlread import Pairs, Text, key_text, read_header, resolve
from vault_memory.model.yamlwrite import FieldValue

NAME = "the text"
"""What messages call the text, which has no file yet."""

_KEY_LINE = re.compile(r"---[ \t]*\n[^\W\d][\w.-]*:(?:[ \t]|\n)")


def with_own_keys(draft: Draft) -> Draft:
    """The draft with front matter that its text begins with taken for what it is.

    It is read by the rules for files: whatever would be the front matter of a file with this text
    becomes the new file's, each line as it stands, and the draft's own fields win over it. What
    can't be read, or not be added to, stays text, and a notice says so.
    """
    text = draft.text.removeprefix("\ufeff")
    if not text.startswith("---"):
        return draft
    parts = split(text.encode("utf-8"))
    if parts.header is None:
        return _kept(draft, parts.faults[0]) if parts.faults and _KEY_LINE.match(text) else draft
    pairs = read_header(parts.header)
    if isinstance(pairs, Fault):
        return draft if pairs.code == codes.NOT_KEYS else _kept(draft, pairs)
    if not pairs.pairs:
        return draft
    try:
        splice(
            NAME, as_file(parts.header, ""), {"id": "x", "title": "x", "created": "x", "source_agent": "x"}
        )
    except FrontMatterError as error:
        return _kept(draft, Fault(codes.NOT_YAML, error.line, error.reason))
    title = draft.title or _text_of(pairs, "title")
    return replace(draft, text=parts.body.lstrip("\n"), header=parts.header, title=title)


def as_file(header: str, body: str) -> bytes:
    """A file of that front matter and body."""
    return f"---\n{header}---\n{body}".encode()


def spliced(header: str, body: str, changes: dict[str, FieldValue]) -> bytes:
    """The file of an own front matter with the keys that vmem and the caller set.

    Its `created` stays where it can be read, and a lifetime that the caller gives replaces its own.
    Raises `FrontMatterError` for a key that can't be set.
    """
    pairs = read_header(header)
    wanted: dict[str, FieldValue | None] = {"source_agent": None, **changes}
    stands = _text_of(pairs, "created") if isinstance(pairs, Pairs) else None
    if stands is not None and read_moment(stands, UTC) is not None:
        del wanted["created"]
    lifetime = {"ttl", "expires"}
    if lifetime & wanted.keys():
        wanted = {**dict.fromkeys(lifetime - wanted.keys()), **wanted}
    text = body.rstrip("\n")
    return splice(NAME, as_file(header, f"{text}\n" if text else ""), wanted)


def _kept(draft: Draft, fault: Fault) -> Draft:
    why = fault.message.removeprefix("front matter is ")
    notice = f"the text begins like front matter, and stays text: line {fault.line}: {why}"
    return replace(draft, notices=(*draft.notices, notice))


def _text_of(pairs: Pairs, name: str) -> str | None:
    for key, value in pairs.pairs:
        node = resolve(value)
        if key_text(key).casefold() == name and isinstance(node, Text) and not node.empty:
            return " ".join(node.value.split()) or None
    return None
