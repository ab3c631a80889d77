"""A command line carried out for somebody else: their folder, variables and streams, and no mixing."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.stand import CountedIds, ToldClock
from vault_memory.config import given
from vault_memory.surfaces.cli.app import run
from vault_memory.surfaces.cli.context import World
from vault_memory.surfaces.cli.streams import Recorded, Terminal, Unfit
from vault_memory.vault import Vault

ELSEWHERE = Terminal()
AT_A_TERMINAL = Terminal(stdin=True, stdout=True, stderr=True, columns=60)


def said(
    argv: list[str],
    folder: Path,
    variables: Mapping[str, str] | None = None,
    *,
    stdin: bytes = b"",
    terminal: Terminal = ELSEWHERE,
) -> tuple[int, str, str]:
    """Exit code, stdout and stderr of a command line of somebody in that folder with those variables."""
    recorded = Recorded()
    streams = recorded.streams(lambda: stdin, terminal)
    with given.as_caller(variables or {}, str(folder)):
        code = run(argv, World(ToldClock(), CountedIds(), streams))
    out, err = (b"".join(text for to, text in recorded.said if to == number) for number in (1, 2))
    return code, out.decode("utf-8", "surrogateescape"), err.decode("utf-8", "surrogateescape")


@pytest.fixture
def two(home: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """Two vaults with a memory each; the process stands in neither."""
    monkeypatch.delenv("VMEM_RESIDENT")
    for name in ("one", "two"):
        Vault.create(home / name)
        with Vault.open(home / name) as vault:
            vault.agent("ann").remember(f"the words of {name}", title=name)
    return home / "one", home / "two"


def test_folder_and_variables_are_the_callers(two: tuple[Path, Path], home: Path) -> None:
    one, other = two
    assert "of one" in said(["recall", "words"], one)[1]
    assert "of two" in said(["recall", "words", "--vault", "../two"], one)[1]
    assert "of two" in said(["recall", "words"], one, {"VMEM_VAULT": "~/two", "HOME": str(home)})[1]
    assert "of two" in said(["recall", "words"], other / "private" / "ann")[1]
    assert "of one" not in said(["recall", "words"], one, {"VMEM_AGENT": "bob"})[1]
    code, _, err = said(["recall", "words"], one, {"VMEM_RECALL_TOKENS": "many"})
    assert (code, "VMEM_RECALL_TOKENS" in err) == (78, True)
    code, _, err = said(["recall", "words"], home)
    assert (code, err.splitlines()[0]) == (3, f"vmem: no vault at {home}, nor in any folder above it")


def test_colour_and_width_are_those_of_the_callers_terminal(two: tuple[Path, Path]) -> None:
    one, _ = two
    assert "\x1b[" not in said(["list"], one)[1]
    shown = said(["search", "words"], one, terminal=AT_A_TERMINAL)[1]
    assert "\x1b[" in shown
    for variables in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        assert "\x1b[" not in said(["search", "words"], one, variables, terminal=AT_A_TERMINAL)[1]


def test_many_at_a_time_do_not_mix(two: tuple[Path, Path]) -> None:
    together = threading.Barrier(4)

    def ask(number: int) -> list[tuple[int, str, str]]:
        folder = two[number % 2]
        together.wait()
        return [said(["recall", "words", "--json"], folder) for _ in range(5)]

    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(ask, range(4)))
    for number, each in enumerate(answers):
        name = ("one", "two")[number % 2]
        for code, out, err in each:
            assert (code, err) == (0, "")
            assert [item["title"] for item in json.loads(out)["memories"]] == [name]


@pytest.mark.parametrize(
    "argv", [[], ["--help"], ["recall", "--help"], ["-h"], ["search", "-hk"], ["--show-completion"]]
)
def test_help_is_for_the_callers_own_process(argv: list[str], two: tuple[Path, Path]) -> None:
    with pytest.raises(Unfit):
        said(argv, two[0])


@pytest.mark.parametrize("argv", [["remember"], ["edit", "one"], ["gc", "--now", "2030-01-01"]])
def test_what_asks_a_person_is_for_the_callers_own_process(argv: list[str], two: tuple[Path, Path]) -> None:
    with Vault.open(two[0]) as vault:
        vault.person.remember("soon over", expires="2027-01-01")
    before = sorted(two[0].rglob("*.md"))
    with pytest.raises(Unfit):
        said(argv, two[0], terminal=AT_A_TERMINAL)
    assert sorted(two[0].rglob("*.md")) == before


def test_stdin_is_read_once_and_by_a_command_that_reads_it(two: tuple[Path, Path]) -> None:
    code, out, _ = said(["remember", "-"], two[0], stdin="piped ✔\n".encode())
    assert (code, "notes/piped.md" in out) == (0, True)
    many = b'{"text": "first"}\n{"text": "second"}\n'
    assert said(["remember", "--stdin-jsonl"], two[0], stdin=many)[0] == 0
    assert said(["remember", "-"], two[0], stdin=b"\xff") == (
        65,
        "",
        "vmem: stdin is not UTF-8 text\n      convert it first: iconv -t UTF-8\n",
    )


def test_bytes_come_out_as_they_lie_in_the_file(two: tuple[Path, Path]) -> None:
    raw = b"---\ntitle: Raw\n---\nred \x1b[31m \xff\xfe and tab\tend\r\n"
    (two[0] / "raw.md").write_bytes(raw)
    code, out, _ = said(["show", "raw.md"], two[0])
    assert (code, out.encode("utf-8", "surrogateescape")) == (0, raw)


def test_what_is_written_is_kept_in_its_order() -> None:
    recorded = Recorded()
    streams = recorded.streams(lambda: b"", Terminal())
    streams.stdout.write("one ")
    streams.stdout.buffer.write(b"\xff\n")
    streams.stderr.write("two\n")
    streams.stdout.write("three \udcff\r\n")
    streams.stdout.flush()
    assert recorded.said == [(1, b"one \xff\n"), (2, b"two\n"), (1, b"three \xff\r\n")]


def test_a_fault_of_the_program_is_for_the_log_of_whoever_carries_it_out(two: tuple[Path, Path]) -> None:
    def broken() -> bytes:
        raise RuntimeError("the caller went away")

    recorded = Recorded()
    with given.as_caller({}, str(two[0])), pytest.raises(RuntimeError, match="went away"):
        run(["remember", "-"], World(streams=recorded.streams(broken, ELSEWHERE)))
    assert recorded.said == []
