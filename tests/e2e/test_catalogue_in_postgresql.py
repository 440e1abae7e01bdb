"""A library whose catalogue is in PostgreSQL, from the shell: made where the settings say, found again by its folder."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from e2e.shell import Shell
from postgresql_cluster import LOCKED, Cluster

DEAL_ROOM = Path(__file__).parents[2] / "examples" / "deal-room"


@pytest.fixture
def papers(tmp_path: Path) -> Path:
    folder = tmp_path / "papers"
    folder.mkdir()
    (folder / "lease.md").write_text("# Lease\n\n## 1 Rent\n\nThe rent is set in Schedule A.\n\n## Schedule A\n\nThe rent is 900 crowns.\n")  # fmt: skip
    return folder


def test_a_library_is_made_in_the_database_and_known_by_its_folder_from_then_on(
    postgresql: Cluster, papers: Path, tmp_path: Path
) -> None:
    library = tmp_path / "library"
    made = Shell(library, DEREF_LIBRARY_CATALOGUE=postgresql.address())("index", papers, "--wait")
    assert made.code == 0, made.err
    assert not (library / "catalogue.db").exists()
    schema = json.loads((library / "catalogue.json").read_text())["schema"]
    assert schema.startswith("deref_library_")
    later = Shell(library)
    asked = later("ask", papers, "What is the rent?", "--json")
    assert asked.code == 0, asked.err
    assert "900 crowns" in asked.out
    kept = later("status", papers, "--json").values()
    assert kept["catalogue"] == f"{postgresql.address()} (schema {schema})"
    assert (kept["chunks"], kept["place"]) == (kept["embedded"], str(library))
    assert f"(schema {schema})" in later("status", papers).out
    rebuilt = later("index", papers, "--rebuild")
    assert rebuilt.code == 0, rebuilt.err
    assert (library / "catalogue.db").exists() and not (library / "catalogue.json").exists()
    assert postgresql.run(f"SELECT 1 FROM pg_namespace WHERE nspname = '{schema}'") == []


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("postgresql://ada:hunter22@db.invalid/team", "without a password"),
        ("postgresql://db.invalid/team?password=hunter22", "without a password"),
        ("mysql://ada@db.invalid/hunter22", "the address of a PostgreSQL database"),
        ("postgresql://ada@localhost:1/team", "the database cannot be reached"),
    ],
)
def test_an_address_that_does_not_serve_is_one_line_without_its_password(
    papers: Path, tmp_path: Path, address: str, said: str
) -> None:
    ran = Shell(tmp_path / "library", DEREF_LIBRARY_CATALOGUE=address, PGPASSWORD="s3cret-word")(
        "index", papers
    )
    assert ran.code in (2, 3), ran
    assert said in ran.err and len(ran.err.splitlines()) == 1
    assert not (tmp_path / "library" / "catalogue.json").exists()
    for secret in ("hunter22", "s3cret-word"):
        assert secret not in ran.err + ran.out


def test_marks_outlive_building_anew_and_the_library_may_move_into_the_database_so(
    postgresql: Cluster, papers: Path, tmp_path: Path
) -> None:
    shell = Shell(tmp_path / "moving")
    assert shell("status", papers, "--mark", "lease.md", "withdrawn").code == 0
    for catalogue in (postgresql.address(), postgresql.address(), ""):
        rebuilt = shell("index", papers, "--rebuild", DEREF_LIBRARY_CATALOGUE=catalogue)
        assert rebuilt.code == 0, rebuilt.err
        kept = shell("status", papers, "--json").values()
        assert kept["documents"][0]["status"] == "withdrawn"
        assert kept["catalogue"].startswith("postgresql://") == bool(catalogue)
    schemas = postgresql.run("SELECT count(*) FROM pg_namespace WHERE nspname LIKE 'deref_moving_%'")
    assert schemas == [(0,)]


def test_without_the_driver_the_extra_is_named(papers: Path, tmp_path: Path) -> None:
    blind = f"import sys; sys.modules['psycopg'] = None; sys.argv = ['deref', 'index', {str(papers)!r}]; from deref.cli.main import run; run()"
    for _ in range(2):  # Also when the folder names the database already.
        environment = Shell(
            tmp_path, DEREF_LIBRARY_CATALOGUE="postgresql://ada@db.invalid/team"
        ).environment()
        ran = subprocess.run(
            [sys.executable, "-c", blind], env=environment, capture_output=True, text=True, check=False
        )
        assert (ran.returncode, len(ran.stderr.splitlines())) == (2, 1), ran.stderr
        assert "psycopg" in ran.stderr and "[postgres]" in ran.stderr
        place = {"address": "postgresql://ada@db.invalid/team", "schema": "deref_team_1"}
        (tmp_path / "catalogue.json").write_text(json.dumps(place))


def test_an_address_in_the_place_of_the_folder_is_refused(papers: Path, tmp_path: Path) -> None:
    ran = Shell(tmp_path / "library")("index", papers, "--library", "postgresql://ada@db/team")
    assert (ran.code, "DEREF_LIBRARY_CATALOGUE" in ran.err) == (2, True)
    assert not list(Path().glob("postgresql:*"))


def test_a_password_is_asked_of_the_environment_and_is_nowhere_else(
    postgresql: Cluster, papers: Path, tmp_path: Path
) -> None:
    postgresql.run(f"CREATE ROLE {LOCKED} LOGIN PASSWORD 'hunter-22-word'")
    postgresql.run(f"GRANT CREATE ON DATABASE team TO {LOCKED}")
    library, trace = tmp_path / "library", tmp_path / "trace.jsonl"
    address = postgresql.address(user=LOCKED)
    shell = Shell(library, DEREF_LIBRARY_CATALOGUE=address, PGPASSWORD="hunter-22-word")
    asked = shell("ask", papers, "What is the rent?", "--trace", trace)
    assert asked.code == 0, asked.err
    assert "900 crowns" in trace.read_text()
    told = [
        shell("status", papers, "--json").out,
        trace.read_text(),
        (library / "catalogue.json").read_text(),
    ]
    for variables in ({"PGPASSWORD": "not-the-word"}, {"PGPASSWORD": ""}):
        refused = shell("ask", papers, "What is the rent?", **variables)
        assert (refused.code, len(refused.err.splitlines())) == (3, 1), refused.err
        assert "PGPASSWORD or ~/.pgpass" in refused.err
        told.append(refused.err)
    passwords = tmp_path / "pgpass"
    passwords.write_text("*:*:*:*:hunter-22-word\n")
    passwords.chmod(0o600)
    told.append(shell("status", papers, PGPASSWORD="", PGPASSFILE=str(passwords)).out)
    assert address in told[-1]
    for text in told:
        assert "hunter-22-word" not in text and "not-the-word" not in text
    assert shell("index", papers, "--rebuild", DEREF_LIBRARY_CATALOGUE="").code == 0
    postgresql.run(f"REVOKE CREATE ON DATABASE team FROM {LOCKED}")
    postgresql.run(f"DROP ROLE {LOCKED}")


def test_a_question_of_a_library_in_a_file_loads_nothing_of_databases(tmp_path: Path) -> None:
    shell = Shell(tmp_path / "library", PYTHONPROFILEIMPORTTIME="1")
    # A file that was there for long: one that was just written is looked at again, and that is put on record.
    letter = DEAL_ROOM / "Side Letter.md"
    # What is worked out for a question is kept with the first ones.
    assert [shell("ask", letter, "When is an invoice payable?").code for _ in range(2)] == [0, 0]
    asked = shell("ask", letter, "When is an invoice payable?")
    assert "20 days" in asked.out
    loaded = {line.rpartition("|")[2].strip().partition(".")[0] for line in asked.err.splitlines()}
    assert "deref" in loaded
    assert not loaded & {"sqlalchemy", "alembic", "psycopg"}
