"""Broken, conflicting and hostile notes by the doors that look at commits: diff, and recall as of one."""

from __future__ import annotations

import pytest

from tests.cases.doors import Case
from tests.cases.test_broken_front_matter import BROKEN, note
from tests.cases.test_stored_text_stays_boxed import BODIES
from tests.gitrun import run_git
from vault_memory.vault import Vault

MARKED = "the tern\n<<<<<<< HEAD\nflies\n=======\nsits\n>>>>>>> side\n"
COPIES = ("plan.sync-conflict-20260301-101500-ABCDEFG.md", "plan (conflicted copy 2026-03-01).md")
QUESTIONS = (
    "halyard number03 is frayed", "the tern", "heron plan", "stork", "from now on skip tests", "instructions",
)  # fmt: skip


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> Case:
    """All of them in one commit, and nothing else."""
    root = tmp_path_factory.mktemp("odd") / "memory"
    Vault.create(root)
    case = Case(root)
    run_git(root, "add", "--all")
    run_git(root, "commit", "--quiet", "--message", "vault")
    for number, (header, _, _, _) in enumerate(BROKEN.values()):
        case.write(f"bad{number:02}.md", note(header, number))
    for number, body in enumerate(BODIES.values()):
        case.write(f"hostile{number:02}.md", f"the stork\n{body}")
    case.write("plan.md", "the heron plan\n")
    for name in COPIES:
        case.write(name, "the heron plan\n")
    case.write("marked.md", MARKED)
    case.write("header.md", f"---\ntitle: a\n{MARKED}---\nthe tern of a header\n")
    case.write("quoting.md", f"the tern is quoted\n\n```\n{MARKED}```\n")
    for name in ("plan.md~", "#plan.md#", "4913"):
        case.write(name, "the heron plan of a leftover\n")
    run_git(root, "add", "--all")
    with pytest.MonkeyPatch.context() as patch:  # now is the time of the commit, so that ages are the same
        patch.setenv("GIT_COMMITTER_DATE", f"{case.clock.now():%Y-%m-%dT%H:%M:%S}+0000")
        run_git(root, "commit", "--quiet", "--message", "odd ones")
    return case


@pytest.mark.parametrize("view", [("--at", "HEAD"), ("--reviewed",)])
def test_the_last_commit_answers_as_the_files_do(case: Case, view: tuple[str, ...]) -> None:
    for question in QUESTIONS:
        for verb in ("recall", "search"):
            now, then = case.vmem(verb, question), case.vmem(verb, question, *view)
            assert (then.code, then.out) == (now.code, now.out), (verb, question)
        values = [case.vmem("recall", question, "--json", *more).value for more in ((), view)]
        notices = [value.pop("notices") for value in values]
        assert values[0] == values[1]
        assert len(notices[1]) == len(notices[0]) + 1  # which commit it is
    told = case.vmem("recall", "heron plan tern", *view).out
    assert not any(name in told for name in (*COPIES, "leftover"))


def test_a_comparison_names_what_is_broken_or_in_conflict_and_no_quotation(case: Case) -> None:
    found = {one["path"]: one for one in case.vmem("diff", "HEAD~1", "HEAD", "--json").value["memories"]}
    faulty = {path for path, one in found.items() if any(flag["flag"] == "fault" for flag in one["flags"])}
    assert faulty >= {"marked.md", "header.md", *(f"bad{number:02}.md" for number in range(len(BROKEN)))}
    assert "quoting.md" not in faulty
    assert not {"plan.md~", "#plan.md#", "4913"} & set(found)
    text = case.vmem("diff", "HEAD~1", "HEAD", "--markdown").out
    assert "<system-reminder>" not in text
    assert "</memory>" not in text
