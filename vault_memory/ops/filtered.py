"""What a filter left out: the filter of a caller's choice, and the words for what it kept from them."""

from __future__ import annotations

from collections.abc import Mapping

from vault_memory.config.settings import Settings
from vault_memory.model.filters.choice import check_names, filter_from, text_in
from vault_memory.model.filters.chosen import Filter
from vault_memory.model.kinds import KINDS
from vault_memory.model.namespace import Scope
from vault_memory.ops.rank import Ranking
from vault_memory.ops.within import folder_named
from vault_memory.ports import Ports


def chosen(ports: Ports, settings: Settings, choice: Mapping[str, object]) -> Filter:
    """The filter of a choice, its times counted from now. Raises `UsageError`, `UnsafePathError`."""
    check_names(choice)
    return filter_from(
        choice,
        folder=folder_named(ports, text_in("namespace", choice)),
        now=ports.clock.now(),
        zone=settings.zone,
        inline_tags=settings["inline_tags"],
    )


def told_of_filter(ports: Ports, scope: Scope, filter_: Filter, ranking: Ranking) -> tuple[str, ...]:
    """How many the filter left out for want of a date, and what in it may be mistyped.

    Names are only looked up where nothing was found, or where a kind is none of the known ones:
    it takes a look at all memories.
    """
    told = (undated(ranking.undated),) if ranking.undated else ()
    nothing = not ranking.hits and not ranking.dropped and filter_
    return (*told, *unmet_names(ports, scope, filter_, all_names=bool(nothing)))


def undated(count: int) -> str:
    """What is said of memories that `since` and `until` leave out for want of a date."""
    what = "1 memory without a date was" if count == 1 else f"{count:,} memories without a date were"
    return f"{what} left out (a date is updated, created, or one in the file's name)"


def unmet_names(ports: Ports, scope: Scope, filter_: Filter, *, all_names: bool) -> tuple[str, ...]:
    """A sentence for each name in the filter that no memory has which the scope may read.

    Of all its names, or else only of kinds that are none of the known ones.
    """
    odd_kinds = any(kind not in KINDS for kind in filter_.kinds)
    if not all_names and not odd_kinds:
        return ()
    from vault_memory.model.filters.unmet import unmet  # here: few calls have anything to tell

    asked = filter_ if all_names else Filter(kinds=filter_.kinds)
    return unmet(asked, ports.index.entries(scope))
