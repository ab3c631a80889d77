"""What `vmem install` can install, one file each: what is done, and how it is told."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple


class Told(NamedTuple):
    """What came of it: for a program (`what` and `installed` are put in front), and in lines for a person."""

    facts: Mapping[str, object]
    lines: Sequence[str]


Installer = Callable[..., Told]
"""`(call, out)`: put it in, or with `out` take it out again; twice is no fault. Options of one program alone
follow by name."""
