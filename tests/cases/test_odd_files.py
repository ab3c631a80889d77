"""Files that are no text, or no files: the others are indexed, each odd one is named, none is rewritten."""

from __future__ import annotations

import contextlib
import os
import socket
import time
from pathlib import Path

import pytest

from tests.cases.doors import Case, Door
from tests.cases.nobody import nobodys_vault
from tests.gitrun import Git

PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + bytes(range(256)) * 8

READ = {
    "good.md": b"persimmon good\n",
    "latin.md": b"Caf\xe9 at noon, persimmon\n",
    "gbk.md": "\u8bbe\u5b9a persimmon\n".encode("gbk"),
    "cut.md": b"persimmon caf\xc3",
    "marked.md": "persimmon marked\n".encode("utf-16"),
    "DIR.MD/inside.md": b"persimmon inside\n",
    "nested/deep/er.markdown": b"persimmon deeper\n",
}
"""Found by the word they hold."""

NOT_TEXT = {"wide.md": "persimmon wide\n".encode("utf-16-le"), "x.md": PNG, "zero.md": b"persimmon\x00zero\n"}
"""Known by their path; nothing in them is searched."""

FAULTS = {
    "latin.md": "VM001",
    "gbk.md": "VM001",
    "cut.md": "VM001",
    "marked.md": "VM002",
    "wide.md": "VM002",
    "x.md": "VM003",
    "zero.md": "VM003",
}

NO_FILES = {"pipe.md": "it is a pipe", "DIR.MD": "it is a folder", "sock.md": "it is a socket"}


@pytest.fixture
def odd(case: Case) -> Case:
    """A vault with one of each."""
    for name, content in {**READ, **NOT_TEXT, "empty.md": b"", "blank.md": b"\n \n\t\n"}.items():
        case.write(name, content)
    os.mkfifo(case.root / "pipe.md")
    with contextlib.chdir(case.root), socket.socket(socket.AF_UNIX) as made:
        made.bind("sock.md")  # from inside: a socket's path may only be a hundred characters long
    return case


def test_the_others_are_indexed_and_nothing_is_rewritten(door: Door, odd: Case) -> None:
    before = odd.files()
    began = time.monotonic()
    hits = door.search("persimmon", limit=50).value["hits"]
    assert time.monotonic() - began < 5
    assert {hit["path"] for hit in hits} == set(READ)
    recalled = door.recall("persimmon", max_tokens=5_000).value
    assert {one["path"] for one in recalled["memories"]} == set(READ)
    assert "\x00" not in recalled["text"]
    assert {one["path"] for one in door.list().value} == {*READ, *NOT_TEXT, "empty.md", "blank.md"}
    assert odd.vmem("reindex").code == 0
    assert odd.files() == before


def test_each_odd_one_is_named_once(door: Door, odd: Case) -> None:
    findings = door.status().value["findings"]
    assert {one["path"]: one["code"] for one in findings} == FAULTS
    assert len(findings) == len(FAULTS)
    told = odd.vmem("reindex").err
    doctor = odd.vmem("doctor")
    assert doctor.code == 1
    for path, reason in NO_FILES.items():
        assert told.count(f"vmem: {path}: {reason}\n") == 1
        assert doctor.out.count(f"{path}: {reason}") == 1
    status = odd.vmem("status").out
    for path, code in FAULTS.items():
        assert f"{path}:1   {code}" in status


@pytest.mark.parametrize("name", [*READ, *NOT_TEXT, "empty.md", "blank.md"])
def test_show_gives_the_very_bytes_and_an_edit_keeps_them(door: Door, odd: Case, name: str) -> None:
    content = odd.files().get(name) or (odd.root / name).read_bytes()
    ran = odd.vmem("show", name)
    assert ran.code == 0
    assert ran.out.encode("utf-8", "surrogateescape") == content
    assert door.show(name).code == 0
    edited = door.edit(name, importance=0.9)
    after = (odd.root / name).read_bytes()
    if edited.code == 0:
        assert after == b"---\nimportance: 0.9\n---\n" + content
    else:
        assert (edited.code, after) == (65, content)
    assert edited.code == (65 if FAULTS.get(name) in ("VM002", "VM003") else 0)


@pytest.mark.parametrize("name", [*NO_FILES, "big.md"])
def test_what_is_no_memory_answers_to_no_name_and_never_blocks(door: Door, odd: Case, name: str) -> None:
    (odd.root / "big.md").write_bytes(b"persimmon big\n")
    os.truncate(odd.root / "big.md", 50 * 1024 * 1024)
    began = time.monotonic()
    for said in (door.show(name), door.edit(name, importance=0.9), door.forget(name)):
        assert said.code == 3
    assert time.monotonic() - began < 5
    assert (odd.root / name).exists()


def test_a_log_of_fifty_megabytes_is_named_with_the_limit_and_costs_no_time(door: Door, case: Case) -> None:
    line = b"2026-03-14 INFO persimmon, a line of a log\n"
    big = case.write("big.md", line * (50 * 1024 * 1024 // len(line)))
    case.write("good.md", "persimmon good\n")
    began = time.monotonic()
    assert [hit["path"] for hit in door.search("persimmon").value["hits"]] == ["good.md"]
    assert time.monotonic() - began < 5
    told = case.vmem("reindex")
    assert told.code == 0
    assert told.err.count("big.md") == 1
    assert "more than the limit of 10,485,760" in told.err
    assert "more than the limit of 10,485,760" in case.vmem("doctor").out
    assert big.stat().st_size > 50_000_000


def test_a_file_that_turns_odd_leaves_the_answers_and_one_that_turns_good_joins(
    door: Door, case: Case
) -> None:
    place = case.write("turn.md", "persimmon one\n")
    assert len(door.search("persimmon").value["hits"]) == 1
    place.write_bytes(PNG)
    assert door.search("persimmon").value["hits"] == []
    place.unlink()
    os.mkfifo(place)
    assert door.list().value == []
    place.unlink()
    place.mkdir()
    assert door.list().value == []
    place.rmdir()
    place.write_bytes(b"persimmon two\n")
    assert len(door.search("persimmon").value["hits"]) == 1


@pytest.mark.parametrize("name", ["plan.markdown", "PLAN.MD", "Plan.Md", "a/b.Markdown"])
def test_every_spelling_of_the_ending_is_a_memory_from_birth_to_return(
    door: Door, case: Case, git: Git, name: str
) -> None:
    case.write(name, "persimmon\n")
    assert [one["title"] for one in door.list().value] == [name.rpartition("/")[2].rpartition(".")[0]]
    assert [one["path"] for one in door.status().value["uncommitted"]] == [name]
    for ref in (name, f"{name}:1", f"{name}#L1"):
        assert door.show(ref).value["path"] == name
    assert door.edit(name, importance=0.9).code == 0
    assert door.status().value["uncommitted"] == []
    assert [one["paths"] for one in door.log(name).value] == [[name], [name]]
    assert door.forget(name).code == 0
    assert door.restore(name).code == 0
    assert (case.root / name).read_bytes() == b"---\nimportance: 0.9\n---\npersimmon\n"


def test_a_name_that_is_not_utf8_is_named_and_stops_nobody(door: Door, case: Case) -> None:
    case.write("good.md", "persimmon good\n")
    bad = os.fsencode(case.root) + b"/bad\xff.md"
    with open(bad, "wb") as file:  # noqa: PTH123 - Path has no bytes
        file.write(b"persimmon bad\n")
    assert [hit["path"] for hit in door.search("persimmon").value["hits"]] == ["good.md"]
    assert "bad\\xff.md: its name is not valid UTF-8" in case.vmem("reindex").err
    assert case.vmem("status").code == case.vmem("list").code == 0
    assert case.process("status").code == case.process("status", "--json").code == 0
    assert door.remember("new one", namespace="ops").code == 0
    assert Path(os.fsdecode(bad)).read_bytes() == b"persimmon bad\n"


def test_a_file_that_may_not_be_read_is_named_and_stops_nobody() -> None:
    with nobodys_vault() as theirs:
        theirs.write("good.md", "persimmon good\n")
        secret = theirs.write("secret.md", "persimmon secret\n", mode=0)
        found, listed, doctor, edited, forgotten, remembered = theirs.several(
            [
                ["search", "persimmon", "--json"],
                ["list", "--json"],
                ["doctor"],
                ["edit", "secret.md", "--importance", "0.9"],
                ["forget", "secret.md"],
                ["remember", "a new one"],
            ]
        )
        assert [hit["path"] for hit in found.value["hits"]] == ["good.md"]
        assert [one["path"] for one in listed.value] == ["good.md"]
        assert doctor.code == 1
        assert "secret.md: permission denied" in doctor.out.lower()
        assert (edited.code, forgotten.code, remembered.code) == (3, 3, 0)
        secret.chmod(0o644)
        again = theirs.vmem("search", "persimmon", "--json")
        assert {hit["path"] for hit in again.value["hits"]} == {"good.md", "secret.md"}


@pytest.mark.parametrize(
    "environment",
    [
        {"LANG": "C", "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"LANG": "POSIX", "PYTHONUTF8": "0"},
        {"LANG": "de_DE.ISO-8859-1", "LC_ALL": "de_DE.ISO-8859-1", "PYTHONUTF8": "0"},
        {"PYTHONIOENCODING": "latin-1:strict"},
        {"LANG": "C.UTF-8", "PYTHONUTF8": "1"},
    ],
    ids=["C", "POSIX", "Latin-1", "io Latin-1", "UTF-8"],
)
def test_every_answer_is_the_same_in_any_locale(odd: Case, environment: dict[str, str]) -> None:
    odd.write(
        "\u8bbe\u5b9a/\u00fcber.md",
        "---\ntitle: \u91cd\u542f\n---\npersimmon \u91cd\u542f worker \U0001f680\n",
    )
    odd.process("reindex")
    calls = (
        ["search", "persimmon", "--json", "-k", "50"],
        ["search", "\u91cd\u542f", "--json"],
        ["search", "\u91cd\u542f"],
        ["recall", "\u91cd\u542f", "--json"],
        ["show", "\u91cd\u542f"],
        ["show", "\u8bbe\u5b9a/\u00fcber.md", "--json"],
        ["show", "latin.md"],
        ["list"],
        ["status", "--json"],
    )
    for argv in calls:
        odd_one = odd.process(*argv, environment=environment)
        assert odd_one == odd.process(*argv), argv
    written = odd.process(
        "remember", "\u91cd\u542f \U0001f680 caf\u00e9", "--title", "\u8a2d\u5b9a", environment=environment
    )
    assert (written.code, written.err) == (0, "")
    assert (
        (odd.root / "notes" / "\u8a2d\u5b9a.md")
        .read_text(encoding="utf-8")
        .endswith("---\n\u91cd\u542f \U0001f680 caf\u00e9\n")
    )
    piped = odd.process(
        "remember", "-", stdin="\u0417\u0430\u043c\u0435\u0442\u043a\u0430".encode(), environment=environment
    )
    assert piped.code == 0
    assert "\u0437\u0430\u043c\u0435\u0442\u043a\u0430.md" in piped.out
