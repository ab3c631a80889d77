"""docs/format.md says what the code does: its tables are the code's, its examples are read as it claims."""

from __future__ import annotations

import math
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from vault_memory.model.codes import CODES, COMMENT_TAGS
from vault_memory.model.dateforms import docs_table as dates_table
from vault_memory.model.fields import docs_table
from vault_memory.model.frontmatter import parse_memory
from vault_memory.model.kinds import KINDS
from vault_memory.model.memory import Memory
from vault_memory.model.namespace import VaultPath

DOC = (Path(__file__).parent.parent / "docs" / "format.md").read_text(encoding="utf-8")


def table(name: str) -> str:
    """The table between the marks of that name."""
    found = re.search(rf"<!-- {name} -->\n(.*?)\n<!-- /{name} -->", DOC, re.DOTALL)
    assert found is not None
    return found[1]


def rows(name: str) -> list[list[str]]:
    """The cells of a table's lines, without its head."""
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table(name).split("\n")[2:]]


def examples(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", DOC, re.DOTALL | re.MULTILINE)


def memory(text: str, path: str = "a.md") -> Memory:
    return parse_memory(VaultPath(path), text.encode(), zone=UTC)


def with_keys(keys: str) -> Memory:
    return memory(f"---\n{keys}\n---\nText.\n")


def tag_spellings() -> list[str]:
    """Each `tags:` of the example, with the lines that belong to it."""
    return [part.strip() for part in re.split(r"^(?=tags:)", examples("yaml")[0], flags=re.MULTILINE) if part]


def test_the_keys_are_those_of_the_code() -> None:
    assert table("fields") == docs_table()


def test_the_kinds_are_those_of_the_code() -> None:
    assert [row[0].strip("`") for row in rows("kinds")] == list(KINDS)
    for name, importance, half_life, doc in rows("kinds"):
        kind = KINDS[name.strip("`")]
        assert (float(importance), doc) == (kind.importance, kind.doc)
        assert half_life == ("never" if math.isinf(kind.half_life) else f"{kind.half_life:g} days")


def test_the_faults_are_those_of_the_code() -> None:
    assert rows("faults") == [[row.code, row.name, row.meaning] for row in CODES.values()]


def test_the_first_example_is_read_without_a_fault() -> None:
    found = memory(examples("markdown")[0])
    assert found.findings == ()
    assert (found.title, found.importance, found.kind) == ("NVDA RSI rule", 0.9, "semantic")
    assert found.expires is not None
    assert found.created is not None
    assert found.expires - found.created == timedelta(days=90)
    assert [link.target for link in found.links] == ["market-regime"]


@pytest.mark.parametrize("spelling", tag_spellings())
def test_every_spelling_of_the_tags_gives_the_same_two(spelling: str) -> None:
    found = with_keys(spelling)
    assert found.tags == ("alpha", "beta")
    assert found.findings == ()


def test_an_unquoted_hash_means_no_tags_and_is_named() -> None:
    found = with_keys("tags: #alpha")
    assert found.tags == ()
    assert [finding.code for finding in found.findings] == [COMMENT_TAGS]


def test_a_hash_in_the_body_is_a_tag_of_its_own_kind_and_keys_count_in_any_case() -> None:
    found = memory("Text with #word, C#, \\#x, #00ff88.\n\n# Heading\n%% #no %%\n")
    assert (found.tags, found.inline_tags) == ((), ("word",))
    assert with_keys("Tags: alpha").tags == ("alpha",)
    assert with_keys("keywords: alpha").tags == ()
    assert with_keys("aliases: One, Two\nalias: Three").aliases == ("One", "Two", "Three")


def test_the_dates_are_those_of_the_code() -> None:
    assert table("dates") == dates_table()


LENGTHS = {
    "30d": 30, "30 days": 30, "30": 30, "P30D": 30, "2w": 14, "1 week": 7, "P1W": 7, "12h": 0.5, "PT12H": 0.5,
    "30m": 1 / 48, "30 min": 1 / 48, "6mo": 181, "P1M": 31, "1y": 365, "P1Y6M": 546,
}  # fmt: skip


def test_every_ttl_of_the_page_is_read_as_it_says() -> None:
    shown = [(re.findall(r"`([^`]*)`", row[0]), row[1]) for row in rows("ttls")]
    assert {ttl for ttls, means in shown if "never" not in means for ttl in ttls} == LENGTHS.keys()
    for ttls, means in shown:
        for ttl in ttls:
            found = with_keys(f"created: 2026-01-01\nttl: {ttl}")
            days = LENGTHS.get(ttl)
            start = datetime(2026, 1, 1, tzinfo=UTC)
            assert found.expires == (None if days is None else start + timedelta(days=days))
            assert [one.code for one in found.findings] == (["VM023"] if "VM023" in means else [])


def test_what_the_page_calls_refused_is() -> None:
    for text in ("03/04/2026", "14.03.26", "2026-02-30", "2026-03-14 10:15 CET"):
        assert [one.code for one in with_keys(f"created: {text}").findings] == ["VM025"]


def test_values_stay_as_they_are_written() -> None:
    found = with_keys("version: 1.10\nnumber: 0123\nat: 12:30\ncountry: no")
    assert dict(found.front) == {"version": "1.10", "number": "0123", "at": "12:30", "country": "no"}


@pytest.mark.parametrize(
    ("keys", "days"),
    [
        ("ttl: 12h", 0.5), ("ttl: 2w", 14), ("ttl: 6mo", 181), ("ttl: P30D", 30), ("ttl: PT12H", 0.5),
        ("ttl: 7", 7), ("ttl: 7d\nexpires: 2026-01-03", 3), ("ttl: 7d\npinned: true", None),
        ("ttl: soon", None), ("expires: 2026-02-30", None),
    ],
)  # fmt: skip
def test_a_memory_ends_as_the_page_says(keys: str, days: float | None) -> None:
    found = with_keys(f"created: 2026-01-01\n{keys}")
    start = datetime(2026, 1, 1, tzinfo=UTC)
    assert found.expires == (None if days is None else start + timedelta(days=days))


def test_a_ttl_without_created_never_ends_and_is_named() -> None:
    found = with_keys("ttl: 7d")
    assert found.expires is None
    assert len(found.findings) == 1


def test_a_bare_file_is_named_after_its_heading_or_itself_and_dated_by_its_name() -> None:
    assert memory("# A heading\nText.\n").title == "A heading"
    found = memory("Text.\n", "notes/2026-11-02 review.md")
    assert found.title == "2026-11-02 review"
    assert found.dated == datetime(2026, 11, 2, tzinfo=UTC)


def test_links_are_read_in_the_forms_that_are_shown_and_not_from_code() -> None:
    section = DOC.split("## Links\n")[1].split("\n## ")[0]
    *shown, label_first = re.findall(r"`(\[[^`]+)`", section)
    assert len(shown) == 4
    [link] = memory(f"See {label_first}.\n").links
    assert (link.target, link.label) == ("the regime", "topic.market.regime")
    targets = [link.target for form in shown for link in memory(f"See {form}.\n").links]
    assert targets == ["market-regime", "market-regime", "market-regime", "market-regime.md"]
    assert memory(f"See `{shown[0]}`.\n").links == ()


def test_the_commonest_fault_is_one_and_its_cure_works() -> None:
    assert [finding.code for finding in with_keys("title: Plan: phase two").findings] == ["VM012"]
    assert with_keys('title: "Plan: phase two"').title == "Plan: phase two"
