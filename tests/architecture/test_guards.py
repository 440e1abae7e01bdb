"""The guards of the suite: no network but loopback, nothing in the user's folders, golden files are compared."""

from __future__ import annotations

import os
import socket
import tempfile
from pathlib import Path

import pytest


def test_no_test_leaves_this_machine() -> None:
    # 192.0.2.0/24 is set apart for documentation and belongs to nobody.
    with socket.socket() as caller, pytest.raises(RuntimeError, match=r"loopback only.*192\.0\.2\.1"):
        caller.connect(("192.0.2.1", 9))
    with (
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as caller,
        pytest.raises(RuntimeError, match="loopback"),
    ):
        caller.sendto(b"x", ("192.0.2.1", 9))


def test_no_test_looks_up_a_name() -> None:
    with pytest.raises(RuntimeError, match="look up no names"):
        socket.getaddrinfo("deref.invalid", 80)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_loopback_is_open(host: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        with socket.create_connection((host, port), timeout=5) as caller:
            assert caller.getpeername()[1] == port


def test_golden_files_are_compared_and_not_rewritten_by_default(rewrite_golden: bool) -> None:
    assert not rewrite_golden


def test_nothing_runs_in_the_background_and_nothing_is_the_users() -> None:
    assert os.environ["DEREF_MODELS_BACKGROUND"] == "0"
    assert not {"DEREF_LIBRARY", "DEREF_CONFIG", "DEREF_PASSWORD"} & set(os.environ)
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"):
        assert Path(os.environ[name]).is_relative_to(tempfile.gettempdir())
