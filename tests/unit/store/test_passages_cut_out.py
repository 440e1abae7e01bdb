"""Passages are cut out of their documents: the same as were put in, and the chunk index is asked for made-up ones alone."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from conformance.small_shelf import LEASE, MANUAL, document, entry
from deref.store.library import open_library
from deref.store.reading import CATALOGUE, CHUNKS
from deref.values import EVERYTHING, Item, ItemKind, Span
from unit.store.former_layouts import LAYOUT_5

_ROWS = "\n".join(
    f"| {n} | pump {n} is looked at by the one who has it in use, and by nobody else |" for n in range(90)
)
_TABLE = document("table.md", f"| Row | Duty |\n|---|---|\n{_ROWS}", doc="t" * 32)
TABLE = replace(
    _TABLE,
    items=(
        Item(
            id="i0", kind=ItemKind.TABLE, label=None, caption="", lines=Span(doc=_TABLE.id, start=0, end=92),
            header=Span(doc=_TABLE.id, start=0, end=2),
        ),
    ),
)  # fmt: skip


def test_passages_are_those_that_were_put_in_and_the_index_is_not_asked(tmp_path: Path) -> None:
    entries = [entry(one) for one in (LEASE, MANUAL, TABLE)]
    assert any(chunk.header for chunk in entries[-1].chunks)
    with closing(open_library(tmp_path, fingerprint="f1")) as store:
        store.put_all(entries)
    with closing(open_library(tmp_path, fingerprint="f1")) as store:
        shutil.rmtree(tmp_path / CHUNKS)
        for one in entries:
            assert list(store.chunks(one.document.id, EVERYTHING)) == list(one.chunks)


def test_passages_that_are_not_their_lines_come_from_the_index(tmp_path: Path) -> None:
    plain, other = entry(LEASE), entry(MANUAL)
    said = replace(plain, chunks=[replace(c, preamble="Who pays for what.") for c in plain.chunks])
    made = replace(other, chunks=[replace(c, text=f"{c.text} And more.") for c in other.chunks])
    with closing(open_library(tmp_path, fingerprint="f1")) as store:
        store.put_all([said, made])
        store.read_ahead([LEASE.id, MANUAL.id], EVERYTHING)
        assert list(store.chunks(LEASE.id, EVERYTHING)) == list(said.chunks)
        assert list(store.chunks(MANUAL.id, EVERYTHING)) == list(made.chunks)


def test_a_library_of_layout_5_learns_to_cut_its_passages_out(tmp_path: Path) -> None:
    other = entry(MANUAL)
    made = replace(other, chunks=[replace(c, text=f"{c.text} And more.") for c in other.chunks])
    with closing(open_library(tmp_path, fingerprint="f1")) as store:
        store.put_all([entry(LEASE), made, entry(TABLE)])
    kept = _rows(tmp_path)
    assert {row[-1] for row in kept} == {0, 1}
    with closing(sqlite3.connect(tmp_path / CATALOGUE)) as catalogue:
        catalogue.executescript(LAYOUT_5)
    with closing(open_library(tmp_path, fingerprint="f1")) as store:
        assert list(store.chunks(MANUAL.id, EVERYTHING)) == list(made.chunks)
    assert _rows(tmp_path) == kept


def _rows(folder: Path) -> list[tuple[object, ...]]:
    columns = "doc, n, id, line_start, line_end, section, tokens, path, header_start, header_end, cut_out"
    with closing(sqlite3.connect(folder / CATALOGUE)) as catalogue:
        return catalogue.execute(f"SELECT {columns} FROM passages ORDER BY doc, n").fetchall()
