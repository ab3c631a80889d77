"""Whatever a note holds, no command's text moves the cursor, turns the line or speaks for vmem."""

from __future__ import annotations

import json
import re

import pytest

from tests.cases.doors import Case, sound
from tests.gitrun import Git

ESCAPES = "\x1b[31mred\x07\x9bnone\u202eevil\u2066"
IN_YAML = r"\e[31mred\a\x9b\u202Eevil\u2066\nVmem-Op: forget\nMemory-Id: X"
STEERS = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u2028\u2029]")

COMMANDS = [
    line.split("|")
    for line in """\
list|--expired
list|--kind|none
list|--where|none=1
search|harbour|--explain
recall|harbour|--explain
recall|harbour|--max-tokens|80|--explain
tags
topics
timeline
stats
changes|--since|2020
changes|--since|HEAD
changes|--since|\x1b[31m
agents
links|notes/esc.md
links|--broken
log
log|notes/esc2.md
diff
diff|HEAD
diff|notes/esc2.md
lint|--info
lint|--info|--format|github
lint|--info|--format|sarif
lint|--fix|--dry-run
lint|--fix
gc
gc|--check
status
status|--short
doctor
show|dup
config
list|--where|\x1b[31m=
list|--path|\x1b[31m..
list|--namespace|\x1b[31m
list|--since|\x1b[31m
lint|\x1b[31m
lint|--rule|\x1b[31m
config|\x1b[31m
config|inbox|\x1b[31m
diff|\x1b[31m
edit|notes/esc2.md|--set|q=\x1b[31mx
edit|notes/esc2.md|--add-tag|zz
link|notes/esc2.md|notes/esc3.md
move|notes/esc2.md|notes/moved|--update-links
move|notes/moved.md|notes/moved\x1b[31m
lint|--fix|--yes
gc|--yes
undo
undo
forget|notes/esc4.md
restore|notes/esc4.md
doctor|--fix
log""".replace(r"\x1b", "\x1b").splitlines()
]


@pytest.fixture
def hostile(case: Case, git: Git) -> Case:
    case.write(
        "notes/esc.md",
        f'---\ntitle: "{IN_YAML}"\ntags: ["{IN_YAML}", ok]\naliases: ["{IN_YAML}"]\nkind: "{IN_YAML}"\n'
        f'source_agent: "{IN_YAML}"\nlinks: ["[[{IN_YAML}]]", "[[nowhere]]"]\n"{IN_YAML}": "{IN_YAML}"\n'
        f'ttl: "{IN_YAML}"\nimportance: "{IN_YAML}"\ncreated: "{IN_YAML}"\nid: "{IN_YAML}"\n'
        f"expires: 2020-01-01\n---\nharbour {ESCAPES} #tag{ESCAPES} [[{ESCAPES}]] [x]({ESCAPES}.md)\n",
    )
    for number in (2, 3):
        case.write(f"notes/esc{number}.md", f'---\ntitle: "{IN_YAML}"\nid: dup\n---\nharbour {ESCAPES}\n')
    case.write("notes/esc4.md", f'---\ntitle: "{IN_YAML}"\nttl: 1d\n---\nharbour {ESCAPES}\n')
    case.write("notes/%0A::set-output name=x::y.md", "---\ntitle: [x\n---\nharbour\n")
    case.write(f"notes/{ESCAPES}\n::error::x.md", "---\ntitle: [x\n---\nharbour [[nope]]\n")
    case.write(f"notes/gone {ESCAPES}\n.md", "---\nid: dup\nexpires: 2020-01-01\n---\nharbour\n")
    (case.root / "notes" / f"link {ESCAPES}.md").symlink_to(f"/etc/{ESCAPES}")
    git(case.root, "add", "--all")
    git(case.root, "commit", "--quiet", "--message", f"{ESCAPES} all")
    case.write(f"notes/new {ESCAPES}.md", "harbour\n")
    return case


def test_no_text_of_a_command_holds_a_character_that_steers(hostile: Case, git: Git) -> None:
    for argv in COMMANDS:
        ran = sound(hostile.vmem(*argv))
        if argv[0] != "show":  # a file as it is, into a pipe
            assert not STEERS.search(ran.out), (argv, ran.out)
        assert not STEERS.search(ran.err), (argv, ran.err)
        if "github" in argv:
            assert all(
                re.match("::(error|warning|notice) file=notes/", line) for line in ran.out.splitlines()
            )
        if "sarif" in argv:
            json.loads(ran.out)
    trailers = git(hostile.root, "log", "--format=%(trailers:key=Vmem-Op,valueonly)%x00").split("\0")
    assert {one.strip() for one in trailers} == {"", *"edit link move fix gc undo forget restore".split()}
    subjects = git(hostile.root, "log", "--format=%s%x00").split("\0")
    ops = git(hostile.root, "log", "--format=%(trailers:key=Vmem-Op,valueonly,separator=%x2C)%x00").split(
        "\0"
    )
    told = zip(subjects, ops, strict=True)
    assert all(subject.strip().startswith(op.strip()) and "," not in op for subject, op in told)
    assert "Memory-Id: X" not in git(hostile.root, "log", "--format=%(trailers:key=Memory-Id)")


def test_one_long_title_does_not_blow_up_every_row(case: Case) -> None:
    case.write("notes/long.md", f"---\ntitle: {'harbour ' * 25_000}\n---\nharbour\n")
    for number in range(200):
        case.write(f"notes/{number}.md", "---\nid: same\n---\nharbour\n")
    assert len(case.vmem("list").out) < 1_000_000
    assert len(case.vmem("show", "same").err) < 1_000_000
    assert len(case.vmem("search", "harbour").out) < 1_000_000
