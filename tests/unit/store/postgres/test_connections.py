"""What can be wrong with a catalogue in a database, and what each message says to do."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from psycopg import errors

from conformance.small_shelf import LEASE, MANUAL, entry
from deref.errors import LibraryBusy, LibraryDamaged, LibraryError, LibraryMismatch
from deref.store.library import LibraryStore, open_library
from deref.store.opening import remove_library
from deref.store.postgres.connecting import told
from deref.store.postgres.place import Place, new_place, place_in
from deref.store.postgres.reading import in_the_form_of_the_driver
from deref.store.reading import PLACE
from deref.text.databases import DATABASE
from deref.values import EVERYTHING
from postgresql_cluster import OWNER, Cluster


@pytest.fixture
def library(postgresql: Cluster, tmp_path: Path) -> Iterator[LibraryStore]:
    store = open_library(tmp_path / "team", fingerprint="f1", database=postgresql.address())
    store.put_all([entry(LEASE)])
    yield store
    store.close()
    if (tmp_path / "team" / PLACE).exists():
        remove_library(tmp_path / "team")


def test_a_database_that_was_restarted_is_connected_to_again(
    postgresql: Cluster, library: LibraryStore
) -> None:
    for _ in range(2):
        assert postgresql.run(
            f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '{OWNER}'"
        )
        assert [card.id for card in library.shelf(EVERYTHING).cards()] == [LEASE.id]
        library.note_files([entry(LEASE).file])
    postgresql.run(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '{OWNER}'")
    library.put_all([entry(MANUAL)])
    assert len(library.shelf(EVERYTHING).cards()) == 2


def test_a_catalogue_whose_tables_are_gone_is_damage(
    postgresql: Cluster, library: LibraryStore, tmp_path: Path
) -> None:
    place = place_in(tmp_path / "team")
    assert place is not None
    postgresql.run(f"DROP TABLE {place.schema}.passages CASCADE")
    with pytest.raises(LibraryDamaged, match=r"tables of the catalogue are missing.*--rebuild"):
        library.progress(EVERYTHING)
    with pytest.raises(LibraryDamaged, match="tables of the catalogue are missing"):
        library.put_all([entry(MANUAL)])
    library.close()
    postgresql.run(f"DROP SCHEMA {place.schema} CASCADE")
    with pytest.raises(LibraryDamaged, match=r"the catalogue of the library .*team is missing.*--rebuild"):
        open_library(tmp_path / "team", fingerprint="f1")


def test_other_settings_and_a_lost_chunk_index_are_told_as_in_a_file(
    library: LibraryStore, tmp_path: Path
) -> None:
    with pytest.raises(LibraryMismatch, match=r"fingerprint f1, now f2.*deref index PATH --rebuild"):
        open_library(tmp_path / "team", fingerprint="f2")
    (tmp_path / "team" / "chunks.lance").rename(tmp_path / "elsewhere")
    with pytest.raises(LibraryDamaged, match=r"chunks.lance.*missing.*--rebuild"):
        open_library(tmp_path / "team", fingerprint="f1")


def test_a_folder_that_has_lost_the_file_that_names_its_catalogue_is_damage(
    postgresql: Cluster, library: LibraryStore, tmp_path: Path
) -> None:
    (tmp_path / "team" / PLACE).rename(tmp_path / "kept")
    with pytest.raises(LibraryDamaged, match="the file that says where the catalogue is has gone"):
        open_library(tmp_path / "team", fingerprint="f1", database=postgresql.address())
    (tmp_path / "kept").rename(tmp_path / "team" / PLACE)


def test_a_database_of_another_encoding_is_refused(postgresql: Cluster, tmp_path: Path) -> None:
    postgresql.run(f"CREATE DATABASE old OWNER {OWNER} ENCODING 'LATIN1' TEMPLATE template0")
    with pytest.raises(LibraryMismatch, match=r"the database stores LATIN1.*ENCODING 'UTF8'"):
        open_library(tmp_path / "team", fingerprint="f1", database=postgresql.address("old"))
    assert not (tmp_path / "team").exists()
    postgresql.run("DROP DATABASE old")


def test_a_role_that_may_not_make_schemas_is_told_so(postgresql: Cluster, tmp_path: Path) -> None:
    postgresql.run("CREATE ROLE guest LOGIN")
    with pytest.raises(LibraryError, match=r"the role may not do this .*permission denied for database team"):
        open_library(tmp_path / "team", fingerprint="f1", database=postgresql.address(user="guest"))
    assert not (tmp_path / "team" / PLACE).exists()
    postgresql.run("DROP ROLE guest")


@pytest.mark.parametrize(
    ("error", "kind", "said"),
    [
        (errors.OperationalError("connection refused"), LibraryError, "cannot be reached"),
        (errors.AdminShutdown("terminating"), LibraryError, "cannot be reached"),
        (errors.LockNotAvailable("lock timeout"), LibraryBusy, "wait until they are done"),
        (errors.DeadlockDetected("deadlock"), LibraryBusy, "wait until they are done"),
        (errors.InsufficientPrivilege("permission denied"), LibraryError, "the role may not do this"),
        (errors.UndefinedTable("no relation"), LibraryDamaged, "--rebuild"),
        (
            errors.DiskFull("could not extend file"),
            LibraryError,
            "cannot do this .could not extend file.; ask whoever",
        ),
    ],
)
def test_each_kind_of_error_says_what_to_do(error: Exception, kind: type[LibraryError], said: str) -> None:
    made = told("postgresql://h/d (schema deref_x)", error)
    assert type(made) is kind
    assert re.search(said, str(made)) and str(made).startswith("postgresql://h/d (schema deref_x): ")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "cannot be read"),
        ("[]", "cannot be read"),
        ('{"address": "postgresql://h/d"}', "cannot be read"),
        (json.dumps({"address": "postgresql://ada:hunter22@h/d", "schema": "deref_x"}), "without a password"),
        (json.dumps({"address": "postgresql://h/d", "schema": "x; DROP SCHEMA y"}), "schema takes the name"),
    ],
)
def test_a_file_that_names_no_catalogue_is_damage(tmp_path: Path, content: str, said: str) -> None:
    (tmp_path / PLACE).write_text(content)
    with pytest.raises(LibraryDamaged, match=said) as raised:
        open_library(tmp_path, fingerprint="f1")
    assert "hunter22" not in str(raised.value)


@pytest.mark.parametrize(
    ("address", "taken"),
    [
        ("postgresql://deref@db.example/team", True),
        ("postgresql://db.example:5433,other/team?sslmode=verify-full", True),
        ("postgresql://", True),
        ("postgresql:///team?host=/run/postgresql", True),
        ("postgresql://deref:word@db.example/team", False),
        ("postgresql://:word@db.example/team", False),
        ("postgresql://db.example/team?password=word", False),
        ("postgresql://db.example/team?sslmode=require&sslpassword=word", False),
        ("postgres://db.example/team", False),
        ("host=db.example password=word", False),
    ],
)
def test_an_address_is_taken_without_a_password(address: str, taken: bool) -> None:
    assert bool(re.fullmatch(DATABASE, address)) == taken


def test_a_schema_is_named_for_its_folder_and_no_two_alike() -> None:
    one, other = (new_place("postgresql://", Path("/srv/Übung & Team; DROP " + "x" * 90)) for _ in range(2))
    assert one.schema != other.schema
    assert one.schema.startswith("deref_bung_team_drop_xxx") and len(one.schema) < 60
    assert str(Place("postgresql://h/d", "deref_x")) == "postgresql://h/d (schema deref_x)"


def test_parameters_are_named_as_the_driver_wants_them() -> None:
    told = in_the_form_of_the_driver("SELECT 'a%', x::text FROM t WHERE a = :doc AND b IN (:d0, :d1)")
    assert told == "SELECT 'a%%', x::text FROM t WHERE a = %(doc)s AND b IN (%(d0)s, %(d1)s)"
