"""Which calls go to the resident: what the fast path makes of argv is what the command line makes of it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import typer
from hypothesis import HealthCheck, event, example, given, settings
from hypothesis import strategies as st
from typer.core import TyperArgument, TyperCommand, TyperGroup, TyperOption

from vault_memory import compose
from vault_memory.errors import VaultNotFoundError
from vault_memory.ports import Progress
from vault_memory.surfaces.cli import app
from vault_memory.surfaces.cli.context import World
from vault_memory.surfaces.cli.streams import Recorded, Terminal
from vault_memory.surfaces.resident import quick
from vault_memory.vault import Vault

NOTHING_OF = (
    "typer", "rich", "numpy", "re", "dataclasses", "pathlib", "socket", "json", "typing", "contextlib",
    "enum", "importlib.util", "functools", "collections", "inspect", "warnings", "subprocess", "tempfile",
    "threading", "shutil", "logging", "vault_memory.errors", "vault_memory.config.environ",
)  # fmt: skip


@pytest.mark.parametrize("verb", quick.OPTIONS)
def test_the_table_has_every_option_of_the_command_and_no_other(verb: str) -> None:
    group = typer.main.get_command(app.app)
    assert isinstance(group, TyperGroup)
    command = group.commands[verb]
    assert isinstance(command, TyperCommand)
    values, flags = set[str](), set[str]()
    for one in command.params:
        if isinstance(one, TyperOption):
            assert not one.secondary_opts
            assert one.nargs == 1
            (flags if one.is_flag else values).update(one.opts)
        else:
            assert isinstance(one, TyperArgument)
    own = [f"{row} {more}".split() for row, more in zip(quick.EVERYWHERE, quick.OPTIONS[verb], strict=True)]
    if verb == "hook":
        own[1].remove("--json")  # it speaks JSON as it is
    assert [sorted(values), sorted(flags - {"--help", "-h"})] == [sorted(row) for row in own]


def test_the_words_in_front_of_the_command_are_those_of_the_group() -> None:
    group = typer.main.get_command(app.app)
    known = {name for one in group.params if isinstance(one, TyperOption) for name in one.opts}
    answered_by_typer = {"--version", "--install-completion", "--show-completion"}
    assert known - answered_by_typer == {name for row in quick.EVERYWHERE for name in row.split()}


class Opening:
    """Notes which vault a command asks for, and opens none."""

    def __init__(self) -> None:
        self.asked: list[Path | None] = []

    @contextmanager
    def __call__(self, path: Path | None, progress: Progress) -> Iterator[Vault]:
        self.asked.append(path)
        raise VaultNotFoundError(Path("nowhere"))
        yield  # what makes a function with `contextmanager` of it


WORDS = (
    *quick.OPTIONS, "lint", "--vault", "--vault=", "--vault=a", "--vault= ", "--agent", "--agent=x", "--json",
    "--json=1", "--tag", "--tag=", "--title", "--title=--vault", "-n", "-nx", "-n=x", "-k", "-k3", "-t",
    "-t9", "--limit=4", "--short", "--explain", "--expired", "--stdin-jsonl", "--dry-run", "--pinned",
    "--set", "--set=a=b", "-h", "-hk", "-kh", "--help", "--version", "--", "-", "-x", "-5", "+x", "a", "b c",
    "", "\udcff", "--ver", "--show-completion", "--Vault", "--vault\u00a0", "—vault",
)  # fmt: skip


WORDED = st.sampled_from(WORDS) | st.text(max_size=4)
VERBS = st.sampled_from(tuple(quick.OPTIONS))
LINES = st.lists(WORDED, max_size=6) | st.builds(
    lambda before, verb, after: [*before, verb, *after],
    st.lists(st.sampled_from(["--json", "--vault=a", "--agent=x"]), max_size=2),
    VERBS,
    st.lists(WORDED, max_size=5),
)


@settings(max_examples=500)
@given(LINES)
@example(["recall", "a", "--tag", "--vault", "b"])
@example(["--vault", "a", "show", "b", "--vault", "c"])
@example(["remember", "--title", "a"])
@example(["recall", "--", "--vault", "a"])
def test_what_is_understood_asks_for_the_vault_that_the_command_asks_for(argv: list[str]) -> None:
    call = quick.understood(argv)
    event("understood" if call else "left")
    if call is None:
        return
    opening, recorded = Opening(), Recorded()
    streams = recorded.streams(lambda: b"", Terminal())
    code = app.run(argv, World(streams=streams, opening=opening))
    if opening.asked:
        assert (code, opening.asked) == (3, [None if call[1] is None else Path(call[1])])
    else:
        assert code in (2, 65), recorded.said  # a value that is none: the resident says so as well


@pytest.mark.parametrize(
    "argv",
    [
        [], ["--help"], ["recall", "--help"], ["recall", "x", "-h"], ["--version"], ["lint"], ["gc"],
        ["edit", "x"], ["recall", "--nope", "x"], ["recall", "--", "x"], ["--", "recall", "x"],
        ["recall", "x", "--vault"], ["recall", "x", "--vault", ""], ["recall", "x", "--vault= "],
        ["recall", "x", "--tag", "--vault"], ["recall", "--json=yes", "x"], ["remember"],
        ["remember", "--title", "x"], ["remember", "--stdin-jsonlx"], ["show", "-x"],
        ["search", "-k", "-1", "x"], ["--show-completion"], ["recall", "-hk"], ["reca", "x"], ["--json"],
        ["status", "--explain"],
    ],
)  # fmt: skip
def test_all_that_is_not_surely_understood_is_left_to_the_command_line(argv: list[str]) -> None:
    assert quick.understood(argv) is None


@pytest.mark.parametrize(
    ("argv", "call"),
    [
        (["recall", "NVDA", "risk", "-t", "200"], ("recall", None)),
        (["--vault", "~/m", "--json", "recall", "x"], ("recall", "~/m")),
        (["recall", "x", "--vault=m", "--agent", "ann"], ("recall", "m")),
        (["--vault=a", "search", "x", "--vault", "b", "-k3", "--explain"], ("search", "b")),
        (["remember", "-", "--title", "-"], ("remember", None)),
        (["remember", "--stdin-jsonl", "--dry-run"], ("remember", None)),
        (["remember", "recall", "--set", "a=b", "-n", "market"], ("remember", None)),
        (["show", "a/b.md"], ("show", None)),
        (["list", "--where=a>1", "--sort", "title"], ("list", None)),
        (["status", "--short"], ("status", None)),
    ],
)
def test_a_plain_call_is_understood(argv: list[str], call: tuple[str, str | None]) -> None:
    assert quick.understood(argv) == call


# The vault


NAMES = st.sampled_from(["a", "b", "v", "in v", "link", "~", ".vmem", "loop", "gone", "file.md", "né"])
STEPS = st.lists(st.sampled_from([".", "..", ""]) | NAMES, max_size=6).map("/".join)
STARTS = st.tuples(st.sampled_from(["", "", "/", "./", "~", "~/", "~nobody/", "//"]), STEPS).map("".join)


def furnish(top: Path) -> None:
    """Vaults in vaults, links to them, a loop, and a folder by the name of a home."""
    for vault in ("v", "v/in v", "~/v", "a/b"):
        (top / vault / ".vmem").mkdir(parents=True, exist_ok=True)
    for vault in ("v", "v/in v", "~/v"):
        (top / vault / ".vmem" / "config.toml").write_text("format = 1\n", encoding="utf-8")
    (top / "a/b/.vmem/config.toml").symlink_to("nothing")  # whatever lies there
    (top / "a/link").symlink_to(top / "v/in v")
    (top / "link").symlink_to("v")
    (top / "loop").symlink_to("loop")
    (top / "v/file.md").touch()
    (top / "né").mkdir()


@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    named=st.none() | STARTS,
    told=st.none() | STARTS,
    folder=st.sampled_from([".", "a", "a/b", "v", "v/in v", "link", "~", "né"]),
    home=st.sampled_from(["", "~", "v", None]),
    absolute=st.booleans(),
)
def test_the_vault_is_the_one_that_the_command_line_finds(
    named: str | None, told: str | None, folder: str, home: str | None, absolute: bool, tmp_path: Path
) -> None:
    top = tmp_path / "top"
    if not top.exists():
        furnish(top)
    if absolute and named:
        named = f"{top}/{named}"
    outer, before = os.environ | {}, Path.cwd()
    try:
        os.chdir(top / folder)
        os.environ["VMEM_VAULT"] = told or ""
        if home is None:
            del os.environ["HOME"]
        else:
            os.environ["HOME"] = str(top / home) if home else ""
        try:
            found: str | None = str(compose.locate(Path(named) if named else None))
        except VaultNotFoundError:
            found = None
        assert quick.root_of(named) in (None, found)
        if found is not None and "~" not in f"{named}{told}{home}" and "loop" not in f"{named}{told}":
            there = named or told or "."
            assert (quick.root_of(named) is not None) == Path(os.path.realpath(there)).exists()
    finally:
        os.chdir(before)
        os.environ.clear()
        os.environ.update(outer)


def test_a_home_before_the_path_is_the_callers(root: Path, home: Path) -> None:
    assert quick.root_of("~/memory") == quick.root_of(None) == str(root)
    assert quick.root_of("~nobody/memory") is None


def test_a_working_folder_that_is_gone_is_left_to_the_command_line(home: Path) -> None:
    before = Path.cwd()
    (home / "gone").mkdir()
    os.chdir(home / "gone")
    (home / "gone").rmdir()
    try:
        assert quick.root_of(None) is None
        assert quick.root_of(str(home)) is None
    finally:
        os.chdir(before)


# What it costs


def test_the_fast_path_loads_next_to_nothing(root: Path) -> None:
    probe = (
        "import sys; before = set(sys.modules)\n"
        "from vault_memory.surfaces.resident.quick import answered\n"
        "assert answered(['recall', 'x']) is None\n"
        "print(*sorted(set(sys.modules) - before))"
    )
    run = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    loaded = run.stdout.split()
    assert "vault_memory.surfaces.resident.door" in loaded
    assert not set(NOTHING_OF) & set(loaded)
    assert [name for name in loaded if not name.startswith("vault_memory")] == [
        "__future__", "_contextvars", "_json", "_socket",
    ]  # fmt: skip


def test_importing_the_package_loads_no_part_of_it() -> None:
    probe = (
        "import sys; before = {*sys.modules}; import vault_memory; print(*sorted({*sys.modules} - before))"
    )
    run = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["__future__", "vault_memory"]
