"""Values as JSON: the one shape that every door gives, documented in docs/json.md."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from vault_memory.model.revision import branch_name

if TYPE_CHECKING:
    from vault_memory.model.change import RefreshReport
    from vault_memory.model.expiry import Collected, Expired
    from vault_memory.model.health import Check, Flushed, Mended, Status
    from vault_memory.model.hit import Dropped, Hit, Item, Parts, Recall, SearchResult
    from vault_memory.model.linked import BrokenLinks, Linked, MemoryLinks
    from vault_memory.model.linted import Fixed, LintReport
    from vault_memory.model.memory import Entry, Finding, Link, Memory
    from vault_memory.model.outcome import Moved, Written
    from vault_memory.model.passage import StoredPassage
    from vault_memory.model.revision import Revision
    from vault_memory.model.rule import Rule

Json = dict[str, object]


def moment(at: datetime | None) -> str | None:
    """ISO 8601 in UTC to the second, `None` for none."""
    return at.astimezone(UTC).replace(microsecond=0).isoformat().replace("+00:00", "Z") if at else None


def entry(one: Entry) -> Json:
    """A memory without its text."""
    return {
        **_read_of(one),
        "version": one.version,
        "bytes": one.size,
    }


def _read_of(one: Entry | Memory) -> Json:
    """What of a file is told everywhere."""
    return {
        "id": one.id,
        "path": one.path,
        "title": one.title,
        "importance": one.importance,
        "tags": list(one.tags),
        "inline_tags": list(one.inline_tags),
        "aliases": list(one.aliases),
        "kind": one.kind,
        "pinned": one.pinned,
        "source_agent": one.source_agent,
        "created": moment(one.created),
        "updated": moment(one.updated),
        "expires": moment(one.expires),
    }


def memory(one: Memory, version: str) -> Json:
    """A memory whole: every front matter key as written, the text, and the faults in it."""
    return {
        **_read_of(one),
        "version": version,
        "front": dict(one.front),
        "text": one.body,
        "links": [_link(link) for link in one.links],
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
        "nearly": one.nearly,
        "supersedes": list(one.supersedes),
        "undid": one.undid,
        "proposed": one.proposed,
        "notices": list(one.notices),
    }


def moved(one: Moved) -> Json:
    """The outcome of a move; `broken` are links that no longer lead where they led."""
    return {
        **written(one.written),
        "from": one.came_from,
        "updated": [{"path": path, "links": count} for path, count in one.updated],
        "broken": [{"path": path, **_link(link)} for path, link in one.broken],
    }


def memory_links(one: MemoryLinks) -> Json:
    """The links of a memory, and those that lead to it."""
    return {
        "id": one.entry.id,
        "path": one.entry.path,
        "title": one.entry.title,
        "out": [
            {
                **_link(each.link),
                "leads": each.leads.leads.value,
                "path": each.leads.path,
                "others": list(each.leads.paths[1:]),
            }
            for each in one.out
        ],
        "back": [_linked(each) for each in one.back],
        "notices": list(one.notices),
    }


def broken_links(one: BrokenLinks) -> Json:
    """Every link of a vault that leads to no memory."""
    return {
        "broken": [_linked(each) for each in one.broken],
        "links": one.links,
        "memories": one.memories,
        "notices": list(one.notices),
    }


def _linked(one: Linked) -> Json:
    return {"path": one.path, **_link(one.link)}


def _link(one: Link) -> Json:
    return {"target": one.target, "label": one.label, "line": one.line, "kind": one.kind}


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
        "superseded_by": one.superseded_by,
        "passages": [passage(each) for each in one.passages],
    }


def item(one: Item) -> Json:
    """A memory as it stands in a recall."""
    return {
        **entry(one.hit.entry),
        "score": round(one.hit.score, 4),
        "parts": parts(one.hit.parts),
        "superseded_by": one.hit.superseded_by,
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
        "filtered_out": one.filtered_out,
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
        "filtered_out": one.filtered_out,
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
        "cut": one.cut,
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
        "conflicted": list(one.conflicted),
        "generation": one.generation,
        "index_minutes": None if one.index_seconds is None else int(one.index_seconds // 60),
        "embedder": one.embedder,
        "embedder_reason": one.embedder_reason,
        "branch": one.repo.branch and branch_name(one.repo.branch),
        "head": one.repo.head,
        "git": one.repo.blocked or ("ready" if one.repo.exists else "no repository"),
        "upstream": one.upstream
        and {"name": one.upstream.name, "ahead": one.upstream.ahead, "behind": one.upstream.behind},
        "proposals": one.proposals,
        "waiting": [{"path": each.path, "op": each.op, "reason": each.reason} for each in one.waiting],
        "uncommitted": [{"path": path, "state": state.value} for path, state in one.uncommitted],
        "findings": [{"path": each.path, **finding(each)} for each in one.findings],
        "notices": list(one.notices),
    }


def flushed(one: Flushed) -> Json:
    """What became of the memories that waited for their commit."""
    return {
        "committed": one.committed,
        "waiting": [{"path": each.path, "op": each.op, "reason": each.reason} for each in one.waiting],
    }


def linted(one: LintReport, findings: Sequence[Finding]) -> Json:
    """What lint found, with those of its findings that are to be shown."""
    return {
        "files": one.files,
        "problems": len(one.problems),
        "findings": [_found(each) for each in findings],
        "infos": one.infos,
        "notices": list(one.notices),
    }


def _found(one: Finding) -> Json:
    from vault_memory.model.rules import RULES  # here: only lint needs their pages

    known = RULES[one.code]
    return {
        "path": one.path,
        **finding(one),
        "rule": known.name,
        "severity": known.severity.value,
        "fixable": known.fixable,
    }


def rule(one: Rule) -> Json:
    """One rule of lint with its page."""
    return {
        "code": one.code,
        "rule": one.name,
        "severity": one.severity.value,
        "fixable": one.fixable,
        "meaning": one.meaning,
        "why": one.page.why,
        "mend": one.page.mend,
        "bad": one.page.bad,
        "good": one.page.good,
    }


def fixed(one: Fixed) -> Json:
    """What `lint --fix` could mend, what it left to a person, and what it wrote."""
    return {
        "mends": [
            {"path": each.path, "codes": list(each.codes), "change": each.what} for each in one.plan.mends
        ],
        "left": [{"path": path, "reason": reason} for path, reason in one.plan.left],
        "written": [written(each) for each in one.written],
    }


def expired(one: Expired) -> Json:
    """A memory past its end."""
    return {
        "id": one.id,
        "path": one.path,
        "title": one.title,
        "key": one.key,
        "value": one.value,
        "since": moment(one.since),
        "stays": one.stays,
        "removed": one.removed,
    }


def collected(one: Collected) -> Json:
    """What has expired, what of it was removed, and the commit of that or null with a `reason`."""
    return {
        "now": moment(one.now),
        "expired": [expired(each) for each in one.expired],
        "committed": one.commit,
        "reason": one.reason,
        "notices": list(one.notices),
    }


def check(one: Check) -> Json:
    """One line of the doctor's report."""
    return {"name": one.name, "well": one.well, "found": one.found, "advice": one.advice}


def mended(one: Mended) -> Json:
    """One thing that `doctor --fix` did, or could not do."""
    return {"name": one.name, "done": one.done, "what": one.what}
