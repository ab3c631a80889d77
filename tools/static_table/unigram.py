"""Cutting a word into the pieces of a unigram vocabulary, the most probable way (Viterbi)."""

from __future__ import annotations

from tools.static_table.weights import Unigrams

MARK = "▁"
"""Stands where a word begins."""

_UNKNOWN = -20.0
"""Log probability of a character that no piece holds: worse than the rarest piece."""


class Segmenter:
    """The vocabulary as a table from piece to number."""

    def __init__(self, unigrams: Unigrams) -> None:
        self._scores = unigrams.scores.tolist()
        self.numbers = {
            piece: number
            for number, piece in enumerate(unigrams.pieces[: len(self._scores)])
            if number >= unigrams.specials
        }
        self._longest = max(map(len, self.numbers))

    def cut(self, text: str) -> tuple[list[int], float]:
        """Numbers of the pieces, unknown characters left out, and the log probability of them all."""
        best: list[tuple[float, int, int | None]] = [(0.0, 0, None)]
        for end in range(1, len(text) + 1):
            found: tuple[float, int, int | None] = (best[end - 1][0] + _UNKNOWN, end - 1, None)
            for start in range(max(0, end - self._longest), end):
                number = self.numbers.get(text[start:end])
                if number is not None and best[start][0] + self._scores[number] > found[0]:
                    found = (best[start][0] + self._scores[number], start, number)
            best.append(found)
        numbers = []
        end = len(text)
        while end:
            _, end, number = best[end]
            if number is not None:
                numbers.append(number)
        return numbers[::-1], best[-1][0]
