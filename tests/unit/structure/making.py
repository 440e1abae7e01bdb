"""Small documents for the tests of structure: plain text as it stands, and print with sizes and places."""

from __future__ import annotations

from deref.structure import build_document
from deref.values import Box, Document, Line, LinkSource, Mark, MarkKind, NativeLink, Parsed

BODY, LARGE, SMALL = 10.0, 14.0, 8.0


def text(content: str, *marks: Mark, name: str = "file.txt", **more: object) -> Document:
    """A document from plain text: a line after an empty row starts a block; empty rows are no lines."""
    lines: list[Line] = []
    blank = True
    for row, line in enumerate(content.strip("\n").split("\n"), start=1):
        if line.strip():
            lines.append(Line(doc="d", n=len(lines), page=1, row=row, text=line, starts_block=blank))
        blank = not line.strip()
    return build(Parsed(format="text", lines=tuple(lines), marks=marks, **more), name=name)  # type: ignore[arg-type]


def printed(*rows: str, marks: tuple[Mark, ...] = (), name: str = "file.pdf", **more: object) -> Document:
    """A document in print, from rows that say how they look.

    "B|text" bold, "L|text" large and bold, "S|text" small, "T|text" a row of a table, "H|" its header row, "R|text"
    set far right; ">12|text" starts 12 points further in; "" a gap, "\\f" a new page. A row after a gap starts a block.
    """
    lines: list[Line] = []
    found: list[Mark] = list(marks)
    page, top, block, row = 1, 72.0, True, 0
    for spec in rows:
        if spec in ("", "\f"):
            block = True
            page, top, row = (page + 1, 72.0, 0) if spec == "\f" else (page, top + 10, row)
            continue
        look, size, left = "", BODY, 72.0
        while "|" in spec[:5]:
            sign, _, spec = spec.partition("|")
            look += sign[:1]
            size = {"L": LARGE, "S": SMALL}.get(sign, size)
            left += float(sign[1:]) if sign[:1] == ">" else 380.0 if sign == "R" else 0.0
        n, row = len(lines), row + 1
        box = Box(x0=left, top=top, x1=left + len(spec) * size * 0.5, bottom=top + size)
        lines.append(
            Line(
                doc="d", n=n, page=page, row=row, text=spec, box=box, size_pt=size,
                starts_block=block or bool(set(look) & set("BLTHS")),
            )
        )  # fmt: skip
        if set(look) & set("BL"):
            found.append(Mark(kind=MarkKind.BOLD, start=n, end=n + 1))
        if set(look) & set("TH"):
            if found and found[-1].kind == MarkKind.ROW and found[-1].end == n and not block:
                start = next(m.start for m in reversed(found) if m.kind == MarkKind.TABLE)
                found[:] = [m for m in found if not (m.kind == MarkKind.TABLE and m.start == start)]
            else:
                start = n
            found.append(Mark(kind=MarkKind.TABLE, start=start, end=n + 1))
            found.append(Mark(kind=MarkKind.ROW, start=n, end=n + 1, label="header" if "H" in look else None))
        block, top = False, top + size * 1.2
    parsed = Parsed(format="pdf", lines=tuple(lines), marks=tuple(found), pages=page, **more)  # type: ignore[arg-type]
    return build(parsed, name=name)


def build(parsed: Parsed, *, name: str = "file.txt") -> Document:
    return build_document(parsed, doc="d", name=name, fingerprint="f")


def head(
    n: int,
    level: int,
    *,
    outline: bool = False,
    end: int | None = None,
    label: str | None = None,
    title: str | None = None,
) -> Mark:
    """A heading mark on line n."""
    return Mark(
        kind=MarkKind.HEADING,
        start=n,
        end=end or n + 1,
        level=level,
        label=label,
        from_outline=outline,
        title=title,
    )


def link(line: int, target: int) -> NativeLink:
    return NativeLink(line=line, char_start=0, char_end=3, source=LinkSource.ANCHOR, target_line=target)


def outline(document: Document) -> list[str]:
    """The sections as "  word label title", two spaces a level."""
    return [
        "  " * (s.level - 1) + " ".join(part for part in (s.word, s.label, s.title) if part)
        for s in document.sections
    ]


def labels(document: Document) -> list[str | None]:
    return [s.label for s in document.sections]


def span(document: Document, label: str) -> tuple[int, int]:
    """First and last line (half-open) of the only section with this label."""
    (section,) = document.sections_labelled(label)
    return section.lines.start, section.lines.end


PROSE = "The carrier keeps a written log of every parcel that enters the depot and shows it on request to the owner."
