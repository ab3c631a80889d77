"""What the shell offers behind a half-typed word is text and no more: zsh evaluates it, bash inserts it."""

from __future__ import annotations

import re
import shlex

import pytest

from tests.cases.doors import Case, Ran

TRAPS = (
    r"\$(touch PWNED)", "$(touch PWNED)", "`touch PWNED`", "x;touch${IFS}PWNED", "a|b", "a&b", "a>b",
    "(e:b:)", '"; touch PWNED; "', "'; touch PWNED; '", "[/nope]", "[bold]x", "a\x1b[31mb", "a\nb",
    "a\u202eb", "!x", "*", "~$x",
)  # fmt: skip
"""Titles, tags, kinds and names of files that a note of somebody else's may have."""
ACTIVE = re.compile(r"[`$\\|&;<>*?!\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]")


def offered(case: Case, shell: str, line: str, **environment: str) -> Ran:
    """What vmem answers a shell that completes the line."""
    words = f"vmem --vault {shlex.quote(str(case.root))} {line}"
    asked = {
        "zsh": {"_VMEM_COMPLETE": "complete_zsh", "_TYPER_COMPLETE_ARGS": words},
        "bash": {
            "_VMEM_COMPLETE": "complete_bash",
            "COMP_WORDS": words,
            "COMP_CWORD": str(len(words.split())),
        },
    }[shell]
    return case.process(environment={**asked, **environment})


@pytest.fixture
def trapped(case: Case) -> Case:
    for number, trap in enumerate(TRAPS):
        text = "".join(rf"\u{ord(one):04x}" for one in trap)
        case.write(
            f"notes/n{number}.md",
            f'---\ntitle: "{text}"\ntags: ["{text}", "tag-{number}"]\nkind: "{text}"\n'
            f'source_agent: "{text}"\naliases: ["{text}"]\n---\nx\n',
        )
        if "/" not in trap:
            case.write(f"notes/{trap}.md", "x\n")
            case.write(f"{trap}/x.md", "x\n")
    assert case.vmem("list").code == 0
    return case


@pytest.mark.parametrize(
    "line", ["show ", "list --tag ", "list --kind ", "list --by ", "list -n ", "config "]
)
def test_nothing_of_a_note_becomes_code_of_the_shell(trapped: Case, line: str) -> None:
    ran = offered(trapped, "zsh", line)
    assert (ran.code, ran.err) == (0, "")
    wrapped = re.fullmatch(r"_arguments '\*: :\(\((.*)\)\)'\n?", ran.out, re.DOTALL)
    inner = wrapped[1] if wrapped else ""
    assert line == "list --by " or inner  # no agent's name there is one
    if line != "config ":  # its words are vmem's own
        assert not ACTIVE.search(inner.replace(r"\\:", ":")), inner
        assert "'" not in inner
    for number, trap in enumerate(TRAPS):
        for start in {trap[:1], trap}:
            words = (
                offered(trapped, "bash", f"{line}{shlex.quote(start)}").out.split("\n") if number < 4 else ()
            )
            assert not any(ACTIVE.search(word) for word in words)


def test_what_is_plain_is_offered(trapped: Case) -> None:
    assert '"notes/n0.md"' in offered(trapped, "zsh", "show ").out
    assert '"tag-3"' in offered(trapped, "zsh", "list --tag ").out


def test_an_agent_is_offered_nothing_of_anothers(case: Case) -> None:
    for agent in ("akashi", "mira"):
        assert (
            case.vmem(
                f"--agent={agent}", "remember", f"of {agent}", "--title", f"{agent}s", "--tag", agent
            ).code
            == 0
        )
    case.vmem("list")
    assert "private/mira/" in offered(case, "zsh", "show ").out
    for line in ("--agent akashi show ", "show --agent akashi "):
        assert "akashis" in offered(case, "zsh", line).out
        assert "mira" not in offered(case, "zsh", line).out
    assert "mira" not in offered(case, "zsh", "--agent akashi list --tag ").out
    assert "mira" not in offered(case, "zsh", "show ", VMEM_AGENT="akashi").out
    for nobody in ("--agent '' show ", "--agent ../mira show "):
        assert "private/" not in offered(case, "zsh", nobody).out
