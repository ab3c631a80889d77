"""What one rule of `vmem lint` is: its code, how much it weighs, and the page that explains it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    """How much a finding weighs: errors and warnings are problems, an info is none."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


@dataclass(frozen=True, slots=True)
class Page:
    """What stands on a rule's page beside its name: why it matters, how to mend it, and an example."""

    severity: Severity
    why: str
    mend: str
    bad: str
    good: str
    fixable: bool = False
    """Whether `vmem lint --fix` can mend it."""
    slow: bool = False
    """Whether it takes so long that it is only looked for when asked for."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule. `meaning` is one sentence."""

    code: str
    name: str
    meaning: str
    page: Page

    @property
    def severity(self) -> Severity:
        """How much its findings weigh."""
        return self.page.severity

    @property
    def fixable(self) -> bool:
        """Whether `vmem lint --fix` can mend it."""
        return self.page.fixable
