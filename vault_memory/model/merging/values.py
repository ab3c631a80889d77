"""What a front matter key becomes, of which two sides have changed the value."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC
from enum import StrEnum
from typing import Any

from vault_memory.model.dateforms import NoDateError
from vault_memory.model.moments import parse_moment
from vault_memory.model.tags import bare_tag, tags_in_text

Value = Any
"""Text, a list or a map, as `yamlread.plain` has it; `None` where the key is not there."""

LISTS = frozenset({"tags", "tag", "aliases", "alias", "links", "supersedes", "notify"})
"""Keys with several values, of which each side may have added some and taken out others."""
LATER = frozenset({"updated"})
"""Keys of which the later of two times is the right one."""
_TAGS = frozenset({"tags", "tag"})
_ALSO_TEXT = _TAGS | {"aliases", "alias"}
"""Lists that may be written as one text."""


class Act(StrEnum):
    """What becomes of a key."""

    KEEP = "keep"
    """It stays as our side has it."""
    TAKE = "take"
    """It becomes as their side has it, or goes as it went there."""
    JOIN = "join"
    """It is a list, and gets what either side added and loses what either took out."""
    CLASH = "clash"
    """Both have changed it, each otherwise: a person has to say."""


def decide(key: str, base: Value, ours: Value, theirs: Value) -> Act:
    """What to do with a key (in any case) of these values."""
    key = key.casefold()
    if theirs in (ours, base):
        return Act.KEEP
    if ours == base:
        return Act.TAKE
    if key in LISTS and all(_is_list(key, one) for one in (base, ours, theirs)):
        return Act.JOIN
    if key in LATER:
        return _later(ours, theirs)
    return Act.CLASH


def joined(key: str, base: Value, ours: Value, theirs: Value) -> list[str]:
    """The list of both: ours, then what is new of theirs, without what either took out."""
    was, mine, other = (texts_of(key, one) for one in (base, ours, theirs))
    before = {_fold(key, one) for one in was}
    both = {_fold(key, one) for one in mine} & {_fold(key, one) for one in other}
    each = {_fold(key, one): one for one in reversed([*mine, *other])}  # as our side has it
    order = dict.fromkeys(_fold(key, one) for one in [*mine, *other])
    return [each[one] for one in order if one in both or one not in before]


def texts_of(key: str, value: Value) -> list[str]:
    """The entries of a list, however it is written."""
    if value is None:
        return []
    if key.casefold() in _TAGS:
        listed = tags_in_text(value) if isinstance(value, str) else map(bare_tag, value)
        return [tag for tag in listed if tag]
    listed = value.split(",") if isinstance(value, str) else value
    return [text for one in listed if (text := one.strip())]


def expected(
    base: Mapping[str, Value], ours: Mapping[str, Value], theirs: Mapping[str, Value]
) -> dict[str, Act]:
    """What to do with each key of any side; keys are folded."""
    keys = dict.fromkeys([*ours, *theirs, *base])
    return {key: decide(key, base.get(key), ours.get(key), theirs.get(key)) for key in keys}


def _later(ours: Value, theirs: Value) -> Act:
    try:
        mine, other = (parse_moment(one, UTC) for one in (ours, theirs))
    except (NoDateError, TypeError, AttributeError):
        return Act.CLASH
    return Act.TAKE if other > mine else Act.KEEP


def _is_list(key: str, value: Value) -> bool:
    if isinstance(value, list):
        return all(isinstance(one, str) for one in value)
    return value is None or (isinstance(value, str) and key in _ALSO_TEXT)


def _fold(key: str, text: str) -> str:
    """Two tags are the same but for case; all else is what it is."""
    return text.casefold() if key.casefold() in _TAGS else text
