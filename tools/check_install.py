"""Installs the package alone into a fresh environment and holds it to its size: 160 MB, 32 packages."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
import venv
from dataclasses import dataclass
from importlib.metadata import distributions
from pathlib import Path

MOST_BYTES, MOST_PACKAGES = 160_000_000, 32
MB = 1_000_000


@dataclass(frozen=True, slots=True)
class Installed:
    """What an installation came to; `size` is bytes taken on disk, compiled files included."""

    packages: tuple[str, ...]
    size: int


def measure(site: Path) -> Installed:
    """Count the distributions of a site-packages folder, ours too, and the room they take."""
    names = sorted({found.name for found in distributions(path=[str(site)])}, key=str.lower)
    files = (path.lstat() for path in site.rglob("*"))
    return Installed(tuple(names), sum(stat.st_blocks * 512 for stat in files))


def problems(found: Installed) -> list[str]:
    """Where an installation is past a bound, one sentence each."""
    said = []
    if found.size > MOST_BYTES:
        said.append(f"the installation takes {found.size / MB:.0f} MB, more than {MOST_BYTES / MB:.0f}")
    if len(found.packages) > MOST_PACKAGES:
        names = ", ".join(found.packages)
        said.append(
            f"the installation has {len(found.packages)} packages, more than {MOST_PACKAGES}: {names}"
        )
    return said


def install(project: Path, folder: Path) -> Path:
    """Install the project, without extras, into a new environment; its Python."""
    venv.create(folder, with_pip=False)
    python = folder / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", str(python)]
    subprocess.run([*pip, "install", "--quiet", str(project)], check=True)
    subprocess.run([*pip, "check"], check=True)
    return python


def works(python: Path) -> list[str]:
    """Whether the installed package answers away from the checkout, one sentence a fault."""
    probes = {
        "the types marker": [str(python), "-I", "-c", _TYPED],
        "the bundled table": [str(python), "-I", "-c", _TABLE],
        "the notice of its origins": [str(python), "-I", "-c", _NOTICE],
        "the command": [str(python.parent / "vmem"), "--help"],
    }
    said = []
    for what, command in probes.items():
        run = subprocess.run(command, cwd=python.parent, capture_output=True, text=True, check=False)
        if run.returncode:
            said.append(f"{what} of the installed package fails: {run.stderr.strip() or run.stdout.strip()}")
    return said


_TYPED = """
import importlib.resources, sys
sys.exit(not importlib.resources.files("vault_memory").joinpath("py.typed").is_file())
"""

_TABLE = """
import sys
from vault_memory.plugins import embedder
sys.exit(not embedder("bundled", "").query("a text").any())
"""

_NOTICE = """
import importlib.metadata, sys
names = {"NOTICE", "LICENSE", "Apache-2.0.txt", "MIT-multilingual-e5-small.txt"}
found = {file.name for file in importlib.metadata.files("vault-memory") or [] if "licenses" in file.parts}
sys.exit(f"missing: {names - found}" if names - found else 0)
"""


def main() -> int:
    """Install, measure, print; 1 where a bound is passed or the installed package does not work."""
    project = Path(__file__).resolve().parent.parent
    with tempfile.TemporaryDirectory(prefix="vmem-install-") as name:
        begun = time.monotonic()
        python = install(project, Path(name))
        seconds = time.monotonic() - begun
        (site,) = Path(name).glob("lib/python*/site-packages")
        found = measure(site)
        faults = [*problems(found), *works(python)]
    print(f"base install: {found.size / MB:.0f} MB, {len(found.packages)} packages, {seconds:.0f} s")
    for fault in faults:
        print(f"check_install: {fault}", file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
