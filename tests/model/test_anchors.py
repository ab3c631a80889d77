"""A link's place inside a text is found as an editor finds it: without signs and case, or by its slug."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault_memory.model.anchors import anchored_links, anchors_of
from vault_memory.model.markdown import fenced_spans

TEXT = """# The plan

## What's new: 2026?

Some words. ^first-block

## Same
## Same

> ## Quoted **bold** [[note|label]]

- item
  ^list

Underlined
==========

```
# no heading
no block ^code
```

## C# and F#

<a id="by-hand"></a>
### End ### ^on-heading
"""


@pytest.mark.parametrize(
    "anchor",
    [
        "The plan", "the PLAN", "What's new 2026", "what's  NEW: 2026", "whats-new-2026", "same", "same-1",
        "The plan#Same", "The plan#What's new: 2026?#Same", "Quoted bold note label", "Underlined",
        "^first-block", "^FIRST-block", "^list", "^on-heading", "End", "C# and F#", "by-hand",
        "the-plan,1:#*", "the-plan:#same", "^first-block:#*",
    ],
)  # fmt: skip
def test_a_place_is_found_however_it_is_written(anchor: str) -> None:
    assert anchors_of(TEXT).has(anchor)


@pytest.mark.parametrize(
    "anchor",
    ["no heading", "^code", "^gone", "Same#The plan", "plan", "same-2", "the-plan:#gone", "^list-2", "F"],
)
def test_a_place_that_is_not_there_is_not_found(anchor: str) -> None:
    assert not anchors_of(TEXT).has(anchor)


def test_links_to_places_are_told_with_their_line_and_url_and_code_are_none() -> None:
    body = (
        "[[note#One|label]] ![[#^own]]\n| [[note#Two\\|x]] |\n[a](b%20c.md#two-words) [b](#here)\n"
        "[u](https://x.org/#u) `[[no#code]]` \\[[no#escaped]] [[note]] [p](<d e.md#f g>)"
    )
    found = [(one.link.target, one.link.line, one.anchor) for one in anchored_links(body, 7, [])]
    assert found == [
        ("note", 7, "One"), ("", 7, "^own"), ("note", 8, "Two"), ("b c.md", 9, "two-words"), ("", 9, "here"),
        ("d e.md", 10, "f g"),
    ]  # fmt: skip


@given(st.text(alphabet="# ab`^-\n[]|>=é日", max_size=80))
def test_any_text_has_its_own_headings(text: str) -> None:
    anchors = anchors_of(text)
    for line in text.split("\n"):
        heading = line[2:].strip(" #")
        if (
            line.startswith("# ")
            and heading.strip("`^-[]|>= #")
            and not fenced_spans(text)
            and "^" not in line
        ):
            assert anchors.has(heading), (text, heading)
