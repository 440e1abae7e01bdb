"""The lines of a passage are read off its text: those of its document, without the header rows that are repeated above."""

from __future__ import annotations

from dataclasses import replace

from conformance.small_shelf import LEASE, MANUAL, document, entry
from deref.following import lines_of
from deref.values import Item, ItemKind, Span

_ROWS = "\n".join(
    f"| {n} | pump {n} is looked at by the one who has it in use, see Section 4 |" for n in range(90)
)
_TABLE = document("table.md", f"| Row | Duty |\n|---|---|\n{_ROWS}")
_LINES = Span(doc=_TABLE.id, start=0, end=92)
_HEADER = Span(doc=_TABLE.id, start=0, end=2)
TABLE = replace(
    _TABLE, items=(Item(id="i0", kind=ItemKind.TABLE, label=None, caption="", lines=_LINES, header=_HEADER),)
)


def test_the_lines_of_a_passage_are_those_of_its_document() -> None:
    for one in map(entry, (LEASE, MANUAL, TABLE)):
        for chunk in one.chunks:
            there = one.document.lines[chunk.lines.start : chunk.lines.end]
            assert list(lines_of(chunk)) == [line.text for line in there]
    assert any(chunk.header for chunk in entry(TABLE).chunks)


def test_a_text_of_other_lines_has_none() -> None:
    (chunk, *_) = entry(LEASE).chunks
    assert lines_of(replace(chunk, text=f"{chunk.text}\nmore")) == ()
