"""What an agent may not read is not there: two vaults that differ only in it answer alike."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.cases.doors import Case, Ran
from tests.gitrun import Git
from tests.stand import CountedIds, ToldClock
from vault_memory.vault import Vault

FORMS = ("text", "json")
SHARED_ID, OWN_ID = "01K8ZQ4T7R3M5N9V2XW6Y0ABCD", "01K8ZQ4T7R3M5N9V2XW6Y0ABCE"

EVERYBODYS = {
    "shared/market/plan.md": f"""\
---
id: "{SHARED_ID}"
title: Plan
tags: [trading, nvda]
aliases: [the plan]
kind: decision
status: open
created: 2026-03-01T10:00:00Z
---
The harbour opens in spring. See [[rules]], [[nobody knows]], [[Hidden hoard]] and [x](gone.md).
""",
    "shared/market/rules.md": "---\ntitle: Rules\ntags: trading\nupdated: 2026-03-02\n---\n"
    "Rules of the harbour. [[Plan]]\n",
    "shared/market/old.md": "---\ntitle: Old\nexpires: 2026-01-01\ncreated: 2025-12\n---\nOver. [[plan]]\n",
    "notes/idea.md": "An idea about lanterns in the harbour, [[plan]].\n",
    "notes/bad.md": "---\ntitle: [unclosed\n---\nA lantern.\n",
    "private/akashi/own.md": f'---\nid: "{OWN_ID}"\ntitle: Own\ntags: mine\n---\nMy own harbour, [[plan]].\n',
    "private/akashi/gone-by.md": "---\nttl: 1d\ncreated: 2026-01-01\n---\nShort of life.\n",
}
TALK = """\
Ann: Which lanterns are there in the harbour?
Bo: The old ones, I think, by the pier.
Ann: And the lanterns of the harbour master?
Bo: He keeps them at home.
"""
RANKED = {
    "shared/market/talk.md": f"---\ncreated: 2026-03-02\n---\n{TALK}",
    "shared/market/lamps.md": "---\ncreated: 2026-02-02\nsource_agent: akashi\n---\nLamps light the pier.\n",
    "notes/light.md": "A lighthouse shows ships the way at night. The lanterns went out in March.\n",
}
"""What ranking looks at: who speaks, what is asked, the day, what stands around a passage."""
RANKED_HERS = {
    "private/mira/talk.md": f"---\ncreated: 2026-03-02\n---\n{TALK}Zoe: And where are my lanterns?\n"
    "Bo: You never had any, Zoe.\nZoe: Lanterns, lanterns!\n",
    "private/mira/lamps.md": "---\nsource_agent: mira\ncreated: 2026-03-07\n---\nLamps light the pier.\n",
    **{
        f"private/mira/light/{n:03}.md": f"A lighthouse, number {n}, shows ships the way at night in March.\n"
        for n in range(150)
    },
    "private/mira/annabel.md": "---\nsource_agent: Annabel\n---\nThe lanterns of the harbour.\n",
    "private/mira/long.md": "Nothing but words. " * 400 + "\n",
}
"""Voices that nobody else has, days, and more that is like a question than is looked at."""
QUESTIONS = [
    "What did Zoe say of lanterns?",
    "What did Bo tell Zoe about the lanterns?",
    "What did Ann ask about the lanterns?",
    "What did Annabel write of the harbour?",
    "lanterns by mira",
    "lamps by akashi on 7 March 2026",
    "Which lamps were lit in February?",
    "When did the lanterns go out?",
    "a beacon that guides vessels after dark",
    "the harbour master's lanterns",
    "illumination of the jetty",
    "carats",
]

ONLY_MIRAS = {
    "private/mira/hoard.md": """\
---
id: "01K8ZQ4T7R3M5N9V2XW6Y0ABCF"
title: Hidden hoard
tags: [trading, hoard]
aliases: [the plan, nobody knows]
kind: hoarding
status: open
carats: 7
created: 2026-03-03T10:00:00Z
---
The harbour hoard: lantern, lantern, harbour. [[plan]] [[rules]] [[missing]] #buried
""",
    "private/mira/plan.md": f'---\nid: "{SHARED_ID}"\ntitle: Plan\nlinks: [{OWN_ID}]\n---\nAnother plan.\n',
    "private/mira/own.md": f'---\nid: "{OWN_ID}"\ntitle: Own\n---\nMy own harbour, [[plan]].\n',
    "private/mira/idea.md": "An idea about lanterns in the harbour, [[plan]].\n",
    "private/mira/gone.md": "---\nexpires: 2026-02-01\n---\nOver. [[old]]\n",
    "private/mira/bad.md": "---\ntags: [unclosed\n---\nHarbour.\n",
    "private/mira/deep/er/nobody knows.md": "Deep. <<<<<<< x\n",
    "private/mira/hoard (conflicted copy 2026-03-01).md": "A copy.\n",
    "private/loose.md": "Nobody's harbour: in no agent's folder.\n",
}

READS = [
    line.split("|")
    for line in """\
list
list|--expired|--sort|updated
list|--tag|hoard
list|--tag|buried
list|--tag|trading and not hoard
list|--kind|hoarding
list|--by|mira
list|--where|carats>5
list|--where|status=open
list|--since|2026-03-02
list|--since|2026-03-02|--until|2026-03-04
list|--path|private/
list|--path|private/mira/**
list|--path|*.md
list|--namespace|private/mira
list|--namespace|private/nobody
list|--namespace|mira
search|harbour lantern
search|"lantern"
search|hoard
search|harbour lantern hoard|--explain
search|harbour|--tag|hoard
search|harbour|--tag|nothing
search|harbour|--where|carats>5
search|harbour|--since|2026-03-02
search|harbour|--namespace|private/mira
search|Another plan|--limit|1
recall|harbour lantern
recall|harbour hoard|--explain
recall|lantern|--max-tokens|60
recall|harbour|--kind|hoarding
show|Plan
show|the plan
show|Own
show|Hidden hoard
show|nobody knows
show|hoard
show|01K8ZQ
show|01K8ZQ4T7R3M5N9V2XW6Y0ABCF
show|private/mira/hoard.md
show|private/mira/never.md
show|private/loose.md
links|Plan
links|rules
links|Hidden hoard
links|private/mira/hoard.md
links|--broken
tags
tags|--tag|hoard
topics
timeline
timeline|--per|month
stats
stats|--path|private/
changes
changes|--since|2026-01-01
changes|--since|HEAD
changes|--since|2026-01-01|--others|--limit|2
agents
log
log|Plan
log|idea
log|Hidden hoard
log|private/mira/hoard.md
lint
lint|--info
lint|--info|--format|sarif
lint|--info|--format|github
lint|private
lint|private/mira
lint|private/mira/hoard.md
lint|private/mira/never.md
lint|private/loose.md
lint|--rule|near-duplicate
lint|--rule|duplicate-id
lint|--rule|name-twin|--rule|conflict-copy
lint|--rule|secret
lint|--fix|--dry-run|--rule|missing-id|--rule|duplicate-id
gc
gc|--check
gc|--check|--now|2030-01-01
status
status|--short
doctor
config
config|inbox|--explain
diff
diff|Plan
diff|Hidden hoard
diff|HEAD
diff|private/mira/hoard.md
diff|HEAD^{/drop}
diff|:/drop
reindex
status
list|--tag|hoard""".splitlines()
]

WRITES = [
    line.split("|")
    for line in """\
remember|Another plan.
remember|A new harbour|--title|Hidden hoard|--namespace|market
remember|Another plan.|--namespace|private/mira
edit|Own|--add-tag|x
edit|Hidden hoard|--add-tag|x
edit|private/mira/hoard.md|--add-tag|x
edit|private/mira/never.md|--add-tag|x
link|Own|the plan
link|Own|nobody knows
link|Own|Hidden hoard
link|Own|private/mira/hoard.md
link|Own|private/mira/never.md
link|Plan|Hidden hoard|--remove
link|private/mira/hoard.md|Own
move|Own|private/mira
move|Own|private/mira/
move|Own|private/mira/deep
move|Own|private/mira/hoard.md
move|Own|private/mira/never.md
move|Own|private/mira/hoard
move|Own|private/loose
move|Own|private
move|Own|Private/Mira/
move|Own|../mira/hoard
move|Own|hoard
move|hoard|shared/market/hoard
move|private/mira/hoard.md|shared/
move|Plan|shared/market/strategy
move|shared/market/strategy.md|shared/market/scheme|--update-links
move|rules|shared/deep/|--update-links
undo
forget|Hidden hoard
forget|private/mira/hoard.md
forget|private/mira/gone.md
restore|Hidden hoard
restore|private/mira/dropped.md
restore|Dropped
forget|scheme
restore|scheme
undo
lint|--fix|--yes|--rule|missing-id
lint|--fix|--yes|--rule|duplicate-id
lint|private/mira|--fix|--yes|--rule|missing-id
undo
gc|--yes
undo
doctor|--fix
log
status
config|inbox|notes/in
undo
undo
undo
undo
undo
undo
show|Own
gc|--staged""".splitlines()
]


@dataclass
class Pair:
    """A vault with another agent's private notes, and one without."""

    with_hers: Case
    without: Case

    def ask(self, *argv: str) -> tuple[Ran, Ran]:
        """What akashi hears in each."""
        said: list[Ran] = []
        for case in (self.with_hers, self.without):
            place = Path.cwd()
            os.chdir(case.root)
            try:
                ran = case.vmem("--agent=akashi", *argv)
            finally:
                os.chdir(place)
            said.append(Ran(ran.code, plain(ran.out, case), plain(ran.err, case)))
        return said[0], said[1]


def plain(text: str, case: Case) -> str:
    """Without what differs between any two vaults: the place, commits, and what the machine says.

    The generation counts every change of the index, and so tells that there was one, but not of what.
    """
    text = text.replace(str(case.root), "ROOT")
    text = re.sub(r"\b[0-9a-f]{7,12}\b|\b[0-9a-f]{40}\b", "COMMIT", text)
    text = re.sub(r'"index_seconds": [\d.e-]+', '"index_seconds": 0', text)
    text = re.sub(r"(generation\"?:?) \d+", r"\1 0", text)
    text = re.sub(r"\b[0-9a-f]{16}\.\d+\.", "LOOK.", text)
    return re.sub(r"\d+(\.\d)? [KMGT]?B free", "ROOM free", text)


def lay(case: Case, files: dict[str, str]) -> None:
    for name, text in files.items():
        case.write(name, text)
        os.utime(case.root / name, (1_770_000_000, 1_770_000_000))


@pytest.fixture
def pair(tmp_path: Path, git: Git, monkeypatch: pytest.MonkeyPatch) -> Pair:
    """Her notes come first, in the middle and last; one is removed, one not committed, one is no note."""
    monkeypatch.setenv("GIT_AUTHOR_DATE", "2026-03-10T00:00:00Z")
    monkeypatch.setenv("GIT_COMMITTER_DATE", "2026-03-10T00:00:00Z")
    cases = []
    for name, hers in (("a", True), ("b", False)):
        root = tmp_path / name / "memory"
        Vault.create(root)
        case = Case(root, ToldClock(), CountedIds())
        git(root, "commit", "--quiet", "--allow-empty", "-m", "begin")
        steps = [{"private/mira/dropped.md": "---\ntitle: Dropped\n---\nHarbour.\n"}] if hers else []
        steps += [EVERYBODYS, ONLY_MIRAS] if hers else [EVERYBODYS]
        for files in steps:
            lay(case, files)
            git(root, "add", "--all")
            git(root, "commit", "--quiet", "-m", f"lay {next(iter(files))}")
        if hers:
            (root / "private/mira/dropped.md").unlink()
            git(root, "commit", "--quiet", "--all", "-m", "drop it")
            lay(case, {"private/mira/fresh.md": "Not committed harbour.\n"})
            (root / "private/mira/away.md").symlink_to("/etc/passwd")
            (root / "private/mira/inner.md").symlink_to("../../shared/market/plan.md")
        cases.append(case)
    return Pair(*cases)


def told(pair: Pair, calls: Iterable[Sequence[str]], form: str) -> list[tuple[Sequence[str], Ran, Ran]]:
    """The calls whose answers differ, with both answers."""
    found = []
    for argv in calls:
        given = [*argv, "--json"] if form == "json" and "--format" not in argv else argv
        hers, without = pair.ask(*given)
        if hers != without:
            found.append((given, hers, without))
    return found


@pytest.mark.parametrize("form", FORMS)
def test_no_read_tells_an_agent_of_anothers_notes(pair: Pair, form: str) -> None:
    assert not told(pair, READS, form)


@pytest.mark.parametrize("form", FORMS)
def test_no_write_tells_an_agent_of_anothers_notes_or_changes_them(pair: Pair, form: str) -> None:
    before = {name: one for name, one in pair.with_hers.files().items() if name not in EVERYBODYS}
    assert not told(pair, WRITES, form)
    after = pair.with_hers.files()
    assert {name: after.get(name) for name in before} == before
    mine = {name: one for name, one in after.items() if name not in before}
    assert mine == pair.without.files()


@pytest.mark.parametrize("form", FORMS)
def test_what_waits_of_another_is_neither_counted_nor_named(pair: Pair, git: Git, form: str) -> None:
    cases = (pair.with_hers, pair.without)
    for case in cases:
        git(case.root, "checkout", "--quiet", "--detach")
    hers = Case(pair.with_hers.root)
    assert hers.vmem("--agent=mira", "remember", "a harbour to come", "--title", "To come").code == 0
    assert hers.vmem("--agent=mira", "forget", "private/mira/hoard.md").code == 0
    calls = [["remember", "mine waits too"], ["status"], ["status", "--short"], ["doctor"]]
    calls += [["doctor", "--fix"], ["undo"], ["log"], ["diff"]]
    assert not told(pair, calls, form)
    for case in cases:
        git(case.root, "checkout", "--quiet", "main")
    assert not told(pair, [["doctor", "--fix"], ["doctor"], ["status"], ["log"]], form)


@pytest.mark.parametrize("embedder", ["bundled", "none"])
def test_what_another_wrote_changes_no_place_and_no_score(pair: Pair, git: Git, embedder: str) -> None:
    for case in (pair.with_hers, pair.without):
        lay(case, RANKED | RANKED_HERS if case is pair.with_hers else RANKED)
        git(case.root, "add", "--all")
        git(case.root, "commit", "--quiet", "-m", "lay more")
        assert case.vmem("config", "embedder", embedder).code == 0
        assert case.vmem("reindex").code == 0
    calls = [
        [*verb, question]
        for question in QUESTIONS
        for verb in (["search", "--explain"], ["search", "--limit", "50"], ["recall", "--explain"])
    ]
    assert not told(pair, calls, "json")
    assert not told(pair, [call for call in calls if "recall" in call], "text")
    found, _ = pair.ask("search", "--json", "lamps of the pier")
    assert ("meaning" in found.value["mode"]) == (embedder == "bundled")
    every = [pair.with_hers.vmem("search", "--json", question).value["hits"] for question in QUESTIONS]
    assert any(hit["path"].startswith("private/mira/") for hits in every for hit in hits), "she is asked"
