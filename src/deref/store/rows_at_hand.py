"""The rows of a chunk index without their texts, kept in memory for a session that looks up passages again and again.

Lance reads a column at a time, so of a hundred rows the text takes a third of what all columns take; and a search that gives
addresses and scores alone takes half of one that gives ids too. To read what is kept takes some 200 ms for 100,000 rows and
some 25 MB, so the first look-ups of a session do without.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, cast

from deref.store.passage_rows import KEPT_COLUMNS

ADDRESS = "_rowid"
"""What Lance calls the address of a row: it changes when the data set is folded, and the version with it."""

_REPEATED = frozenset(["doc", "revision", "section", "path"])
"""Columns of few different values."""


class Row(NamedTuple):
    """A row without its text."""

    id: str
    doc: str
    revision: str


class RowsAtHand:
    """All rows of one version of the data set, in the order in which they lie."""

    def __init__(self, dataset: Any) -> None:
        """Read all columns but the texts."""
        import numpy
        import pyarrow

        self.version: int = dataset.version
        read = dataset.scanner(columns=[*KEPT_COLUMNS, ADDRESS]).to_table().combine_chunks()
        kept = {
            name: read.column(name).dictionary_encode() if name in _REPEATED else read.column(name)
            for name in KEPT_COLUMNS
        }
        self._table = pyarrow.table(kept)
        addresses = read.column(ADDRESS).to_numpy()
        self._order = numpy.argsort(addresses, kind="stable")
        self._addresses = addresses[self._order]
        self._by_id: dict[str, tuple[int, ...]] = {}
        for n, one in enumerate(read.column("id").to_pylist()):
            self._by_id[one] = (*self._by_id[one], n) if one in self._by_id else (n,)

    def at(self, addresses: Sequence[int]) -> list[Row]:
        """Return the rows at these addresses of this version, in order."""
        import numpy

        places = self._order[numpy.searchsorted(self._addresses, numpy.array(addresses, dtype=numpy.uint64))]
        found = self._table.select(Row._fields).take(places)
        return [
            Row(*values) for values in zip(*(column.to_pylist() for column in found.columns), strict=True)
        ]

    def places(self, ids: Sequence[str]) -> list[int]:
        """Return where the rows with these ids are, in order of place: one for each id, or one for each of its revisions."""
        return sorted({place for one in ids for place in self._by_id.get(one, ())})

    def rows(self, places: Sequence[int]) -> list[dict[str, Any]]:
        """Return what is kept of the rows at these places, in order."""
        return cast("list[dict[str, Any]]", self._table.take(places).to_pylist())


def places_by_document(dataset: Any) -> Mapping[str, Sequence[int]]:
    """Return where the rows of each document are."""
    import numpy

    coded = dataset.scanner(columns=["doc"]).to_table().column("doc").combine_chunks().dictionary_encode()
    docs, codes = coded.dictionary.to_pylist(), coded.indices.to_numpy()
    order = numpy.argsort(codes, kind="stable")
    ends = numpy.cumsum(numpy.bincount(codes))
    parts: Sequence[Any] = numpy.split(order, ends[:-1]) if len(order) else ()
    return dict(zip(docs, parts, strict=True))
