"""A vault that a person kept for years is taken whole, as it is, and stays as it is."""

from __future__ import annotations

import shutil
from pathlib import Path

import yaml

from tests.adopted.vaults import KEYWORDS, Adopted, notes_below
from tests.gitrun import Git, run_git
from vault_memory.model.namespace import PERSON
from vault_memory.vault import Vault

MANY = 60
"""Notes that the other branch of the smallest vault deletes, renames or changes."""


def dump(vault: Vault) -> object:
    """Everything that the index holds."""
    return vault.index.dump()


def test_every_note_is_a_memory_and_a_second_look_finds_nothing_new(adopted: Adopted) -> None:
    with adopted.open() as vault:
        vault.index.refresh()
        listed = [entry.path for entry in vault.person.list(expired=True)]
        first = dump(vault)
    assert len(listed) == len(set(listed)) == len(adopted.notes)
    assert set(listed) == set(adopted.notes)
    with adopted.open() as vault:
        again = vault.index.refresh()
        assert (again.added, again.changed, again.removed) == (0, 0, 0)
        assert dump(vault) == first
        vault.index.rebuild()
        assert dump(vault) == first
        assert vault.upkeep.status(PERSON).memories == len(adopted.notes)


def test_no_file_of_theirs_is_changed(adopted: Adopted, git: Git) -> None:
    with adopted.open() as vault:
        vault.upkeep.lint(PERSON, everything=True)
        vault.overview.broken_links(PERSON)
        vault.person.recall("what is this about?")
        vault.upkeep.doctor(PERSON)
    assert git(adopted.root, "status", "--porcelain") == "?? .vmem/"
    assert notes_below(adopted.root) == adopted.notes
    theirs = {file.relative_to(adopted.original) for file in adopted.original.rglob("*") if file.is_file()}
    tracked = {Path(name) for name in git(adopted.root, "ls-files", "-z").split("\0") if name}
    assert tracked == theirs


def test_every_header_that_is_no_yaml_is_named_with_its_line(adopted: Adopted) -> None:
    """By PyYAML's own word, not ours: what it calls a fault has a finding at that line."""
    with adopted.open() as vault:
        found = {(one.path, one.line) for one in vault.upkeep.lint(PERSON, everything=True).findings}
    faulty = {(path, line) for path, text in adopted.notes.items() if (line := first_fault(text))}
    assert faulty <= found
    assert len(faulty) == {"kepano-vault": 28}.get(adopted.name, 0)


def first_fault(content: bytes) -> int | None:
    """The line of the file that PyYAML stumbles at, `None` where it reads the front matter."""
    first, *rest = content.decode("utf-8").split("\n")
    if first.rstrip() != "---" or "---" not in rest:
        return None
    try:
        yaml.safe_load("\n".join(rest[: rest.index("---")]))
    except yaml.MarkedYAMLError as error:
        return error.problem_mark.line + 2 if error.problem_mark else 1
    return None


def test_going_to_another_branch_and_back_ends_where_a_new_index_begins(
    changed: Adopted, tmp_path: Path, git: Git
) -> None:
    ends: dict[str, list[object]] = {"main": [], "other": []}
    for branch in ("other", "main", "other"):
        git(changed.root, "checkout", "--quiet", branch)
        before = notes_below(changed.root)
        with changed.open() as vault:
            report = vault.index.refresh()
            assert ends["other"] == [] or report.added + report.changed + report.removed >= MANY
            ends[branch].append(dump(vault))
        assert notes_below(changed.root) == before
        assert git(changed.root, "status", "--porcelain") == "?? .vmem/"
    assert ends["main"][0] != ends["other"][0]
    for branch, dumps in ends.items():
        assert dumps[0] == dumps[-1] == anew(changed.root, branch, tmp_path / branch)


def anew(root: Path, branch: str, folder: Path) -> object:
    """What an index holds that is built in a clone of one branch."""
    run_git(folder.parent, "clone", "--quiet", "--branch", branch, str(root), str(folder))
    Vault.create(folder)
    with Vault.open(folder, settings=KEYWORDS) as vault:
        vault.index.refresh()
        held = dump(vault)
    shutil.rmtree(folder)
    return held
