"""Files in: walk a folder, read what changed, write it to the store, compute vectors in the background."""

from deref.ingest.run import Report, ingest
from deref.ingest.vectors import embed_missing

__all__ = ["Report", "embed_missing", "ingest"]
