"""What the database itself lets be seen of a library: tried with plain SQL, past all code that asks for a scope."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import psycopg
import pytest

from conformance.small_shelf import LEASE, MANUAL, POINTER, document, entry
from deref.errors import LibraryError
from deref.models.hashing import HashingEmbedder
from deref.ports import Store
from deref.store.library import open_library
from deref.store.opening import remove_library
from deref.store.postgres.place import Place, keep_place, place_in
from deref.store.postgres.team import TeamLibrary
from deref.store.schema import tables_on
from deref.values import EVERYTHING, Scope
from deref.values.standing import DocumentStatus, StatusMark
from postgresql_cluster import OWNER, Cluster

EMBEDDER = HashingEmbedder()
OPEN = Scope(collections=frozenset(["open"]))
TABLES = {table.name for table in tables_on("postgresql")}
NEWER = document("pump 2.txt", "Pump Note 2\nSupersedes: Pump Manual\n\nOil is changed.", title="Pump Note 2")


@dataclass
class Team:
    """A library with a lease in the collection `open`, and a manual, a note and a former manual in `hidden`."""

    cluster: Cluster
    folder: Path
    store: Store
    place: Place

    def rows(
        self, statement: str, seen: list[str] | str | None, *, user: str = OWNER
    ) -> list[tuple[Any, ...]]:
        """Run a statement as a role whose transaction is told these collections, "*" for all, None for nothing."""
        with psycopg.connect(self.cluster.address(user=user)) as connection:
            connection.execute(f"SET LOCAL search_path = {self.place.schema}".encode())
            if seen is not None:
                told = seen if isinstance(seen, str) else json.dumps(seen)
                connection.execute("SELECT set_config('deref.collections', %s, true)", [told])
            found = connection.execute(statement.encode())
            return found.fetchall() if found.description else [(found.rowcount,)]

    def dump(self, seen: list[str] | str | None, *, user: str = OWNER) -> dict[str, list[tuple[Any, ...]]]:
        """Return all rows of all tables that such a transaction sees."""
        return {table: self.rows(f"SELECT * FROM {table}", seen, user=user) for table in sorted(TABLES)}


@pytest.fixture(scope="module")
def team(postgresql: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Team]:
    folder = tmp_path_factory.mktemp("team") / "library"
    store = open_library(folder, fingerprint="f1", model=EMBEDDER.identity, database=postgresql.address())
    store.put_all(
        [replace(entry(LEASE), collection="open"), replace(entry(MANUAL, POINTER), collection="hidden")]
    )
    store.put_all([replace(entry(replace(MANUAL, name="manuals/pump-b.txt"), POINTER), collection="hidden")])
    store.forget_files(["manuals/pump.txt"])
    store.put_all([replace(entry(NEWER), collection="hidden")])
    store.mark([StatusMark(doc=MANUAL.id, name=MANUAL.name, status=DocumentStatus.WITHDRAWN)])
    store.note_files([replace(entry(LEASE).file, path="hidden/broken.pdf", doc=None, error="cut short")])
    store.vectors(store.missing_vectors(100), EMBEDDER)
    place = place_in(folder)
    assert place is not None
    postgresql.run("CREATE ROLE analyst LOGIN")
    postgresql.run(f"GRANT USAGE ON SCHEMA {place.schema} TO analyst")
    postgresql.run(f"GRANT SELECT ON ALL TABLES IN SCHEMA {place.schema} TO analyst")
    yield Team(postgresql, folder, store, place)
    store.close()
    remove_library(folder)
    postgresql.run("DROP ROLE analyst")


def test_every_table_is_under_a_policy_that_binds_its_owner(team: Team) -> None:
    tables = team.cluster.run(
        "SELECT c.relname, c.relrowsecurity AND c.relforcerowsecurity, (SELECT count(*) FROM pg_policy p WHERE p.polrelid = c.oid) "
        f"FROM pg_class c WHERE c.relkind IN ('r', 'p', 'v', 'm') AND c.relnamespace = '{team.place.schema}'::regnamespace"
    )
    assert {name for name, *_ in tables} == TABLES
    assert {name: rest for name, *rest in tables} == {name: [True, 1] for name in TABLES}


@pytest.mark.parametrize("user", [OWNER, "analyst"])
def test_plain_sql_sees_nothing_of_another_collection_in_any_table(team: Team, user: str) -> None:
    every, mine = team.dump("*", user=user), team.dump(["open"], user=user)
    told = repr(mine)
    for mark in (MANUAL.id, NEWER.id, "pump", "Pump", "Duty", "hidden", "broken"):
        assert mark not in told, mark
    assert LEASE.id in told
    # Each table that knows documents has rows of the others, which are left out.
    assert {t for t in TABLES if len(every[t]) > len(mine[t])} == TABLES - {"properties", "revisions"}


@pytest.mark.parametrize("user", [OWNER, "analyst"])
@pytest.mark.parametrize("seen", [None, "", []])
def test_who_is_told_nothing_sees_nothing(team: Team, user: str, seen: list[str] | str | None) -> None:
    open_tables = {"properties", "revisions"} if seen == [] else set()
    found = team.dump(seen, user=user)
    assert {table for table, rows in found.items() if rows} <= open_tables


def test_a_mark_is_not_seen_when_it_names_a_hidden_document(team: Team) -> None:
    mark = StatusMark(
        doc=LEASE.id,
        name=LEASE.name,
        status=DocumentStatus.SUPERSEDED,
        successor=NEWER.id,
        successor_name=NEWER.name,
    )
    team.store.mark([mark])
    assert len(team.rows("SELECT 1 FROM marks", "*")) == 2
    assert team.rows("SELECT 1 FROM marks", ["open"]) == []
    (card,) = team.store.shelf(OPEN).cards()
    assert (card.status, card.successor, card.status_why) == ("superseded", "", "")
    assert NEWER.name in repr(team.dump("*"))
    assert not [mark for mark in (NEWER.name, NEWER.id) if mark in repr(team.dump(["open"]))]
    team.store.mark([replace(mark, status=DocumentStatus.ACTIVE, successor="", successor_name="")])
    assert len(team.rows("SELECT 1 FROM marks", ["open"])) == 1


def test_what_supersedes_a_document_is_named_in_no_row_for_who_does_not_see_it(team: Team) -> None:
    quay = document("quay.md", "Rules of the Quay 1\n\nBoats wait.", title="Rules of the Quay 1")
    later = document("later.txt", f"Boats\nSupersedes: {quay.title}\n\nBoats go.", title="Boats")
    found = "SELECT d.status, s.successor, s.why FROM documents d LEFT JOIN standings s ON s.doc = d.id WHERE d.name = 'quay.md'"
    team.store.put_all([replace(entry(quay), collection="open")])
    for collection, told in (("hidden", None), ("open", "later.txt")):
        team.store.put_all([replace(entry(later), collection=collection)])
        ((status, successor, why),) = team.rows(found, "*")
        assert (status, successor, "later.txt says" in why) == ("superseded", "later.txt", True)
        ((status, successor, why),) = team.rows(found, ["open"])
        assert (status, successor, why is None) == ("superseded", told, told is None)
        (card,) = [c for c in team.store.shelf(OPEN).cards() if c.name == quay.name]
        assert (card.status, card.successor) == ("superseded", told or "")
        team.store.forget_files(["later.txt"])
    assert team.rows(found, "*") == [("active", None, None)]
    team.store.forget_files(["quay.md"])


def test_what_is_not_seen_cannot_be_changed_either(team: Team) -> None:
    before = team.dump("*")
    assert team.rows("UPDATE documents SET name = 'x' WHERE collection = 'hidden'", ["open"]) == [(0,)]
    assert team.rows(
        "DELETE FROM vectors WHERE text_hash NOT IN (SELECT text_hash FROM passages)", ["open"]
    ) == [(0,)]
    with pytest.raises(psycopg.errors.InsufficientPrivilege, match="row-level security"):
        team.rows("UPDATE documents SET collection = 'hidden'", ["open"])
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        team.rows("UPDATE documents SET name = 'x'", "*", user="analyst")
    assert team.dump("*") == before


def test_code_that_forgets_the_scope_is_given_no_more(team: Team) -> None:
    assert isinstance(team.store, TeamLibrary)
    reading = team.store._for(OPEN)
    assert reading is not None
    assert [c.id for c in reading.shelf(EVERYTHING).cards()] == [LEASE.id]
    assert reading.shelf(EVERYTHING).document(MANUAL.id) is None
    assert list(reading.shelf(EVERYTHING).defined("Duty Point")) == []
    assert {h.chunk.lines.doc for h in reading.lexical("tenant flow pump oil", 50, EVERYTHING)} == {LEASE.id}
    assert {h.chunk.lines.doc for h in reading.dense(EMBEDDER.query("flow"), 50, EVERYTHING)} == {LEASE.id}
    for _ in range(5):
        assert {h.doc for h in reading.titles("pump manual lease", 9, EVERYTHING)} <= {LEASE.id}
    assert list(reading.references(MANUAL.id, EVERYTHING)) == []
    assert [f.path for f in reading.files(EVERYTHING)] == ["lease.md"]
    assert {mark.doc for mark in reading.marks(EVERYTHING)} <= {LEASE.id}
    assert reading.past(reading.history().begins_ns, EVERYTHING).cards() == ()


@pytest.mark.parametrize(
    "name", ["*", "", "open\\", "'; SET deref.collections = '*", '"open"', "\0\ud800", "Öl & Gas"]
)
def test_a_collection_is_a_name_and_nothing_else(team: Team, name: str) -> None:
    scope = Scope(collections=frozenset([name]))
    assert team.store.shelf(scope).cards() == ()
    assert team.store.lexical("tenant flow", 9, scope) == ()


def test_nothing_of_a_caller_stays_on_the_connection(team: Team) -> None:
    assert isinstance(team.store, TeamLibrary)
    assert team.store.shelf(EVERYTHING).cards()
    connection = team.store._shared._connection
    assert connection is not None
    count = f"SELECT count(*) FROM {team.place.schema}.documents"
    assert connection.execute(count.encode()).fetchone() == (0,)


def test_a_role_that_may_only_read_can_ask_and_cannot_write(team: Team, tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    keep_place(folder, Place(team.cluster.address(user="analyst"), team.place.schema))
    (folder / "chunks.lance").symlink_to(team.folder / "chunks.lance")
    store = open_library(folder, fingerprint="f1", model=EMBEDDER.identity)
    assert [c.id for c in store.shelf(OPEN).cards()] == [LEASE.id]
    assert store.lexical("landlord roof", 1, OPEN)
    with pytest.raises(LibraryError, match="the role may not do this"):
        store.note_files([entry(LEASE).file])
    assert store.vectors(store.chunks(LEASE.id, OPEN), HashingEmbedder(dimensions=8)).shape[1] == 8
    store.close()


@pytest.mark.parametrize(("right", "said"), [("SUPERUSER", "is a superuser"), ("BYPASSRLS", "has BYPASSRLS")])
def test_a_role_that_no_policy_binds_is_refused(
    postgresql: Cluster, tmp_path: Path, right: str, said: str
) -> None:
    postgresql.run(f"CREATE ROLE mighty LOGIN {right}")
    with pytest.raises(LibraryError, match=f"the role mighty {said}.*name an ordinary role"):
        open_library(tmp_path / "library", fingerprint="f1", database=postgresql.address(user="mighty"))
    postgresql.run("DROP ROLE mighty")


def test_one_caller_after_the_other_gets_their_own(team: Team) -> None:
    hidden = Scope(collections=frozenset(["hidden"]))
    for _ in range(3):
        for n in range(20):  # More callers than are kept.
            assert team.store.shelf(Scope(collections=frozenset([f"c{n}"]))).cards() == ()
        assert [c.id for c in team.store.shelf(OPEN).cards()] == [LEASE.id]
        assert {c.id for c in team.store.shelf(hidden).cards()} == {MANUAL.id, NEWER.id}
        assert team.store.progress(OPEN).chunks == len(entry(LEASE).chunks)
