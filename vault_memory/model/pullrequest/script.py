"""The script for forges other than GitHub: the same steps by a plain shell, curl and Python."""

from __future__ import annotations

from vault_memory.model.pullrequest.mark import MARK, NOTHING

NAME = ".vmem/ci.sh"
"""Where it lies in the vault."""

_TEXT = """\
# Checks the memories of a merge request, and says in words what it changes: docs/ci.md of vault-memory.
#   sh .vmem/ci.sh
# MEMORY_BASE     the commit or branch that it goes into; GitLab, Gitea and Forgejo tell it themselves
# MEMORY_OUT      the file for the diff; .vmem/local/vmem-diff.md without it, which is no memory
# MEMORY_COMMENT  gitlab, gitea or forgejo: keep the diff in one comment there
# MEMORY_TOKEN    the token for that
set -u
vault=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd) || exit 1
python=${PYTHON:-python3}
out=${MEMORY_OUT:-$vault/.vmem/local/vmem-diff.md}
failed=0
export VMEM_RESIDENT=off

base=${MEMORY_BASE:-${CI_MERGE_REQUEST_DIFF_BASE_SHA:-${GITHUB_BASE_REF:+origin/$GITHUB_BASE_REF}}}
if [ -n "$base" ]; then
    mkdir -p -- "$(dirname -- "$out")" || exit 1
    vmem --vault "$vault" diff --markdown -- "$base...HEAD" > "$out.new" || failed=1
    mv -- "$out.new" "$out" || exit 1
else
    echo 'ci.sh: no diff: nothing tells what this is to be merged into; MEMORY_BASE=BRANCH does' >&2
fi
vmem --vault "$vault" lint || failed=1
vmem --vault "$vault" lint --secrets || failed=1
vmem --vault "$vault" check || failed=1

# The token goes by a file that only curl reads: arguments are there for everybody to see.
call() {
    printf 'header = "%s%s"\n' "$head" "$MEMORY_TOKEN" |
        curl --config - --silent --show-error --fail --max-time 60 "$@"
}

comment() {
    case $MEMORY_COMMENT in
    gitlab)
        head='PRIVATE-TOKEN: ' change=PUT
        comments="$CI_API_V4_URL/projects/$CI_PROJECT_ID/merge_requests/$CI_MERGE_REQUEST_IID/notes"
        one=$comments list="$comments?sort=asc&order_by=created_at&per_page=100" ;;
    gitea | forgejo)
        head='Authorization: token ' change=PATCH
        number=${GITHUB_REF#refs/pull/}
        issues="$GITHUB_SERVER_URL/api/v1/repos/$GITHUB_REPOSITORY/issues"
        comments="$issues/${number%%/*}/comments"
        one="$issues/comments" list=$comments ;;
    *)
        echo "ci.sh: MEMORY_COMMENT can't be $MEMORY_COMMENT; it takes gitlab, gitea or forgejo" >&2
        return 1 ;;
    esac
    "$python" -c '
import json, sys
json.dump({"body": open(sys.argv[1], encoding="utf-8").read()}, sys.stdout)' "$out" > "$out.json" || return 1
    ids=$(call "$list" | "$python" -c '
import json, sys
for one in json.load(sys.stdin):
    if one["body"].startswith(sys.argv[1]):
        print(int(one["id"]))' '@MARK@') || return 1
    for id in $ids; do  # of those that begin so, the first that this token may change is ours
        send "$change" "$one/$id" && return 0
    done
    grep -q '^@NOTHING@' "$out" || send POST "$comments"
}

send() {
    call --output /dev/null --request "$1" --header 'Content-Type: application/json' \\
        --data-binary "@$out.json" "$2"
}

if [ -n "${MEMORY_COMMENT:-}" ] && [ -n "$base" ]; then
    comment || failed=1
    rm -f -- "$out.json"
fi
exit "$failed"
"""


def script() -> str:
    """The text, but for its first line, which tells by which vmem it was written. It is run as `sh FILE`."""
    return _TEXT.replace("@MARK@", MARK).replace("@NOTHING@", NOTHING)
