"""Whatever is given for a field, a key or a tag: kept as given, or refused before a file exists."""

from __future__ import annotations

from typing import Any

import pytest

from tests.cases.doors import Case, Door
from vault_memory.errors import UsageError, ValueFormatError
from vault_memory.vault import Vault

KEYS = ("__proto__", "text", "ref", "if_match", "add_tags", "remove_tags", "extra", "self", "fields",
        "namespace", "path", "dry_run", "agent", "json", "vault", "constructor", "\u00e9t\u00e9",
        "a.b", "_x")  # fmt: skip
"""Names that mean something to programs, and nothing to a memory."""

NO_KEYS = (
    "a: b",
    "<<",
    "*a",
    "&a",
    "!x",
    "?",
    "key with space",
    "a\nb",
    "-x",
    "#x",
    "1x",
    "{a}",
    "x" * 101,
    "k\x00",
)
OWN = ("id", "ID", "created", "source_agent")

VALUES = ("", " ", "b\nc", "b: c", "---", "- x", "# x", "[a, b]", "{a: 1}", "null", "true", "1.10", "*x",
          "&x", "!t", "'", '"', "\\", "%", "@", "`", "a #b", "\u2028",
          "\U0001f680", "\ufeffx", "\xa0")  # fmt: skip


@pytest.mark.parametrize("key", KEYS)
def test_a_key_of_ones_own_may_be_called_as_anything_of_ours(door: Door, case: Case, key: str) -> None:
    path = door.remember("text", namespace="ops", extra={key: "one"}).value["path"]
    assert door.show(path).value["front"][key] == "one"
    with Vault.open(case.root) as vault:
        vault.person.edit(path, extra={key: "two"})
    assert door.show(path).value["front"][key] == "two"
    assert case.vmem("edit", path, f"--set={key}=three").code == 0
    assert door.show(path).value["front"][key] == "three"
    assert case.vmem("edit", path, f"--unset={key}").code == 0
    assert key not in door.show(path).value["front"]


@pytest.mark.parametrize("value", VALUES, ids=ascii)
def test_any_value_reads_back_as_it_was_given(door: Door, case: Case, value: str) -> None:
    written = door.remember("text", namespace="ops", extra={"k": value}).value
    shown = door.show(written["path"]).value
    assert (shown["front"]["k"], shown["text"], shown["findings"]) == (value, "text\n", [])
    assert door.edit(written["path"], other=value).code == 0
    shown = door.show(written["path"]).value
    assert (shown["front"]["other"], shown["text"], shown["findings"]) == (value, "text\n", [])


@pytest.mark.parametrize("key", NO_KEYS, ids=ascii)
def test_what_can_be_no_key_is_refused(door: Door, case: Case, key: str) -> None:
    assert door.remember("text", extra={key: "1"}).code == 65
    case.write("e.md", "body\n")
    with Vault.open(case.root) as vault, pytest.raises(ValueFormatError):
        vault.person.edit("e.md", extra={key: "1"})
    assert case.vmem("edit", "e.md", f"--set={key}=1").code == 65
    assert case.files() == {"e.md": b"body\n"}


@pytest.mark.parametrize("key", OWN)
def test_where_a_memory_comes_from_can_not_be_set(door: Door, case: Case, key: str) -> None:
    assert door.remember("text", extra={key: "x"}).code == 2
    case.write("e.md", "body\n")
    assert case.vmem("edit", "e.md", f"--set={key}=x").code == 2
    assert case.vmem("edit", "e.md", f"--unset={key}").code == 2
    assert case.files() == {"e.md": b"body\n"}


def test_a_key_may_not_be_given_two_ways_to_python_either(case: Case) -> None:
    case.write("e.md", "body\n")
    with Vault.open(case.root) as vault, pytest.raises(UsageError, match="title is given twice"):
        vault.person.edit("e.md", title="A", extra={"title": "B"})


BAD_TAGS = ("#", "a b", "a\nb", "x" * 101, "a: b", "a\x00", "\ud800", "a\u2028b")
GOOD_TAGS = ("[a]", "-x", "'", '"', "null", "true", "2024", "\u00e9", "\U0001f680", "a/b", "{a}", "*", "&x",
             "!t", "%", "@", "`", "a#b", "1.10", "\u8a2d\u5b9a", "~")  # fmt: skip


def test_every_good_tag_is_found_again_as_it_was_given(door: Door, case: Case) -> None:
    written = door.remember("text", namespace="ops", tags=GOOD_TAGS).value
    assert door.show(written["path"]).value["tags"] == list(GOOD_TAGS)
    case.write("e.md", "body\n")
    for tag in GOOD_TAGS:
        assert door.edit("e.md", add_tags=[tag]).code == 0
        assert [one["path"] for one in door.list(tag=tag).value] == ["e.md", written["path"]]
    shown = door.show("e.md").value
    assert (shown["tags"], shown["findings"], shown["text"]) == (list(GOOD_TAGS), [], "body\n")
    for tag in GOOD_TAGS:
        assert door.edit("e.md", remove_tags=[tag]).code == 0
    assert door.show("e.md").value["tags"] == []


@pytest.mark.parametrize("tag", BAD_TAGS, ids=ascii)
def test_what_is_no_tag_is_refused(door: Door, case: Case, tag: str) -> None:
    case.write("e.md", "body\n")
    assert door.remember("text", tags=[tag]).code == 65
    assert door.edit("e.md", add_tags=[tag]).code == 65
    assert case.files() == {"e.md": b"body\n"}


def test_a_text_given_for_tags_is_never_taken_apart_into_letters(case: Case) -> None:
    with Vault.open(case.root) as vault:
        path = vault.person.remember("text", tags="alpha, #beta").path
        assert vault.person.show(path).memory.tags == ("alpha", "beta")
        vault.person.edit(path, add_tags="gamma", remove_tags="alpha")
        assert vault.person.show(path).memory.tags == ("beta", "gamma")
        for wrong in ({"a": 1}, b"ab", 5, [None], [["a", "b"]]):
            with pytest.raises(ValueFormatError):
                vault.person.remember("other", tags=wrong)


EXPIRES = {
    "2030-01-01": "2030-01-02T00:00:00Z",
    " 2030-01-01 ": "2030-01-02T00:00:00Z",
    "2030-01-01T12:00": "2030-01-01T12:00:00Z",
    "2030-01-01 12:00": "2030-01-01T12:00:00Z",
    "2030-01-01T00:00:00+14:00": "2029-12-31T10:00:00Z",
    "9999-12-31": "9999-12-31T23:59:59Z",
    "never": None,
    "": None,
}
NO_EXPIRES = ("2030-02-30", "tomorrow", "99999-01-01", "0000-00-00", "1e10", "-1", "2030-01-01T25:00",
              "03/04/2030", "13.8.26", "2030-1-32", "\u0662\u0660\u0663\u0660-\u0660\u0661-\u0660\u0661",
              "inf", "$(date)")  # fmt: skip
NO_TTLS = ("0", "-1d", "1e9d", "999999999999d", "1:00:00", "1.5d", "\u0663d", "1d1d", "forever", "2026-05-19")
NO_IMPORTANCES = (
    "nan",
    "inf",
    "1.0000001",
    "-0.1",
    "0x1",
    "1_0",
    "\u00bd",
    "\u0660.\u0665",
    "",
    "0,5",
    "1/2",
    "True",
)


@pytest.mark.parametrize(("text", "moment"), EXPIRES.items(), ids=ascii)
def test_an_expiry_means_one_moment(door: Door, case: Case, text: str, moment: str | None) -> None:
    path = door.remember("text", namespace="ops", expires=text).value["path"]
    shown = door.show(path).value
    assert (shown["expires"], shown["findings"]) == (moment, [])


@pytest.mark.parametrize(
    "fields",
    [
        *({"expires": text} for text in NO_EXPIRES),
        *({"ttl": text} for text in NO_TTLS),
        *({"importance": text} for text in NO_IMPORTANCES),
        {"kind": "no kind"},
        {"kind": "x" * 65},
        {"title": "x" * 501},
    ],
    ids=ascii,
)
def test_a_value_that_is_none_is_refused_before_a_file_exists(
    door: Door, case: Case, fields: dict[str, Any]
) -> None:
    [name] = fields
    refused = door.remember("text", **fields)
    assert refused.code == 65
    assert refused.error.startswith(f"{name} can't be ")
    case.write("e.md", "body\n")
    assert door.edit("e.md", **fields).code == 65
    assert case.files() == {"e.md": b"body\n"}
