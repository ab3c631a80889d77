"""Titles in any script, and names that look alike: every memory is kept, shown as typed, and found."""

from __future__ import annotations

import unicodedata
from pathlib import Path
from typing import Literal

import pytest

from tests.cases.doors import Case, Door, Python
from tests.cases.test_hostile_names import safe_everywhere
from tests.gitrun import Git

TITLES = (
    "🚀", "🎯", "", "   ", "???", "設定", "Настройки", "ที่อยู่", "Café", "Cafe", "C", "C++", "C#", "A B", "A-B",
    "a b",
)  # fmt: skip
NAMES = {
    "設定": "設定.md", "Настройки": "настройки.md", "ที่อยู่": "ที่อยู่.md", "Café": "café.md", "Cafe": "cafe.md",
    "C": "c.md", "C++": "c-2.md", "C#": "c-3.md", "A B": "a-b.md", "A-B": "a-b-2.md", "a b": "a-b-3.md",
}  # fmt: skip


def test_sixteen_awkward_titles_are_sixteen_memories(door: Door, case: Case, git: Git) -> None:
    paths: dict[int, str] = {}
    for number, title in enumerate(TITLES):
        written = door.remember(f"Text number {number}", title=title, namespace="ops").value
        assert written["title"] == (title if title.strip() else f"Text number {number}")
        assert written["path"].removeprefix("shared/ops/") == NAMES.get(title, Path(written["path"]).name)
        assert safe_everywhere(written["path"])
        paths[number] = written["path"]
    assert len(set(paths.values())) == len(case.files()) == 16
    for number, path in paths.items():
        assert door.show(path).value["text"] == f"Text number {number}\n"
    assert sorted(one["title"] for one in door.list().value) == sorted(
        title if title.strip() else f"Text number {number}" for number, title in enumerate(TITLES)
    )
    assert git(case.root, "rev-list", "--count", "HEAD") == "16"


def test_the_names_are_the_same_when_it_is_done_again(door: Door, case: Case) -> None:
    for namespace in ("a", "b"):
        written = [
            door.remember(f"Text {number}", title=title, namespace=namespace).value
            for number, title in enumerate(NAMES)
        ]
        assert [Path(one["path"]).name for one in written] == list(NAMES.values())


def test_a_folder_goes_on_in_month_folders_and_its_namespace_stays_whole(case: Case, git: Git) -> None:
    door = Python(case)
    with door._open() as vault:
        vault.person.remember_many(
            [{"text": f"Text {number}", "title": "Same", "namespace": "many"} for number in range(1_100)]
        )
    folders: dict[str, int] = {}
    for path in case.files():
        folders[str(Path(path).parent)] = folders.get(str(Path(path).parent), 0) + 1
    assert folders == {"shared/many": 500, "shared/many/2026-03": 500, "shared/many/2026-03-2": 100}
    assert len(door.list(namespace="many").value) == 1_100
    again = door.remember("text 1050", namespace="many").value  # known in whichever folder it lies
    assert again["known"]
    assert again["path"].startswith("shared/many/2026-03-2/")
    assert git(case.root, "rev-list", "--count", "HEAD") == "1100"
    assert git(case.root, "status", "--porcelain") == "?? .obsidian/\n?? .vmem/"


Form = Literal["NFC", "NFD"]
FORMS: tuple[Form, Form] = ("NFC", "NFD")
NFC, NFD = (unicodedata.normalize(form, "Café.md") for form in FORMS)
SUPPORTS_TWINS = pytest.mark.skipif(
    (Path(__file__).parent / Path(__file__).name.upper()).exists(), reason="this disk ignores case and form"
)


@SUPPORTS_TWINS
def test_two_files_that_differ_only_in_form_or_case_are_both_there(door: Door, case: Case) -> None:
    texts = {NFC: "heron of one", NFD: "heron of another", "Note.md": "heron big", "note.md": "heron small"}
    for name, text in texts.items():
        case.write(name, f"{text}\n")
    assert {one["path"] for one in door.list().value} == set(texts)
    assert {hit["path"] for hit in door.search("heron", limit=20).value["hits"]} == set(texts)
    for name, text in texts.items():
        assert door.show(name).value["text"] == f"{text}\n"
    assert door.edit("note.md", importance=0.9).value["path"] == "note.md"
    assert door.forget(NFD).value["path"] == NFD
    assert set(case.files()) == {NFC, "Note.md", "note.md"}
    assert case.files()["Note.md"] == b"heron big\n"


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("asked", ["café", "cafe", "Café", unicodedata.normalize("NFD", "café")])
def test_either_form_finds_either_form(door: Door, case: Case, form: Form, asked: str) -> None:
    text, name = (unicodedata.normalize(form, one) for one in ("the café is shut", "Größe 🚀.md"))
    case.write(name, f"{text}\n")
    case.write("harbour.md", "---\ntitle: Harbour\n---\nnothing of the kind\n")
    assert [hit["path"] for hit in door.search(asked).value["hits"]] == [name]
    for spelled in FORMS:
        assert door.show(unicodedata.normalize(spelled, name)).value["path"] == name


def test_a_rename_in_case_or_form_alone_keeps_one_memory_with_its_id_and_history(
    door: Door, case: Case, git: Git
) -> None:
    written = door.remember("heron by the lake", title="Café", namespace="x").value
    path, nfd = written["path"], unicodedata.normalize("NFD", written["path"])
    for before, after in ((path, nfd), (nfd, path.replace("café", "CAFÉ"))):
        git(case.root, "mv", before, after)
        git(case.root, "commit", "--quiet", "--message=rename")
        [entry] = door.list().value
        assert (entry["path"], entry["id"]) == (after, written["id"])
        assert door.edit(written["id"], importance=0.4 if after == nfd else 0.6).value["path"] == after
        assert git(case.root, "-c", "core.quotePath=false", "show", "--name-only", "--format=") == after
        subjects = [one["subject"] for one in door.log(written["id"]).value]
        assert subjects[0] == "edit: Café"
        assert subjects[-1] == "remember: Café"
    assert len(case.files()) == 1
    assert door.status().value["uncommitted"] == []
