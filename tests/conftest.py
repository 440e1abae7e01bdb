"""What holds for every test: no network but loopback, no background process, no file in the user's folders.

The guard is an audit hook: Python tells it of every connection and every name look-up, whichever library asks.
"""

from __future__ import annotations

import ipaddress
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from postgresql_cluster import Cluster, binaries, cluster

_HOME = tempfile.TemporaryDirectory(prefix="deref-tests-", ignore_cleanup_errors=True)
# The same examples each time, and none that has to be done within a time: a run of the suite is no draw, on whatever machine.
# Others are looked for with --hypothesis-profile=others.
settings.register_profile("others", settings.get_profile("ci"), derandomize=False)
settings.load_profile("ci")
_LOCAL_NAMES = frozenset({"localhost", "", "0.0.0.0", "::"})


class NetworkRefused(RuntimeError):
    """A test tried to leave this machine."""


def _loopback(host: object) -> bool:
    if host is None:
        return True
    name = host.decode("ascii", "replace") if isinstance(host, bytes) else str(host)
    if name in _LOCAL_NAMES:
        return True
    try:
        return ipaddress.ip_address(name.partition("%")[0]).is_loopback
    except ValueError:
        return False


def _guard(event: str, args: tuple[Any, ...]) -> None:
    if event in ("socket.connect", "socket.sendto"):
        address = args[1]
        # An AF_UNIX address is a path: it leads nowhere but here.
        if isinstance(address, tuple) and not _loopback(address[0]):
            raise NetworkRefused(f"tests reach loopback only, and this one asked for {address[0]!r}")
    elif event == "socket.getaddrinfo" and not _loopback(args[0]):
        raise NetworkRefused(f"tests look up no names, and this one asked for {args[0]!r}")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--rewrite-golden",
        action="store_true",
        default=False,
        help="write what the code gives now into tests/golden instead of comparing with it",
    )


def pytest_configure(config: pytest.Config) -> None:
    sys.addaudithook(_guard)
    home = Path(_HOME.name)
    os.environ["DEREF_MODELS_BACKGROUND"] = "0"
    for name, folder in (
        ("XDG_DATA_HOME", "data"),
        ("XDG_CONFIG_HOME", "config"),
        ("XDG_CACHE_HOME", "cache"),
    ):
        os.environ[name] = str(home / folder)
    for name in ("DEREF_LIBRARY", "DEREF_LIBRARY_CATALOGUE", "DEREF_CONFIG", "DEREF_PASSWORD"):
        os.environ.pop(name, None)


def pytest_unconfigure(config: pytest.Config) -> None:
    _HOME.cleanup()


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Cluster]:
    """Yield a cluster of PostgreSQL for this process; its databases are shared by the tests, and each library has a schema."""
    if binaries() is None:
        pytest.skip("PostgreSQL is not installed: apt-get install postgresql")
    with cluster() as running:
        yield running


@pytest.fixture(params=["in a file", "in postgresql"])
def database(request: pytest.FixtureRequest) -> str:
    """Return where a new library has its catalogue, as `open_library` takes it: "" for a file, and the address of a database."""
    if request.param == "in a file":
        return ""
    cluster: Cluster = request.getfixturevalue("postgresql")
    return cluster.address()


@pytest.fixture
def rewrite_golden(request: pytest.FixtureRequest) -> bool:
    """Tell whether golden files are to be written instead of compared."""
    return bool(request.config.getoption("--rewrite-golden"))
