"""The keys of vendors, told by their beginnings: one row each, from what the vendors say of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from vault_memory.adapters.scanners.find import Find, compiled, stands_apart
from vault_memory.adapters.scanners.samples import is_sample

WORD = "[A-Za-z0-9]"
URL = "[A-Za-z0-9_-]"
HEX = "[0-9a-f]"
END = "(?![A-Za-z0-9])"


class Row(NamedTuple):
    """Tokens of one vendor: any of the beginnings, then `tail`, behind `before` where that is given.

    `apart` rows have a beginning that words have too, so no letter or digit may stand before it.
    """

    rule: str
    beginnings: tuple[str, ...]
    tail: str
    apart: bool = False
    before: str = ""


ROWS = (
    Row("github-token", ("ghp_", "gho_", "ghu_", "ghs_", "ghr_"), WORD + "{30,}"),
    Row("github-token", ("github_pat_",), "[A-Za-z0-9_]{40,}"),
    Row("gitlab-token", ("glpat-", "gldt-", "glrt-", "glptt-", "glcbt-", "glsoat-", "gloas-"), URL + "{20,}"),
    Row("aws-access-key", ("AKIA", "ASIA"), "[A-Z0-9]{16}" + END, apart=True),
    Row("aws-bedrock-key", ("ABSK",), "[A-Za-z0-9+/]{100,}", apart=True),
    Row("google-api-key", ("AIza",), URL + "{35}(?![A-Za-z0-9_-])", apart=True),
    Row("google-oauth-secret", ("GOCSPX-",), URL + "{24,}"),
    Row("google-oauth-token", ("ya29.",), URL + "{30,}", apart=True),
    Row("slack-token", ("xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xoxc-", "xoxd-"),
        r"[A-Za-z0-9%-]{16,}"),
    Row("slack-token", ("xapp-",), r"[0-9]-[A-Z0-9]+-[0-9]+-[0-9a-f]{32,}"),
    Row("slack-webhook", ("hooks.slack.com/services/",), r"T[A-Z0-9]{6,}/B[A-Z0-9]{6,}/[A-Za-z0-9]{16,}"),
    Row("stripe-key", ("sk_live_", "rk_live_"), WORD + "{16,}"),
    Row("stripe-webhook-secret", ("whsec_",), r"[A-Za-z0-9+/]{24,}"),
    Row("anthropic-key", ("sk-ant-",), URL + "{32,}"),
    Row("openrouter-key", ("sk-or-v1-",), HEX + "{32,}"),
    Row("openai-key", ("sk-proj-", "sk-svcacct-", "sk-admin-"), URL + "{32,}"),
    Row("openai-key", ("sk-",), WORD + "{32,}", apart=True),
    Row("groq-key", ("gsk_",), WORD + "{40,}", apart=True),
    Row("xai-key", ("xai-",), WORD + "{60,}", apart=True),
    Row("replicate-token", ("r8_",), WORD + "{36,}", apart=True),
    Row("perplexity-key", ("pplx-",), WORD + "{40,}"),
    Row("huggingface-token", ("hf_",), WORD + "{30,}", apart=True),
    Row("npm-token", ("npm_",), WORD + "{36,}", apart=True),
    Row("pypi-token", ("pypi-Ag",), URL + "{50,}"),
    Row("rubygems-key", ("rubygems_",), HEX + "{48}" + END),
    Row("docker-token", ("dckr_pat_", "dckr_oat_"), URL + "{24,}"),
    Row("azure-storage-key", ("AccountKey=", "SharedAccessKey="), r"[A-Za-z0-9+/]{40,}={0,2}"),
    Row("azure-client-secret", ("8Q~",), r"[A-Za-z0-9_~.-]{31,34}" + END, before=r"[A-Za-z0-9_~.-]{3}"),
    Row("telegram-bot-token", (":AA",), URL + "{33}(?![A-Za-z0-9_-])", before="(?<![0-9])[0-9]{8,12}"),
    Row("twilio-key", ("SK",), HEX + "{32}" + END, apart=True),
    Row("sendgrid-key", ("SG.",), URL + "{16,32}[.]" + URL + "{32,64}", apart=True),
    Row("mailgun-key", ("key-",), HEX + "{32}" + END, apart=True),
    Row("mailchimp-key", ("-us",), "[0-9]{1,2}" + END, apart=True, before=HEX + "{32}"),
    Row("discord-webhook", ("discord.com/api/webhooks/", "discordapp.com/api/webhooks/"),
        "[0-9]{15,21}/" + URL + "{50,}"),
    Row("digitalocean-token", ("dop_v1_", "doo_v1_", "dor_v1_"), HEX + "{64}" + END),
    Row("shopify-token", ("shpat_", "shpca_", "shppa_", "shpss_"), "[0-9a-fA-F]{32}" + END),
    Row("databricks-token", ("dapi",), HEX + "{32}(?:-[0-9])?" + END, apart=True),
    Row("linear-key", ("lin_api_",), WORD + "{32,}"),
    Row("notion-token", ("ntn_",), WORD + "{40,}", apart=True),
    Row("notion-token", ("secret_",), WORD + "{43}" + END, apart=True),
    Row("atlassian-token", ("ATATT3", "ATCTT3"), r"[A-Za-z0-9_=-]{60,}", apart=True),
    Row("doppler-token", ("dp.pt.", "dp.st.", "dp.sa."), r"[A-Za-z0-9_.-]{40,}", apart=True),
    Row("postman-key", ("PMAK-",), HEX + "{24}-" + HEX + "{34}"),
    Row("grafana-token", ("glsa_",), WORD + "{32}_[0-9a-fA-F]{8}"),
    Row("grafana-token", ("glc_",), r"[A-Za-z0-9+/]{32,}={0,2}", apart=True),
    Row("hashicorp-vault-token", ("hvs.", "hvb.", "hvr."), URL + "{24,}", apart=True),
    Row("terraform-token", (".atlasv1.",), URL + "{60,}", before="[A-Za-z0-9]{14}"),
    Row("figma-token", ("figd_",), URL + "{40,}"),
    Row("supabase-key", ("sbp_",), HEX + "{40}" + END, apart=True),
    Row("supabase-key", ("sb_secret_",), URL + "{20,}"),
    Row("tailscale-key", ("tskey-",), r"[a-z]+-[A-Za-z0-9-]{20,}"),
    Row("newrelic-key", ("NRAK-",), "[A-Z0-9]{27}" + END),
    Row("sentry-token", ("sntrys_", "sntryu_"), r"[A-Za-z0-9+/=_-]{40,}"),
    Row("planetscale-token", ("pscale_tkn_", "pscale_pw_", "pscale_oauth_"), r"[A-Za-z0-9_.=-]{32,}"),
    Row("square-token", ("sq0csp-", "sq0atp-"), URL + "{22,}"),
    Row("heroku-key", ("HRKU-",), URL + "{36,}"),
    Row("alibaba-key", ("LTAI",), WORD + "{16,26}" + END, apart=True),
    Row("tencent-key", ("AKID",), WORD + "{32}" + END, apart=True),
    Row("age-secret-key", ("AGE-SECRET-KEY-1",), "[A-Z0-9]{40,}"),
)  # fmt: skip

_BEHIND = 40
"""Characters before a beginning that a row's `before` may look at."""


SHORTEST = 20
"""Characters of the shortest key."""


def vendor_keys(text: str, words: str) -> Iterator[Find]:
    """Every vendor's key in a text; `words` are those of its words that are not shorter than one."""
    if not words:
        return
    for row in ROWS:
        for beginning in row.beginnings:
            if beginning in words:
                yield from _each(text, row, beginning)


def _each(text: str, row: Row, beginning: str) -> Iterator[Find]:
    at = text.find(beginning)
    while at >= 0:
        end = at + len(beginning)
        tail = compiled(row.tail).match(text, end)
        if tail is not None:
            start, end = _start(text, row, at), tail.end()
            if start is not None and not is_sample(text[start:at] + tail[0]):
                yield Find(row.rule, start, end)
        at = text.find(beginning, end)


def _start(text: str, row: Row, at: int) -> int | None:
    """Where the key begins; `None` where what must stand before its mark does not."""
    start: int | None = at
    if row.before:
        behind = text[max(0, at - _BEHIND) : at]
        found = compiled(f"(?:{row.before})$").search(behind)
        start = None if found is None else at - len(behind) + found.start()
    return start if start is None or not row.apart or stands_apart(text, start) else None
