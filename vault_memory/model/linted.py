"""What lint found, and what `lint --fix` did about it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from vault_memory.model.memory import Finding
from vault_memory.model.namespace import VaultPath
from vault_memory.model.outcome import Written
from vault_memory.model.rules import RULES, is_problem


@dataclass(frozen=True, slots=True)
class LintReport:
    """Findings in path and line order, of all severities, and how many files were looked at."""

    findings: tuple[Finding, ...]
    files: int
    prefix: str = ""
    """The vault's place in its repository, such as `docs/vault/`; empty where it is all of it."""
    notices: tuple[str, ...] = ()

    @property
    def problems(self) -> tuple[Finding, ...]:
        """Those that are errors or warnings; the others are worth a word."""
        return tuple(one for one in self.findings if is_problem(one.code))

    @property
    def infos(self) -> dict[str, int]:
        """How often each rule found what is worth a word and no problem, by the rule's name."""
        counted = Counter(RULES[one.code].name for one in self.findings if not is_problem(one.code))
        return dict(sorted(counted.items()))


@dataclass(frozen=True, slots=True)
class Mend:
    """One file that can be mended: the bytes before and after, and what for."""

    path: VaultPath
    codes: tuple[str, ...]
    what: str
    """In words: `id 01K8…`."""
    before: bytes
    after: bytes
    id: str | None
    """The memory's id afterwards."""
    title: str


@dataclass(frozen=True, slots=True)
class FixPlan:
    """What `lint --fix` would change, and what it leaves to a person, with the reason."""

    mends: tuple[Mend, ...]
    left: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Fixed:
    """The plan, and what came of it: nothing is written where nobody agreed."""

    plan: FixPlan
    written: tuple[Written, ...]
