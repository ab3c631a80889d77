"""What VS Code is given for a vault: snippets, a task, and two settings."""

from __future__ import annotations

import json

from vault_memory.model.editors.schema import frontmatter_schema
from vault_memory.model.fields import FIELDS
from vault_memory.model.kinds import KINDS
from vault_memory.model.signed import signed

MAKER = "vscode"
SCHEMA = ".vscode/vmem-frontmatter.schema.json"
SNIPPETS = ".vscode/vmem.code-snippets"
SETTINGS = ".vscode/settings.json"
TASKS = ".vscode/tasks.json"
SERVERS = ".vscode/mcp.json"
SERVERS_KEY = "servers"
VMEM, FOLDER = "vmem", "${workspaceFolder}"
"""The files travel with the vault, so they name no place of this machine."""

WANTED_SETTINGS: tuple[tuple[tuple[str, ...], object, str], ...] = (
    (
        ("markdown.updateLinksOnFileMove.enabled",),
        "prompt",
        "a note that is renamed here takes the [text](links.md) to it along",
    ),
    (("files.watcherExclude", "**/.vmem/local/**"), True, "the search index is not watched"),
)
"""Keys, value and what for. A value that is there stays."""

LABEL = "vmem lint"
TASK: dict[str, object] = {
    "label": LABEL,
    "detail": "Front matter, links and secrets of all memories",
    "type": "process",
    "command": "vmem",
    "args": ["lint"],
    "options": {"cwd": "${workspaceFolder}", "env": {"NO_COLOR": "1"}},
    "presentation": {"reveal": "silent", "clear": True},
    "problemMatcher": {
        "owner": "vmem",
        "source": "vmem",
        "severity": "warning",
        "fileLocation": ["relative", "${workspaceFolder}"],
        "pattern": {
            "regexp": "^(\\S.*?):(\\d+)\\s+(VM\\d{3})\\s+(.*)$",
            "file": 1,
            "line": 2,
            "code": 3,
            "message": 4,
        },
    },
}

_NOW = (
    "${CURRENT_YEAR}-${CURRENT_MONTH}-${CURRENT_DATE}T${CURRENT_HOUR}:${CURRENT_MINUTE}:${CURRENT_SECOND}"
    "${CURRENT_TIMEZONE_OFFSET}"
)
_KINDS = f"${{1|{','.join(KINDS)}|}}"
_BODIES = {
    "id": 'id: "$1"',
    "title": "title: ${1:$TM_FILENAME_BASE}",
    "importance": "importance: ${1|0.5,0.1,0.2,0.3,0.4,0.6,0.7,0.8,0.9,1|}",
    "tags": "tags: [$1]",
    "ttl": "ttl: ${1|90d,2w,12h,6mo,1y,never|}",
    "expires": "expires: ${1:${CURRENT_YEAR}-12-31}",
    "source_agent": "source_agent: $1",
    "kind": f"kind: {_KINDS}",
    "pinned": "pinned: ${1|true,false|}",
    "created": f"created: {_NOW}",
    "updated": f"updated: {_NOW}",
    "aliases": "aliases: [$1]",
    "links": 'links: ["[[$1]]"]',
    "supersedes": 'supersedes: ["[[$1]]"]',
    "notify": "notify: [$1]",
}
"""What each key's snippet writes."""
_NEW = ["---", "title: ${1:$TM_FILENAME_BASE}", "tags: [$2]", f"created: {_NOW}", "---", "$0"]


def snippets() -> bytes:
    """`memory` for a whole front matter, and one snippet a key."""
    table: dict[str, object] = {
        "New memory": {
            "scope": "markdown",
            "prefix": "memory",
            "description": "The front matter of a new memory",
            "body": _NEW,
        }
    }
    for row in FIELDS.values():
        table[f"Front matter: {row.name}"] = {
            "scope": "markdown",
            "prefix": row.name,
            "description": f"{row.doc}; takes {row.form}",
            "body": _BODIES[row.name],
        }
    return signed(_json(table), MAKER, before="// ")


def schema() -> bytes:
    """The JSON schema, signed in a remark that is a key of it."""
    body = _json(frontmatter_schema()).removeprefix("{\n")
    return signed(body, MAKER, before='{ "$comment": "', behind='",')


def new_tasks() -> str:
    """A file of tasks with ours alone."""
    return _json({"version": "2.0.0", "tasks": [TASK]})


def settings_alone() -> dict[str, object]:
    """The wanted settings as a file would hold them that has no others."""
    whole: dict[str, object] = {}
    for (key, *inner), value, _ in WANTED_SETTINGS:
        whole[key] = {inner[0]: value} if inner else value
    return whole


def is_our_task(task: object) -> bool:
    """Whether it is called as ours is."""
    return isinstance(task, dict) and task.get("label") == LABEL


def _json(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"
