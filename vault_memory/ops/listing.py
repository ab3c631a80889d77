"""All memories that a caller may read and that fit a filter."""

from __future__ import annotations

from collections import Counter

from vault_memory.errors import UsageError
from vault_memory.model.filters.chosen import Filter, Look
from vault_memory.model.inventory import Listing, Order, in_order
from vault_memory.model.namespace import Scope
from vault_memory.ops.filtered import undated, unmet_names
from vault_memory.ops.sieve import Sieve
from vault_memory.ports import Ports


def listing(
    ports: Ports,
    scope: Scope,
    filter_: Filter,
    *,
    order: Order = Order.PATH,
    limit: int | None = None,
    expired: bool = False,
    notices: tuple[str, ...] = (),
) -> Listing:
    """In the order asked for; expired ones only with `expired=True`. Raises `UsageError`."""
    if limit is not None and limit < 1:
        raise UsageError(f"{limit} can't be a number of memories", hint="give 1 or more")
    sieve = Sieve(scope, filter_, ports.clock.now())
    entries = ports.index.entries(scope, under=filter_.folder)
    living = [entry for entry in entries if expired or not sieve.is_expired(entry)]
    looks = [filter_.look(entry) for entry in living]
    found = [entry for entry, look in zip(living, looks, strict=True) if look is Look.FITS]
    without_date = Counter(looks)[Look.UNDATED]
    told = (undated(without_date),) if without_date else ()
    unmet = unmet_names(ports, scope, filter_, all_names=bool(filter_) and not found)
    return Listing(in_order(found, order)[:limit], total=len(found), notices=(*notices, *told, *unmet))
