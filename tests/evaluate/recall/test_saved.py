"""Results are saved whole, read again, and compared only with those of the same questions."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from vault_memory.errors import FormatError, NotFoundError, UsageError
from vault_memory.evaluate.recall.compare import compare, compared_json
from vault_memory.evaluate.recall.report import render_compared, render_result
from vault_memory.evaluate.recall.result import Answerable, Asked, Result, Threshold
from vault_memory.evaluate.recall.saved import fingerprint, read_saved, result_json, saved_text

METRICS = ("R@10", "MRR", "notes R@5", "within 1000", "within 2000")


def result(**changes: Any) -> Result:
    """Four questions in two categories and both halves."""
    asked = (
        Asked("a", "Question a?", "single-hop", "tuning", (1.0, 1.0, 1.0, 0.0, 1.0)),
        Asked("b", "Question b?", "multi-hop", "tuning", (0.5, 0.25, 1.0, 0.5, 0.5)),
        Asked("c", "Question c?", "single-hop", "held-out", (0.0, 0.0, 0.0, 0.0, 1 / 3)),
        Asked("d", "Question d?", "multi-hop", "held-out", (None, None, 1.0, None, None)),
    )
    made = Result(
        vmem="0.1.0",
        form="locomo",
        name="talk.json",
        together=False,
        asked_as=None,
        embedder="none",
        modes=("keyword only: no embedder is set",),
        settings={"strategy": "recency"},
        counts={"conversations": 2, "sessions": 3, "turns": 1_000, "questions": 4, "left_out": 1},
        mixed=(),
        metrics=METRICS,
        asked=asked,
        answerable=Answerable(4, 1, 0.5, 0.25, (Threshold(0.2, 1.0, 0.5), Threshold(0.3, 0.75, 0.0))),
    )  # fmt: skip
    return replace(made, **changes)


def file_of(folder: Path, one: Result, name: str = "a.json") -> Path:
    file = folder / name
    file.write_text(saved_text(result_json(one)), encoding="utf-8")
    return file


def test_a_saved_result_holds_the_value_that_json_prints_a_line_a_question() -> None:
    value = result_json(result())
    text = saved_text(value)
    assert json.loads(text) == json.loads(json.dumps(value))
    assert len([line for line in text.splitlines() if line.startswith('{"id"')]) == 4


def test_groups_are_all_halves_and_categories_with_their_means() -> None:
    groups: Any = result_json(result())["groups"]
    means = {(one["half"], one["category"]): one["values"]["R@10"] for one in groups}
    assert len(means) == 9
    assert means[None, None]["mean"] == 0.5
    assert means["tuning", None]["mean"] == 0.75
    assert means[None, "multi-hop"]["mean"] == 0.5
    assert means["held-out", "multi-hop"] is None
    assert [one["questions"] for one in groups[:3]] == [4, 2, 2]


def test_it_is_read_again_as_it_was_to_four_decimals(tmp_path: Path) -> None:
    read = read_saved(file_of(tmp_path, result()))
    assert fingerprint(read) == fingerprint(result())
    assert read.asked[2].values[4] == 0.3333
    assert read.asked[3].values == (None, None, 1.0, None, None)
    assert (read.settings, read.embedder, read.vmem) == ({"strategy": "recency"}, "none", "0.1.0")


@pytest.mark.parametrize(
    "change",
    [
        {"asked": result().asked[:3]},
        {"asked": (replace(result().asked[0], text="Another?"), *result().asked[1:])},
        {"asked": tuple(reversed(result().asked))},
        {"metrics": ("R@10", "MRR", "notes R@5", "within 1000", "within 4000")},
    ],
)
def test_results_of_other_questions_are_not_compared(change: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="are results of other questions") as caught:
        compare(result(), result(**change))
    assert caught.value.hint


def test_a_comparison_has_each_metric_by_half() -> None:
    better = tuple(
        replace(one, values=tuple(None if value is None else min(1.0, value + 0.5) for value in one.values))
        for one in result().asked
    )
    compared = compare(result(), result(asked=better, embedder="bundled"))
    value: Any = compared_json(compared)
    assert (value["a"]["embedder"], value["b"]["embedder"]) == ("none", "bundled")
    rows = {(one["half"], one["metric"]): one for one in value["differences"]}
    assert len(rows) == 3 * len(METRICS)
    first = rows[None, "R@10"]
    assert (first["a"], first["b"], first["better"], first["worse"]) == (0.5, 0.8333, 2, 0)
    assert first["difference"]["mean"] == 0.3333
    shown = render_compared(compared, colour=False)
    assert "all (4 questions)" in shown
    assert "R@10" in shown
    assert "+.333" in shown


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{", "is not JSON"),
        ("[]", "must be a map"),
        ("{}", "there is no 'metrics'"),
        ('{"metrics": ["MRR"], "questions": []}', "it holds no question"),
    ],
)
def test_a_file_that_is_no_result_is_told(tmp_path: Path, text: str, told: str) -> None:
    (tmp_path / "a.json").write_text(text)
    with pytest.raises(FormatError) as caught:
        read_saved(tmp_path / "a.json")
    assert told in str(caught.value)
    assert "--out" in str(caught.value.hint)


def test_values_that_are_none_are_told_with_their_question(tmp_path: Path) -> None:
    value: Any = json.loads(saved_text(result_json(result())))
    for values, told in (([1], "1 values for 5 metrics"), ([1, 1, 1, 1, "x"], "values: must be numbers")):
        value["questions"][1]["values"] = values
        (tmp_path / "a.json").write_text(json.dumps(value))
        with pytest.raises(FormatError, match=f"question 2: .*{told}|question 2: {told}"):
            read_saved(tmp_path / "a.json")


def test_a_result_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="there is no file"):
        read_saved(tmp_path / "a.json")
    with pytest.raises(NotFoundError, match="can't be read"):
        read_saved(tmp_path)


def test_the_table_says_what_was_measured_and_has_every_metric() -> None:
    lines = render_result(result(mixed=("a/b.md",)), colour=False).splitlines()
    assert lines[0] == "talk.json: 2 conversations, 3 sessions, 1,000 turns, 4 questions"
    assert lines[1] == ("vmem 0.1.0, embedder none (keyword only: no embedder is set), strategy = recency")
    assert lines[2] == "1 more question that nothing there answers: not asked."
    assert lines[3] == "In 1 session a passage holds more than one turn, and shows them all: a/b.md"
    text = "\n".join(lines)
    for label in ("R@10", "MRR", "evidence within 1,000 tokens", "multi-hop", "  held-out", "of another's"):
        assert label in text
    assert max(map(len, lines)) <= 110
    assert "\x1b" not in text
    assert "\x1b" in render_result(result(), colour=True)


def test_the_page_of_json_names_every_key_of_a_result() -> None:
    page = (Path(__file__).parents[3] / "docs" / "json.md").read_text(encoding="utf-8")
    table = page.partition("<!-- eval -->\n")[2].partition("\n\n")[0]
    named = {key for row in table.splitlines()[2:] for key in re.findall(r"`(\w+)`", row.split("|")[1])}
    assert named == set(result_json(result()))
