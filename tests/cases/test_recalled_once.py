"""What is stored many times over is shown once, and what only looks alike is shown as well."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from tests.cases.doors import Case, Door

SAID = "The staging cluster is rebuilt every Sunday night from the golden image"
SPELLINGS = [
    f"{before}{text}{after}"
    for before, text, after in product(
        ("", "  ", "\n\n"),
        (SAID, SAID.lower(), SAID.upper(), SAID.replace(" ", "  ")),
        ("", ".", " ", "\n", "!"),
    )
][:50]
LONG = "\n\n".join(
    f"## Step {number}\n\nStep {number} of the handover wants the lantern of room {number} lit, the log"
    f" of that room signed by whoever leaves, and the key left on hook {number} behind the door."
    for number in range(1, 13)
)


def recalled(door: Door, query: str, **options: Any) -> dict[str, Any]:
    value: dict[str, Any] = door.recall(query, **options).value
    assert value["tokens"] <= value["budget"]
    return value


def test_fifty_copies_that_differ_in_case_spaces_and_the_full_stop_are_shown_as_one(
    door: Door, case: Case
) -> None:
    assert len(set(SPELLINGS)) == 50
    for number, text in enumerate(SPELLINGS):
        case.write(f"notes/copy-{number:02}.md", text)
    value = recalled(door, "when is the staging cluster rebuilt")
    (shown,) = value["memories"]
    assert value["text"].lower().count("golden") == 1
    assert len(value["omitted"]) == 49
    assert {(one["reason"], one["instead_of"]) for one in value["omitted"]} == {
        ("same text as another", shown["path"])
    }


def test_hundreds_of_copies_do_not_keep_out_what_else_is_known(door: Door, case: Case) -> None:
    for number in range(230):
        case.write(f"notes/copy-{number:03}.md", SPELLINGS[number % 50])
    case.write("notes/other.md", "The cluster for staging was moved to Oslo.")
    value = recalled(door, "when is the staging cluster rebuilt")
    assert [one["path"] for one in value["memories"]][1:] == ["notes/other.md"]
    assert len(value["omitted"]) == 229
    assert {one["reason"] for one in value["omitted"]} == {"same text as another"}


def test_two_ports_are_two_memories(door: Door, case: Case) -> None:
    case.write("notes/old.md", "The gateway of the staging cluster uses port 8080")
    case.write("notes/new.md", "The gateway of the staging cluster uses port 9090")
    value = recalled(door, "which port does the gateway use")
    assert {one["path"] for one in value["memories"]} == {"notes/old.md", "notes/new.md"}
    assert value["omitted"] == []


def test_the_same_body_in_two_namespaces_is_shown_once_to_who_reads_both(door: Door, case: Case) -> None:
    for agent in ("akashi", "mira"):
        case.write(f"private/{agent}/rebuild.md", SAID)
    assert len(recalled(door, "staging cluster")["memories"]) == 1
    for agent in ("akashi", "mira"):
        value = recalled(door, "staging cluster", agent=agent)
        assert [one["path"] for one in value["memories"]] == [f"private/{agent}/rebuild.md"]
        assert value["omitted"] == []


@pytest.mark.parametrize("budget", [200, 400, 2_000, 100_000])
def test_a_long_memory_and_its_copy_share_no_budget(door: Door, case: Case, budget: int) -> None:
    case.write("notes/handover.md", f"# Handover\n\n{LONG}\n")
    case.write("notes/handover-copy.md", f"# Handover\n\n{LONG.replace('. ', '.  ')}\n\n")
    value = recalled(door, "lantern and log at the handover", max_tokens=budget)
    (shown,) = value["memories"]
    steps = [line for line in value["text"].splitlines() if line.startswith("  ## Step")]
    assert len(steps) == len(set(steps)) >= 1
    (left_out,) = value["omitted"]
    assert left_out["path"] != shown["path"]
    assert (left_out["reason"], left_out["instead_of"]) == ("same text as another", shown["path"])


def test_a_copy_that_says_more_shows_what_it_says_more(door: Door, case: Case) -> None:
    case.write("notes/handover.md", f"{LONG}\n")
    case.write(
        "notes/newer.md", f"{LONG}\n\n## Since June\n\nThe lantern of room 3 is broken: use the torch.\n"
    )
    value = recalled(door, "lantern of room 3", max_tokens=100_000)
    assert len(value["memories"]) == 2
    assert value["text"].count("hook 3 behind") == 1
    assert value["text"].count("use the torch") == 1
