"""The oldest layout from which there is a way up. Nothing leads to it."""

from __future__ import annotations

revision = "2"
down_revision = None


def upgrade() -> None:
    """Do nothing: a catalogue of this layout is there."""
