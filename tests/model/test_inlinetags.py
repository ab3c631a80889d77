"""A `#tag` in the text is one where Obsidian sees one, and no other `#` is."""

from __future__ import annotations

import time
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vault_memory.model.inlinetags import MAX_TAG, inline_tags
from vault_memory.model.markdown import fenced_spans, indented_spans


def tags(body: str) -> tuple[str, ...]:
    return inline_tags(body, fenced_spans(body))


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("#real-tag", ("real-tag",)),
        ("a #tag, #other. (and) #third!", ("tag", "other", "third")),
        ("line\n#start\tx\t#tab", ("start", "tab")),
        ("- #item\n> #quoted\n| #cell |", ("item", "quoted", "cell")),
        ("#proj/sub #proj/sub/ #a_b #_x #2024/05 #y1984", ("proj/sub", "a_b", "_x", "2024/05", "y1984")),
        ("#设定 #タグ。 #тег #né #한국어 #ที่อยู่", ("设定", "タグ", "тег", "né", "한국어", "ที่อยู่")),
        ("#🚀 #👩\u200d💻 #a🚀b", ("🚀", "👩\u200d💻", "a🚀b")),
        ("#Tag #tag #TAG", ("Tag",)),
        ("#caf\u0065\u0301", ("caf\u00e9",)),
        ("#C++ #foo's", ("C", "foo")),
        ("# Heading with #tag\n## #second", ("tag", "second")),
        ("#b2b #a11y #decade #3d", ("b2b", "a11y", "decade", "3d")),
        ("- a\n\n    #in-a-list", ("in-a-list",)),
        ("text\n    #lazy", ("lazy",)),
        ("5 < 6 #less", ("less",)),
        ("100 %% of #it", ("it",)),
        ("<!-- never closed #it", ("it",)),
        ("<pre> never closed #it", ("it",)),
    ],
)
def test_a_tag_is_found(body: str, found: tuple[str, ...]) -> None:
    assert tags(body) == found


@pytest.mark.parametrize(
    "body",
    [
        "",
        "no sign at all",
        "#1984 #5, #1.10 #١٢",
        "# Heading",
        "##double #",
        "#- #/ #- -",
        "#\u20e3 #\ufe0f\u20e3",
        "C# F#sharp a#b",
        "\\#escaped",
        "(#round) [#square] \"#quoted\" '#single'",
        "`#code` and ``a #b ` c``",
        "```css\ncolor: #ffa\n#include\n```",
        "~~~\n#x\n~~~",
        "- ```\n  #x\n  ```",
        "    #include <stdio.h>\n\n\t#define X",
        "text\n\n    #include <stdio.h>\n\n    #define X",
        "%% #hidden %%",
        "%%\n#hidden\n#too\n%%",
        "<!-- #hidden\n#too -->",
        "https://example.org/#part and http://x.y/z #1",
        "[text](#part) [text](a.md #part) [[note #part]] ![[a#b| #c]]",
        "<span style='color: #fff'> <font color= #abc>",
        "<style>\na { color: #abc; }\n</style>",
        "<pre>\n#x\n</pre> <code> #y</code> <script>\n#z</script> <svg> #w</svg>",
        "the colour #00ff88 or #FF0000AA",
        "#" + "x" * (MAX_TAG + 1),
    ],
)
def test_what_is_no_tag_is_none(body: str) -> None:
    assert tags(body) == ()


def test_code_by_indentation_is_told_from_lists() -> None:
    text = "    a\n\n    b\ntext\n    lazy\n\n- item\n\n    more\n\nafter\n\n    code\n# head\n\n\tcode\n"
    lines = [text[start:end].strip() for start, end in indented_spans(text)]
    assert lines == ["a", "b", "code", "code"]


PIECES = st.sampled_from(
    ["#a", "#", " ", "\n", "`", "```", "%%", "<!--", "-->", "[[", "]]", "](", ")", "<pre>", "</pre>", "<",
     ">", "    ", "- ", "\\", "é", "#1", "x"]
)  # fmt: skip


@settings(max_examples=1000)
@given(st.one_of(st.text(max_size=60), st.lists(PIECES, max_size=40).map("".join)))
def test_every_tag_stands_in_the_text_behind_white_space(body: str) -> None:
    for tag in tags(body):
        assert not any(char.isspace() for char in tag)
        assert not tag.isdecimal()
        assert len(tag) <= MAX_TAG
        assert f"#{tag}" in unicodedata.normalize("NFC", body)


@pytest.mark.parametrize(
    "piece",
    [
        "#",
        "#a ",
        "# ",
        "<!-- ",
        "%% ",
        "[[ #",
        "](",
        "<pre> #",
        "<a ",
        "`#a ",
        "    #a\n\n",
        "#a/",
        "<script #x\n",
    ],
)
def test_long_texts_of_half_written_marks_take_no_longer_than_others(piece: str) -> None:
    def seconds(times: int) -> float:
        body = piece * times
        started = time.process_time()
        tags(body)
        return time.process_time() - started

    seconds(100)
    assert seconds(40_000) < 1.5
