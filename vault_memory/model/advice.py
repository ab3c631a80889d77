"""An error and what mends it in one line, for answers that go on without what failed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vault_memory.errors import VmemError


def advised(error: VmemError) -> str:
    """`message; hint`; a hint of several lines or columns as one."""
    hint = re.sub(r"\s{2,}", ", ", (error.hint or "").strip())
    return f"{error.message.rstrip('.')}; {hint}" if hint else error.message
