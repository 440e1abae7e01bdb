"""What Alembic runs on a catalogue of a layout before."""
