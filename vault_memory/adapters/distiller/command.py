"""Running the person's command: the conversation on its stdin, its answer from its stdout, within limits."""

from __future__ import annotations

import contextlib
import os
import shlex
import signal
import subprocess
import sys
import tempfile
import time

from vault_memory.config import environ
from vault_memory.errors import DistillerError

MOST_BYTES = 1024 * 1024
"""Bytes of an answer, at most."""
_PAUSE = 0.05


class CommandDistiller:
    """Its stderr goes nowhere: it may repeat what was said. No shell is asked."""

    def __init__(self, command: str, seconds: float) -> None:
        self._command = command
        self._seconds = seconds

    def distil(self, conversation: str) -> bytes:
        """What it answers to a conversation. Raises `DistillerError`."""
        try:
            words = shlex.split(self._command)
        except ValueError as error:
            raise DistillerError(f"can't be read: {str(error).lower()}") from error
        if not words:
            raise DistillerError("is empty")
        with tempfile.TemporaryFile() as said, tempfile.TemporaryFile() as answer:
            said.write(conversation.encode("utf-8", "replace"))
            said.seek(0)
            try:
                process = subprocess.Popen(
                    words, stdin=said, stdout=answer, stderr=subprocess.DEVNULL, env=environ.of_a_resident(),
                    start_new_session=True,
                )  # fmt: skip
            except (OSError, ValueError) as error:
                reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
                raise DistillerError(f"can't be run: {reason.lower()}") from error
            try:
                self._wait(process, answer.fileno())
            finally:
                _stop(process)
            if process.returncode != 0:
                raise DistillerError(f"ended with exit code {process.returncode}")
            answer.seek(0)
            return answer.read(MOST_BYTES)

    def _wait(self, process: subprocess.Popen[bytes], answer: int) -> None:
        """Until it ends. Raises `DistillerError` where it takes too long, or says too much."""
        end = time.monotonic() + self._seconds
        while True:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(_PAUSE)
            if os.fstat(answer).st_size > MOST_BYTES:
                raise DistillerError(f"answered more than {MOST_BYTES:,} bytes")
            if process.returncode is not None:
                return
            if time.monotonic() > end:
                raise DistillerError(f"did not end within {self._seconds:g} s and was stopped")


def _stop(process: subprocess.Popen[bytes]) -> None:
    """End it with all that it started and left behind."""
    if sys.platform == "win32":
        process.kill()
    else:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    process.wait()
