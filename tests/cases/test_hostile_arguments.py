"""Whatever is typed into an option, a key or a pipe: done as asked, or refused before a file exists."""

from __future__ import annotations

import time
from typing import Any

import pytest

from tests.cases.doors import Case, CommandLine, Door, Python
from tests.gitrun import Git
from vault_memory.errors import UsageError, ValueFormatError
from vault_memory.model.namespace import PERSON
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


@pytest.mark.parametrize(
    "argv",
    [["--set", "x"], ["--set", "=x"], ["--set", "  =y"], ["--set", "k=1", "--set", "k=2"], ["--set", ""]],
)
def test_an_option_that_sets_nothing_or_one_thing_twice_is_a_usage_error(case: Case, argv: list[str]) -> None:
    case.write("e.md", "body\n")
    assert case.vmem("remember", "text", *argv).code == 2
    assert case.vmem("edit", "e.md", *argv).code == 2
    assert case.files() == {"e.md": b"body\n"}


@pytest.mark.parametrize(
    "argv",
    [
        ["--title", "A", "--set", "title=B"],
        ["--set", "k=1", "--unset", "k"],
        ["--set", "k=1", "--set", "K=2"],
        ["--importance", "0.1", "--set", "Importance=0.2"],
    ],
)
def test_two_values_for_one_key_are_a_usage_error(case: Case, argv: list[str]) -> None:
    case.write("e.md", "body\n")
    assert case.vmem("edit", "e.md", *argv).code == 2
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


@pytest.mark.parametrize("score", ["nan", "-0.1", "1.1", "inf"])
def test_a_score_that_is_none_is_a_usage_error(door: Door, case: Case, score: str) -> None:
    assert door.search("x", min_score=float(score)).code == door.recall("x", min_score=float(score)).code == 2


@pytest.mark.parametrize("limit", [0, -1, -100])
def test_less_than_one_result_is_a_usage_error(door: Door, case: Case, git: Git, limit: int) -> None:
    case.write("e.md", "x\n")
    assert door.search("x", limit=limit).code == 2
    with Vault.open(case.root) as vault, pytest.raises(UsageError):
        vault.history.log(PERSON, limit=limit)


# --- what comes through a pipe -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("stdin", "code"),
    [
        (b"caf\xe9", 65),
        ("wide".encode("utf-16"), 65),
        (b"a\x00b", 65),
        (b"", 2),
        (b" \n\t\n", 2),
        (b"x" * 300_000, 65),
        (b"word " * 20_000_000, 65),
    ],
    ids=["latin-1", "utf-16", "zero byte", "nothing", "blank", "300 KB", "100 MB"],
)
def test_a_pipe_that_holds_no_text_is_refused(case: Case, stdin: bytes, code: int) -> None:
    began = time.monotonic()
    ran = case.vmem("remember", "-", stdin=stdin)
    assert ran.code == code
    assert ran.out == ""
    assert len(ran.err) < 500
    assert time.monotonic() - began < 10
    assert case.files() == {}


@pytest.mark.parametrize(
    ("stdin", "body"),
    [
        (b"\xef\xbb\xbfmarked", b"marked\n"),
        (b"one\r\ntwo\rthree", b"one\ntwo\nthree\n"),
        (b"---\nid: other\n---\nbody", b"body\n"),
        (b"---\n\nid: other\nbody", b"---\n\nid: other\nbody\n"),
        (b"-rf --force", b"-rf --force\n"),
        (b"trailing  \n\n\n", b"trailing  \n"),
        ("\u91cd\u542f \U0001f680".encode(), "\u91cd\u542f \U0001f680\n".encode()),
    ],
    ids=["mark", "line ends", "front matter", "a rule", "options", "trailing", "unicode"],
)
def test_a_pipe_of_text_is_the_body_of_one_memory(case: Case, stdin: bytes, body: bytes) -> None:
    assert case.vmem("remember", "-", "--title", "T", stdin=stdin).code == 0
    [content] = case.files().values()
    head, fence, rest = content.partition(b"\n---\n")
    assert head.startswith(b'---\nid: "01')
    assert fence
    assert rest == body
    shown = case.vmem("show", "T", "--json").value
    assert (shown["title"], shown["findings"], shown["text"]) == ("T", [], body.decode())


LINES = {
    "no text": b'{"title": "x"}',
    "a text that is none": b'{"text": 5}',
    "a text that is null": b'{"text": null}',
    "an unknown field": b'{"text": "x", "__proto__": 1}',
    "an id": b'{"text": "x", "id": "01K8ZQ4T7R3M5N9V2XW6Y0ABCD"}',
    "a mapping of tags": b'{"text": "x", "tags": {"a": 1}}',
    "a null among tags": b'{"text": "x", "tags": ["a", null]}',
    "a list for extra": b'{"text": "x", "extra": [1]}',
    "a bad key in extra": b'{"text": "x", "extra": {"a: b": 1}}',
    "true for importance": b'{"text": "x", "importance": true}',
    "not a number": b'{"text": "x", "importance": NaN}',
    "half a character": b'{"text": "\\ud800"}',
    "a zero byte": b'{"text": "a\\u0000"}',
    "not UTF-8": b'{"text": "\xff"}',
    "a list": b'["x"]',
    "null": b"null",
    "cut short": b'{"text": "x"',
    "two values": b'{"text": "x"} {"text": "y"}',
    "nested": b"[" * 200_000,
    "a number of 5000 digits": b'{"text": "x", "importance": ' + b"9" * 5_000 + b"}",
}
REFUSED_LINES = {
    "a hostile namespace": b'{"text": "x", "namespace": "../.."}',
    "too long": b'{"text": "' + b"x" * 300_000 + b'"}',
}


@pytest.mark.parametrize("line", LINES.values(), ids=LINES)
def test_one_bad_line_of_many_is_named_and_nothing_is_written(case: Case, line: bytes) -> None:
    ran = case.vmem(
        "remember", "--stdin-jsonl", stdin=b'{"text": "good"}\n\n' + line + b'\n{"text": "good too"}\n'
    )
    assert ran.code == 65
    assert ran.out == ""
    assert "line 3" in ran.err
    assert len(ran.err) < 600
    assert case.files() == {}


@pytest.mark.parametrize("line", REFUSED_LINES.values(), ids=REFUSED_LINES)
def test_one_refused_line_of_many_keeps_all_from_being_written(case: Case, line: bytes) -> None:
    ran = case.vmem("remember", "--stdin-jsonl", stdin=b'{"text": "good"}\n' + line + b'\n{"text": "too"}\n')
    assert (ran.code, ran.out) == (65, "")
    assert case.files() == {}


def test_lines_may_leave_out_say_null_and_begin_with_a_mark(case: Case) -> None:
    stdin = b'\xef\xbb\xbf{"text": "one"}\r\n{"text": "two", "title": null, "namespace": null, "tags": []}\n'
    ran = case.vmem("remember", "--stdin-jsonl", "--json", stdin=stdin)
    assert ran.code == 0
    assert [one["path"] for one in ran.value] == ["notes/one.md", "notes/two.md"]


def test_no_lines_are_no_memories(case: Case) -> None:
    ran = case.vmem("remember", "--stdin-jsonl", "--json", stdin=b"\n \n")
    assert (ran.code, ran.value) == (0, [])


@pytest.mark.parametrize("wrong", [None, 5, b"bytes", ["list"]], ids=repr)
def test_a_text_that_is_no_text_is_refused_by_python(case: Case, wrong: Any) -> None:
    with Vault.open(case.root) as vault:
        with pytest.raises(ValueFormatError):
            vault.person.remember(wrong)
        with pytest.raises(ValueFormatError):
            vault.person.remember_many([{"text": wrong}])
    assert case.files() == {}


# --- bytes in arguments --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "argv",
    [
        ["remember", b"bytes \xff\xfe"],
        ["remember", "text", "--title", b"t\xff"],
        ["remember", "text", "--namespace", b"n\xff"],
        ["remember", "text", "--agent", b"a\xff"],
        ["remember", "text", "--tag", b"t\xff"],
        ["remember", "text", "--set", b"k\xff=1"],
        ["remember", "text", "--set", b"k=\xff"],
        ["remember", "text", "--ttl", b"1d\xff"],
        ["list", "--namespace", b"n\xff"],
    ],
    ids=ascii,
)
def test_bytes_that_are_no_text_are_refused_with_a_message_that_is_one(
    case: Case, argv: list[str | bytes]
) -> None:
    for more in ([], ["--json"]):
        ran = case.process(*argv, *more)
        assert ran.code == 65
        ran.err.encode("utf-8", "strict")
    assert case.files() == {}


@pytest.mark.parametrize("command", ["show", "edit", "forget", "restore", "log"])
def test_a_reference_of_such_bytes_names_no_memory(case: Case, command: str) -> None:
    more = ["--importance=0.5"] if command == "edit" else []
    ran = case.process(command, b"\xff\xfe", *more, "--json")
    assert ran.code == 3
    ran.err.encode("utf-8", "strict")


@pytest.mark.parametrize(
    "argv", [["nope"], ["--nope"], [b"\xff"], ["list", "--nope"], ["show"], ["show", "a", "b"]], ids=ascii
)
def test_a_command_line_that_is_none_is_a_usage_error(case: Case, argv: list[str | bytes]) -> None:
    assert case.process(*argv).code == 2


def test_both_doors_word_a_refusal_alike(case: Case) -> None:
    case.write("e.md", "body\n")
    cli, python = CommandLine(case), Python(case)
    asks: list[Any] = [
        lambda door: door.remember("x", importance="7"),
        lambda door: door.remember("x", namespace="../x"),
        lambda door: door.remember("x", agent="akashi", namespace="private/mira"),
        lambda door: door.remember("  "),
        lambda door: door.remember("x" * 300_000),
        lambda door: door.edit("e.md", if_match="0" * 64, importance=0.5),
        lambda door: door.edit("e.md", agent="akashi", importance=0.5),
        lambda door: door.show("nope"),
        lambda door: door.show("  "),
        lambda door: door.forget("nope"),
        lambda door: door.restore("nope"),
        lambda door: door.recall(" "),
        lambda door: door.search("x", strategy="best"),
    ]
    for ask in asks:
        said = ask(cli)
        assert said == ask(python)
        assert said.code not in (0, 1, 70)
