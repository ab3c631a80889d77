"""Capture finds what is marked in the transcripts that are shipped, and little else."""

from __future__ import annotations

import json

import pytest

from vault_memory.evaluate.capture.marked import LOOKED_AT, PARTS, read, transcripts
from vault_memory.evaluate.capture.report import ALL, by_part, measured, measured_json, render_measured
from vault_memory.evaluate.capture.scored import held, score
from vault_memory.model.capture.lessons import Found
from vault_memory.model.capture.turn import Lesson, Sort

PRECISION, RECALL = 0.7, 0.5
FOUND = measured()


@pytest.mark.parametrize("part", [*PARTS, ALL])
def test_the_bar_is_held_in_each_part(part: str) -> None:
    one = by_part(FOUND)[part]
    assert one.precision >= PRECISION
    assert one.recall >= RECALL


def test_there_are_enough_transcripts_and_marks_to_say_so() -> None:
    every = list(transcripts())
    assert len(every) >= 12
    assert sum(len(one.marked) for one in every) >= 80
    assert all(len(one.turns) >= 20 for one in every)
    for part in PARTS:
        assert sum(len(one.marked) for one in every if one.part == part) >= 40
    marked = {mark.sort for one in every for mark in one.marked}
    assert marked == set(Sort) - {Sort.FACT}


def test_no_mark_is_left_in_what_the_rules_are_given() -> None:
    for one in transcripts():
        assert not any("«" in turn.text or "»" in turn.text for turn in one.turns)


def test_who_finds_nothing_has_no_recall_and_who_finds_all_has_no_precision() -> None:
    every = list(transcripts())
    nothing = score(held(one, lambda turns: Found((), len(turns))) for one in every)
    assert (nothing.precision, nothing.recall) == (1.0, 0.0)
    all_of_it = score(
        held(one, lambda turns: Found(tuple(Lesson("", t.text, "semantic", t.line) for t in turns), 0))
        for one in every
    )
    assert all_of_it.precision < 0.5 < all_of_it.recall


def test_a_lesson_of_another_turn_or_of_other_words_is_wrong() -> None:
    one = read("x", "blind", "U: ok «decision: we keep the old parser»\nA: fine")
    there = Lesson("", "We keep the old parser", "decision", 1, sort=Sort.DECISION)
    elsewhere = Lesson("", "We keep the old parser", "decision", 2)
    other = Lesson("", "ok", "decision", 1)
    result = held(one, lambda _: Found((there, elsewhere, other, there), 2))
    assert [lesson for _, lesson in result.pairs] == [there]
    assert result.wrong == (elsewhere, other, there)


def test_the_report_tells_all_parts_as_text_and_as_json() -> None:
    assert render_measured(FOUND).splitlines()[0].split()[:4] == ["part", "transcripts", "marked", "found"]
    value = json.loads(json.dumps(measured_json(FOUND)))
    assert list(value["parts"]) == [*PARTS, ALL]
    assert sum(one["marked"] for one in value["sorts"].values()) == value["parts"][ALL]["marked"]
    assert value["looked_at"] == list(LOOKED_AT)
    assert f"with a look at: {', '.join(LOOKED_AT)};" in render_measured(FOUND)
