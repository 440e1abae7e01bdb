"""Pages of PDFs as pictures. What is lit on them is not in the picture: the boxes come with the lines.

1. The document is read with the scope of the caller, so that the cache is no way round a permission.
2. The picture is in memory, or it is drawn from the file, whose bytes must still be those that were indexed.

A document is known by its bytes, so a picture never changes: its tag is the document, the page and how it is drawn.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import Generic, NamedTuple, TypeVar

from deref.engine import Engine
from deref.errors import DamagedFile, NoSuchSource
from deref.ingest.read import holds
from deref.parse.pdf_picture import page_picture
from deref.serve.libraries import Served
from deref.serve.verbs import seen
from deref.values import Document, Scope

K = TypeVar("K")
V = TypeVar("V")

_DRAWN = "1"
"""Grows when pages are drawn in another way."""

_DRAWN_AT_ONCE = 16


class Picture(NamedTuple):
    """A page as PNG, with its size in PDF points, and the tag that names exactly these bytes."""

    png: bytes
    width: float
    height: float
    tag: str


class Pictures:
    """Pictures of pages, the last ones kept in memory. Safe to share by threads."""

    def __init__(self, *, most_bytes: int = 64 * 2**20, most_file_bytes: int = 64 * 2**20) -> None:
        """Take how many bytes of pictures, and of files that were read for them, are kept."""
        self._pictures: _Kept[tuple[str, int], Picture] = _Kept(most_bytes)
        self._files: _Kept[str, bytes] = _Kept(most_file_bytes)
        self._drawing = [threading.Lock() for _ in range(_DRAWN_AT_ONCE)]

    def tag(self, document: Document, page: int) -> str:
        """Return the tag of a page. Raises NoSuchSource when it has no picture."""
        if document.format != "pdf":
            raise NoSuchSource(
                f"{document.name}: only pages of a PDF have pictures; its lines are there as text"
            )
        if not 1 <= page <= document.pages:
            raise NoSuchSource(
                f"{document.name}: there is no page {page}; it has pages 1 to {document.pages}"
            )
        return f'"{document.id}-{page}-{_DRAWN}"'

    def picture(self, served: Served, engine: Engine, doc: str, page: int, scope: Scope) -> Picture:
        """Return a page, counted from 1. Raises NotThere, NoSuchSource, and UnreadableFile when the file has changed or is gone."""
        document = seen(engine, doc, scope)
        tag = self.tag(document, page)
        key = (doc, page)
        # A page and its picture are asked for at once: the second one waits for what the first one draws.
        with self._drawing[hash(key) % len(self._drawing)]:
            known = self._pictures.get(key)
            if known is None:
                drawn = page_picture(self._data(served, document), page, name=document.name)
                known = Picture(drawn.png, drawn.width, drawn.height, tag)
                self._pictures.put(key, known, len(drawn.png))
        return known

    def _data(self, served: Served, document: Document) -> bytes:
        data = self._files.get(document.id)
        if data is not None:
            return data
        try:
            data = served.path_of(document.name).read_bytes()
        except OSError as error:
            raise DamagedFile(
                f"{document.name}: the file is not there any more; index the library again"
            ) from error
        if not holds(data, document.id, document.name):
            raise DamagedFile(
                f"{document.name}: the file has changed since it was indexed; index the library again"
            )
        self._files.put(document.id, data, len(data))
        return data


class _Kept(Generic[K, V]):
    """The values used last, up to a number of bytes."""

    def __init__(self, most: int) -> None:
        self._most, self._bytes = most, 0
        self._lock = threading.Lock()
        self._values: OrderedDict[K, tuple[V, int]] = OrderedDict()

    def get(self, key: K) -> V | None:
        with self._lock:
            if key not in self._values:
                return None
            self._values.move_to_end(key)
            return self._values[key][0]

    def put(self, key: K, value: V, size: int) -> None:
        with self._lock:
            self._bytes += size - self._values.pop(key, (None, 0))[1]
            self._values[key] = (value, size)
            while self._bytes > self._most and len(self._values) > 1:
                self._bytes -= self._values.popitem(last=False)[1][1]
