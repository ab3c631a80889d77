"""The table of settings: from each row follow validation, did-you-mean, `--explain` and the docs."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from vault_memory.model.namespace import parse_namespace

FORMAT = 1
"""The version of the vault's layout that this program writes; a newer one is not written to."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One key. `shared` keys may stand in a vault's own file; the others are this machine's."""

    key: str
    default: object
    parse: Callable[[object], object]
    form: str
    doc: str
    shared: bool


def _text(value: object) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ValueError
    return value.strip()


def _any_text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError
    return value.strip()


def _namespace(value: object) -> str:
    return str(parse_namespace(_text(value)))


def _zone(value: object) -> str:
    name = _text(value)
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, OSError) as error:
        raise ValueError(name) from error
    return name


def _whole(low: int, high: int) -> Callable[[object], object]:
    def parse(value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, int | str):
            raise ValueError(value)
        number = int(value)
        if not low <= number <= high:
            raise ValueError(number)
        return number

    return parse


def _number(low: float, high: float) -> Callable[[object], object]:
    def parse(value: object) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float | str):
            raise ValueError(value)
        number = float(value)
        if not low <= number <= high:
            raise ValueError(number)
        return number

    return parse


def _flag(value: object) -> bool:
    flag = {"true": True, "false": False}.get(str(value).strip().lower())  # the environment has texts only
    if flag is None:
        raise ValueError(value)
    return flag


def _one_of(*words: str) -> Callable[[object], object]:
    def parse(value: object) -> str:
        word = _text(value).lower()
        if word not in words:
            raise ValueError(word)
        return word

    return parse


_MODEL_NAME = re.compile(r"[A-Za-z0-9][\w.-]*(/[A-Za-z0-9][\w.-]*)?")


def is_model_name(text: str) -> bool:
    """Whether a text is `name` or `organisation/name`, so neither a folder nor an address."""
    return bool(_MODEL_NAME.fullmatch(text))


SETTINGS: tuple[Setting, ...] = (
    Setting(
        "inbox",
        "notes",
        _namespace,
        "a folder below the vault",
        "Where a person's `vmem remember` puts a memory when no namespace is given.",
        shared=True,
    ),
    Setting(
        "timezone",
        "UTC",
        _zone,
        "an IANA zone name, e.g. Europe/Berlin",
        "The zone in which a date without a time is a day.",
        shared=True,
    ),
    Setting(
        "inline_tags",
        True,
        _flag,
        "true or false",
        "Whether `#tag` in a memory's text counts as one of its tags.",
        shared=True,
    ),
    Setting(
        "embedder",
        "none",
        _one_of("none", "sentence-transformers"),
        "none or sentence-transformers",
        "What turns texts into vectors; `none` searches by keyword only.",
        shared=True,
    ),
    Setting(
        "embedder_model",
        "",
        _any_text,
        "a model's name, or (on this machine only) a folder",
        "The model of the embedder. A vault's own file may only give a name.",
        shared=True,
    ),
    Setting(
        "max_memory_bytes",
        262_144,
        _whole(1, 10_485_760),
        "a whole number of bytes up to 10485760",
        "The largest text that `remember` and `edit` take.",
        shared=True,
    ),
    Setting(
        "max_file_bytes",
        10_485_760,
        _whole(1, 1_073_741_824),
        "a whole number of bytes",
        "The largest file that is read; a larger one is not searched, and `vmem doctor` names it.",
        shared=True,
    ),
    Setting(
        "recall_tokens",
        2000,
        _whole(0, 10_000_000),
        "a whole number of tokens",
        "The budget of a recall when none is given.",
        shared=True,
    ),
    Setting(
        "strategy",
        "balanced",
        _one_of("balanced", "recency", "importance"),
        "balanced, recency or importance",
        "What recall favours when nothing else is asked for.",
        shared=True,
    ),
    Setting(
        "refresh_seconds",
        1.0,
        _number(0, 3600),
        "seconds",
        "How long a long-lived process trusts the index before it looks at the files again.",
        shared=False,
    ),
    Setting(
        "lock_seconds",
        30.0,
        _number(0, 3600),
        "seconds",
        "How long a write waits for another writer of the same vault.",
        shared=False,
    ),
    Setting(
        "git_seconds",
        20.0,
        _number(0.1, 3600),
        "seconds",
        "How long a git hook or a signing program may take before the commit is left waiting.",
        shared=False,
    ),
    Setting(
        "editor",
        "",
        _any_text,
        "a command",
        "The editor for `remember` and `edit`; else VISUAL and EDITOR.",
        shared=False,
    ),
)

BY_KEY: Mapping[str, Setting] = {row.key: row for row in SETTINGS}


@dataclass(frozen=True, slots=True)
class Settings:
    """Every setting with its value, and where the value came from (`default`, a file, `VMEM_X`, `flag`)."""

    values: Mapping[str, Any]
    origins: Mapping[str, str] = field(default_factory=dict)

    def __getitem__(self, key: str) -> Any:
        return self.values[key]

    @property
    def zone(self) -> ZoneInfo:
        """The vault's time zone."""
        return ZoneInfo(self.values["timezone"])


def defaults() -> Settings:
    """Every setting at its default."""
    return Settings({row.key: row.default for row in SETTINGS}, {row.key: "default" for row in SETTINGS})


def table_markdown() -> str:
    """The settings as a Markdown table, for docs/settings.md."""
    lines = ["| key | default | takes | whose | meaning |", "|---|---|---|---|---|"]
    for row in SETTINGS:
        whose = "vault or machine" if row.shared else "machine"
        default = f"`{row.default}`" if row.default != "" else "(empty)"
        lines.append(f"| `{row.key}` | {default} | {row.form} | {whose} | {row.doc} |")
    return "\n".join(lines) + "\n"
