"""Documents are found by their names."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from deref.store import statements
from deref.store.names import names_of, rows_of, trigram_rows

revision = "4"
down_revision = "3"


def upgrade() -> None:
    """Make the index of names, of the documents that are there."""
    doc = sa.Column("doc", sa.String(64), sa.ForeignKey("documents.id", ondelete="CASCADE"), primary_key=True)
    names = op.create_table(
        "names",
        doc,
        sa.Column("n", sa.Integer, primary_key=True),
        sa.Column("number", sa.BigInteger, nullable=False, unique=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("trigrams", sa.Integer, nullable=False),
    )
    trigrams = op.create_table(
        "name_trigrams",
        sa.Column("trigram", sa.String(3), primary_key=True),
        sa.Column("name", sa.BigInteger, primary_key=True),
        sqlite_with_rowid=False,
    )
    catalogue = op.get_bind()
    aliases: dict[str, list[str]] = {}
    for doc_id, alias in catalogue.execute(sa.text(statements.ALIASES)):
        aliases.setdefault(doc_id, []).append(alias)
    documents = catalogue.execute(sa.text("SELECT id, name, title FROM documents")).all()
    for doc_id, name, title in documents:
        made = list(rows_of(doc_id, names_of(name, title, aliases.get(doc_id, ()))))
        op.bulk_insert(names, [row for row, _ in made])
        op.bulk_insert(trigrams, [gram for row, words in made for gram in trigram_rows(row["number"], words)])
