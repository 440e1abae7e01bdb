from __future__ import annotations

import time

from deref.structure import build_document
from deref.values import Box, Line, Mark, MarkKind, Parsed

PAGE = (
    "12.{n} The matter of page {n}",
    "The operator shall keep a log of every parcel, pursuant to this Agreement, and the terms hereof.",
    "(a) the parcel is dry; and",
    "(b) the ramp is clean, see Section 4.{n} of the Handbook.",
    "Table {n}: Parcels of page {n}",
    "North 12 4.9",
    "South 14 5.1",
    "1. Open the gate.",
    '"Ramp{n}" means a slope that joins two floors ({n})',
)


def pages(count: int) -> Parsed:
    lines: list[Line] = []
    marks: list[Mark] = []
    for page in range(1, count + 1):
        for row, content in enumerate(PAGE * 3, start=1):
            n = len(lines)
            shown = content.format(n=page) if row <= len(PAGE) else content.format(n=9)
            box = Box(x0=72, top=20.0 * row, x1=72 + 4.0 * len(shown), bottom=20.0 * row + 10)
            lines.append(
                Line(doc="d", n=n, page=page, row=row, text=shown, box=box, size_pt=10.0, starts_block=True)
            )
            if row == 1:
                marks.append(Mark(kind=MarkKind.BOLD, start=n, end=n + 1))
            if row in (6, 7):
                marks.append(Mark(kind=MarkKind.ROW, start=n, end=n + 1))
    return Parsed(format="pdf", lines=tuple(lines), marks=tuple(marks), pages=count)


def seconds(count: int) -> float:
    parsed = pages(count)
    start = time.thread_time()
    document = build_document(parsed, doc="d", name="long.pdf", fingerprint="f")
    assert len(document.sections) >= count
    return time.thread_time() - start


def test_five_times_the_pages_take_about_five_times_as_long():
    seconds(50)
    # Others may use the processor while the one is measured and not the other: not three times in a row.
    assert any(seconds(1500) < 9 * seconds(300) + 0.5 for _ in range(3))
