"""Reading the best hits once more: what it changes, and what it leaves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from vault_memory.agent import Agent
from vault_memory.errors import EmbedderUnavailableError
from vault_memory.ops.rerank import READ
from vault_memory.vault import Vault


@dataclass
class Reader:
    """Finds that a text answers by whether it holds a word."""

    word: str
    reason: str | None = None
    id: str = "reader"
    asked: list[tuple[str, int]] = field(default_factory=list)

    def scores(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        self.asked.append((query, len(texts)))
        if not self.word:
            raise EmbedderUnavailableError("the model is broken", hint="copy it again")
        return [1.0 if self.word in text else 0.0 for text in texts]


@pytest.fixture
def vault(tmp_path: Path) -> Vault:
    """Memories about one word; the last of them by relevance knows the answer."""
    Vault.create(tmp_path / "m")
    for number in range(30):
        text = "deploy " * (30 - number) + "of the service, " + "filler " * 10 * number
        (tmp_path / "m" / f"n{number:02}.md").write_text(f"# Note {number}\n\n{text}\n", encoding="utf-8")
    (tmp_path / "m" / "answer.md").write_text(f"# Answer\n\n{'deploy ' * 9}with the key\n", encoding="utf-8")
    return Vault.open(tmp_path / "m", settings={"embedder": "none"})


def asking(vault: Vault, reader: Reader | None) -> Agent:
    """The person, with that reranker."""
    if reader is not None:
        vault._opened.held = replace(vault._opened.held, reranker=reader)
    return vault.person


def test_a_memory_that_answers_comes_first_and_all_scores_stay_between_0_and_1(vault: Vault) -> None:
    with vault:
        plain = asking(vault, None).search("deploy", limit=40)
        reader = Reader("key")
        found = asking(vault, reader).search("deploy", limit=40)
    assert plain.hits[0].entry.path != "answer.md"
    assert found.hits[0].entry.path == "answer.md"
    assert all(0 <= hit.score <= 1 for hit in found.hits)
    assert found.mode == f"{plain.mode}, reranked"
    assert reader.asked == [("deploy", READ)]


def test_what_was_not_read_never_overtakes_what_was_and_keeps_its_order(vault: Vault) -> None:
    with vault:
        plain = [hit.entry.path for hit in asking(vault, None).search("deploy", limit=40).hits]
        found = [
            hit.entry.path for hit in asking(vault, Reader("no such word")).search("deploy", limit=40).hits
        ]
    assert found == plain


def test_a_reranker_that_fails_leaves_the_order_and_says_so(vault: Vault) -> None:
    with vault:
        plain = asking(vault, None).search("deploy", limit=40)
        for reader, said in (
            (Reader("key", reason="there is no folder /x"), "not reranked: there is no folder /x"),
            (Reader(""), "not reranked: the model is broken; copy it again"),
        ):
            found = asking(vault, reader).search("deploy", limit=40)
            assert found.mode == f"{plain.mode}, {said}"
            assert [hit.score for hit in found.hits] == [hit.score for hit in plain.hits]


def test_nothing_found_is_nothing_to_read(vault: Vault) -> None:
    with vault:
        reader = Reader("key")
        assert asking(vault, reader).search("zebra").hits == ()
        assert reader.asked == []
