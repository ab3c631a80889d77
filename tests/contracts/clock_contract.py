"""What every implementation of the `Clock` port promises."""

from __future__ import annotations

from datetime import timedelta

from vault_memory.ports import Clock


class ClockContract:
    """Inherit, and give a fixture `clock`."""

    def test_the_present_is_aware_and_in_utc(self, clock: Clock) -> None:
        assert clock.now().utcoffset() == timedelta(0)

    def test_both_forms_tell_the_same_time(self, clock: Clock) -> None:
        before = clock.now_ns()
        between = clock.now().timestamp() * 1e9
        after = clock.now_ns()
        assert before - 1_000_000 <= between <= after + 1_000_000
