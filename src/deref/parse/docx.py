"""DOCX to lines: paragraphs in order with the numbers Word gives them, tables row by row, notes at the end.

1. Open the zip with limits (`docx_package`), read styles and numbering.
2. Walk the body. A paragraph becomes one block: its automatic number, then its text as shown (`docx_text`); a row of
   a table becomes one line, unless the table only lays out the page.
3. Append the footnotes and endnotes in the order in which the text refers to them.

Pages are those that Word noted when it last laid the document out, else the page breaks the author made.
"""

from __future__ import annotations

import re
from typing import Any

from deref.parse.docx_names import W, child_value, is_on, number
from deref.parse.docx_numbering import Numbers, read_numbering
from deref.parse.docx_package import Package, open_package
from deref.parse.docx_styles import Style, numbering_of, outline_level, read_styles
from deref.parse.docx_text import Runs, Shared
from deref.parse.flow import Block, Flow
from deref.text.labels import to_roman
from deref.values import MarkKind, Parsed, Problem

_CELLS = "\t"
_LONG_CELL = 400
_MOST_COLUMNS = 63
"""As many as Word makes in a row; cells that claim to span more are damaged or meant to do harm."""
_TAG = re.compile(r"^\s*\[([^\]]{1,60})\]")
_JUNK_TITLE = re.compile(
    r"^(?:microsoft word\b.*|document\d*|untitled.*|word document|.*\.docx?)$", re.IGNORECASE
)


def parse_docx(
    data: bytes, *, doc: str, name: str, password: str | None = None, max_unpacked: int = 512 * 2**20
) -> Parsed:
    """Parse a DOCX. `password` is not used: locked files are refused.

    Raises DamagedFile, UnsupportedFile, EncryptedFile, OversizedFile.
    """
    package = open_package(data, name=name, max_unpacked=max_unpacked)
    root = package.xml(package.main)
    body = root.find(f"{W}body")
    flow = Flow(doc=doc)
    reader = _Reader(flow, package, body)
    if body is not None:
        reader.blocks(body)
        reader.notes()
    if not flow.lines:
        flow.problems.append(Problem(what="the document has no text (it may hold pictures only)"))
    title = reader.title or _core_title(package)
    return flow.parsed("docx", title=title, language=reader.shared.styles.language)


def _core_title(package: Package) -> str | None:
    core = package.xml("docProps/core.xml")
    found = None if core is None else core.find("{http://purl.org/dc/elements/1.1/}title")
    title = " ".join((found.text or "").split()) if found is not None else ""
    return None if _JUNK_TITLE.match(title) else title or None


class _Reader:
    """Walks one document into a flow."""

    def __init__(self, flow: Flow, package: Package, body: Any) -> None:
        self.flow = flow
        self.package = package
        self.numbers: Numbers = read_numbering(package.xml(package.related("numbering")))
        rendered = body is not None and next(body.iter(f"{W}lastRenderedPageBreak"), None) is not None
        self.shared = Shared(
            styles=read_styles(package.xml(package.related("styles"))),
            relations=package.relations(package.main),
            rendered_breaks=rendered,
            note_number=self.note_number,
        )
        self.title: str | None = None
        self.met: dict[str, dict[str, str]] = {"footnote": {}, "endnote": {}}
        self.contents: int | None = None  # the first line of the table of contents that is being read

    def note_number(self, kind: str, ident: str) -> str:
        """Return the mark of a note, counted in the order of the text."""
        met = self.met[kind]
        count = len(met) + 1
        return met.setdefault(
            ident, str(count) if kind == "footnote" or count > 3999 else to_roman(count).lower()
        )

    def blocks(self, parent: Any) -> None:
        """Read the paragraphs and tables under an element, in order."""
        for child in parent:
            tag = child.tag.rpartition("}")[2] if isinstance(child.tag, str) else ""
            if tag == "p":
                self.paragraph(child)
            elif tag == "tbl":
                self.table(child)
            elif tag == "bookmarkStart" and child.get(f"{W}name"):
                self.flow.anchor(child.get(f"{W}name"))
            elif tag in ("sdt", "sdtContent", "ins", "moveTo", "customXml", "smartTag"):
                self.blocks(child)
        self._end_contents()

    def paragraph(self, element: Any) -> None:
        """Read one paragraph."""
        properties = element.find(f"{W}pPr")
        style_id = child_value(properties, "pStyle")
        style = self.shared.styles.of(style_id)
        runs = Runs(self.shared)
        label = self._fill(runs, element, properties, style, style_id)
        contents = style.name.startswith("toc ") or runs.contents
        if not contents:
            self._end_contents()
        elif self.contents is None:
            self.contents = self.flow.n
        block = runs.block()
        block.width = 0 if style.is_code else block.width
        start, end = self.flow.add(block, own_anchors=True)
        if end > start and not contents:
            self._mark(start, runs, properties, style, label)
        for box in runs.boxes:
            self.blocks(box)
        if not self.shared.rendered_breaks and _ends_page(properties):
            self.flow.add(Block(text="", turns=[0]))

    def _fill(self, runs: Runs, element: Any, properties: Any, style: Style, style_id: str | None) -> str:
        """Put the automatic number and the text of a paragraph; return the number."""
        if is_on(properties, "pageBreakBefore") and not self.shared.rendered_breaks:
            runs.turn()
        label, gap = "", ""
        # A paragraph whose mark was deleted and that has nothing left is gone, and is not counted.
        mark = None if properties is None else properties.find(f"{W}rPr")
        gone = mark is not None and mark.find(f"{W}del") is not None and not _has_text(element)
        if not gone:
            label, gap = self._number(properties, style, style_id)
        if label and _has_text(element):
            runs.put(label + gap, bold=style.bold)
        runs.read(element, bold=style.bold)
        return label

    def _number(self, properties: Any, style: Style, style_id: str | None) -> tuple[str, str]:
        own = numbering_of(properties)
        ident, depth = own or style.number or (0, None)
        if not ident:
            return "", ""
        if depth is None:
            depth = self.numbers.level_of_style(ident, style_id)
        return self.numbers.next(ident, depth)

    def _mark(self, start: int, runs: Runs, properties: Any, style: Style, label: str) -> None:
        own = outline_level(properties)
        level = own if own is not None else style.level
        shown = label.strip() or None
        if style.name == "title":
            text = " ".join(line.text for line in self.flow.lines[start:])
            self.title = self.title or " ".join(text.split())
            self.flow.mark(MarkKind.TITLE, start)
        elif level:
            self.flow.mark(MarkKind.HEADING, start, level=level, label=shown)
        elif style.name == "caption":
            self.flow.mark(MarkKind.CAPTION, start)
        elif style.is_code:
            self.flow.mark(MarkKind.CODE, start)
        elif style.name == "bibliography":
            tag = _TAG.match(self.flow.lines[start].text)
            self.flow.mark(MarkKind.BIBLIOGRAPHY, start, label=tag.group(1) if tag else None)
        elif not runs.plain:
            self.flow.mark(MarkKind.BOLD, start)

    def _end_contents(self) -> None:
        if self.contents is not None:
            self.flow.mark(MarkKind.CONTENTS, self.contents)
            self.contents = None

    def table(self, element: Any) -> None:
        """Read a table: one line a row, or as paragraphs where it only lays out the page."""
        self._end_contents()
        rows = [row for row in _children(element, "tr") if row.find(f"{W}trPr/{W}del") is None]
        if _lays_out(element, rows):
            for row in rows:
                for cell in _children(row, "tc"):
                    self.blocks(cell)
            return
        first = self.flow.n
        for n, row in enumerate(rows):
            self._row(row, n == 0 and len(rows) > 1)
        self.flow.mark(MarkKind.TABLE, first)

    def _row(self, row: Any, first: bool) -> None:
        runs = Runs(self.shared)
        filled = False
        columns = 0
        for n, cell in enumerate(_children(row, "tc")):
            if n:
                runs.put(_CELLS, bold=True)
            before = runs.size
            if not _goes_on(cell):
                self._cell(cell, runs)
            filled = filled or runs.size > before
            span = max(1, min(number(child_value(cell, "tcPr", "gridSpan")) or 1, _MOST_COLUMNS - columns))
            columns += span
            for _ in range(span - 1):
                runs.put(_CELLS, bold=True)
        start = self.flow.n
        block = runs.block()
        if not filled:
            block.text = ""
        self.flow.add(block, whole=True, own_anchors=True)
        header = is_on(row.find(f"{W}trPr"), "tblHeader") or (first and not runs.plain)
        self.flow.mark(MarkKind.ROW, start, label="header" if header else None)
        for box in runs.boxes:
            self.blocks(box)

    def _cell(self, cell: Any, runs: Runs) -> None:
        before = runs.size
        for paragraph in _children(cell, "p"):
            if runs.size > before:
                runs.put(" ")
            properties = paragraph.find(f"{W}pPr")
            style_id = child_value(properties, "pStyle")
            self._fill(runs, paragraph, properties, self.shared.styles.of(style_id), style_id)

    def notes(self) -> None:
        """Append the notes that the text refers to, in that order; a note may refer to a further one."""
        for kind in ("footnote", "endnote"):
            part = self.package.related(f"{kind}s")
            root = self.package.xml(part)
            if root is None:
                continue
            self.shared.relations = self.package.relations(part)
            by_id = {e.get(f"{W}id", ""): e for e in root.iter(W + kind)}
            done: set[str] = set()
            while waiting := [i for i in self.met[kind] if i not in done]:
                done.update(waiting)
                for ident in waiting:
                    if ident in by_id:
                        self._note(kind, self.met[kind][ident], by_id[ident])

    def _note(self, kind: str, mark: str, element: Any) -> None:
        start = self.flow.n
        self.flow.anchor(f"{kind} {mark}")
        for paragraph in _children(element, "p"):
            if not _has_text(paragraph):
                continue
            runs = Runs(self.shared)
            if self.flow.n == start:
                runs.put(f"[{mark}] ")
                runs.after_mark = True
            runs.read(paragraph, bold=False)
            self.flow.add(runs.block(), own_anchors=True)
        self.flow.mark(MarkKind.FOOTNOTE, start, label=mark)


def _children(parent: Any, name: str) -> list[Any]:
    """Return the rows or cells under an element, those in content controls and insertions included."""
    out: list[Any] = []
    for child in parent:
        if child.tag == W + name:
            out.append(child)
        elif child.tag in (f"{W}sdt", f"{W}sdtContent", f"{W}ins", f"{W}customXml"):
            out += _children(child, name)
    return out


def _has_text(element: Any) -> bool:
    return any(e.text and e.text.strip() for e in element.iter(f"{W}t"))


def _goes_on(cell: Any) -> bool:
    """Tell whether a cell only goes on with the one above it."""
    merge = cell.find(f"{W}tcPr/{W}vMerge")
    return merge is not None and merge.get(f"{W}val", "continue") == "continue"


def _lays_out(table: Any, rows: list[Any]) -> bool:
    cells = [_children(row, "tc") for row in rows]
    if max((len(row) for row in cells), default=0) < 2 or table.find(f".//{W}tc//{W}tbl") is not None:
        return True
    if table.find(f".//{W}tblHeader") is not None:
        return False
    return any(
        sum(len(t.text or "") for t in cell.iter(f"{W}t")) > _LONG_CELL for row in cells for cell in row
    )


def _ends_page(properties: Any) -> bool:
    section = None if properties is None else properties.find(f"{W}sectPr")
    if section is None:
        return False
    return (child_value(section, "type") or "nextPage") in ("nextPage", "oddPage", "evenPage")
