"""Running an ONNX model on the CPU: its tokenizer and its graph, without network and without noise."""

from __future__ import annotations

import importlib
import importlib.util
from typing import TYPE_CHECKING, Any

from vault_memory.adapters.embedders.loading import first_line
from vault_memory.adapters.embedders.onnxfolder import OnnxModel
from vault_memory.errors import EmbedderUnavailableError, MissingExtraError, PluginError

if TYPE_CHECKING:
    from vault_memory.model.vector import Vectors

EXTRA = "onnx"
_PACKAGES = ("onnxruntime", "tokenizers")
_SILENT = 4
"""Only what ends the process is logged; all else is raised."""

_TYPES = {"tensor(int64)": "int64", "tensor(int32)": "int32"}
_INPUTS = frozenset({"input_ids", "attention_mask", "token_type_ids", "position_ids"})


def missing_onnx(needed_for: str = "meaning search with an ONNX model") -> PluginError | None:
    """What to say where a package is not installed, `None` where all are; imports nothing."""
    if all(importlib.util.find_spec(name) is not None for name in _PACKAGES):
        return None
    return MissingExtraError(EXTRA, needed_for=needed_for)


class OnnxSession:
    """A loaded model. Used by one thread at a time; `threads` 0 is one for each core. `cuts` lets it
    take a text or pair that is too long: its end is not read."""

    def __init__(self, model: OnnxModel, *, threads: int = 0, cuts: bool = False) -> None:
        self._runtime, tokenizers = map(_imported, _PACKAGES)
        self._errors: tuple[type[Exception], ...] = (
            *_errors_of(self._runtime),
            OSError,
            ValueError,
            RuntimeError,
        )
        self.model = model
        self._tokenizer = self._read_tokenizer(tokenizers)
        if cuts:
            self._tokenizer.enable_truncation(model.longest)
        self._graph = self._read_graph(threads)
        self._inputs = {one.name: _TYPES.get(one.type, "int64") for one in self._graph.get_inputs()}
        strange = sorted(set(self._inputs) - _INPUTS)
        if strange or "input_ids" not in self._inputs:
            raise self._unusable(f"takes {', '.join(strange) or 'no input_ids'}, so it is no model of texts")
        outputs = [one.name for one in self._graph.get_outputs()]
        self.output = next((name for name in ("sentence_embedding", "logits") if name in outputs), outputs[0])

    def ids(self, text: str, second: str | None = None) -> Any:
        """The tokens of a text or a pair, those around it included."""
        try:
            return self._tokenizer.encode(text, second)
        except Exception as error:
            raise self._unusable(f"can't read a text: {first_line(error)}") from error

    def run(self, encoded: Any) -> Vectors:
        """What the graph gives for one text: a row a token, or one row.

        Never for several at once: on a CPU a batch is no faster, and in a quantized model a text's
        numbers would depend on its neighbours.
        """
        import numpy as np

        columns = {
            "input_ids": encoded.ids,
            "attention_mask": [1] * len(encoded.ids),
            "token_type_ids": encoded.type_ids,
            "position_ids": range(len(encoded.ids)),
        }
        feeds = {name: np.array([columns[name]], dtype=kind) for name, kind in self._inputs.items()}
        try:
            (given,) = self._graph.run([self.output], feeds)
        except self._errors as error:
            raise self._unusable(f"can't read a text: {first_line(error)}") from error
        return np.asarray(given[0], dtype=np.float32)

    def _read_tokenizer(self, tokenizers: Any) -> Any:
        try:
            found = tokenizers.Tokenizer.from_buffer(self.model.tokenizer.read_bytes())
        except (OSError, ValueError) as error:
            raise self._unusable(
                f"can't be loaded: {self.model.tokenizer.name}: {first_line(error)}"
            ) from error
        found.no_truncation()
        found.no_padding()
        return found

    def _read_graph(self, threads: int) -> Any:
        options = self._runtime.SessionOptions()
        options.intra_op_num_threads = threads
        options.log_severity_level = _SILENT
        # Threads that spin between two questions would keep a core busy in a process that lives long.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        try:
            return self._runtime.InferenceSession(
                str(self.model.graph), options, providers=["CPUExecutionProvider"]
            )
        except self._errors as error:
            raise self._unusable(f"can't be loaded: {first_line(error)}") from error

    def _unusable(self, what: str) -> EmbedderUnavailableError:
        return EmbedderUnavailableError(
            f"the model {self.model.graph} {what}",
            hint="copy or fetch it again, or set another model; keyword search goes on meanwhile",
        )


def _imported(name: str) -> Any:
    try:
        module = importlib.import_module(name)
    except ImportError as error:
        missing = missing_onnx()
        if missing is not None:
            raise missing from error
        raise EmbedderUnavailableError(
            f"the package {name} can't be imported: {first_line(error)}",
            hint=f"pip install --upgrade --force-reinstall 'vault-memory[{EXTRA}]'",
        ) from error
    if name == "onnxruntime":
        module.set_default_logger_severity(_SILENT)
    return module


def _errors_of(runtime: Any) -> tuple[type[Exception], ...]:
    """What the runtime raises: a dozen kinds that have nothing in common but the module."""
    kinds: list[Any] = list(vars(runtime.capi.onnxruntime_pybind11_state).values())
    return tuple(kind for kind in kinds if isinstance(kind, type) and issubclass(kind, Exception))
