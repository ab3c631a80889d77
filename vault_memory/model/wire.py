"""Values as JSON: the one shape that every door gives, documented in docs/json.md."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from vault_memory.model.change import RefreshReport
from vault_memory.model.health import Check, Status
from vault_memory.model.hit import Dropped, Hit, Item, Parts, Recall, SearchResult
from vault_memory.model.memory import Entry, Finding, Memory
from vault_memory.model.outcome import Written
from vault_memory.model.passage import StoredPassage
from vault_memory.model.revision import Revision, branch_name

Json = dict[str, object]


def moment(at: datetime | None) -> str | None:
    """ISO 8601 in UTC to the second, `None` for none."""
    return at.astimezone(UTC).replace(microsecond=0).isoformat().replace("+00:00", "Z") if at else None


def entry(one: Entry) -> Json:
    """A memory without its text."""
    return {
        "id": one.id,
        "path": one.path,
        "title": one.title,
        "importance": one.importance,
        "tags": list(one.tags),
        "kind": one.kind,
        "pinned": one.pinned,
        "source_agent": one.source_agent,
        "created": moment(one.created),
        "updated": moment(one.updated),
        "expires": moment(one.expires),
        "version": one.version,
        "bytes": one.size,
    }


def memory(one: Memory, version: str) -> Json:
    """A memory whole: every front matter key as written, the text, and the faults in it."""
    return {
        "id": one.id,
        "path": one.path,
        "title": one.title,
        "importance": one.importance,
        "tags": list(one.tags),
        "kind": one.kind,
        "pinned": one.pinned,
        "source_agent": one.source_agent,
        "created": moment(one.created),
        "updated": moment(one.updated),
        "expires": moment(one.expires),
        "version": version,
        "front": dict(one.front),
        "text": one.body,
        "links": [{"target": link.target, "line": link.line, "kind": link.kind} for link in one.links],
        "findings": [finding(each) for each in one.findings],
    }


def finding(one: Finding) -> Json:
    """A fault in one file."""
    return {"code": one.code, "line": one.line, "message": one.message, "advice": one.advice}


def written(one: Written) -> Json:
    """The outcome of a write; `committed` is the commit or null with a `reason`."""
    return {
        "op": one.op.value,
        "id": one.id,
        "path": one.path,
        "title": one.title,
        "version": one.version,
        "committed": one.commit,
        "reason": one.reason,
        "known": one.known,
        "undid": one.undid,
        "notices": list(one.notices),
    }


def parts(one: Parts | None) -> Json | None:
    """The parts of a score, each 0–1, to four places."""
    if one is None:
        return None
    return {
        "relevance": round(one.relevance, 4),
        "importance": round(one.importance, 4),
        "recency": round(one.recency, 4),
        "keyword": round(one.keyword, 4),
        "meaning": None if one.meaning is None else round(one.meaning, 4),
    }


def passage(one: StoredPassage) -> Json:
    """A passage with the lines of the file that it stands on."""
    return {
        "start_line": one.passage.start_line,
        "end_line": one.passage.end_line,
        "headings": list(one.passage.headings),
        "text": one.passage.text,
    }


def hit(one: Hit) -> Json:
    """A scored memory with the passages that matched, best first."""
    return {
        **entry(one.entry),
        "score": round(one.score, 4),
        "parts": parts(one.parts),
        "passages": [passage(each) for each in one.passages],
    }


def item(one: Item) -> Json:
    """A memory as it stands in a recall."""
    return {
        **entry(one.hit.entry),
        "score": round(one.hit.score, 4),
        "parts": parts(one.hit.parts),
        "shown": one.shown.value,
        "line": one.line,
        "tokens": one.tokens,
        "text": one.text,
    }


def dropped(one: Dropped) -> Json:
    """A memory that matched and is not shown, with the reason."""
    return {
        "id": one.entry.id,
        "path": one.entry.path,
        "title": one.entry.title,
        "score": round(one.score, 4),
        "parts": parts(one.parts),
        "reason": one.reason.value,
        "tokens": one.tokens,
        "instead_of": one.instead_of,
    }


def recall(one: Recall) -> Json:
    """A recall: the text for a prompt, what stands in it, and what does not."""
    return {
        "query": one.query,
        "text": one.text,
        "tokens": one.tokens,
        "budget": one.budget,
        "considered": one.considered,
        "mode": one.mode,
        "memories": [item(each) for each in one.items],
        "omitted": [dropped(each) for each in one.omitted],
        "notices": list(one.notices),
    }


def search(one: SearchResult) -> Json:
    """A search result."""
    return {
        "query": one.query,
        "considered": one.considered,
        "mode": one.mode,
        "hits": [hit(each) for each in one.hits],
        "dropped": [dropped(each) for each in one.dropped],
        "notices": list(one.notices),
    }


def revision(one: Revision) -> Json:
    """A commit that touched memories."""
    return {
        "commit": one.commit,
        "when": moment(one.when),
        "author": one.author,
        "email": one.email,
        "subject": one.subject,
        "op": one.op.value if one.op else None,
        "id": one.memory_id,
        "agent": one.agent,
        "paths": list(one.paths),
        "undoes": one.undoes,
    }


def refresh(one: RefreshReport) -> Json:
    """What a refresh did."""
    return {
        "files": one.files,
        "added": one.added,
        "changed": one.changed,
        "removed": one.removed,
        "embedded": one.embedded,
        "generation": one.generation,
        "rebuilt": one.rebuilt,
        "reason": one.reason,
        "unreadable": [{"path": path, "reason": reason} for path, reason in one.unreadable],
    }


def candidates(rows: Sequence[tuple[str, str, str]]) -> list[Json]:
    """What an ambiguous reference may mean."""
    return [{"id": short, "title": title, "path": path} for short, title, path in rows]


def status(one: Status) -> Json:
    """Where a vault stands."""
    return {
        "vault": one.root,
        "memories": one.memories,
        "expired": one.expired,
        "faults": one.faults,
        "generation": one.generation,
        "embedder": one.embedder,
        "embedder_reason": one.embedder_reason,
        "branch": one.repo.branch and branch_name(one.repo.branch),
        "head": one.repo.head,
        "git": one.repo.blocked or ("ready" if one.repo.exists else "no repository"),
        "waiting": [{"path": each.path, "op": each.op, "reason": each.reason} for each in one.waiting],
        "uncommitted": [{"path": path, "state": state.value} for path, state in one.uncommitted],
        "findings": [{"path": each.path, **finding(each)} for each in one.findings],
        "notices": list(one.notices),
    }


def check(one: Check) -> Json:
    """One line of the doctor's report."""
    return {"name": one.name, "well": one.well, "found": one.found, "advice": one.advice}
