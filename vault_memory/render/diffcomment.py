"""What has changed in memories, as a comment for a pull request: what to look at first, the rest folded.

A memory's text is somebody's, and a comment speaks in the name of whoever posts it. So all that comes from a
memory stands escaped within `<code>` and `<pre>`, in blocks of HTML in which no Markdown is read: it can
open no tag, mention nobody, link nowhere and close nothing that it did not open.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from vault_memory.model.clip import clip
from vault_memory.model.comparison import Comparison, Difference, How
from vault_memory.model.flags.table import ROWS
from vault_memory.model.pullrequest.mark import MARK
from vault_memory.model.worddiff import GONE, KEPT, NEW, Line, hunks
from vault_memory.render.diff import elided, points, summary, value
from vault_memory.render.style import counted, harmless

MOST = 65_000
"""UTF-16 units of a whole comment; forges take 65,536, and whoever posts it may add a line."""
TEXT, LEAST_TEXT = 6_000, 600
"""Characters of one memory's text at most, so that one long note does not take the place of all: where there
are many, fewer, but not fewer than the second."""
VALUE, TITLE, NOTICES = 300, 120, 5
FLAGS = 100
"""So many flags are listed at most."""
FLAGS_SHARE = 0.4
"""Of a comment's room the list of flags takes no more."""
HEADINGS = {How.ADDED: "Added", How.EDITED: "Edited", How.MOVED: "Moved", How.REMOVED: "Removed"}
_CALLS = re.compile(r"(?<=[@#!~&^$])(?=\w)")
"""Behind a sign by which a forge finds a name, a number or a label."""
_APART = "\u2060"
_BETWEEN = 2
"""Line ends between two blocks."""
_TAGS = {GONE: ("<del>", "</del>"), NEW: ("<ins>", "</ins>"), KEPT: ("", "")}


@dataclass(slots=True)
class _Entry:
    """One memory as it may be shown: on a line, or folded with all that differs."""

    one: Difference
    line: str
    whole: str
    cut: bool
    """Whether even `whole` leaves some of its text out."""
    shown: str = ""


def render_comment(comparison: Comparison, *, most: int = MOST) -> str:
    """The comment, of at most that many UTF-16 units; what is left out is counted in it.

    Equal comparisons give equal comments. The more room there is, the more memories are shown whole: those
    with flags first, then by path."""
    head = [MARK, f"<h3>{_plain(summary(comparison))}</h3>", *_notices(comparison)]
    if not comparison.differences:
        return "\n\n".join(head) + "\n"
    room = most - _size("\n\n".join(head)) - 600  # for headings and the last line
    flags = _flags(comparison, int(room * FLAGS_SHARE))
    room -= _size(flags) + 2
    share = max(LEAST_TEXT, min(TEXT, 2 * room // len(comparison.differences)))
    entries = [_entry(one, share) for one in comparison.differences]
    _choose(entries, room)
    parts = [*head, *([flags] if flags else [])]
    for how, heading in HEADINGS.items():
        shown = [entry.shown for entry in entries if entry.one.how is how and entry.shown]
        count = sum(entry.one.how is how for entry in entries)
        if shown:
            parts += [f"<h4>{heading} ({count:,})</h4>", *shown]
    rest = _left_out(comparison, entries)
    if rest:
        parts.append(rest)
    return "\n\n".join(parts) + "\n"


def _notices(comparison: Comparison) -> Iterator[str]:
    for notice in comparison.notices[:NOTICES]:
        yield f"<p>{_code(_short(notice))}</p>"


def _flags(comparison: Comparison, room: int) -> str:
    """The flags, the weightiest first and of one kind by path."""
    order = {row.name: place for place, row in enumerate(ROWS)}
    every = [(order[flag.name], one, flag) for one in comparison.differences for flag in one.flags]
    if not every:
        return ""
    lines: list[str] = []
    used = 0
    for _, one, flag in sorted(every, key=lambda row: (row[0], row[1].path)):
        place = f"{one.path}:{flag.line}" if flag.line else one.path
        line = f"<li><b>{flag.name}</b> {_code(place)} {_code(flag.message)}</li>"
        if len(lines) == FLAGS or used + _size(line) > room:
            break
        lines.append(line)
        used += _size(line) + 1
    more = len(every) - len(lines)
    if more:
        lines.append(f"<li>and {counted(more, 'more flag')}</li>")
    return "\n".join(["<h4>To look at</h4>", "<ul>", *lines, "</ul>"])


def _entry(one: Difference, chars: int) -> _Entry:
    kinds = "".join(f" · <b>{name}</b>" for name in dict.fromkeys(flag.name for flag in one.flags))
    moved = f" from {_code(one.came_from)}" if one.came_from is not None else ""
    named = f"{_code(one.path)} {_code(clip(one.title, TITLE, ellipsis='…'))}{moved}{kinds}"
    text, cut = _text(one, chars)
    parts = [f"<details><summary>{named}</summary>", *_keys(one)]
    if one.only_form:
        parts.append("<p>Says the same: only line ends, quotes or remarks differ.</p>")
    # A block of <pre> is one of its own: in the one around it a blank line would end the HTML.
    whole = "\n".join(parts) + (f"\n\n{text}\n\n" if text else "\n") + "</details>"
    return _Entry(one, f"<p>{named}</p>", whole, cut)


def _keys(one: Difference) -> Iterator[str]:
    rows = []
    for change in one.keys:
        cells = [
            change.key,
            *("" if side is None else _short(value(side)) for side in (change.before, change.after)),
        ]
        rows.append("<tr>" + "".join(f"<td>{_code(cell) if cell else ''}</td>" for cell in cells) + "</tr>")
    if rows:
        yield "<table><tr><th>key</th><th>before</th><th>now</th></tr>"
        yield from rows
        yield "</table>"


def _text(one: Difference, chars: int) -> tuple[str, bool]:
    """The changes of the text in that many characters, and whether some are left out."""
    lines: list[str] = []
    used = 0
    every = [
        shown
        for hunk in hunks(one.lines)
        for shown in (f"<i>{_plain(hunk.at)}</i>", *(_line(line, chars // 2) for line in hunk.lines))
    ]
    for shown in every:
        used += len(shown)
        if used > chars:
            lines.append(f"<i>… and {counted(len(every) - len(lines), 'more line')}</i>")
            return f"<pre>{chr(10).join(lines)}</pre>", True
        lines.append(shown)
    return (f"<pre>{chr(10).join(lines)}</pre>" if lines else ""), False


def _line(line: Line, chars: int) -> str:
    whole = line[0].mark if len(line) == 1 else "~"
    sign = " " if whole == KEPT else whole
    shown = []
    for mark, text in elided(line):
        before, behind = _TAGS[mark]
        shown.append(f"{before}{_plain(clip(text, chars, ellipsis='…'))}{behind}")
    return sign + "".join(shown)


def _choose(entries: Sequence[_Entry], room: int) -> None:
    """Who is shown how: with flags whole, as far as half the room goes; each other on a line; then whole as
    long as there is room."""
    flagged = [entry for entry in entries if entry.one.flags]
    rest = [entry for entry in entries if not entry.one.flags]
    left = room - (room // 2 - _grow(flagged, room // 2, whole=True))
    left = _grow([*flagged, *rest], left, whole=False)
    _grow([*flagged, *rest], left, whole=True)


def _grow(entries: Sequence[_Entry], room: int, *, whole: bool) -> int:
    """Show each as far as there is room for more of it; the room that is left."""
    for entry in entries:
        form = entry.whole if whole else entry.line
        more = _size(form) + _BETWEEN - (_size(entry.shown) + _BETWEEN if entry.shown else 0)
        if 0 < more <= room:
            entry.shown = form
            room -= more
    return room


def _left_out(comparison: Comparison, entries: Sequence[_Entry]) -> str:
    absent = sum(not entry.shown for entry in entries)
    bare = sum(entry.shown == entry.line for entry in entries)
    cut = sum(entry.cut and entry.shown == entry.whole for entry in entries)
    told = [
        f"{counted(number, 'memory', 'memories')} {what}"
        for number, what in (
            (absent, "altogether"),
            (bare, "but for the name"),
            (cut, "in part"),
        )
        if number
    ]
    if not told:
        return ""
    between = _code(points(comparison))
    return (
        f"<p>For want of room this leaves out {', '.join(told)}."
        f" <code>vmem diff</code> shows all of it ({between}).</p>"
    )


def _short(text: str) -> str:
    return clip(text, VALUE, ellipsis="…")


def _code(text: str) -> str:
    return f"<code>{_plain(text)}</code>"


def _plain(text: str) -> str:
    """Text of a memory on one line, escaped; no name in it calls anybody."""
    return escape(_CALLS.sub(_APART, harmless(text)))


def _size(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2
