"""Connections of HTTP that make room for others: whoever only holds one open keeps nobody out."""

from __future__ import annotations

import asyncio
from typing import cast

from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

MOST = 256
"""At one time, as long as one of them waits for nothing that we do."""


class Yielding(H11Protocol):
    """Uvicorn's, which lets a client hold a connection for ever without a whole request on it, token or none.

    Of too many the one goes on which nothing was answered for the longest time."""

    idle_since = 0.0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        """Somebody has called."""
        super().connection_made(transport)
        self.idle_since = self.loop.time()
        if len(self.connections) > MOST:
            others = (cast("Yielding", one) for one in self.connections if one is not self)
            idle = min((one for one in others if one.is_idle), key=lambda one: one.idle_since, default=None)
            if idle is not None:
                idle.transport.abort()

    def on_response_complete(self) -> None:
        """An answer is out."""
        self.idle_since = self.loop.time()
        super().on_response_complete()

    @property
    def is_idle(self) -> bool:
        """Whether nothing is being answered; what is left of a refused body does not count."""
        answering = cast(RequestResponseCycle | None, self.cycle)
        return answering is None or answering.response_complete
