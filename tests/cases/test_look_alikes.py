"""What only looks like front matter is text, what is too big is refused at its limit, and nothing is lost."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest

from tests.cases.doors import REPOSITORY, Case, Door

WORD = "halyard"

TEXT = {
    "JSON": '{"title": "not ours", "tags": ["x"]}\n',
    "JSON on lines": '{\n  "title": "not ours"\n}\n',
    "TOML": '+++\ntitle = "not ours"\ntags = ["x"]\n+++\n',
    "JSON in semicolons": ';;;\n"title": "not ours"\n;;;\n',
    "four dashes": "----\ntitle: not ours\n----\n",
    "a blank line above": "\n---\ntitle: not ours\n---\n",
    "a space before": " ---\ntitle: not ours\n---\n",
    "text before": "x\n---\ntitle: not ours\n---\n",
    "a list": "---\n- title\n- tags\n---\n",
    "prose between rules": "---\nSome prose.\n---\n",
    "an example in a fence": "```yaml\n---\ntitle: not ours\n---\n```\n",
    "rules": "Above.\n\n---\n\nBetween.\n\n---\n",
}
"""A file's beginning that is no front matter."""

BLOCKS = {
    "empty": "---\n---\n",
    "a blank line": "---\n\n---\n",
    "a comment": "---\n# only a comment\n---\n",
    "ended by dots": "---\ntitle: ours\n...\n",
    "blanks behind the fences": "---  \ntitle: ours\n---\t\n",
}
"""Front matter in odd forms, without a fault."""


@pytest.mark.parametrize("head", TEXT.values(), ids=TEXT)
def test_it_stays_in_the_text_byte_for_byte(door: Door, case: Case, head: str) -> None:
    content = f"{head}The {WORD} is frayed.\n"
    place = case.write("t.md", content)
    shown = door.show("t.md").value
    assert shown["text"] == content
    assert (shown["front"], shown["tags"]) == ({}, [])
    assert [hit["path"] for hit in door.search(WORD).value["hits"]] == ["t.md"]
    assert case.vmem("reindex").code == 0
    assert place.read_text() == content
    edited = door.edit("t.md", importance=0.4)
    after = place.read_text()
    assert after == content if edited.code else after == f"---\nimportance: 0.4\n---\n{content}"
    assert (edited.code == 65) == (head in (TEXT["a list"], TEXT["prose between rules"]))


@pytest.mark.parametrize("head", BLOCKS.values(), ids=BLOCKS)
def test_an_odd_block_is_front_matter_without_a_fault(door: Door, case: Case, head: str) -> None:
    body = f"The {WORD}.\n\n---\n\nnext: part\n\n---\n"
    place = case.write("t.md", head + body)
    shown = door.show("t.md").value
    assert (shown["text"], shown["findings"]) == (body, [])
    assert shown["title"] == ("ours" if "ours" in head else "t")
    assert door.edit("t.md", importance=0.4).code == 0
    lines = place.read_text().split("\n")
    assert lines.pop(lines.index("importance: 0.4")) == "importance: 0.4"
    assert "\n".join(lines) == head + body


def bomb(levels: int = 9) -> str:
    lines = ["a0: &a0 [x,x,x,x,x,x,x,x,x]"]
    lines += [f"a{n}: &a{n} [{','.join([f'*a{n - 1}'] * 9)}]" for n in range(1, levels + 1)]
    return "\n".join(lines)


HUGE = {
    "20,000 keys": ("\n".join(f"key{number}: a value of some length" for number in range(20_000)), "VM011"),
    "nine levels of aliases": (bomb(), "VM014"),
    "a list of 20,000": ("a: [" + "x," * 20_000 + "]", "VM014"),
    "100,000 brackets": ("a: " + "[" * 100_000, "VM014"),
    "one line of 300 KB": ("a: " + "x" * 300_000, "VM011"),
}


@pytest.mark.parametrize(("header", "code"), HUGE.values(), ids=HUGE)
def test_what_is_too_big_is_named_with_its_limit_and_its_body_found(
    door: Door, case: Case, header: str, code: str
) -> None:
    place = case.write("huge.md", f"---\n{header}\n---\nThe {WORD}.\n")
    case.write("good.md", f"Another {WORD}.\n")
    before = place.read_bytes()
    started = time.perf_counter()
    hits = door.search(WORD).value["hits"]
    assert time.perf_counter() - started < 2
    assert {hit["path"] for hit in hits} == {"huge.md", "good.md"}
    [finding] = door.show("huge.md").value["findings"]
    assert finding["code"] == code
    assert door.edit("huge.md", importance=0.4).code == 65
    assert place.read_bytes() == before


def test_aliases_that_multiply_cost_a_process_little_memory(case: Case) -> None:
    case.write("bomb.md", f"---\n{bomb()}\n---\nThe {WORD}.\n")
    case.write("wide.md", "---\n" + HUGE["20,000 keys"][0] + f"\n---\nThe {WORD}.\n")
    peak = _peak_of(case, "reindex")
    assert peak < 200 * 1024 * 1024


_TOLD = """
import sys
from vault_memory.surfaces.cli.app import main
code = main(sys.argv[1:])
with open("/proc/self/status", encoding="ascii") as status:
    peak = next(line.split()[1] for line in status if line.startswith("VmHWM:"))
print(code, peak, file=sys.stderr)
"""
"""Only the process itself knows: to its parent, what it was before `exec` counts as well."""


def _peak_of(case: Case, *argv: str) -> int:
    """Bytes of memory that one process of vmem had at most."""
    done = subprocess.run(
        [sys.executable, "-c", _TOLD, "--vault", str(case.root), *argv],
        cwd=REPOSITORY, capture_output=True, text=True, check=True, timeout=120,
    )  # fmt: skip
    code, peak = done.stderr.splitlines()[-1].split()
    assert code == "0"
    return int(peak) * 1024
