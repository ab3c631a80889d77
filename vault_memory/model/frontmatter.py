"""The file format in one place: reading a file, making a new one, changing one."""

from __future__ import annotations

from vault_memory.model.bodysplice import replace_body
from vault_memory.model.generate import new_file
from vault_memory.model.parse import parse_memory
from vault_memory.model.splice import splice
from vault_memory.model.split import Split, split
from vault_memory.model.tagsplice import splice_tags
from vault_memory.model.yamlwrite import FieldValue

__all__ = [
    "FieldValue",
    "Split",
    "new_file",
    "parse_memory",
    "replace_body",
    "splice",
    "splice_tags",
    "split",
]
