"""All rules of `vmem lint`, by code: what may be ignored, `--explain` and docs/lint.md follow from it."""

from __future__ import annotations

import difflib

from vault_memory.errors import UsageError
from vault_memory.model.codes import CODES, Code
from vault_memory.model.pages_of_files import PAGES_OF_FILES
from vault_memory.model.pages_of_links import RULES_OF_LINKS
from vault_memory.model.pages_of_vaults import RULES_OF_VAULTS
from vault_memory.model.rule import Page, Rule, Severity


def _of_file(row: Code) -> Rule:
    # A fault without a page is a fault all the same; a test demands the page.
    page = PAGES_OF_FILES.get(row.code) or Page(Severity.WARNING, row.meaning, "", "", "")
    return Rule(row.code, row.name, row.meaning, page)


RULES: dict[str, Rule] = {
    rule.code: rule
    for rule in sorted(
        (
            *map(_of_file, CODES.values()),
            *RULES_OF_LINKS,
            *RULES_OF_VAULTS,
        ),
        key=lambda rule: rule.code,
    )
}

_BY_NAME = {rule.name: rule for rule in RULES.values()}


def find_rule(text: str) -> Rule:
    """The rule of that code or name, in any case. Raises `UsageError`."""
    asked = text.strip()
    rule = RULES.get(asked.upper()) or _BY_NAME.get(asked.lower())
    if rule is None:
        close = difflib.get_close_matches(asked.lower(), [*_BY_NAME, *(code.lower() for code in RULES)], n=1)
        hint = f"did you mean {_as_written(close[0])}?   " if close else ""
        raise UsageError(f"no rule is called {text!r}", hint=f"{hint}vmem lint --explain all lists them")
    return rule


def is_problem(code: str) -> bool:
    """Whether a finding of that rule is a problem, and not only worth a word."""
    return RULES[code].severity is not Severity.INFO


def _as_written(name: str) -> str:
    return name if name in _BY_NAME else name.upper()
