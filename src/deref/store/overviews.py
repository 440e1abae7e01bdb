"""The vectors of the overviews: one file beside a library, of one row a document, written whole.

It is a NumPy archive with ids of documents, a matrix of float32 unit vectors in their order, and what it belongs
to: the folder that the library is of, and the identity of the embedder. Tens to thousands of rows, read with
the first question that needs them. It is written under another name and renamed, so nobody reads half of one.
"""

from __future__ import annotations

import os
import zipfile
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from deref.errors import LibraryDamaged, LibraryMismatch
from deref.ports import Embedder, Overviews

if TYPE_CHECKING:
    from deref.ports import Vectors

OVERVIEWS = "overviews.npz"
_FIX = "deref index PATH --wait makes them"


class OverviewFile:
    """The overviews of the library in one folder."""

    def __init__(self, folder: Path, *, home: str, model: str) -> None:
        """Take the folder of the library, the folder or file that it is of, and the identity of the embedder."""
        self._path = folder / OVERVIEWS
        self._home = home
        self._model = model

    def read(self) -> Overviews:
        """Return the overviews.

        Raises LibraryDamaged when they are missing or cannot be read, LibraryMismatch when they are those of another
        library or embedder.
        """
        kept = self._load()
        for name, mine, what in (("home", self._home, "library"), ("model", self._model, "embedder")):
            if str(kept[name]) != mine:
                raise LibraryMismatch(
                    f"{self._path}: the overviews belong to another {what} ({kept[name]}, not {mine}); {_FIX}"
                )
        return Overviews(documents=tuple(str(d) for d in kept["documents"]), vectors=kept["vectors"])

    def bring_up(self, documents: Sequence[str], text: Callable[[str], str], embedder: Embedder) -> int:
        """Make this the file of these documents, by id; return how many had to be embedded.

        `text` gives the overview of a document. What the file has of a document is kept: its id is the hash of its bytes.
        Raises ModelError, LibraryDamaged when it cannot be written.
        """
        import numpy as np

        kept = self._known()
        missing = [doc for doc in documents if doc not in kept]
        if not missing and len(kept) == len(documents):
            return 0
        computed = embedder.passages([text(doc) for doc in missing])
        kept |= dict(zip(missing, computed, strict=True))
        matrix = np.zeros((len(documents), embedder.dimensions), dtype=np.float32)
        for n, doc in enumerate(documents):
            matrix[n] = kept[doc]
        self._write(
            home=np.array(self._home),
            model=np.array(self._model),
            documents=np.array(documents, dtype=np.str_),
            vectors=matrix,
        )
        return len(missing)

    def complete(self, documents: Collection[str]) -> bool:
        """Tell whether the file is that of exactly these documents."""
        return set(self._known()) == set(documents)

    def _load(self) -> Mapping[str, Any]:
        import numpy as np

        try:
            with np.load(self._path, allow_pickle=False) as file:
                kept = {name: file[name] for name in ("home", "model", "documents", "vectors")}
        except FileNotFoundError as error:
            raise LibraryDamaged(f"{self._path}: there are no overviews yet; {_FIX}") from error
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
            raise LibraryDamaged(f"{self._path}: the overviews cannot be read ({error}); {_FIX}") from error
        if kept["vectors"].ndim != 2 or len(kept["vectors"]) != len(kept["documents"]):
            raise LibraryDamaged(f"{self._path}: the overviews do not fit together; {_FIX}")
        return kept

    def _known(self) -> dict[str, Vectors]:
        """Return the vectors by document, none when the file is nothing of this library and embedder: it is written anew."""
        try:
            kept = self.read()
        except (LibraryDamaged, LibraryMismatch):
            return {}
        return dict(zip(kept.documents, kept.vectors, strict=True))

    def _write(self, **columns: Any) -> None:
        import numpy as np

        unfinished = self._path.with_name(f"{OVERVIEWS}.{os.getpid()}")
        try:
            with unfinished.open("wb") as out:
                np.savez(out, **columns)
            unfinished.replace(self._path)
        except OSError as error:
            unfinished.unlink(missing_ok=True)
            raise LibraryDamaged(
                f"{self._path}: the overviews cannot be written ({error.strerror}); make room, or make the folder writable"
            ) from error
