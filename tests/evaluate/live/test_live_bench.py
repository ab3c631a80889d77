"""The bench of a live vault measures a real resident, tells what was missed, and leaves nothing running."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from vault_memory.errors import VmemError
from vault_memory.evaluate import figures
from vault_memory.evaluate.bench import Report, chosen, measure
from vault_memory.evaluate.live import called, checkout, rows, usage
from vault_memory.evaluate.live.resident import Failed, Home, Resident, call, value
from vault_memory.evaluate.plan import Plan
from vault_memory.evaluate.report import render_report, report_json
from vault_memory.evaluate.synthetic import Author, build

pytestmark = pytest.mark.timeout(600)

SIZE, ROUNDS, QUERIES, MANY = 30, 2, 4, 12
PATIENCE = 120.0

linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux shows the environment of a process")


def quiet(what: str, done: int, total: int) -> None:
    assert 0 <= done <= total


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("live")


@pytest.fixture(scope="module")
def report(folder: Path) -> Report:
    plan = Plan((SIZE,), ROUNDS, QUERIES, MANY, folder=folder, only=chosen(("live",)), rest_seconds=0.3)
    return measure(plan, quiet)


@pytest.fixture
def resident(tmp_path: Path) -> Iterator[Resident]:
    """One that is not started yet, of a vault of three memories."""
    build(tmp_path / "vault", Author(7), 3, quiet)
    with closing(Home(tmp_path)) as home:
        resident = Resident(tmp_path / "vault", home.environment("none"))
        try:
            yield resident
        finally:
            resident.stop()


@pytest.mark.parametrize("row", rows.ROWS, ids=[row.what for row in rows.ROWS])
def test_every_figure_is_measured_beside_its_floor(report: Report, row: rows.Row) -> None:
    [figure] = [one for one in report.figures if one.what == row.what]
    assert figure.missing == ""
    assert (figure.memories, figure.unit) == (SIZE, row.unit)
    assert min(figure.samples) >= 0
    assert (figure.ratio is not None) == bool(row.floor)
    assert figure.floor_is == row.floor


def test_nothing_is_left_where_the_vaults_were_made(report: Report, folder: Path) -> None:
    assert report.figures
    assert list(folder.iterdir()) == []


@linux
def test_no_process_is_left(report: Report, folder: Path) -> None:
    assert report.figures
    assert usage.born_of(str(folder)) == []


def test_the_table_tells_every_figure_its_floor_and_its_bar(report: Report) -> None:
    lines = render_report(report, width=80, colour=False).splitlines()
    for row in rows.ROWS:
        line = lines[lines.index(f"{row.what}   floor: {row.floor}" if row.floor else row.what) + 1]
        assert line.split()[0] == str(SIZE)
        assert rows.ANY not in row.bars or row.bars[rows.ANY].text(row.unit) in line
    assert "while it ran, load" in lines[0]


def test_a_narrow_terminal_is_spared_some_columns(report: Report) -> None:
    narrow, wide = (render_report(report, width=width, colour=True).splitlines()[3] for width in (80, 120))
    assert "least" not in narrow
    assert "least" in wide


def test_a_missed_bar_is_told_as_missed() -> None:
    slow = figures.of(rows.RECALL, 1_000, [5.0, 6.0], [0.05])
    unknown = figures.unmeasured(rows.REST_CPU, 1_000, usage.NOT_TOLD)
    kept = figures.of(rows.RATE, 1_000, [900.0])
    lines = render_report(
        Report({"load": 1}, Plan(), (slow, unknown, kept), (0.5, 1.5)), width=80, colour=False
    ).splitlines()
    assert lines[-1] == "1 of 2 bars kept; 1 could not be measured."
    assert lines[lines.index(f"{slow.what}   floor: {rows.ROUND_TRIP}") + 1].endswith(
        "≤ 1 ms  missed by 4.50 ms"
    )
    assert lines[lines.index(unknown.what) + 1] == f"   1,000  not measured: {usage.NOT_TOLD}"
    assert lines[lines.index(kept.what) + 1].endswith("≥ 200 /s  ok")


def test_a_resident_that_does_not_come_up_is_the_reason_why_there_is_no_figure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def start(_: Resident) -> None:
        raise Failed("it did not start")

    monkeypatch.setattr(Resident, "start", start)
    report = measure(Plan((2,), 1, 1, 1, folder=tmp_path, only=("socket",)), quiet)
    assert [one.what for one in report.figures] == [row.what for row in rows.PARTS["socket"]]
    assert {one.missing for one in report.figures} == {"it did not start"}
    assert all(one["not_measured"] for one in report_json(report)["figures"])  # type: ignore[attr-defined]


def test_a_command_that_did_all_by_itself_is_no_figure_of_the_resident(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = Home.environment
    monkeypatch.setattr(called, "UP_WITHIN", 1.0)
    monkeypatch.setattr(Home, "environment", lambda home, name: {**given(home, name), "VMEM_RESIDENT": "off"})
    report = measure(Plan((2,), 1, 1, 1, folder=tmp_path, only=("process",)), quiet)
    found = {one.what: one.missing for one in report.figures}
    for row in (rows.CALL_WALL, rows.CALL_CPU, rows.CALL_SEARCH, rows.CALL_REMEMBER, rows.CALL_HOOK):
        assert found[row.what] == "the resident answered 0 of 1 commands"
    assert found[rows.FIRST_CALL.what].startswith("no resident came up of it")


def test_a_resident_is_asked_and_ended(resident: Resident) -> None:
    resident.start()
    pid = resident.pid
    answer = resident.ask(call("list"))
    assert len(answer) == 3
    resident.stop()
    assert not usage.is_alive(pid)


def test_what_is_no_answer_is_a_failure_with_its_words(resident: Resident) -> None:
    with pytest.raises(Failed, match="nobody listens"):
        resident.ask({"do": "state"})
    resident.start()
    with pytest.raises(Failed, match="there is no verb 'sing'"):
        resident.ask(call("sing"))
    with pytest.raises(Failed, match="another version"):
        value({"unfit": "another version"})


@linux
def test_whatever_was_started_from_a_home_ends_with_it(tmp_path: Path) -> None:
    build(tmp_path / "vault", Author(7), 2, quiet)
    with closing(Home(tmp_path)) as home:
        resident = Resident(tmp_path / "vault", home.environment("none"))
        resident.vmem("daemon", "start")  # nobody notes its number
        assert usage.born_of(str(home.runtime)) != []
    assert usage.born_of(str(home.runtime)) == []
    assert not home.runtime.exists()


@linux
@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_bench_leaves_no_resident(tmp_path: Path, sign: signal.Signals) -> None:
    place = tmp_path / "vaults"
    place.mkdir()
    argv = [
        sys.executable,
        "-m",
        "vault_memory",
        "bench",
        "--only",
        "saves",
        "--sizes",
        "20",
        "--in",
        str(place),
    ]
    with subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as bench:
        until = time.monotonic() + PATIENCE
        while not [pid for pid in usage.born_of(str(place)) if pid != bench.pid and _resides(pid)]:
            assert time.monotonic() < until
            assert bench.poll() is None
            time.sleep(0.05)
        bench.send_signal(sign)
        said, complaint = bench.communicate(timeout=PATIENCE)
    assert (bench.returncode, said) == (130, ""), complaint
    assert "Traceback" not in complaint
    assert usage.born_of(str(place)) == []
    assert list(place.iterdir()) == []


def _resides(pid: int) -> bool:
    try:
        return b"daemon\0run" in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False


def test_a_checkout_changes_at_most_so_many_and_each_kind(report: Report) -> None:
    assert report.figures
    for size in (2, 30, 1_000, 10_000, 100_000):
        changed, gone, new = checkout._shares(size)
        assert changed
        assert gone
        assert new
        assert not set(changed) & set(gone)
        assert max(*changed, *gone) < size
        assert len({*changed, *gone, *new}) == len(changed) + len(gone) + len(new) <= rows.CHANGES + 1
    assert sum(map(len, checkout._shares(10_000))) == rows.CHANGES


def test_a_figure_of_work_that_was_not_done_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Author, "query", lambda *_: "nothing holds qzxv")
    with pytest.raises(VmemError, match="the measurement went wrong"):
        measure(Plan((2,), 1, 1, 1, folder=tmp_path, only=("socket",)), quiet)
    assert list(tmp_path.iterdir()) == []
