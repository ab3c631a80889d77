"""However an editor saves: the new text is found once, the old one never, and no memory is ever missing."""

from __future__ import annotations

import os
import subprocess
import threading
import time
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Self

import pytest

from tests.live.scene import SAVES, Save, Scene, eventually, followed
from vault_memory.model.namespace import VaultPath
from vault_memory.vault import Vault


@pytest.fixture
def scene(tmp_path: Path) -> Iterator[Scene]:
    """A followed vault with one memory on herons, and one beside it."""
    root = tmp_path / "memory"
    Vault.create(root)
    (root / "notes").mkdir()
    (root / "notes/a.md").write_text("the heron stands\n", encoding="utf-8")
    (root / "notes/b.md").write_text("the newt sleeps\n", encoding="utf-8")
    with followed(root) as scene:
        yield scene


class Asking:
    """Somebody who asks for the list of memories again and again, meanwhile."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.without: list[list[str]] = []
        self.asked = 0
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._ask)

    def __enter__(self) -> Self:
        self._thread.start()
        while not self.asked:
            time.sleep(0.001)
        return self

    def __exit__(self, *_: object) -> None:
        self._end.set()
        self._thread.join()

    def _ask(self) -> None:
        while not self._end.is_set():
            listed = self.scene.listed()
            if "notes/a.md" not in listed:
                self.without.append(listed)
            self.scene.found("newt")
            self.asked += 1


@pytest.mark.parametrize("save", SAVES.values(), ids=SAVES.keys())
def test_a_save_is_known_to_the_very_next_question(scene: Scene, save: Save) -> None:
    save(scene.root / "notes/a.md", "the kingfisher dives\n")
    assert scene.found("kingfisher") == ["notes/a.md"]
    assert scene.found("heron") == []
    scene.check_against_a_rebuild()


@pytest.mark.parametrize("save", SAVES.values(), ids=SAVES.keys())
def test_no_moment_of_a_save_shows_the_memory_as_deleted(scene: Scene, save: Save) -> None:
    with Asking(scene) as asking:
        number = 0
        while number < 3 or asking.asked < 12:
            number += 1
            save(scene.root / "notes/a.md", f"the kingfisher dives, for the {number}th time\n")
    scene.rest()
    assert asking.without == []
    assert {touch for touch, _ in scene.touched()} == {"changed"}
    assert scene.found("kingfisher") == ["notes/a.md"]
    scene.check_against_a_rebuild()


@pytest.mark.parametrize("save", SAVES.values(), ids=SAVES.keys())
def test_nobody_asks_and_it_is_indexed_all_the_same(scene: Scene, save: Save) -> None:
    index = scene.opened.ports.index
    save(scene.root / "notes/a.md", "the kingfisher dives\n")
    eventually(lambda: "kingfisher" in index.passages_of(VaultPath("notes/a.md"))[0].passage.text)
    eventually(lambda: {path for _, path in scene.touched()} == {"notes/a.md"})


def test_touching_a_file_gives_nothing(scene: Scene) -> None:
    generation = scene.opened.ports.index.generation
    for _ in range(3):
        os.utime(scene.root / "notes/a.md")
        scene.rest()
    (scene.root / "notes/a.md").chmod(0o600)
    scene.rest()
    assert scene.opened.ports.index.generation == generation
    assert scene.told == []


def test_a_file_moved_out_is_gone_and_one_moved_in_is_there(scene: Scene, tmp_path: Path) -> None:
    (scene.root / "notes/a.md").rename(tmp_path / "a.md")
    assert scene.listed() == ["notes/b.md"]
    (tmp_path / "a.md").rename(scene.root / "again.md")
    assert scene.listed() == ["again.md", "notes/b.md"]
    assert scene.touched() == [("removed", "notes/a.md"), ("added", "again.md")]


def test_a_name_that_changes_only_in_case_is_followed(scene: Scene) -> None:
    (scene.root / "notes/a.md").rename(scene.root / "notes/A.md")
    assert scene.listed() == ["notes/A.md", "notes/b.md"]
    (scene.root / "notes").rename(scene.root / "Notes")
    assert scene.listed() == ["Notes/A.md", "Notes/b.md"]
    scene.check_against_a_rebuild()


def test_a_name_that_changes_only_in_its_unicode_form_is_followed(scene: Scene) -> None:
    names = [f"notes/{unicodedata.normalize(form, 'Café Größe 重启')}.md" for form in ("NFC", "NFD")]
    assert names[0] != names[1]
    scene.write(names[0], "an owl in the café\n")
    assert scene.found("owl") == [names[0]]
    (scene.root / names[0]).rename(scene.root / names[1])
    assert scene.found("owl") == [names[1]]
    scene.check_against_a_rebuild()


def test_new_folders_within_new_folders_are_followed_at_once(scene: Scene) -> None:
    scene.write("x/y/z/deep.md", "an owl, deep down\n")
    assert scene.found("owl") == ["x/y/z/deep.md"]
    scene.write("x/y/z/deep.md", "an eagle, deep down\n")
    assert scene.found("eagle") == ["x/y/z/deep.md"]
    scene.write("x/y/other.md", "an owl, not so deep\n")
    assert scene.found("owl") == ["x/y/other.md"]
    subprocess.run(["cp", "-r", str(scene.root / "x"), str(scene.root / "copy")], check=True)
    assert set(scene.found("owl")) == {"copy/y/other.md", "x/y/other.md"}
    subprocess.run(["rm", "-r", str(scene.root / "x")], check=True)
    assert scene.found("owl") == ["copy/y/other.md"]
    scene.check_against_a_rebuild()


def test_a_folder_of_500_notes_that_is_renamed_keeps_its_ids(scene: Scene) -> None:
    ids = {f"01M8N98J{number:018}" for number in range(500)}
    for one in ids:
        scene.write(f"big/{one}.md", f'---\nid: "{one}"\n---\nnote {one}\n')
    scene.rest()
    (scene.root / "big").rename(scene.root / "bigger")
    listed = {entry.path: entry.id for entry in scene.vault.person.list()}
    assert {path for path in listed if path.startswith("big")} == {f"bigger/{one}.md" for one in ids}
    assert ids <= set(listed.values())
    scene.write("bigger/new.md", "an owl in the renamed folder\n")
    assert scene.found("owl") == ["bigger/new.md"]
    scene.check_against_a_rebuild()


def test_a_link_in_the_place_of_a_note_is_no_second_memory(scene: Scene) -> None:
    (scene.root / "notes/alias.md").symlink_to("b.md")
    scene.rest()
    (scene.root / "notes/a.md").unlink()
    (scene.root / "notes/a.md").symlink_to("b.md")
    assert scene.listed() == ["notes/b.md"]
    scene.check_against_a_rebuild()


def test_an_editor_that_saves_by_itself_every_second_is_followed(scene: Scene) -> None:
    with (scene.root / "notes/a.md").open("a", encoding="utf-8") as file:
        for number in range(40):
            file.write(f"line {number} of the plover\n")
            file.flush()
            time.sleep(0.05)
        # It never was quiet for long, and never closed.
        assert scene.told, "only silence was waited for"
    assert scene.found("plover") == ["notes/a.md"]
    scene.check_against_a_rebuild()
