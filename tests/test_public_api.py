"""The public face: its names and signatures stand in a file, small handles stay small, all of it is said."""

from __future__ import annotations

import dataclasses
import enum
import inspect
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import vault_memory
from tests.written import Written
from vault_memory import errors
from vault_memory.agent import Agent
from vault_memory.facets.capturing import CapturingFacet
from vault_memory.facets.checks import ChecksFacet
from vault_memory.facets.files import FilesFacet
from vault_memory.facets.history import HistoryFacet
from vault_memory.facets.index import IndexFacet
from vault_memory.facets.overview import OverviewFacet
from vault_memory.facets.proposing import Proposing
from vault_memory.facets.remote import RemoteFacet
from vault_memory.facets.review import ReviewFacet
from vault_memory.facets.secrets import SecretsFacet
from vault_memory.facets.traces import TracesFacet
from vault_memory.facets.upkeep import UpkeepFacet
from vault_memory.model.agents import Agents, AgentSeen
from vault_memory.model.bisected import Bisected, Looked
from vault_memory.model.blame import Blame, BlamedLine
from vault_memory.model.branches import Point
from vault_memory.model.capture.captured import Captured
from vault_memory.model.capture.turn import Lesson
from vault_memory.model.change import RefreshReport
from vault_memory.model.changes import Basis, Changes, Event, What
from vault_memory.model.expiry import Collected, Expired
from vault_memory.model.health import Check, Status
from vault_memory.model.hit import Dropped, Item, Parts, Reason, Shown
from vault_memory.model.inventory import Listing, Order
from vault_memory.model.linted import Fixed, FixPlan, LintReport, Mend
from vault_memory.model.memory import Finding, Link
from vault_memory.model.past import Buried, Unearthed
from vault_memory.model.proposals import Begun, Proposal, Reviewed, SentProposal
from vault_memory.model.recallcheck.check import RecallCheck, Wanted
from vault_memory.model.recallcheck.verdict import Broken, CheckAdded, CheckReport, CheckResult, Why
from vault_memory.model.reverted import Became, Reverted, TakenBack
from vault_memory.model.revision import CommitReport, Revision
from vault_memory.model.usage import DayUse, DoorUse, MemoryUse, Usage
from vault_memory.ops.show import ShownMemory
from vault_memory.vault import Vault

SNAPSHOT = Path(__file__).parent / "snapshots" / "public_api.txt"
FACETS = (
    CapturingFacet,
    ChecksFacet,
    FilesFacet,
    HistoryFacet,
    IndexFacet,
    OverviewFacet,
    RemoteFacet,
    ReviewFacet,
    SecretsFacet,
    TracesFacet,
    UpkeepFacet,
)
VALUES = (
    AgentSeen, Agents, Basis, Bisected, Captured, Changes, Event, Looked, Point, What,
    Became, Begun, Blame, BlamedLine, Broken, Buried, Check, CheckAdded, CheckReport, CheckResult,
    Collected, CommitReport, Dropped, Expired, Finding, FixPlan, Fixed, Item, Lesson, Link, LintReport,
    Listing,
    Mend, Order, Parts, Proposal, Proposing, Reason, RecallCheck, RefreshReport, Reverted, Reviewed,
    Revision, SentProposal, Shown, ShownMemory, Status, TakenBack, Unearthed, Wanted, Why,
    DayUse, DoorUse, MemoryUse, Usage,
)  # fmt: skip
"""What methods give back beside the classes that have a name in `vault_memory`."""
DOZEN = 12


def named() -> list[object]:
    """What has a name in `vault_memory`, in the order of names."""
    return [getattr(vault_memory, name) for name in sorted(vault_memory.__all__)]


def public() -> list[type]:
    """The classes of the public face, in order of their names, the facets of `Vault`, and values."""
    return [*(one for one in named() if isinstance(one, type)), *FACETS, *VALUES]


def functions() -> list[Callable[..., object]]:
    """The functions of the public face."""
    return [one for one in named() if inspect.isfunction(one)]


def error_classes() -> list[type[errors.VmemError]]:
    """Every error, in the order of the files; all have a name in the package itself."""
    found = [
        one
        for module in (errors.root, errors.asked, errors.world)
        for one in vars(module).values()
        if inspect.isclass(one) and one.__module__ == module.__name__
    ]
    assert sorted(one.__name__ for one in found) == sorted(errors.__all__)
    return [one for one in found if issubclass(one, errors.VmemError)]


def members(cls: type) -> Iterator[tuple[str, object]]:
    """What a class defines itself and shows: methods, properties, and what makes it a context manager."""
    for name, value in vars(cls).items():
        if not name.startswith("_") or name in {"__enter__", "__exit__", "__str__"}:
            yield name, value


def methods(cls: type) -> list[str]:
    """Its public methods, properties left out."""
    return [
        name
        for name, value in members(cls)
        if inspect.isroutine(getattr(cls, name)) and not name.startswith("_")
    ]


def described(cls: type) -> Iterator[str]:
    bases = ", ".join(base.__name__ for base in cls.__bases__ if base is not object)
    yield f"class {cls.__name__}({bases})" if bases else f"class {cls.__name__}"
    if issubclass(cls, enum.Enum):
        yield from (f"    {one.name} = {one.value!r}" for one in cls)
        return
    # What a handle stands on is its own affair.
    is_handle = cls in (Agent, Proposing, *FACETS)
    fields = dataclasses.fields(cls) if dataclasses.is_dataclass(cls) and not is_handle else ()
    yield from (f"    {one.name}: {one.type}{' = …' if has_default(one) else ''}" for one in fields)
    yield from tuple_fields(cls)
    for name, value in members(cls):
        if name in getattr(cls, "_fields", ()):
            continue
        if isinstance(value, property):
            assert value.fget is not None
            yield f"    {name} -> {inspect.signature(value.fget).return_annotation}"
        elif isinstance(value, classmethod | staticmethod):
            yield f"    {type(value).__name__} {name}{signature(value.__func__)}"
        elif inspect.isfunction(value):
            yield f"    {name}{signature(value)}"


def tuple_fields(cls: type) -> Iterator[str]:
    """The fields of a named tuple."""
    defaults = getattr(cls, "_field_defaults", {})
    for name in getattr(cls, "_fields", ()):
        kind = cls.__annotations__[name]
        yield f"    {name}: {getattr(kind, '__forward_arg__', kind)}{' = …' if name in defaults else ''}"


def signature(function: Callable[..., object]) -> str:
    """As it is written, but for the quotes."""
    text = str(inspect.signature(function)).replace("'", "")
    return re.sub(r"<function (\w+) at \w+>", r"\1", text)


def has_default(field: dataclasses.Field[object]) -> bool:
    return field.default is not dataclasses.MISSING or field.default_factory is not dataclasses.MISSING


def test_names_and_signatures_are_those_that_were_promised(written: Written) -> None:
    lines = ["# vault_memory"]
    for cls in public():
        lines += ["", *described(cls)]
    lines += ["", *(f"def {one.__name__}{signature(one)}" for one in functions())]
    lines += ["", "# vault_memory.errors: name(base), exit code", ""]
    lines += [
        f"{one.__name__}({one.__bases__[0].__name__}) {one.exit_code} {signature(one)}"
        for one in error_classes()
    ]
    written.stands_in(SNAPSHOT, "\n".join(lines) + "\n")


@pytest.mark.parametrize("cls", [Vault, Agent, *FACETS])
def test_handles_stay_under_a_dozen_methods(cls: type) -> None:
    assert len(methods(cls)) < DOZEN


@pytest.mark.parametrize("cls", [Vault, Agent, *FACETS])
def test_the_properties_of_a_handle_stay_under_a_dozen_too(cls: type) -> None:
    shown = [name for name, value in members(cls) if isinstance(value, property)]
    assert len(shown) < DOZEN


@pytest.mark.parametrize("cls", [*public(), *error_classes()[1:]], ids=lambda cls: cls.__name__)
def test_every_public_thing_says_what_it_is(cls: type) -> None:
    assert cls.__dict__.get("__doc__"), cls
    # A dataclass without a docstring is given its signature as one.
    assert not str(cls.__doc__).startswith(f"{cls.__name__}("), cls
    for name, value in members(cls):
        if (inspect.isroutine(value) or isinstance(value, property)) and not name.startswith("__"):
            assert inspect.getdoc(value), f"{cls.__name__}.{name}"


def test_every_public_function_says_what_it_does() -> None:
    assert all(inspect.getdoc(one) for one in functions())


def test_every_error_has_an_exit_code_that_the_page_of_the_command_line_names() -> None:
    page = (Path(__file__).parent.parent / "docs" / "cli.md").read_text(encoding="utf-8")
    for one in error_classes():
        assert f"| {one.exit_code} |" in page, one


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    assert sorted(vault_memory.__all__) == dir(vault_memory)
    with pytest.raises(AttributeError, match="no attribute 'Vaults'"):
        vault_memory.Vaults  # noqa: B018 - asking is the test
