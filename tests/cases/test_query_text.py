"""A query is text: nothing in it is syntax, and the memory that holds the very term comes first."""

from __future__ import annotations

import json
import time

import pytest

from tests.cases.doors import Case, Door

BODIES = {
    "gpt-4o": "We call gpt-4o for the summaries.",
    "4o": "Room 4o is booked until noon, and 4o stays booked.",
    "cpp": "The parser is written in C++ alone.",
    "csharp": "The client is written in C# alone.",
    "c": "Plain C is for the firmware.",
    "env": "Secrets live in .env and never in git.",
    "foo": "The key is foo:bar in that header.",
    "template": "Set title:x in the template.",
    "date": "Deployed on 2026-03-14 at night.",
    "day": "Deployed on 2026-03-15 at night.",
    "ops-1042": "See OPS-1042 for what broke.",
    "ops-1043": "See OPS-1043 for what broke.",
    "flag": "Give tar the flag -x to unpack.",
    "quote": "He wrote an open quote in the margin.",
    "rain": "it's raining on the antenna",
    "rocket": "The rocket launch was scrubbed.",
    "near": "The office is near the station.",
    "gate": "A gate OR a door keeps the yard.",
    "mail": "Write to a@b.co about the invoice.",
    "mail2": "Write to b.co about the invoice.",
    "path": "The plan is in path/to/file.md today.",
    "path2": "The path to the file is muddy.",
    "health": "SELECT 1;-- is the health check.",
    "filler": "Nothing of note.",
}

FIRST = {
    "gpt-4o": "gpt-4o",
    "C++": "cpp",
    "C#": "csharp",
    ".env": "env",
    "foo:bar": "foo",
    "title:x": "template",
    "2026-03-14": "date",
    "OPS-1042": "ops-1042",
    "ops-1043": "ops-1043",
    "-x": "flag",
    '"open quote': "quote",
    "it's": "rain",
    "NOT rocket": "rocket",
    "rocket AND launch": "rocket",
    "rocket NOT launch": "rocket",
    "rocket*": "rocket",
    "+rocket -launch": "rocket",
    "near(": "near",
    "NEAR(station, 3)": "near",
    "a@b.co": "mail",
    "path/to/file.md": "path",
    "SELECT 1;--": "health",
    "'; SELECT 1;--": "health",
    "{rocket}": "rocket",
    "rocket\\": "rocket",
    "^rocket": "rocket",
    "(rocket": "rocket",
    "rocket%": "rocket",
    '"rocket launch"': "rocket",
    "\u201crocket launch\u201d": "rocket",
    "rocket\x00launch": "rocket",
    "\u202erocket": "rocket",
    "rocket \ud800": "rocket",
    "\udcff rocket": "rocket",
    "\x1b[31m rocket": "rocket",
}
"""A query, and the memory that comes first."""

NOTHING = ["AND", "OR", "a OR", "*", "(", ")", "{}", "%", "\\", '"', '""', "''", "^", ":", "--", ";",
           "\x00", "\ud800", "\udcff", "to the of and", "zzyzx"]  # fmt: skip
"""Queries without a term that any memory has."""

LONG = {
    "one word of 100,000 letters": "x" * 100_000,
    "100,000 signs": '"' * 100_000,
    "5,000 words": " ".join(f"word{number}" for number in range(5_000)),
    "5,000 times one word": "rocket " * 5_000,
    "20,000 phrases": '"rocket launch" ' * 20_000,
    "100,000 han": "\u8a2d\u5b9a" * 50_000,
    "a megabyte of brackets": "(" * 500_000 + ")" * 500_000,
}


@pytest.fixture
def filled(case: Case) -> Case:
    """A vault with every body, indexed once."""
    for name, body in BODIES.items():
        case.write(f"notes/{name}.md", body + "\n")
    assert case.vmem("status").code == 0
    return case


@pytest.mark.parametrize(("query", "first"), FIRST.items(), ids=map(ascii, FIRST))
def test_the_memory_with_the_very_term_is_first(door: Door, filled: Case, query: str, first: str) -> None:
    for hits in (door.search(query).value["hits"], door.recall(query).value["memories"]):
        assert hits[0]["path"] == f"notes/{first}.md"


@pytest.mark.parametrize("query", NOTHING, ids=map(ascii, NOTHING))
def test_a_query_without_a_term_finds_nothing_and_says_so(door: Door, filled: Case, query: str) -> None:
    found = door.search(query)
    assert (found.code, found.value["hits"]) == (0, [])
    recalled = door.recall(query)
    assert (recalled.code, recalled.value["memories"]) == (0, [])
    assert recalled.value["text"].startswith("No stored notes on ")
    if "\ud800" not in query:
        printed = filled.vmem("search", "--", query)
        assert (printed.code, printed.err) == (0, "")
        assert printed.out.startswith(("No memory matches (of 24", "There is no word to look for"))


def test_a_word_that_is_an_operator_elsewhere_is_looked_for_like_any_other(door: Door, filled: Case) -> None:
    assert filled.vmem("config", "embedder", "none").code == 0
    assert door.search("NOT").value["hits"] == []
    filled.write("notes/not.md", "This is not it.\n")
    assert [hit["path"] for hit in door.search("NOT").value["hits"]] == ["notes/not.md"]


@pytest.mark.parametrize("query", ["", " ", "\n\t", "\u3000", "\xa0"], ids=ascii)
def test_an_empty_query_is_a_usage_error(door: Door, filled: Case, query: str) -> None:
    for said in (door.search(query), door.recall(query)):
        assert (said.code, said.error) == (2, "the query is empty")


@pytest.mark.parametrize("query", LONG.values(), ids=LONG)
def test_a_very_long_query_ends_within_two_seconds(door: Door, filled: Case, query: str) -> None:
    for ask in (door.search, door.recall):
        began = time.monotonic()
        said = ask(query)
        assert time.monotonic() - began < 2
        assert said.code == 0
    recalled = door.recall(query, max_tokens=300).value
    assert recalled["tokens"] <= 300
    assert len(recalled["text"]) < 2_000


@pytest.mark.parametrize("query", ["gpt-4o", "-x", "NEAR(", '"open quote', "\\", "$(touch pwn)", "%s", "*"])
def test_a_process_takes_the_query_as_it_is(filled: Case, query: str) -> None:
    ran = filled.process("search", "--json", "--", query)
    assert ran.code == 0
    assert ran.value == filled.vmem("search", "--json", "--", query).value | {"query": query}


def test_bytes_that_are_no_text_are_a_query_like_any_other_and_json_stays_json(filled: Case) -> None:
    for command in ("search", "recall"):
        ran = filled.process(command, "--json", "--", b"rocket \xff\xfe")
        assert ran.code == 0
        ran.out.encode("utf-8", "strict")
        key = "hits" if command == "search" else "memories"
        assert json.loads(ran.out)[key][0]["path"] == "notes/rocket.md"
        assert filled.process(command, "--", b"rocket \xff\xfe").code == 0
