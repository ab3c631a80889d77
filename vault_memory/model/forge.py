"""Where a forge compares a pushed branch and lets one ask for its merge, by the address of the remote."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import quote

_BY_URL = re.compile(r"(?:https?|ssh|git)://(?:[^@/]*@)?(?P<host>[^:/]+)(?::\d+)?/(?P<path>.+)")
_BY_SSH = re.compile(r"(?:[^@/:]+@)?(?P<host>[A-Za-z0-9.-]+\.[A-Za-z]+):(?P<path>[^/\\].*)")
_PARTS = re.compile(r"[\w.~/-]+")


def _named(*names: str) -> Callable[[str], bool]:
    """Whether a host is one of these, or has one of them as its first or second part."""
    return lambda host: host in names or any(name in host.split(".")[:2] for name in names)


_SOURCE_AND_TARGET = "merge_request%5Bsource_branch%5D={branch}&merge_request%5Btarget_branch%5D={base}"
_FORGES: tuple[tuple[Callable[[str], bool], str], ...] = (
    (_named("github"), "https://{host}/{path}/compare/{base}...{branch}?expand=1"),
    (
        _named("gitlab"),
        "https://{host}/{path}/-/merge_requests/new?" + _SOURCE_AND_TARGET,
    ),
    (_named("bitbucket"), "https://{host}/{path}/pull-requests/new?source={branch}&dest={base}"),
    (_named("codeberg", "gitea", "forgejo"), "https://{host}/{path}/compare/{base}...{branch}"),
)
"""Which hosts, and the page that compares two branches there."""


def compare_link(address: str, base: str, branch: str) -> str | None:
    """The page that compares `branch` with `base` on the forge of that address; `None` for an address that
    is none of those that are known."""
    found = _BY_URL.fullmatch(address) or _BY_SSH.fullmatch(address)
    if found is None:
        return None
    host, path = found["host"].lower(), found["path"].removesuffix("/").removesuffix(".git").strip("/")
    if not _PARTS.fullmatch(path):
        return None
    for fits, form in _FORGES:
        if fits(host):
            names = {"base": quote(base, safe="/"), "branch": quote(branch, safe="/")}
            return form.format(host=host, path=path, **names)
    return None
