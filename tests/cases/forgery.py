"""Stand-ins for `gh` and `curl` that keep one pull request's comments in a file, as a forge would."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.cases.doors import REPOSITORY

_COMMON = """\
import json, os, re, sys
place = os.environ["COMMENTS"]
comments = json.load(open(place))
def say(why):
    sys.exit(f"stand-in: {why}: {sys.argv[1:]}")
def put(body, number=None):
    if number is None:
        comments.append({"id": 100 + len(comments), "login": os.environ["WHO"], "body": body})
    else:
        [one] = [one for one in comments if one["id"] == number]
        if one["login"] != os.environ["WHO"]:
            sys.exit(22)
        one["body"] = body
    json.dump(comments, open(place, "w"))
"""

_GH = (
    _COMMON
    + """\
words = sys.argv[1:]
if words.pop(0) != "api" or not os.environ.get("GH_TOKEN"):
    say("no token, or not the api")
path = next(word for word in words if word.startswith("repos/"))
if "--jq" in words:
    asked = words[words.index("--jq") + 1]
    form = '.[] | select(.user.login == "LOGIN" and (.body | startswith("MARK"))) | .id'
    form = re.escape(form).replace("LOGIN", '([^"]+)').replace("MARK", '([^"]+)')
    found = re.fullmatch(form, asked)
    if found is None or path != "repos/o/r/issues/7/comments":
        say("a question that it does not know")
    for one in comments:
        if one["login"] == found[1] and one["body"].startswith(found[2]):
            print(one["id"])
else:
    body = open(words[words.index("-F") + 1].removeprefix("body=@")).read()
    method = words[words.index("--method") + 1]
    if (method, path) == ("POST", "repos/o/r/issues/7/comments"):
        put(body)
    elif method == "PATCH" and path.startswith("repos/o/r/issues/comments/"):
        put(body, int(path.rpartition("/")[2]))
    else:
        say("no such door")
"""
)

_CURL = (
    _COMMON
    + """\
words = sys.argv[1:]
head = sys.stdin.read() if words[:2] == ["--config", "-"] else ""
if head != os.environ["HEADER"] or os.environ["MEMORY_TOKEN"] in " ".join(words):
    say(f"the token came otherwise ({head})")
url = words[-1]
if "--request" not in words:
    if url != os.environ["LIST"]:
        say("no such list")
    print(json.dumps(comments))
    sys.exit()
method, wanted = words[words.index("--request") + 1], os.environ["CHANGE"]
body = json.load(open(words[words.index("--data-binary") + 1].removeprefix("@")))["body"]
if method == "POST" and url == os.environ["LIST"].partition("?")[0]:
    put(body)
elif method == wanted and url.startswith(os.environ["ONE"] + "/"):
    put(body, int(url.rpartition("/")[2]))
else:
    say("no such door")
"""
)


@dataclass(frozen=True, slots=True)
class Forge:
    """A folder of programs, and the comments on pull request 7."""

    folder: Path

    @classmethod
    def at(cls, folder: Path, comments: list[dict[str, Any]], *, vmem: str = "") -> Forge:
        """A new one with `vmem` (the real one, or a shell's lines in its place), `gh` and `curl`."""
        (folder / "bin").mkdir(parents=True)
        forge = cls(folder)
        forge._program("vmem", vmem or f'#!/bin/sh\nexec "{sys.executable}" -m vault_memory "$@"\n')
        for name, text in (("gh", _GH), ("curl", _CURL)):
            forge._program(name, f"#!{sys.executable}\n{text}")
        (folder / "comments.json").write_text(json.dumps(comments), encoding="utf-8")
        return forge

    def _program(self, name: str, text: str) -> None:
        place = self.folder / "bin" / name
        place.write_text(text, encoding="utf-8")
        place.chmod(0o755)

    @property
    def comments(self) -> list[tuple[str, str]]:
        """(who, text) of each comment."""
        read = json.loads((self.folder / "comments.json").read_text(encoding="utf-8"))
        return [(one["login"], one["body"]) for one in read]

    def run(self, *argv: str, cwd: Path, environment: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
        """A command with these programs in front of all others."""
        env = os.environ | {
            "PATH": f"{self.folder / 'bin'}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": str(REPOSITORY),
            "PYTHON": sys.executable,
            "COMMENTS": str(self.folder / "comments.json"),
            **environment,
        }
        done = subprocess.run(
            argv, cwd=cwd, env=env, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8",
            timeout=100, check=False,
        )  # fmt: skip
        assert "Traceback" not in done.stderr, done.stderr
        return done
