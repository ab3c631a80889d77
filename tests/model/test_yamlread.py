"""Front matter reads the same with and without the C library, and imports nothing before use."""

from __future__ import annotations

import subprocess
import sys

import pytest
import yaml

from vault_memory.model import codes, yamlread
from vault_memory.model.codes import Fault
from vault_memory.model.yamlread import Pairs, plain, read_header


@pytest.fixture
def pure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(yamlread, "_yaml", lambda: (yaml, yaml.BaseLoader))


def test_the_c_library_is_used_where_it_is_there() -> None:
    assert yamlread._yaml() == (yaml, yaml.CBaseLoader)


@pytest.mark.usefixtures("pure")
def test_pure_python_reads_the_same_values_and_places() -> None:
    text = (
        'id: "01K" # x\nt🚀: é\ne:\ntags: [a, "b🚀"]\nl:\n  - a\n  -\nfold: >\n  x\n\nn: {a: &x 1, b: *x}\n'
    )
    header = read_header(text)
    assert isinstance(header, Pairs)
    assert plain(header) == {
        "id": "01K",
        "t🚀": "é",
        "e": "",
        "tags": ["a", "b🚀"],
        "l": ["a", ""],
        "fold": "x\n",
        "n": {"a": "1", "b": "1"},
    }
    assert [text[key.start : key.end] for key, _ in header.pairs] == [
        "id",
        "t🚀",
        "e",
        "tags",
        "l",
        "fold",
        "n",
    ]
    assert [text[value.start : value.end] for _, value in header.pairs[:4]] == [
        '"01K"',
        "é",
        "",
        '[a, "b🚀"]',
    ]


@pytest.mark.usefixtures("pure")
@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("title: Plan: phase two", "':' in an unquoted value"),
        ("author: @mira", "'@' can't begin an unquoted value"),
        ("cmd: `make`", "'`' can't begin an unquoted value"),
        ("title: *draft*", "begins a reference"),
        ("tags:\n\t- a", "a tab can't indent"),
        ('title: "open\nb: c', "a quote is opened and never closed"),
        ("up: [[Home]] and more", "something follows the end of the value"),
        ("a: [1, 2\nb: 3", "a list is opened by '['"),
        ("a: {b", "a map is opened by '{'"),
        ('a: "\\q"', "'\\' in double quotes"),
        ("a: b\x07", "control character U+0007"),
        ("a: | x\n  y", "text follows '|' or '>'"),
    ],
)
def test_pure_python_gives_the_same_reasons(text: str, reason: str) -> None:
    fault = read_header(text)
    assert isinstance(fault, Fault)
    assert fault.code == codes.NOT_YAML
    assert reason in fault.message


@pytest.mark.parametrize(
    "module",
    ["frontmatter", "parse", "splice", "tagsplice", "generate", "fields", "naming", "ref", "message"],
)
def test_importing_the_format_loads_nothing_heavy(module: str) -> None:
    code = (
        f"import sys, vault_memory.model.{module}\n"
        "print([name for name in ('yaml', 'frontmatter', 'regex', 'numpy') if name in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert found == "[]\n"
