"""A Python program's connection: the verbs, the same errors, and a line that is made anew when it breaks."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import threading
from datetime import date
from pathlib import Path

import pytest

import vault_memory
from tests.gitrun import run_git
from tests.resident.answering import answering, line
from tests.resident.living import Living
from tests.resident.processes import none_left, running, state, variables
from tests.stand import ToldClock
from vault_memory.errors import (
    AmbiguousRefError,
    ConflictError,
    MemoryNotFoundError,
    RefusedError,
    ScopeError,
    UsageError,
    ValueFormatError,
    VaultNotFoundError,
    VmemError,
)
from vault_memory.model import wire
from vault_memory.surfaces.resident.connection import connect
from vault_memory.vault import Vault


def test_questions_of_another_view_of_the_vault(living: Living, root: Path) -> None:
    with (
        vault_memory.connect(root, agent="ann", start=False) as ann,
        vault_memory.connect(root, start=False) as person,
    ):
        ann.remember("Ferries sail north", title="Ferry", namespace="sea", wait="commit")
        then = run_git(root, "rev-parse", "HEAD")
        ann.edit("Ferry", text="Ferries sail south")
        ann.remember("The harbour closes at nine", title="Harbour", namespace="sea", wait="commit")
        with Vault.open(root) as vault, vault.agent("ann").propose("more") as proposal:
            proposal.remember("Buoys are red", title="Buoys", namespace="sea")
        titles = [
            [one["title"] for one in asked.list(**view)]
            for asked, view in (
                (ann, {}), (ann, {"at": then}), (person, {"at": then[:10]}), (ann, {"reviewed": True}),
                (ann, {"proposals": True}), (ann, {"at": None, "reviewed": False}),
            )
        ]  # fmt: skip
        both = ["Ferry", "Harbour"]
        assert titles == [both, ["Ferry"], ["Ferry"], both, ["Buoys", *both], both]
        assert "north" in ann.recall("ferries", at=then)["text"]
        assert [hit["title"] for hit in ann.search("buoys", proposals=True)["hits"]] == ["Buoys"]
        assert ann.show("Ferry", at=then)["text"].strip() == "Ferries sail north"
        assert any(f"commit {then[:7]}" in told for told in ann.notices)
        assert ann.show("Ferry")["text"].strip() == "Ferries sail south"
        for asked, view, words in (
            (ann, {"at": "no-such"}, "no-such"),
            (ann, {"at": then, "reviewed": True}, "give one of them"),
            (person, {"proposals": True}, "ask as that agent"),
            (ann, {"reviewed": "yes"}, "true or false"),
        ):
            with pytest.raises(VmemError) as refused:
                asked.list(**view)
            assert words in f"{refused.value.message} {refused.value.hint}"


def test_all_verbs(living: Living, root: Path) -> None:
    with vault_memory.connect(root, agent="ann", start=False) as ann:
        written = ann.remember("Ferries sail north", title="Ferry", tags={"boats"}, importance=0.9)
        assert (written["path"], written["committed"]) == ("private/ann/ferry.md", None)
        assert ann.remember("Ferries sail north")["known"] is True
        committed = ann.remember("The harbour closes at nine", wait="commit", namespace="port")
        assert committed["committed"] == run_git(root, "rev-parse", "HEAD")
        many = ann.remember_many(["One", {"text": "Two", "title": "Second"}], wait="saved")
        assert [one["title"] for one in many] == ["One", "Second"]
        assert "Ferries sail north" in ann.recall("ferries", max_tokens=500)["text"]
        found = ann.search("ferries", limit=1, since=date(2026, 1, 1))
        assert [hit["title"] for hit in found["hits"]] == ["Ferry"]
        assert len(ann.list()) == 4
        shown = ann.show("Ferry")
        assert shown["tags"] == ["boats"]
        assert ann.edit("Ferry", add_tags=["north"], importance=None)["op"] == "edit"
        assert ann.show("Ferry")["tags"] == ["boats", "north"]
        with pytest.raises(ConflictError) as conflict:
            ann.forget("Ferry", if_match=shown["version"])
        assert conflict.value.expected == shown["version"]
        assert ann.forget("Second")["op"] == "forget"
        flushed = ann.flush()
        assert flushed["waiting"] == 0
        assert ann.state()["pid"] == os.getpid()
    assert run_git(root, "status", "--porcelain", "--", "private", "shared") == ""
    with Vault.open(root, clock=ToldClock()) as vault:
        caller = vault.agent("ann")
        with connect(root, agent="ann", start=False) as ann:
            assert ann.list() == [wire.entry(entry) for entry in caller.list()]
            assert ann.search("ferries") == wire.search(caller.search("ferries"))
            assert ann.recall("ferries") == wire.recall(caller.recall("ferries"))


def test_errors_are_those_of_the_library(living: Living, root: Path) -> None:
    with connect(root, start=False) as person, connect(root, agent="ann", start=False) as ann:
        with pytest.raises(MemoryNotFoundError) as missing:
            person.show("nothing")
        assert (missing.value.exit_code, missing.value.hint is not None) == (3, True)
        with pytest.raises(ScopeError):
            ann.remember("x", namespace="private/bob")
        with pytest.raises(RefusedError) as refused:
            ann.remember("password = 'kX9vT2mQ8wLp4ZsR7nBd'\nghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8")
        assert refused.value.rule
        assert refused.value.field
        person.remember("One", title="Same", namespace="a")
        person.remember("Two", title="Same", namespace="b")
        with pytest.raises(AmbiguousRefError) as several:
            person.show("Same")
        assert [path for _, _, path in several.value.candidates] == ["shared/a/same.md", "shared/b/same.md"]
        with pytest.raises(ValueFormatError):
            person.remember_many(["fine", {"text": "x", "importance": 7}])
        assert len(person.list()) == 2, "all are checked before the first is written"
        with pytest.raises(UsageError):
            person.search("x", limit=object())
        with pytest.raises(UsageError):
            person.recall("x", nonsense=1)
        assert person.list(tag="nothing") == []
        assert person.notices == ("no memory has the tag 'nothing'",)


def test_without_a_vault_or_without_a_resident_it_says_so(root: Path, tmp_path: Path) -> None:
    with pytest.raises(VaultNotFoundError):
        connect(tmp_path)
    with connect(root, start=False) as person, pytest.raises(VmemError, match="no resident keeps"):
        person.list()


def test_it_starts_a_resident_and_one_anew(root: Path) -> None:
    with none_left(root), connect(root) as person:
        person.remember("Ferries sail north", title="Ferry")
        first = state(root).pid
        os.kill(first, 9)
        assert [memory["title"] for memory in person.list()] == ["Ferry"]
        assert state(root).pid != first
        assert person.flush()["waiting"] == 0
    assert "remember: Ferry" in run_git(root, "log", "--format=%s")


def test_a_resident_that_can_not_be_started_says_why(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VMEM_DISK", "network")
    with connect(root) as person, pytest.raises(VmemError, match="network disk"):
        person.list()


def test_a_resident_that_ended_meanwhile_costs_no_request(root: Path) -> None:
    with connect(root, start=False) as person:
        for title in ("One", "Two"):
            with running(root):
                assert person.remember(f"text {title}", title=title)["title"] == title
        with running(root):
            assert person.edit("One", importance=0.1)["op"] == "edit"


def test_a_lost_answer_is_asked_for_again_only_where_that_is_safe(root: Path) -> None:
    calls: list[object] = []

    def hangs_up_first(peer: socket.socket, request: dict[str, object]) -> None:
        calls.append(request.get("verb"))
        if len(calls) > 1:
            peer.sendall(line({"value": []}))

    with answering(root, hangs_up_first), connect(root, start=False) as person:
        assert person.list() == []
        assert calls == ["list", "list"]
        calls.clear()
        person.close()
        with pytest.raises(VmemError, match="went away before it answered"):
            person.edit("x", importance=0.5)
        assert calls == ["edit"]
        calls.clear()
        person.close()
        assert person.remember_many(["Said once"], on_duplicate="keep") == []
        assert calls == ["remember_many", "remember_many"]
        calls.clear()
        person.close()
        with pytest.raises(VmemError, match="went away before it answered"):
            person.remember_many(["Said once"], on_duplicate="new")  # it would be there twice
        assert calls == ["remember_many"]


@pytest.mark.parametrize("said", [b"no json\n", b"[]\n", b"\xff\n"])
def test_what_is_no_answer_is_an_error(root: Path, said: bytes) -> None:
    with (
        answering(root, lambda peer, _: peer.sendall(said)),
        connect(root, start=False) as person,
        pytest.raises(VmemError),
    ):
        person.list()


def test_a_resident_of_another_version_is_an_error_without_a_start(root: Path) -> None:
    with (
        answering(root, lambda peer, _: peer.sendall(line({"unfit": "it is older"}))),
        connect(root, start=False) as person,
        pytest.raises(VmemError, match="it is older"),
    ):
        person.list()


def test_threads_may_share_it(living: Living, root: Path) -> None:
    with connect(root, start=False) as person:
        texts = [f"Ferry number {number}" for number in range(20)]
        threads = [threading.Thread(target=person.remember, args=(text,)) for text in texts]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(person.list()) == 20


FORKED = """
import os, sys
from vault_memory import connect
with connect(sys.argv[1], start=False) as person:
    person.remember("Ferries sail north", title="Ferry")
    child = os.fork()
    for _ in range(20):
        assert [one["title"] for one in person.list()] == ["Ferry"]
        assert person.show("Ferry")["text"].strip() == "Ferries sail north"
    if not child:
        os._exit(0)
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


def test_a_forked_child_has_a_line_of_its_own(root: Path) -> None:
    with running(root):
        done = subprocess.run(
            [sys.executable, "-c", FORKED, str(root)], env=variables(), timeout=60, check=False
        )
    assert done.returncode == 0


def test_the_example_of_the_page_runs(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = (Path(__file__).parents[2] / "docs" / "python.md").read_text(encoding="utf-8")
    [example] = re.findall(r"^```py\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    monkeypatch.chdir(root.parent)
    with running(root):
        done = subprocess.run(
            [sys.executable, "-c", example],
            env=variables(), capture_output=True, text=True, timeout=60, check=True,
        )  # fmt: skip
    assert "Spreads double after the close." in done.stdout
    assert "NVDA spreads 0." in done.stdout
