"""A run asks through search and recall, marks what comes back, and leaves nothing behind."""

from __future__ import annotations

import tempfile
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.evaluate.recall.talk import locomo, longmemeval, saved
from vault_memory.errors import ConfigError, StorageError, UsageError, VmemError
from vault_memory.evaluate.recall.asking import METRICS, Asker
from vault_memory.evaluate.recall.conversations import Dataset
from vault_memory.evaluate.recall.part import ToldClock
from vault_memory.evaluate.recall.result import Result
from vault_memory.evaluate.recall.runner import run
from vault_memory.evaluate.recall.source import read
from vault_memory.evaluate.recall.writing import write
from vault_memory.model.hit import Hit
from vault_memory.vault import Vault

KEYWORD = {"embedder": "none"}


@pytest.fixture
def talk(tmp_path: Path) -> Dataset:
    return read(saved(tmp_path, locomo()))


def values(result: Result, metric: str) -> list[float | None]:
    at = result.metrics.index(metric)
    return [one.values[at] for one in result.asked]


def test_every_question_is_asked_and_marked(talk: Dataset) -> None:
    result = run(talk, settings=KEYWORD)
    assert result.counts == {
        "conversations": 2, "sessions": 3, "turns": 10, "passages": 10, "questions": 5, "left_out": 3,
    }  # fmt: skip
    assert [one.text for one in result.asked][:2] == [
        "Which trees did Nora plant?",
        "What was repaired at the mill?",
    ]
    assert all(len(one.values) == len(METRICS) == len(result.metrics) for one in result.asked)
    assert {one.half for one in result.asked} == {"tuning"}
    assert values(result, "R@50") == [1.0] * 5
    assert values(result, "notes R@5") == [1.0] * 5
    assert values(result, "within 2000") == [1.0] * 5
    assert values(result, "R@1")[2] == 0.5, "two turns answer, and one stands in the first place"
    assert (result.embedder, result.settings, result.mixed) == ("none", result.settings, ())
    assert result.modes == ("keyword only: no embedder is set",)


def test_two_runs_give_the_same_figures_and_so_do_two_processes(talk: Dataset) -> None:
    once = run(talk, settings=KEYWORD)
    assert once == run(talk, settings=KEYWORD)
    assert once == run(talk, settings=KEYWORD, workers=2)


def test_all_conversations_may_lie_in_one_vault(talk: Dataset) -> None:
    apart, together = (run(talk, settings=KEYWORD, together=one) for one in (False, True))
    assert together.together
    assert together.counts == apart.counts
    assert [one.id for one in together.asked] == [one.id for one in apart.asked]
    assert together.answerable is None, "there is no question about another vault"
    assert together == run(talk, settings=KEYWORD, together=True, workers=2)


def test_some_conversations_may_be_left_out(talk: Dataset) -> None:
    assert [one.text for one in run(talk, settings=KEYWORD, conversations=[2]).asked] == [
        "Why was the ferry cancelled?"
    ]
    with pytest.raises(UsageError, match=r"talk\.json has 2 conversations"):
        run(talk, conversations=[3])
    with pytest.raises(UsageError, match="has 2 conversations"):
        run(talk, conversations=[])


def test_own_questions_score_higher_than_those_about_another_conversation(talk: Dataset) -> None:
    found = run(talk, settings=KEYWORD).answerable
    assert found is not None
    assert (found.questions, found.strangers) == (5, 2)
    assert found.mean_own > found.mean_strangers
    for threshold in found.thresholds:
        assert 0 <= threshold.strangers <= threshold.own <= 1


def test_nothing_is_left_behind_unless_a_folder_is_named(
    talk: Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(scratch))
    run(talk, settings=KEYWORD)
    run(talk, settings=KEYWORD, together=True)
    assert list(scratch.iterdir()) == []
    kept = tmp_path / "kept"
    first = run(talk, settings=KEYWORD, folder=kept)
    index = kept / "conv-1" / ".vmem" / "local" / "index.db"
    before = index.stat().st_mtime_ns
    assert run(talk, settings=KEYWORD, folder=kept) == first
    assert index.stat().st_mtime_ns == before, "the second run found all as it was"


def test_a_folder_that_holds_other_notes_is_refused(talk: Dataset, tmp_path: Path) -> None:
    Vault.create(tmp_path / "kept" / "conv-1")
    (tmp_path / "kept" / "conv-1" / "mine.md").write_text("Nora planted trees.\n")
    with pytest.raises(VmemError, match="holds 3 memories, and not the 2 sessions alone"):
        run(talk, settings=KEYWORD, folder=tmp_path / "kept")


def test_an_error_in_a_worker_is_the_error_that_it_was(talk: Dataset, tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "conv-1").write_text("in the way")
    caught = []
    for workers in (1, 2):
        with pytest.raises(UsageError, match="is a file, and a vault is a folder") as error:
            run(talk, settings=KEYWORD, folder=tmp_path / "kept", workers=workers)
        caught.append((str(error.value), error.value.hint, error.value.exit_code))
    assert caught[0] == caught[1]


def test_a_place_where_no_vault_can_be_made_is_told(talk: Dataset, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StorageError, match="file: File exists"):
        run(talk, settings=KEYWORD, folder=tmp_path / "file")
    (tmp_path / "kept" / "conv-1" / "conv-1").mkdir(parents=True)
    (tmp_path / "kept" / "conv-1" / "conv-1" / "session-01.md").mkdir()
    with pytest.raises(StorageError, match=r"session-01\.md: Is a directory"):
        run(talk, settings=KEYWORD, folder=tmp_path / "kept")


def test_settings_are_checked_before_anything_is_made_and_told_in_the_result(talk: Dataset) -> None:
    with pytest.raises(ConfigError, match="no such setting"):
        run(talk, settings={"strategi": "recency"})
    result = run(talk, settings={**KEYWORD, "strategy": "recency", "refresh_seconds": "60"})
    assert result.settings["strategy"] == "recency"
    assert result.settings["refresh_seconds"] == 60


def test_a_data_set_without_a_question_is_no_use(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no question that can be asked"):
        run(read(saved(tmp_path, longmemeval()[1:])))


def test_a_history_with_marked_turns_is_asked_by_turn_and_without_them_by_session(tmp_path: Path) -> None:
    result = run(read(saved(tmp_path, longmemeval())), settings=KEYWORD)
    assert result.counts["questions"] == 1
    assert values(result, "R@1") == values(result, "within 2000") == [1.0]
    unmarked = longmemeval()
    del unmarked[0]["haystack_sessions"][1][0]["has_answer"]
    result = run(read(saved(tmp_path, unmarked)), settings=KEYWORD)
    assert values(result, "R@1") == values(result, "within 2000") == [None]
    assert values(result, "notes R@5") == [1.0]


def test_questions_are_asked_on_the_day_after_the_last_session(
    talk: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[datetime] = []
    search = Asker.search

    def watched(self: Asker, text: str, limit: int) -> object:
        clock = self.agent.opened.ports.clock
        assert isinstance(clock, ToldClock)
        seen.append(clock.now())
        return search(self, text, limit)

    monkeypatch.setattr(Asker, "search", watched)
    run(talk, settings=KEYWORD, together=True)
    assert set(seen) == {datetime(2023, 6, 21, 0, 5, tzinfo=UTC), datetime(2024, 1, 3, 8, 30, tzinfo=UTC)}


def test_a_hit_that_shows_many_turns_uses_as_many_places(talk: Dataset, tmp_path: Path) -> None:
    [first, *_] = talk.conversations
    Vault.create(tmp_path / "vault")
    written = write(tmp_path / "vault", [first])
    with Vault.open(tmp_path / "vault", settings=KEYWORD) as vault:
        asker = Asker(vault.person, written)
        hits: list[Hit] = list(asker.search("quince trees mill", 10))
        shown = [one.passage.start_line for hit in hits for one in hit.passages]
        assert len(shown) > 1
        turns = asker._turns(hits, 10)
        assert [turn + 5 for _, turn in turns] == shown
        assert asker._turns(hits, 1) == turns[:1]
        assert asker._turns([*hits, *hits], 10) == turns
