"""The search for the commit that lost a memory: right on every line, and short on orderly ones."""

from __future__ import annotations

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from vault_memory.model.bisected import SAMPLES, Looked, Since, bisect
from vault_memory.model.branches import Point

WHEN = datetime(2026, 3, 14, tzinfo=UTC)


def looked(at: int, *, found: bool) -> Looked:
    return Looked(Point(f"{at}", f"{at}", WHEN), 1 if found else None, exists=True)


@given(st.lists(st.booleans(), min_size=1, max_size=200), st.lists(st.integers(-3, 220), max_size=6))
def test_whatever_it_says_is_so_on_any_line(line: list[bool], hints: list[int]) -> None:
    since, good, seen = bisect(len(line), lambda at: looked(at, found=line[at]), hints)
    for one in seen:
        assert (one.place is not None) == line[int(one.point.commit)]
    if since is Since.FOUND:
        assert line[0]
        assert good == 0
    elif since is Since.LOST:
        assert good is not None
        assert line[good]
        assert not line[good - 1]
        assert {str(good), str(good - 1)} <= {one.point.commit for one in seen}
    else:
        assert good is None
        assert not any(line[int(one.point.commit)] for one in seen)
        assert {"0", str(len(line) - 1)} <= {one.point.commit for one in seen}


@given(st.integers(2, 100_000), st.data())
def test_on_an_orderly_line_the_very_commit_is_found_in_few_looks(count: int, drawn: st.DataObject) -> None:
    lost = drawn.draw(st.integers(1, count - 1))
    since, good, seen = bisect(count, lambda at: looked(at, found=at >= lost), ())
    assert (since, good) == (Since.LOST, lost)
    assert len(seen) <= 2 * count.bit_length() + 2


def test_a_memory_that_was_there_for_a_while_is_found_by_what_touched_it() -> None:
    """Of a thousand commits it was there at ten, which no step meets by chance."""
    there = range(603, 613)
    since, good, seen = bisect(1_000, lambda at: looked(at, found=at in there), (603, 602, 613, 612))
    assert (since, good) == (Since.LOST, 603)
    assert len(seen) < 20
    assert bisect(1_000, lambda at: looked(at, found=at in there), ())[0] is Since.NEVER


def test_it_gives_up_after_a_bounded_number_of_looks() -> None:
    since, _, seen = bisect(100_000, lambda at: looked(at, found=False), ())
    assert since is Since.NEVER
    assert len(seen) <= SAMPLES + 20
