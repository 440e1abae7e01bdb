"""Sets a source text as a PDF: real text in the standard fonts, the same bytes on every run.

With `links`, cross-references become link annotations and headings an outline; without it the file has neither,
as most signed contracts do.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape

from reportlab.graphics.charts.barcharts import VerticalBarChart
from reportlab.graphics.shapes import Drawing
from reportlab.lib import colors
from reportlab.lib.enums import TA_CENTER, TA_JUSTIFY, TA_LEFT
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import (
    BaseDocTemplate,
    CondPageBreak,
    Flowable,
    Frame,
    KeepTogether,
    NextPageTemplate,
    PageBreak,
    PageTemplate,
    Paragraph,
    Spacer,
    Table,
    TableStyle,
)
from reportlab.platypus.tableofcontents import TableOfContents

from deal_room_sources.blocks import Block, references

_LEFT, _RIGHT, _TOP, _BOTTOM = 26 * mm, 24 * mm, 27 * mm, 24 * mm
_GUTTER = 8 * mm

_BODY = ParagraphStyle(
    "body", fontName="Times-Roman", fontSize=10.5, leading=13.6, spaceAfter=6, alignment=TA_JUSTIFY
)
_STYLES = {
    "paragraph": _BODY,
    "definition": ParagraphStyle("definition", parent=_BODY, leftIndent=12 * mm),
    "clause": ParagraphStyle("clause", parent=_BODY, leftIndent=12 * mm, bulletIndent=0, bulletFontName="Times-Roman", bulletFontSize=10.5),
    "item": ParagraphStyle("item", parent=_BODY, alignment=TA_LEFT, leftIndent=20 * mm, bulletIndent=12 * mm, bulletFontName="Times-Roman", bulletFontSize=10.5),
    "cell": ParagraphStyle("cell", fontName="Times-Roman", fontSize=9.5, leading=11.6),
    "head": ParagraphStyle("head", fontName="Times-Bold", fontSize=9.5, leading=11.6),
    "caption": ParagraphStyle("caption", fontName="Times-Bold", fontSize=9.5, leading=12, spaceBefore=4, spaceAfter=4),
    "title": ParagraphStyle("title", fontName="Times-Bold", fontSize=16, leading=21, alignment=TA_CENTER, spaceAfter=6),
    "subtitle": ParagraphStyle("subtitle", fontName="Times-Roman", fontSize=11, leading=15, alignment=TA_CENTER, spaceAfter=6),
    "contents": ParagraphStyle("contents", fontName="Times-Bold", fontSize=13, leading=18, spaceAfter=8),
}  # fmt: skip
_HEADINGS = {
    1: ParagraphStyle("h1", fontName="Times-Bold", fontSize=12.5, leading=16, spaceBefore=10, spaceAfter=6, bulletIndent=0),
    2: ParagraphStyle("h2", fontName="Times-Bold", fontSize=11, leading=14, spaceBefore=6, spaceAfter=4),
}  # fmt: skip


@dataclass(frozen=True)
class Look:
    """How one file is set: running heads, how many pages come before printed page 1, links or none."""

    title: str
    head_left: str
    head_right: str
    front_pages: int = 0
    links: bool = False


class _Template(BaseDocTemplate):
    def __init__(self, path: Path, look: Look) -> None:
        super().__init__(
            str(path), pagesize=A4, title=look.title, author="Merrow Finch Advisers LLP", invariant=1,
            leftMargin=_LEFT, rightMargin=_RIGHT, topMargin=_TOP, bottomMargin=_BOTTOM,
        )  # fmt: skip
        self.look = look
        width, height = A4[0] - _LEFT - _RIGHT, A4[1] - _TOP - _BOTTOM
        column = (width - _GUTTER) / 2
        whole = Frame(_LEFT, _BOTTOM, width, height, 0, 0, 0, 0, id="whole")
        left = Frame(_LEFT, _BOTTOM, column, height, 0, 0, 0, 0, id="left")
        right = Frame(_LEFT + column + _GUTTER, _BOTTOM, column, height, 0, 0, 0, 0, id="right")
        self.addPageTemplates(
            [
                *([PageTemplate("cover", [whole])] if look.front_pages else []),
                PageTemplate("one", [whole], onPage=self._furniture),
                PageTemplate("two", [left, right], onPage=self._furniture),
            ]
        )

    def _furniture(self, canvas: Canvas, _: BaseDocTemplate) -> None:
        look = self.look
        canvas.saveState()
        canvas.setFont("Times-Italic", 9)
        canvas.drawString(_LEFT, A4[1] - 17 * mm, look.head_left)
        canvas.drawRightString(A4[0] - _RIGHT, A4[1] - 17 * mm, look.head_right)
        canvas.setLineWidth(0.4)
        canvas.line(_LEFT, A4[1] - 19 * mm, A4[0] - _RIGHT, A4[1] - 19 * mm)
        canvas.setFont("Times-Roman", 9)
        printed = canvas.getPageNumber() - look.front_pages
        canvas.drawCentredString(A4[0] / 2, 14 * mm, f"Page {printed}" if printed > 0 else "ii")
        canvas.restoreState()

    def beforeDocument(self) -> None:
        if self.look.front_pages:
            self.canv.addPageLabel(0, style="ROMAN_LOWER", start=1)
            self.canv.addPageLabel(self.look.front_pages, style="ARABIC", start=1)

    def afterFlowable(self, flowable: Flowable) -> None:
        entry = getattr(flowable, "deal_room_entry", None)
        if entry is None:
            return
        level, text, key = entry
        self.notify("TOCEntry", (level, text, self.page - self.look.front_pages))
        if self.look.links:
            self.canv.bookmarkPage(key)
            self.canv.addOutlineEntry(text, key, level)


def write_pdf(blocks: list[Block], path: Path, look: Look) -> None:
    """Set the blocks and write the file."""
    story: list[Flowable] = []
    for block in blocks:
        story += _set(block, look)
    _Template(path, look).multiBuild(story)


def _set(block: Block, look: Look) -> list[Flowable]:
    if block.kind in _DIRECTIVES:
        return _DIRECTIVES[block.kind](block)
    if block.kind == "table":
        return _table(block)
    if block.kind == "heading":
        return _heading(block)
    number = f"<bullet>{block.number}</bullet>" if block.number else ""
    return [Paragraph(number + _markup(_lead(block), look), _STYLES[block.kind])]


def _lead(block: Block) -> str:
    """Mark the run-in heading of a clause ("Scope.") and the term of a definition in bold."""
    if block.kind == "clause" and ". " in block.text and len(block.text.split(". ")[0]) < 40:
        lead, rest = block.text.split(". ", 1)
        return f"**{lead}.** {rest}"
    if block.kind == "definition":
        term, rest = block.text[1:].split("”", 1)
        return f"“**{term}**”{rest}"
    return block.text


def _markup(text: str, look: Look) -> str:
    out = ""
    for words, key in references(text):
        piece = escape(words)
        out += f'<link href="#{escape(key)}" color="#1a3c8c">{piece}</link>' if key and look.links else piece
    parts = out.split("**")
    return "".join(f"<b>{part}</b>" if n % 2 else part for n, part in enumerate(parts))


def _heading(block: Block) -> list[Flowable]:
    style = _HEADINGS[block.level]
    text = f"{block.number} {block.text}"
    out = Paragraph(f'<a name="s:{block.number}"/>{escape(text)}', style)
    out.deal_room_entry = (block.level - 1, text, f"s:{block.number}")
    return [CondPageBreak(22 * mm), out]


def _table(block: Block) -> list[Flowable]:
    head, *rows = block.rows
    cells = [[Paragraph(escape(cell), _STYLES["head"]) for cell in head]]
    cells += [[Paragraph(escape(cell), _STYLES["cell"]) for cell in _plain(row)] for row in rows]
    table = Table(cells, colWidths=[float(width) * mm * 0.93 for width in block.fields], repeatRows=1)
    table.setStyle(
        TableStyle(
            [
                ("GRID", (0, 0), (-1, -1), 0.4, colors.grey),
                ("BACKGROUND", (0, 0), (-1, 0), colors.Color(0.92, 0.92, 0.92)),
                ("VALIGN", (0, 0), (-1, -1), "TOP"),
            ]
        )
    )
    key = block.text.split(". ")[0]
    caption = Paragraph(f'<a name="t:{key}"/>{escape(block.text)}', _STYLES["caption"])
    return [KeepTogether([caption, table]), Spacer(1, 9)]


def _plain(row: tuple[str, ...]) -> list[str]:
    return ["".join(words for words, _ in references(cell)) for cell in row]


def _cover(block: Block) -> list[Flowable]:
    title, subtitle, *rest = block.fields
    out: list[Flowable] = [Spacer(1, 62 * mm), Paragraph(escape(title), _STYLES["title"])]
    out += [Paragraph(escape(subtitle), _STYLES["subtitle"]), Spacer(1, 24 * mm)]
    out += [Paragraph(escape(line), _STYLES["subtitle"]) for line in rest]
    return [*out, NextPageTemplate("one"), PageBreak()]


def _contents(_: Block) -> list[Flowable]:
    toc = TableOfContents(dotsMinLevel=0)
    toc.levelStyles = [ParagraphStyle("toc", fontName="Times-Roman", fontSize=10.5, leading=17)]
    return [Paragraph("Contents", _STYLES["contents"]), toc, PageBreak()]


def _title(block: Block) -> list[Flowable]:
    first, second, *rest = block.fields
    out: list[Flowable] = [
        Paragraph(escape(first), _STYLES["title"]),
        Paragraph(escape(second), _STYLES["title"]),
    ]
    return [*out, *(Paragraph(escape(line), _STYLES["subtitle"]) for line in rest), Spacer(1, 8 * mm)]


def _exhibit(block: Block) -> list[Flowable]:
    label, title = block.fields
    head = Paragraph(escape(label), _STYLES["title"])
    head.deal_room_entry = (0, f"{label} {title}", f"e:{label}")
    return [PageBreak(), head, Paragraph(escape(title), _STYLES["subtitle"]), Spacer(1, 5 * mm)]


def _columns(_: Block) -> list[Flowable]:
    return [NextPageTemplate("two"), PageBreak()]


def _figure(block: Block) -> list[Flowable]:
    drawing = Drawing(200, 125)
    chart = VerticalBarChart()
    chart.x, chart.y, chart.width, chart.height = 24, 18, 168, 98
    chart.data = [(19.3, 22.8, 28.05, 41.3)]
    chart.categoryAxis.categoryNames = ["2025", "2027", "2029", "2031"]
    chart.categoryAxis.labels.fontName = chart.valueAxis.labels.fontName = "Times-Roman"
    chart.categoryAxis.labels.fontSize = chart.valueAxis.labels.fontSize = 8
    chart.valueAxis.valueMin, chart.valueAxis.valueMax, chart.valueAxis.valueStep = 0, 50, 10
    chart.bars[0].fillColor = colors.Color(0.45, 0.55, 0.7)
    chart.barWidth, chart.groupSpacing = 8, 10
    drawing.add(chart)
    key = block.text.split(". ")[0]
    caption = Paragraph(f'<a name="f:{key}"/>{escape(block.text)}', _STYLES["caption"])
    return [KeepTogether([drawing, caption]), Spacer(1, 6)]


_DIRECTIVES = {
    "cover": _cover,
    "contents": _contents,
    "title": _title,
    "exhibit": _exhibit,
    "columns": _columns,
    "figure": _figure,
}
