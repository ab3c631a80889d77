"""What a folder with an ONNX model holds: graph and tokenizer, how it pools, how much it reads at once."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from vault_memory.adapters.embedders.folders import FoundModel, Sought, find_model
from vault_memory.adapters.embedders.manifest import feed, own_prompts
from vault_memory.adapters.embedders.prompts import Prompts, prompts_for
from vault_memory.errors import EmbedderUnavailableError

GRAPHS = ("model.onnx", "onnx/model.onnx")
"""The whole model comes first, at full precision: its vectors are the same on every machine."""

_SMALLER = ("quantized", "int8", "uint8", "q8", "fp16", "q4")
"""What names of smaller forms hold, best first; one is taken where no whole model is there."""

_LONGEST = 512
"""Tokens at once, at most: the cost grows with the square of them, and passages are shorter."""

_ENDLESS = 1_000_000
_BEFORE_THE_FIRST = frozenset({"roberta", "xlm-roberta", "camembert", "mpnet"})
"""Kinds of model that count their positions from the one after the padding's."""

_FIRST_TOKEN = re.compile(r"\b(bge|mxbai|arctic)\b")
"""Families whose vector is that of the first token, where no pooling is written beside the model."""

_POOLINGS = {
    "cls": "cls",
    "cls_token": "cls",
    "mean": "mean",
    "mean_tokens": "mean",
    "max": "max",
    "max_tokens": "max",
    "lasttoken": "lasttoken",
}
"""Names of ways to pool, of old and of new; only one of them at a time."""


@dataclass(frozen=True, slots=True)
class OnnxModel:
    """One model's files and what they say. `pooling` is `cls`, `mean`, `max` or `lasttoken`."""

    graph: Path
    tokenizer: Path
    longest: int
    pooling: str
    width: int | None
    has_more_layers: bool
    """Whether layers follow the pooling, which a graph of the tokens' vectors does not hold."""


def find_onnx(model: str) -> FoundModel:
    """A model by its folder, by one `.onnx` file of it, or by name; raises `EmbedderUnavailableError`."""
    return find_model(model, Sought(holds_onnx, WANTS, "vmem embedder fetch --onnx"))


WANTS = "a .onnx file, in it or in its folder onnx, and tokenizer.json"


def holds_onnx(folder: Path) -> bool:
    """Whether a graph and a tokenizer are there."""
    graph = find_graph(folder)
    return graph is not None and _tokenizer(folder, graph) is not None


def find_graph(folder: Path) -> Path | None:
    """The graph to run: `folder` itself where it is one, the whole model, the only one, or a smaller form."""
    if folder.suffix == ".onnx":
        return folder if folder.is_file() else None
    for name in GRAPHS:
        if (folder / name).is_file():
            return folder / name
    for place in (folder, folder / "onnx"):
        graphs = sorted(place.glob("*.onnx")) if place.is_dir() else []
        if len(graphs) == 1:
            return graphs[0]
        for word in _SMALLER:
            found = [graph for graph in graphs if word in graph.stem]
            if found:
                return found[0]
    return None


def read_onnx(place: Path) -> OnnxModel:
    """What the files of a model say. Raises `EmbedderUnavailableError` where one is missing."""
    graph = find_graph(place)
    tokenizer = _tokenizer(place, graph) if graph is not None else None
    if graph is None or tokenizer is None:
        raise EmbedderUnavailableError(f"{place} holds no whole ONNX model", hint=f"it needs {WANTS}")
    root = tokenizer.parent
    config = _table(root / "config.json")
    pooling = _table(root / "1_Pooling" / "config.json")
    width, has_more_layers = config.get("hidden_size"), (root / "2_Dense").is_dir()
    return OnnxModel(
        graph=graph,
        tokenizer=tokenizer,
        longest=_longest(root, config),
        pooling=_pooling(pooling, f"{root.name} {config.get('_name_or_path', '')}"),
        width=width if isinstance(width, int) and not has_more_layers else None,
        has_more_layers=has_more_layers,
    )


def onnx_fingerprint(place: Path) -> str:
    """16 hex digits that differ between models, and between forms of one, as `manifest.fingerprint`."""
    found = read_onnx(place)
    root = found.tokenizer.parent
    digest = hashlib.sha256()
    small = ("config.json", "1_Pooling/config.json", "sentence_bert_config.json", "tokenizer_config.json")
    beside = sorted(found.graph.parent.glob(f"{found.graph.name}[._]*"))  # weights kept apart from the graph
    for file in (found.graph, *beside, found.tokenizer, *(root / name for name in small)):
        if file.is_file():
            feed(digest, file.name, file)
    return digest.hexdigest()[:16]


def onnx_prompts(found: FoundModel) -> Prompts:
    """The model's own prompts, those of its name's family, or of the family of what it was made of."""
    root = read_onnx(found.folder).tokenizer.parent
    own = prompts_for(found.name, own_prompts(root))
    if own != Prompts():
        return own
    return prompts_for(str(_table(root / "config.json").get("_name_or_path", "")), {})


def _tokenizer(place: Path, graph: Path) -> Path | None:
    """Beside the model, or beside its graph, or above a folder `onnx`."""
    above = [graph.parent.parent] if graph.parent.name == "onnx" else []
    for folder in (place, graph.parent, *above):
        if folder.is_dir() and (folder / "tokenizer.json").is_file():
            return folder / "tokenizer.json"
    return None


def _longest(root: Path, config: dict[str, Any]) -> int:
    told = _table(root / "sentence_bert_config.json").get("max_seq_length")
    if not isinstance(told, int):
        told = _table(root / "tokenizer_config.json").get("model_max_length")
    limits = [told] if isinstance(told, int) and 0 < told <= _ENDLESS else []
    places = config.get("max_position_embeddings")
    if isinstance(places, int) and places > 0:
        padding = config.get("pad_token_id")
        before = config.get("model_type") in _BEFORE_THE_FIRST
        limits.append(places - (int(padding) + 1 if before and isinstance(padding, int) else 2 * before))
    return min([*limits, _LONGEST])


def _pooling(table: dict[str, Any], names: str) -> str:
    """The one way to pool. Raises `EmbedderUnavailableError` for one that is not known here."""
    ways = table.get("pooling_mode")
    if isinstance(ways, str):
        ways = [ways]
    if not isinstance(ways, list):
        prefix = "pooling_mode_"
        ways = [
            key.removeprefix(prefix) for key, on in table.items() if key.startswith(prefix) and on is True
        ]
    if not ways:
        words = re.sub(r"[\W_]+", " ", names.casefold())
        return "cls" if _FIRST_TOKEN.search(words) else "mean"
    if len(ways) > 1 or ways[0] not in _POOLINGS:
        raise EmbedderUnavailableError(
            f"the model pools by {' and '.join(map(str, ways))}, which the onnx embedder can't",
            hint="vmem embedder use sentence-transformers MODEL",
        )
    return _POOLINGS[ways[0]]


def _table(file: Path) -> dict[str, Any]:
    """The file's content, nothing where it is not there or no table: the defaults hold then."""
    try:
        found = json.loads(file.read_bytes())
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}
