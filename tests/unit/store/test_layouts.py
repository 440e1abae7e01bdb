"""The ways up from the layouts before, and that they end where a new library begins."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, MetaData, text

from conformance.small_shelf import LEASE, MANUAL, entry
from deref.errors import LibraryError, LibraryMismatch
from deref.store.layout import LAYOUT, LEFT, MIGRATIONS, REVISIONS, _climbing_engine, climb
from deref.store.library import open_library
from deref.store.lock import WriterLock
from deref.store.opening import remove_library
from deref.store.postgres.opening import bring_up_in_place, writing_engine
from deref.store.postgres.place import place_in
from deref.store.postgres.reading import Changes
from deref.store.postgres.team import TeamLibrary
from deref.store.reading import CATALOGUE
from deref.store.schema import tables_on
from deref.store.writing import local_engine
from deref.values import EVERYTHING
from deref.values.standing import DocumentStatus, StatusMark
from postgresql_cluster import Cluster
from unit.store.former_layouts import LAYOUT_2, LAYOUT_3, LAYOUT_4, LAYOUT_5, LAYOUT_6

NEXT = """
import sqlalchemy as sa
from alembic import op

revision = "{layout}"
down_revision = "{before}"


def upgrade():
    op.add_column("documents", sa.Column("colour", sa.Text, nullable=False, server_default="green"))
    op.create_table("shelves", sa.Column("name", sa.Text, primary_key=True))
    {more}
"""
"""A revision that is to come."""


def _next(folder: Path, more: str = "pass") -> tuple[Path, ...]:
    folder.mkdir()
    (folder / "next.py").write_text(NEXT.format(layout=int(LAYOUT) + 1, before=LAYOUT, more=more))
    return (*REVISIONS, folder)


def _differences(connection: Connection, *, types: bool) -> list[Any]:
    """Return in what the tables of a catalogue are not those of the schema."""
    wanted = MetaData()
    for table in tables_on(connection.dialect.name):
        table.to_metadata(wanted)
    context = MigrationContext.configure(connection, opts={"compare_type": types})
    return compare_metadata(context, wanted)


def _built(folder: Path) -> Path:
    with closing(open_library(folder, fingerprint="f1")) as store:
        store.put_all([entry(LEASE), entry(MANUAL)])
    return folder


@contextmanager
def _in_postgresql(cluster: Cluster, folder: Path) -> Iterator[TeamLibrary]:
    store = open_library(folder, fingerprint="f1", database=cluster.address())
    assert isinstance(store, TeamLibrary)
    store.put_all([entry(LEASE)])
    yield store
    store.close()
    remove_library(folder)


def test_each_layout_is_a_revision_and_leads_to_the_next() -> None:
    scripts = ScriptDirectory(str(MIGRATIONS), version_locations=[str(place) for place in REVISIONS])
    chain = [revision.revision for revision in scripts.walk_revisions()][::-1]
    assert scripts.get_heads() == [LAYOUT]
    assert chain == [*sorted(LEFT, key=int), LAYOUT] == [str(n) for n in range(2, int(LAYOUT) + 1)]


@pytest.mark.parametrize(
    "lost", [LAYOUT_2, LAYOUT_3, LAYOUT_4, LAYOUT_5, LAYOUT_6, ""], ids=["2", "3", "4", "5", "6", "now"]
)
def test_a_file_of_each_layout_ends_in_the_tables_of_the_schema(tmp_path: Path, lost: str) -> None:
    with closing(sqlite3.connect(_built(tmp_path) / CATALOGUE)) as catalogue:
        catalogue.executescript(lost)
    with closing(open_library(tmp_path, fingerprint="f1")) as store:
        assert store.describe()["layout"] == LAYOUT
        assert store.shelf(EVERYTHING).document(MANUAL.id) == MANUAL
    with local_engine(tmp_path / CATALOGUE).connect() as connection:
        assert _differences(connection, types=False) == []


WITHDRAWN = StatusMark(doc=LEASE.id, name=LEASE.name, status=DocumentStatus.WITHDRAWN)


@pytest.mark.parametrize("lost", [LAYOUT_5, LAYOUT_6], ids=["5", "6"])
def test_what_was_known_of_standings_is_there_after_the_climb(tmp_path: Path, lost: str) -> None:
    with closing(open_library(_built(tmp_path), fingerprint="f1")) as store:
        store.mark([WITHDRAWN])
        before = store.standings(EVERYTHING)
    with closing(sqlite3.connect(tmp_path / CATALOGUE)) as catalogue:
        catalogue.executescript(lost)
    with closing(open_library(tmp_path, fingerprint="f1")) as store:
        assert store.standings(EVERYTHING) == before != {}


def test_a_catalogue_in_postgresql_climbs_from_the_layout_before(postgresql: Cluster, tmp_path: Path) -> None:
    folder = tmp_path / "library"
    with _in_postgresql(postgresql, folder) as store:
        store.mark([WITHDRAWN])
        before = store.standings(EVERYTHING)
        assert before
        engine = writing_engine(store._place, store._schemas, Changes())
        with engine.begin() as connection:
            for statement in LAYOUT_6.strip().split(";")[:-1]:
                connection.exec_driver_sql(statement)
        with closing(open_library(folder, fingerprint="f1")) as climbed:
            assert climbed.describe()["layout"] == LAYOUT
            assert climbed.standings(EVERYTHING) == before
        with engine.connect() as connection:
            assert _differences(connection, types=True) == []
            connection.exec_driver_sql("SELECT set_config('deref.collections', '[]', true)")
            assert connection.exec_driver_sql("SELECT count(*) FROM standings").scalar_one() == 0
        engine.dispose()


def test_a_catalogue_in_postgresql_has_the_tables_of_the_schema(postgresql: Cluster, tmp_path: Path) -> None:
    with _in_postgresql(postgresql, tmp_path / "library") as store:
        engine = writing_engine(store._place, store._schemas, Changes())
        with engine.connect() as connection:
            assert _differences(connection, types=True) == []
        engine.dispose()


def test_a_file_climbs_to_a_layout_that_is_to_come(tmp_path: Path) -> None:
    _built(tmp_path / "library")
    engine = _climbing_engine(tmp_path / "library" / CATALOGUE)
    revisions = _next(tmp_path / "revisions")
    for _ in range(2):  # Whoever comes second finds it done.
        with engine.begin() as connection:
            climb(connection, tmp_path / "library", revisions)
    with engine.connect() as connection:
        assert set(connection.execute(text("SELECT colour FROM documents")).scalars()) == {"green"}
        assert connection.execute(text("SELECT count(*) FROM shelves")).scalar_one() == 0
    engine.dispose()
    with pytest.raises(
        LibraryMismatch, match=f"newer version of Deref .layout {int(LAYOUT) + 1}, here {LAYOUT}"
    ):
        open_library(tmp_path / "library", fingerprint="f1")


def test_a_file_whose_climb_fails_is_as_it_was(tmp_path: Path) -> None:
    _built(tmp_path / "library")
    engine = _climbing_engine(tmp_path / "library" / CATALOGUE)
    revisions = _next(tmp_path / "revisions", 'op.execute("SELECT nothing FROM nowhere")')
    with pytest.raises(Exception, match="nowhere"), engine.begin() as connection:
        climb(connection, tmp_path / "library", revisions)
    engine.dispose()
    with closing(open_library(tmp_path / "library", fingerprint="f1")) as store:
        assert store.describe()["layout"] == LAYOUT
    with local_engine(tmp_path / "library" / CATALOGUE).connect() as connection:
        assert _differences(connection, types=False) == []


UNDER_A_POLICY = """from deref.store.postgres.policies import policy
    [op.execute(statement) for statement in policy("shelves", "false")]"""


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (UNDER_A_POLICY, ""),
        ("pass", r"left tables without a policy \(shelves\), and was undone"),
        ('op.execute("SELECT nothing FROM nowhere")', "nowhere"),
    ],
    ids=["whole", "without a policy", "failing"],
)
def test_a_catalogue_in_postgresql_climbs_whole_or_not_at_all(
    postgresql: Cluster, tmp_path: Path, more: str, said: str
) -> None:
    folder = tmp_path / "library"
    with _in_postgresql(postgresql, folder) as store:
        place = place_in(folder)
        assert place is not None
        lock = WriterLock(folder / "writer.lock", timeout=1)
        revisions = _next(tmp_path / "revisions", more)
        found = f"SELECT value, to_regclass('{place.schema}.shelves') IS NOT NULL FROM {place.schema}.properties WHERE key = 'layout'"
        if said:
            with pytest.raises(LibraryError, match=said):
                bring_up_in_place(place, store._schemas, folder, lock, revisions)
            assert postgresql.run(found) == [(LAYOUT, False)]
        else:
            bring_up_in_place(place, store._schemas, folder, lock, revisions)
            assert postgresql.run(found) == [(str(int(LAYOUT) + 1), True)]
            assert postgresql.run(f"SELECT DISTINCT colour FROM {place.schema}.documents") == [("green",)]
