"""Real vaults with recall checks, and what a run of them says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from tests.stand import CountedIds, ToldClock
from vault_memory.model.namespace import PERSON, Scope
from vault_memory.model.recallcheck.check import FILE
from vault_memory.model.recallcheck.verdict import Broken, CheckReport
from vault_memory.model.recallcheck.words import sentence
from vault_memory.vault import Vault

AKASHI = Scope("akashi")
TOKEN = "ghp_" + "A1b2C3d4" * 5
RULE = "RSI above seventy on NVDA was followed by a fall."
RISK = "The risk of NVDA is the gap over night."
LONG = "NVDA risk is in the size of it. " * 40


@contextmanager
def vault_of(
    root: Path, checks: str | None, files: Mapping[str, str], *, clock: ToldClock | None = None
) -> Iterator[Vault]:
    Vault.create(root)
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    if checks is not None:
        (root / FILE).write_text(checks, encoding="utf-8")
    with vault_of_again(root, clock=clock) as vault:
        yield vault


@contextmanager
def vault_of_again(root: Path, *, clock: ToldClock | None = None) -> Iterator[Vault]:
    # By keyword alone: what matches by meaning is the embedder's affair.
    asked = {"embedder": "none"}
    with Vault.open(root, clock=clock or ToldClock(), ids=CountedIds(), settings=asked) as vault:
        yield vault


def run(root: Path, checks: str, files: Mapping[str, str], scope: Scope = PERSON) -> CheckReport:
    with vault_of(root, checks, files) as vault:
        return vault.upkeep.checks.run(scope)


def told(report: CheckReport) -> list[str]:
    return [sentence(result, one) for result in report.results for one in result.broken]


def only(report: CheckReport) -> Broken:
    [result] = report.results
    [broken] = result.broken
    return broken


SECRETS = {
    "private/mira/plan.md": "The phone is under the mat.",
    "private/akashi/note.md": "The phone rings at nine.",
    "shared/ops/rota.md": "Who carries the phone.",
}
BY_ALL = """
- ask: phone
  must: [shared/ops/rota.md, private/mira/plan.md]
  must_not: [private/akashi/note.md]
- ask: phone
  as: mira
  must: private/mira/plan.md
- ask: phone
  as: akashi
  must: private/akashi/note.md
  must_not: [{text: under the mat}]
"""
