"""The bench measures work that was really done, and says of it what was measured."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.gitrun import Git
from vault_memory.errors import UsageError, VmemError
from vault_memory.evaluate import commands, figures, indexalone, meaning, probes
from vault_memory.evaluate.bar import Bar
from vault_memory.evaluate.bench import GROUPS, NAMES, Report, chosen, measure
from vault_memory.evaluate.figures import Figure
from vault_memory.evaluate.plan import Plan
from vault_memory.evaluate.report import render_report, report_json
from vault_memory.evaluate.synthetic import Author, build
from vault_memory.model.namespace import PERSON
from vault_memory.plugins import embedder
from vault_memory.surfaces.cli.commands import bench as command
from vault_memory.vault import Vault

SIZES = (3, 12)
ROUNDS, QUERIES, MANY = 2, 3, 25


def quiet(what: str, done: int, total: int) -> None:
    assert 0 <= done <= total


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("bench")


@pytest.fixture(scope="module")
def report(folder: Path) -> Report:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(probes, "SETTLED", 0.0)
        plan = Plan(SIZES, ROUNDS, QUERIES, MANY, folder=folder, only=chosen(("plain",)))
        return measure(plan, quiet)


def named(report: Report, what: str, memories: int) -> Figure:
    [found] = [one for one in report.figures if (one.what, one.memories) == (what, memories)]
    return found


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    ("what", "samples"),
    [
        (figures.REMEMBER, ROUNDS),
        (figures.FLOOR, ROUNDS),
        (figures.AFTER_WRITE, ROUNDS),
        (figures.many(MANY), 1),
        (figures.SEARCH, QUERIES),
        (figures.RECALL, QUERIES),
        (figures.MEANING_SEARCH, QUERIES),
        (figures.MEANING_RECALL, QUERIES),
        (figures.COLD_CPU, ROUNDS),
        (figures.COLD_WALL, ROUNDS),
        (figures.EMBED, 1),
        (figures.EMBED_CPU, 1),
        (figures.VECTORS_SIZE, 1),
        (figures.FIRST_INDEX_VECTORS, 1),
        (figures.FIRST_INDEX_VECTORS_MEMORY, 1),
        (figures.UNCHANGED, ROUNDS),
        (figures.UNCHANGED_FIRST, ROUNDS),
        (figures.ONE_CHANGED, ROUNDS),
        (figures.FIRST_INDEX, 1),
        (figures.FIRST_INDEX_MEMORY, 1),
    ],
)
def test_each_size_has_every_figure_with_all_its_samples(
    report: Report, size: int, what: str, samples: int
) -> None:
    figure = named(report, what, size)
    assert len(figure.samples) == samples
    assert min(figure.samples) > 0
    assert figure.median <= figure.p95


def test_a_new_process_answers_with_the_default_embedder(report: Report) -> None:
    assert named(report, figures.COLD_CPU, figures.SAMPLE).bar == Bar(600)
    assert not [one for one in report.figures if one.what == figures.COLD_KEYWORD_CPU]


def test_a_vault_that_is_searched_by_keyword_is_not_said_to_be_by_meaning(tmp_path: Path) -> None:
    Vault.create(tmp_path / "mine")
    (tmp_path / "mine" / ".vmem" / "config.toml").write_text('format = 1\nembedder = "none"\n')
    (tmp_path / "mine" / "heron.md").write_text("The heron nests by the lake.\n")
    found = probes.new_process(tmp_path / "mine", tmp_path, 1, quiet)
    assert [one.what for one in found] == [figures.COLD_KEYWORD_CPU, figures.COLD_KEYWORD_WALL]


def test_measuring_meaning_weighs_the_vectors_and_leaves_the_index_without_them(tmp_path: Path) -> None:
    root = tmp_path / "vault"
    build(root, Author(7), 3, quiet)
    with Vault.open(root, settings=probes.SETTINGS) as vault:
        assert vault.index.refresh().added == 3
        before = vault.index.dump()
    found = meaning.meaning(root, tmp_path, Author(7), 3, 1, 1, quiet)
    with Vault.open(root, settings={"embedder": "bundled"}) as vault:
        assert vault.index.dump() == before
        state = vault.index.vectors(PERSON)
    assert state.have == 0
    assert state.texts is not None
    [size] = [one.median * 1_000_000 for one in found if one.what == figures.VECTORS_SIZE]
    assert embedder("bundled", "").dimensions * state.texts < size


def test_a_question_that_is_answered_without_meaning_is_no_figure_of_it(tmp_path: Path) -> None:
    build(tmp_path / "vault", Author(7), 2, quiet)
    with (
        Vault.open(tmp_path / "vault", settings=probes.SETTINGS) as vault,
        pytest.raises(VmemError, match="was searched by keyword only"),
    ):
        probes.reads(vault.agent("akashi"), Author(7), 2, 1, quiet, mode=figures.MEANING)


def test_a_large_vault_whose_vectors_no_file_holds_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(VmemError, match="read every vector"):
        meaning._cache(tmp_path, meaning.CACHED_FROM)
    cache = tmp_path / ".vmem" / "local" / "vectors.cache"
    cache.parent.mkdir(parents=True)
    cache.write_bytes(bytes(2_000_000))
    [figure] = meaning._cache(tmp_path, meaning.CACHED_FROM)
    assert (figure.what, figure.median) == (figures.CACHE_SIZE, 2.0)


@pytest.mark.parametrize("size", SIZES)
def test_commands_are_measured_beside_the_start_of_a_process(report: Report, size: int) -> None:
    starts = named(report, figures.START, size)
    assert len(starts.samples) == ROUNDS
    for what in (figures.LIST, figures.LIST_WHERE, figures.SEARCH_TAG, figures.TAGS, figures.GC):
        assert named(report, what, size).floors == starts.samples
        assert len(named(report, what, size).samples) == ROUNDS
    assert named(report, figures.LINT, size).unit == "s"


def test_a_command_that_did_not_see_every_memory_is_an_error(tmp_path: Path) -> None:
    build(tmp_path / "vault", Author(7), 3, quiet)
    with pytest.raises(VmemError, match="4 lines came of vmem list"):
        commands.commands(tmp_path / "vault", tmp_path, Author(7), 30, 1, quiet)


def test_a_new_process_is_measured_beside_an_empty_one(report: Report) -> None:
    asked = named(report, figures.COLD_CPU, figures.SAMPLE)
    assert len(asked.samples) == ROUNDS
    assert asked.median > named(report, figures.BARE_CPU, figures.SAMPLE).median
    assert named(report, figures.COLD_WALL, figures.SAMPLE).median > 0


def test_writes_stand_beside_the_floor_of_the_same_run(report: Report) -> None:
    remember = named(report, figures.REMEMBER, SIZES[0])
    assert remember.floors == named(report, figures.FLOOR, SIZES[0]).samples
    assert remember.ratio == pytest.approx(remember.median / named(report, figures.FLOOR, SIZES[0]).median)


def test_growth_is_how_much_longer_the_larger_vault_takes(report: Report) -> None:
    smaller, larger = (named(report, figures.REMEMBER, size).median for size in SIZES)
    assert named(report, figures.growth_from(SIZES[0]), SIZES[1]).median == pytest.approx(larger / smaller)


def test_nothing_is_left_where_the_vaults_were_made(report: Report, folder: Path) -> None:
    assert report.figures
    assert list(folder.iterdir()) == []


def test_the_json_says_what_was_measured_and_on_what(report: Report) -> None:
    value = json.loads(json.dumps(report_json(report)))
    assert set(value) == {
        "machine", "loads", "seed", "sizes", "rounds", "queries", "many", "rest_seconds", "only", "passages",
        "figures",
    }  # fmt: skip
    assert value["loads"] == sorted(value["loads"])
    assert (value["sizes"], value["rounds"], value["queries"]) == ([*SIZES], ROUNDS, QUERIES)
    assert {"vmem", "python", "system", "cores", "load", "file_system", "git", "sqlite"} <= set(
        value["machine"]
    )
    assert len(value["figures"]) == len(report.figures)
    for one in value["figures"]:
        assert set(one) == {
            "what", "memories", "unit", "samples", "least", "median", "p95", "p99", "floor", "floor_is",
            "times_floor", "growth", "growth_from", "bar", "bar_of", "bar_is", "missed_by", "not_measured",
        }  # fmt: skip
        assert one["unit"] in {"ms", "s", "MB", "×"}


def test_the_table_has_a_line_for_each_figure(report: Report) -> None:
    text = render_report(report, width=80, colour=False)
    lines = text.splitlines()
    at = lines.index(f"{figures.REMEMBER}   floor: {figures.DURABLE}")
    assert [line.split()[0] for line in lines[at + 1 : at + 3]] == [str(size) for size in SIZES]
    assert f"seed 7, {ROUNDS} rounds, {QUERIES} questions" in lines[1]
    assert lines[-1].endswith("bars kept.")
    assert "\x1b" not in text


def test_the_command_prints_the_same_value(folder: Path) -> None:
    options = [
        "--sizes",
        "2",
        "--rounds",
        "1",
        "--queries",
        "1",
        "--many",
        "2",
        "--seed",
        "3",
        "--only",
        "plain",
    ]
    ran = subprocess.run(
        [sys.executable, "-m", "vault_memory", "bench", *options, "--in", str(folder), "--json"],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    value = json.loads(ran.stdout)
    assert (value["seed"], value["sizes"]) == (3, [2])
    assert {one["memories"] for one in value["figures"]} == {2, figures.SAMPLE}
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("text", ["", "0", "many", "10,-1", "2000000", "1.5"])
def test_sizes_that_are_none_are_a_usage_error(text: str) -> None:
    with pytest.raises(UsageError):
        command._sizes(text)


def test_sizes_are_measured_from_small_to_large_and_once() -> None:
    assert command._sizes("1000, 100,1000") == (100, 1000)


@pytest.mark.parametrize("word", ["", "fast", "Live"])
def test_a_part_that_is_none_is_a_usage_error_that_names_all(word: str) -> None:
    with pytest.raises(UsageError) as refused:
        chosen(("plain", word))
    assert refused.value.hint is not None
    assert set(NAMES) <= set(refused.value.hint.replace(",", "").split())


def test_parts_are_measured_once_whatever_names_them() -> None:
    assert chosen(("write", "plain", "write"))[0] == "write"
    assert sorted(chosen(("write", "plain"))) == sorted(GROUPS["plain"])
    assert sorted(chosen(("plain", "live", "passages"))) == sorted(NAMES)
    assert chosen(()) == ()


def test_the_help_and_the_page_name_every_part() -> None:
    page = (Path(__file__).parents[2] / "docs" / "benchmarks.md").read_text(encoding="utf-8")
    for name in NAMES:
        assert f"`{name}`" in page
        assert re.search(rf"\b{name}\b", command.bench.__doc__ or "")


def test_a_part_alone_is_measured_alone(tmp_path: Path) -> None:
    report = measure(Plan((2,), 1, 1, 1, folder=tmp_path, only=("read",)), quiet)
    assert [one.what for one in report.figures] == [figures.SEARCH, figures.RECALL]


def test_an_index_alone_is_filled_and_asked(tmp_path: Path) -> None:
    report = measure(Plan((), 1, 3, 1, folder=tmp_path, only=("passages",), passages=50), quiet)
    found = {one.what: one for one in report.figures}
    assert list(found) == [
        indexalone.FILLED, indexalone.SIZE, indexalone.LENGTHS, indexalone.POSTINGS, indexalone.SCORES,
        indexalone.FIRST_NEAREST, indexalone.NEAREST,
    ]  # fmt: skip
    assert {one.memories for one in found.values()} <= set(range(50, 55))
    assert len(found[indexalone.NEAREST].samples) == 3
    assert list(tmp_path.iterdir()) == []


def test_a_vault_of_one_s_own_can_be_asked_from_a_new_process(tmp_path: Path) -> None:
    Vault.create(tmp_path / "mine")
    (tmp_path / "mine" / "heron.md").write_text("The heron nests by the lake.\n")
    found = probes.new_process(tmp_path / "mine", tmp_path, 1, quiet)
    assert {one.memories for one in found} == {1}
    assert found[0].bar == figures.BARS[figures.COLD_CPU, figures.ANY]


def test_a_figure_of_work_that_was_not_done_is_an_error(tmp_path: Path, git: Git) -> None:
    author = Author(7)
    build(tmp_path / "vault", author, 2, quiet)
    git(tmp_path / "vault", "checkout", "--quiet", "--detach")
    with (
        Vault.open(tmp_path / "vault", settings=probes.SETTINGS) as vault,
        pytest.raises(VmemError, match="not all were committed"),
    ):
        probes.many_writes(vault.agent("akashi"), author, 2, 1, quiet)
