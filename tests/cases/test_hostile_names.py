"""No title, namespace, id, agent or front matter leads out of the vault or into what is not memory."""

from __future__ import annotations

import os
import re
import subprocess
import unicodedata
from pathlib import Path

import pytest

from tests.cases.doors import Case, Door, Python
from tests.cases.hostile import NAMES
from tests.gitrun import Git

REFUSED_TITLES = {"escape", "zero byte"}
"""Titles with control characters; all others are kept as typed, on one line."""

NAMESPACES = {
    "absolute": "shared/etc/cron.d/x",
    "slash": "shared/a/b",
    "command": "shared/$(touch pwn)",
    "tilde": "shared/~/x",
    "brackets": None,
    "quotes": "shared/'; DROP TABLE memories; --",
    "spaces around": "shared/x",
    "others' folder": None,
}
"""Where the memory lies for those that are a folder; `None` and all others are refused."""

_FORBIDDEN = re.compile(r'[\x00-\x1f<>:"|?*\\]')
_DEVICE = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\.|$)", re.IGNORECASE)


def safe_everywhere(path: str) -> bool:
    """Whether every name of the path can be a file on any system, Windows included."""
    return all(
        name == unicodedata.normalize("NFC", name)
        and not _FORBIDDEN.search(name)
        and not _DEVICE.match(name)
        and not name.startswith((".", "-", " "))
        and not name.endswith((".", " "))
        and len(name.encode()) <= 255
        for name in path.split("/")
    )


@pytest.mark.parametrize(("kind", "title"), NAMES.items(), ids=NAMES)
def test_a_title_is_shown_as_typed_and_its_file_has_a_safe_name(
    door: Door, case: Case, git: Git, kind: str, title: str
) -> None:
    said = door.remember(f"The text of {kind}", title=title, namespace="titles")
    if kind in REFUSED_TITLES:
        assert said.code == 65
        assert case.files() == {}
        return
    written = said.value
    shown_as = " ".join(title.split())
    assert written["title"] == shown_as
    assert written["path"].startswith("shared/titles/")
    assert written["path"].count("/") == 2
    assert safe_everywhere(written["path"])
    assert list(case.files()) == [written["path"]]
    assert git(case.root, "-c", "core.quotePath=false", "show", "--name-only", "--format=") == written["path"]
    assert door.list().value[0]["title"] == shown_as
    assert door.show(shown_as).value["text"] == f"The text of {kind}\n"
    listed = case.vmem("list").out
    assert "\x1b" not in listed
    assert len(listed.splitlines()) == 2
    subject = git(case.root, "log", "-1", "--format=%(trailers:key=Vmem-Op,valueonly)").strip()
    assert subject == "remember"


def test_names_that_fold_to_one_are_all_kept(door: Door, case: Case) -> None:
    texts = {kind: f"The text of {kind}" for kind in NAMES if kind not in REFUSED_TITLES}
    for kind, text in texts.items():
        assert door.remember(text, title=NAMES[kind], namespace="titles").code == 0
    entries = door.list(namespace="shared/titles").value
    assert len(entries) == len(texts) == len(case.files())
    assert {door.show(entry["path"]).value["text"].strip() for entry in entries} == set(texts.values())


@pytest.mark.parametrize(("kind", "namespace"), NAMES.items(), ids=NAMES)
def test_a_namespace_is_a_folder_of_the_vault_or_refused(
    door: Door, case: Case, kind: str, namespace: str
) -> None:
    said = door.remember(f"The text of {kind}", agent="akashi", namespace=namespace, title="T")
    place = NAMESPACES.get(kind)
    if place is None:
        assert said.code == (77 if kind == "others' folder" else 65)
        assert said.error
        assert len(said.error) < 500
        assert case.files() == {}
        assert sorted(one.name for one in case.root.iterdir()) == [".git", ".obsidian", ".vmem"]
        return
    assert list(case.files()) == [said.value["path"]] == [f"{place}/t.md"]
    assert safe_everywhere(said.value["path"])
    assert [one["path"] for one in door.list(namespace=place).value] == [f"{place}/t.md"]


@pytest.mark.parametrize(("kind", "namespace"), NAMES.items(), ids=NAMES)
def test_reading_below_a_hostile_namespace_gives_nothing_from_elsewhere(
    door: Door, case: Case, kind: str, namespace: str
) -> None:
    case.write("private/mira/secret.md", "persimmon of mira\n")
    case.write("notes/open.md", "persimmon in the open\n")
    for said in (
        door.list(agent="akashi", namespace=namespace),
        door.search("persimmon", agent="akashi", namespace=namespace),
        door.recall("persimmon", agent="akashi", namespace=namespace),
    ):
        assert said.code in (0, 65)
        assert "persimmon of mira" not in str(said)
        assert "persimmon in the open" not in str(said)
        assert "outside the vault" not in str(said)


@pytest.mark.parametrize(("kind", "ref"), NAMES.items(), ids=NAMES)
def test_a_hostile_reference_names_no_memory_and_touches_nothing(
    door: Door, case: Case, git: Git, kind: str, ref: str
) -> None:
    case.write("private/mira/secret.md", "persimmon of mira\n")
    case.write("notes/open.md", "persimmon in the open\n")
    git(case.root, "add", "notes", "private")
    git(case.root, "commit", "--quiet", "-m", "mine")
    head, files = git(case.root, "rev-parse", "HEAD"), case.files()
    for said in (
        door.show(ref, agent="akashi"),
        door.edit(ref, agent="akashi", importance=0.9),
        door.forget(ref, agent="akashi"),
        door.restore(ref, agent="akashi"),
        door.log(ref, agent="akashi"),
    ):
        assert said.code == 3, said
        assert "persimmon" not in str(said)
    assert git(case.root, "rev-parse", "HEAD") == head
    assert case.files() == files


PLACES_OUTSIDE = (
    "../outside.md",
    "../beside/note.md",
    "{tmp}/outside.md",
    "./../outside",
    "a/../../outside.md",
)


@pytest.mark.parametrize("place", PLACES_OUTSIDE)
def test_a_path_to_a_file_that_is_there_but_outside_names_no_memory(
    door: Door, case: Case, tmp_path: Path, place: str
) -> None:
    ref = place.format(tmp=tmp_path)
    for said in (door.show(ref), door.edit(ref, importance=0.9), door.forget(ref), door.restore(ref)):
        assert said.code == 3
        assert "persimmon" not in str(said)


@pytest.mark.parametrize("inside", [".git/config.md", ".obsidian/note.md", ".vmem/note.md", ".trash/note.md"])
def test_markdown_in_hidden_folders_is_no_memory_through_any_name(
    door: Door, case: Case, inside: str
) -> None:
    place = case.root / inside
    place.parent.mkdir(exist_ok=True)
    if ".obsidian" not in inside:
        place.write_text("hidden persimmon\n", encoding="utf-8")
    assert door.list().value == []
    assert door.search("hidden persimmon").value["hits"] == []
    for ref in (inside, f"./{inside}", inside.removesuffix(".md")):
        assert door.show(ref).code == door.edit(ref, importance=0.1).code == door.forget(ref).code == 3


@pytest.mark.parametrize(("kind", "name"), NAMES.items(), ids=NAMES)
def test_an_agent_has_a_plain_name_or_none(door: Door, case: Case, kind: str, name: str) -> None:
    for said in (door.remember("text", agent=name), door.list(agent=name), door.recall("text", agent=name)):
        assert said.code == 65
        assert len(said.error) < 500
    assert case.files() == {}


@pytest.mark.parametrize(
    "name", ["Akashi", "akashi/../mira", "akashi.", "a..b", "", " ", "x" * 64, "аkashi", "plan.md"]
)
def test_a_name_that_only_looks_like_an_agents_is_refused(door: Door, case: Case, name: str) -> None:
    assert door.remember("text", agent=name).code == 65
    assert case.files() == {}


FRONT = ("id", "title", "source_agent", "date", "created", "namespace", "path", "aliases", "links", "kind")


@pytest.mark.parametrize(("kind", "value"), NAMES.items(), ids=NAMES)
def test_front_matter_never_says_where_a_file_is(
    door: Door, case: Case, git: Git, kind: str, value: str
) -> None:
    quoted = "".join(f"\\x{ord(one):02X}" if one < " " or one in '"\\' else one for one in value)
    lines = [f'{key}: "{quoted}"' for key in FRONT]
    content = "\n".join(["---", *lines, "---", "persimmon in the open", ""])
    place = case.write("notes/open.md", content)
    [entry] = door.list().value
    assert entry["path"] == "notes/open.md"
    assert "\x1b" not in case.vmem("list").out + case.vmem("search", "persimmon").out
    recalled = door.recall("persimmon").value["text"]
    assert recalled.count("notes/open.md#L") == 1
    assert "\x1b" not in recalled
    edited = door.edit("notes/open.md", importance=0.9)
    assert edited.code == 0, edited
    assert place.read_text(encoding="utf-8") == content.replace("---\npers", "importance: 0.9\n---\npers")
    trailers = git(case.root, "log", "-1", "--format=%(trailers:key=Vmem-Op,valueonly)").split()
    assert trailers == ["edit"]
    assert git(case.root, "show", "--name-only", "--format=") == "notes/open.md"
    assert door.forget("notes/open.md").code == 0
    assert not place.exists()
    assert door.restore("notes/open.md").code == 0
    assert list(case.files()) == ["notes/open.md"]
    assert case.vmem("log").code == 0


def test_an_id_of_ones_own_is_shown_whole_and_its_memory_comes_back_by_it(door: Door, case: Case) -> None:
    case.write("notes/rule.md", "---\nid: nvda-rsi-rule-2026\n---\npersimmon\n")
    assert "nvda-rsi-rule-2026" in case.vmem("list").out
    assert "nvda-rsi-rule-2026" in door.recall("persimmon").value["text"]
    assert door.edit("nvda-rsi-rule-2026", importance=0.9).code == 0
    assert door.forget("nvda-rsi-rule-2026").code == 0
    assert door.log("nvda-rsi-rule-2026").code == 0
    assert door.restore("nvda-rsi-rule-2026").value["path"] == "notes/rule.md"


def test_files_of_awkward_names_are_committed_alone(door: Door, case: Case, git: Git) -> None:
    names = [
        "--force.md",
        "-rf.md",
        "[a].md",
        "a.md",
        ":(exclude)x.md",
        "*.md",
        "$(touch pwn).md",
        "a b.md",
        "ü.md",
    ]
    for name in names:
        case.write(name, f"persimmon of {name}\n")
    for name in names:
        before = {one: content for one, content in case.files().items() if one != name}
        assert door.edit(name, importance=0.9).code == 0
        assert git(case.root, "-c", "core.quotePath=false", "show", "--name-only", "--format=") == name
        assert {one: content for one, content in case.files().items() if one != name} == before
    assert not (case.root / "pwn").exists()


def test_a_real_process_takes_hostile_names_as_plain_text(case: Case) -> None:
    ran = case.process("remember", "--title=$(touch pwn)", "-n", "ops", "--", "--force `touch pwn`; rm -rf /")
    assert ran.code == 0
    [(path, content)] = case.files().items()
    assert path == "shared/ops/touch-pwn.md"
    assert b'title: "$(touch pwn)"' in content or b"title: $(touch pwn)" in content
    assert content.endswith(b"---\n--force `touch pwn`; rm -rf /\n")
    assert not list(case.root.parent.rglob("pwn"))


LONG = {
    "1,500 levels": "/".join("x" for _ in range(1_500)),
    "5,000 bytes": "/".join("y" * 250 for _ in range(20)),
    "256 bytes in one name": "z" * 256,
    "17 levels": "/".join("x" for _ in range(17)),
}


@pytest.mark.parametrize("namespace", LONG.values(), ids=LONG)
def test_a_namespace_beyond_what_systems_take_is_refused_and_stops_nothing(
    door: Door, case: Case, namespace: str
) -> None:
    refused = door.remember("text", namespace=namespace)
    assert refused.code == 65
    assert len(refused.error) < 500
    assert door.list(namespace=namespace).code in (0, 65)
    assert door.show(f"{namespace}/x.md").code == 3
    assert case.files() == {}
    assert door.remember("text", namespace="/".join("a" * 7 for _ in range(8))).code == 0


def test_a_note_deeper_than_any_stack_is_a_memory_like_any_other(case: Case, git: Git) -> None:
    folder = "/".join("d" for _ in range(1_100))
    path = f"{folder}/deep.md"
    subprocess.run(["mkdir", "-p", folder], cwd=case.root, check=True)
    place = f"{case.root}/{path}"
    with open(place, "w", encoding="utf-8") as file:  # noqa: PTH123 - pathlib goes down by recursion
        file.write("persimmon deep\n")
    door = Python(case)  # once: each of its commits writes a thousand trees
    assert [hit["path"] for hit in door.search("persimmon").value["hits"]] == [path]
    assert door.edit(path, importance=0.9).value["committed"] == git(case.root, "rev-parse", "HEAD")
    with open(place, encoding="utf-8") as file:  # noqa: PTH123 - as above
        assert file.read() == "---\nimportance: 0.9\n---\npersimmon deep\n"
    subprocess.run(["rm", "-rf", "d"], cwd=case.root, check=True)


def test_folders_deeper_than_a_path_can_be_long_are_named_and_stop_nobody(door: Door, case: Case) -> None:
    case.write("n.md", "persimmon\n")
    deep = os.open(case.root, os.O_RDONLY)
    for _ in range(25):
        os.mkdir("q" * 200, dir_fd=deep)
        below = os.open("q" * 200, os.O_RDONLY, dir_fd=deep)
        os.close(deep)
        deep = below
    os.close(deep)
    assert [hit["path"] for hit in door.search("persimmon").value["hits"]] == ["n.md"]
    assert door.remember("new", namespace="ops").code == 0
    assert "its path is too long" in case.vmem("doctor").out
    subprocess.run(["rm", "-rf", "q" * 200], cwd=case.root, check=True)
