"""Whatever somebody does to the files, and however fast: at rest the index is what a rebuild would make."""

from __future__ import annotations

import random
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.live.scene import SAVES, Scene, followed
from vault_memory.errors import VmemError
from vault_memory.vault import Vault

NAMES = ("a.md", "B.md", "größe.md", "重启.md", "c.markdown", "x.txt", ".hidden.md", "~$a.md")
FOLDERS = ("", "notes", "notes/deep", "notes/deep/er", "shared/market", "private/akashi", "out", "Notes")
WORDS = ("heron", "owl", "newt", "plover", "kingfisher")


class Chaos:
    """Does one thing after another to a vault, by a seed."""

    def __init__(self, scene: Scene, seed: int) -> None:
        self.scene, self.chance = scene, random.Random(seed)
        self.acts: list[Callable[[], object]] = [
            self.write, self.write, self.write, self.save, self.save, self.delete, self.rename,
            self.rename_folder, self.remove_folder, self.copy_folder, self.link, self.rules, self.touch,
            self.remember, self.ask, self.pause, self.rewrite_at_once,
        ]  # fmt: skip

    def step(self) -> None:
        self.chance.choice(self.acts)()

    def place(self) -> Path:
        folder = self.scene.root / self.chance.choice(FOLDERS)
        return folder / self.chance.choice(NAMES)

    def text(self) -> str:
        return f"the {self.chance.choice(WORDS)} and number {self.chance.randrange(1000)}\n"

    def some(self, *, folders: bool) -> Path | None:
        found = sorted(
            path
            for path in self.scene.root.rglob("*")
            if not {".git", ".vmem"} & set(path.parts) and path.is_dir() == folders and not path.is_symlink()
        )
        return self.chance.choice(found) if found else None

    def write(self) -> None:
        place = self.place()
        place.parent.mkdir(parents=True, exist_ok=True)
        if not place.is_symlink():
            place.write_text(self.text(), encoding="utf-8")

    def save(self) -> None:
        place = self.some(folders=False)
        name = self.chance.choice(
            [one for one in SAVES if one not in ("truncated_first", "moved_in", "copied_over")]
        )
        if place is not None:
            SAVES[name](place, self.text())

    def rewrite_at_once(self) -> None:
        """The same size, again and again, within the clock's tick."""
        place = self.some(folders=False)
        if place is not None:
            for _ in range(5):
                place.write_text(f"{self.chance.choice(WORDS)[:4]} of four\n", encoding="utf-8")

    def delete(self) -> None:
        place = self.some(folders=False)
        if place is not None:
            place.unlink()

    def rename(self) -> None:
        place, to = self.some(folders=False), self.place()
        if place is not None and not to.is_dir():
            to.parent.mkdir(parents=True, exist_ok=True)
            place.replace(to)

    def rename_folder(self) -> None:
        place, to = self.some(folders=True), self.scene.root / f"folder {self.chance.randrange(4)}"
        if place is not None and not to.exists():
            place.rename(to)

    def remove_folder(self) -> None:
        place = self.some(folders=True)
        if place is not None and self.chance.random() < 0.5:
            shutil.rmtree(place)

    def copy_folder(self) -> None:
        place, to = self.some(folders=True), self.scene.root / f"copy {self.chance.randrange(4)}"
        if place is not None and not to.exists() and to not in place.parents:
            shutil.copytree(place, to, symlinks=True)

    def link(self) -> None:
        place, to = self.place(), self.some(folders=False)
        if to is not None and not place.exists() and not place.is_symlink():
            place.parent.mkdir(parents=True, exist_ok=True)
            place.symlink_to(to)

    def rules(self) -> None:
        lines = self.chance.sample(["out/", "notes/deep/", "copy*/", "Notes"], k=self.chance.randrange(3))
        (self.scene.root / ".gitignore").write_text("\n".join(lines), encoding="utf-8")

    def touch(self) -> None:
        place = self.some(folders=False)
        if place is not None:
            place.touch()

    def remember(self) -> None:
        try:
            self.scene.vault.agent("akashi").remember(self.text(), namespace="market")
        except VmemError as error:
            # Somebody moves the folders about in the same moment.
            assert error.exit_code in (74, 75), error  # noqa: PT017 - which of them is chance

    def ask(self) -> None:
        self.scene.found(self.chance.choice(WORDS))

    def pause(self) -> None:
        time.sleep(self.chance.choice([0.0, 0.01, 0.1]))


@pytest.mark.parametrize("seed", range(4))
def test_at_rest_the_index_is_what_a_rebuild_makes(tmp_path: Path, seed: int) -> None:
    root = tmp_path / "memory"
    Vault.create(root)
    with followed(root) as scene:
        chaos = Chaos(scene, seed)
        for _ in range(3):
            for _ in range(80):
                chaos.step()
            scene.check_against_a_rebuild()
