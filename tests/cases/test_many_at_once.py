"""Many memories in one call: what is wrong with one names it by its number, and nothing is written."""

from __future__ import annotations

import json

import pytest

from tests.cases.doors import Case, Door
from vault_memory.errors import VmemError
from vault_memory.vault import Vault

WRONG: dict[str, tuple[dict[str, object], int, str]] = {
    "too large": ({"text": "x" * 300_000}, 65, "300,000 bytes are more than the limit of 262,144"),
    "a climbing namespace": ({"text": "x", "namespace": "../x"}, 65, "can't be a place in the vault"),
    "another's folder": ({"text": "x", "namespace": "private/mira"}, 77, "may not write to"),
    "no text": ({"text": " "}, 2, "there is no text to remember"),
    "a ttl": ({"text": "x", "ttl": "soon"}, 65, "ttl can't be 'soon'"),
    "a field": ({"text": "x", "colour": "red"}, 65, "a memory has no field 'colour'"),
}


@pytest.mark.parametrize(("memory", "code", "words"), WRONG.values(), ids=WRONG)
def test_a_line_that_is_refused_is_named_by_its_number(
    case: Case, memory: dict[str, object], code: int, words: str
) -> None:
    good = json.dumps({"text": "fine"})
    lines = ["", good, " ", json.dumps(memory), good]
    said = case.vmem("remember", "--stdin-jsonl", "--agent=akashi", stdin="\n".join(lines).encode())
    assert said.code == code
    assert said.err.startswith("vmem: line 4: ")
    assert words in said.err
    assert "nothing was written" in said.err
    assert case.files() == {}
    alone = case.vmem("remember", "--stdin-jsonl", "--agent=akashi", stdin=f"\n\n{lines[3]}".encode())
    assert alone.err.startswith("vmem: line 3: ")
    told = case.vmem("remember", "--stdin-jsonl", "--agent=akashi", "--json", stdin="\n".join(lines).encode())
    assert told.error.startswith("line 4: ")


@pytest.mark.parametrize("name", ["too large", "a climbing namespace", "another's folder", "no text"])
def test_python_is_told_which_one(case: Case, name: str) -> None:
    memory, code, words = WRONG[name]
    with Vault.open(case.root) as vault, pytest.raises(VmemError) as refused:
        vault.agent("akashi").remember_many(["fine", memory])
    assert (refused.value.exit_code, refused.value.item) == (code, 2)
    assert str(refused.value).startswith("memory 2: ")
    assert words in refused.value.message
    with Vault.open(case.root) as vault, pytest.raises(VmemError) as alone:
        vault.agent("akashi").remember_many([memory])
    assert not str(alone.value).startswith("memory ")
    assert case.files() == {}


@pytest.mark.parametrize("text", ["", " ", "\n\t\n"])
def test_an_edit_never_empties_a_memory(door: Door, case: Case, text: str) -> None:
    written = door.remember("a heron by the lake", title="Heron").value
    before = case.files()
    said = door.edit("Heron", text=text)
    assert said.code == 2
    assert "the new text is empty" in said.error
    assert case.files() == before
    assert "vmem forget REF removes a memory" in case.vmem("edit", written["id"], "--text", text).err
    assert case.vmem("edit", written["id"], "--text", "-", stdin=text.encode()).code == 2
    assert case.files() == before
