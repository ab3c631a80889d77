"""How many tokens a language model will count in a text: an upper estimate, without its vocabulary.

A text falls into runs of one class of characters. A run costs what its class and its length say,
in hundredths of a token; characters outside ASCII cost by their script. What the figures rest
on, and how far they lie from real tokenizers, is in `docs/tokens.md`.

Every cost is subadditive in the run's length, and no run's class depends on what stands far from
it; so `estimate(a + b) <= estimate(a) + estimate(b)` wherever a text is cut, and a budget can be
kept by adding up its pieces.
"""

from __future__ import annotations

import re
import string
from bisect import bisect_right

NAME = "estimate 1"
"""To be raised with any change of what a text weighs: what is kept of it is then made anew."""
UNIT = 100
"""Costs are whole hundredths of a token, so that sums are exact."""

_MARKED = "À-ÖØ-öø-ɏḀ-ỿ"
"""Latin letters outside ASCII: they do not end a word, and cost something on top of it."""

# One blank before anything but a digit is free: models take it along with the word. Before a digit,
# and at the end of the text, it is a token of its own.
_RUNS = re.compile(
    rf"""
      [A-Z]++[a-z{_MARKED}]*+     # a word, or capitals
    | [a-z{_MARKED}]++
    | [ \t]*+[0-9]++              # a number with the blanks before it
    | [!-/:-@\[-`{{-~]++           # ASCII punctuation
    | [\n\r]++
    | [ \t]{{2,}}+
    | [^ \t]                      # control characters, and all outside ASCII
    """,
    re.VERBOSE,
).findall

_SCRIPTS: tuple[tuple[int, int, str], ...] = (
    (0x0000, 200, "control characters"),
    (0x0080, 135, "Latin-1 signs"),
    (0x00C0, 220, "Latin letters with marks"),
    (0x0250, 200, "phonetic"),
    (0x0300, 100, "combining marks"),
    (0x0370, 135, "Greek"),
    (0x0400, 80, "Cyrillic"),
    (0x0530, 200, "Armenian"),
    (0x0590, 125, "Hebrew, Arabic"),
    (0x0700, 200, "Syriac and others of two bytes"),
    (0x0800, 300, "others of three bytes"),
    (0x0900, 200, "Devanagari"),
    (0x0980, 320, "other Indic"),
    (0x0E00, 195, "Thai, Lao"),
    (0x0F00, 300, "Tibetan, Georgian, Ethiopic and others"),
    (0x1E00, 240, "Latin letters with marks, as in Vietnamese"),
    (0x1F00, 200, "old Greek"),
    (0x2000, 135, "dashes, quotes, currency"),
    (0x2100, 200, "arrows, mathematics, boxes, symbols"),
    (0x3000, 135, "CJK punctuation, kana"),
    (0x3400, 300, "rare Han"),
    (0x4E00, 156, "Han"),
    (0xA000, 300, "Yi and others"),
    (0xAC00, 165, "Hangul"),
    (0xD7B0, 300, "others of three bytes"),
    (0xFE00, 100, "selectors"),
    (0xFE10, 300, "others of three bytes"),
    (0xFF00, 135, "full width"),
    (0xFFF0, 300, "others of three bytes"),
    (0x10000, 400, "emoji and others of four bytes"),
)
"""Characters that make no run: first code point of the range, cost of each, what lives there."""

_IS_MARKED = re.compile(f"[{_MARKED}]").match
_STARTS = tuple(start for start, _, _ in _SCRIPTS)
_SIGNS = frozenset(string.punctuation)
_PUNCTUATION, _SIGN_MORE = 52, 60
"""What a run of ASCII punctuation costs, and each sign of it on top."""
_SIGN = _PUNCTUATION + _SIGN_MORE
_LINE_ENDS, _LINE_END = 35, 70
"""What a run of line ends costs, and each of them on top."""
LINE_END = _LINE_ENDS + _LINE_END
"""What the end of a line weighs between two others."""
BLANK_LINE = _LINE_ENDS + 2 * _LINE_END
"""The same with an empty line between the two."""
_MOST_LINES_KEPT = 20_000
_LONGEST_LINE_KEPT = 1_000
_MOST_RUNS_KEPT = 50_000
_LONGEST_RUN_KEPT = 40


class _CostOf(dict[str, int]):
    """The cost of each run met so far; words come again and again."""

    def __missing__(self, run: str) -> int:
        cost = _cost(run)
        if len(run) <= _LONGEST_RUN_KEPT:
            if len(self) >= _MOST_RUNS_KEPT:
                self.clear()
            self[run] = cost
        return cost


class _CostOfWord(dict[str, int]):
    """The cost of each word met so far behind a blank, with all that is written to it.

    No run goes on over a single blank, but for a number, which takes the blank along: so words count
    apart what they count together, and to split a line at blanks is faster than to find its runs.
    """

    def __missing__(self, word: str) -> int:
        sign = word[-1] in _SIGNS
        run = word[:-1] if sign else word
        if run.isascii() and run.isalpha() and (run.islower() or run[1:].islower()):
            # What most are, one run and perhaps a sign: the same as below, in a third of the time.
            cost = _word(run) + (_SIGN if sign else 0)
        else:
            cost = sum(map(_cost_of.__getitem__, _RUNS(f" {word}")))
        if len(word) <= _LONGEST_RUN_KEPT:
            if len(self) >= _MOST_RUNS_KEPT:
                self.clear()
            self[word] = cost
        return cost


class _CostOfLine(dict[str, int]):
    """The cost of each line met so far: a text is counted alone, then again among others."""

    def __missing__(self, line: str) -> int:
        indent = len(line) - len(line.lstrip(" "))
        words = line[indent:].split(" ")
        if indent == 1 or "" in words or "\t" in line or "0" <= line[indent] <= "9":
            cost = sum(map(_cost_of.__getitem__, _RUNS(line)))
        else:
            cost = sum(map(_cost_of_word.__getitem__, words)) + (_blanks(indent) if indent else 0)
        if len(line) <= _LONGEST_LINE_KEPT:
            if len(self) >= _MOST_LINES_KEPT:
                self.clear()
            self[line] = cost
        return cost


_cost_of = _CostOf()
_cost_of_word = _CostOfWord()
_cost_of_line = _CostOfLine()


def estimate(text: str) -> int:
    """Tokens in `text`, rather too many than too few; 0 for the empty text alone."""
    weight = weigh(text)
    if text.endswith((" ", "\t")):
        weight += UNIT
    return -(-weight // UNIT)


def weigh(text: str) -> int:
    """What a text weighs, in hundredths of a token, where no blank is its last character.

    Of lines that are no blank at their end, each weighs the same wherever it stands: texts one under
    the other weigh together what each does, and `LINE_END` between them, or `BLANK_LINE` where a line
    is left empty.
    """
    if "\r" in text:
        return sum(map(_cost_of.__getitem__, _RUNS(text)))
    # Line ends alone go on from one line to the next: an empty line makes a run longer.
    lines = text.split("\n")
    cost = sum(map(_cost_of_line.__getitem__, lines))
    ends = len(lines) - 1
    return cost + _LINE_END * ends + _LINE_ENDS * (ends - lines[1:-1].count(""))


def weigh_indented(line: str) -> int:
    """`weigh` of a line behind two blanks, of which nothing is kept for the next time; the line neither
    begins nor ends with a blank."""
    words = line.split(" ")
    if "" in words or "\t" in line or "0" <= line[0] <= "9":
        return sum(map(_cost_of.__getitem__, _RUNS(f"  {line}")))
    return sum(map(_cost_of_word.__getitem__, words)) + _INDENT


def _cost(run: str) -> int:
    last = run[-1]
    if last in "0123456789":
        return _number(run)
    if last in " \t":
        return _blanks(len(run))
    if last in "\n\r":
        return _LINE_ENDS + _LINE_END * len(run)
    if last.isascii() and not last.isalpha() and last.isprintable():
        return _PUNCTUATION + _SIGN_MORE * len(run)
    if run[0].isascii() and run[0].isalpha():
        return _word(run)
    return _word(run) if _IS_MARKED(run) else _by_script(run)


def _number(run: str) -> int:
    digits = run.lstrip(" \t")
    before = len(run) - len(digits)
    cost = 122 * -(-len(digits) // 3)
    if before:
        cost += 50
    return cost + (_blanks(before) if before > 1 else 0)


def _blanks(length: int) -> int:
    return 40 + length // 4


_INDENT = _blanks(2)


def _word(run: str) -> int:
    cost = 105 + 11 * max(0, len(run) - 6)
    if "A" <= run[0] <= "Z":
        capitals = 1 if run[1:].islower() else sum("A" <= letter <= "Z" for letter in run)
        cost += 32 + 15 * capitals
    return cost if run.isascii() else cost + _by_script([letter for letter in run if not letter.isascii()])


def _by_script(characters: str | list[str]) -> int:
    return sum(_SCRIPTS[bisect_right(_STARTS, ord(character)) - 1][1] for character in characters)
