"""What links to what, within what the caller may read; and names that find a memory."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.byhand import vault_by_hand
from tests.gitrun import Git
from vault_memory.errors import AmbiguousRefError, MemoryNotFoundError, ScopeError, UsageError
from vault_memory.model.namespace import PERSON, Namespace, Scope
from vault_memory.vault import Vault

AKASHI, MIRA = Scope("akashi"), Scope("mira")
FILES = {
    "notes/plan.md": (
        '---\ntitle: The plan\nid: "my-plan"\naliases: [Roadmap]\nlinks: ["[[regime]]"]\n---\n[[gone]]\n'
    ),
    "notes/regime.md": "Back to [[plan]], [the plan](plan.md#part) and [[Roadmap]].\n",
    "notes/deep/plan.md": "No title of its own.\n",
    "shared/market/rule.md": "[[notes/plan]] and [[diary]]\n",
    "private/mira/diary.md": "[[rule]] and [[plan]]\n",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return vault_by_hand(tmp_path / "memory", FILES)


def test_a_memorys_links_lead_out_and_back_with_their_lines(vault: Vault) -> None:
    found = vault.overview.links(PERSON, "notes/plan.md")
    assert [(one.link.line, one.link.kind, one.link.target, one.leads.path) for one in found.out] == [
        (5, "links", "regime", "notes/regime.md"),
        (7, "link", "gone", None),
    ]
    assert [one.link.target for one in found.broken] == ["gone"]
    assert [(one.path, one.link.target) for one in found.back] == [
        ("notes/regime.md", "plan"),
        ("notes/regime.md", "plan.md"),
        ("notes/regime.md", "Roadmap"),
        ("private/mira/diary.md", "plan"),
        ("shared/market/rule.md", "notes/plan"),
    ]


def test_a_private_note_looks_to_others_like_one_that_is_not_there(vault: Vault) -> None:
    to_mira = vault.overview.links(MIRA, "rule")
    assert [one.leads.path for one in to_mira.out] == ["notes/plan.md", "private/mira/diary.md"]
    assert [one.path for one in to_mira.back] == ["private/mira/diary.md"]
    to_akashi = vault.overview.links(AKASHI, "rule")
    assert [one.leads.path for one in to_akashi.out] == ["notes/plan.md", None]
    assert to_akashi.back == ()
    assert [one.link.target for one in to_akashi.broken] == ["diary"]
    assert [one.link.target for one in vault.overview.broken_links(AKASHI).broken] == ["gone", "diary"]
    assert [one.link.target for one in vault.overview.broken_links(MIRA).broken] == ["gone"]
    hidden, missing = [
        _refusal(lambda name=name: vault.overview.links(AKASHI, name)).replace(name, "")
        for name in ("private/mira/diary.md", "private/mira/nothing.md")
    ]
    assert hidden == missing


def _refusal(call: object) -> str:
    with pytest.raises(MemoryNotFoundError) as refused:
        call()  # type: ignore[operator]
    return f"{refused.value.message} {refused.value.hint}"


def test_a_name_finds_a_memory_by_alias_file_name_and_end_of_path(vault: Vault) -> None:
    person = vault.person
    assert person.show("roadmap").memory.path == "notes/plan.md"
    assert person.show("regime").memory.path == "notes/regime.md"
    assert person.show("REGIME").memory.path == "notes/regime.md"
    assert person.show("market/rule").memory.path == "shared/market/rule.md"
    with pytest.raises(AmbiguousRefError) as several:
        person.show("plan")
    assert [path for _, _, path in several.value.candidates] == ["notes/deep/plan.md", "notes/plan.md"]
    with pytest.raises(MemoryNotFoundError):
        vault.agent("akashi").show("diary")
    assert vault.agent("mira").show("diary").memory.path == "private/mira/diary.md"


def test_a_title_comes_before_a_file_name(vault: Vault, root: Path) -> None:
    (root / "other.md").write_text("# rule\n", encoding="utf-8")
    (root / "shared/market/rule.md").write_text("# Another\n", encoding="utf-8")
    assert vault.person.show("rule").memory.path == "other.md"


def test_a_path_is_looked_for_from_where_the_caller_stands(vault: Vault, root: Path) -> None:
    (root / "plan.md").write_text("At the root.\n", encoding="utf-8")
    here = Scope(None, Namespace("notes"))
    assert vault.overview.links(here, "plan.md").entry.path == "notes/plan.md"
    assert vault.overview.links(here, "deep/plan").entry.path == "notes/deep/plan.md"
    assert vault.overview.links(here, "../plan.md").entry.path == "plan.md"
    assert vault.overview.links(here, "notes/plan.md").entry.path == "notes/plan.md"
    assert vault.overview.links(here, "shared/market/rule.md").entry.path == "shared/market/rule.md"
    assert vault.overview.links(PERSON, "plan.md").entry.path == "plan.md"
    with pytest.raises(MemoryNotFoundError):
        vault.overview.links(here, "../../plan.md")


def test_a_link_is_one_changed_line_and_one_commit(vault: Vault, root: Path, git: Git) -> None:
    written = vault.files.link(PERSON, "my-plan", "rule")
    assert (written.op, written.known, written.commit) == ("link", False, git(root, "rev-parse", "HEAD"))
    assert git(root, "show", "--format=%s", "--numstat").splitlines() == [
        "link: The plan",
        "",
        "1\t1\tnotes/plan.md",
    ]
    assert 'links: ["[[regime]]", "[[rule]]"]\n' in (root / "notes/plan.md").read_text(encoding="utf-8")
    again = vault.files.link(PERSON, "my-plan", "rule")
    assert (again.known, again.commit) == (True, None)
    assert git(root, "rev-parse", "HEAD") == written.commit


@pytest.mark.parametrize(
    "written", ["[[regime]]", "notes/regime.md", "../notes/regime", "regime", "[[Regime|r]]"]
)
def test_what_is_linked_already_in_whatever_words_is_known(vault: Vault, root: Path, written: str) -> None:
    file = root / "notes/new.md"
    file.write_text(f'---\nlinks: ["{written}"]\n---\n', encoding="utf-8")
    assert vault.files.link(PERSON, "notes/new.md", "notes/regime.md").known
    assert not vault.files.link(PERSON, "notes/new.md", "notes/regime.md", remove=True).known
    assert file.read_text(encoding="utf-8") == "---\nlinks: []\n---\n"


def test_a_link_is_as_long_as_it_must_be_to_mean_one_memory(vault: Vault, root: Path) -> None:
    vault.files.link(PERSON, "notes/regime.md", "notes/deep/plan.md", key="supersedes")
    vault.files.link(PERSON, "notes/regime.md", "notes/plan.md", key="up")
    text = (root / "notes/regime.md").read_text(encoding="utf-8")
    assert text.startswith('---\nsupersedes: ["[[deep/plan]]"]\nup: ["[[notes/plan]]"]\n---\nBack to')
    found = vault.overview.links(PERSON, "notes/regime.md")
    assert [(one.link.kind, one.leads.path) for one in found.out][:2] == [
        ("supersedes", "notes/deep/plan.md"),
        ("up", "notes/plan.md"),
    ]


def test_a_link_to_what_is_gone_goes_by_its_own_text(vault: Vault, root: Path) -> None:
    file = root / "notes/new.md"
    file.write_text('---\nlinks: ["[[long gone]]"]\n---\n', encoding="utf-8")
    assert vault.files.link(PERSON, "notes/new.md", "Long gone", remove=True).commit
    assert file.read_text(encoding="utf-8") == "---\nlinks: []\n---\n"
    with pytest.raises(MemoryNotFoundError):
        vault.files.link(PERSON, "notes/new.md", "Long gone", remove=True)


def test_what_no_link_can_be_is_refused_and_nothing_changes(vault: Vault, root: Path, git: Git) -> None:
    (root / "notes/a#b|c.md").write_text("x\n", encoding="utf-8")
    before = git(root, "rev-parse", "HEAD")
    for ref, to, key, error in [
        ("my-plan", "notes/plan.md", "links", UsageError),
        ("my-plan", "rule", "tags", UsageError),
        ("my-plan", "notes/a#b|c.md", "links", UsageError),
        ("my-plan", "nothing", "links", MemoryNotFoundError),
    ]:
        with pytest.raises(error):
            vault.files.link(PERSON, ref, to, key=key)
    with pytest.raises(ScopeError):
        vault.files.link(AKASHI, "my-plan", "rule")
    with pytest.raises(MemoryNotFoundError):
        vault.files.link(AKASHI, "rule", "private/mira/diary.md")
    assert git(root, "rev-parse", "HEAD") == before
    assert (root / "notes/plan.md").read_text(encoding="utf-8") == FILES["notes/plan.md"]


def test_a_persons_change_is_committed_before_the_link(vault: Vault, root: Path, git: Git) -> None:
    file = root / "notes/plan.md"
    file.write_text(FILES["notes/plan.md"] + "by hand\n", encoding="utf-8")
    vault.files.link(PERSON, "my-plan", "rule")
    assert git(root, "log", "-2", "--format=%s").splitlines() == ["link: The plan", "keep: The plan"]
    assert git(root, "status", "--porcelain", "notes") == ""
