"""The weights of the ranking: one row each, from which settings follow and to which they lead back."""

from __future__ import annotations

from dataclasses import asdict, fields

import pytest

from vault_memory.config.settings import SETTINGS
from vault_memory.model.weights import DEFAULT, INGREDIENTS, PREFIX, Weights, weights_from

ROWS = {row.key: row for row in SETTINGS if row.key.startswith(PREFIX)}
DEFAULTS = {row.key: row.default for row in SETTINGS}


def test_each_weight_is_a_shared_setting_with_the_same_default() -> None:
    assert (
        list(ROWS)
        == [one.setting for one in INGREDIENTS]
        == [f"{PREFIX}{one.name}" for one in fields(Weights)]
    )
    assert {key: row.default for key, row in ROWS.items()} == {
        f"{PREFIX}{name}": weight for name, weight in asdict(DEFAULT).items()
    }
    assert all(row.shared and row.doc for row in ROWS.values())


def test_the_default_settings_give_the_default_weights() -> None:
    assert weights_from(DEFAULTS) == DEFAULT


@pytest.mark.parametrize("key", ROWS)
def test_a_setting_changes_its_weight_and_no_other(key: str) -> None:
    name = key.removeprefix(PREFIX)
    assert asdict(weights_from({**DEFAULTS, key: 0.125})) == {**asdict(DEFAULT), name: 0.125}


@pytest.mark.parametrize("one", INGREDIENTS, ids=lambda one: one.setting)
def test_a_weight_is_taken_from_nothing_to_its_most_and_no_further(one: object) -> None:
    row = next(row for row in INGREDIENTS if row is one)
    parse = ROWS[row.setting].parse
    assert [parse(0), parse("0.5"), parse(row.most)] == [0.0, 0.5, row.most]
    assert 0 <= row.default <= row.most
    for bad in (-0.1, row.most + 0.1, "nan", "inf", "much", True, None, [1]):
        with pytest.raises(ValueError):  # noqa: PT011 - any refusal will do, the message is made elsewhere
            parse(bad)


def test_what_the_vectors_around_count_comes_in_the_order_of_the_passages() -> None:
    weights = Weights(near_before_two=1, near_before=2, near_after=3, near_after_two=4)
    assert weights.spread == (1, 2, 3, 4)
