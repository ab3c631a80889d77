"""A word counts once in whichever of its forms it stands."""

from __future__ import annotations

import numpy as np

from vault_memory.model.corpus import Postings
from vault_memory.model.forms import together


def postings(term: str, places: dict[int, tuple[int, int]]) -> Postings:
    own, context = zip(*places.values(), strict=True)
    return Postings(term, np.array(list(places)), np.array(own), np.array(context))


def places(one: Postings) -> dict[int, tuple[int, int]]:
    pairs = zip(one.own.tolist(), one.context.tolist(), strict=True)
    return dict(zip(one.passages.tolist(), pairs, strict=True))


def test_without_forms_nothing_changes() -> None:
    given = [postings("haus", {1: (1, 0)})]
    assert together(given, {}) == given


def test_a_passage_with_both_holds_the_word_as_often_as_the_form_that_is_there_more() -> None:
    given = [
        postings("hauser", {1: (2, 0), 4: (0, 1)}),
        postings("may", {4: (1, 0)}),
        postings("hau", {1: (3, 0), 2: (1, 0)}),
    ]
    joined = {one.term: places(one) for one in together(given, {"hau": "hauser"})}
    assert joined == {"hauser": {1: (3, 0), 2: (1, 0), 4: (0, 1)}, "may": {4: (1, 0)}}


def test_a_form_stands_for_a_word_that_no_passage_holds_as_it_was_asked_for() -> None:
    [joined] = together([postings("hau", {2: (1, 1)})], {"hau": "hauser"})
    assert (joined.term, places(joined)) == ("hauser", {2: (1, 1)})


def test_a_form_that_no_passage_holds_adds_nothing() -> None:
    [joined] = together([postings("hauser", {2: (1, 0)})], {"hau": "hauser"})
    assert (joined.term, places(joined)) == ("hauser", {2: (1, 0)})
