"""What changed since a caller last looked: whoever changed it, all of it once, and nothing of others'."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.gitrun import run_git
from tests.stand import CountedIds, ToldClock
from vault_memory.adapters.indexes.sqlite import since as remembered
from vault_memory.errors import GitError, RevisionNotFoundError, StorageError, TokenUnknownError, UsageError
from vault_memory.model.changes import Basis, Changes
from vault_memory.model.namespace import PERSON, Scope
from vault_memory.vault import Vault

AKASHI, BO, MIRA = Scope("akashi"), Scope("bo"), Scope("mira")
NAMED = "---\ntitle: For you\nnotify: [akashi]\n---\nLook here.\n"


@dataclass(frozen=True)
class Scene:
    """A vault with a memory of each agent, all committed."""

    root: Path
    clock: ToldClock

    def open(self) -> Vault:
        self.clock.move(minutes=1)
        ids = CountedIds(int(self.clock.now().timestamp()))
        return Vault.open(self.root, clock=self.clock, ids=ids, settings={"refresh_seconds": 0})

    def git(self, *arguments: str) -> str:
        return run_git(self.root, *arguments)

    def write(self, path: str, text: str) -> None:
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text, encoding="utf-8")

    def forget_index(self) -> None:
        for file in (self.root / ".vmem" / "local").glob("index.db*"):
            file.unlink()


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = Vault.create(tmp_path_factory.mktemp("made") / "memory").root
    with Scene(root, ToldClock()).open() as vault:
        for agent in ("akashi", "mira"):
            vault.agent(agent).remember(f"the plan of {agent}", title=f"Plan of {agent}")
        vault.agent("bo").remember("200 connections at most", title="Pool", namespace="ops", tags=["db"])
    return root


@pytest.fixture
def scene(made: Path, tmp_path: Path) -> Scene:
    clock = ToldClock()
    clock.move(days=1)
    return Scene(shutil.copytree(made, tmp_path / "memory", symlinks=True), clock)


def told(found: Changes) -> set[tuple[str, str]]:
    return {(one.what.value, one.entry.path) for one in found.events}


def look(vault: Vault, scope: Scope = PERSON) -> str:
    return vault.overview.changes(scope, "HEAD").token


POOL, LATER = "shared/ops/pool.md", "shared/ops/later.md"


def test_it_is_told_once_whoever_changed_it_and_in_whatever_way(scene: Scene) -> None:
    with scene.open() as vault:
        token = look(vault)
        vault.agent("bo").edit("Pool", text="300 connections at most")
        vault.agent("mira").forget("Plan of mira")
        scene.write("notes/new.md", "typed in an editor\n")
        scene.write("shared/ops/pulled.md", "by another clone\n")
        scene.git("add", "shared/ops/pulled.md")
        scene.git("commit", "--quiet", "--message", "as a pull brings it")
        found = vault.overview.changes(PERSON, token)
        assert found.basis is Basis.INDEX
        assert told(found) == {
            ("changed", POOL),
            ("removed", "private/mira/plan-of-mira.md"),
            ("added", "notes/new.md"),
            ("added", "shared/ops/pulled.md"),
        }
        by = {str(one.entry.path): one.by for one in found.events}
        assert by[POOL] == ("bo",)
        assert by["shared/ops/pulled.md"] == ("Test Person",)
        assert by["notes/new.md"] == ()
        assert told(vault.overview.changes(PERSON, found.token)) == set()


def test_the_other_processes_changes_are_told_too(scene: Scene) -> None:
    with scene.open() as vault, scene.open() as other:
        token = look(vault)
        other.agent("bo").remember("more", title="Later", namespace="ops")
        assert told(vault.overview.changes(AKASHI, token)) == {("added", LATER)}
        other.agent("bo").forget("Later")
        assert told(vault.overview.changes(AKASHI, token)) == set()


def test_an_agent_is_told_nothing_of_anothers_private_folder_by_any_road(scene: Scene) -> None:
    with scene.open() as vault:
        token = look(vault)
        mira = vault.agent("mira")
        mira.remember("the spare key", title="Spare key", extra={"notify": "akashi"})
        mira.edit("Plan of mira", title="Plan of the hoard")
        mira.remember("first private", title="Wandering")
        vault.person.edit("Wandering", importance=0.7)
        found = vault.overview.changes(AKASHI, token)
        scene.forget_index()
    with scene.open() as vault:
        again = vault.overview.changes(AKASHI, token)
        old = vault.overview.changes(AKASHI, "2026-01-01")
        first = vault.overview.changes(AKASHI)
        for one in (found, again, old, first):
            assert "mira" not in repr((one.events, one.notices, one.omitted))
        assert "spare-key" in repr(vault.overview.changes(MIRA, token))
        vault.files.move(PERSON, "Wandering", "shared/ops/")
        # What comes out of it is new to those who could not read it.
        moved = vault.overview.changes(AKASHI, again.token)
        assert told(moved) == {("added", "shared/ops/wandering.md")}
        assert "private/mira" not in repr(moved.events)
        assert vault.overview.changes(PERSON, again.token).events[0].came_from == "private/mira/wandering.md"


def test_an_old_token_goes_on_by_commits_where_the_index_was_made_anew(scene: Scene) -> None:
    with scene.open() as vault:
        scene.write("notes/loose.md", "not committed\n")
        token = look(vault)
        vault.agent("bo").edit("Pool", text="300 connections at most")
        vault.agent("akashi").forget("Plan of akashi")
        vault.agent("bo").remember("more", title="Later", namespace="ops")
        vault.index.rebuild()
        found = vault.overview.changes(PERSON, token)
        assert found.basis is Basis.COMMITS
        assert "was not committed then may be told twice" in found.notices[-1]
        assert told(found) == {
            ("added", "notes/loose.md"),  # told twice, as the notice says
            ("changed", POOL),
            ("removed", "private/akashi/plan-of-akashi.md"),
            ("added", LATER),
        }
        assert found.events[0].entry.path == "notes/loose.md"
        [removed] = [one for one in found.events if one.what.value == "removed"]
        assert (removed.entry.title, removed.entry.source_agent, removed.by) == (
            "Plan of akashi",
            "akashi",
            ("akashi",),
        )
        assert told(vault.overview.changes(PERSON, found.token)) == set()


def test_a_commit_and_a_date_are_taken_for_a_token(scene: Scene) -> None:
    with scene.open() as vault:
        head = scene.git("rev-parse", "HEAD")
        vault.agent("bo").remember("more", title="Later", namespace="ops")
        for since in (head, "HEAD~1", "2026-03-15"):
            assert ("added", LATER) in told(vault.overview.changes(AKASHI, since)), since
        assert told(vault.overview.changes(AKASHI, "2026-01-01")) == {
            ("added", path) for path in (POOL, LATER, "private/akashi/plan-of-akashi.md")
        }
        for since in ("", "no such", "1.2.3"):
            with pytest.raises((RevisionNotFoundError, UsageError)):
                vault.overview.changes(AKASHI, since)


def test_a_token_from_which_nothing_can_be_told_is_an_error_and_a_mark_is_a_first_look(scene: Scene) -> None:
    dead = "0123456789abcdef.5.0123456789ab"
    with scene.open() as vault:
        with pytest.raises(TokenUnknownError, match="commit 0123456789ab did not lead"):
            vault.overview.changes(AKASHI, dead)
        vault.overview.seen(AKASHI, dead)
        found = vault.overview.changes(AKASHI)
        assert (found.basis, found.events, found.since) == (Basis.NOTHING, (), dead)
        assert "can't tell what changed since" in found.notices[-1]


def test_an_agent_is_not_led_to_a_commit_that_was_never_merged(scene: Scene) -> None:
    with scene.open() as vault:
        scene.git("checkout", "--quiet", "-b", "secret-plans")
        vault.agent("bo").remember("nobody knows", title="Later", namespace="ops")
        tip = scene.git("rev-parse", "--short=12", "HEAD")
        scene.git("checkout", "--quiet", "main")
        with pytest.raises(TokenUnknownError):
            vault.overview.changes(AKASHI, f"0123456789abcdef.5.{tip}")
        assert told(vault.overview.changes(PERSON, f"0123456789abcdef.5.{tip}")) == {("removed", LATER)}


def test_a_switch_of_branches_and_back_is_no_change(scene: Scene) -> None:
    with scene.open() as vault:
        scene.git("checkout", "--quiet", "-b", "side")
        vault.agent("bo").remember("more", title="Later", namespace="ops")
        token = look(vault)
        scene.git("checkout", "--quiet", "main")
        assert told(vault.overview.changes(PERSON, token)) == {("removed", LATER)}
        scene.git("checkout", "--quiet", "side")
        assert told(vault.overview.changes(PERSON, token)) == set()


def test_what_the_index_forgot_of_removals_commits_tell(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remembered, "KEPT", 2)
    with scene.open() as vault:
        tokens = []
        for name in "abcd":
            vault.agent("bo").remember(f"text {name}", title=name, namespace="ops")
        for name in "abcd":
            tokens.append(look(vault))
            vault.agent("bo").forget(f"shared/ops/{name}.md")
        found = [vault.overview.changes(PERSON, token) for token in tokens]
        assert [one.basis.value for one in found] == ["commits", "commits", "index", "index"]
        for at, one in enumerate(found):
            assert told(one) == {("removed", f"shared/ops/{name}.md") for name in "abcd"[at:]}


def test_without_git_the_index_alone_tells(tmp_path: Path) -> None:
    root = Vault.create(tmp_path / "memory").root
    shutil.rmtree(root / ".git")
    with Vault.open(root, settings={"refresh_seconds": 0}) as vault:
        token = vault.overview.changes(AKASHI).token
        assert token.endswith(".-")
        vault.agent("bo").remember("more", title="Later", namespace="ops")
        assert told(vault.overview.changes(AKASHI, token)) == {("added", LATER)}
        vault.index.rebuild()
        with pytest.raises(TokenUnknownError, match="there is no git repository"):
            vault.overview.changes(AKASHI, token)
        with pytest.raises(GitError, match="no git repository"):
            vault.overview.changes(AKASHI, "7d")


# Marks and names


def test_a_mark_moves_for_its_caller_alone_and_only_when_it_is_told_to(scene: Scene) -> None:
    with scene.open() as vault:
        before = scene.git("status", "--porcelain")
        for scope in (AKASHI, BO, PERSON):
            vault.overview.seen(scope, look(vault, scope))
        assert scene.git("status", "--porcelain") == before
        vault.agent("bo").remember("more", title="Later", namespace="ops")
        for _ in range(2):
            assert told(vault.overview.changes(AKASHI)) == {("added", LATER)}
        vault.overview.seen(AKASHI, vault.overview.changes(AKASHI).token)
        assert told(vault.overview.changes(AKASHI)) == set()
        assert told(vault.overview.changes(BO)) == told(vault.overview.changes(PERSON)) == {("added", LATER)}


@pytest.mark.parametrize("content", [b"", b"half", b"\xff\xfe\n", b"no token\n", b"x" * 10_000])
def test_a_broken_mark_is_none(scene: Scene, content: bytes) -> None:
    with scene.open() as vault:
        vault.overview.seen(AKASHI, look(vault, AKASHI))
        (scene.root / ".vmem/local/looked/akashi").write_bytes(content)
        assert vault.overview.changes(AKASHI).basis is Basis.NOTHING
        vault.overview.seen(AKASHI, look(vault, AKASHI))
        assert vault.overview.changes(AKASHI).basis is Basis.INDEX


def test_a_mark_is_neither_read_nor_written_through_a_link(scene: Scene, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    with scene.open() as vault:
        token = look(vault, AKASHI)
        outside.write_text(f"{token}\n")
        mark = scene.root / ".vmem/local/looked/akashi"
        mark.parent.mkdir()
        mark.symlink_to(outside)
        assert vault.overview.changes(AKASHI).basis is Basis.NOTHING
        with pytest.raises(StorageError):
            vault.overview.seen(AKASHI, "abc.1.-")
    assert outside.read_text() == f"{token}\n"


def test_a_first_look_tells_what_names_the_agent_and_later_ones_mark_it(scene: Scene) -> None:
    scene.write("notes/for-you.md", NAMED)
    scene.write("notes/for-all.md", "for nobody in particular\n")
    with scene.open() as vault:
        found = vault.overview.changes(AKASHI)
        assert (found.basis, told(found)) == (Basis.NOTHING, {("added", "notes/for-you.md")})
        assert vault.overview.changes(BO).events == vault.overview.changes(PERSON).events == ()
        scene.write("notes/for-you.md", NAMED + "And here.\n")
        scene.write("notes/for-all.md", "changed\n")
        later = vault.overview.changes(AKASHI, found.token)
        assert {one.entry.path: one.named for one in later.events} == {
            "notes/for-you.md": True,
            "notes/for-all.md": False,
        }


def test_a_filter_a_limit_and_others_alone_choose_among_the_events(scene: Scene) -> None:
    with scene.open() as vault:
        token = look(vault)
        vault.agent("akashi").remember("mine", title="Mine", namespace="ops", tags=["db"])
        vault.agent("bo").remember("more", title="Later", namespace="ops", kind="decision")
        changes = vault.overview.changes
        assert told(changes(AKASHI, token, tag="db")) == {("added", "shared/ops/mine.md")}
        assert told(changes(AKASHI, token, namespace="ops", kind="decision")) == {("added", LATER)}
        assert told(changes(AKASHI, token, source_agent="bo")) == {("added", LATER)}
        assert told(changes(AKASHI, token, namespace="market")) == set()
        assert told(changes(AKASHI, token, others=True)) == {("added", LATER)}
        assert told(changes(PERSON, token, others=True)) == {
            ("added", LATER),
            ("added", "shared/ops/mine.md"),
        }
        some = changes(AKASHI, token, limit=1)
        assert (told(some), some.omitted) == ({("added", LATER)}, 1)


# Who writes


def test_agents_are_counted_as_far_as_the_caller_may_see(scene: Scene) -> None:
    scene.write("shared/ops/by-hand.md", "---\nsource_agent: Akashi\n---\nA look-alike.\n")
    with scene.open() as vault, vault.agent("bo").propose("more") as proposal:
        proposal.remember("it is proposed", title="Proposed", namespace="ops")
        all_ = {one.name: one for one in vault.overview.agents(PERSON).agents}
        assert list(all_) == ["Akashi", "akashi", "bo", "mira"]
        assert [one.valid for one in all_.values()] == [False, True, True, True]
        assert (all_["bo"].memories, all_["bo"].namespaces, all_["bo"].proposals) == (1, ("shared/ops",), 1)
        assert all_["mira"].namespaces == ("private/mira",)
        assert all_["mira"].last is not None
        seen = {one.name: one for one in vault.overview.agents(AKASHI).agents}
        assert list(seen) == ["Akashi", "akashi", "bo"]
        assert seen["bo"].proposals == 0
