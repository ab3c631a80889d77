"""The same filter finds the same memories through every door, in search, recall and list."""

from __future__ import annotations

from typing import Any

import pytest

from tests.cases.doors import Case, Door

NOTES = {
    "shared/lab/gan.md": ("tags: [physics/semi]\nbandgap: 3.40\nstatus: open\ncreated: 2026-03-10", "#wide"),
    "shared/lab/si.md": ("tags: physics\nbandgap: 1.12\nstatus: done\ncreated: 2026-02-01", ""),
    "notes/test.md": ("tags: [latest]\nkind: decision\nsource_agent: akashi\ncreated: 2026-03-14", ""),
    "private/mira/ge.md": ("tags: [physics]\nbandgap: 0.66\ncreated: 2026-03-13", ""),
    "plain.md": ("status: [open, urgent]\ndue: 2026-04-01", ""),
}
GAN, SI, TEST, GE, PLAIN = NOTES

FINDS: list[tuple[dict[str, Any], set[str]]] = [
    ({"tag": "test"}, set()),
    ({"tag": "latest"}, {TEST}),
    ({"tag": "physics"}, {GAN, SI, GE}),
    ({"tag": "physics and not physics/semi"}, {SI, GE}),
    ({"where": "bandgap>1.1 and status=open"}, {GAN}),
    ({"where": "status=urgent or due<2026"}, {PLAIN}),
    ({"where": "not status"}, {TEST, GE}),
    ({"kind": "decision"}, {TEST}),
    ({"namespace": "lab"}, {GAN, SI}),
    ({"path": "shared/**/g*.md"}, {GAN}),
    ({"since": "2026-03-10", "until": "2026-03-13"}, {GAN, GE}),
    ({"since": "1d"}, {TEST, GE}),
    ({"tag": "physics", "where": "bandgap<1", "path": "private/"}, {GE}),
]


@pytest.mark.parametrize(
    ("choice", "finds"), FINDS, ids=lambda one: repr(sorted(one) if isinstance(one, set) else one)
)
def test_a_filter_finds_alike_everywhere(
    door: Door, case: Case, choice: dict[str, Any], finds: set[str]
) -> None:
    for path, (header, more) in NOTES.items():
        case.write(path, f"---\n{header}\n---\nThe gap of {path} {more}\n")
    assert {one["path"] for one in door.list(**choice).value} == finds
    assert {one["path"] for one in door.search("gap", **choice).value["hits"]} == finds
    assert {one["path"] for one in door.recall("gap", **choice).value["memories"]} == finds
    readable = finds - {GE}
    assert {one["path"] for one in door.list(agent="akashi", **choice).value} == readable
    assert {one["path"] for one in door.search("gap", agent="akashi", **choice).value["hits"]} == readable


@pytest.mark.parametrize(
    "choice",
    [{"tag": "a and"}, {"where": "a>"}, {"where": "(" * 10_000}, {"since": "soon"}, {"path": "/"}],
    ids=repr,
)
def test_what_can_be_no_filter_is_a_usage_error(door: Door, case: Case, choice: dict[str, Any]) -> None:
    case.write("a.md", "gap\n")
    for said in (door.list(**choice), door.search("gap", **choice), door.recall("gap", **choice)):
        assert said.code == 2
        assert said.error
