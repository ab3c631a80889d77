"""Our handler for python-frontmatter: its posts in the format of a vault's files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from frontmatter import Post, dumps
from frontmatter.default_handlers import YAMLHandler

from vault_memory.errors import FrontMatterError
from vault_memory.model.split import split
from vault_memory.model.yamlread import Pairs, plain, read_header
from vault_memory.model.yamlwrite import quoted, scalar, written

if TYPE_CHECKING:
    from vault_memory.model.yamlwrite import FieldValue


class VaultHandler(YAMLHandler):
    """Reads scalars as text and writes without a blank line behind the front matter."""

    def split(self, text: str) -> tuple[str, str]:
        """Front matter and body; raises `ValueError` where there is no front matter."""
        parts = split(text.encode("utf-8"))
        if parts.header is None:
            raise ValueError("the text has no front matter")
        return parts.header, parts.body

    def load(self, fm: str, **_kwargs: object) -> dict[str, Any]:
        """The keys with their values as text; raises `FrontMatterError`."""
        header = read_header(fm)
        if not isinstance(header, Pairs):
            raise FrontMatterError("front matter", header.line, header.message, hint=header.advice)
        keys: dict[str, Any] = plain(header)
        return keys

    def export(self, metadata: dict[str, object], **_kwargs: object) -> str:
        """The keys as lines, in the order given; the id is always quoted."""
        return "".join(f"{scalar(key)}: {_text(key, value)}\n" for key, value in metadata.items())

    def format(self, post: Post, **_kwargs: object) -> str:
        """The whole file, ending in one line end."""
        fence = self.START_DELIMITER
        body = post.content.rstrip("\n")
        return f"{fence}\n{self.export(post.metadata)}{fence}\n{body}{chr(10) if body else ''}"


def render(keys: Mapping[str, FieldValue], body: str) -> str:
    """A new file's text."""
    post = Post(body, handler=VaultHandler())
    # Not as keyword arguments: a key called "content" would be taken for the body.
    post.metadata.update(keys)
    return dumps(post)


def _text(key: str, value: Any) -> str:
    return quoted(value) if key == "id" else written(value, key)
