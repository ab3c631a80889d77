"""Who runs recall checks and sees what of them, how one is added, and files that somebody else wrote."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.gitrun import Git
from tests.ops.checked import (
    AKASHI,
    BY_ALL,
    SECRETS,
    TOKEN,
    run,
    told,
    vault_of,
    vault_of_again,
)
from tests.policy.test_rights import policy_of
from vault_memory.errors import (
    ChecksFileError,
    PersonOnlyError,
    RefusedError,
    UsageError,
)
from vault_memory.model.namespace import PERSON, Scope
from vault_memory.model.recallcheck.check import FILE


def test_the_person_s_checks_ask_as_the_agents_they_name(tmp_path: Path) -> None:
    report = run(tmp_path, BY_ALL, SECRETS)
    assert [(one.agent, one.holds) for one in report.results] == [
        (None, False),
        ("mira", True),
        ("akashi", True),
    ]
    assert told(report)[0].startswith("private/akashi/note.md came back; place ")


def test_an_agent_asks_as_itself_and_hears_of_no_check_on_what_it_may_not_read(tmp_path: Path) -> None:
    own = (
        "- ask: who carries the phone\n  must: [rota, shared/ops/gone.md]\n"
        "- ask: phone\n  as: akashi\n  must_not: private/akashi/note.md\n"
    )
    report = run(tmp_path, BY_ALL + own, SECRETS, AKASHI)
    assert [(one.agent, one.check.ask) for one in report.results] == [
        ("akashi", "who carries the phone"),
        ("akashi", "phone"),
    ]
    assert report.left_out == 3
    assert (
        "3 checks were left out: asked as another agent, or of what is not there for akashi" in report.notices
    )
    gone, seen = told(report)
    assert gone == "shared/ops/gone.md is not in the vault"
    assert seen.startswith("private/akashi/note.md came back")
    for result in report.results:
        assert all(AKASHI.may_read(item.hit.entry.path) for item in result.recall.items)
        assert all(AKASHI.may_read(one.entry.path) for one in result.recall.omitted)


HIDDEN = {
    "a path": "- ask: QUESTION\n  must: [shared/ops/rota.md, private/mira/plan.md]\n",
    "a title": "- ask: QUESTION\n  must: plan\n",
    "a folder's end": "- ask: QUESTION\n  must_not: mira/plan.md\n",
    "a text": "- ask: QUESTION\n  must: [{text: under the mat}]\n",
    "a text that must not come": "- ask: QUESTION\n  must_not: [{text: under the mat}]\n",
    "a folder": "- ask: QUESTION\n  filter:\n    namespace: private/mira\n  must: rota\n",
    "files of a folder": "- ask: QUESTION\n  filter:\n    path: [private/mira/*]\n  must: rota\n",
    "its agent": "- ask: QUESTION\n  as: mira\n  must: rota\n",
}


@pytest.mark.parametrize("check", HIDDEN.values(), ids=HIDDEN)
def test_a_check_of_what_is_hidden_is_told_to_the_person_alone(tmp_path: Path, check: str) -> None:
    with vault_of(tmp_path, check, SECRETS) as vault:
        checks = vault.upkeep.checks
        assert [one.check.ask for one in checks.run(PERSON).results] == ["QUESTION"]
        report = checks.run(AKASHI)
        assert (report.results, report.left_out) == ((), 1)
        # Nor is it told whether a question holds some text.
        for text in ("question", "anything"):
            with pytest.raises(UsageError, match=f"no check asks '{text}'"):
                checks.run(AKASHI, text)


def test_a_namespace_that_is_closed_is_hidden_by_its_short_name_too(tmp_path: Path) -> None:
    checks = "- ask: QUESTION\n  filter:\n    namespace: vault\n  must_not: rota\n"
    closed = Scope("akashi", policy=policy_of({}, {"vault": {"readers": ["mira"]}}))
    with vault_of(tmp_path, checks, SECRETS | {"shared/vault/x.md": "Of the vault."}) as vault:
        assert vault.upkeep.checks.run(closed).left_out == 1
        assert vault.upkeep.checks.run(AKASHI).left_out == 0


def test_a_fault_in_the_file_repeats_nothing_of_it_to_an_agent(tmp_path: Path) -> None:
    with vault_of(tmp_path, "- ask: phone\n  must: rota\n  strategy: under the mat\n", SECRETS) as vault:
        with pytest.raises(ChecksFileError, match="under the mat"):
            vault.upkeep.checks.run(PERSON)
        with pytest.raises(ChecksFileError, match=r"checks\.yaml:3: the file of the checks") as caught:
            vault.upkeep.checks.run(AKASHI)
    assert "under" not in f"{caught.value.message} {caught.value.hint}"


def test_history_tells_an_agent_nothing_of_what_another_removed(tmp_path: Path) -> None:
    checks = "- ask: phone\n  must: private/mira/zebra.md\n- ask: bell\n  must: shared/ops/bell.md\n"
    with vault_of(tmp_path, checks, SECRETS) as vault:
        vault.agent("mira").remember("Who carries the phone", title="Zebra")
        vault.agent("mira").remember("Who rings the bell", title="Bell", namespace="ops")
        vault.agent("mira").forget("Zebra")
        vault.agent("mira").forget("Bell")
        [bell] = told(vault.upkeep.checks.run(AKASHI))
        assert bell.startswith("shared/ops/bell.md is not in the vault since commit")
        assert len(told(vault.upkeep.checks.run(PERSON))) == 2


# Adding.


def test_the_present_answer_becomes_a_check_that_holds(tmp_path: Path) -> None:
    files = {f"notes/{number}.md": f"NVDA risk number {number}" for number in range(8)}
    with vault_of(tmp_path, None, files) as vault:
        checks = vault.upkeep.checks
        added = checks.add(PERSON, "  NVDA risk ")
        two = checks.add(PERSON, "NVDA risk", first=2, max_tokens=300)
        report = checks.run(PERSON)
    assert [one.name for one in added.check.must] == [f"notes/{number}.md" for number in range(5)]
    assert added.check.ask == "NVDA risk"
    assert (two.check.first, two.check.max_tokens, len(two.check.must)) == (2, 300, 2)
    assert len(report.results) == 2
    assert report.broken == ()
    assert (tmp_path / FILE).read_text(encoding="utf-8").endswith(added.text + two.text)


def test_a_check_is_written_as_the_agent_who_is_to_ask(tmp_path: Path) -> None:
    with vault_of(tmp_path, None, SECRETS) as vault:
        added = vault.upkeep.checks.add(PERSON, "phone", agent="akashi")
    assert sorted(one.name for one in added.check.must) == ["private/akashi/note.md", "shared/ops/rota.md"]
    assert "  as: akashi\n" in added.text


REFUSED_QUESTIONS: dict[str, tuple[str, dict[str, object], type[Exception]]] = {
    "nothing comes back": ("zebra", {}, UsageError),
    "nothing fits": ("phone", {"max_tokens": 3}, UsageError),
    "no question": (" ", {}, UsageError),
    "none of it": ("phone", {"first": 0}, UsageError),
    "a secret": (f"phone {TOKEN}", {}, RefusedError),
}


@pytest.mark.parametrize(
    ("question", "options", "error"), REFUSED_QUESTIONS.values(), ids=REFUSED_QUESTIONS.keys()
)
def test_what_makes_no_check_writes_nothing(
    tmp_path: Path, question: str, options: dict[str, int], error: type[Exception]
) -> None:
    with vault_of(tmp_path, None, SECRETS) as vault, pytest.raises(error) as caught:
        vault.upkeep.checks.add(PERSON, question, **options)  # type: ignore[arg-type]  # a table of options
    assert TOKEN not in f"{caught.value}"
    assert not (tmp_path / FILE).exists()


def test_agents_write_no_checks(tmp_path: Path) -> None:
    with vault_of(tmp_path, None, SECRETS) as vault, pytest.raises(PersonOnlyError):
        vault.upkeep.checks.add(AKASHI, "phone")
    assert not (tmp_path / FILE).exists()


def test_the_file_is_written_and_left_to_the_person_to_commit(tmp_path: Path, git: Git) -> None:
    with vault_of(tmp_path, None, SECRETS) as vault:
        vault.upkeep.checks.add(PERSON, "phone")
    assert "?? .vmem/checks.yaml" in git(tmp_path, "status", "--porcelain", "-uall")
    assert [place.name for place in (tmp_path / ".vmem").iterdir() if place.name.endswith(".tmp")] == []


# Files that come from somebody else.


def plant_link(place: Path, target: Path) -> None:
    target.write_text("- ask: x\n  must: secret-words\n", encoding="utf-8")
    place.symlink_to(target)


PLANTED = {
    "a link out of the vault": (plant_link, "it is a link"),
    "a dangling link": (lambda place, other: place.symlink_to(other), "it is a link"),
    "a folder": (lambda place, _: place.mkdir(), "it is a folder"),
    "a pipe": (lambda place, _: os.mkfifo(place), "it is a pipe"),
    "too much": (lambda place, _: place.write_bytes(b"#" * 300_000), "300,000 bytes are more than the limit"),
}


@pytest.mark.parametrize(("plant", "reason"), PLANTED.values(), ids=PLANTED.keys())
def test_what_is_no_plain_file_is_neither_read_nor_written(tmp_path: Path, plant, reason: str) -> None:  # type: ignore[no-untyped-def]  # rows of the table
    root, other = tmp_path / "vault", tmp_path / "other"
    with vault_of(root, None, SECRETS) as vault:
        plant(root / FILE, other)
        for ask in (
            lambda: vault.upkeep.checks.run(PERSON),
            lambda: vault.upkeep.checks.add(PERSON, "phone"),
        ):
            with pytest.raises(ChecksFileError, match="can't be read") as caught:
                ask()
            assert reason in caught.value.message
            assert "secret-words" not in f"{caught.value.message} {caught.value.hint}"
    assert not other.exists() or "secret-words" in other.read_text(encoding="utf-8")


def test_a_folder_of_settings_that_is_a_link_brings_no_checks_from_elsewhere(tmp_path: Path) -> None:
    root, other = tmp_path / "vault", tmp_path / "other"
    with vault_of(root, "- ask: x\n  must: y\n", SECRETS):
        pass
    (root / ".vmem").rename(other)
    (root / ".vmem").symlink_to(other)
    with vault_of_again(root) as vault, pytest.raises(ChecksFileError, match="it is a link"):
        vault.upkeep.checks.run(PERSON)


def test_a_file_under_the_other_name_is_not_overlooked(tmp_path: Path) -> None:
    with vault_of(tmp_path, None, SECRETS) as vault:
        (tmp_path / ".vmem" / "checks.yml").write_text("- ask: x\n  must: y\n", encoding="utf-8")
        with pytest.raises(ChecksFileError, match=r"checks\.yml:1: is not read under this name"):
            vault.upkeep.checks.run(PERSON)


def test_asking_changes_no_file(tmp_path: Path, git: Git) -> None:
    with vault_of(tmp_path, BY_ALL, SECRETS) as vault:
        git(tmp_path, "add", "-A")
        before = git(tmp_path, "status", "--porcelain")
        vault.upkeep.checks.run(PERSON)
        assert git(tmp_path, "status", "--porcelain") == before


def test_a_long_text_is_not_repeated_whole_in_messages(tmp_path: Path) -> None:
    report = run(tmp_path, f"- ask: {'phone ' * 900}\n  must: [{{text: {'zebra ' * 900}}}]\n", SECRETS)
    [result] = report.results
    assert [len(said) < 300 for said in told(report)] == [True]
    assert len(result.check.title) <= 160
    assert len(result.check.ask) == 5399


def test_the_vault_s_place_in_the_repository_is_told(tmp_path: Path, git: Git) -> None:
    git(tmp_path, "init", "-q")
    report = run(tmp_path / "memory", "- ask: x\n  must: y\n", SECRETS)
    assert report.prefix == "memory/"
