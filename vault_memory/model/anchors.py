"""The places inside a text that a link can lead to, its headings and blocks, and the links that name one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import unquote

from vault_memory.model.markdown import Spans, bare_heading, fenced_spans, inside, without_code
from vault_memory.model.memory import Link
from vault_memory.model.normalform import normalized

_ANCHORED = re.compile(
    r"(?<!\\)\[\[(?P<wiki>[^\[\]|#\n]*)#(?P<wiki_at>[^\[\]|\n]+)(?:\|(?P<label>[^\[\]\n]*))?\]\]"
    r"|\]\([ \t]*(?:<(?P<angle>[^<>#\n]*)#(?P<angle_at>[^<>\n]+)>"
    r"|(?P<bare>[^\s()<>#]*)#(?P<bare_at>[^\s()<>]+(?:\([^\s()<>]*\)[^\s()<>]*)*))"
    r"(?:[ \t]+(?:\"[^\"\n]*\"|'[^'\n]*'))?[ \t]*\)"
)
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")
_ATX = re.compile(r"^[ \t>]*#{1,6}[ \t]+(?P<text>[^\n]+)$", re.MULTILINE)
_SETEXT = re.compile(r"^ {0,3}(?P<text>[^\s#>|=-][^\n]*)\n {0,3}(?:=+|-+)[ \t]*$", re.MULTILINE)
_BLOCK = re.compile(r"(?:^|[ \t])\^(?P<id>[A-Za-z0-9-]+)[ \t]*$", re.MULTILINE)
_NAMED = re.compile(r"<[A-Za-z][^<>\n]*\s(?:id|name)=[\"'](?P<name>[^\"'\n]+)[\"']")
_APART = re.compile(r"[^\w\s]+")
_RANGE = re.compile(r"(?P<start>.+?)(?:,[0-9]+)?(?::#(?P<end>.*))?")
"""`heading,1:#other`: from one line below a heading up to another, as some embed a part of a note."""


@dataclass(frozen=True, slots=True)
class Anchored:
    """A link that names a place inside a text: `link.target` is empty where it is its own text."""

    link: Link
    anchor: str
    """What stands behind the `#`: a heading, headings parted by `#`, or `^block`."""


@dataclass(frozen=True, slots=True)
class Anchors:
    """The places of one text: headings in order, as they are compared, and the names of its blocks."""

    headings: tuple[str, ...]
    slugs: frozenset[str]
    """The same headings as browsers of Markdown call them (`two-words`), and the ids of its HTML."""
    blocks: frozenset[str]

    def has(self, anchor: str) -> bool:
        """Whether there is such a place; of several headings, whether they follow each other so."""
        if self._has(anchor.strip()):
            return True
        parts = _RANGE.fullmatch(anchor.strip())
        if parts is None or parts["start"] == anchor.strip():
            return False
        ends = [parts["start"], parts["end"] or "*"]
        return all(end.strip() == "*" or self._has(end.strip()) for end in ends)

    def _has(self, anchor: str) -> bool:
        if anchor.startswith("^"):
            return anchor[1:].casefold() in self.blocks
        if anchor.casefold() in self.slugs:
            return True
        left = iter(self.headings)
        if all(_compared(part) in left for part in anchor.split("#") if part.strip()):
            return True
        return _compared(anchor) in self.headings  # a heading may hold a `#` itself


def anchors_of(body: str) -> Anchors:
    """The headings (in quotes and underlined ones too), blocks and HTML ids of a text, without its code."""
    fences = fenced_spans(body)
    found = sorted(
        (one.start(), one["text"])
        for form in (_ATX, _SETEXT)
        for one in form.finditer(body)
        if not inside(fences, one.start())
    )
    texts = [bare_heading(text) for _, text in found]
    texts += [text[: block.start()] for text in texts if (block := _BLOCK.search(text))]
    slugs = {*_slugs(texts), *(one["name"].casefold() for one in _NAMED.finditer(body))}
    blocks = {one["id"].casefold() for one in _BLOCK.finditer(body) if not inside(fences, one.start())}
    return Anchors(tuple(map(_compared, texts)), frozenset(slugs), frozenset(blocks))


def anchored_links(body: str, body_line: int, fences: Spans) -> Iterator[Anchored]:
    """The links of a body that name a place inside a text, not from code; URLs are none."""
    if "#" not in body:
        return
    prose = without_code(body, fences)
    line, counted = body_line, 0
    for found in _ANCHORED.finditer(prose):
        line += prose.count("\n", counted, found.start())
        counted = found.start()
        if found["wiki"] is not None:
            label = (found["label"] or "").strip()
            anchor = found["wiki_at"].strip().removesuffix("\\").strip()
            yield Anchored(Link(found["wiki"].strip(), line, label=label), anchor)
            continue
        form = "angle" if found["angle"] is not None else "bare"
        if not _SCHEME.match(found[form]):
            yield Anchored(Link(unquote(found[form]).strip(), line), unquote(found[f"{form}_at"]).strip())


def _compared(heading: str) -> str:
    """A heading without signs and case, as an editor finds it for a link in which some can't be written."""
    text = normalized("NFC", heading).casefold()
    return " ".join(_APART.sub(" ", text.replace("_", " ")).split())


def _slugs(headings: list[str]) -> Iterator[str]:
    """As forges and VS Code name headings: no signs, spaces as hyphens; a second one of a name is counted."""
    seen: dict[str, int] = {}
    for heading in headings:
        text = normalized("NFC", heading).strip().casefold()
        slug = re.sub(r"\s", "-", re.sub(r"[^\w\s-]", "", text))
        count = seen.get(slug, 0)
        seen[slug] = count + 1
        yield f"{slug}-{count}" if count else slug
