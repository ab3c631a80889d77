"""Arrays that a thread uses again: as long as the vault has passages, and nearly all of each untouched."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import DTypeLike, NDArray

_SPARE = 8
_own = threading.local()


def take(name: str, size: int, kind: DTypeLike) -> NDArray[Any]:
    """An array of zeros. Who takes it puts zeros back wherever something else was put, and gives it back.

    `name` keeps apart what is in use at the same time. What is not given back is made anew.
    """
    import numpy as np

    array: NDArray[Any] | None = _own.__dict__.pop(name, None)
    if array is None or array.size < size:
        array = np.zeros(size + size // _SPARE, kind)
    return array


def give(name: str, array: NDArray[Any]) -> None:
    """Give an array back, all zeros again."""
    _own.__dict__[name] = array
