"""What the standing of a document names is a row of its own, which who does not see all that it names is not given."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from deref.store.postgres.policies import SEEN_WHEN, policy
from deref.store.standing import restate

revision = "7"
down_revision = "6"


def upgrade() -> None:
    """Move the names out of the rows of documents, and work all standings out anew."""
    text = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
    op.create_table(
        "standings",
        sa.Column("doc", text, sa.ForeignKey("documents.id", ondelete="CASCADE"), primary_key=True),
        *(sa.Column(name, text, nullable=False) for name in ("successor", "why", "named")),
    )
    catalogue = op.get_bind()
    if catalogue.dialect.name == "postgresql":
        for statement in policy("standings", SEEN_WHEN["standings"]):
            op.execute(statement)
    for name in ("successor", "status_why"):
        op.drop_column("documents", name)
    op.execute("UPDATE documents SET status = 'active'")

    def execute(statement: str, parameters: dict[str, object]) -> list[tuple[object, ...]]:
        found = catalogue.execute(sa.text(statement), parameters)
        return [tuple(row) for row in found] if found.returns_rows else []

    restate(execute)
