"""The process in the background that computes missing vectors: `python -m deref.cli.vectors LIBRARY`.

At the lowest priority, one of a kind for a library; each batch is kept as soon as it is computed, so that it can be
ended at any moment and the next one goes on where it stopped.
"""

from __future__ import annotations

import fcntl
import os
import sys
from pathlib import Path

from deref.engine import open_engine


def run(folder: Path) -> int:
    """Compute all missing vectors of a library; return the exit code. Does nothing while another process does it."""
    os.nice(19)
    with (folder / "vectors.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return 0
        with open_engine(folder) as engine:
            engine.embed()
    return 0


if __name__ == "__main__":
    sys.exit(run(Path(sys.argv[1])))
