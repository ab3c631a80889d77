"""What agents were refused is kept on this machine: bounded, without a text, and for the person alone."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault_memory.adapters.files.denials import LARGEST, NAME, DenialFiles
from vault_memory.errors import PersonOnlyError, ScopeError, VmemError
from vault_memory.model.denied import Denied, denied_from, line_of
from vault_memory.model.namespace import Wanted
from vault_memory.vault import Vault

AT = datetime(2026, 3, 14, 12, tzinfo=UTC)


def one(what: str = "shared/vault", wanted: Wanted = Wanted.WRITE) -> Denied:
    return Denied(AT, "akashi", wanted, what, "cli")


@given(st.text(), st.sampled_from(Wanted), st.none() | st.text(max_size=9))
def test_a_line_is_one_line_and_says_what_was_refused(what: str, wanted: Wanted, door: str | None) -> None:
    line = line_of(Denied(AT, "akashi", wanted, what, door))
    assert line.isascii()
    assert len(line.splitlines()) == 1
    found = denied_from(line)
    assert found is not None
    assert (found.at, found.agent, found.wanted, found.door) == (AT, "akashi", wanted, door)
    assert len(found.what) <= 200


@given(st.text() | st.binary().map(repr))
def test_what_is_no_line_of_ours_is_none(text: str) -> None:
    assert denied_from(text) is None


def test_there_is_room_for_so_many_and_the_newest_stay(tmp_path: Path) -> None:
    files = DenialFiles(tmp_path / "local")
    assert files.kept() == []
    count = 4 * LARGEST // len(line_of(one("x" * 150)))
    for number in range(count):
        files.note(one(f"{number:0150}"))
    sizes = [(tmp_path / "local" / name).stat().st_size for name in (NAME, f"{NAME}.1")]
    assert max(sizes) <= LARGEST
    kept = [int(denied.what) for denied in files.kept()]
    assert kept == list(range(count - len(kept), count))
    assert len(kept) > count // 5


def test_a_disk_that_says_no_and_foreign_lines_change_no_refusal(tmp_path: Path) -> None:
    root = Vault.create(tmp_path / "memory").root
    log = root / ".vmem" / "local" / NAME
    log.mkdir(parents=True)
    with Vault.open(root) as vault:
        with pytest.raises(ScopeError):
            vault.agent("akashi").remember("x", namespace="private/mira")
        assert vault.overview.denied(vault.person.scope) == ()
    log.rmdir()
    log.write_bytes(b'{"at": 1}\n\xff\xfe\n[]\n' + line_of(one()).encode() + b'{"half": ')
    with Vault.open(root) as vault:
        assert [denied.what for denied in vault.overview.denied(vault.person.scope)] == ["shared/vault"]


def test_each_kind_of_refusal_is_kept_once_and_no_text_with_it(tmp_path: Path) -> None:
    root = Vault.create(tmp_path / "memory").root
    with Vault.open(root, settings={"embedder": "none", "agents": {"akashi": {"quota_files": 0}}}) as vault:
        vault.agent("mira").remember("where the spare key is", title="Spare")
        agent = vault.agent("akashi")
        for refuse in (
            lambda: agent.remember("a harmless text", namespace="private/mira"),
            lambda: agent.remember("a harmless text"),
            lambda: agent.remember("a harmless text", allow_secret=True),
            lambda: agent.show("private/mira/spare.md"),
            lambda: agent.show("nothing of that name"),
        ):
            with pytest.raises(VmemError):
                refuse()
        with pytest.raises(PersonOnlyError):
            vault.overview.denied(agent.scope)
        found = vault.overview.denied(vault.person.scope)
    assert [(denied.wanted, denied.what) for denied in reversed(found)] == [
        (Wanted.WRITE, "private/mira"),
        (Wanted.QUOTA, "agents.akashi quota_files"),
        (Wanted.PERSON, "allow a secret"),
        (Wanted.READ, "private/mira/spare.md"),
        (Wanted.PERSON, "see what agents were refused"),
    ]
    text = (root / ".vmem" / "local" / NAME).read_text()
    assert "harmless" not in text
    assert "where the spare key" not in text
    assert [json.loads(line)["door"] for line in text.splitlines()] == [None] * 5
