"""A file becomes a memory, whatever people wrote into it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from hashlib import sha256
from zoneinfo import ZoneInfo

import pytest

from tests.model.reading import read, told
from vault_memory.model import codes
from vault_memory.model.frontmatter import parse_memory
from vault_memory.model.namespace import VaultPath


def test_every_known_key_is_read() -> None:
    content = (
        b'---\nid: "01K8ZQ4T7R3M5N9V2XW6Y0ABCD"\ntitle: NVDA RSI rule\nimportance: 0.9\n'
        b"tags: [trading, nvda]\n"
        b"ttl: 90d\nsource_agent: akashi\nkind: evidence\npinned: no\ncreated: 2026-11-29T10:15:00Z\n"
        b"updated: 2026-11-30\naliases: [RSI]\nlinks: ['[[a]]']\nsupersedes: old-rule\n"
        b"weird: {b: [2], a: 1}\n---\n"
        b"RSI. See [[market-regime]].\n"
    )
    memory = parse_memory(VaultPath("shared/market/x.md"), content, zone=UTC)
    assert memory.findings == ()
    assert memory.version == sha256(content).hexdigest()
    assert (memory.id, memory.title) == ("01K8ZQ4T7R3M5N9V2XW6Y0ABCD", "NVDA RSI rule")
    assert (memory.importance, memory.tags, memory.kind) == (0.9, ("trading", "nvda"), "evidence")
    assert (memory.pinned, memory.source_agent, memory.aliases) == (False, "akashi", ("RSI",))
    assert memory.created == datetime(2026, 11, 29, 10, 15, tzinfo=UTC)
    assert memory.updated == memory.dated == datetime(2026, 11, 30, tzinfo=UTC)
    assert memory.expires == memory.created + timedelta(days=90)
    assert [(link.target, link.line, link.kind) for link in memory.links] == [
        ("market-regime", 17, "link"),
        ("a", 13, "links"),
        ("old-rule", 14, "supersedes"),
    ]
    assert memory.supersedes == ("old-rule",)
    assert memory.front["weird"] == {"b": ["2"], "a": "1"}
    assert (memory.body, memory.body_line) == ("RSI. See [[market-regime]].\n", 17)


@pytest.mark.parametrize(
    ("line", "tags"),
    [
        ("tags: alpha, beta", ("alpha", "beta")),
        ("tags: alpha beta", ("alpha", "beta")),
        ('tags: "#alpha"', ("alpha",)),
        ('tags: [alpha, "#beta", proj/sub]', ("alpha", "beta", "proj/sub")),
        ('tags: \'["alpha", "beta"]\'', ("alpha", "beta")),
        ("tags: '[]'", ()),
        ("tags:", ()),
        ("tags:\n  -", ()),
        ("tags: ~", ()),
        ("tags: [2024, true, null, 1.10]", ("2024", "true", "1.10")),
        ('tags: ["null", ""]', ("null",)),
        ("tags: [a, b, a]", ("a", "b")),
        ("tags:\n- machine learning\n- b", ("machine learning", "b")),
        ("tag: alpha", ("alpha",)),
        ("tags: [a]\ntag: b", ("a", "b")),
        ("Tags: [Alpha]", ("Alpha",)),
        ("x: &t [a, b]\ntags: *t", ("a", "b")),
        ("tags: |\n  a\n  b c\n#x", ("a", "b", "c")),
        ("tags: |\n  a, b\n  c d", ("a", "b", "c d")),
        ("tags: '[1.10, true, null, \"x\"]'", ("1.10", "true", "x")),
        ("tags: a # b\nx: y", ("a",)),
        ("tags: [a, b] #b", ("a", "b")),
        ("keywords: [a]\ncategories: b", ()),
    ],
)
def test_tags_are_read_in_every_spelling(line: str, tags: tuple[str, ...]) -> None:
    memory = read(line)
    assert memory.tags == tags
    assert memory.findings == ()


def test_a_mapping_is_no_tag_and_an_unquoted_hash_is_a_comment() -> None:
    assert told(read("tags: {a: 1}")) == [(2, codes.BAD_TAGS)]
    memory = read("id: x\ntags: #alpha")
    assert (memory.tags, told(memory)) == ((), [(3, codes.COMMENT_TAGS)])
    assert 'tags: "#alpha"' in memory.findings[0].advice
    half = read("id: x\ntags: alpha #beta")
    assert (half.tags, told(half)) == (("alpha",), [(3, codes.COMMENT_TAGS)])
    listed = read("tags:\n  - alpha\n  - #beta\n  - gamma")
    assert (listed.tags, told(listed)) == (("alpha", "gamma"), [(4, codes.COMMENT_TAGS)])
    assert '"#beta"' in listed.findings[0].advice
    assert told(read("tags:\n  #alpha\nid: x")) == []
    assert told(read("Tag: #alpha #beta")) == [(2, codes.COMMENT_TAGS)]
    assert read("tags: # none yet").findings == ()
    mixed = read("tags: [a, {b: c}, [d]]")
    assert (mixed.tags, told(mixed)) == (("a",), [(2, codes.BAD_TAGS), (2, codes.BAD_TAGS)])


def test_tags_in_the_text_stand_beside_those_of_the_front_matter() -> None:
    memory = read("tags: [Plan]", "#real-tag #plan #1984 `#notatag`\n\n```css\ncolor: #00ff88\n```\n")
    assert (memory.tags, memory.inline_tags) == (("Plan",), ("real-tag",))


@pytest.mark.parametrize(
    ("header", "aliases"),
    [
        ("aliases: [One, Two, One]", ("One", "Two")),
        ("aliases: One, Two", ("One", "Two")),
        ("aliases: One", ("One",)),
        ("alias: One\naliases: [Two]", ("Two", "One")),
        ("Aliases:\n  - One\n  -\n  - ~\n  - 2024", ("One", "2024")),
        ("aliases: '[\"One, two\"]'", ("One, two",)),
        ('aliases: ["One, two", ""]', ("One, two",)),
        ("aliases: |\n  One\n  Two", ("One", "Two")),
        ("aliases:", ()),
    ],
)
def test_aliases_are_a_list_or_parted_by_commas(header: str, aliases: tuple[str, ...]) -> None:
    memory = read(header)
    assert (memory.aliases, memory.findings) == (aliases, ())


def test_a_map_is_no_alias() -> None:
    memory = read("aliases: [a, {b: c}]\nalias: {d: e}")
    assert memory.aliases == ("a",)
    assert told(memory) == [(2, codes.BAD_TAGS), (3, codes.BAD_TAGS)]


def test_scalars_stay_as_they_were_written() -> None:
    memory = read(
        "id: 0123\nratio: 16:9\nat: 12:30\nversion: 1.10\ncountry: no\nop: =\non: push\nempty:\nn: null"
    )
    assert memory.id == "0123"
    assert memory.front == {
        "id": "0123",
        "ratio": "16:9",
        "at": "12:30",
        "version": "1.10",
        "country": "no",
        "op": "=",
        "on": "push",
        "empty": "",
        "n": "null",
    }
    assert memory.findings == ()


@pytest.mark.parametrize(
    "title",
    [
        "!important",
        "! now",
        "!include x.yml",
        "2024-05-01",
        "null",
        "1234567",
        "0x1F",
        "yes",
        "~",
        "1.10",
        "Plan 🚀 「x」",
    ],
)
def test_a_title_is_shown_as_typed(title: str) -> None:
    assert read(f"title: {title}").title == title


@pytest.mark.parametrize(
    ("header", "body", "title"),
    [
        ("title: From the key", "# From the text\n", "From the key"),
        ("title: >\n  over two\n  lines", "", "over two lines"),
        ("title:", "text\n# From the text #\n", "From the text"),
        ('title: "  "', "```sh\n# a comment\n```\n#\n# C#\n", "C#"),
        ("id: x", "## second level only\n#hashtag\n", "2026-03-14 Plan"),
        ("id: x", "", "2026-03-14 Plan"),
    ],
)
def test_a_title_comes_from_the_key_the_heading_or_the_name(header: str, body: str, title: str) -> None:
    assert read(header, body, name="notes/2026-03-14 Plan.md").title == title


@pytest.mark.parametrize("text", ["1", "0", "0.4", '"0.4"', "'.5'", "1e-1", "+1.0"])
def test_an_importance_from_0_to_1_is_taken_also_in_quotes(text: str) -> None:
    memory = read(f"importance: {text}")
    assert memory.importance == float(text.strip("\"'"))
    assert memory.findings == ()


@pytest.mark.parametrize(
    "text", ['"4"', "8/10", "high", "-0.1", "1.01", "nan", "inf", "0,5", "[0.5]", "{a: b}", "1_0", "5٠"]
)
def test_any_other_importance_is_told_and_counts_as_the_default(text: str) -> None:
    memory = read(f"id: x\nimportance: {text}")
    assert (memory.importance, told(memory)) == (0.5, [(3, codes.BAD_IMPORTANCE)])
    assert read(f"kind: Decision\nimportance: {text}").importance == 0.7


def test_an_absent_importance_is_its_kinds() -> None:
    assert [read(f"kind: {kind}\nimportance:").importance for kind in ("constraint", "my own", "")] == [
        0.8,
        0.5,
        0.5,
    ]


def test_a_key_in_another_case_is_found_and_a_twin_is_told() -> None:
    assert read("Importance: 0.2\nTITLE: x").importance == 0.2
    twins = read("Importance: 0.9\nimportance: 0.2\nIMPORTANCE: 0.1")
    assert (twins.importance, told(twins)) == (0.2, [(3, codes.CASE_TWIN), (4, codes.CASE_TWIN)])
    assert twins.front == {"Importance": "0.9", "importance": "0.2", "IMPORTANCE": "0.1"}


def test_of_two_equal_keys_the_first_counts_and_the_second_is_told() -> None:
    memory = read("tags: [a]\nid: x\ntags: [b]")
    assert (memory.tags, told(memory)) == (("a",), [(4, codes.DUPLICATE_KEY)])
    assert memory.front["tags"] == ["a"]


@pytest.mark.parametrize("key", ["id", "source_agent", "kind"])
def test_a_list_where_one_text_belongs_is_told(key: str) -> None:
    memory = read(f"{key}: [a, b]")
    assert told(memory) == [(2, codes.NOT_TEXT)]
    assert getattr(memory, key) is None


def test_a_list_as_title_is_told_and_the_name_counts() -> None:
    memory = read("title: [a]")
    assert (memory.title, told(memory)) == ("a", [(2, codes.NOT_TEXT)])
    assert memory.title == "a"  # of notes/a.md


@pytest.mark.parametrize(
    ("text", "flag"),
    [("true", True), ("Yes", True), ("on", True), ("1", True), ("false", False), ("no", False), ("", False)],
)
def test_pinned_is_read_in_yamls_old_and_new_words(text: str, flag: bool) -> None:
    memory = read(f"pinned: {text}")
    assert (memory.pinned, memory.findings) == (flag, ())


def test_another_pinned_is_told() -> None:
    assert told(read("pinned: maybe")) == [(2, codes.BAD_FLAG)]


# Life time


@pytest.mark.parametrize(
    ("header", "expires"),
    [
        ("created: 2026-10-24T12:00:00\nttl: 1d", datetime(2026, 10, 25, 10, tzinfo=UTC)),
        ("created: 2026-01-31T12:00:00+08:00\nttl: P1M", datetime(2026, 2, 28, 4, tzinfo=UTC)),
        ("created: 2026-03-14\nttl: 90d\nexpires: 2026-05-19", datetime(2026, 5, 19, 22, tzinfo=UTC)),
        ("expires: 13.08.2026", datetime(2026, 8, 13, 22, tzinfo=UTC)),
        ("expires: 2026-08", datetime(2026, 8, 31, 22, tzinfo=UTC)),
        ("expires: 2026-05-19T00:00", datetime(2026, 5, 18, 22, tzinfo=UTC)),
        ("expires: 2026-05-19T00:00+08:00", datetime(2026, 5, 18, 16, tzinfo=UTC)),
        ("expires: 2026-05-19T00:00Z", datetime(2026, 5, 19, tzinfo=UTC)),
        ("created: 2026-03-14\nttl: 90d\npinned: true", None),
        ("expires: 2026-05-19\npinned: true", None),
        ("created: 2026-03-14\nttl: 90d\nexpires: never", None),
        ("created: 2026-03-14\nttl: never", None),
        ("created: 2026-03-14\nttl:", None),
        ("created: 2026-03-14\nttl: 99999y", None),
    ],
)
def test_a_memory_ends_when_it_says(header: str, expires: datetime | None) -> None:
    memory = read(header)
    assert (memory.expires, memory.findings) == (expires, ())


def test_a_ttl_without_a_readable_created_never_ends_and_is_told() -> None:
    assert told(read("ttl: 1d")) == [(2, codes.TTL_WITHOUT_CREATED)]
    memory = read("created: last week\nttl: 1d")
    assert (memory.expires, told(memory)) == (None, [(2, codes.BAD_DATE), (3, codes.TTL_WITHOUT_CREATED)])


@pytest.mark.parametrize("ttl", ["0", "-1d", "1:00:00", "2026-05-19", "soon", "[1d]", "P", "0d"])
def test_an_unreadable_ttl_never_ends_and_is_told(ttl: str) -> None:
    memory = read(f"created: 2026-03-14\nttl: {ttl}")
    assert (memory.expires, told(memory)) == (None, [(3, codes.BAD_TTL)])


@pytest.mark.parametrize("text", ["03/04/2026", "13.8.26", "2026-02-30", "soon", "{a: b}"])
def test_an_unreadable_expires_never_ends_even_with_a_ttl(text: str) -> None:
    memory = read(f"created: 2026-03-14\nttl: 1d\nexpires: {text}")
    assert (memory.expires, told(memory)) == (None, [(4, codes.BAD_DATE)])


def test_a_plain_date_lives_through_that_day_in_the_vaults_zone() -> None:
    ends = {
        zone: read("expires: 2026-05-19", zone=ZoneInfo(zone)).expires
        for zone in ("Asia/Shanghai", "America/Los_Angeles", "Pacific/Auckland")
    }
    assert ends == {
        "Asia/Shanghai": datetime(2026, 5, 19, 16, tzinfo=UTC),
        "America/Los_Angeles": datetime(2026, 5, 20, 7, tzinfo=UTC),
        "Pacific/Auckland": datetime(2026, 5, 19, 12, tzinfo=UTC),
    }


def test_recency_looks_at_updated_then_created_then_the_name() -> None:
    name = "journal/2026-03-14 standup.md"
    assert read("updated: 2026-05-02\ncreated: 2026-05-01", name=name).dated == datetime(
        2026, 5, 1, 22, tzinfo=UTC
    )
    assert read("updated: soon\ncreated: 2026-05-01", name=name).dated == datetime(
        2026, 4, 30, 22, tzinfo=UTC
    )
    assert read("id: x", name=name).dated == datetime(2026, 3, 13, 23, tzinfo=UTC)
    assert read("id: x").dated is None
