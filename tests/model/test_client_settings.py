"""A server and hooks in any person's settings: in once, out whole, and all that is not ours stays."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from vault_memory.config.servertable import NoTomlError, servers_in_toml, with_table, without_table
from vault_memory.errors import UsageError
from vault_memory.model.clients.hooks import with_hooks, without_hooks
from vault_memory.model.clients.servers import (
    TakenError,
    entry,
    servers_in,
    with_server,
    without_server,
)
from vault_memory.model.clients.table import CLIENTS, Hooks
from vault_memory.model.clients.words import Wanted, in_a_line, is_ours, vault_in, words_of
from vault_memory.model.editors.jsontext import NoJsonError, read_json

WANTED = Wanted(("/opt/vmem bin/vmem",), "/home/ann/my 'notes'", "claude")
OTHER = Wanted(("/usr/bin/python3", "-P", "-m", "vault_memory"), "/srv/other", "bob")
KEY, NAME = "mcpServers", "memory"
ALL_HOOKS = {name: client.hooks for name, client in CLIENTS.items() if client.hooks is not None}

_KEYS = st.sampled_from(["a", "mcpServers", "hooks", "Stop", "other", "é", "memory"])
_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_KEYS, inner, max_size=3),
    max_leaves=6,
)
_SPACE = st.sampled_from(["", " ", "\n  ", "\n", "\t", " /* r, { */ ", " // r }\n "])


@st.composite
def json_texts(draw: st.DrawFn, whole: st.SearchStrategy[object]) -> str:
    """A value as somebody may have written it: indented, on one line, or with odd spaces and remarks."""
    value = draw(whole)
    if draw(st.booleans()):
        text = json.dumps(value, indent=draw(st.sampled_from([None, 1, 2, "\t"])), ensure_ascii=False)
        text += draw(st.sampled_from(["", "\n"]))
        return text.replace("\n", "\r\n") if draw(st.booleans()) else text

    def odd(one: object) -> str:
        if isinstance(one, dict) and one:
            inner = ",".join(f"{draw(_SPACE)}{json.dumps(k)}:{odd(v)}{draw(_SPACE)}" for k, v in one.items())
            return "{" + inner + draw(st.sampled_from(["", ",", ",\n"])) + "}"
        if isinstance(one, list) and one:
            return "[" + ",".join(f"{draw(_SPACE)}{odd(v)}{draw(_SPACE)}" for v in one) + "]"
        return json.dumps(one)

    return draw(_SPACE) + odd(value) + draw(_SPACE)


def those_of_people() -> st.SearchStrategy[object]:
    """Objects in which other servers and other programs' hooks may stand."""
    servers = st.dictionaries(
        st.sampled_from(["files", "web"]), st.fixed_dictionaries({"command": st.just("npx")}), min_size=1
    )
    command = st.fixed_dictionaries({"type": st.just("command"), "command": st.text(max_size=5)})
    groups = st.lists(
        st.fixed_dictionaries({"matcher": st.just("*"), "hooks": st.lists(command, min_size=1, max_size=2)})
        | command,
        min_size=1,
        max_size=2,
    )
    events = st.dictionaries(
        st.sampled_from(["Stop", "stop", "SessionStart", "PreToolUse"]), groups, min_size=1
    )
    known = {"mcpServers": servers, "hooks": events, "a": _VALUES, "version": st.just(1)}
    return st.sets(st.sampled_from(sorted(known))).flatmap(
        lambda names: st.permutations(sorted(names)).flatmap(
            lambda order: st.fixed_dictionaries({name: known[name] for name in order})
        )
    )


def lines(hooks: Hooks, wanted: Wanted) -> Mapping[str, str | None]:
    return {said: wanted.hook(event, hooks.caller) for said, event in hooks.events.items()}


def everyones(words: list[str]) -> bool:
    return bool(words)


@settings(max_examples=50)
@given(json_texts(those_of_people()), st.booleans())
def test_a_server_goes_in_once_and_out_byte_for_byte(text: str, typed: bool) -> None:
    before = read_json(text).value
    assume(not re.fullmatch(r"\{\s+\}", text.strip()))
    assert isinstance(before, dict)
    put = with_server(text, KEY, NAME, entry(WANTED, typed=typed), force=False)
    expected = {**before, KEY: {**before.get(KEY, {}), NAME: entry(WANTED, typed=typed)}}
    assert read_json(put).value == expected
    assert with_server(put, KEY, NAME, entry(WANTED, typed=typed), force=False) == put
    moved = with_server(put, KEY, NAME, entry(OTHER, typed=typed), force=False)
    assert read_json(moved).value == {**expected, KEY: {**expected[KEY], NAME: entry(OTHER, typed=typed)}}
    assert without_server(put, KEY, NAME, force=False) == text
    assert without_server(moved, KEY, NAME, force=False) == text
    assert without_server(text, KEY, NAME, force=False) == text


@settings(max_examples=20)
@given(json_texts(those_of_people()), st.sampled_from(sorted(ALL_HOOKS)))
def test_hooks_go_in_once_and_out_byte_for_byte(text: str, program: str) -> None:
    hooks = ALL_HOOKS[program]
    before = read_json(text).value
    assert isinstance(before, dict)
    assume(not re.fullmatch(r"\{\s+\}", text.strip()))
    assume(not hooks.version or "version" in before)
    put = with_hooks(text, hooks, lines(hooks, WANTED), everyones)
    value = read_json(put).value
    assert isinstance(value, dict)
    for event, line in lines(hooks, WANTED).items():
        *others, ours = value["hooks"][event]
        assert others == before.get("hooks", {}).get(event, [])
        assert line in (ours.get("command"), *(one.get("command") for one in ours.get("hooks", ())))
    assert with_hooks(put, hooks, lines(hooks, WANTED), everyones) == put
    moved = with_hooks(put, hooks, lines(hooks, OTHER), everyones)
    assert put.count(" hook ") == moved.count(" hook ") == text.count(" hook ") + len(hooks.events)
    assert without_hooks(put, hooks, everyones) == text
    assert without_hooks(moved, hooks, everyones) == text


@given(json_texts(_VALUES), st.sampled_from(sorted(ALL_HOOKS)))
@example('{"hooks": {"Stop": 1}}', "claude")
@example('{"mcpServers": {"memory": 7}}', "claude")
def test_whatever_stands_there_it_is_refused_or_all_else_stays(text: str, program: str) -> None:
    hooks = ALL_HOOKS[program]
    before = read_json(text).value
    try:
        put = with_hooks(text, hooks, lines(hooks, WANTED), everyones)
        put = with_server(put, KEY, NAME, entry(WANTED, typed=True), force=False)
    except (NoJsonError, TakenError):
        return
    after = read_json(put).value
    assert isinstance(before, dict)
    assert isinstance(after, dict)
    ours = {KEY, "hooks", "version"}
    assert [one for one in before if one not in ours] == [one for one in after if one not in ours]
    assert all(after[one] == value for one, value in before.items() if one not in ours)
    left = read_json(without_server(without_hooks(put, hooks, everyones), KEY, NAME, force=False)).value
    assert _without_empty(left) == _without_empty(before) or "version" not in before


def _without_empty(value: object) -> object:
    """Without lists and objects that say nothing."""
    if isinstance(value, dict):
        inner = {key: _without_empty(one) for key, one in value.items()}
        return {key: one for key, one in inner.items() if one not in ({}, []) or key not in _TOUCHED}
    return [_without_empty(one) for one in value] if isinstance(value, list) else value


_TOUCHED = {KEY, "hooks", *(event for hooks in ALL_HOOKS.values() for event in hooks.events)}


def test_what_a_person_said_of_a_server_stays_when_it_is_brought_up_to_date() -> None:
    text = (
        '{\n  // mine\n  "mcpServers": {\n    "memory": {\n      "command": "/old/vmem", // here\n'
        '      "args": ["mcp"],\n      "env": {"TZ": "UTC"}\n    },\n    "web": {"command": "npx"}\n  }\n}\n'
    )
    put = with_server(text, KEY, NAME, entry(WANTED, typed=False), force=False)
    assert put == text.replace("/old/vmem", WANTED.vmem[0]).replace('["mcp"]', json.dumps(WANTED.server()[1]))
    assert without_server(put, KEY, NAME, force=False) == (
        '{\n  // mine\n  "mcpServers": {\n    "web": {"command": "npx"}\n  }\n}\n'
    )


def test_a_hook_keeps_the_time_that_a_person_gave_it() -> None:
    hooks = ALL_HOOKS["claude"]
    put = with_hooks("", hooks, lines(hooks, WANTED), everyones).replace('"timeout": 10', '"timeout": 3')
    moved = with_hooks(put, hooks, lines(hooks, OTHER), everyones)
    assert moved.count('"timeout": 3') == len(hooks.events)
    assert "other" in moved
    assert without_hooks(moved, hooks, everyones) == "{}\n"


def test_hooks_that_are_not_wanted_any_more_go_out_wherever_they_stand() -> None:
    hooks = ALL_HOOKS["claude"]
    whole = with_hooks("", hooks, lines(hooks, WANTED), everyones)
    reads = Wanted(WANTED.vmem, WANTED.vault, "claude", read_only=True)
    less = with_hooks(whole, hooks, lines(hooks, reads), everyones)
    value = read_json(less).value
    assert isinstance(value, dict)
    assert list(value["hooks"]) == ["SessionStart", "UserPromptSubmit"]
    assert with_hooks("", hooks, lines(hooks, reads), everyones) == less


def test_hooks_of_another_vault_and_of_other_programs_stay() -> None:
    hooks = ALL_HOOKS["gemini"]
    both = with_hooks("", hooks, lines(hooks, OTHER), everyones)
    both = with_hooks(both, hooks, lines(hooks, WANTED), lambda words: vault_in(words) != OTHER.vault)
    assert both.count(" hook ") == 2 * len(hooks.events)
    left = without_hooks(both, hooks, lambda words: vault_in(words) != OTHER.vault)
    assert left == with_hooks("", hooks, lines(hooks, OTHER), everyones)


def test_a_remark_keeps_what_it_is_about() -> None:
    text = '{\n  "mcpServers": {\n    // all of mine go here\n  }\n}\n'
    put = with_server(text, KEY, NAME, entry(WANTED, typed=False), force=False)
    assert without_server(put, KEY, NAME, force=False) == text


def test_a_server_of_another_program_is_neither_changed_nor_taken_out() -> None:
    text = '{"mcpServers": {\n"memory": {"command": "npx", "args": ["server-memory"]}}}'
    with pytest.raises(TakenError) as caught:
        with_server(text, KEY, NAME, entry(WANTED, typed=False), force=False)
    assert caught.value.line == 2
    with pytest.raises(TakenError):
        without_server(text, KEY, NAME, force=False)
    forced = with_server(text, KEY, NAME, entry(WANTED, typed=False), force=True)
    assert servers_in(read_json(forced).value, KEY)[NAME][0] == WANTED.vmem[0]


@pytest.mark.parametrize(
    ("words", "verb", "ours"),
    [
        (["/usr/bin/vmem", "mcp"], "mcp", True),
        (["C:\\Tools\\vmem.exe", "mcp"], "mcp", True),
        (["python", "-m", "vault_memory", "mcp"], "mcp", True),
        (["uvx", "--from", "vault-memory", "vmem", "mcp", "--vault", "x"], "mcp", True),
        (["vmem", "hook", "stop"], "mcp", False),
        (["npx", "mcp"], "mcp", False),
        (["/x/notvmem", "mcp"], "mcp", False),
        ([None, "mcp"], "mcp", False),
        (["mcp"], "mcp", False),
        ([], "mcp", False),
    ],
)
def test_a_command_of_vmem_is_known_wherever_it_is_installed(
    words: list[object], verb: str, ours: bool
) -> None:
    assert is_ours(words, verb) is ours


@given(st.lists(st.text(st.characters(codec="utf-8", exclude_categories=["Cc"]), min_size=1), min_size=1))
def test_a_command_line_is_read_as_it_was_written(words: list[str]) -> None:
    assert words_of(in_a_line(words)) == words


def test_on_windows_a_line_has_what_both_of_its_shells_understand() -> None:
    line = in_a_line(["C:\\Users\\Ann Lee\\vmem.exe", "hook", "--vault", "C:\\m"], windows=True)
    assert line == '"C:/Users/Ann Lee/vmem.exe" hook --vault C:/m'
    assert is_ours(words_of(line), "hook")


@pytest.mark.parametrize("name", ["$(calc)", "`calc`", "%PATH%", "a!b", 'a"b'])
def test_on_windows_a_name_that_a_shell_would_carry_out_is_refused(name: str) -> None:
    with pytest.raises(UsageError):
        in_a_line(["vmem.exe", "hook", "--vault", f"C:/{name}"], windows=True)


TOML_KEY = "mcp_servers"
TOML_TEXTS = {
    "nothing": "",
    "settings": '# mine\nmodel = "o"  # this one\n\n[tui]\nnotifications = true\n',
    "no last line break": 'model = "o"',
    "windows": 'model = "o"\r\n[tui]\r\nx = 1\r\n',
    "another server": '[mcp_servers.web]\ncommand = "npx"\nargs = [\n  "a", # one\n  "b]",\n]\n\n# end\n\n',
    "a marked file": '\ufeffmodel = "o"\n',
    "texts of many lines": 'note = """\n[mcp_servers.memory]\n"""\n[[hooks.Stop]]\ncommand = "x"\n',
}


@pytest.mark.parametrize("text", TOML_TEXTS.values(), ids=TOML_TEXTS)
def test_a_table_goes_in_once_and_out_byte_for_byte(text: str) -> None:
    put = with_table(text, TOML_KEY, NAME, entry(WANTED, typed=False), force=False)
    assert put.startswith(text)
    servers = tomllib.loads(put.removeprefix("\ufeff"))[TOML_KEY]
    assert servers[NAME] == entry(WANTED, typed=False)
    assert list(servers_in_toml(put, TOML_KEY)) == [NAME]
    assert with_table(put, TOML_KEY, NAME, entry(WANTED, typed=False), force=False) == put
    moved = with_table(put, TOML_KEY, NAME, entry(OTHER, typed=False), force=False)
    assert tomllib.loads(moved.removeprefix("\ufeff"))[TOML_KEY][NAME] == entry(OTHER, typed=False)
    assert without_table(put, TOML_KEY, NAME, force=False) == text
    assert without_table(moved, TOML_KEY, NAME, force=False) == text


_TOML_LINES = st.sampled_from(
    ["# a remark", "", "  ", "x = 1", 'y = "[z]"', "[tui]", "[mcp_servers.web]", "[[hooks.Stop]]",
     "z = [\n  1, # two\n]", "[mcp_servers.memory-2]", "[a.b]  # c"]
)  # fmt: skip


@given(st.lists(_TOML_LINES, max_size=6), st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_any_toml_keeps_every_byte(parts: list[str], newline: str, ends: bool) -> None:
    text = newline.join(part.replace("\n", newline) for part in parts) + (newline if ends else "")
    try:
        before = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        with pytest.raises(NoTomlError):
            with_table(text, TOML_KEY, NAME, entry(WANTED, typed=False), force=False)
        return
    put = with_table(text, TOML_KEY, NAME, entry(WANTED, typed=False), force=False)
    assert put.startswith(text)
    after = tomllib.loads(put)
    assert after.pop(TOML_KEY) == {**before.pop(TOML_KEY, {}), NAME: entry(WANTED, typed=False)}
    assert after == before
    assert without_table(put, TOML_KEY, NAME, force=False) == text


def test_a_table_in_the_middle_with_a_persons_own_values_keeps_them() -> None:
    text = (
        'a = 1\n\n[mcp_servers.memory]\ncommand = "/old/vmem" # mine\nargs = ["mcp"]\n'
        'startup_timeout_sec = 20\n\n[mcp_servers.memory.env]\nTZ = "UTC"\n\n# of tui\n[tui]\nx = 1\n'
    )
    put = with_table(text, TOML_KEY, NAME, entry(WANTED, typed=False), force=False)
    assert put == text.replace("/old/vmem", WANTED.vmem[0]).replace('["mcp"]', json.dumps(WANTED.server()[1]))
    assert without_table(put, TOML_KEY, NAME, force=False) == "a = 1\n\n# of tui\n[tui]\nx = 1\n"


@pytest.mark.parametrize(
    "text",
    [
        'mcp_servers = { memory = { command = "vmem", args = ["mcp"] } }\n',
        '[mcp_servers]\nmemory = { command = "vmem", args = ["mcp"] }\n',
        'mcp_servers.memory.command = "vmem"\nmcp_servers.memory.args = ["mcp"]\n',
        "mcp_servers = 1\n",
        "mcp_servers = { web = {} }\n",
        "a = \n",
    ],
)
def test_a_table_that_has_no_lines_of_its_own_is_refused(text: str) -> None:
    with pytest.raises(NoTomlError):
        with_table(text, TOML_KEY, NAME, entry(WANTED, typed=False), force=False)


def test_a_table_of_another_program_is_neither_changed_nor_taken_out() -> None:
    text = 'a = 1\n\n[mcp_servers.memory]\ncommand = "npx"\n[tui]\nx = 1\n'
    with pytest.raises(TakenError) as caught:
        with_table(text, TOML_KEY, NAME, entry(WANTED, typed=False), force=False)
    assert caught.value.line == 3
    with pytest.raises(TakenError):
        without_table(text, TOML_KEY, NAME, force=False)
    forced = with_table(text, TOML_KEY, NAME, entry(WANTED, typed=False), force=True)
    assert tomllib.loads(forced) == {
        "a": 1, "tui": {"x": 1}, TOML_KEY: {NAME: entry(WANTED, typed=False)},
    }  # fmt: skip
