"""Commands run by somebody who may not read or write everything, whoever runs the tests."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.cases.doors import Ran, sound
from tests.forked import run_vmem
from tests.machine import furnish
from tests.ramdisk import in_memory
from vault_memory.vault import Vault

_NOBODY = 65534


@dataclass(slots=True)
class Nobodys:
    """A home and a vault in it that belong to nobody in particular."""

    home: Path

    @property
    def root(self) -> Path:
        """The vault."""
        return self.home / "memory"

    def write(self, name: str, content: str, *, mode: int = 0o644) -> Path:
        """Put a file into the vault."""
        place = self.root / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(content, encoding="utf-8")
        self.own()
        place.chmod(mode)
        return place

    def own(self) -> None:
        """Give everything in the home to them."""
        if os.geteuid() == 0:
            for place in (self.home, *self.home.rglob("*")):
                os.chown(place, _NOBODY, _NOBODY, follow_symlinks=False)

    def vmem(self, *argv: str) -> Ran:
        """One command line, as them."""
        done = run_vmem(
            ["--vault", str(self.root), *argv],
            stdin=b"",
            environment={
                **os.environ,
                "HOME": str(self.home),
                "GIT_CONFIG_GLOBAL": str(self.home / ".gitconfig"),
                "XDG_CONFIG_HOME": str(self.home / ".config"),
            },
            cwd=self.home,
            user=_NOBODY,
        )
        return sound(Ran(done.returncode, done.stdout.decode(), done.stderr.decode()))

    def several(self, calls: Sequence[Sequence[str]]) -> list[Ran]:
        """Several, one after the other."""
        return [self.vmem(*argv) for argv in calls]


@contextmanager
def nobodys_vault() -> Iterator[Nobodys]:
    """A fresh one, in a place that everybody may reach."""
    home = Path(tempfile.mkdtemp(prefix="vmem-nobody-", dir=in_memory()))
    home.chmod(0o755)
    furnish(home)
    theirs = Nobodys(home)
    Vault.create(theirs.root)
    theirs.own()
    try:
        yield theirs
    finally:
        for place in (home, *home.rglob("*")):
            if place.is_dir() and not place.is_symlink():
                place.chmod(0o755)
        shutil.rmtree(home)
