"""Every title has a file name that is its own, readable, and good on every system."""

from __future__ import annotations

import time
import unicodedata
from collections import Counter
from datetime import UTC, datetime

import pytest
import regex
from hypothesis import example, given, settings
from hypothesis import strategies as st

from vault_memory.model.clip import clip, clip_words, one_line
from vault_memory.model.namespace import Namespace, parse_namespace, parse_path
from vault_memory.model.naming import (
    FOLDER_SIZE,
    file_name,
    fold_name,
    free_name,
    generated_folder,
    home_of,
    slug,
    title_of,
)

ID = "01K8ZQ4T7R3M5N9V2XW6Y0ABCD"
MARCH = datetime(2026, 3, 14, tzinfo=UTC)


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("NVDA RSI rule", "nvda-rsi-rule"),
        ("設定", "設定"),
        ("Настройки", "настройки"),
        ("ที่อยู่", "ที่อยู่"),
        ("Cafe\u0301", "caf\u00e9"),
        ("C++", "c"),
        ("A - B", "a-b"),
        ("Don't panic", "dont-panic"),
        ("v1.2 of snake_case", "v1-2-of-snake_case"),
        ("../../outside", "outside"),
        ("/etc/passwd", "etc-passwd"),
        (".git/hooks/post-commit", "git-hooks-post-commit"),
        ("--force", "force"),
        ("CON", "memory-con"),
        ("nul.txt", "nul-txt"),
        ("COM1", "memory-com1"),
        ("a:b", "a-b"),
        ('what? <yes> "no" |', "what-yes-no"),
        ("ends with dot.", "ends-with-dot"),
        ("$(touch pwn)", "touch-pwn"),
        ("%2e%2e%2fx", "2e-2e-2fx"),
        ("two\nlines", "two-lines"),
        ("🚀 launch ❤️", "launch"),
        ("1️⃣ first", "1-first"),
        ("می‌خواهم", "میخواهم"),
        ("x" * 400, "x" * 80),
        ("設" * 400, "設" * 66),
    ],
)
def test_a_title_becomes_a_readable_name(title: str, name: str) -> None:
    assert slug(title, ID) == name


@pytest.mark.parametrize(
    "title", ["", "   ", "🚀", "🎯" * 120, "???", "..", ".", "❤️", "___", "\u0301", "\u200d", "👩‍👩‍👧"]
)
def test_a_title_without_letters_is_named_by_its_id(title: str) -> None:
    assert slug(title, ID) == ID.lower()


def test_sixteen_awkward_titles_give_sixteen_files() -> None:
    titles = [
        "🚀",
        "🎯",
        "",
        "   ",
        "???",
        "設定",
        "Настройки",
        "ที่อยู่",
        "Café",
        "Cafe",
        "C",
        "C++",
        "C#",
        "A B",
        "A-B",
        "a b",
    ]
    taken: set[str] = set()
    for number, title in enumerate(titles):
        name = file_name(title, taken, f"{ID[:-2]}{number:02}")
        assert fold_name(name) not in taken
        taken.add(fold_name(name))
    assert len(taken) == 16
    assert {"c.md", "c-2.md", "c-3.md", "a-b.md", "a-b-2.md", "a-b-3.md", "café.md", "cafe.md"} <= taken


@settings(max_examples=400)
@given(st.text(max_size=120))
@example("ß" * 100)
@example("İ" * 100)
@example("\u1100\u1161" * 60)
@example("e" + "\u0301" * 300)
def test_any_title_gives_a_name_that_every_system_takes(title: str) -> None:
    name = slug(title, ID)
    assert parse_namespace(name) == name
    assert parse_path(f"{name}.md") == f"{name}.md"
    assert len(name) <= 80 + len("memory-")
    assert len(name.encode()) <= 200 + len("memory-")
    assert unicodedata.is_normalized("NFC", name)
    assert any(char.isalnum() for char in name)
    assert slug(title, ID) == name


def test_a_name_that_is_taken_in_another_case_or_form_is_taken() -> None:
    assert free_name("café", {fold_name("CAFE\u0301.md")}, ID) == "café-2.md"
    assert free_name("straße", {fold_name("STRASSE.md")}, ID) == "straße-2.md"
    taken = {"a.md", *(f"a-{number}.md" for number in range(2, 1001))}
    assert free_name("a", taken, ID) == f"a-{ID.lower()}.md"


def test_a_full_folder_goes_on_in_month_folders() -> None:
    counts: Counter[str] = Counter()
    for _ in range(FOLDER_SIZE * 3 + 1):
        counts[generated_folder(Namespace("shared/market"), MARCH, lambda folder: counts[folder])] += 1
    assert counts == {
        "shared/market": 500,
        "shared/market/2026-03": 500,
        "shared/market/2026-03-2": 500,
        "shared/market/2026-03-3": 1,
    }
    assert {home_of(folder) for folder in counts} == {"shared/market"}
    assert generated_folder(Namespace(""), MARCH, lambda folder: 500 if folder == "" else 0) == "2026-03"


@pytest.mark.parametrize(
    ("folder", "home"),
    [
        ("private/akashi/2026-03", "private/akashi"),
        ("notes/2026-03-2", "notes"),
        ("shared/2026-03", "shared/2026-03"),
        ("2026-03", "2026-03"),
        ("notes/2026-13", "notes/2026-13"),
        ("notes/2026-03-14-x", "notes/2026-03-14-x"),
        ("", ""),
    ],
)
def test_only_month_folders_are_no_part_of_the_namespace(folder: str, home: str) -> None:
    assert home_of(folder) == home


@pytest.mark.parametrize(
    ("text", "title"),
    [
        (
            "RSI above 70 on NVDA was followed by −12 % over five days",
            "RSI above 70 on NVDA was followed by −12 % over five days",
        ),
        ("Never risk 0.9 of it. Never.", "Never risk 0.9 of it"),
        ("intro\n\n## The Heading ##\n\ntext", "The Heading"),
        ("\n\n---\n- **First** item here\n- second", "First item here"),
        ("> quoted words that go on", "quoted words that go on"),
        ("株価が下がった。次に上がった。長い文章がここに続きます。", "株価が下がった。次に上がった"),
        ("Dr. Who", "Dr. Who"),
        ("???", "???"),
        ("", "Untitled"),
        (" \n ", "Untitled"),
        ("one\x1b[31mtwo", "one [31mtwo"),
        ("word " * 40, "word " * 15 + "word…"),
        ("x" * 100, "x" * 79 + "…"),
    ],
)
def test_a_text_without_a_title_gives_one(text: str, title: str) -> None:
    assert title_of(text) == title


@given(st.text(max_size=200))
def test_a_derived_title_is_one_short_line(text: str) -> None:
    title = title_of(text)
    assert 0 < len(title) <= 80
    assert title == one_line(title)


@settings(max_examples=300)
@given(st.text("aé e\u0301\u200d👩👧🇩🇪\u1100\u1161ที่", max_size=40), st.integers(0, 30), st.integers(0, 60))
def test_nothing_is_cut_inside_what_reads_as_one_character(text: str, chars: int, size: int) -> None:
    cut = clip(text, chars, max_bytes=size)
    assert len(cut) <= chars
    assert len(cut.encode()) <= size
    clusters = regex.findall(r"\X", text)
    assert cut in {text, *("".join(clusters[:count]).rstrip() for count in range(len(clusters)))}
    assert len(clip_words(text, max(chars, 1), ellipsis="…")) <= max(chars, 1)


@settings(max_examples=400)
@given(st.text("ab \r\n\t-", max_size=40), st.integers(-2, 30), st.sampled_from(["", "…"]))
@example("aaaa\r\nb", 5, "")
@example("\r\n", 1, "")
def test_a_text_in_ascii_is_cut_where_any_other_would_be(text: str, chars: int, ellipsis: str) -> None:
    accented = clip(text.replace("a", "é").replace("b", "ü"), chars, ellipsis=ellipsis)
    assert clip(text, chars, ellipsis=ellipsis) == accented.replace("é", "a").replace("ü", "b")


@settings(max_examples=400)
@given(st.text(st.characters(max_codepoint=127), max_size=60))
@example("it's `a' -' b")
@example("--'_-a_-")
@example("\x00a\x1fb\x7f")
def test_a_title_in_ascii_is_named_as_any_other_would_be(title: str) -> None:
    assert slug(title + "k", ID) == slug(title + "ł", ID).replace("ł", "k")


@settings(max_examples=400)
@given(st.text(max_size=40))
@example("a\u00a0b \u3000c\u2028d")
def test_a_line_without_marks_is_the_same_as_with_those_that_go(text: str) -> None:
    assert one_line(text) == one_line(text + "\u200e")


@pytest.mark.parametrize(
    "text", ["# " + " " * 200_000 + "x", "." * 200_000 + "a", "- " * 100_000 + "x", "a" * 1_000_000]
)
def test_a_very_long_line_gives_a_title_at_once(text: str) -> None:
    started = time.perf_counter()
    assert len(title_of(text)) <= 80
    assert time.perf_counter() - started < 2
