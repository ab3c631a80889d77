"""What every test stands on: a machine of its own, git, and how hypothesis draws."""

from __future__ import annotations

import gc
import os
import shutil
import signal
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest

from tests import forked
from tests.gitrun import Git, run_git
from tests.machine import furnish, move_in
from tests.ramdisk import in_memory
from tests.written import Written

# The suites that each port's implementations pass hold asserts too.
pytest.register_assert_rewrite("tests.contracts")

# `ci` draws the same examples in every run, so that a red run is the change's own doing.
hypothesis.settings.register_profile("ci", deadline=None, derandomize=True, database=None, print_blob=True)
hypothesis.settings.register_profile("dev", deadline=None)
hypothesis.settings.load_profile(
    os.environ.get("HYPOTHESIS_PROFILE") or ("ci" if os.environ.get("CI") else "dev")
)

_OUTER = dict(os.environ)
_HOMES = Path(tempfile.mkdtemp(prefix="vmem-tests-home-", dir=in_memory()))


def pytest_configure() -> None:
    """Before any module of ours is imported: some packages read the environment once, at import."""
    move_in(furnish(_HOMES / "session"))
    if place := in_memory():  # where pytest makes the folders of its tests
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(place))
    # Whoever runs the tests in the background has it ignored, and would hand that on to all we interrupt.
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_finish() -> None:
    """Thousands of tests, and all that they import, are there to the end: no collection need look at them."""
    gc.collect()
    gc.freeze()


def pytest_unconfigure() -> None:
    forked.end()
    os.environ.clear()
    os.environ.update(_OUTER)
    time.tzset()
    shutil.rmtree(_HOMES)


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """This test's own home; whatever it does to the environment ends with it."""
    before = dict(os.environ)
    folder = furnish(tmp_path_factory.mktemp("home"))
    move_in(folder)
    yield folder
    os.environ.clear()
    os.environ.update(before)
    time.tzset()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--rewrite", action="store_true", help="write expectations that stand in files anew")


@pytest.fixture
def written(request: pytest.FixtureRequest) -> Written:
    """`written.stands_in(file, text)`: the file holds just that text."""
    return Written(bool(request.config.getoption("--rewrite")))


@pytest.fixture
def git() -> Git:
    """`git(folder, "log", "--oneline")` gives what git writes; a failure fails the test."""
    return run_git


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    """An empty git repository on branch main, without a commit."""
    folder = tmp_path / "repo"
    folder.mkdir()
    run_git(folder, "init", "--quiet", "--initial-branch=main")
    return folder
