"""How the server on HTTP begins: the token that it makes or is given, and the address that it may have."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.gitrun import run_git
from tests.mcp.webbing import HELLO, Served, Web, listening
from vault_memory.live.bearing import token_of
from vault_memory.surfaces.cli.app import main
from vault_memory.surfaces.mcp.listening import Address
from vault_memory.vault import Vault


def test_the_token_stays_the_same_and_two_that_make_it_at_once_agree(root: Path, tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        made = [pool.submit(token_of, root, "dora", read_only=False, file=None) for _ in range(16)]
        tokens = {one.result()[0] for one in made}
    assert len(tokens) == 1
    assert tokens == {token_of(root, "dora", read_only=False, file=None)[0]}
    assert len(tokens | {token_of(root, None, read_only=False, file=None)[0]}) == 2
    own = tmp_path / "own"
    assert token_of(root, "dora", read_only=False, file=own)[0] == own.read_text("ascii").strip()


def refused(root: Path, capsys: pytest.CaptureFixture[str], *argv: str) -> str:
    """What `vmem mcp --http` says that can't begin."""
    assert main(["mcp", "--vault", str(root), "--http", "--port", "0", *argv]) == 78
    heard = capsys.readouterr()
    assert heard.out == ""
    return heard.err


def test_a_token_that_others_can_read_or_that_is_none_is_refused(
    root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "token"
    file.write_text("x" * 40)
    file.chmod(0o644)
    assert "others can read it" in refused(root, capsys, "--token-file", str(file))
    file.chmod(0o600)
    (tmp_path / "link").symlink_to(file)
    assert "it is a link" in refused(root, capsys, "--token-file", str(tmp_path / "link"))
    for text in ("", "short", "two words " * 10, "x" * 40 + "ü"):
        file.write_text(text)
        said = refused(root, capsys, "--token-file", str(file))
        assert "no token of at least 20" in said
        assert len(text) < 6 or text[:6] not in said


def test_a_token_that_came_with_the_repository_lets_nobody_in(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    theirs, clone = tmp_path / "theirs", tmp_path / "clone"
    Vault.create(theirs)
    tokens = theirs / ".vmem" / "local" / "mcp-tokens"
    tokens.mkdir()
    (tokens / "cleo").write_text("known-to-whoever-committed-it\n")
    run_git(theirs, "add", "--force", ".vmem")
    run_git(theirs, "commit", "-qm", "x")
    run_git(tmp_path, "clone", "-q", str(theirs), str(clone))
    brought = clone / ".vmem" / "local" / "mcp-tokens"
    (brought / "cleo").chmod(0o600)  # as a umask of 077 leaves it
    said = refused(clone, capsys, "--agent", "cleo")
    assert "it came with the repository" in said
    assert "known-to" not in said
    assert len(token_of(clone, "dora", read_only=False, file=None)[0]) == 64
    run_git(clone, "rm", "-q", "-r", ".vmem/local")
    (brought / "dora").unlink()
    brought.rmdir()
    brought.symlink_to(tmp_path)
    assert "it is a link" in refused(clone, capsys, "--agent", "cleo")
    assert not (tmp_path / "cleo").exists()


def test_an_address_that_is_not_this_machine_s_alone_is_refused_unless_allowed(
    root: Path, capsys: pytest.CaptureFixture[str], web_of_ann: Served
) -> None:
    assert "other machines could call" in refused(root, capsys, "--host", "0.0.0.0")
    assert "no address of this machine" in refused(root, capsys, "--host", "no.such.name.invalid")
    assert f"port {web_of_ann.port}" in refused(root, capsys, "--port", str(web_of_ann.port))
    with listening(root, address=Address("0.0.0.0", 0, remote=True)) as served:
        for host, status in (("192.168.7.7:80", 200), ("evil.example", 403), ("0.0.0.0", 200)):
            assert Web(served.port, served.token).post(HELLO, Host=host).status == status
            assert Web(served.port, "wrong").post(HELLO, Host=host).status in (401, 403)


def test_its_options_are_no_use_without_it(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for options in (["--port", "1"], ["--host", "::1"], ["--allow-remote"], ["--token-file", "x"]):
        assert main(["mcp", "--vault", str(root), *options]) == 2
        assert "add --http" in capsys.readouterr().err
