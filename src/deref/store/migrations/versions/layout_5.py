"""It is known where passages stand, and what front pages say of the standing of documents."""

from __future__ import annotations

import json
import zlib

import sqlalchemy as sa
from alembic import op

from deref.store.facts import SectionRow, passage_columns
from deref.store.passages import ChunkIndex
from deref.store.reading import CHUNKS
from deref.store.standing import stated_rows

revision = "5"
down_revision = "4"

_SECTIONS = (
    "SELECT id, label, title, line_start, line_end, parent, word FROM sections WHERE doc = :doc ORDER BY n"
)
_ITEMS = "SELECT kind, line_start, line_end FROM items WHERE doc = :doc"
_KNOW = "UPDATE passages SET paths = :paths, page = :page, end_page = :end_page, kinds = :kinds WHERE doc = :doc AND id = :passage"


def upgrade() -> None:
    """Add what filters ask of passages, and the tables of marks and of statements; layout 7 works out what comes of those."""
    for name in ("successor", "status_why"):
        op.add_column("documents", sa.Column(name, sa.Text, nullable=False, server_default=""))
    for name, kind, default in (
        ("paths", sa.Text, ""),
        ("page", sa.Integer, "1"),
        ("end_page", sa.Integer, "1"),
        ("kinds", sa.Text, ""),
    ):
        op.add_column("passages", sa.Column(name, kind, nullable=False, server_default=default))
    doc = sa.Column("doc", sa.String(64), sa.ForeignKey("documents.id", ondelete="CASCADE"), primary_key=True)
    stated = op.create_table(
        "stated",
        doc,
        sa.Column("n", sa.Integer, primary_key=True),
        sa.Column("what", sa.String(16), nullable=False),
        sa.Column("names", sa.Text, nullable=False),
        sa.Column("line", sa.Integer, nullable=False),
        sa.Column("words", sa.Text, nullable=False),
    )
    op.create_table(
        "marks",
        sa.Column("doc", sa.String(64), primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("status", sa.String(32), nullable=False),
        sa.Column("successor", sa.String(64), nullable=False),
        sa.Column("successor_name", sa.Text, nullable=False),
    )
    _work_out(op.get_bind(), stated)


def _work_out(catalogue: sa.Connection, stated: sa.Table) -> None:
    places = ChunkIndex(op.get_context().opts["folder"] / CHUNKS).places()
    for doc, revision, body in catalogue.execute(sa.text("SELECT id, revision, body FROM documents")).all():
        lines = json.loads(zlib.decompress(body))["lines"]
        items = catalogue.execute(sa.text(_ITEMS), {"doc": doc}).all()
        sections = [SectionRow(*row) for row in catalogue.execute(sa.text(_SECTIONS), {"doc": doc})]
        mine = places.get(revision, [])
        columns = passage_columns(
            [(start, end) for _, start, end in mine], lines["page"], [tuple(item) for item in items], sections
        )
        for (passage, _, _), row in zip(mine, columns, strict=True):
            catalogue.execute(sa.text(_KNOW), {"doc": doc, "passage": passage, **row})
        front = [t for t, page in zip(lines["text"], lines["page"], strict=True) if page == lines["page"][0]]
        op.bulk_insert(stated, stated_rows(doc, front))
