"""A made-up vault under measurement: what has it open, one at a time, and how all of that is let go."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from vault_memory.evaluate import probes
from vault_memory.evaluate.floor import Floor
from vault_memory.evaluate.live.resident import Home, Resident
from vault_memory.evaluate.meaning import EMBEDDER
from vault_memory.evaluate.plan import Plan
from vault_memory.evaluate.synthetic import Author
from vault_memory.vault import Progress, Vault

NONE = "none"
"""The embedder by which a vault is searched by keyword only."""


@dataclass(slots=True)
class Scene:
    """One made-up vault of `size` memories; `folder` lies beside it, and holds no settings."""

    root: Path
    folder: Path
    size: int
    author: Author
    plan: Plan
    home: Home
    progress: Progress
    _indexed: bool = False
    _open: ExitStack = field(default_factory=ExitStack)
    _vault: Vault | None = None
    _resident: Resident | None = None
    _floor: Floor | None = None

    @property
    def floor(self) -> Floor:
        """What a durable write takes on this disk."""
        if self._floor is None:
            self._floor = Floor(self.folder / "floor")
        return self._floor

    @property
    def branch(self) -> Path:
        """The file in which git keeps what the branch points to."""
        head = (self.root / ".git" / "HEAD").read_text(encoding="utf-8")
        return self.root / ".git" / head.removeprefix("ref: ").strip()

    def index(self) -> None:
        """Make sure that the vault is indexed, by keyword only."""
        if not self._indexed:
            with Vault.open(self.root, settings=probes.SETTINGS, progress=self.progress) as vault:
                vault.index.refresh()
            self._indexed = True

    def vault(self) -> Vault:
        """The vault, open in this process and asked by keyword only; no resident has it open."""
        if self._vault is None:
            self.let_go()
            self.index()
            self._vault = self._open.enter_context(Vault.open(self.root, settings=probes.SETTINGS))
        return self._vault

    def resident(self) -> Resident:
        """A resident that is asked by keyword only; this process has the vault not open."""
        if self._resident is None:
            self.let_go()
            self.index()
            self._resident = self._started(NONE)
        return self._resident

    def asleep(self, embedder: str = NONE) -> Resident:
        """One that is not started yet; whoever gets it may start it, and it is ended all the same."""
        self.let_go()
        self.index()
        resident = Resident(self.root, self.home.environment(embedder))
        self._open.callback(resident.stop)
        return resident

    @contextmanager
    def by_meaning(self) -> Iterator[Resident]:
        """A resident with the default embedder and all vectors; the index is without them afterwards."""
        self.let_go()
        self.index()
        local, aside = self.root / ".vmem" / "local", self.folder / "keyword-only"
        shutil.copytree(local, aside)
        argv = [sys.executable, "-m", "vault_memory.evaluate.embedding", str(self.root)]
        what = f"making the vectors of {self.size:,} memories"
        made = json.loads(probes.whole(argv, self.folder, what, self.progress))["made"]
        probes.expect(made >= self.size, f"{made} vectors were made of {self.size} memories")
        try:
            yield self._started(EMBEDDER)
        finally:
            self.let_go()
            shutil.rmtree(local)
            aside.rename(local)

    def let_go(self) -> None:
        """Close what has the vault open."""
        self._vault = self._resident = None
        self._open.close()

    def close(self) -> None:
        """Let go of the vault and of the floor."""
        try:
            self.let_go()
        finally:
            if self._floor is not None:
                self._floor.close()

    def _started(self, embedder: str) -> Resident:
        resident = Resident(self.root, self.home.environment(embedder))
        self._open.callback(resident.stop)
        resident.start()
        return resident
