"""`vmem capture --review`: what was captured is looked at, and each word is carried out at once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cases.doors import Case
from tests.gitrun import Git
from tests.transcripts.test_terminal import editor, on_terminal
from vault_memory.vault import Vault

PLAIN = {"NO_COLOR": "1", "VMEM_EMBEDDER": "none"}
TALK = """User: The export hangs because its lock file lies on a network disk.
User: We decided to use Postgres for the job queue.
User: The report must never contain names of customers.
Assistant: The import takes 38 s instead of 95 s now.
"""
CAUSE, DECISION, RESULT, RULE = (
    f"private/akashi/inbox/{name}.md"
    for name in (
        "the-export-hangs-because-its-lock-file-lies-on-a-network-disk",
        "we-decided-to-use-postgres-for-the-job-queue",
        "the-import-takes-38-s-instead-of-95-s-now",
        "the-report-must-never-contain-names-of-customers",
    )
)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    Vault.create(tmp_path / "memory")
    (tmp_path / "talk.txt").write_text(TALK, encoding="utf-8")
    (tmp_path / "other.txt").write_text("User: We decided to use Redis for the sessions.\n", encoding="utf-8")
    with Vault.open(tmp_path / "memory") as vault:
        assert len(vault.capture.transcript(tmp_path / "talk.txt", "akashi").saved) == 4
        vault.agent("bo").remember("A note of bo's own")
    return tmp_path / "memory"


def at(root: Path) -> set[str]:
    return {str(one.relative_to(root)) for one in root.glob("[ps]*/**/*.md")}


def test_each_is_kept_moved_edited_forgotten_or_left(root: Path, home: Path, git: Git) -> None:
    own = PLAIN | editor(home, 'sed -i s/hangs/stalls/ "$2"')
    typed = b"x\ne\nm\n\nm\n../x\nm\nops\nk\nf\ns\n"
    code, shown = on_terminal("capture", "--review", cwd=root, environment=own, typed=typed)
    assert code == 0, shown
    assert "1 of 4   semantic   of akashi   line 1   expires 2" in shown
    assert "can't be a place in the vault" in shown
    assert "4 memories: 1 kept, 1 moved to shared, 1 forgotten, 1 left there" in shown
    moved = CAUSE.replace("private/akashi/inbox", "shared/ops")
    assert "stalls" in git(root, "show", f"HEAD:{moved}")
    first, second, third, _ = sorted((CAUSE, DECISION, RESULT, RULE))
    assert first == CAUSE
    assert {second.replace("/inbox", ""), moved} <= at(root)
    assert not {first, second, third} & at(root)
    assert git(root, "status", "--porcelain", "private", "shared") == ""
    assert git(root, "log", "-1", "--format=%an").strip() != "akashi"


def test_who_quits_leaves_the_rest_and_an_agent_is_asked_nothing(root: Path) -> None:
    before = at(root)
    code, shown = on_terminal("capture", "--review", "akashi", cwd=root, environment=PLAIN, typed=b"q\n")
    assert (code, "4 memories: 4 left there" in shown) == (0, True)
    words = ("capture", "--review", "--agent", "akashi")
    code, shown = on_terminal(*words, cwd=root, environment=PLAIN, typed=b"f\n")
    assert (code, "[k]eep" in shown, "4 memories" in shown) == (0, False, True)
    assert at(root) == before
    code, shown = on_terminal("capture", "--review", "bo", cwd=root, environment=PLAIN)
    assert (code, "Nothing waits in the inbox of bo." in shown) == (0, True)


def test_options_say_it_without_a_terminal(root: Path) -> None:
    case = Case(root)
    done = case.vmem(
        "capture", "--review", "--keep", DECISION, "--to", "ops", "--forget", RULE, "--json"
    ).value
    assert [one["path"] for one in done["kept"]] == [DECISION.replace("private/akashi/inbox", "shared/ops")]
    assert [one["path"] for one in done["forgotten"]] == [RULE]
    assert {one["path"] for one in done["waiting"]} == {CAUSE, RESULT}
    assert case.vmem("capture", "--review", "bo", "--json").value == {
        "kept": [], "forgotten": [], "waiting": [], "notices": [],
    }  # fmt: skip
    own = case.vmem("--agent", "akashi", "capture", "--review", "--keep", RESULT, "--json").value
    assert [one["path"] for one in own["kept"]] == [RESULT.replace("/inbox", "")]


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("--review", "--keep", "A note of bo's own"), 2),
        (("--review", "--keep", CAUSE, "--keep", "nothing"), 3),
        (("--review", "--keep", CAUSE, "--forget", CAUSE), 2),
        (("--review", "--to", "ops"), 2),
        (("--review", "--dry-run"), 2),
        (("--review", "../bo"), 65),
        (("--review", "--keep", CAUSE, "--agent", "bo"), 3),
        (("--keep", CAUSE), 2),
        ((), 2),
    ],
)
def test_what_can_t_be_is_refused_before_anything_is_done(
    root: Path, words: tuple[str, ...], code: int
) -> None:
    before = at(root)
    answer = Case(root).vmem("capture", *words)
    assert answer.code == code, answer
    assert at(root) == before


def test_who_finds_an_empty_inbox_is_told_where_what_was_captured_waits(root: Path, git: Git) -> None:
    case = Case(root)
    case.vmem("capture", str(root.parent / "other.txt"), "--agent", "pro", "--propose")
    told = case.vmem("capture", "--review", "pro").out
    assert (
        told == "Nothing waits in the inbox of pro.\nProposed for a review: vmem review memory/pro/captured\n"
    )
    assert "memory/pro" not in case.vmem("capture", "--review", "pro", "--agent", "akashi").out
    git(root, "config", "core.repositoryformatversion", "9")
    assert "memory/pro" not in case.vmem("capture", "--review", "pro").out


def test_where_review_is_required_an_agent_shares_nothing_out_of_its_inbox(root: Path) -> None:
    with (root / ".vmem" / "config.toml").open("a", encoding="utf-8") as file:
        file.write('\n[agents.akashi]\nreview = "required"\n')
    refused = Case(root).vmem(
        "--agent", "akashi", "capture", "--review", "--keep", CAUSE, "--to", "ops", "--json"
    )
    assert refused.code == 77
    assert CAUSE in at(root)
    assert json.dumps("shared/ops")[1:-1] in refused.err
