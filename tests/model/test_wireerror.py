"""An error goes to another process and comes back as what it was."""

from __future__ import annotations

import json

import pytest

from vault_memory.errors import (
    AmbiguousRefError,
    ConflictError,
    ExpressionError,
    FrontMatterError,
    MemoryNotFoundError,
    RefusedError,
    VmemError,
)
from vault_memory.model import wireerror

ERRORS = [
    VmemError("something", hint=None),
    MemoryNotFoundError("ferry"),
    AmbiguousRefError("f", [("01A", "Ferry", "a.md"), ("", "Ferries", "b.md")]),
    ExpressionError("tag", "a and", 5, "it ends too early", "a and\n     ^", hint="go on"),
    FrontMatterError("a.md", 3, "it is odd"),
    ConflictError("a.md", "it was changed", expected="1", found="2"),
    RefusedError("github-token", "it looks like a secret", line=4, field="text", hint="leave it out"),
]
FACTS = ("candidates", "text", "at", "path", "line", "expected", "found", "rule", "field")


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_it_comes_back_as_it_was(error: VmemError) -> None:
    back = wireerror.raised(json.loads(json.dumps(wireerror.error(error))))
    assert type(back) is type(error)
    assert (back.message, back.hint, back.exit_code, str(back)) == (
        error.message, error.hint, error.exit_code, str(error),
    )  # fmt: skip
    for fact in FACTS:
        assert getattr(back, fact, None) == getattr(error, fact, None), fact


@pytest.mark.parametrize("kind", ["bug", "Path", "annotations", "", None, 7])
def test_an_unknown_kind_is_an_error_all_the_same(kind: object) -> None:
    back = wireerror.raised({"kind": kind, "message": "m", "hint": "h", "exit_code": 9})
    assert (type(back), back.message, back.hint) == (VmemError, "m", "h")
