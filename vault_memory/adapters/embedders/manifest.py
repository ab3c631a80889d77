"""What a model's folder says of itself, read from its small files: which model, how many dimensions."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path, PurePosixPath
from typing import Any

_CONFIG = ("config.json", "modules.json", "sentence_bert_config.json", "config_sentence_transformers.json")
_TOKENIZERS = ("tokenizer.json", "vocab.txt", "sentencepiece.bpe.model", "spiece.model", "spm.model")
"""Forms of one thing, best first: only the first there is counts."""

_WEIGHTS = (".safetensors", ".bin", ".pt")
"""Endings of weight files, best first. A folder may hold the same weights twice."""

_NOT_WEIGHTS = frozenset({"training_args.bin", "optimizer.pt", "scheduler.pt", "rng_state.pth"})

_WHOLE = 1_048_576
_SLICES, _SLICE = 64, 4096


def holds_model(folder: Path) -> bool:
    """Whether settings and weights are there (after a broken download one of them is missing)."""
    return any((folder / name).is_file() for name in _CONFIG[:2]) and bool(_weights(folder))


def fingerprint(folder: Path) -> str:
    """16 hex digits that differ between models and are the same on every machine.

    Small files are hashed whole; of large ones the size and slices spread over the whole length:
    training moves every weight, so no retrained model looks the same, and 64 slices take
    a millisecond where a whole model takes seconds.
    """
    digest = hashlib.sha256()
    for place in _module_folders(folder):
        for file in [*_first(place, _CONFIG, all_of_them=True), *_first(place, _TOKENIZERS)]:
            feed(digest, file.relative_to(folder).as_posix(), file)
    for file in _weights(folder):
        feed(digest, file.relative_to(folder).as_posix(), file)
    return digest.hexdigest()[:16]


def dimensions(folder: Path) -> int | None:
    """How long the model's vectors are, where its small files tell; `None` where only loading does."""
    modules = _json(folder / "modules.json")
    width = _width(folder, modules) if isinstance(modules, list) else _hidden_size(folder)
    cut = _table(folder / "config_sentence_transformers.json").get("truncate_dim")
    return min(width, cut) if width and isinstance(cut, int) else width


def own_prompts(folder: Path) -> dict[str, str]:
    """The prompts that the model's makers put beside it, by name; empty ones are left out."""
    prompts = _table(folder / "config_sentence_transformers.json").get("prompts")
    if not isinstance(prompts, dict):
        return {}
    return {str(name): text for name, text in prompts.items() if isinstance(text, str) and text}


def _width(folder: Path, modules: list[Any]) -> int | None:
    """The width after the last module that changes it."""
    for module in reversed(modules):
        kind = str(module.get("type", "")).rpartition(".")[2] if isinstance(module, dict) else ""
        if kind in ("Normalize", "Dropout", "LayerNorm"):
            continue
        table = _table(folder / str(module["path"]) / "config.json") if kind in ("Pooling", "Dense") else {}
        found = table.get("out_features") if kind == "Dense" else _pooled(table)
        return found if isinstance(found, int) else None
    return None


def _pooled(table: dict[str, Any]) -> int | None:
    """Pooling in several ways at once gives one stretch of the vector for each."""
    width = table.get("embedding_dimension", table.get("word_embedding_dimension"))
    ways = table.get("pooling_mode")
    if isinstance(ways, list):
        count = len(ways)
    else:
        count = sum(value is True for key, value in table.items() if key.startswith("pooling_mode_"))
    return width * max(1, count) if isinstance(width, int) else None


def _hidden_size(folder: Path) -> int | None:
    size = _table(folder / "config.json").get("hidden_size")
    return size if isinstance(size, int) else None


def _module_folders(folder: Path) -> list[Path]:
    """The folder itself and those of its modules, none outside it."""
    modules = _json(folder / "modules.json")
    names = (
        {str(one.get("path", "")) for one in modules if isinstance(one, dict)}
        if isinstance(modules, list)
        else set()
    )
    inside = sorted(name for name in names if name and not _leaves(name))
    return [folder, *(folder / name for name in inside)]


def _leaves(name: str) -> bool:
    path = PurePosixPath(name)
    return path.is_absolute() or ".." in path.parts


def _first(folder: Path, names: tuple[str, ...], *, all_of_them: bool = False) -> list[Path]:
    found = [folder / name for name in names if (folder / name).is_file()]
    return found if all_of_them else found[:1]


def _weights(folder: Path) -> list[Path]:
    found: list[Path] = []
    for place in _module_folders(folder):
        files = sorted(place.iterdir()) if place.is_dir() else []
        for ending in _WEIGHTS:
            ours = [
                one
                for one in files
                if one.suffix == ending and one.name not in _NOT_WEIGHTS and one.is_file()
            ]
            if ours:
                found += ours
                break
    return found


def feed(digest: Any, name: str, file: Path) -> None:
    """Take a file into a fingerprint: its name and size, and its content, of large ones slices."""
    size = file.stat().st_size
    digest.update(f"{name}\0{size}\0".encode())
    with file.open("rb") as stream:
        if size <= _WHOLE:
            digest.update(stream.read())
            return
        for number in range(_SLICES):
            stream.seek((size - _SLICE) * number // (_SLICES - 1))
            digest.update(stream.read(_SLICE))


def _table(file: Path) -> dict[str, Any]:
    found = _json(file)
    return found if isinstance(found, dict) else {}


def _json(file: Path) -> Any:
    """The file's content, `None` where there is none or it can't be read: loading will say why."""
    try:
        return json.loads(file.read_bytes())
    except (OSError, ValueError):
        return None
