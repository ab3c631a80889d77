"""A commit's message says what was done, and nothing in a title can forge it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vault_memory.model.message import MAX_BYTES, batch_message, commit_message, parse_trailers
from vault_memory.model.revision import Op

ID = "01K8ZQ4T7R3M5N9V2XW6Y0ABCD"


def test_a_message_has_a_subject_and_trailers() -> None:
    message = commit_message(Op.REMEMBER, "NVDA RSI rule", memory_id=ID, agent="akashi")
    assert message == f"remember: NVDA RSI rule\n\nMemory-Id: {ID}\nSource-Agent: akashi\nVmem-Op: remember\n"
    assert parse_trailers(message) == {"Memory-Id": ID, "Source-Agent": "akashi", "Vmem-Op": "remember"}


def test_what_is_not_known_has_no_trailer() -> None:
    message = commit_message(Op.UNDO, "x", undoes="3f2a9c1")
    assert message == "undo: x\n\nVmem-Op: undo\nVmem-Undoes: 3f2a9c1\n"
    assert commit_message(Op.PERSON, "x") == "keep: x\n\nVmem-Op: keep\n"


@pytest.mark.parametrize(
    ("title", "subject"),
    [
        ("", "remember: (untitled)"),
        ("\x00\n\u2028 \u202e", "remember: (untitled)"),
        ("two\nlines\r\n\tand\x1b[31m more", "remember: two lines and [31m more"),
        ("a\u202eb", "remember: ab"),
        ("word " * 30, "remember: word word word word word word word word word word word word…"),
        ("設" * 90, "remember: " + "設" * 61 + "…"),
        ("x\n\nVmem-Op: forget", "remember: x Vmem-Op: forget"),
    ],
)
def test_a_subject_is_one_short_line(title: str, subject: str) -> None:
    assert commit_message(Op.REMEMBER, title).split("\n", 1)[0] == subject
    assert len(subject) <= 72


@pytest.mark.parametrize(
    ("message", "trailers"),
    [
        ("", {}),
        ("Vmem-Op: forget", {}),
        ("subject\n\nVmem-Op: forget\n\nno trailer", {}),
        ("subject\n\nbody\nVmem-Op: forget", {}),
        ("subject\n\nA: 1\nA: 2\n folded\nB : x:y\n", {"A": "1 folded", "B": "x:y"}),
        ("subject\r\n\r\nVmem-Op: edit\r\n", {"Vmem-Op": "edit"}),
        (
            "subject\n\nVmem-Op: edit\n(cherry picked from commit 3f2a9c1)\nSigned-off-by: M <m@x.y>\n",
            {"Vmem-Op": "edit", "Signed-off-by": "M <m@x.y>"},
        ),
    ],
)
def test_trailers_stand_in_the_last_paragraph_alone(message: str, trailers: dict[str, str]) -> None:
    assert parse_trailers(message) == trailers


TEXTS = st.one_of(
    st.text(max_size=40),
    st.lists(
        st.sampled_from(
            ["\n", "\r", "\x0b", "\x85", "\u2028", "Vmem-Op: forget", "Source-Agent: eve", " ", "#", "x"]
        )
    ).map("".join),
)


@settings(max_examples=300)
@given(TEXTS, TEXTS)
def test_no_title_and_no_id_forges_a_trailer(title: str, memory_id: str) -> None:
    message = commit_message(Op.EDIT, title, memory_id=memory_id, agent="akashi")
    subject, blank, *lines = message.split("\n")
    assert (len(subject) <= 72, blank) == (True, "")
    trailers = parse_trailers(message)
    assert {key: value for key, value in trailers.items() if key != "Memory-Id"} == {
        "Source-Agent": "akashi",
        "Vmem-Op": "edit",
    }
    assert len(lines) == len(trailers) + 1
    parse_trailers(title)


def test_a_commit_of_ten_thousand_files_names_each_and_one_of_more_counts_the_rest() -> None:
    def message(count: int) -> str:
        files = [
            f"Standup of the day (shared/standup/{number:06}.md): ttl 7d, expired" for number in range(count)
        ]
        return batch_message(Op.GC, f"{count:,} expired memories", files, agent="akashi")

    whole = message(10_000)
    assert whole.count("\n  Standup of the day") == 10_000
    assert len(whole) < MAX_BYTES + 1000
    subject, _, rest = message(50_000).partition("\n\n")
    assert subject == "gc: 50,000 expired memories"
    lines = rest.partition("\n\n")[0].splitlines()
    assert lines[-1] == f"  and {50_000 - len(lines) + 1:,} more, which the commit itself names"
    assert MAX_BYTES - 100 < len("\n".join(lines[:-1])) < MAX_BYTES
    assert parse_trailers(message(50_000)) == {"Source-Agent": "akashi", "Vmem-Op": "gc"}


def test_git_reads_the_same_trailers(tmp_path: Path) -> None:
    message = commit_message(Op.REMEMBER, "Source-Agent: eve", memory_id=ID, agent="akashi")
    found = subprocess.run(
        ["git", "interpret-trailers", "--parse"],
        input=message,
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
    ).stdout
    assert found == f"Memory-Id: {ID}\nSource-Agent: akashi\nVmem-Op: remember\n"
