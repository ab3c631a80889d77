"""What has changed in memories, as text: what to look at, changed keys, and the text word by word."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from vault_memory.model.clip import clip_words
from vault_memory.model.comparison import Comparison, Difference, How, KeyChange
from vault_memory.model.revision import short
from vault_memory.model.worddiff import GONE, KEPT, NEW, Line, Piece, hunks
from vault_memory.render.style import cells, counted, filled, harmless, styled

_COLOURS = {How.ADDED: "green", How.REMOVED: "red", How.MOVED: "cyan", How.EDITED: "yellow"}
_PIECES = {GONE: "red", NEW: "green", KEPT: ""}
_SIGNS = {GONE: ("[-", "-]"), NEW: ("{+", "+}"), KEPT: ("", "")}
"""How pieces within a line are told apart where there is no colour."""
LONG, EDGE = 160, 60
"""Characters: of what stayed so long in a changed line, this much is shown beside the change."""


def render_comparison(comparison: Comparison, *, colour: bool) -> str:
    """Each memory with what is different in it, and the count."""
    blocks = ["\n".join(_block(one, colour)) for one in comparison.differences]
    return "\n\n".join([*blocks, summary(comparison)])


def points(comparison: Comparison) -> str:
    """What was compared, on one line."""
    if comparison.older in ("", f"{comparison.newer}^"):
        return f"commit {_point(comparison.newer)}"
    return f"{_point(comparison.older)} → {_point(comparison.newer)}"


def summary(comparison: Comparison) -> str:
    """How many memories differ, and in what way."""
    between = points(comparison)
    every = comparison.differences
    if not every:
        return f"No memory differs ({between})."
    counts = [(how, sum(one.how is how for one in every)) for how in How]
    said = ", ".join(f"{number} {how.value}" for how, number in counts if number)
    flagged = sum(bool(one.flags) for one in every)
    look = f"; {flagged:,} to look at" if flagged else ""
    return f"{counted(len(every), 'memory', 'memories')}: {said}{look} ({between})"


def _point(text: str) -> str:
    """A commit's full name is shortened; what a person typed stays."""
    hexes = text.rstrip("^")
    is_full = len(hexes) in (40, 64) and all(one in "0123456789abcdef" for one in hexes)
    return harmless(short(hexes) + text[len(hexes) :] if is_full else text)


def _block(one: Difference, colour: bool) -> Iterator[str]:
    moved = f" from {harmless(one.came_from)}" if one.came_from is not None else ""
    path = styled(harmless(one.path), "bold", colour=colour)
    yield f"{path}   {styled(one.how.value, _COLOURS[one.how], colour=colour)}{moved}"
    for flag in one.flags:
        at = f":{flag.line}" if flag.line else ""
        yield styled(f"  ! {flag.name}{at}  {harmless(flag.message)}", "yellow", colour=colour)
    yield from _keys(one.keys, colour)
    for hunk in hunks(one.lines):
        yield styled(f"  {hunk.at}", "cyan", colour=colour)
        for line in hunk.lines:
            yield f"  {_line(line, colour)}"
    if one.only_form:
        yield "  says the same: only line ends, quotes or remarks differ"


def _line(line: Line, colour: bool) -> str:
    """A whole line behind its sign, as `diff` has them; one that was changed within behind a `~`."""
    if len(line) == 1:
        mark, text = line[0]
        sign = " " if mark == KEPT else mark
        return styled(harmless(f"{sign}{text}"), _PIECES[mark], colour=colour and mark != KEPT)
    shown = []
    for mark, text in elided(line):
        before, behind = ("", "") if colour else _SIGNS[mark]
        shown.append(
            styled(f"{before}{harmless(text)}{behind}", _PIECES[mark], colour=colour and mark != KEPT)
        )
    return "~" + "".join(shown)


def elided(line: Line) -> Line:
    """Without most of what stayed, where that is long."""
    last = len(line) - 1

    def shortened(at: int, piece: Piece) -> Piece:
        if piece.mark != KEPT or len(piece.text) <= LONG:
            return piece
        head = clip_words(piece.text, EDGE) if at else ""
        tail = _behind_a_blank(piece.text[-EDGE:]) if at < last else ""
        return Piece(KEPT, f"{head} … {tail}" if head and tail else f"{head} …" if head else f"… {tail}")

    return tuple(shortened(at, piece) for at, piece in enumerate(line))


def _behind_a_blank(text: str) -> str:
    _, blank, rest = text.partition(" ")
    return rest if blank and rest.strip() else text


def _keys(changes: Sequence[KeyChange], colour: bool) -> Iterator[str]:
    width = max((cells(harmless(one.key)) for one in changes), default=0)
    for one in changes:
        key = filled(harmless(one.key), width)
        if one.before is None:
            yield styled(f"  + {key}  {value(one.after)}", "green", colour=colour)
        elif one.after is None:
            yield styled(f"  - {key}  {value(one.before)}", "red", colour=colour)
        else:
            yield f"  ~ {key}  {value(one.before)} → {value(one.after)}"


def value(found: object) -> str:
    """A front matter value on one line."""
    if isinstance(found, list | tuple):
        return f"[{', '.join(map(value, found))}]"
    if isinstance(found, dict):
        return f"{{{', '.join(f'{harmless(str(key))}: {value(each)}' for key, each in found.items())}}}"
    return '""' if found == "" else harmless(str(found))
