"""Questions over the socket: each once, one again and again, through `connect()`, and of many agents."""

from __future__ import annotations

from vault_memory.evaluate import figures
from vault_memory.evaluate.figures import Figure, of, unmeasured
from vault_memory.evaluate.live import floors, rows, usage
from vault_memory.evaluate.live.resident import Answers, Json, Resident, call
from vault_memory.evaluate.live.rows import Row
from vault_memory.evaluate.probes import TOKENS, WARM_UP, expect
from vault_memory.evaluate.scene import Scene

AGENT = "akashi"
AT_ONCE = 50
"""So many questions are handed over at a time, so that progress can be told between."""
TEN = 10
"""So many questions at least make one sample of CPU time."""


def over_the_socket(scene: Scene) -> list[Figure]:
    """Recall and search by keyword, each question once; then one of them again; then through `connect()`."""
    resident, size = scene.resident(), scene.size
    trips = floors.round_trips(scene.plan.queries, scene.folder)
    found = _reads(scene, resident, (rows.RECALL, rows.SEARCH), figures.KEYWORD, trips)
    again = _recalls(scene, resident, [scene.author.query(0, size)] * (scene.plan.queries + 1))
    return [*found, of(rows.AGAIN, size, again.took[1:], trips), _connected(scene, resident, trips)]


def by_meaning(scene: Scene) -> list[Figure]:
    """The same with the default embedder; then what the resident costs that was asked so, at rest."""
    from vault_memory.evaluate.live.rest import at_rest

    trips = floors.round_trips(scene.plan.queries, scene.folder)
    with scene.by_meaning() as resident:
        found = _reads(scene, resident, (rows.MEANING_RECALL, rows.MEANING_SEARCH), figures.MEANING, trips)
        return [*found, *at_rest(scene, resident)]


def of_many_agents(scene: Scene) -> list[Figure]:
    """The CPU time of the resident for a recall, as more and more agents ask in turn."""
    resident = scene.resident()
    found: list[Figure] = []
    floor = floors.round_trips(scene.plan.queries, scene.folder)
    for agents in rows.AGENTS:
        row = rows.SHARED[agents]
        spent = _spent(scene, resident, agents)
        if not spent:
            found.append(unmeasured(row, scene.size, usage.NOT_TOLD))
            continue
        found.append(of(row, scene.size, spent, floor))
        if agents == rows.AGENTS[0]:
            floor = spent
    return found


def _spent(scene: Scene, resident: Resident, agents: int) -> tuple[float, ...]:
    """CPU milliseconds of the resident for a question, one sample a round of all agents; empty where the
    system does not tell."""
    each = max(1, TEN // agents)
    rounds = max(2, scene.plan.queries // (each * agents))
    what = f"{agents} agents ask {scene.size:,} memories"
    _in_turn(scene, resident, agents, each, 0)  # the first question of each reads what that one may see
    samples: list[float] = []
    for at in range(rounds):
        scene.progress(what, at, rounds)
        before = usage.cpu_ms(resident.pid)
        _in_turn(scene, resident, agents, each, 1 + at)
        after = usage.cpu_ms(resident.pid)
        if before is None or after is None:
            return ()
        samples.append((after - before) / (each * agents))
    scene.progress(what, rounds, rounds)
    return tuple(samples)


def _in_turn(scene: Scene, resident: Resident, agents: int, each: int, round_: int) -> None:
    """Every agent asks so many questions of its own over its own connection, one at a time: what is asked in
    one go costs less, and would make few agents look cheap."""
    for number in range(each * agents):
        name = f"agent-{number % agents}"
        text = scene.author.query(round_ * each * agents + number, scene.size)
        resident.ask(_recall(text, name), link=name)


def _reads(
    scene: Scene, resident: Resident, pair: tuple[Row, Row], mode: str, trips: tuple[float, ...]
) -> list[Figure]:
    """Recalls and searches, each of a question of its own; all are found as they have to be."""
    queries, size = scene.plan.queries, scene.size
    texts = [scene.author.query(number, size) for number in range(WARM_UP + 2 * queries)]
    _recalls(scene, resident, texts[:WARM_UP])
    recalls = _recalls(scene, resident, texts[WARM_UP : WARM_UP + queries])
    searches = _all(
        scene, resident, [call("search", AGENT, query=text) for text in texts[WARM_UP + queries :]]
    )
    for value in recalls.values:
        expect(bool(value["memories"]), f"{value['query']!r} stands in a memory and was not recalled")
    for value in searches.values:
        expect(bool(value["hits"]), f"{value['query']!r} stands in a memory and was not found")
    for value in (*recalls.values, *searches.values):
        expect(value["mode"].startswith(mode), f"{value['query']!r} was asked by {value['mode']}")
    return [of(pair[0], size, recalls.took, trips), of(pair[1], size, searches.took, trips)]


def _connected(scene: Scene, resident: Resident, trips: tuple[float, ...]) -> Figure:
    texts = [
        scene.author.query(100_000 + number, scene.size) for number in range(scene.plan.queries + WARM_UP)
    ]
    answers = resident.connected(AGENT, [("recall", _given(text)) for text in texts])
    expect(all(value["memories"] for value in answers.values), "a question through connect() found nothing")
    return of(rows.CONNECTED, scene.size, answers.took[WARM_UP:], trips)


def _recalls(scene: Scene, resident: Resident, texts: list[str]) -> Answers:
    return _all(scene, resident, [_recall(text, AGENT) for text in texts])


def _all(scene: Scene, resident: Resident, lines: list[Json]) -> Answers:
    parts: list[Answers] = []
    what = f"asking {scene.size:,} memories over the socket"
    for at in range(0, len(lines), AT_ONCE):
        scene.progress(what, at, len(lines))
        parts.append(resident.ask_all(lines[at : at + AT_ONCE]))
    scene.progress(what, len(lines), len(lines))
    return Answers(
        tuple(one for part in parts for one in part.took),
        tuple(one for part in parts for one in part.at),
        tuple(one for part in parts for one in part.values),
    )


def _recall(text: str, agent: str) -> Json:
    return call("recall", agent, **_given(text))


def _given(text: str) -> Json:
    return {"query": text, "max_tokens": TOKENS}
