"""What lint finds in a vault: each rule has a vault that breaks it and one that keeps it."""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.gitrun import Git
from tests.stand import CountedIds, ToldClock
from vault_memory.errors import ConfigError, UsageError
from vault_memory.model.linted import LintReport
from vault_memory.model.pages_of_links import RULES_OF_LINKS
from vault_memory.model.pages_of_vaults import RULES_OF_VAULTS
from vault_memory.vault import Vault

ID = "01K8ZQ4T7R3M5N9V2XW6Y0ABCD"
TOKEN = "ghp_" + "A1b2C3d4" * 5
LONG = "Restart the worker before the feed, and wait for the queue to drain; then look at the log again. " * 2


def note(text: str = "x", **keys: str) -> str:
    lines = "".join(f"{key}: {value}\n" for key, value in keys.items())
    return f"---\n{lines}---\n{text}\n" if keys else f"{text}\n"


@contextmanager
def vault_of(root: Path, files: Mapping[str, str | bytes], **settings: object) -> Iterator[Vault]:
    Vault.create(root)
    for name, content in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    with Vault.open(
        root, clock=ToldClock(), ids=CountedIds(), settings={"refresh_seconds": 0.0, **settings}
    ) as vault:
        yield vault


def lines(report: LintReport) -> list[tuple[str, str, int]]:
    return [(one.code, one.path, one.line) for one in report.findings]


def linted(root: Path, files: Mapping[str, str | bytes], *rules: str) -> list[tuple[str, str, int]]:
    with vault_of(root, files) as vault:
        return lines(vault.upkeep.lint(vault.person.scope, rules=rules))


CAFE, CAFE_APART = (unicodedata.normalize(form, "café.md") for form in ("NFC", "NFD"))

CASES: dict[str, tuple[dict[str, str | bytes], list[tuple[str, int]], dict[str, str | bytes]]] = {
    "duplicate-id": (
        {
            "a.md": note(title="A", id=ID, created="2026-02-01"),
            "b.md": note(created="2026-01-01", id=ID.lower()),
        },
        [("a.md", 3)],
        {"a.md": note(id=ID), "b.md": note(id=ID[:-1] + "E")},
    ),
    "conflict-copy": (
        {
            "plan.md": note("one"), "plan.sync-conflict-20260301-101500-ABCDEFG.md": note("two"),
            "plan (conflicted copy 2026-03-01).md": note("three"), "plan (1).md": note("one"),
            "plan (2).md": note("other", id=ID), "MEMORY.md": note(),
            "MEMORY.backup-2026-03-01.md": note("y"),
        },
        [
            ("MEMORY.backup-2026-03-01.md", 1), ("plan (1).md", 1),
            ("plan (conflicted copy 2026-03-01).md", 1),
            ("plan.sync-conflict-20260301-101500-ABCDEFG.md", 1),
        ],
        {
            "plan (conflicted copy 2026-03-01).md": note(), "Part.md": note("a thought"),
            "Part 2.md": note("more"),
        },
    ),
    "name-twin": (
        {"Plan.md": note("1"), "plan.md": note("2"), "Ops/a.md": note("3"), "ops/a.md": note("4"),
         CAFE: note("5"), CAFE_APART: note("6")},
        [(CAFE, 1), ("ops/a.md", 1), ("plan.md", 1)],
        {"plan.md": note("1"), "plan-2.md": note("2"), "ops/plan.md": note("3")},
    ),
    "broken-link": (
        {"a.md": note("See [b](b.md),\n[c](c.md)", links="[b, gone]", supersedes="old"), "b.md": note()},
        [("a.md", 2), ("a.md", 3), ("a.md", 6)],
        {"a.md": note("See [b](b.md) and [[later]], [w](https://x.org/w.md)", links="[b]"), "b.md": note()},
    ),
    "unwritten-note": (
        {"a.md": note("See [[b]]\nand [[later]] and [[{{title}}]]", up='"[[Home]]"'), "b.md": note()},
        [("a.md", 2), ("a.md", 5)],
        {"a.md": note("See [[b]] and `[[later]]`"), "b.md": note()},
    ),
    "missing-heading": (
        {
            "a.md": note("See [[b#Gone]]\nand [[b#^gone]], [c](b.md#gone) and\n[[#gone]]"),
            "b.md": note("# Here\n\n## Two of them\n\nx ^here\n\n```\n# Gone\n```"),
        },
        [("a.md", 1), ("a.md", 2), ("a.md", 2), ("a.md", 3)],
        {
            "a.md": note("# At `last`\n[[b#here]] [[b#Here#two of THEM!]] ![[b#^Here]] [x](b.md#two-of-them)"
                         "\n[[#At last]] `[[b#gone]]` [[gone#gone]] [[x.pdf#page=3]] [w](https://x.org/b.md#gone)"),
            "b.md": note("# Here\n\n## Two of them\n\nx ^here"),
        },
    ),
    "missing-file": (
        {
            "a.md": note("![[x.png]]\n![x](pictures/y.png) [z](z%20z.pdf)"),
            "pictures/z.png": "", ".trash/x.png": "",
        },
        [("a.md", 1), ("a.md", 2), ("a.md", 2)],
        {
            "deep/a.md": note("![[X.png|300]] ![[pictures/x.png]] ![x](../pictures/x.png) ![](beside.jpg)"
                              " [z](<../z z.pdf>) [[z z.pdf#page=2]] ![](https://x.org/no.png) `![](no.png)`"
                              " ![[{{cover}}.png]] ![](../../out/no.png)"),
            "pictures/x.png": "", "deep/beside.jpg": "", "z z.pdf": "",
        },
    ),
    "link-by-title": (
        {
            "rsi.md": note(title="NVDA RSI rule", aliases="[The rule]"),
            "a.md": note("See [[NVDA RSI rule]]\n[[the rule]]"),
        },
        [("a.md", 1), ("a.md", 2)],
        {
            "rsi.md": note(title="NVDA RSI rule"),
            "a.md": note("See [[rsi|NVDA RSI rule]]", links="[NVDA RSI rule]"),
        },
    ),
    "missing-id": (
        {"a.md": note(), "b.md": note(id=ID), "c.md": note(id="")},
        [("a.md", 1), ("c.md", 1)],
        {"a.md": note(id=ID), "a.bak.md": note()},
    ),
    "expired": (
        {"a.md": note(expires="2026-03-01"), "b.md": note(ttl="7d", created="2026-01-01")},
        [("a.md", 1), ("b.md", 1)],
        {"a.md": note(expires="2026-03-14"), "b.md": note(expires="2026-03-01", pinned="true")},
    ),
    "unreadable": (
        {"huge.md": "x" * 5000, "folder.md/inside.md": note()},
        [("folder.md", 1), ("huge.md", 1)],
        {"small.md": note()},
    ),
    "empty-title": (
        {"a.md": note(tags="x", Title="")},
        [("a.md", 3)],
        {"a.md": note(title='"0"'), "b.md": note()},
    ),
    "unversioned": (
        {".gitignore": "b.md\n", "a.md": note(), "b.md": note()},
        [("b.md", 1)],
        {"a.md": note()},
    ),
    "near-duplicate": (
        {
            "a.md": LONG, "b.md": LONG.replace(";", ","), "c.md": LONG.replace("the feed", "9 feeds"),
            "d.md": "", "e.md": "",
        },
        [("b.md", 1)],
        {"a.md": LONG, "b.md": "Another thought. " * 20},
    ),
    "secret": (
        {"a.md": note(f"one\ntwo {TOKEN}", title="T"), "b.md": note("x", password='"hunter22xyzQ9"')},
        [("a.md", 5), ("b.md", 2)],
        {"a.md": note("the token is in the safe; commit 40d8a9ec3c041d27eff42cf67f0b4ad4a11f9fbf")},
    ),
}  # fmt: skip
"""For each rule: files that break it with what is told of them, and files that keep it."""


def test_every_rule_of_a_vault_has_a_case() -> None:
    assert set(CASES) == {rule.name for rule in (*RULES_OF_VAULTS, *RULES_OF_LINKS)}


@pytest.mark.parametrize("name", CASES)
def test_the_bad_vault_is_told_and_the_good_one_is_not(name: str, tmp_path: Path) -> None:
    bad, told, good = CASES[name]
    code = next(rule.code for rule in (*RULES_OF_VAULTS, *RULES_OF_LINKS) if rule.name == name)
    with vault_of(tmp_path / "bad", bad, max_file_bytes=4000) as vault:
        report = vault.upkeep.lint(vault.person.scope, rules=[name])
        assert lines(report) == [(code, path, line) for path, line in told]
        assert all(one.advice for one in report.findings)
    assert linted(tmp_path / "good", good, name) == []


def test_a_clean_vault_has_no_problems_and_infos_are_counted(tmp_path: Path) -> None:
    with vault_of(tmp_path, {"a.md": note("[[b]] [[c]]", id=ID), "d.md": note()}) as vault:
        report = vault.upkeep.lint(vault.person.scope)
        assert report.problems == ()
        assert report.infos == {"missing-id": 1, "unwritten-note": 2}
        assert report.files == 2


def test_the_older_by_created_keeps_the_id_then_by_first_commit_then_by_path(
    tmp_path: Path, git: Git
) -> None:
    files = {"a.md": note("1", id=ID), "b.md": note("2", id=ID), "c.md": note("3", id=ID)}
    with vault_of(tmp_path, files) as vault:
        assert told_of(vault, "duplicate-id") == {
            "b.md": "has the same id as a.md",
            "c.md": "has the same id as a.md",
        }
        for at, name in enumerate(("c.md", "b.md")):
            git(tmp_path, "add", name)
            when = f"2026-01-0{at + 1}T00:00:00Z"
            os.environ |= {"GIT_COMMITTER_DATE": when, "GIT_AUTHOR_DATE": when}
            git(tmp_path, "commit", "-m", name)
        assert told_of(vault, "duplicate-id") == {
            "a.md": "has the same id as c.md",
            "b.md": "has the same id as c.md",
        }
        (tmp_path / "b.md").write_text(note("2", id=ID, created="2026-02-01"))
        assert set(told_of(vault, "duplicate-id")) == {"a.md", "c.md"}


def told_of(vault: Vault, *rules: str) -> dict[str, str]:
    return {one.path: one.message for one in vault.upkeep.lint(vault.person.scope, rules=rules).findings}


def test_a_conflict_copy_with_the_same_id_is_told_once_as_a_copy(tmp_path: Path) -> None:
    files = {"plan.md": note(id=ID), "plan (conflicted copy 2026-03-01).md": note("y", id=ID)}
    with vault_of(tmp_path, files) as vault:
        assert [one.code for one in vault.upkeep.lint(vault.person.scope).problems] == ["VM032"]


@pytest.mark.parametrize("name", ["plan.sync-conflict-20260301-101500-ABCDEFG.md", "plan (1).md"])
def test_a_copy_is_not_recalled_beside_its_original_and_search_says_what_it_is(
    name: str, tmp_path: Path
) -> None:
    files = {"plan.md": note("falcon plan", id=ID), name: note("falcon plan of another day", id=ID)}
    with vault_of(tmp_path, files) as vault:
        recalled = vault.person.recall("falcon")
        assert [hit.entry.path for hit in recalled.hits] == ["plan.md"]
        assert [(one.entry.path, one.reason.value, one.instead_of) for one in recalled.omitted] == [
            (name, "a conflict copy of another", "plan.md")
        ]
        found = vault.person.search("falcon")
        assert {hit.entry.path for hit in found.hits} == {"plan.md", name}
        assert found.notices == (f"{name} is a conflict copy of plan.md",)
        (tmp_path / "plan.md").unlink()
        assert [hit.entry.path for hit in vault.person.recall("falcon").hits] == [name]
        assert vault.person.search("falcon").notices == ()


def test_merge_markers_keep_a_note_out_of_recall_and_search_finds_it_with_a_word(tmp_path: Path) -> None:
    files = {
        "a.md": "<<<<<<< HEAD\nfalcon\n=======\nfalcon two\n>>>>>>> side\n",
        "b.md": "```\n<<<<<<< HEAD\nfalcon\n=======\n>>>>>>> x\n```\n",
    }
    with vault_of(tmp_path, files) as vault:
        assert [hit.entry.path for hit in vault.person.recall("falcon").hits] == ["b.md"]
        found = vault.person.search("falcon")
        assert {hit.entry.path for hit in found.hits} == {"a.md", "b.md"}
        assert found.notices == ("a.md holds merge markers",)


def test_an_agent_hears_only_of_what_it_may_read(tmp_path: Path) -> None:
    files = {
        "private/mira/a.md": note(importance="9", id=ID), "shared/b.md": note(id=ID),
        "private/akashi/c.md": note(ttl="soon"), "private/mira/d.bak.md": note(), "private/mira/d.md": note(),
    }  # fmt: skip
    with vault_of(tmp_path, files) as vault:
        report = vault.upkeep.lint(vault.agent("akashi").scope, everything=True)
        assert {one.path for one in report.findings} == {"private/akashi/c.md"}
        assert "mira" not in str(report)
        assert report.files == 2


def test_paths_narrow_what_is_told_but_not_what_is_compared(tmp_path: Path) -> None:
    files = {"a.md": note(id=ID, ttl="soon"), "ops/b.md": note(id=ID), "ops2/c.md": note(ttl="soon")}
    with vault_of(tmp_path, files) as vault:

        def found(*paths: str) -> list[tuple[str, str]]:
            report = vault.upkeep.lint(vault.person.scope, paths=paths)
            return [(one.code, one.path) for one in report.problems]

        assert found("ops") == found("ops/b.md") == [("VM031", "ops/b.md")]
        assert found("a.md") == [("VM023", "a.md"), ("VM031", "ops/b.md")]
        assert found("ops2") == [("VM023", "ops2/c.md")]
        assert found("") == found()


def test_rules_are_chosen_left_out_and_refused_by_name(tmp_path: Path) -> None:
    files = {"a.md": note(ttl="soon", importance="9")}
    with vault_of(tmp_path, files) as vault:

        def found(**options: list[str]) -> list[str]:
            report = vault.upkeep.lint(vault.person.scope, **options)  # type: ignore[arg-type]  # lists of rules
            return [one.code for one in report.problems]

        assert found() == ["VM023", "VM020"]
        assert found(rules=["bad-ttl"]) == ["VM023"]
        assert found(ignore=["VM023"]) == ["VM020"]
        assert found(rules=["bad-ttl"], ignore=["VM023"]) == []
        with pytest.raises(UsageError, match="no rule is called 'VM999'"):
            found(rules=["VM999"])


def test_the_setting_leaves_rules_and_folders_out_and_a_rule_named_is_looked_for_all_the_same(
    tmp_path: Path,
) -> None:
    files = {
        "a.md": note(ttl="soon"),
        "Templates/b.md": note(importance="9"),
        "Templates2/c.md": note(importance="9"),
    }
    with vault_of(tmp_path, files, lint_ignore=["bad-ttl", "Templates/"]) as vault:
        report = vault.upkeep.lint(vault.person.scope)
        assert [(one.code, one.path) for one in report.problems] == [("VM020", "Templates2/c.md")]
        assert report.files == 2
        assert [one.path for one in vault.upkeep.lint(vault.person.scope, rules=["VM023"]).problems] == [
            "a.md"
        ]


def test_a_setting_that_names_no_rule_is_refused(tmp_path: Path) -> None:
    Vault.create(tmp_path)
    with pytest.raises(ConfigError, match="lint_ignore: can't be"):
        Vault.open(tmp_path, settings={"lint_ignore": ["VM999"]})


def test_a_secret_is_named_by_rule_and_line_and_never_repeated(tmp_path: Path) -> None:
    files = {"a.md": note(f"x [t]({TOKEN}.md)", ttl=TOKEN), f"{TOKEN}.md": note("clean")}
    with vault_of(tmp_path, files) as vault:
        report = vault.upkeep.lint(vault.person.scope, everything=True)
        said = "".join(one.message + one.advice for one in report.findings)
        assert TOKEN not in said
        assert [(one.path, one.line) for one in report.findings if one.code == "VM050"] == [
            ("a.md", 2), ("a.md", 4), (f"{TOKEN}.md", 1)
        ]  # fmt: skip


def test_lint_changes_nothing_in_the_vault(tmp_path: Path) -> None:
    with vault_of(
        tmp_path, {name: content for bad, _, _ in CASES.values() for name, content in bad.items()}
    ) as vault:

        def state() -> dict[str, bytes]:
            return {
                str(file): file.read_bytes()
                for file in tmp_path.rglob("*")
                if file.is_file() and ".vmem/local" not in str(file)
            }

        before = state()
        assert vault.upkeep.lint(vault.person.scope, everything=True).problems
        assert state() == before


def test_the_place_of_the_vault_in_a_bigger_repository_is_told(tmp_path: Path, git: Git) -> None:
    git(tmp_path, "init", "--quiet")
    with vault_of(tmp_path / "docs" / "vault", {"a.md": note()}) as vault:
        assert vault.upkeep.lint(vault.person.scope).prefix == "docs/vault/"
    with vault_of(tmp_path / "own", {"a.md": note()}) as vault:
        assert vault.upkeep.lint(vault.person.scope).prefix == "own/"


def test_a_picture_in_anothers_private_folder_is_not_there_for_an_agent(tmp_path: Path) -> None:
    files = {
        "shared/a.md": note("![[face.png]] ![[pic.png]]"),
        "private/mira/face.png": "",
        "img/pic.png": "",
    }
    with vault_of(tmp_path, files) as vault:
        for who, told in (
            (vault.person, []),
            (vault.agent("akashi"), ["face.png"]),
            (vault.agent("mira"), []),
        ):
            report = vault.upkeep.lint(who.scope, rules=["missing-file"])
            assert [one.message for one in report.findings] == [
                f"no file of the vault is called {x!r}" for x in told
            ]


def test_a_folder_of_pictures_behind_a_link_is_looked_into_and_one_outside_is_not_judged(
    tmp_path: Path,
) -> None:
    root = tmp_path / "vault"
    with vault_of(root, {"a.md": note("![[in.png]] ![[out.png]]"), "store/in.png": ""}) as vault:
        (root / "linked").symlink_to("store", target_is_directory=True)
        (root / "loop").symlink_to(".", target_is_directory=True)
        assert [one.message for one in vault.upkeep.lint(vault.person.scope, rules=["VM043"]).findings] == [
            "no file of the vault is called 'out.png'"
        ]
        (root / "outside").symlink_to(tmp_path, target_is_directory=True)
        assert lines(vault.upkeep.lint(vault.person.scope, rules=["VM043"])) == []
