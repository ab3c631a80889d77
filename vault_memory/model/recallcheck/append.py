"""Adding a check to the file of checks: lines behind all that is there, which stays byte for byte."""

from __future__ import annotations

from vault_memory.errors import ChecksFileError
from vault_memory.model.recallcheck.check import FILE, RecallCheck
from vault_memory.model.recallcheck.read import Page
from vault_memory.model.yamlread import Items
from vault_memory.model.yamlwrite import scalar

HEAD = "# What recall must find here, and what it must not: `vmem check` asks, and exits 1 if one breaks.\n"
_BOM = b"\xef\xbb\xbf"
_BY_HAND = "add it in your editor:"


def lines_of(check: RecallCheck) -> str:
    """The check as it is written, in LF, with a line end."""
    keys = {
        "as": check.agent,
        "max_tokens": check.max_tokens,
        "first": check.first,
        "strategy": check.strategy and check.strategy.value,
        "min_score": check.min_score or None,
    }
    lines = [f"- ask: {scalar(check.ask)}"]
    lines += [f"  {key}: {value}" for key, value in keys.items() if value is not None]
    if check.filter:
        lines.append("  filter:")
        lines += [f"    {name}: {_listed(values)}" for name, values in check.filter.items()]
    for key, wanted in (("must", check.must), ("must_not", check.must_not)):
        if wanted:
            lines.append(f"  {key}:")
            lines += [f"    - {'text: ' * one.is_text}{scalar(one.name)}" for one in wanted]
    return "\n".join(lines) + "\n"


def with_check(content: bytes | None, check: RecallCheck) -> tuple[bytes, RecallCheck]:
    """The file (`None`: there is none) with the check behind all others, and the check with its lines.

    Raises `ChecksFileError` where the file can't be read, asks the same already, or has a form to which
    lines can't be added.
    """
    before = content or HEAD.encode("utf-8")
    page = Page.of(before)
    known = page.checks()
    for one in known:
        if one.asks_like(check):
            hint = "change that check in your editor, or take it out and write it again"
            raise ChecksFileError(FILE, one.line, f"{check.ask!r:.200} is asked here already", hint=hint)
    block = lines_of(check)
    if isinstance(page.root, Items) and page.root.flow:
        hint = f"write it in lines that begin with '-', or {_BY_HAND}\n{block.rstrip()}"
        page.fault(page.root, "a list in [ ] can't be added to by lines", hint)
    after = before + _glue(before) + _indented(block, page).encode("utf-8").replace(b"\n", _line_end(before))
    try:
        now = Page.of(after).checks()
    except ChecksFileError:
        now = ()
    # The proof: what was there reads as it did, and behind it stands what was to be added.
    if now[:-1] != known or not now or lines_of(now[-1]) != block:
        line = page.line(page.root) if page.root is not None else 1
        reason = "a check can't be added to what is written like this"
        raise ChecksFileError(FILE, line, reason, hint=f"{_BY_HAND}\n{block.rstrip()}")
    return after, now[-1]


def _listed(values: str | list[str]) -> str:
    if isinstance(values, str):
        return scalar(values)
    return f"[{', '.join(scalar(value, flow=True) for value in values)}]"


def _indented(block: str, page: Page) -> str:
    """The block as deep as the items of the list are."""
    if not isinstance(page.root, Items):
        return block
    depth = page.root.start - page.text.rfind("\n", 0, page.root.start) - 1
    return "".join(f"{' ' * depth}{line}" for line in block.splitlines(keepends=True))


def _glue(before: bytes) -> bytes:
    """The line end that the last line lacks."""
    bare = before.removeprefix(_BOM)
    return b"" if not bare or bare.endswith((b"\n", b"\r")) else _line_end(before)


def _line_end(before: bytes) -> bytes:
    """As the file's last line has it."""
    last = before.rfind(b"\n")
    if last < 0 and b"\r" in before:
        return b"\r"
    return b"\r\n" if before[max(last - 1, 0) : last + 1] == b"\r\n" else b"\n"
