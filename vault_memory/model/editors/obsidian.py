"""What Obsidian is given for a vault: types for the properties that vmem knows, and a template."""

from __future__ import annotations

TYPES_FILE = ".obsidian/types.json"
TEMPLATES_FILE = ".obsidian/templates.json"
FOLDER = "Templates"
"""Where the template goes if Obsidian has not been told of a folder."""
TEMPLATE_NAME = "Memory.md"

PROPERTIES: dict[str, str] = {
    "id": "text",
    "title": "text",
    "importance": "number",
    "ttl": "text",
    "expires": "text",
    "source_agent": "text",
    "kind": "text",
    "pinned": "checkbox",
    "created": "text",
    "updated": "text",
    "links": "multitext",
    "supersedes": "multitext",
    "notify": "multitext",
}
"""Times are text, since Obsidian's own type for them has no time zone, and vmem's have one. `tags` and
`aliases` have their types from Obsidian."""

TEMPLATE = """---
title: "{{title}}"
tags: []
created: "{{date:YYYY-MM-DD}}T{{time:HH:mm:ssZ}}"
---
"""
