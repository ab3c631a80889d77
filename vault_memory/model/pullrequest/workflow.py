"""The workflow for GitHub: lint, recall checks, and the diff as one comment on the pull request.

What comes from a pull request is handled as data alone. No text of one stands in a script (`run` reads
numbers and commit ids from its environment), nothing of its files is executed, and the job that may write
comments checks nothing out. For a pull request from a fork GitHub gives no right to write, and that job
does not run; the diff then stands in the summary of the checks.
"""

from __future__ import annotations

import json
import re

from vault_memory.errors import ValueFormatError
from vault_memory.model.pullrequest.mark import MARK, NOTHING

NAME = ".github/workflows/vmem.yml"
"""Where it lies, from the top of the repository."""
_PACKAGE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._~:/@+=<>!,\[\]#&%-]*")
_PACKAGE_LINE = re.compile(r'^  MEMORY_PACKAGE: "([^"\n]*)"$', re.MULTILINE)

_TEXT = """\
# Memories in pull requests: what changes in words, whether the files are sound, whether recall still finds
# what it must. The page docs/ci.md of vault-memory says how to pin the actions to commits.
name: memory

on:
  pull_request:

permissions: {}

concurrency:
  group: memory-${{ github.event.pull_request.number }}
  cancel-in-progress: true

env:
  VMEM_VAULT: @VAULT@
  MEMORY_PACKAGE: @PACKAGE@
  VMEM_RESIDENT: "off"

defaults:
  run:
    shell: bash

jobs:
  check:
    runs-on: ubuntu-latest
    timeout-minutes: 20
    permissions:
      contents: read
    steps:
      - uses: actions/checkout@v4
        with:
          fetch-depth: 0
          persist-credentials: false
      - uses: actions/setup-python@v5
        with:
          python-version: "3.12"
      - name: Install vmem
        run: python -m pip install --disable-pip-version-check --quiet "$MEMORY_PACKAGE"
      - name: Say what changes
        env:
          BASE: ${{ github.event.pull_request.base.sha }}
          HEAD: ${{ github.event.pull_request.head.sha }}
        run: |
          # Not among the memories: it repeats them, and would be linted and recalled as one.
          vmem diff --markdown "$BASE...$HEAD" > "$RUNNER_TEMP/vmem-diff.md"
          cat "$RUNNER_TEMP/vmem-diff.md" >> "$GITHUB_STEP_SUMMARY"
      - name: Keep it for the comment
        uses: actions/upload-artifact@v4
        with:
          name: vmem-diff
          path: ${{ runner.temp }}/vmem-diff.md
          retention-days: 1
      - name: Lint
        if: ${{ !cancelled() }}
        run: vmem lint --format github
      - name: Look for secrets
        if: ${{ !cancelled() }}
        run: vmem lint --secrets --format github
      - name: Check recall
        if: ${{ !cancelled() }}
        run: vmem check --format github

  comment:
    needs: check
    # A pull request from a fork gives no right to write; its diff stands in the summary of the job above.
    if: >-
      ${{ !cancelled()
      && github.event.pull_request.head.repo.full_name == github.repository
      && github.actor != 'dependabot[bot]' }}
    runs-on: ubuntu-latest
    timeout-minutes: 5
    permissions:
      pull-requests: write
    steps:
      - uses: actions/download-artifact@v4
        with:
          name: vmem-diff
      - name: Put it into one comment
        env:
          GH_TOKEN: ${{ github.token }}
          NUMBER: ${{ github.event.pull_request.number }}
        run: |
          issues="repos/$GITHUB_REPOSITORY/issues"
          ours='.[] | select(.user.login == "github-actions[bot]" and (.body | startswith("@MARK@"))) | .id'
          id=$(gh api --paginate "$issues/$NUMBER/comments" --jq "$ours" | sed -n 1p)
          if [ -n "$id" ]; then
            gh api --silent --method PATCH "$issues/comments/$id" -F body=@vmem-diff.md
          elif ! grep -q '^@NOTHING@' vmem-diff.md; then
            gh api --silent --method POST "$issues/$NUMBER/comments" -F body=@vmem-diff.md
          fi
"""


def workflow(vault: str, package: str) -> str:
    """The text; `vault` is its folder in the repository (`.` for all of it), `package` what pip takes.

    Raises `ValueFormatError` for what could say something else to GitHub or to pip.
    """
    if not _PACKAGE.fullmatch(package):
        raise ValueFormatError(
            "package", package, "what pip installs, such as git+https://HOST/REPOSITORY@TAG"
        )
    if "${{" in vault or not vault.isprintable():
        raise ValueFormatError("the vault's folder", vault, "a name without ${{ and control characters")
    words = {"VAULT": vault, "PACKAGE": package}
    text = _TEXT.replace("@MARK@", MARK).replace("@NOTHING@", NOTHING)
    for name, word in words.items():
        text = text.replace(f"@{name}@", json.dumps(word, ensure_ascii=False))
    return text


def package_in(text: str) -> str | None:
    """What pip installs by a workflow of ours, `None` where that can't be told."""
    found = _PACKAGE_LINE.search(text)
    return found[1] if found is not None else None
