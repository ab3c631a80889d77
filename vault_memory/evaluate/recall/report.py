"""A result, and a comparison of two, as tables for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from vault_memory.evaluate.recall import notes
from vault_memory.evaluate.recall.chance import FLIPS, SAMPLES, SEED, Difference, Interval, intervals
from vault_memory.evaluate.recall.compare import Compared
from vault_memory.evaluate.recall.groups import Group, groups
from vault_memory.evaluate.recall.result import Answerable, Result
from vault_memory.render.style import cells, counted, filled, harmless, styled

KEY = ("R@10", "MRR", "notes R@5", "within 1000", "within 2000")
"""The figures of each category of a data set; the JSON has all."""
_ALONE = "Questions of one conversation are not independent: the true intervals are somewhat wider."


def render_result(result: Result, *, colour: bool) -> str:
    """What was measured, each figure with its interval by half, and the main ones by category."""
    parts = ["\n".join(_measured(result)), _figures(result, colour=colour)]
    by_category = [group for group in groups(result.asked) if group.category is not None]
    if by_category:
        parts.append(_categories(result, by_category, colour=colour))
    if result.answerable is not None:
        parts.append(_answerable(result.answerable, colour=colour))
    parts.append(f"In brackets 95 % intervals: bootstrap over questions, {SAMPLES:,} draws, seed {SEED}.")
    if result.form != notes.FORM:
        parts[-1] += f"\n{_ALONE}"
    return "\n\n".join(parts) + "\n"


def render_compared(compared: Compared, *, colour: bool) -> str:
    """Both runs, then for each half a line a metric: A, B, the difference and what chance can do."""
    parts = [f"A  {_setup(compared.a)}\nB  {_setup(compared.b)}"]
    for half, by_metric in compared.halves.items():
        asked = sum(half in {None, one.half} for one in compared.a.asked)
        rows = [
            [
                f"{half or 'all'} ({counted(asked, 'question')})",
                "A",
                "B",
                "B − A",
                "95 %",
                "better",
                "worse",
                "p",
            ],
            *(
                [_label(compared.a, metric), *_changed(one)]
                for metric, one in by_metric.items()
                if one is not None
            ),
        ]
        parts.append(_aligned(rows, colour=colour))
    parts.append(
        f"95 %: paired bootstrap over questions, {SAMPLES:,} draws; p: the signs of the differences turned"
        f" at random {FLIPS:,} times; seed {SEED}." + (f"\n{_ALONE}" if compared.a.form != notes.FORM else "")
    )
    return "\n\n".join(parts) + "\n"


def _measured(result: Result) -> Iterator[str]:
    told = ", ".join(
        counted(number, *_NOUNS[what]) for what, number in result.counts.items() if what in _NOUNS
    )
    how = ", all in one vault" if result.together else ""
    who = f", asked as {result.asked_as}" if result.asked_as else ""
    yield f"{harmless(result.name)}: {told}{how}{who}"
    yield f"vmem {result.vmem}, {_embedder(result)}, {_settings(result)}"
    if left := result.counts["left_out"]:
        yield f"{counted(left, 'more question')} that nothing there answers: not asked."
    if result.mixed:
        files, named = counted(len(result.mixed), "session"), ", ".join(result.mixed[:3])
        more = " …" if len(result.mixed) > 3 else ""
        yield f"In {files} a passage holds more than one turn, and shows them all: {named}{more}"


_NOUNS = {
    "conversations": ("conversation",),
    "sessions": ("session",),
    "turns": ("turn",),
    "memories": ("memory", "memories"),
    "questions": ("question",),
}


def _embedder(result: Result) -> str:
    return f"embedder {harmless(result.embedder)} ({'; '.join(map(harmless, result.modes))})"


def _settings(result: Result) -> str:
    if not result.settings:
        return "default settings"
    return ", ".join(f"{key} = {harmless(str(value))}" for key, value in result.settings.items())


def _setup(result: Result) -> str:
    together = ", all in one vault" if result.together else ""
    return f"{harmless(result.name)}{together}, vmem {result.vmem}, {_embedder(result)}, {_settings(result)}"


def _figures(result: Result, *, colour: bool) -> str:
    halves = groups(result.asked, by_category=False)
    found = [intervals([result.asked[at].values for at in group.members]) for group in halves]
    rows = [["", *(f"{group.half or 'all'} ({len(group.members):,})" for group in halves)]]
    rows += [
        [_label(result, metric), *(_interval(column[at]) for column in found)]
        for at, metric in enumerate(result.metrics)
    ]
    return _aligned(rows, colour=colour)


def _categories(result: Result, found: Sequence[Group], *, colour: bool) -> str:
    key = result.metrics if result.form == notes.FORM else KEY
    places = [result.metrics.index(metric) for metric in key]
    rows = [["", "questions", *(_short(metric) for metric in key)]]
    for group in found:
        means = [_mean([result.asked[at].values[place] for at in group.members]) for place in places]
        name = f"  {group.half}" if group.half else harmless(group.category or "")
        rows.append([name, f"{len(group.members):,}", *means])
    return _aligned(rows, colour=colour)


def _answerable(found: Answerable, *, colour: bool) -> str:
    rows = [
        ["best score of a question", "mean", *(f"≥ {one.score:g}" for one in found.thresholds)],
        [
            "  of its own conversation",
            _plain(found.mean_own),
            *(f"{one.own:.0%}" for one in found.thresholds),
        ],
        [
            "  of another's",
            _plain(found.mean_strangers),
            *(f"{one.strangers:.0%}" for one in found.thresholds),
        ],
    ]
    return _aligned(rows, colour=colour)


def _label(result: Result, metric: str) -> str:
    word, _, tokens = metric.partition(" ")
    if word != "within":
        return metric
    return f"{'recalled' if result.form == notes.FORM else 'evidence'} within {int(tokens):,} tokens"


def _short(metric: str) -> str:
    word, _, tokens = metric.partition(" ")
    return f"in {int(tokens):,}" if word == "within" else metric


def _changed(one: Difference) -> list[str]:
    return [
        _plain(one.a),
        _plain(one.b),
        _signed(one.difference.mean),
        f"{_signed(one.difference.low)} … {_signed(one.difference.high)}",
        f"{one.better:,}",
        f"{one.worse:,}",
        _plain(one.p) if one.p >= 0.001 else "< .001",
    ]


def _mean(values: Sequence[float | None]) -> str:
    held = [one for one in values if one is not None]
    return _plain(sum(held) / len(held)) if held else "–"


def _interval(one: Interval | None) -> str:
    return "–" if one is None else f"{_plain(one.mean)} [{_plain(one.low)} {_plain(one.high)}]"


def _plain(value: float) -> str:
    """Three decimals, without the nought in front."""
    return f"{value:.3f}".removeprefix("0")


def _signed(value: float) -> str:
    shown = f"{value:+.3f}"
    return f"{shown[0]}{shown[1:].removeprefix('0')}" if shown.strip("+-0.") else "0"


def _aligned(rows: Sequence[Sequence[str]], *, colour: bool) -> str:
    """The rows under their head, the first column to the left and the others to the right."""
    widths = [max(map(cells, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join(
            [filled(row[0], widths[0])]
            + [" " * (width - cells(text)) + text for text, width in zip(row[1:], widths[1:], strict=True)]
        ).rstrip()
        for row in rows
    ]
    return "\n".join([styled(lines[0], "dim", colour=colour), *lines[1:]])
