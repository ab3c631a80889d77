"""Which operations are taken, held already, or wait: told from versions alone."""

from __future__ import annotations

import itertools
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault_memory.adapters.git.plan import Plan, plan
from vault_memory.adapters.git.working import Working
from vault_memory.model.namespace import VaultPath
from vault_memory.model.revision import EDITED_SINCE, FILE_IS_BACK, Intent, Op, Operation

STAT = Path(__file__).stat()


def planned(chain: str, working: str | None, head: str | None) -> Plan:
    """`chain` is the versions of one file from before the first operation on; `-` is no file."""
    versions = [None if version == "-" else version for version in chain]
    intents = [
        Intent(
            number,
            Operation(Op.EDIT, VaultPath("a.md"), new, old, f"edit: {number}", None),
            None,
            datetime(2026, 11, 29, tzinfo=UTC),
        )
        for number, (old, new) in enumerate(itertools.pairwise(versions), 1)
    ]
    file = Working(b"", working, STAT) if working else None
    return plan(intents, dict.fromkeys(range(1, len(chain)), "a.md"), {"a.md": file}, lambda _: head)


@pytest.mark.parametrize(
    ("chain", "working", "head", "closed", "done", "waiting"),
    [
        ("-1", "1", None, [(1,)], [], {}),
        ("-1", "1", "1", [], [1], {}),
        ("-12", "2", None, [(1, 2)], [], {}),
        ("-12", "2", "1", [(2,)], [1], {}),
        ("-12", "1", None, [(1,)], [], {2: EDITED_SINCE}),
        ("-1-", None, None, [], [1, 2], {}),
        ("-1-", "1", None, [(1,)], [], {2: FILE_IS_BACK}),
        ("1-", None, "1", [(1,)], [], {}),
        ("1-", None, None, [], [1], {}),
        ("1-", "1", "1", [], [], {1: FILE_IS_BACK}),
        ("12", "p", "1", [], [], {1: EDITED_SINCE}),
        ("12", None, "1", [], [], {1: EDITED_SINCE}),
        # Back to the first version, and the last write never happened: what is on disk is taken.
        ("121", "2", "1", [(1,)], [], {2: EDITED_SINCE}),
        ("121", "1", "1", [], [1, 2], {}),
        # Both are in git and were not closed; the person has gone back to an older one.
        ("-12", "1", "2", [], [1, 2], {}),
        ("-123", "p", "2", [], [1, 2], {3: EDITED_SINCE}),
    ],
)
def test_a_files_operations_are_sorted(
    chain: str,
    working: str | None,
    head: str | None,
    closed: list[tuple[int, ...]],
    done: list[int],
    waiting: dict[int, str],
) -> None:
    made = planned(chain, working, head)
    assert [step.closes for step in made.steps] == closed
    assert made.done.get("a.md", []) == done
    assert made.waiting == waiting


VERSIONS = st.lists(st.sampled_from("123-"), min_size=2, max_size=6).map("".join)


@given(VERSIONS, st.sampled_from(["1", "2", "3", "p", None]), st.sampled_from(["1", "2", "3", None]))
def test_every_operation_meets_one_fate_and_only_true_bytes_are_committed(
    chain: str, working: str | None, head: str | None
) -> None:
    made = planned(chain, working, head)
    fates = [number for step in made.steps for number in step.closes]
    fates += made.done.get("a.md", []) + list(made.waiting)
    assert sorted(fates) == list(range(1, len(chain)))
    for step in made.steps:
        [part] = step.parts
        assert (part.working.version if part.working else None) == working
        assert chain[max(step.closes)] == (working or "-")
