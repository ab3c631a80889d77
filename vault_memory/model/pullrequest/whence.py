"""What pip would take to install the very vmem that runs, told by what pip noted of it."""

from __future__ import annotations

import json
from urllib.parse import urlsplit

PACKAGE = "vault-memory"


def spec_of(direct_url: str | None, version: str) -> str | None:
    """A package with its version, or an address with its commit; `None` where another machine can't have it.

    `direct_url` is pip's note (`direct_url.json`), which is there where it was no index that it came from.
    An address with a name or password in it is for nobody else.
    """
    if direct_url is None:
        return f"{PACKAGE}=={version}"
    try:
        note = json.loads(direct_url)
        url, vcs = str(note["url"]), note.get("vcs_info")
        parts = urlsplit(url)
        if parts.scheme != "https" or parts.username is not None:
            return None
        return url if vcs is None else f"{vcs['vcs']}+{url}@{vcs['commit_id']}"
    except (ValueError, KeyError, TypeError, AttributeError):  # a note that is none of pip's
        return None
