"""Secrets made up at run time, so that no scanner trips over this repository; none of them opens anything."""

from __future__ import annotations

import base64
import string
from collections.abc import Callable
from random import Random

UPPER32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
WORD = string.ascii_letters + string.digits
TEN = string.digits
HEX = TEN + "abcdef"
URL = WORD + "-_"
DASHES = "-" * 5


def drawn(random: Random, count: int, alphabet: str = WORD) -> str:
    """`count` characters by chance."""
    return "".join(random.choice(alphabet) for _ in range(count))


def key_block(random: Random, kind: str = "RSA PRIVATE", line_end: str = "\n") -> str:
    """A private key as a file holds it."""
    body = [drawn(random, 64, WORD + "+/") for _ in range(4)]
    return line_end.join([f"{DASHES}BEGIN {kind} KEY{DASHES}", *body, f"{DASHES}END {kind} KEY{DASHES}"])


def _discord(random: Random) -> str:
    number = base64.b64encode(drawn(random, 18, string.digits).encode()).decode().rstrip("=")
    return f"{number}.{drawn(random, 6)}.{drawn(random, 38)}"


def _jwt(random: Random) -> str:
    head = base64.urlsafe_b64encode(b'{"alg":"HS256","typ":"JWT"}').decode().rstrip("=")
    claims = base64.urlsafe_b64encode(f'{{"sub":"{drawn(random, 12)}"}}'.encode()).decode().rstrip("=")
    return f"{head}.{claims}.{drawn(random, 43)}"


Maker = Callable[[Random], str]


def _made(beginning: str, count: int, alphabet: str = WORD, end: str = "") -> Maker:
    return lambda random: beginning + drawn(random, count, alphabet) + end


TOKENS: dict[str, tuple[Maker, ...]] = {
    "github-token": (
        *(_made(f"gh{kind}_", 36) for kind in "pousr"),
        lambda random: f"github_pat_{drawn(random, 22)}_{drawn(random, 59)}",
    ),
    "gitlab-token": (_made("glpat-", 20, URL), _made("gldt-", 20)),
    "aws-access-key": (_made("AKIA", 16, UPPER32), _made("ASIA", 16, UPPER32)),
    "google-api-key": (_made("AIza", 35),),
    "google-oauth-secret": (_made("GOCSPX-", 28),),
    "slack-token": (
        lambda random: f"xoxb-{drawn(random, 12, TEN)}-{drawn(random, 13, TEN)}-{drawn(random, 24)}",
        _made("xoxp-1", 40),
    ),
    "slack-webhook": (
        lambda random: (
            "https://hooks.slack.com/services/"
            f"T{drawn(random, 8, UPPER32)}/B{drawn(random, 8, UPPER32)}/{drawn(random, 24)}"
        ),
    ),
    "stripe-key": (_made("sk_live_", 24), _made("rk_live_", 99)),
    "anthropic-key": (_made("sk-ant-api03-", 95),),
    "openai-key": (_made("sk-proj-", 64), _made("sk-", 48)),
    "openrouter-key": (_made("sk-or-v1-", 64, HEX),),
    "groq-key": (_made("gsk_", 52),),
    "huggingface-token": (_made("hf_", 34),),
    "npm-token": (_made("npm_", 36),),
    "pypi-token": (_made("pypi-AgEIcHlwaS5vcmc", 100),),
    "docker-token": (_made("dckr_pat_", 27),),
    "azure-storage-key": (_made("DefaultEndpointsProtocol=https;AccountKey=", 86, end="=="),),
    "telegram-bot-token": (lambda random: f"{drawn(random, 10, '123456789')}:AA{drawn(random, 33)}",),
    "twilio-key": (_made("SK", 32, HEX),),
    "sendgrid-key": (lambda random: f"SG.{drawn(random, 22)}.{drawn(random, 43)}",),
    "mailgun-key": (_made("key-", 32, HEX),),
    "mailchimp-key": (_made("", 32, HEX, end="-us12"),),
    "discord-bot-token": (_discord,),
    "discord-webhook": (
        lambda random: f"https://discord.com/api/webhooks/1{drawn(random, 17, TEN)}/{drawn(random, 68)}",
    ),
    "digitalocean-token": (_made("dop_v1_", 64, HEX),),
    "shopify-token": (_made("shpat_", 32, HEX),),
    "databricks-token": (_made("dapi", 32, HEX),),
    "notion-token": (_made("ntn_", 46), _made("secret_", 43)),
    "linear-key": (_made("lin_api_", 40),),
    "hashicorp-vault-token": (_made("hvs.", 90),),
    "json-web-token": (_jwt,),
    "private-key": (
        key_block,
        lambda random: key_block(random, "PRIVATE"),
        lambda random: key_block(random, "EC PRIVATE"),
        lambda random: key_block(random, "OPENSSH PRIVATE"),
        lambda random: key_block(random, "ENCRYPTED PRIVATE"),
        lambda random: key_block(random, "RSA PRIVATE", line_end="\\n"),
    ),
}
"""Rule → makers of what it must find."""
