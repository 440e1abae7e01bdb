"""Former documents are remembered. A record of them begins now."""

from __future__ import annotations

import time

import sqlalchemy as sa
from alembic import op

revision = "3"
down_revision = "2"


def upgrade() -> None:
    """Add the table of former documents, and the time since which each is there; drop what was never looked up."""
    op.add_column("documents", sa.Column("since_ns", sa.BigInteger, nullable=False, server_default="0"))
    op.drop_index("ix_sections_doc_label")
    op.drop_index("ix_passages_id")
    op.drop_index("ix_aliases_alias_key")
    op.drop_column("aliases", "alias_key")
    op.create_table(
        "former",
        sa.Column("n", sa.Integer, primary_key=True),
        sa.Column("doc", sa.String(64), nullable=False),
        sa.Column("collection", sa.String(128), nullable=False),
        sa.Column("since_ns", sa.BigInteger, nullable=False),
        sa.Column("until_ns", sa.BigInteger, nullable=False),
        sa.Column("bytes", sa.Integer, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("format", sa.String(32), nullable=False),
        sa.Column("language", sa.String(35), nullable=False),
        sa.Column("pages", sa.Integer, nullable=False),
        sa.Column("status", sa.String(32), nullable=False),
        sa.Column("belongings", sa.LargeBinary, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
    )
    op.execute(
        sa.text("INSERT INTO properties (key, value) VALUES ('history', :now)").bindparams(
            now=str(time.time_ns())
        )
    )
