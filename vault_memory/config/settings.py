"""The table of settings: from each row follow validation, did-you-mean, `--explain` and the docs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from zoneinfo import ZoneInfo

from vault_memory.config import forms, tables
from vault_memory.config.capturesettings import CAPTURE_SETTINGS
from vault_memory.config.hooksettings import HOOK_SETTINGS
from vault_memory.config.setting import Setting
from vault_memory.model.tomlwords import toml
from vault_memory.model.weights import INGREDIENTS

__all__ = [
    "BY_KEY",
    "DEFAULT",
    "FLAG",
    "FORMAT",
    "MODELS",
    "SETTINGS",
    "VARIABLES",
    "Setting",
    "Settings",
    "defaults",
]

FORMAT = 1
"""The version of the vault's layout that this program writes; a newer one is not written to."""
DEFAULT = "default"
FLAG = "flag"
"""Where a value came from, besides files and variables."""


def _of_tables(names: tables.Names, key: str) -> Callable[[object], object]:
    def parse(value: object) -> object:
        read = tables.read_tables(key, names, value, "")
        if read.faults:
            raise ValueError(value)
        return read.tables

    return parse


SETTINGS: tuple[Setting, ...] = (
    Setting(
        "inbox",
        "notes",
        forms.inbox,
        "a folder below the vault, or . for the vault's own",
        "Where a person's `vmem remember` puts a memory when no namespace is given.",
        shared=True,
    ),
    Setting(
        "timezone",
        "UTC",
        forms.zone,
        "an IANA zone name, e.g. Europe/Berlin",
        "The zone in which a date without a time is a day.",
        shared=True,
    ),
    Setting(
        "inline_tags",
        True,
        forms.flag,
        "true or false",
        "Whether `#tag` in a memory's text counts as one of its tags.",
        shared=True,
    ),
    Setting(
        "exclude",
        (),
        forms.lines,
        "a list of lines as in a .gitignore",
        "Folders and files that are no memories, besides what git ignores; `!drafts/` brings one back.",
        shared=True,
    ),
    Setting(
        "lint_ignore",
        (),
        forms.rules_and_folders,
        "a list of rules (VM034 or broken-link) and of folders (Templates/)",
        "What `vmem lint` leaves out.",
        shared=True,
    ),
    Setting(
        "review",
        (),
        forms.review,
        "a list of shared namespaces (market, shared/ops), or * for all of them",
        "Where what agents write becomes a proposal that a person reviews; the person writes directly.",
        shared=True,
        guards=True,
    ),
    Setting(
        "agents",
        {},
        _of_tables(tables.AGENTS, "agents"),
        'a table for each agent: [agents.NAME], or [agents."*"] for those that have none',
        "What single agents may read and write, and how much: docs/policy.md has the keys.",
        shared=True,
        names=tables.AGENTS,
    ),
    Setting(
        "namespaces",
        {},
        _of_tables(tables.NAMESPACES, "namespaces"),
        'a table for each shared namespace: [namespaces.NAME], or [namespaces."*"] for all of shared/',
        "Who reads and writes in single shared namespaces, and how much: docs/policy.md has the keys.",
        shared=True,
        names=tables.NAMESPACES,
    ),
    Setting(
        "reviewed_branch",
        "",
        forms.branch,
        "a branch's name, or a remote's (origin/main); no proposal",
        "What counts as reviewed; empty: the branch that the remote's HEAD names, else main or master.",
        shared=True,
    ),
    Setting(
        "allow_secrets",
        (),
        forms.lines,
        "a list of texts, each of them whole",
        "Samples that look like secrets and are none; whatever stands here travels with the vault.",
        shared=True,
    ),
    Setting(
        "embedder",
        "bundled",
        forms.one_of("bundled", "none", "onnx", "sentence-transformers"),
        "bundled, none, onnx or sentence-transformers",
        "What turns texts into vectors; `none` searches by keyword only.",
        shared=True,
    ),
    Setting(
        "embedder_model",
        "",
        forms.any_text,
        "a model's name, or (on this machine only) a folder",
        "The model of the embedder. A vault's own file may only give a name.",
        shared=True,
    ),
    Setting(
        "reranker",
        "none",
        forms.one_of("none", "onnx", "sentence-transformers"),
        "none, onnx or sentence-transformers",
        "What reads the best hits once more, beside the question; slow, so `none` by default.",
        shared=True,
    ),
    Setting(
        "reranker_model",
        "",
        forms.any_text,
        "a cross-encoder's name, or (on this machine only) a folder",
        "The model of the reranker. A vault's own file may only give a name.",
        shared=True,
    ),
    Setting(
        "max_memory_bytes",
        262_144,
        forms.whole(1, 10_485_760),
        "a whole number of bytes up to 10485760",
        "The largest text that `remember` and `edit` take.",
        shared=True,
    ),
    Setting(
        "max_file_bytes",
        10_485_760,
        forms.whole(1, 1_073_741_824),
        "a whole number of bytes",
        "The largest file that is read; a larger one is not searched, and `vmem doctor` names it.",
        shared=True,
    ),
    Setting(
        "recall_tokens",
        2000,
        forms.whole(0, 10_000_000),
        "a whole number of tokens",
        "The budget of a recall when none is given.",
        shared=True,
    ),
    Setting(
        "strategy",
        "balanced",
        forms.one_of("balanced", "recency", "importance"),
        "balanced, recency or importance",
        "What recall favours when nothing else is asked for.",
        shared=True,
    ),
    *(
        Setting(
            row.setting,
            row.default,
            forms.number(0, row.most),
            f"a number from 0 (not at all) to {row.most:g}",
            row.doc,
            shared=True,
        )
        for row in INGREDIENTS
    ),
    Setting(
        "refresh_seconds",
        1.0,
        forms.number(0, 3600),
        "seconds",
        "How long a long-lived process trusts the index before it looks at the files again.",
        shared=False,
    ),
    Setting(
        "lock_seconds",
        30.0,
        forms.number(0, 3600),
        "seconds",
        "How long a write waits for another writer of the same vault.",
        shared=False,
    ),
    Setting(
        "resident",
        "auto",
        forms.one_of("auto", "off"),
        "auto or off",
        "Whether a command starts the process that keeps the vault open and answers the next ones at once.",
        shared=False,
    ),
    Setting(
        "resident_idle_seconds",
        1800.0,
        forms.number(0, 31_536_000),
        "seconds, 0 for never",
        "After how long without a question that process ends.",
        shared=False,
    ),
    Setting(
        "commit_seconds",
        0.05,
        forms.number(0, 60),
        "seconds",
        "How long that process gathers memories before it commits them, each in a commit of its own.",
        shared=False,
    ),
    Setting(
        "commit_edits",
        False,
        forms.flag,
        "true or false",
        "Whether it also commits what a person has edited, in their name, once they have paused.",
        shared=False,
    ),
    Setting(
        "commit_edits_seconds",
        30.0,
        forms.number(1, 86_400),
        "seconds",
        "How long the pause must be before a person's edits are committed.",
        shared=False,
    ),
    Setting(
        "traces",
        True,
        forms.flag,
        "true or false",
        "Whether it is kept on this machine which memories were recalled and given to agents, and when.",
        shared=False,
    ),
    *HOOK_SETTINGS,
    *CAPTURE_SETTINGS,
    Setting(
        "remote_seconds",
        120.0,
        forms.number(0.1, 86_400),
        "seconds",
        "How long one fetch or push may take before it is given up; nothing here is lost by that.",
        shared=False,
    ),
    Setting(
        "git_seconds",
        20.0,
        forms.number(0.1, 3600),
        "seconds",
        "How long a git hook or a signing program may take before the commit is left waiting.",
        shared=False,
    ),
    Setting(
        "model_threads",
        0,
        forms.whole(0, 256),
        "a whole number, 0 for one a core",
        "How many threads the models of embedder and reranker may use.",
        shared=False,
    ),
    Setting(
        "disk",
        "auto",
        forms.one_of("auto", "local", "network"),
        "auto, local or network",
        "Whether other machines may write the vault's disk too, where the system does not tell.",
        shared=False,
    ),
    Setting(
        "secret_scanner",
        "table",
        forms.one_of("table", "none"),
        "table or none",
        "What keeps secrets out of memories; `none` lets all in and can't be set by a vault.",
        shared=False,
    ),
    Setting(
        "editor",
        "",
        forms.any_text,
        "a command",
        "The editor for `remember` and `edit`; else VISUAL and EDITOR.",
        shared=False,
    ),
)

MODELS = frozenset({"embedder_model", "reranker_model"})
"""Settings that name a model, or the folder of one where they are this machine's."""

BY_KEY: Mapping[str, Setting] = {row.key: row for row in SETTINGS}
VARIABLES = tuple(row.key for row in SETTINGS if row.names is None)
"""Settings that the environment may give, too."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Every setting with its value, and where the value came from (`default`, a file, `VMEM_X`, `flag`)."""

    values: Mapping[str, Any]
    origins: Mapping[str, str] = field(default_factory=dict)
    layers: Mapping[str, tuple[tuple[str, Any], ...]] = field(default_factory=dict)
    """For each key every place that sets it, with its value there; the last one wins."""

    def __getitem__(self, key: str) -> Any:
        return self.values[key]

    @property
    def zone(self) -> ZoneInfo:
        """The vault's time zone."""
        return ZoneInfo(self.values["timezone"])


def defaults() -> Settings:
    """Every setting at its default."""
    return Settings(
        {row.key: row.default for row in SETTINGS},
        {row.key: DEFAULT for row in SETTINGS},
        {row.key: ((DEFAULT, row.default),) for row in SETTINGS},
    )


def table_markdown() -> str:
    """The settings as a Markdown table, for docs/settings.md."""
    lines = ["| key | default | takes | whose | meaning |", "|---|---|---|---|---|"]
    for row in SETTINGS:
        whose = "vault or machine" if row.shared else "machine"
        # Texts without their quotes, the rest as a file of settings has it.
        shown = row.default if isinstance(row.default, str) else toml(row.default)
        default = f"`{shown}`" if row.default not in ("", (), {}) else "(empty)"
        lines.append(f"| `{row.key}` | {default} | {row.form} | {whose} | {row.doc} |")
    return "\n".join(lines) + "\n"
