"""A person's JSON gets a part and loses it again; every other byte, remark and comma stays."""

from __future__ import annotations

import json
import re
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault_memory.model.editors import jsontext
from vault_memory.model.editors.jsonsplice import (
    says_nothing,
    with_item,
    with_key,
    without_item,
    without_key,
)
from vault_memory.model.editors.jsontext import NoJsonError, Part, read_json

WRITTEN = {
    "plain": '{\n  "a": 1,\n  "b": [1, 2]\n}\n',
    "remarks": '// mine\n{\n\t"a": 1, // one\n\t/* two */ "b": {"c": "x//y"} // last\n\t// the end\n}\n',
    "trailing comma": '{\n    "a": 1,\n    "b": [\n        1,\n    ],\n}',
    "one line": '{"a": 1, "b": 2}',
    "one line, with room": '{ "a": 1 }\n',
    "windows": '{\r\n  "a": "é",\r\n  "b": {\r\n    "c": null\r\n  }\r\n}\r\n',
    "empty": "{}\n",
    "empty with a remark": "{\n  // nothing yet\n}\n",
}


@pytest.mark.parametrize("text", WRITTEN.values(), ids=WRITTEN)
@pytest.mark.parametrize("path", [("new",), ("b", "new"), ("x", "y")])
def test_a_key_goes_in_and_out_and_leaves_all_else(text: str, path: tuple[str, ...]) -> None:
    before = read_json(text).value
    assert isinstance(before, dict)
    if len(path) > 1 and not isinstance(before.get(path[0], {}), dict):
        with pytest.raises(NoJsonError):
            with_key(text, path, {"v": True})
        return
    after = with_key(text, path, {"v": True})
    expected = json.loads(json.dumps(before))
    inner = expected
    for key in path[:-1]:
        inner = inner.setdefault(key, {})
    inner[path[-1]] = {"v": True}
    assert read_json(after).value == expected
    assert with_key(after, path, "other") == after
    assert remarks(after) == remarks(text)
    left = without_key(after, path, {"v": True})
    assert read_json(left).value == before
    assert remarks(left) == remarks(text)
    assert re.sub(r"[\s,]", "", left) == re.sub(r"[\s,]", "", text)
    assert without_key(after, path, "what the person made of it") == after


def remarks(text: str) -> list[str]:
    without_texts = re.sub(r'"(?:[^"\\]|\\.)*"', '""', text)
    return re.findall(r"//[^\r\n]*|/\*.*?\*/", without_texts)


def test_files_of_the_usual_shape_come_back_byte_for_byte() -> None:
    for name in ("plain", "remarks", "trailing comma", "one line", "one line, with room", "windows"):
        text = WRITTEN[name]
        assert without_key(with_key(text, ["new"], 1), ["new"], 1) == text, name


def test_it_looks_as_the_person_writes() -> None:
    assert with_key('{\n\t"a": 1 // one\n}\n', ["b"], {"c": 2}) == (
        '{\n\t"a": 1, // one\n\t"b": {\n\t\t"c": 2\n\t}\n}\n'
    )
    assert with_key("", ["types", "id"], "text") == '{\n  "types": {\n    "id": "text"\n  }\n}\n'


def test_an_item_goes_in_and_out_of_a_list() -> None:
    ours = {"label": "ours"}
    for text in (
        '{\n  "tasks": [\n    {"label": "a"} // mine\n  ]\n}\n',
        '{"tasks": []}',
        '{"other": 1}',
        '{"tasks": [{"label": "a"},]}',
    ):
        after = with_item(text, "tasks", ours, lambda task: task == ours)
        value = read_json(after).value
        assert isinstance(value, dict)
        assert value["tasks"][-1] == ours
        assert with_item(after, "tasks", ours, lambda task: task == ours) == after
        left = read_json(without_item(after, "tasks", ours)).value
        assert left == read_json(text).value or left == {"other": 1, "tasks": []}


@pytest.mark.parametrize(
    "text", ["{", "[1", '{"a" 1}', '{"a": 1 "b": 2}', "{'a': 1}", "{} x", "nul", '{"a": 01}']
)
def test_what_is_no_json_is_left(text: str) -> None:
    with pytest.raises(NoJsonError):
        with_key(text, ["b"], 1)


def test_deep_and_wrong_shapes_are_left() -> None:
    for text in ("[" * 10_000, "[]", '{"a": 1}'):
        with pytest.raises(NoJsonError):
            with_key(text, ["a", "b"], 1)
    with pytest.raises(NoJsonError):
        with_item('{"tasks": {}}', "tasks", 1, bool)


def test_a_file_says_nothing_only_without_values_and_remarks() -> None:
    assert all(map(says_nothing, ('{\n  "types": {}\n}\n', '{"version": "2.0.0", "tasks": []}')))
    assert not any(map(says_nothing, ('{"a": 1}', "{ // mine\n}")))


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)


@given(
    st.dictionaries(st.text(max_size=4), VALUES, max_size=4),
    st.sampled_from([None, 1, 2, "\t"]),
    st.text(min_size=1, max_size=4),
    VALUES,
    st.booleans(),
)
def test_any_object_keeps_what_it_says(
    whole: dict[str, object], indent: int | str | None, key: str, value: object, windows: bool
) -> None:
    text = json.dumps(whole, indent=indent, ensure_ascii=False)
    text = text.replace("\n", "\r\n") if windows else text
    after = with_key(text, [key], value)
    assert (
        read_json(after).value == {**whole, key: whole.get(key, value)}
        if key in whole
        else {**whole, key: value}
    )
    if key not in whole:
        assert read_json(without_key(after, [key], value)).value == whole
    assert partial(json.loads, after)() == read_json(after).value


def test_changes_one_after_the_other_read_each_text_once(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    whole = jsontext._value

    def counted(text: str, at: int, depth: int) -> Part:
        if depth == 0:
            read.append(text)
        return whole(text, at, depth)

    monkeypatch.setattr(jsontext, "_value", counted)
    first = '{"changes one after the other": 0}'
    second = with_key(first, ["a"], 1)
    third = with_key(second, ["b"], 2)
    assert read == [first, second, third]
