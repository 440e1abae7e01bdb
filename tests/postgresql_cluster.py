"""A cluster of PostgreSQL of its own, in a temporary folder, that ends with the process that made it.

PostgreSQL refuses to run as root: there it runs as the user of Debian's package, or as nobody. It is reached by a socket in
its folder, and listens on no address.
"""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

OWNER = "librarian"
"""The role that owns the libraries: an ordinary one, which row-level security binds."""

LOCKED = "locked"
"""A role that is asked for its password, once a test has made it; no other is."""

_ENDS_WITH_ITS_PARENT = '"$@" & server=$!; read -r _; kill -INT $server; wait $server'
"""Its standard input is a pipe, which closes when whoever holds the other end dies, however it dies."""


@dataclass(frozen=True)
class Cluster:
    """A running cluster. `folder` has the socket."""

    folder: Path

    def address(self, database: str = "team", *, user: str = OWNER) -> str:
        """Return the address of a database."""
        return f"postgresql://{user}@/{database}?host={self.folder}"

    def run(self, statement: str, *, user: str = "postgres", database: str = "team") -> list[tuple[Any, ...]]:
        """Run one statement as a role, in a connection of its own; return its rows."""
        psycopg = pytest.importorskip("psycopg")
        with psycopg.connect(self.address(database, user=user), autocommit=True) as connection:
            found = connection.execute(statement)
            return found.fetchall() if found.description else []


def binaries() -> Path | None:
    """Return the folder of PostgreSQL's programs, the newest that is installed; None when there is none."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"), key=lambda path: int(path.parts[-3]))
    named = shutil.which("postgres")
    return found[-1].parent if found else Path(named).resolve().parent if named else None


@contextmanager
def cluster() -> Iterator[Cluster]:
    """Yield a cluster with the database `team`, which belongs to an ordinary role."""
    programs = binaries()
    assert programs is not None
    # Not in pytest's folder: only its owner may go through that one.
    folder = Path(tempfile.mkdtemp(prefix="deref-pg-"))
    other = _other_user()
    if other is not None:
        os.chown(folder, other.pw_uid, other.pw_gid)
    as_user: Mapping[str, Any] = (
        {} if other is None else {"user": other.pw_uid, "group": other.pw_gid, "extra_groups": []}
    )
    made = subprocess.run(
        [programs / "initdb", "-D", folder / "data", "-U", "postgres", "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C"],
        capture_output=True, text=True, cwd=folder, **as_user,
    )  # fmt: skip
    assert made.returncode == 0, made.stderr
    access = folder / "data" / "pg_hba.conf"
    access.write_text(f"local all {LOCKED} scram-sha-256\n{access.read_text()}")
    settings = ("fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_connections=60", "listen_addresses=",
                f"unix_socket_directories={folder}")  # fmt: skip
    server = subprocess.Popen(
        ["/bin/sh", "-c", _ENDS_WITH_ITS_PARENT, "sh", str(programs / "postgres"), "-D", str(folder / "data"),
         *(word for setting in settings for word in ("-c", setting))],
        stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=(folder / "log").open("w"), cwd=folder, **as_user,
    )  # fmt: skip
    try:
        here = Cluster(folder)
        _await(here, server)
        here.run(f"CREATE ROLE {OWNER} LOGIN", database="postgres")
        here.run(f"CREATE DATABASE team OWNER {OWNER}", database="postgres")
        yield here
    finally:
        assert server.stdin is not None
        server.stdin.close()
        server.wait(120)
        shutil.rmtree(folder, ignore_errors=True)


def _other_user() -> pwd.struct_passwd | None:
    if os.getuid() != 0:
        return None
    known = {user.pw_name: user for user in pwd.getpwall()}
    return known.get("postgres") or known["nobody"]


def _await(here: Cluster, server: subprocess.Popen[bytes]) -> None:
    psycopg = pytest.importorskip("psycopg")
    for _ in range(2400):
        try:
            here.run("SELECT 1", database="postgres")
        except psycopg.OperationalError:
            assert server.poll() is None, (here.folder / "log").read_text()
            time.sleep(0.05)
        else:
            return
    raise AssertionError((here.folder / "log").read_text())
