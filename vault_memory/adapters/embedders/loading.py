"""Loading a model through the sentence-transformers library: no network, no noise, no foreign code."""

from __future__ import annotations

import importlib
import importlib.util
import logging
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from vault_memory.errors import EmbedderUnavailableError, MissingExtraError

EXTRA = "sentence-transformers"
PACKAGE = "sentence_transformers"
_TALKERS = (PACKAGE, "transformers", "huggingface_hub", "torch")


def is_installed() -> bool:
    """Whether the library can be found, without importing it."""
    return importlib.util.find_spec(PACKAGE) is not None


def missing() -> MissingExtraError:
    """What to say where the library is not installed."""
    return MissingExtraError(EXTRA, needed_for="meaning search with a sentence-transformers model")


def load(folder: Path, *, device: str | None, threads: int = 0) -> Any:
    """The library's embedding model from a local folder; `threads` 0 leaves their number to the library.

    Raises `MissingExtraError`, `EmbedderUnavailableError`.
    """
    return _load_as("SentenceTransformer", folder, device, threads, "embedder_model")


def load_reranker(folder: Path, *, device: str | None, threads: int = 0) -> Any:
    """The library's cross-encoder from a local folder, as `load`."""
    return _load_as("CrossEncoder", folder, device, threads, "reranker_model")


def _load_as(name: str, folder: Path, device: str | None, threads: int, setting: str) -> Any:
    with quiet():
        try:
            library = importlib.import_module(PACKAGE)
            if threads:
                sys.modules["torch"].set_num_threads(threads)  # it came with the library
        except ImportError as error:
            if error.name == PACKAGE:
                raise missing() from error
            raise EmbedderUnavailableError(
                f"the package sentence-transformers can't be imported: {first_line(error)}",
                hint=f"pip install --upgrade --force-reinstall 'vault-memory[{EXTRA}]'",
            ) from error
        with quiet():  # again: only now are the library's own loggers and bars there to be silenced
            return _load(getattr(library, name), folder, device, setting)


def _load(model: Any, folder: Path, device: str | None, setting: str) -> Any:
    # A folder is never looked up anywhere; local_files_only covers what its files may refer to.
    try:
        return model(str(folder), device=device, local_files_only=True, trust_remote_code=False)
    except _load_errors() as error:
        raise EmbedderUnavailableError(
            f"the model in {folder} can't be loaded: {first_line(error)}",
            hint=f"fetch it again (vmem embedder fetch NAME), or set another {setting}",
        ) from error


def _load_errors() -> tuple[type[Exception], ...]:
    """What library, tokenizer, torch and weight reader raise for a folder that is not a good model."""
    own = (OSError, ValueError, RuntimeError, KeyError, TypeError, AttributeError, ImportError, EOFError)
    # The library brings its own reader of weights, whose error is of no common kind.
    reader = sys.modules.get("safetensors")
    return own if reader is None else (*own, reader.SafetensorError)


@contextmanager
def quiet() -> Iterator[None]:
    """No warnings, no log lines, no progress bars of the library inside: what matters is raised."""
    loggers = [logging.getLogger(name) for name in _TALKERS]
    before = [logger.level for logger in loggers]
    bars = sys.modules.get("transformers.utils.logging")
    had_bars = bars is not None and bars.is_progress_bar_enabled()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for logger in loggers:
            logger.setLevel(logging.CRITICAL)
        if bars is not None and had_bars:
            bars.disable_progress_bar()
        try:
            yield
        finally:
            for logger, level in zip(loggers, before, strict=True):
                logger.setLevel(level)
            if bars is not None and had_bars:
                bars.enable_progress_bar()


def first_line(error: BaseException) -> str:
    """The first line of an error's own words, at most 200 characters, or its kind."""
    text = next((line.strip() for line in str(error).splitlines() if line.strip()), "")
    return text[:200] or type(error).__name__
