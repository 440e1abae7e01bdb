"""`deref serve` and `deref tokens` as a user runs them."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from e2e.shell import Shell


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(tmp_path / "library", "none", XDG_DATA_HOME=str(tmp_path / "data"))


def test_any_host_but_loopback_needs_a_token(shell: Shell, tmp_path: Path) -> None:
    for arguments in (("--host", "0.0.0.0"), ("--token-file", tmp_path / "none.json"), ("--host", "::")):
        ran = shell("serve", *arguments)
        assert ran.code == 2
        named = " ".join(map(str, ("", *arguments))) if "--token-file" in arguments else ""
        assert (
            f"there is no token in it, so nobody could call; add one with `deref tokens add LABEL{named}`"
            in ran.err
        )


def test_wrong_paths_are_one_line(shell: Shell, tmp_path: Path) -> None:
    ran = shell("serve", tmp_path / "nothing")
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert "nothing: no such file or folder" in ran.err


@pytest.mark.parametrize("command", [("serve",), ("mcp", "--http")])
def test_a_port_that_is_taken_is_one_line(shell: Shell, command: tuple[str, ...]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        ran = shell(*command, "--port", str(taken.getsockname()[1]))
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert "nothing can listen there (Address already in use); choose another --port" in ran.err


def test_a_library_that_cannot_serve_is_told_of_at_once(shell: Shell, tmp_path: Path) -> None:
    folder = tmp_path / "shelf"
    folder.mkdir()
    (folder / "a.md").write_text("# A\n\nText.\n")
    assert shell("index", folder).code == 0
    ran = shell("serve", folder, "--port", "0", DEREF_INDEX_CHUNK_TOKENS="99")
    assert (ran.code, ran.out) == (3, "")
    assert "it was indexed with other settings" in ran.err


def test_a_token_is_made_listed_used_and_removed(shell: Shell, tmp_path: Path) -> None:
    file = tmp_path / "tokens.json"
    assert shell("tokens", "list", "--token-file", file).out.startswith("No tokens yet.")
    made = shell("tokens", "add", "Ada, HR", "--role", "write", "--collection", "hr", "--token-file", file)
    secret = made.out.strip()
    assert made.code == 0 and secret.startswith("deref_") and "shown only now" in made.err
    (row,) = shell("tokens", "list", "--token-file", file, "--json").rows()
    assert (row["label"], row["role"], row["collections"], row["libraries"]) == (
        "Ada, HR",
        "write",
        ["hr"],
        None,
    )
    listed = shell("tokens", "list", "--token-file", file).out
    assert "Ada, HR: hr" in listed and secret not in listed
    process = subprocess.Popen(
        [sys.executable, "-m", "deref.cli.main", "serve", "--library", str(tmp_path / "team"), "--port", "0",
         "--token-file", str(file)],
        stdout=subprocess.PIPE, text=True, env={**os.environ, "DEREF_MODELS_EMBEDDER": "none", "PYTHONUNBUFFERED": ""},
    )  # fmt: skip
    try:
        assert process.stdout is not None
        said = process.stdout.readline()
        assert said.startswith("Deref serves team at http://127.0.0.1:")
        with httpx.Client(base_url=said.split()[-1], timeout=60) as client:
            assert client.get("/libraries").status_code == 401
            tools = process.stdout.readline()
            assert tools.startswith("Tools for a language model (MCP) are at http://127.0.0.1:")
            refused = httpx.post(tools.split()[-1], json={}, timeout=60)
            assert (refused.status_code, refused.json()["type"]) == (401, "urn:deref:problem:no-token")
            client.headers["Authorization"] = f"Bearer {secret}"
            assert client.get("/libraries").json()["role"] == "write"
            # A proxy calls by the name that it is known by: where tokens are asked for, that is no danger.
            assert client.get("/libraries", headers={"Host": "team.example"}).status_code == 200
            assert client.put("/libraries/team/collections/legal/files/a.md", content=b"x").status_code == 404
            assert (
                shell("tokens", "remove", "Ada, HR", "--token-file", file).out
                == f"removed {row['id']}  Ada, HR\n"
            )
            assert client.get("/libraries").status_code == 401
    finally:
        process.send_signal(signal.SIGTERM)
        assert process.wait() == 0
