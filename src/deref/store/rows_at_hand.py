"""Where the rows of a chunk index are, kept in memory for a session that looks up passages again and again.

A search that gives nothing but the addresses of rows and their scores takes a third of one that gives ids too, and to take
passages by their places takes half of a search by id. To read where all rows are costs some 100 ms for 100,000, so the
first look-ups of a session do without.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

ADDRESS = "_rowid"
"""What Lance calls the address of a row: it changes when the data set is folded, and the version with it."""


class Row(NamedTuple):
    """A row without its text."""

    id: str
    doc: str
    revision: str


class RowsAtHand:
    """All rows of one version of the data set, in the order in which they lie."""

    def __init__(self, dataset: Any) -> None:
        """Read id, document, revision and address of each row."""
        self.version: int = dataset.version
        table = dataset.scanner(columns=[*Row._fields, ADDRESS]).to_table()
        self._ids: list[str] = table.column("id").to_pylist()
        self._docs, self._doc = _coded(table.column("doc"))
        self._revisions, self._revision = _coded(table.column("revision"))
        self._place = {address: n for n, address in enumerate(table.column(ADDRESS).to_pylist())}
        self._by_id: dict[str, tuple[int, ...]] = {}
        for n, one in enumerate(self._ids):
            self._by_id[one] = (*self._by_id[one], n) if one in self._by_id else (n,)

    def row(self, address: int) -> Row:
        """Return the row at an address of this version."""
        n = self._place[address]
        return Row(self._ids[n], self._docs[self._doc[n]], self._revisions[self._revision[n]])

    def places(self, ids: Sequence[str]) -> list[int]:
        """Return where the rows with these ids are, in order of place: one for each id, or one for each of its revisions."""
        return sorted({place for one in ids for place in self._by_id.get(one, ())})


def places_by_document(dataset: Any) -> Mapping[str, Sequence[int]]:
    """Return where the rows of each document are."""
    import numpy

    docs, codes = _coded(dataset.scanner(columns=["doc"]).to_table().column("doc"))
    order = numpy.argsort(codes, kind="stable")
    ends = numpy.cumsum(numpy.bincount(codes))
    parts: Sequence[Any] = numpy.split(order, ends[:-1]) if len(order) else ()
    return dict(zip(docs, parts, strict=True))


def _coded(column: Any) -> tuple[list[str], Any]:
    """Return the different values of a column, and which of them each row has."""
    coded = column.combine_chunks().dictionary_encode()
    return coded.dictionary.to_pylist(), coded.indices.to_numpy()
