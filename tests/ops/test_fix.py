"""`lint --fix` mends what needs no guess, in one commit, and nothing else of any file."""

from __future__ import annotations

from datetime import UTC
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.gitrun import Git, run_git
from tests.stand import CountedIds, ToldClock
from vault_memory.errors import FrontMatterError
from vault_memory.model.frontmatter import parse_memory
from vault_memory.model.linted import Fixed, FixPlan
from vault_memory.model.namespace import VaultPath
from vault_memory.model.splice import splice
from vault_memory.model.split import split
from vault_memory.vault import Vault

ID = "01K8ZQ4T7R3M5N9V2XW6Y0ABCD"
BOM = b"\xef\xbb\xbf"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    Vault.create(tmp_path)
    return tmp_path


def put(root: Path, files: dict[str, bytes], *, commit: bool = True) -> None:
    for name, content in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(content)
    if commit:
        run_git(root, "add", "--all")
        run_git(root, "commit", "--quiet", "--message", "notes")


def fixed(vault: Vault, *rules: str) -> Fixed:
    return vault.upkeep.fix(vault.person.scope, rules=rules)


def left(plan: FixPlan) -> dict[str, str]:
    return dict(plan.left)


def test_a_duplicate_gets_a_new_id_and_no_other_byte_of_it_changes(
    root: Path, vault: Vault, git: Git
) -> None:
    kept = f'---\nid: "{ID}"\ncreated: 2026-01-01\n---\nA\n'.encode()
    copy = f"---\r\n# mine\r\nid: '{ID}'  # the id\r\ncreated: 2026-02-01\r\n---\r\nB".encode()
    put(root, {"a.md": kept, "b.md": copy})
    done = fixed(vault)
    assert [one.path for one in done.written] == ["b.md"]
    assert (root / "a.md").read_bytes() == kept
    new = done.written[0].id
    assert new is not None
    assert (root / "b.md").read_bytes() == copy.replace(f"'{ID}'".encode(), f'"{new}"'.encode())
    assert vault.upkeep.lint(vault.person.scope).problems == ()
    assert git(root, "status", "--porcelain") == ""


def test_created_is_the_time_of_the_first_commit_under_whatever_name(
    root: Path, vault: Vault, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"):
        monkeypatch.setenv(name, "2026-02-03T04:05:06+02:00")
    put(root, {"old.md": b"---\nttl: 90d\n---\nText that stays\n"})
    git(root, "mv", "old.md", "new.md")
    git(root, "commit", "--quiet", "--message", "renamed", "--date", "2026-02-05T00:00:00Z")
    assert [one.path for one in fixed(vault).written] == ["new.md"]
    assert (root / "new.md").read_bytes() == (
        b"---\nttl: 90d\ncreated: 2026-02-03T02:05:06Z\n---\nText that stays\n"
    )


def test_created_that_is_there_and_unreadable_is_left_to_the_person(root: Path, vault: Vault) -> None:
    put(root, {"a.md": b"---\nttl: 90d\ncreated: last spring\n---\nx\n"})
    assert left(fixed(vault).plan) == {"a.md": "its created can't be read: mend it in your editor"}


def test_a_file_git_has_never_seen_gets_no_invented_date(root: Path, vault: Vault) -> None:
    (root / ".gitignore").write_text("a.md\n")
    put(root, {"a.md": b"---\nttl: 90d\n---\nx\n"})
    plan = fixed(vault).plan
    assert plan == FixPlan((), (("a.md", "git knows no first commit of it, so no date for created"),))


def test_missing_ids_are_put_in_only_when_asked_for_by_name(root: Path, vault: Vault, git: Git) -> None:
    files = {
        "bare.md": b"Just text\r\nof two lines",
        "bom.md": BOM + b"text\n",
        "front.md": b"---\ntitle: T # kept\n---\nbody\n",
        "empty.md": b"---\nid:\ntitle: U\n---\nbody\n",
        "rule.md": b"text\n\n---\n\nmore\n",
        "none.md": b"",
    }
    put(root, files)
    assert fixed(vault) == Fixed(FixPlan((), ()), ())
    done = fixed(vault, "missing-id")
    assert {one.path for one in done.written} == set(files)
    assert len({one.commit for one in done.written}) == 1
    ids = {str(one.path): f'"{one.id}"'.encode() for one in done.written}

    def after(name: str) -> bytes:
        return (root / name).read_bytes().replace(ids[name], b"ID")

    assert after("bare.md") == b"---\r\nid: ID\r\n---\r\nJust text\r\nof two lines"
    assert after("bom.md") == BOM + b"---\nid: ID\n---\ntext\n"
    assert after("front.md") == b"---\ntitle: T # kept\nid: ID\n---\nbody\n"
    assert after("empty.md") == b"---\nid: ID\ntitle: U\n---\nbody\n"
    assert after("rule.md") == b"---\nid: ID\n---\ntext\n\n---\n\nmore\n"
    assert after("none.md") == b"---\nid: ID\n---\n"
    assert fixed(vault, "missing-id").plan == FixPlan((), ())
    message = git(root, "log", "-1", "--format=%B")
    assert message.startswith("fix: missing-id in 6 files\n")
    assert all(f"  {name} VM036: id " in message for name in files)
    assert git(root, "log", "-1", "--format=%(trailers:key=Vmem-Op,valueonly)").strip() == "fix"


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"---\ntitle: Plan: phase two\n---\nx\n", "line 2: "),
        (b"---\njust prose\n---\nx\n", "line 2: "),
        (b"---\ntitle: never closed\n", "line 1: "),
        ("text".encode("utf-16"), "line 1: "),
        (b"a\x00b", "line 1: "),
        (b"<<<<<<< HEAD\na\n=======\nb\n>>>>>>> x\n", "it holds merge markers"),
        (b"---\nid: [a, b]\n---\nx\n", "its id can't be read"),
        (b"---\nid:\nid:\n---\nx\n", "line "),
    ],
)
def test_what_cannot_be_changed_line_by_line_is_left_and_named(
    root: Path, vault: Vault, content: bytes, why: str
) -> None:
    put(root, {"a.md": content})
    done = fixed(vault, "missing-id")
    assert done.written == ()
    assert left(done.plan)["a.md"].startswith(why)
    assert (root / "a.md").read_bytes() == content


def test_a_persons_uncommitted_work_is_left_and_named(root: Path, vault: Vault, git: Git) -> None:
    put(
        root,
        dict.fromkeys(("changed.md", "staged.md", "both.md", "clean.md"), b"---\ntitle: T\n---\nx\n"),
    )
    for name in ("changed.md", "staged.md", "both.md"):
        (root / name).write_bytes(b"---\ntitle: T\n---\nmine\n")
    git(root, "add", "staged.md", "both.md")
    (root / "both.md").write_bytes(b"---\ntitle: T\n---\nmine and more\n")
    put(root, {"new.md": b"new\n"}, commit=False)
    status = git(root, "status", "--porcelain")
    done = fixed(vault, "missing-id")
    assert [one.path for one in done.written] == ["clean.md"]
    assert left(done.plan) == {
        "both.md": "part of your change to it is staged",
        "changed.md": "you changed it and have not committed that yet",
        "new.md": "git does not have it yet: commit it first",
        "staged.md": "you changed it and have not committed that yet",
    }
    assert git(root, "status", "--porcelain") == status


def test_nothing_is_written_where_nobody_agrees_and_what_changed_meanwhile_is_left(
    root: Path, vault: Vault
) -> None:
    put(root, {"a.md": b"one\n", "b.md": b"two\n"})
    seen: list[FixPlan] = []

    def refuse(plan: FixPlan) -> bool:
        seen.append(plan)
        return False

    refused = vault.upkeep.fix(vault.person.scope, rules=["missing-id"], agree=refuse)
    assert refused.written == ()
    assert [mend.path for mend in seen[0].mends] == ["a.md", "b.md"]

    def edit_and_agree(_: FixPlan) -> bool:
        (root / "a.md").write_bytes(b"changed\n")
        return True

    done = vault.upkeep.fix(vault.person.scope, rules=["missing-id"], agree=edit_and_agree)
    assert [one.path for one in done.written] == ["b.md"]
    assert left(done.plan) == {"a.md": "it was changed while you decided"}
    assert (root / "a.md").read_bytes() == b"changed\n"


def test_an_agent_mends_only_where_it_may_write(root: Path, vault: Vault, git: Git) -> None:
    put(root, {"notes/a.md": b"x\n", "private/akashi/b.md": b"y\n", "private/mira/c.md": b"z\n"})
    done = vault.upkeep.fix(vault.agent("akashi").scope, rules=["missing-id"])
    assert [one.path for one in done.written] == ["private/akashi/b.md"]
    assert left(done.plan) == {"notes/a.md": "akashi may not write there"}
    assert git(root, "log", "-1", "--format=%an") == "akashi"


def test_one_undo_takes_the_whole_mend_back(root: Path, vault: Vault) -> None:
    files = {"a.md": b"one\n", "b.md": b"two\n"}
    put(root, files)
    assert len(fixed(vault, "missing-id").written) == 2
    vault.person.undo()
    assert {name: (root / name).read_bytes() for name in files} == files


def test_without_a_repository_files_are_mended_and_wait(tmp_path: Path) -> None:
    (tmp_path / ".vmem").mkdir()
    (tmp_path / ".vmem" / "config.toml").write_text("format = 1\n")
    (tmp_path / "a.md").write_text("x\n")
    with Vault.open(tmp_path, clock=ToldClock(), ids=CountedIds()) as vault:
        [one] = fixed(vault, "missing-id").written
        assert one.commit is None
        assert "no git repository" in (one.reason or "")


CONTENT = st.lists(
    st.sampled_from(
        [b"---\n", b"---", b"...\n", b"title: T\n", b"id:\n", b"id: x\n", b"- a\n", b"text\n", b"\r\n", BOM,
         b"# heading\n", b"tags: [a, b]\n", b"  deep: 1\n", b"{{date}}\n", b"\xff", b"\x00", b"'", b": "]
    ),
    max_size=12,
).map(b"".join)  # fmt: skip


@given(CONTENT)
@example(b"---\n  deep: 1\n---\n")
@settings(max_examples=300)
def test_an_id_is_put_in_without_a_second_block_or_a_lost_byte(content: bytes) -> None:
    front = parse_memory(VaultPath("a.md"), content, zone=UTC).front
    if front.get("id", "") != "":
        return  # the fix leaves an id that is there, whatever it is
    try:
        after = splice("a.md", content, {"id": ID})
    except FrontMatterError:
        return
    before, now = split(content), split(after)
    assert now.body == before.body
    assert now.header is not None
    assert without_id(now.header) == without_id(before.header or "")


def without_id(header: str) -> list[str]:
    """The lines but that of the id, which is indented as the others are."""
    return [line for line in header.split("\n") if not line.lstrip().startswith("id:")]
