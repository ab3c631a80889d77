"""The system's clock."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.contracts.clock_contract import ClockContract
from vault_memory.adapters.clock import SystemClock


class TestSystemClock(ClockContract):
    @pytest.fixture
    def clock(self) -> SystemClock:
        return SystemClock()

    def test_its_nanoseconds_compare_with_a_files(self, clock: SystemClock, tmp_path: Path) -> None:
        before = clock.now_ns()
        (tmp_path / "a").write_bytes(b"")
        tick = 20_000_000  # files are stamped by a clock that ticks up to every ten milliseconds
        assert before - tick <= (tmp_path / "a").stat().st_mtime_ns <= clock.now_ns() + tick
