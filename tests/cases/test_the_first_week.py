"""What a newcomer types is met with what was meant, or with what to type instead."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.cases.doors import Case, run_process


def test_a_note_is_found_by_its_place_on_the_disk(case: Case) -> None:
    place = case.write("Notes/Minimal Theme.md", "Dark and light.\n")
    assert case.vmem("show", str(place)).out == "Dark and light.\n"
    assert case.vmem("show", f"{place}:1").out == "Dark and light.\n"
    assert case.vmem("show", str(case.root.parent / "outside.md")).code == 3


def test_a_half_remembered_name_is_met_with_those_that_are_like_it(case: Case) -> None:
    case.write("People/Kevin Kelly.md", "x\n")
    case.write("People/well-made.md", "---\ntitle: Well Made 145 Kevin Kelly\n---\nx\n")
    case.write("Plans/theme.md", "---\naliases: [Minimal]\n---\nx\n")
    for typed, meant in (
        ("Kevin", ("'People/Kevin Kelly.md'", "'People/well-made.md'")),
        ("elsewhere/Kevin Kelly.md", ("'People/Kevin Kelly.md'",)),
        ("Kevin Kely", ("'People/Kevin Kelly.md'",)),
        ("minima", ("'Plans/theme.md'",)),
    ):
        ran = case.vmem("show", typed)
        assert ran.code == 3
        assert all(path in ran.err for path in meant), ran.err
    assert "vmem list shows them" in case.vmem("show", "zebra").err


def test_a_folder_is_met_with_how_to_list_it(case: Case) -> None:
    case.write("People/Kevin Kelly.md", "x\n")
    for typed in ("People", "People/"):
        ran = case.vmem("edit", typed, "--importance", "1")
        assert (ran.code, "vmem list --path 'People/'" in ran.err) == (3, True)


def test_no_name_that_an_agent_may_not_read_is_offered_to_it(case: Case) -> None:
    case.write("private/mira/harbour plan.md", "x\n")
    for typed in ("harbour", "harbour plam", "private/mira"):
        assert "private/mira/" in case.vmem("show", typed).err
        told = case.vmem("--agent", "akashi", "show", typed).err.replace(repr(typed), "")
        assert "harbour" not in told
        assert "folder" not in told


def test_what_is_remembered_joins_the_folder_that_is_called_so_but_for_case(case: Case) -> None:
    case.write("Notes/a.md", "x\n")
    case.write("shared/Market/b.md", "x\n")
    assert case.vmem("remember", "one thing").out.startswith("✔ Notes/one-thing.md")
    assert case.vmem("remember", "two", "--namespace", "market").out.startswith("✔ shared/Market/two.md")
    assert case.vmem("remember", "one thing").out.startswith("✔ Notes/one-thing.md")
    assert "2 memories" in case.vmem("list", "--namespace", "notes").out
    assert not case.vmem("lint").err


def test_an_agents_own_folder_is_no_other_spelling_of_it(case: Case) -> None:
    case.write("private/Akashi/a.md", "x\n")
    said = case.vmem("--agent", "akashi", "remember", "mine").out
    assert said.startswith("✔ private/akashi/mine.md")


def test_the_inbox_can_be_the_vaults_own_folder(case: Case) -> None:
    assert case.vmem("config", "inbox", ".").code == 0
    assert case.vmem("remember", "on top").out.startswith("✔ on-top.md")
    assert "known already" in case.vmem("remember", "on top").out
    assert case.vmem("undo").code == 0
    assert case.files() == {}


def test_status_and_doctor_count_what_lint_calls_a_problem(case: Case) -> None:
    case.write("Templates/note.md", "---\ncreated: '{{date}}'\n---\nx\n")
    case.write("old/bad.md", "---\ntitle: a: b\n---\nx\n")
    assert json.loads(case.vmem("status", "--json").out)["faults"] == 1
    assert "1 problem in files" in case.vmem("status").out
    assert "1 problem in them" in case.vmem("doctor").out
    assert "1 problem in 2 files" in case.vmem("lint").out
    assert case.vmem("config", "lint_ignore", "old/").code == 0
    assert json.loads(case.vmem("status", "--json").out)["faults"] == 0
    assert "problem" not in case.vmem("doctor").out.splitlines()[0]
    assert "no problems" in case.vmem("lint").out
    assert case.vmem("config", "lint_ignore", "not-yaml").code == 0
    assert "✗" not in case.vmem("status", "--short").out


def test_a_place_where_nothing_lies_is_told(case: Case) -> None:
    case.write("notes/a.md", "x y\n")
    assert (
        "no memory lies below 'nots'; did you mean 'notes'?" in case.vmem("list", "--namespace", "nots").err
    )
    assert "no memory lies at 'nots/'" in case.vmem("search", "x", "--path", "nots/").err
    assert not case.vmem("list", "--path", "notes/").err


@pytest.mark.parametrize("folder", ["memory", "two words", "it's"])
def test_init_says_how_to_get_there_as_a_shell_takes_it(tmp_path: Path, home: Path, folder: str) -> None:
    made = run_process(["init", folder], stdin=b"", environment={}, cwd=tmp_path)
    typed = made.out.rsplit("Next: ", 1)[1].split("   then:")[0]
    shell = shutil.which("sh")
    assert shell is not None
    stands = subprocess.run(
        [shell, "-c", f"{typed} && pwd"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert Path(stands.stdout.strip()) == tmp_path / folder
    again = run_process(["init"], stdin=b"", environment={}, cwd=home)
    assert "Next: vmem remember" in again.out


def test_beside_a_vault_it_is_named(tmp_path: Path) -> None:
    assert run_process(["init", "code/notes"], stdin=b"", environment={}, cwd=tmp_path).code == 0
    ran = run_process(["list"], stdin=b"", environment={}, cwd=tmp_path / "code")
    assert (ran.code, f"--vault {tmp_path / 'code' / 'notes'}" in ran.err) == (3, True)


def test_an_option_without_its_value_names_the_help_of_its_command(case: Case) -> None:
    ran = case.vmem("lint", "--explain")
    assert (ran.code, "vmem lint --help" in ran.err) == (2, True)


def test_one_answer_has_one_form(case: Case) -> None:
    assert case.vmem("lint", "--format", "github", "--json").code == 2
    assert case.vmem("lint", "--fix", "--dry-run").out == "There is nothing to mend without a guess.\n"


def test_a_note_in_conflict_is_no_half_staged_one(case: Case) -> None:
    case.write("plan.md", "one\n<<<<<<< HEAD\ntwo\n=======\nthree\n>>>>>>> side\n")
    for argv in (("edit", "plan", "--importance", "1"), ("move", "plan", "x/"), ("forget", "plan")):
        ran = case.vmem(*argv)
        assert (ran.code, "a merge left its markers" in ran.err) == (75, True)
    assert "plan.md holds merge markers and was left out" in case.vmem("recall", "three").err
