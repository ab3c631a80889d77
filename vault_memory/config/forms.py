"""The forms that settings' values take; each function takes what a file, a variable or a flag gives, and
raises `ValueError` for anything else."""

from __future__ import annotations

import re
from collections.abc import Callable
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from vault_memory.errors import UsageError
from vault_memory.model.lookalike import alike
from vault_memory.model.namespace import SHARED, TOP, is_private, parse_namespace
from vault_memory.model.policy import ALL


def text(value: object) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ValueError
    return value.strip()


def any_text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError
    return value.strip()


def inbox(value: object) -> str:
    folder = text(value)
    return folder if folder == TOP else str(parse_namespace(folder))


def zone(value: object) -> str:
    name = text(value)
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, OSError) as error:
        raise ValueError(name) from error
    return name


def whole(low: int, high: int) -> Callable[[object], object]:
    def parse(value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, int | str):
            raise ValueError(value)
        number = int(value)
        if not low <= number <= high:
            raise ValueError(number)
        return number

    return parse


def number(low: float, high: float) -> Callable[[object], object]:
    def parse(value: object) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float | str):
            raise ValueError(value)
        number = float(value)
        if not low <= number <= high:
            raise ValueError(number)
        return number

    return parse


def lines(value: object) -> tuple[str, ...]:
    """A list of texts; the environment gives one text, with commas between."""
    items = value.split(",") if isinstance(value, str) else value
    if not isinstance(items, list | tuple) or not all(isinstance(item, str) for item in items):
        raise ValueError(value)
    return tuple(item.strip() for item in items if item.strip())


def review(value: object) -> tuple[str, ...]:
    folders = [SHARED if line == ALL else str(parse_namespace(line)) for line in lines(value)]
    if any(map(is_private, folders)):
        raise ValueError(value)
    return tuple(
        folder if alike(folder.split("/")[0]) == SHARED else f"{SHARED}/{folder}" for folder in folders
    )


_BRANCH = re.compile(r"[A-Za-z0-9_][\w.+#@-]*(/[A-Za-z0-9_][\w.+#@-]*)*")

_PROPOSAL = re.compile(r"(?:[^/]+/)?memory/[^/]+/.+")
"""The branch of one, here or of a remote: `model.proposals` has the name."""


def branch(value: object) -> str:
    """The name of a branch that holds what was reviewed, or none: nothing that git could take for an option,
    a range or an address, and no proposal, which waits for its review."""
    name = any_text(value)
    if name and (not _BRANCH.fullmatch(name) or ".." in name or "@{" in name or _PROPOSAL.fullmatch(name)):
        raise ValueError(name)
    return name


def rules_and_folders(value: object) -> tuple[str, ...]:
    from vault_memory.model.rules import find_rule  # here: few calls of vmem need the rules

    found = lines(value)
    try:
        for line in found:
            if not line.endswith("/"):
                find_rule(line)
    except UsageError as error:
        raise ValueError(value) from error
    return found


def flag(value: object) -> bool:
    flag = {"true": True, "false": False}.get(str(value).strip().lower())  # the environment has texts only
    if flag is None:
        raise ValueError(value)
    return flag


def one_of(*words: str) -> Callable[[object], object]:
    def parse(value: object) -> str:
        word = text(value).lower()
        if word not in words:
            raise ValueError(word)
        return word

    return parse


_MODEL_NAME = re.compile(r"[A-Za-z0-9][\w.-]*(/[A-Za-z0-9][\w.-]*)?")


def is_model_name(text: str) -> bool:
    """Whether a text is `name` or `organisation/name`, so neither a folder nor an address."""
    return bool(_MODEL_NAME.fullmatch(text))
