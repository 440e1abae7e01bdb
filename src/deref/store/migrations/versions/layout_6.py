"""A passage can be cut out of its document by what the catalogue knows of it."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from deref.store.cut_out import cut_columns
from deref.store.passages import ChunkIndex
from deref.store.reading import CHUNKS
from deref.store.rows import card_of, document_of

revision = "6"
down_revision = "5"

_AT_ONCE = 200
"""Documents whose passages are read together."""

_DOCUMENT = (
    "SELECT id, name, title, format, language, pages, status, '', '', body FROM documents WHERE id = :doc"
)
_CUT = (
    "UPDATE passages SET line_start = :line_start, line_end = :line_end, section = :section, tokens = :tokens, path = :path, "
    "header_start = :header_start, header_end = :header_end, cut_out = :cut_out WHERE doc = :doc AND n = :n"
)


def upgrade() -> None:
    """Add lines, section, size, path and header rows of each passage, and whether its text is that of its lines."""
    for name in ("line_start", "line_end", "tokens", "cut_out"):
        op.add_column("passages", sa.Column(name, sa.Integer, nullable=False, server_default="0"))
    for name in ("header_start", "header_end"):
        op.add_column("passages", sa.Column(name, sa.Integer, nullable=True))
    op.add_column("passages", sa.Column("section", sa.String(64), nullable=True))
    op.add_column("passages", sa.Column("path", sa.Text, nullable=False, server_default=""))
    catalogue = op.get_bind()
    index = ChunkIndex(op.get_context().opts["folder"] / CHUNKS)
    every = [
        tuple(row) for row in catalogue.execute(sa.text("SELECT id, revision FROM documents ORDER BY id"))
    ]
    for start in range(0, len(every), _AT_ONCE):
        for doc, chunks in index.of_documents(dict(every[start : start + _AT_ONCE])).items():
            row = catalogue.execute(sa.text(_DOCUMENT), {"doc": doc}).one()
            document = document_of(card_of(row[:9], ()), row[9], (), (), (), ())
            if chunks:
                rows = [{"doc": doc, "n": n, **cut_columns(document, c)} for n, c in enumerate(chunks)]
                catalogue.execute(sa.text(_CUT), rows)
