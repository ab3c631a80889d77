"""Random front matter for the tests that change it, as the pieces it is made of."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import strategies as st

_WORDS = st.sampled_from(["alpha", "beta", "c++", "proj/sub", "2024", "設定", "🚀", "né"])
_COMMENTS = st.sampled_from(["", "", " # why", "   # a: b [c] 'd'"])


@dataclass(frozen=True)
class Piece:
    """One key with its lines, or lines without a key. All line ends are LF."""

    key: str | None
    text: str


@dataclass(frozen=True)
class File:
    """A file in pieces; `render` gives its bytes with some pieces' text replaced."""

    pieces: tuple[Piece, ...]
    bom: bytes
    newline: str
    closing: str
    body: bytes

    def render(self, changed: dict[int, str] | None = None, added: str = "") -> bytes:
        texts = [(changed or {}).get(number, piece.text) for number, piece in enumerate(self.pieces)]
        text = "---\n" + "".join(texts) + added + self.closing
        return self.bom + text.replace("\n", self.newline).encode() + self.body


def _scalar(word: str) -> st.SearchStrategy[str]:
    return st.sampled_from(
        [word, f'"{word}: # x"', f"'{word} ''q'''", f"{word} and {word}", "", "~", f"!!str {word}"]
    )


_VALUES = st.one_of(
    st.builds("{}{}\n".format, st.builds(" {}".format, _WORDS.flatmap(_scalar)), _COMMENTS),
    st.builds(" [{}]{}\n".format, st.lists(_WORDS, max_size=3).map(", ".join), _COMMENTS),
    st.builds(" [{},\n    {}]{}\n".format, _WORDS, _WORDS, _COMMENTS),
    st.builds(" {{a: {}, b: {{c: {}}}}}{}\n".format, _WORDS, _WORDS, _COMMENTS),
    st.builds("{}\n  - {}\n  - {}{}\n".format, _COMMENTS, _WORDS, _WORDS, _COMMENTS),
    st.builds("\n- {}\n# between\n-   '{}'\n".format, _WORDS, _WORDS),
    st.builds("\n  sub: {}\n  list:\n    - {}\n\n  more: {{}}\n".format, _WORDS, _WORDS),
    st.builds(" >\n  {}\n  # text\n\n  {}: x\n".format, _WORDS, _WORDS),
    st.builds(" |-\n    {}\n      {}\n".format, _WORDS, _WORDS),
    st.builds(" {}\n  goes on {}\n".format, _WORDS, _WORDS),
    st.builds(' "{}\n  goes on {}"{}\n'.format, _WORDS, _WORDS, _COMMENTS),
    st.builds("\n  {}\n".format, _WORDS),
)
_KEYS = ("id", "title", "importance", "tags", "ttl", "weird_key", "date", "Größe", '"quoted key"', "on")
_LOOSE = st.sampled_from(["# owner: keep this line\n", "\n", "# [x\n", "  # indented\n"])


def _loose_fits(text: str, pieces: list[Piece]) -> bool:
    """An indented comment below a block scalar would be part of its text."""
    if not text.startswith(" "):
        return True
    last = next((piece.text for piece in reversed(pieces) if piece.key), "|\n")
    return not last.partition("\n")[0].endswith(("|", "|-", ">"))


@st.composite
def files(draw: st.DrawFn) -> File:
    """A file whose keys are all different, with comments and blank lines between them."""
    pieces: list[Piece] = []
    for key in [*draw(st.lists(st.sampled_from(_KEYS), unique=True, max_size=5)), None]:
        pieces.extend(
            Piece(None, text) for text in draw(st.lists(_LOOSE, max_size=2)) if _loose_fits(text, pieces)
        )
        if key is not None:
            pieces.append(Piece(key, f"{key}:{draw(_VALUES)}"))
    closing = draw(st.sampled_from(["---\n", "---\n", "...\n", "--- \n"]))
    body = draw(st.sampled_from([b"", b"Body  \n\n", b"no end", b"---\r\nx\r---\n", b"\xff\xfe bytes\n"]))
    if not body and draw(st.booleans()):
        closing = closing.rstrip("\n")
    bom, newline = draw(st.sampled_from([b"", b"\xef\xbb\xbf"])), draw(st.sampled_from(["\n", "\r\n", "\r"]))
    return File(tuple(pieces), bom, newline, closing, body)
