"""A comparison as text for a terminal: flags, keys, and the text word by word."""

from __future__ import annotations

from datetime import UTC

from vault_memory.model.comparison import Comparison, compare
from vault_memory.model.flags.flag import Flag
from vault_memory.model.namespace import VaultPath
from vault_memory.render.diff import render_comparison


def comparison(old: str, new: str, *flags: Flag) -> Comparison:
    from dataclasses import replace

    [one] = compare({VaultPath("a.md"): (old.encode(), new.encode())}, zone=UTC)
    return Comparison("HEAD", "files", (replace(one, flags=flags),))


def test_words_that_changed_stand_in_brackets_and_in_colour_without_them() -> None:
    found = comparison("RSI above 70 here\n", "RSI above 80 here\n")
    assert render_comparison(found, colour=False).split("\n")[1:3] == [
        "  @@ -1 +1 @@",
        "  ~RSI above [-70-]{+80+} here",
    ]
    coloured = render_comparison(found, colour=True)
    assert "~RSI above \x1b[31m70\x1b[0m\x1b[32m80\x1b[0m here" in coloured


def test_flags_come_first_and_are_counted() -> None:
    found = comparison(
        "a\n", "b\n", Flag("fault", "bad\x1b[2Jthing", 3), Flag("importance-jump", "0.1 → 0.9")
    )
    lines = render_comparison(found, colour=False).split("\n")
    assert lines[1:3] == ["  ! fault:3  bad [2Jthing", "  ! importance-jump  0.1 → 0.9"]
    assert lines[-1] == "1 memory: 1 edited; 1 to look at (HEAD → files)"


def test_of_a_long_line_only_what_is_around_the_change_is_shown() -> None:
    words = " ".join(f"word{number}" for number in range(60))
    shown = render_comparison(comparison(f"{words} old {words}\n", f"{words} new {words}\n"), colour=False)
    line = shown.split("\n")[2]
    assert len(line) < 160
    assert line.startswith("  ~… word")
    assert "word59 [-old-]{+new+} word0 " in line
    assert line.endswith(" …")
