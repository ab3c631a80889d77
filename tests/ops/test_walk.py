"""The walk of a memory: written, committed, found, changed, removed, brought back."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from tests.gitrun import Git
from tests.stand import CountedIds, ToldClock
from vault_memory.errors import (
    ConflictError,
    MemoryNotFoundError,
    NotFoundError,
    RefusedError,
    ScopeError,
    UsageError,
    ValueFormatError,
)  # fmt: skip
from vault_memory.vault import Vault


def test_a_memory_is_a_file_a_commit_and_a_recall(vault: Vault, root: Path, git: Git) -> None:
    written = vault.agent("akashi").remember(
        "RSI above 70 on NVDA was followed by −12 % over five days", title="NVDA RSI rule", importance=0.9,
        tags=["trading", "nvda"], ttl="90d", namespace="market",
    )  # fmt: skip
    assert written.path == "shared/market/nvda-rsi-rule.md"
    text = (root / written.path).read_text(encoding="utf-8")
    assert text.startswith(
        f'---\nid: "{written.id}"\ntitle: NVDA RSI rule\nimportance: 0.9\ntags: [trading, nvda]\nttl: 90d\n'
    )
    assert text.endswith("\n---\nRSI above 70 on NVDA was followed by −12 % over five days\n")
    assert git(root, "log", "-1", "--format=%H %an <%ae> %cn %s") == (
        f"{written.commit} akashi <akashi@agents.invalid> Test Person remember: NVDA RSI rule"
    )
    trailers = git(root, "log", "-1", "--format=%(trailers:only,unfold)").splitlines()
    assert f"Memory-Id: {written.id}" in trailers
    assert "Source-Agent: akashi" in trailers
    assert "Vmem-Op: remember" in trailers
    assert git(root, "show", "--name-only", "--format=") == written.path
    assert git(root, "status", "--porcelain") == "?? .vmem/"
    found = vault.agent("mira").recall("NVDA risk", max_tokens=500)
    assert "RSI above 70" in str(found)
    assert found.tokens <= 500


def test_an_edit_in_an_editor_is_recalled_at_once(vault: Vault, root: Path) -> None:
    written = vault.person.remember("The staging server is called heron", title="Staging")
    file = root / written.path
    file.write_bytes(file.read_bytes().replace(b"heron", b"bittern"))
    assert "bittern" in str(vault.person.recall("staging server"))
    assert "heron" not in str(vault.person.recall("staging server"))


def test_an_edit_changes_one_line_and_keeps_the_persons_version_in_history(
    vault: Vault, root: Path, git: Git
) -> None:
    written = vault.agent("akashi").remember("text v1", title="T", namespace="ops", importance=0.3)
    file = root / written.path
    file.write_bytes(file.read_bytes().replace(b"text v1", b"text v2 by hand  "))
    edited = vault.agent("akashi").edit(written.path, importance=0.4)
    assert edited.commit == git(root, "rev-parse", "HEAD")
    assert git(root, "show", "--format=%an", "--numstat", "HEAD").splitlines() == [
        "akashi",
        "",
        f"1\t1\t{written.path}",
    ]
    assert git(root, "log", "-1", "--format=%an", "HEAD~1") == "Test Person"
    assert "text v2 by hand  " in git(root, "show", f"HEAD~1:{written.path}")


def test_a_stale_version_is_refused_and_names_the_present_one(vault: Vault, root: Path) -> None:
    agent = vault.agent("akashi")
    written = agent.remember("v1", title="T")
    read = agent.show(written.path)
    file = root / written.path
    file.write_bytes(file.read_bytes() + b"line by a person\n")
    with pytest.raises(ConflictError) as refused:
        agent.edit(written.path, text="v1\nplus one line", if_match=read.version)
    assert refused.value.found == hashlib.sha256(file.read_bytes()).hexdigest()
    assert file.read_bytes().endswith(b"line by a person\n")


def test_what_is_forgotten_leaves_recall_and_restore_brings_it_back_byte_for_byte(
    vault: Vault, root: Path, git: Git
) -> None:
    agent = vault.agent("akashi")
    written = agent.remember("The queue is drained at night", title="Queue", namespace="ops")
    before = (root / written.path).read_bytes()
    gone = agent.forget(str(written.id)[:20])
    assert gone.commit
    assert not (root / written.path).exists()
    assert agent.recall("queue drained").hits == ()
    back = agent.restore(str(written.id))
    assert (root / back.path).read_bytes() == before
    assert agent.recall("queue drained").hits[0].entry.id == written.id
    assert git(root, "log", "--format=%s").splitlines()[:3] == [
        "restore: Queue",
        "forget: Queue",
        "remember: Queue",
    ]


def test_undo_takes_back_one_operation_after_the_other(vault: Vault, root: Path) -> None:
    agent = vault.agent("akashi")
    written = agent.remember("first text", title="U", namespace="ops", importance=0.5)
    first = (root / written.path).read_bytes()
    agent.edit(written.path, importance=0.9)
    agent.undo()
    assert (root / written.path).read_bytes() == first
    agent.undo()
    assert not (root / written.path).exists()
    with pytest.raises(NotFoundError, match="no operation to undo"):
        agent.undo()


def test_undo_never_overwrites_what_others_changed_since(vault: Vault, root: Path) -> None:
    agent = vault.agent("akashi")
    written = agent.remember("mine", title="U", namespace="ops")
    file = root / written.path
    file.write_bytes(file.read_bytes() + b"and theirs\n")
    with pytest.raises(ConflictError):
        agent.undo()
    assert file.read_bytes().endswith(b"and theirs\n")


def test_the_same_text_in_one_namespace_is_one_memory(vault: Vault) -> None:
    agent = vault.agent("akashi")
    first = agent.remember("Uses port 8080", namespace="ops")
    again = agent.remember("  uses PORT 8080.", namespace="ops")
    assert (again.known, again.path, again.id) == (True, first.path, first.id)
    assert not agent.remember("Uses port 9090", namespace="ops").known
    assert not agent.remember("Uses port 8080", namespace="market").known


def test_many_are_checked_before_the_first_is_written(vault: Vault, root: Path) -> None:
    with pytest.raises(ValueFormatError):
        vault.agent("akashi").remember_many(["good", {"text": "bad", "importance": 7}])
    assert list(root.rglob("*.md")) == []
    written = vault.agent("akashi").remember_many(["one", {"text": "two", "title": "Two"}, "one"])
    assert [one.known for one in written] == [False, False, True]
    assert len(list(root.rglob("*.md"))) == 2


def test_an_agent_reads_and_writes_only_its_own_private_folder(vault: Vault, root: Path) -> None:
    secret = vault.agent("mira").remember("The heliotrope password is in the blue safe", title="Blue safe")
    aka = vault.agent("akashi")
    assert secret.path.startswith("private/mira/")
    for ref in (secret.path, str(secret.id), str(secret.id)[:10], "Blue safe", f"./{secret.path}"):
        with pytest.raises(MemoryNotFoundError):
            aka.show(ref)
        with pytest.raises(MemoryNotFoundError):
            aka.edit(ref, importance=0.1)
        with pytest.raises(MemoryNotFoundError):
            aka.forget(ref)
    assert aka.search("heliotrope password").hits == ()
    assert aka.search("heliotrope password").dropped == ()
    assert aka.recall("heliotrope password").omitted == ()
    assert aka.list() == []
    assert vault.history.log(aka.scope) == []
    with pytest.raises(ScopeError):
        aka.remember("x", namespace="private/mira")
    vault.agent("mira").forget(secret.path)
    with pytest.raises(MemoryNotFoundError):
        aka.restore("Blue safe")
    assert vault.history.log(aka.scope) == []
    # a name that begins alike is another agent
    vault.agent("aka").remember("a short name's note", title="Short")
    with pytest.raises(MemoryNotFoundError):
        aka.show("Short")
    assert vault.person.show("Short").memory.source_agent == "aka"


def test_a_text_past_the_limit_and_an_empty_one_are_refused_before_a_file_exists(
    vault: Vault, root: Path
) -> None:
    with pytest.raises(RefusedError):
        vault.person.remember("x" * 300_000)
    with pytest.raises(UsageError):
        vault.person.remember("   ")
    assert list(root.rglob("*.md")) == []


def test_two_vaults_in_one_process_stay_apart(tmp_path: Path) -> None:
    Vault.create(tmp_path / "one")
    Vault.create(tmp_path / "two")
    with Vault.open(tmp_path / "one") as one, Vault.open(tmp_path / "two") as two:
        one.person.remember("kept in the first")
        two.person.remember("kept in the second")
        assert [entry.title for entry in one.person.list()] == ["kept in the first"]
        assert [entry.title for entry in two.person.list()] == ["kept in the second"]


def test_expired_memories_are_not_recalled_and_pinned_ones_are(root: Path) -> None:
    clock = ToldClock()
    with Vault.open(root, clock=clock, ids=CountedIds()) as vault:
        vault.person.remember("the falcon lands at dawn", ttl="1d")
        vault.person.remember("the falcon lands at dusk", ttl="1d", pinned=True)
        clock.move(days=2)
        found = vault.person.recall("falcon lands")
        assert [hit.entry.pinned for hit in found.hits] == [True]
        assert [one.reason.value for one in found.omitted] == ["expired"]


def test_a_hit_that_changed_within_the_trusted_second_is_read_again_before_it_is_shown(root: Path) -> None:
    with Vault.open(root, clock=ToldClock(), settings={"refresh_seconds": 3600.0}) as vault:
        written = vault.person.remember("the ferry leaves at nine", title="Ferry")
        gone = vault.person.remember("the ferry costs four pounds", title="Fare")
        assert len(vault.person.recall("ferry").hits) == 2
        (root / written.path).write_text("the ferry leaves at ten\n", encoding="utf-8")
        (root / gone.path).unlink()
        for text in (str(vault.person.recall("ferry leaves")), str(vault.person.search("ferry leaves").hits)):
            assert "at ten" in text
            assert "at nine" not in text
            assert "four pounds" not in text


def test_a_damaged_index_is_built_anew_and_says_so(root: Path) -> None:
    with Vault.open(root) as vault:
        vault.person.remember_many([f"note number {number} about the ferry" for number in range(300)])
    file = root / ".vmem" / "local" / "index.db"
    size = file.stat().st_size
    with file.open("r+b") as index:
        index.seek(size // 3)
        index.write(b"\x55" * (size // 3))
    with Vault.open(root) as vault:
        found = vault.person.recall("ferry", max_tokens=500)
        assert len(found.hits) > 3
        assert vault.person.list()
        assert len(vault.person.list()) == 300


def test_another_time_zone_counts_for_the_memories_that_are_there(root: Path) -> None:
    (root / "day.md").write_text("---\nexpires: 2026-03-14\n---\nUntil tonight.\n")
    midnight = {"UTC": "2026-03-15T00:00:00+00:00", "Asia/Tokyo": "2026-03-14T15:00:00+00:00"}
    for zone in ("UTC", "Asia/Tokyo", "Asia/Tokyo"):
        with Vault.open(root, clock=ToldClock(), settings={"timezone": zone}) as opened:
            [entry] = opened.person.list()
            assert entry.expires is not None
            assert entry.expires.isoformat() == midnight[zone]
