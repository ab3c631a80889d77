"""The whole content of the index in one canonical value: equal for equal files."""

from __future__ import annotations

import apsw

from vault_memory.adapters.indexes.sqlite.rows import Row, select

# Neither numbers nor stamps: they tell of this file and this disk, not of the memories.
_SELECTS = {
    "files": """
        SELECT path, size, version
        FROM files
        ORDER BY path
        """,
    "memories": """
        SELECT path, version, id, title, importance, tags, inline_tags, aliases, kind, pinned, source_agent,
            created, updated, dated, expires, size, conflicted, front,
            owner, folder, home, id_key, title_key, body_key, passage_count
        FROM memories
        ORDER BY path
        """,
    "passages": """
        SELECT path, ordinal, start_line, end_line, headings, text, text_hash, length, name, cues, day
        FROM passages
            JOIN texts ON texts.number = passages.number
            JOIN memories ON memories.number = passages.memory
            LEFT JOIN voices ON voices.number = passages.voice
        ORDER BY path, ordinal
        """,
    "links": """
        SELECT path, ordinal, target, links.line, links.kind, label
        FROM links JOIN memories ON memories.number = links.memory
        ORDER BY path, ordinal
        """,
    "findings": """
        SELECT path, ordinal, line, code, message, advice
        FROM findings JOIN memories ON memories.number = findings.memory
        ORDER BY path, ordinal
        """,
}
# Outer joins: a term of a passage that is gone must show.
_TERMS = """
    SELECT term, path, ordinal, sum(col = 'own'), sum(col = 'context')
    FROM places
        LEFT JOIN passages ON passages.number = doc
        LEFT JOIN texts ON texts.number = doc
        LEFT JOIN memories ON memories.number = memory
    GROUP BY term, doc
    ORDER BY term, path, ordinal
    """
_VECTORS = """
    SELECT DISTINCT passages.text_hash
    FROM passages JOIN vectors ON vectors.text_hash = passages.text_hash
    WHERE embedder = ?
    ORDER BY passages.text_hash
    """


def dump(db: apsw.Connection, embedder: str) -> dict[str, list[Row]]:
    """All rows by table, without numbers."""
    content = {table: select(db, statement) for table, statement in _SELECTS.items()}
    content["terms"] = select(db, _TERMS)
    content["vectors"] = select(db, _VECTORS, (embedder,))
    return content
