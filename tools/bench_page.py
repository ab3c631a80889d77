"""The figures of a live vault in docs/benchmarks.md, from a run's JSON.

vmem bench --only live --json > run.json
python tools/bench_page.py run.json           prints the block
python tools/bench_page.py run.json --write   puts it into the page
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from vault_memory.evaluate.live.rows import ROWS

PAGE = Path(__file__).parent.parent / "docs" / "benchmarks.md"
BEGIN = "<!-- live figures: written by tools/bench_page.py from a run -->"
END = "<!-- end of the run -->"

Json = dict[str, Any]


def block(run: Json) -> str:
    """The machine, its load, and a table of medians, a column for each size of vault."""
    machine, sizes = run["machine"], run["sizes"]
    least, most = run["loads"]
    found = {(one["what"], one["memories"]): one for one in run["figures"]}
    lines = [
        ", ".join(
            [
                *(machine[key] for key in ("system", "file_system")),
                f"{machine['cores']} cores",
                *(f"{key} {machine[key]}" for key in ("python", "git", "vmem")),
                f"load {least:.1f} to {most:.1f} while it ran",
                f"{run['rounds']} rounds, {run['queries']} questions, {run['many']:,} writes in a row.",
            ]
        )
        + " Medians, or what the bar is for.",
        "",
        f"| figure | {' | '.join(f'{size:,}' for size in sizes)} |",
        f"|---|{'---|' * len(sizes)}",
    ]
    for row in ROWS:
        cells = [_cell(found.get((row.what, size))) for size in sizes]
        lines.append(f"| {row.what} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _cell(figure: Json | None) -> str:
    if figure is None:
        return "–"
    if figure["not_measured"]:
        return f"not measured: {figure['not_measured']}"
    of = figure["bar_of"] if figure["bar_of"] in ("p95", "p99") else "median"
    beside = f" ({_number(figure['times_floor'])} × floor)" if figure["times_floor"] is not None else ""
    missed = " (bar missed)" if figure["missed_by"] else ""
    named = "" if of == "median" else f"{of} "
    return f"{named}{_number(figure[of])} {figure['unit']}{beside}{missed}"


def _number(value: float) -> str:
    return f"{value:,.{0 if value >= 100 else 1 if value >= 10 else 2}f}"


def main(argv: list[str]) -> int:
    """Print the block, or write it into the page."""
    written = block(json.loads(Path(argv[0]).read_text(encoding="utf-8")))
    if "--write" not in argv[1:]:
        print(written, end="")
        return 0
    text = PAGE.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    _, found, after = rest.partition(END)
    if not found:
        print(f"{PAGE.name} has no place for it: {BEGIN} … {END}", file=sys.stderr)
        return 1
    PAGE.write_text(f"{before}{BEGIN}\n{written}{END}{after}", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
