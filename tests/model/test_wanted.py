"""The passages of all memories come in the order of their scores, and none is looked at before it is due."""

from __future__ import annotations

from itertools import islice

from hypothesis import given
from hypothesis import strategies as st

from tests.model.candidates import Candidate, candidate, found
from vault_memory.model.wanted import Wanted, wanted

TURNS = "\n".join(f"{'Ann' if at % 2 else 'Bo'}: we speak of matter {at}" for at in range(12))


def note(at: int, scores: list[float]) -> Candidate:
    return candidate(TURNS, path=f"{at}.md", matched=range(len(scores)), scores=scores)


scores = st.lists(st.sampled_from([0.1, 0.2, 0.3, 0.5, 0.8, 0.9]), min_size=1, max_size=8)


@given(st.lists(scores.map(lambda some: sorted(some, reverse=True)), max_size=8), st.floats(0, 1))
def test_the_order_is_that_of_sorting_all_of_them(lists: list[list[float]], least: float) -> None:
    lists.sort(key=lambda scores: -scores[0])
    of = found([note(at, scores) for at, scores in enumerate(lists)])
    every = [
        (-one.score, rank, one.number)
        for rank, hit in enumerate(of.hits)
        for one in of.matched[hit.entry.path]
        if one.score >= least
    ]
    expected = [Wanted(rank, number) for _, rank, number in sorted(every)]
    assert list(wanted(of.hits, of.matched, least)) == expected
    assert list(islice(wanted(of.hits, of.matched, least), 3)) == expected[:3]
