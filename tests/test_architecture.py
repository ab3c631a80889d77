"""The layer table of the design, held as data, and every file of the package held against it."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from tests.source_rules import (
    PACKAGE,
    ROOT,
    Finding,
    Layer,
    async_functions,
    bound_twice,
    broad_excepts,
    forbidden_imports,
    foreign_imports,
    long_files,
    long_functions,
    uses,
    within,
)

LAYERS = (
    Layer(("errors",), ()),
    Layer(("model",), ("errors",)),
    Layer(("render",), ("model", "errors")),
    Layer(("ports",), ("model", "errors")),
    Layer(("config",), ("model", "errors")),
    Layer(("ops",), ("ports", "config", "model", "errors")),
    Layer(("adapters.*",), ("ports", "config.environ", "config.given", "model", "errors"), siblings="never"),
    Layer(
        ("compose", "beside", "creating", "viewing", "plugins"),
        ("adapters", "ports", "config", "model", "errors"),
    ),
    Layer(
        ("vault", "agent", "facets"),
        ("compose", "beside", "creating", "viewing", "ops", "ports", "config", "model", "errors"),
    ),
    Layer(
        ("live",),
        (
            "vault",
            "agent",
            "facets",
            "compose",
            "beside",
            "viewing",
            "ops",
            "ports",
            "config",
            "model",
            "errors",
        ),
    ),
    Layer(
        ("surfaces.*", "evaluate", "__main__"),
        (ROOT, "live", "vault", "agent", "facets", "plugins", "render", "config", "model", "errors"),
        siblings="launch",
    ),
    # The names of the public face, fetched when first asked for.
    Layer((ROOT,), ("surfaces.resident", "vault", "agent", "facets", "config", "model", "errors")),
)

ENVIRONMENT = frozenset({"os.environ", "os.environb", "os.getenv", "os.getenvb", "os.putenv", "os.unsetenv"})
WALL_CLOCK = frozenset(
    {
        "time.time", "time.time_ns", "datetime.datetime.now", "datetime.datetime.utcnow",
        "datetime.datetime.today", "datetime.date.today",
    }
)  # fmt: skip
CHANCE_AND_FILES = frozenset(
    {
        "open", "input", "io.open", "os.open", "random.random", "random.choice", "random.Random",
        "secrets.token_bytes", "secrets.token_hex", "os.urandom", "uuid.uuid1", "uuid.uuid4",
    }
)  # fmt: skip
WORLDLY = frozenset({"glob", "os", "random", "secrets", "shutil", "socket", "subprocess", "tempfile", "uuid"})
"""Modules by which pure code would ask the world; `model/` and `render/` take them as arguments."""

ASYNC_SERVERS = ("surfaces.mcp", "surfaces.http")
MAY_PRINT = ("surfaces", "evaluate", "__main__")

BROAD_EXCEPTS: dict[tuple[str, str], str] = {
    ("adapters.embedders.onnxrun", "OnnxSession.ids"): "the tokenizer raises `Exception` itself",
    (
        "surfaces.cli.app",
        "_carry_out",
    ): "the last line of defence: a bug must not end in a traceback nor look like success",
    ("live.following", "Following._run"): "a bug must not leave a vault unfollowed in silence",
    (
        "surfaces.resident.answers",
        "Answers.answer",
    ): "a bug is an answer too: nobody may wait for ever, nor lose their resident",
    ("surfaces.hook.guard", "_work"): "a bug must not break somebody's session",
    ("surfaces.hook.guard", "_by_thread.work"): "a bug must not break somebody's session",
    ("surfaces.mcp.server", "_tried"): "a bug is an answer too: one bad call may not end an agent's memory",
}
"""(module, function) where all errors are caught, and why that is right there."""

LONGEST_FILE, LONGEST_FUNCTION = 400, 60

HEAVY = (
    "numpy", "apsw", "pygit2", "git", "yaml", "typer", "rich", "regex", "Stemmer", "watchdog",
    "sentence_transformers", "torch", "onnxruntime", "tokenizers", "frontmatter", "mcp", "anyio", "pydantic",
)  # fmt: skip

FOLDER = Path(__file__).parent.parent / PACKAGE


def _name(file: Path) -> str:
    parts = file.relative_to(FOLDER).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


FILES = {_name(file): file for file in sorted(FOLDER.rglob("*.py"))}
SOURCES = {name: file.read_text(encoding="utf-8") for name, file in FILES.items()}

Checker = Callable[[str, str], Iterable[Finding]]


def _breaches(check: Checker, *, outside: tuple[str, ...] = (), inside: tuple[str, ...] = ()) -> list[str]:
    """What a checker finds in the package, or only outside or inside some places of it."""
    return [
        str(finding)
        for name, source in SOURCES.items()
        if not any(within(name, place) for place in outside)
        and (not inside or any(within(name, place) for place in inside))
        for finding in check(name, source)
    ]


def _layered(name: str, source: str) -> Iterable[Finding]:
    is_package = name in FILES and FILES[name].name == "__init__.py"
    return forbidden_imports(name, source, LAYERS, FILES, is_package=is_package)


def _loaded_by(statement: str) -> set[str]:
    """The heavy packages that a fresh interpreter holds after the statement."""
    probe = f"import sys; {statement}; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    return set(run.stdout.split()) & set(HEAVY)


def test_the_package_is_there_to_be_checked() -> None:
    assert {ROOT, "errors", "ports", "model.memory"} <= set(FILES)


def test_every_import_is_one_that_the_layer_table_allows() -> None:
    assert _breaches(_layered) == []


def test_the_reader_of_the_environment_imports_the_standard_library_alone() -> None:
    def check(name: str, source: str) -> Iterable[Finding]:
        return foreign_imports(name, source, sys.stdlib_module_names)

    ours = [*_breaches(check, inside=("config.environ", "config.given"))]
    rows = (Layer(("config.given",), ()), Layer(("config.environ",), ("config.given",)))
    for name in ("config.given", "config.environ"):
        ours += map(str, forbidden_imports(name, SOURCES[name], rows, FILES))
    assert ours == []


def test_the_environment_is_read_in_config_alone() -> None:
    assert _breaches(lambda name, source: uses(name, source, ENVIRONMENT), outside=("config",)) == []


def test_wall_time_is_asked_of_the_clock_adapter_alone() -> None:
    assert _breaches(lambda name, source: uses(name, source, WALL_CLOCK), outside=("adapters.clock",)) == []


def test_pure_code_asks_nothing_of_the_world() -> None:
    allowed = frozenset(sys.stdlib_module_names) - WORLDLY | {
        "numpy",
        "regex",
        "Stemmer",
        "yaml",
        "frontmatter",
        "rich",
    }

    def check(name: str, source: str) -> Iterable[Finding]:
        yield from foreign_imports(name, source, allowed)
        yield from uses(name, source, CHANCE_AND_FILES)

    assert _breaches(check, inside=("model", "render")) == []


def test_only_surfaces_print() -> None:
    assert _breaches(lambda name, source: uses(name, source, {"print"}), outside=MAY_PRINT) == []


def test_only_the_async_servers_are_async() -> None:
    assert _breaches(async_functions, outside=ASYNC_SERVERS) == []


def test_all_errors_are_caught_only_where_a_reason_is_written_down() -> None:
    found = [pair for name, source in SOURCES.items() for pair in broad_excepts(name, source)]
    unlisted = [
        str(finding) for function, finding in found if (finding.module, function) not in BROAD_EXCEPTS
    ]
    assert unlisted == []


def test_the_list_of_broad_excepts_names_no_place_that_is_gone() -> None:
    found = {
        (finding.module, function)
        for name, source in SOURCES.items()
        for function, finding in broad_excepts(name, source)
    }
    assert set(BROAD_EXCEPTS) - found == set()


def test_no_name_of_a_module_is_given_a_second_value() -> None:
    assert _breaches(bound_twice) == []


def test_files_stay_short() -> None:
    assert _breaches(lambda name, source: long_files(name, source, LONGEST_FILE)) == []


def test_functions_stay_short() -> None:
    assert _breaches(lambda name, source: long_functions(name, source, LONGEST_FUNCTION)) == []


def test_importing_the_package_loads_nothing_heavy() -> None:
    assert _loaded_by(f"import {PACKAGE}") == set()


def test_every_package_that_is_imported_is_one_we_ask_for() -> None:
    """Import names differ from distribution names; the table says which belongs to which."""
    project = tomllib.loads((FOLDER.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = (line for lines in project["optional-dependencies"].values() for line in lines)
    asked = {
        line.split(">")[0].split("=")[0].split("[")[0].lower() for line in [*project["dependencies"], *extras]
    }
    odd = {"git": "gitpython", "stemmer": "pystemmer", "frontmatter": "python-frontmatter", "yaml": "pyyaml"}

    def check(name: str, source: str) -> Iterable[Finding]:
        for finding in foreign_imports(name, source, sys.stdlib_module_names):
            top = finding.what.removeprefix("imports ").partition(".")[0].lower()
            if odd.get(top, top).replace("_", "-") not in asked:
                yield finding

    assert _breaches(check) == []


# Each checker is shown a bad sample: one that can't fail would prove nothing.

BAD_IMPORTS = {
    "the model imports a port": ("model.x", "from vault_memory.ports import Files"),
    "a type is an import too": (
        "model.x",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from vault_memory.ports import Files",
    ),
    "errors import nothing of ours": ("errors", "import vault_memory.model.memory"),
    "an adapter imports another": ("adapters.git.commit", "from vault_memory.adapters.files import atomic"),
    "an adapter in a file imports another": ("adapters.clock", "from vault_memory.adapters import ids"),
    "an adapter reads settings": ("adapters.git.commit", "from vault_memory.config.settings import SETTINGS"),
    "an adapter takes all of config": ("adapters.git.commit", "from vault_memory import config"),
    "an operation picks an adapter": ("ops.recall", "def f():\n    import vault_memory.adapters.git.commit"),
    "an operation imports by name": (
        "ops.x",
        "import importlib\nimportlib.import_module('vault_memory.adapters.git')",
    ),
    "a relative import is seen through": ("ops.recall", "from ..adapters.git import commit"),
    "a surface calls an operation": ("surfaces.cli.app", "from vault_memory.ops import recall"),
    "a surface takes an adapter": ("surfaces.mcp", "from vault_memory.adapters.git import commit"),
    "a surface leans on a sibling": ("surfaces.cli.app", "from vault_memory.surfaces.mcp import server"),
    "a bench leans on a surface": ("evaluate.bench", "from vault_memory.surfaces.cli import app"),
    "a handle skips the composition": ("vault", "from vault_memory.adapters.git import commit"),
    "a part below imports the public face": ("ops.recall", "from vault_memory import Vault"),
    "a module without a row": ("helpers", "import os"),
}
KNOWN = {
    *FILES, "adapters.git", "adapters.git.commit", "adapters.files", "adapters.files.atomic", "adapters.ids",
    "config.settings", "ops.recall", "surfaces.mcp", "surfaces.mcp.server", "surfaces.cli",
    "surfaces.cli.app",
}  # fmt: skip


@pytest.mark.parametrize(("module", "source"), BAD_IMPORTS.values(), ids=BAD_IMPORTS.keys())
def test_the_layer_check_sees_a_bad_import(module: str, source: str) -> None:
    assert list(forbidden_imports(module, source, LAYERS, KNOWN)) != []


GOOD_IMPORTS = {
    "an adapter reads the environment's reader": (
        "adapters.git.commit",
        "from vault_memory.config import environ",
    ),
    "an adapter imports its own folder": (
        "adapters.git.state",
        "from vault_memory.adapters.git import commit",
    ),
    "a surface launches a sibling": (
        "surfaces.cli.app",
        "def mcp():\n    from vault_memory.surfaces.mcp import server",
    ),
    "composition picks adapters": ("compose", "from vault_memory.adapters.git import commit"),
    "a foreign package": ("ops.recall", "import numpy"),
}


@pytest.mark.parametrize(("module", "source"), GOOD_IMPORTS.values(), ids=GOOD_IMPORTS.keys())
def test_the_layer_check_lets_a_good_import_pass(module: str, source: str) -> None:
    assert list(forbidden_imports(module, source, LAYERS, KNOWN)) == []


BAD_USES = (
    ("import os\nos.environ['HOME']", ENVIRONMENT),
    ("from os import environ as e", ENVIRONMENT),
    ("import os as o\no.getenv('HOME')", ENVIRONMENT),
    ("import time\ntime.time()", WALL_CLOCK),
    ("from time import time_ns", WALL_CLOCK),
    ("from datetime import datetime, UTC\ndatetime.now(UTC)", WALL_CLOCK),
    ("import datetime as dt\ndt.datetime.utcnow()", WALL_CLOCK),
    ("from datetime import date\nnow = date.today", WALL_CLOCK),
    ("def f(write=print): ...", {"print"}),
    ("open('notes.md')", CHANCE_AND_FILES),
)


@pytest.mark.parametrize(("source", "forbidden"), BAD_USES, ids=[source for source, _ in BAD_USES])
def test_the_check_of_uses_sees_a_bad_one(source: str, forbidden: frozenset[str]) -> None:
    assert list(uses("model.x", source, forbidden)) != []


def test_monotonic_time_is_free() -> None:
    assert list(uses("ops.x", "import time\ntime.monotonic()\ntime.perf_counter_ns()", WALL_CLOCK)) == []


BAD_EXCEPTS = (
    "try: ...\nexcept: ...",
    "def f():\n    try: ...\n    except Exception as error: raise",
    "try: ...\nexcept (OSError, BaseException): ...",
    "try: ...\nexcept builtins.Exception: ...",
    "with contextlib.suppress(Exception): ...",
)


@pytest.mark.parametrize("source", BAD_EXCEPTS)
def test_the_check_of_excepts_sees_a_broad_one(source: str) -> None:
    assert list(broad_excepts("ops.x", source)) != []


def test_the_check_of_excepts_names_the_function() -> None:
    source = (
        "class A:\n    def f(self):\n        try: ...\n        except Exception: ...\n    def g(self): ..."
    )
    assert [function for function, _ in broad_excepts("ops.x", source)] == ["A.f"]


def test_a_narrow_except_passes() -> None:
    assert list(broad_excepts("ops.x", "try: ...\nexcept (OSError, ValueError): ...")) == []


def test_the_check_of_async_sees_one() -> None:
    assert list(async_functions("ops.x", "class A:\n    async def f(self): ...")) != []


def test_the_check_of_foreign_imports_sees_one() -> None:
    assert list(foreign_imports("model.x", "import json\nimport subprocess", {"json"})) != []


def test_the_check_of_second_values_sees_one() -> None:
    assert [str(one) for one in bound_twice("x", "A = 1\nB: int = 2\nA = 3\n")] == [
        "x:3: A is given a second value"
    ]
    assert not list(bound_twice("x", "A = 1\nB = 2\nB += A\n"))


def test_the_checks_of_length_see_one_line_too_many() -> None:
    function = "def f(\n    a,\n    b,\n):\n" + "    x = 1\n" * (LONGEST_FUNCTION + 1)
    assert list(long_functions("ops.x", function, LONGEST_FUNCTION)) != []
    assert list(long_functions("ops.x", function, LONGEST_FUNCTION + 1)) == []
    assert list(long_files("ops.x", "x = 1\n" * (LONGEST_FILE + 1), LONGEST_FILE)) != []
    assert list(long_files("ops.x", "x = 1\n" * LONGEST_FILE, LONGEST_FILE)) == []


def test_the_check_of_loading_sees_a_heavy_package() -> None:
    assert _loaded_by("import yaml") == {"yaml"}
