"""Commands run by somebody who may not read or write everything, whoever runs the tests."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.cases.doors import REPOSITORY, Ran, sound
from tests.machine import furnish
from vault_memory.vault import Vault

_NOBODY = 65534

_SCRIPT = """
import codecs, contextlib, importlib, io, json, os, pkgutil, sys
import apsw, frontmatter, git, numpy, pygit2, regex, rich.console, rich.table, Stemmer, yaml, zoneinfo
import vault_memory
for found in pkgutil.walk_packages(vault_memory.__path__, "vault_memory."):
    if ".__main__" not in found.name:
        importlib.import_module(found.name)  # whoever we become may not read the modules
from vault_memory.surfaces.cli.app import main
for codec in ("utf-8-sig", "utf-16", "utf-16-le", "utf-32", "latin-1", "ascii", "idna"):
    codecs.lookup(codec)
if os.geteuid() == 0:
    os.setgroups([])
    os.setgid({nobody})
    os.setuid({nobody})
told = []
real = sys.stdout
for argv in json.loads(sys.argv[1]):
    streams = [io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2)]
    with contextlib.redirect_stdout(streams[0]), contextlib.redirect_stderr(streams[1]):
        code = main(argv)
    for stream in streams:
        stream.flush()
    told.append([code, *(stream.buffer.getvalue().decode() for stream in streams)])
json.dump(told, real)
"""


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
        return self.several([argv])[0]

    def several(self, calls: Sequence[Sequence[str]]) -> list[Ran]:
        """Several, one after the other, in one process."""
        given = [["--vault", str(self.root), *argv] for argv in calls]
        done = subprocess.run(
            [sys.executable, "-c", _SCRIPT.format(nobody=_NOBODY), json.dumps(given)],
            capture_output=True,
            encoding="utf-8",
            cwd=self.home,
            env={
                **os.environ,
                "PYTHONPATH": str(REPOSITORY),
                "HOME": str(self.home),
                "GIT_CONFIG_GLOBAL": str(self.home / ".gitconfig"),
                "XDG_CONFIG_HOME": str(self.home / ".config"),
            },
            timeout=60,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return [sound(Ran(*told)) for told in json.loads(done.stdout)]


@contextmanager
def nobodys_vault() -> Iterator[Nobodys]:
    """A fresh one, in a place that everybody may reach."""
    home = Path(tempfile.mkdtemp(prefix="vmem-nobody-"))
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
