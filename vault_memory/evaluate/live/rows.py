"""The figures of a vault that is kept open: what each is, what it stands beside, what it is held to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from vault_memory.evaluate.bar import P95, P99, RATIO, Bar
from vault_memory.evaluate.live.saves import SAVES

ANY = 0
"""Stands for vaults of any size."""
AGENTS = (1, 10, 100)
"""So many agents ask in turn."""
CHANGES = 2_000
"""So many files a checkout changes, in a vault that is large enough."""

ROUND_TRIP = "a line to another process and back"
DURABLE = "a durable write"
BARE = "python -c pass"
LEAST_COMMIT = "a commit by libgit2 in an empty repository"
HEARD = "a file moved, until the system tells of it"
WALK = "a walk over all files, each asked for its times"
BARE_MEMORY = "an idle Python"
ONE_AGENT = "the same of one agent"
"""What stands beside a figure: the least that its kind can take, measured in the same run."""


@dataclass(frozen=True, slots=True)
class Row:
    """A figure: its name, unit and floor, its bars by number of memories, and what happens."""

    what: str
    unit: str
    floor: str
    doc: str
    bars: Mapping[int, Bar] = field(default_factory=dict)


_RECALL_MS = {1_000: Bar(1), 10_000: Bar(3), 100_000: Bar(8)}

ASKED = "recall of 2,000 tokens, socket"
RECALL = Row(
    f"{ASKED}, keyword only",
    "ms",
    ROUND_TRIP,
    "a line to the resident's socket and one back: from making it to the value in hand",
    _RECALL_MS,
)
SEARCH = Row("search, socket, keyword only", "ms", ROUND_TRIP, "the same, ten results")
AGAIN = Row(
    f"{ASKED}, asked again",
    "ms",
    ROUND_TRIP,
    "a question that was asked just before, of the same generation of the index",
    {ANY: Bar(0.2)},
)
CONNECTED = Row(
    f"{ASKED}, by connect(), keyword only",
    "ms",
    ROUND_TRIP,
    "the same as a Python program asks it, by `vault_memory.connect`",
)
MEANING_RECALL = Row(
    f"{ASKED}, keyword + meaning", "ms", ROUND_TRIP, "the default embedder, the question's vector included"
)
MEANING_SEARCH = Row("search, socket, keyword + meaning", "ms", ROUND_TRIP, "the same, ten results")

_BY_MCP = "recall of 2,000 tokens, MCP"
MCP_RECALL = Row(
    f"{_BY_MCP}, resident up",
    "ms",
    ROUND_TRIP,
    "a line to `vmem mcp` and one back, keyword only; it asks the resident",
    {10_000: Bar(5)},
)
MCP_CPU = Row(f"{MCP_RECALL.what}, CPU", "ms", ROUND_TRIP, "of the server and the resident together")
MCP_AGAIN = Row(
    f"{_BY_MCP}, asked again", "ms", ROUND_TRIP, "a question that was asked just before, with the resident"
)
MCP_ALONE = Row(
    f"{_BY_MCP}, no resident", "ms", ROUND_TRIP, "the server keeps the vault open itself", {10_000: Bar(5)}
)
MCP_ALONE_CPU = Row(f"{MCP_ALONE.what}, CPU", "ms", ROUND_TRIP, "of the server")

_TWICE = {ANY: Bar(2, RATIO)}
CALL_WALL = Row(
    "vmem recall, a process, resident up",
    "ms",
    BARE,
    "a shell runs `vmem recall`, start and end included; `python -c pass` after each",
    _TWICE,
)
CALL_CPU = Row(f"{CALL_WALL.what}, CPU", "ms", BARE, "user and system time of that process", _TWICE)
CALL_SEARCH = Row("vmem search, a process, resident up", "ms", BARE, "the same of `vmem search`")
CALL_REMEMBER = Row(
    "vmem remember, a process, resident up",
    "ms",
    BARE,
    "the same of `vmem remember`, which awaits its commit",
)
CALL_HOOK = Row(
    "vmem hook user-prompt-submit, a process, resident up",
    "ms",
    BARE,
    "an agent's program runs it with a prompt on stdin, each of a new session; start and end included",
    {ANY: Bar(60)},
)
FIRST_CALL = Row(
    "vmem recall that starts the resident",
    "ms",
    BARE,
    "no resident runs; the command answers all the same",
    {ANY: Bar(1500)},
)

ACKNOWLEDGED = Row(
    "remember, socket, acknowledged",
    "ms",
    DURABLE,
    "one memory, when those before are committed: until the resident has answered",
    {ANY: Bar(2)},
)
LAG = Row(
    f"{ACKNOWLEDGED.what} → in HEAD", "ms", LEAST_COMMIT, "from that answer until HEAD holds its commit"
)
IN_ROW = Row(
    "remember, socket, no pause",
    "ms",
    DURABLE,
    "one memory at once after the other (`--many`), each answered",
)
RATE = Row(
    f"{IN_ROW.what}, rate",
    "/s",
    "",
    "memories a second of that, until the last is committed",
    {ANY: Bar(200, least=True)},
)
IN_ROW_LAG = Row(
    f"{IN_ROW.what} → in HEAD",
    "ms",
    LEAST_COMMIT,
    "from each answer until HEAD holds that commit",
    {10_000: Bar(500, P99)},
)

SAVED = {
    save.name: Row(
        f"{save.name} → recalled",
        "ms",
        HEARD,
        "from the end of the save until an answer over the socket knows it",
        {ANY: Bar(300, P95)},
    )
    for save in SAVES
}

CHECKOUT = Row(
    "git checkout → all recalled",
    "s",
    WALK,
    f"a branch on which {CHANGES:,} files (of a smaller vault, one in five) are changed, new or gone: from"
    " the end of the command until a listing knows them all",
    {10_000: Bar(3)},
)
CHECKOUT_ANSWER = Row(
    "longest wait for an answer meanwhile", "ms", ROUND_TRIP, "of all questions asked before it knew them all"
)

STARTED = Row(
    "daemon start → it listens", "ms", BARE, "from the start of that command, with one file changed"
)
STARTED_ANSWER = Row(
    "first answer after the start", "ms", ROUND_TRIP, "to a question asked the moment that it listens"
)
RECONCILED = Row(
    "start-up reconcile",
    "ms",
    WALK,
    "the resident's first comparison of all files with the index, as it says itself",
    {10_000: Bar(150), 100_000: Bar(1500)},
)

REST_CPU = Row(
    "resident at rest, CPU", "%", "", "of one core, over some seconds in which nobody asks", {ANY: Bar(1)}
)
REST_MEMORY = Row(
    "resident at rest, memory",
    "MB",
    BARE_MEMORY,
    "resident set, with the default embedder, after questions and with all vectors",
    {10_000: Bar(250)},
)

SHARED = {
    agents: Row(
        f"CPU of a recall, {agents} agent{'s' * (agents > 1)}",
        "ms",
        ONE_AGENT if agents > 1 else ROUND_TRIP,
        "of the resident, the agents asking in turn over connections of their own",
        {ANY: Bar(1.5, RATIO)} if agents > 1 else {},
    )
    for agents in AGENTS
}

PARTS: dict[str, tuple[Row, ...]] = {
    "socket": (RECALL, SEARCH, AGAIN, CONNECTED),
    "agents": tuple(SHARED.values()),
    "mcp": (MCP_RECALL, MCP_CPU, MCP_AGAIN, MCP_ALONE, MCP_ALONE_CPU),
    "saves": tuple(SAVED.values()),
    "checkout": (CHECKOUT, CHECKOUT_ANSWER),
    "startup": (STARTED, STARTED_ANSWER, RECONCILED),
    "meaning": (MEANING_RECALL, MEANING_SEARCH, REST_CPU, REST_MEMORY),
    "process": (CALL_WALL, CALL_CPU, CALL_SEARCH, CALL_REMEMBER, CALL_HOOK, FIRST_CALL),
    "acknowledge": (ACKNOWLEDGED, LAG, IN_ROW, RATE, IN_ROW_LAG),
}
"""The figures of each probe."""

ROWS = tuple(row for rows in PARTS.values() for row in rows)
BARS = {(row.what, memories): bar for row in ROWS for memories, bar in row.bars.items()}


def bars_markdown() -> str:
    """The table of docs/benchmarks.md: every figure, what it stands beside, and what it is held to."""
    lines = ["| figure | what happens | floor | bar |", "|---|---|---|---|"]
    lines += [f"| {row.what} | {row.doc} | {row.floor or '–'} | {_bars(row) or '–'} |" for row in ROWS]
    return "\n".join(lines) + "\n"


def _bars(row: Row) -> str:
    return ", ".join(
        bar.text(row.unit) + (f" at {memories:,}" if memories else "") for memories, bar in row.bars.items()
    )
