"""What the scanner calls a secret, what it lets pass, and on which line it says it is."""

from __future__ import annotations

import base64
import re
from pathlib import Path
from random import Random
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.made_secrets import DASHES, HEX, TOKENS, WORD, drawn, key_block
from vault_memory.adapters.scanners import NoRules, SecretTable
from vault_memory.adapters.scanners.vendors import ROWS, SHORTEST

ROOT = Path(__file__).parents[2]
TABLE = SecretTable()
MAKERS = [(rule, number) for rule, makers in TOKENS.items() for number in range(len(makers))]
PLACES = (
    "{}",
    "the token is {}",
    "see `{}`.",
    '"{}"',
    "'{}',",
    "({})",
    "<{}>",
    "[x]({})",
    "TOKEN={}",
    "token: {}",
    '{{"a": "{}"}}',
    "- key:\t{}",
    "> {}",
    "| a | {} |",
    "https://example.org/?a=1&t={}",
    "**{}**",
    "x={};y=2",
    "一个令牌：{}。",
    "```\n{}\n```",
    "line\\n{}",
)
PROSE = (
    "Deploys are frozen on Fridays.",
    "",
    "# Heading",
    "- [ ] a task",
    "本番の鍵は金庫にあります。",
    "see [[market-regime]] and https://example.org/a/b?c=d#e",
    "| a | b |",
    "RSI > 70 was followed by −12 %",
)


def rules(text: str) -> list[str]:
    return [rule for rule, _ in TABLE.scan(text)]


def test_without_rules_nothing_is_found() -> None:
    text = "password: " + drawn(Random(1), 20)
    assert NoRules().scan(text) == []
    assert NoRules().mask(text) == text


@given(
    which=st.sampled_from(MAKERS),
    seed=st.integers(0, 2**32),
    place=st.sampled_from(PLACES),
    above=st.lists(st.sampled_from(PROSE), max_size=6),
    below=st.lists(st.sampled_from(PROSE), max_size=3),
    line_end=st.sampled_from(["\n", "\r\n"]),
)
@settings(max_examples=600, deadline=None)
def test_a_key_is_found_wherever_it_stands_and_on_its_line(
    which: tuple[str, int], seed: int, place: str, above: list[str], below: list[str], line_end: str
) -> None:
    rule, number = which
    secret = TOKENS[rule][number](Random(seed))
    lines = [*above, *place.format(secret).split("\n"), *below]
    text = line_end.join(lines)
    found = TABLE.scan(text)
    line = next(at for at, one in enumerate(lines, start=1) if secret.split("\n")[0] in one)
    assert rule in [name for name, _ in found], text
    # Of a key block the first line of the key itself is told, below its head.
    first = line + (rule == "private-key" and "\n" in secret)
    assert first in [at for _, at in found]
    masked = TABLE.mask(text)
    assert secret[-16:].rstrip("-\n") not in masked or rule in {"private-key", "azure-storage-key"}


@given(seed=st.integers(0, 2**32), rule=st.sampled_from(sorted(TOKENS)))
@settings(max_examples=100, deadline=None)
def test_what_is_found_is_never_in_what_the_scanner_gives_back(seed: int, rule: str) -> None:
    secret = TOKENS[rule][0](Random(seed))
    assert secret not in repr(TABLE.scan(f"a\n{secret}\nb"))


FIELD_CASES = {
    "a token of a pattern": ("token ghp" + "_" + "A1b2C3d4" * 5, "github-token"),
    "an address": ("https://u:p4ss@" + "host/", "password-in-url"),
    "an exported variable": ("export DB_PASSWORD=" + "hunter22", "assigned-password"),
    "a key cut short": (
        f"{DASHES}BEGIN PRIVATE KEY{DASHES}\nMIIEow==\n{DASHES}END PRIVATE KEY{DASHES}",
        "private-key",
    ),
    "head and tail of a key": (
        f"{DASHES}BEGIN RSA PRIVATE KEY{DASHES}\n{DASHES}END RSA PRIVATE KEY{DASHES}",
        "private-key",
    ),
}


@pytest.mark.parametrize(("text", "rule"), FIELD_CASES.values(), ids=FIELD_CASES.keys())
def test_the_usual_leaks_are_found(text: str, rule: str) -> None:
    assert rules(text) == [rule]


PASSWORD = "Tr0ub4" + "dor&3"
KEY = drawn(Random(7), 32)
HEX_KEY = drawn(Random(8), 40, HEX)
FOUND = (
    f"password: {PASSWORD}",
    f'password: "{PASSWORD}"',
    f"PASSWORD='{PASSWORD}'",
    f"pwd = {PASSWORD}",
    f"**Password:** {PASSWORD}",
    f"**Password**: `{PASSWORD}`",
    f"- Passwort: {PASSWORD}",
    f"the database password is {PASSWORD} until May",
    f"The password is now {PASSWORD}.",
    f"| DB_PASSWORD | {PASSWORD} |",
    f"密码：{PASSWORD}",
    f"パスワードは{PASSWORD}",
    f'"dbPassword": "{PASSWORD}",',
    f"mysql --password {PASSWORD} -u root",
    f"Server=db;Uid=sa;Pwd={PASSWORD};Encrypt=yes",
    f"PGPASSWORD={PASSWORD} psql",
    f"spring.datasource.password={PASSWORD}",
    f"passphrase: {PASSWORD}  # for the key",
    f"password: !{PASSWORD}",
    f"password: @{PASSWORD}",
    f"password: bob:{PASSWORD}",
    f"api_key={KEY}",
    f"API key: {KEY}",
    f"apiKey: '{KEY}'",
    f"x-api-key: {KEY}",
    f'client_secret = "{KEY}"',
    f"SECRET_KEY={KEY}",
    f"aws_secret_access_key = {drawn(Random(9), 40, WORD + '/+')}",
    f"access token: {KEY}",
    f"token={HEX_KEY}",
    f"api_key: {HEX_KEY}",
    f"?access_token={KEY}&x=1",
    f"https://a.example.org/x?token={KEY}",
    f"Authorization: Bearer {KEY}",
    f'-H "Authorization: Bearer {KEY}"',
    f"authorization: token {KEY}",
    f'{{"Authorization": "Bearer {KEY}"}}',
    "Authorization: Basic " + base64.b64encode(b"bob:" + PASSWORD.encode()).decode(),
    f"machine api.example.org login me password {KEY}",
    f"machine h\n  login me\n  password {PASSWORD}\n",
    f"curl -u bob:{PASSWORD} https://example.org",
    f"redis://:{KEY}@cache.example.org:6379/0",
    f"postgres://app:{PASSWORD.replace('&', '')}@db.example.org/app",
    f"ftp://bob:{PASSWORD}@example.org",
    "AGE-SECRET-KEY-1" + drawn(Random(3), 58, "ABCDEFGHJKLMNPQRSTUVWXYZ023456789"),
)


@pytest.mark.parametrize("text", FOUND)
def test_a_secret_is_known_by_its_name_or_its_place(text: str) -> None:
    assert len(TABLE.scan(f"a line before\n{text}")) == 1
    assert TABLE.scan(f"a line before\n{text}")[0][1] >= 2


UUID = "550e8400-e29b-41d4-a716-446655440000"
SHA = drawn(Random(4), 40, HEX)
PIXELS = base64.b64encode(Random(5).randbytes(6000)).decode()
CLEAN = (
    f"commit {SHA}",
    f"commit: {SHA}",
    f"sha256: {drawn(Random(6), 64, HEX)}",
    f"{drawn(Random(6), 64, HEX)}  x.tar.gz",
    f"id: {UUID}",
    f"token: {UUID}",
    f"client_secret_id={UUID}",
    "id: 01K8ZQ4T7R3M5N9V2XW6Y0ABCD",
    "the token is 01K8ZQ4T7R3M5N9V2XW6Y0ABCD",
    f"the token is {SHA}",
    f"password_hash: {SHA}",
    f"token_sha256={SHA}",
    f"![x](data:image/png;base64,{PIXELS})",
    f'integrity="sha512-{PIXELS[:86]}=="',
    f"sha256-{PIXELS[:43]}=",
    "ssh-rsa " + PIXELS[:372] + " me@host",
    "ssh-ed25519 " + PIXELS[:68] + " me@host",
    f"{DASHES}BEGIN PUBLIC KEY{DASHES}\n{PIXELS[:64]}\n{DASHES}END PUBLIC KEY{DASHES}",
    f"{DASHES}BEGIN CERTIFICATE{DASHES}\n{PIXELS[:64]}\n{DASHES}END CERTIFICATE{DASHES}",
    f"Look for a line `{DASHES}BEGIN RSA PRIVATE KEY{DASHES}` in it.",
    f"{DASHES}BEGIN PRIVATE KEY{DASHES}\n...\n{DASHES}END PRIVATE KEY{DASHES}",
    f"Between {DASHES}BEGIN PRIVATE KEY{DASHES} and {DASHES}END PRIVATE KEY{DASHES} stands the key.",
    f'START = b"{DASHES}BEGIN PRIVATE KEY{DASHES}"\nTHE_END = b"{DASHES}END PRIVATE KEY{DASHES}"',
    ":param Ed25519PrivateKey|Ed25519PublicKey|Ed448PrivateKey|Ed448PublicKey key:",
    "AKIA" + "IOSFODNN7EXAMPLE",
    "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCY" + "EXAMPLEKEY",
    "sk_test_" + "4eC39HqLyjWDarjtT1zdp7dc",
    "STRIPE_KEY=sk_test_" + "4eC39HqLyjWDarjtT1zdp7dc",
    "ghp_" + "x" * 36,
    "ghp_" + "X" * 36,
    "ghp_" + "*" * 36,
    "github_pat_" + "x" * 60,
    "sk-" + "x" * 48,
    "sk-ant-…",
    "hf_" + "x" * 34,
    "ghp_...",
    "token: <your-token>",
    "token: ${TOKEN}",
    "token: $TOKEN",
    "token=%TOKEN%",
    "password: hunter2",
    "PASSWORD=$SECRET",
    "PASSWORD=${DB_PASSWORD:-x}",
    'api_key=os.environ["X"]',
    "api_key = os.getenv('API_KEY')",
    "apiKey: process.env.API_KEY,",
    "password = settings.database_password",
    "token: {{ secrets.TOKEN_2024 }}",
    "password: !vault |",
    "password: op://vault/item/password",
    "password: changeme",
    "password=your_password1",
    "the password is in 1Password",
    "Password: in 1Password",
    "password: 1Password",
    "password: ask Ann about it",
    "password: string",
    "password: str = Field(min_length=8)",
    "password: z.string().min(8)",
    "password: sha256-hashed with salt",
    "tokens: 2000",
    "max_tokens=2000",
    "token_count: 123456789",
    "tokenizer: cl100k_base",
    "secretary: ann1234567",
    "the secret is 2 cups of flour",
    "key: value12345",
    "primary key: user_id_2024",
    "front matter key `x1y2z3`",
    "https://user:password@example.com/",
    "https://user:<pw>@host/",
    "https://user:$PW@host/",
    "https://u:${X}@host",
    "https://USER:PASSWORD@host/",
    "postgres://postgres:postgres@localhost:5432/db",
    "git@github.com:a/b.git",
    "ssh://git@host:22/a",
    "https://medium.com/@ann/title-2f3a",
    "mailto:a@example.org",
    "http://a:8080/b@c",
    "Authorization: Bearer <token>",
    "Authorization: Bearer $TOKEN",
    "Bearer authentication is used",
    "bearer tokens expire",
    "Authorization: Basic dXNlcjpwYXNzd29yZA==",
    "Location: https://us02web.zoom.us/j/891?pwd=aTRrNzRvK3NhK2VOQThRZC9aaXVEdz09",
    "const token = parseConfigV2FromEnvironmentVariables",
    "const apiKey = await loadApiKeyFromSecretsManager()",
    "secret_name: my-service-credentials-2024-v2",
    "api_key: my-key-name-for-2024",
    "本番のパスワードは金庫にある。",
    "密码在保险箱里。",
    "task-1234567890abcdef1234567890abcdef12345678",
    "ASIA and AKIA are prefixes",
    "a curl -u user:password call",
    "machine learning",
    "https://example.org/"
    + "long-path-segment/" * 20
    + "?utm_source=a&utm_campaign=b2024c&id=123456789012345",
    "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4ifQ."
    + drawn(Random(2), 43),
)


@pytest.mark.parametrize("text", CLEAN)
def test_what_only_looks_like_a_secret_passes(text: str) -> None:
    assert TABLE.scan(text) == []
    assert TABLE.mask(text) == text


OWN_TEXTS = [
    page
    for place in (ROOT / "vault", ROOT / "docs", ROOT)
    for page in sorted(place.glob("*.md") if place == ROOT else place.rglob("*.md"))
]
OWN_LINES = [line for page in OWN_TEXTS for line in page.read_text(encoding="utf-8").split("\n") if line]


@pytest.mark.parametrize("page", OWN_TEXTS, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_pages_and_the_sample_vault_hold_no_secret(page: Path) -> None:
    assert TABLE.scan(page.read_text(encoding="utf-8")) == []


@given(st.lists(st.sampled_from(OWN_LINES), max_size=30))
@settings(max_examples=200, deadline=None)
def test_prose_in_any_order_is_no_secret(lines: list[str]) -> None:
    assert TABLE.scan("\n".join(lines)) == []


@given(st.text() | st.text(alphabet="password=: \"'\n@/-_.AKIAsk0123eyJ|*[]{}<>`&\\\r\tİß密码"))
@settings(max_examples=1000, deadline=None)
def test_no_text_makes_the_scanner_fail(text: str) -> None:
    lines = len(re.split("\r\n|\r|\n", text))
    for _, line in TABLE.scan(text):
        assert 1 <= line <= lines
    TABLE.mask(text)


def test_letters_that_grow_in_lower_case_move_no_line_and_no_place() -> None:
    text = "İİİİ\nİ password: " + PASSWORD
    assert TABLE.scan(text) == [("assigned-password", 2)]
    assert TABLE.mask(text) == "İİİİ\nİ password: [secret]"


def test_several_secrets_are_all_told_in_order() -> None:
    text = f"a\nhttps://u:p4ss@{'host'}/\n\npassword: {PASSWORD}\nghp_{KEY}{KEY[:4]}"
    assert TABLE.scan(text) == [("password-in-url", 2), ("assigned-password", 4), ("github-token", 5)]


def test_a_secret_that_was_there_already_is_not_told() -> None:
    token, other = (TOKENS["github-token"][0](Random(seed)) for seed in (1, 2))
    assert TABLE.scan(f"x\n{token}", known=f"a file with {token} in it") == []
    assert TABLE.scan(f"{token}\n{other}", known=token) == [("github-token", 2)]
    head_and_tail = key_block(Random(1)).split("\n")
    known = "\n".join([head_and_tail[0], key_block(Random(2)).split("\n")[1], head_and_tail[-1]])
    assert TABLE.scan("\n".join(head_and_tail), known=known) != [], "a new key between the old lines is new"


def test_an_allowed_text_passes_whole_and_allows_nothing_else() -> None:
    token, other = (TOKENS["github-token"][0](Random(seed)) for seed in (1, 2))
    assert SecretTable([token]).scan(f"a {token}") == []
    assert SecretTable([f"token {token} of the manual"]).scan(f"a {token}") == []
    assert SecretTable([token]).scan(other) == [("github-token", 1)]
    for part in ("ghp_", token[:20], "=", ""):
        assert SecretTable([part]).scan(f"a {token}") == [("github-token", 1)], "a part switches no rule off"


def test_every_vendor_key_is_at_least_as_long_as_the_words_that_are_looked_at() -> None:
    for row in ROWS:
        for beginning in row.beginnings:
            numbers = re.findall(r"\{(\d+)", row.tail)
            least = len(beginning) + sum(map(int, numbers)) - (5 if "slack.com" in beginning else 0)
            assert least >= SHORTEST or row.before, row


def test_a_note_costs_a_fraction_of_a_millisecond() -> None:
    notes = ["\n".join(OWN_LINES[at : at + 30]) for at in range(0, len(OWN_LINES), 30)]
    size = sum(map(len, notes)) / len(notes)
    for note in notes:
        TABLE.scan(note)
    began = process_time()
    for note in notes:
        TABLE.scan(note)
    taken = (process_time() - began) / len(notes)
    assert taken < 0.0003 * max(1.0, size / 2000) * 3, f"{taken * 1000:.3f} ms for {size:.0f} characters"


@pytest.mark.parametrize(
    "text",
    [
        "password" * 40_000,
        "://" * 60_000,
        "://a:" * 60_000,
        "key " * 60_000,
        "a" * 300_000,
        "eyJ" * 80_000,
        "MTAwMTAw" * 40_000,
        f"{DASHES}BEGIN PRIVATE KEY{DASHES}\n" * 4_000,
        "curl " * 40_000,
        "token = " * 40_000,
        "machine x login y " * 15_000,
        "authorization: " * 20_000,
        "--password " * 30_000,
        "ghp_" * 60_000,
        "glpat-" * 50_000,
        "eyJ-" * 60_000,
        "eyJaaaaaaaa." * 20_000,
        "xoxb-" * 50_000,
        "sk-proj-" * 40_000,
        "\n" * 300_000,
    ],
    ids=lambda text: repr(text[:12]),
)
def test_no_text_takes_long(text: str) -> None:
    began = process_time()
    TABLE.scan(text)
    assert process_time() - began < 5
