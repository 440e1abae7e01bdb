"""Sets a source text as a DOCX: heading styles with automatic numbers, bookmarks, REF fields; same bytes each run.

The numbers of the source are not written: Word counts them. The writer counts along and stops if the author's
number is another than Word would show.
"""

from __future__ import annotations

import io
import zipfile
from datetime import datetime
from pathlib import Path

from docx import Document
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls, qn
from docx.oxml.text.parfmt import CT_PPr
from docx.shared import Pt
from docx.text.paragraph import Paragraph

from deal_room_sources.blocks import Block, references

_LIST = 77
_WHEN = datetime(2025, 3, 12, 9, 0, 0)  # noqa: DTZ001 - the format keeps no zone
_LEVELS = (
    ("decimal", "%1", "Heading1", 0, 567),
    ("decimal", "%1.%2", "Heading2", 0, 567),
    ("lowerLetter", "(%3)", "", 567, 567),
)


class _Writer:
    def __init__(self) -> None:
        self.document = Document()
        self.counts = [0, 0, 0]
        self.bookmarks = 0
        self._numbering()
        normal = self.document.styles["Normal"]
        normal.font.name, normal.font.size = "Liberation Serif", Pt(11)

    def _numbering(self) -> None:
        levels = "".join(
            f'<w:lvl w:ilvl="{n}"><w:start w:val="1"/><w:numFmt w:val="{form}"/>'
            + (f'<w:pStyle w:val="{style}"/>' if style else "")
            + f'<w:lvlText w:val="{text}"/><w:lvlJc w:val="left"/>'
            f'<w:pPr><w:ind w:left="{left + hang}" w:hanging="{hang}"/></w:pPr></w:lvl>'
            for n, (form, text, style, left, hang) in enumerate(_LEVELS)
        )
        root = self.document.part.numbering_part.element
        first_num = root.find(qn("w:num"))
        abstract = parse_xml(
            f'<w:abstractNum {nsdecls("w")} w:abstractNumId="{_LIST}">'
            f'<w:multiLevelType w:val="multilevel"/>{levels}</w:abstractNum>'
        )
        first_num.addprevious(abstract)
        root.append(
            parse_xml(f'<w:num {nsdecls("w")} w:numId="{_LIST}"><w:abstractNumId w:val="{_LIST}"/></w:num>')
        )
        for n, name in enumerate(("Heading 1", "Heading 2")):
            _number(self.document.styles[name].element.get_or_add_pPr(), n)

    def add(self, block: Block) -> None:
        getattr(self, f"_{block.kind}")(block)

    def _title(self, block: Block) -> None:
        first, *rest = block.fields
        self.document.add_paragraph(first, style="Title")
        for line in rest:
            self.document.add_paragraph(line, style="Subtitle")

    def _heading(self, block: Block) -> None:
        self._count(block.level - 1, block.number)
        paragraph = self.document.add_paragraph(style=f"Heading {block.level}")
        self._bookmarked(paragraph, block.text, f"_Ref_{block.number.replace('.', '_')}")

    def _clause(self, block: Block) -> None:
        if block.number.endswith("."):
            self.document.add_paragraph(f"{block.number} {block.text}")
            return
        self._count(block.level - 1, block.number)
        paragraph = self.document.add_paragraph()
        _number(paragraph._p.get_or_add_pPr(), block.level - 1)
        self._runs(paragraph, block.text)

    def _item(self, block: Block) -> None:
        self._count(2, block.number)
        paragraph = self.document.add_paragraph()
        _number(paragraph._p.get_or_add_pPr(), 2)
        self._runs(paragraph, block.text)

    def _paragraph(self, block: Block) -> None:
        self._runs(self.document.add_paragraph(), block.text)

    def _definition(self, block: Block) -> None:
        paragraph = self.document.add_paragraph()
        term, rest = block.text[1:].split("”", 1)
        paragraph.add_run("“")
        paragraph.add_run(term).bold = True
        self._runs(paragraph, f"”{rest}")

    def _schedule(self, block: Block) -> None:
        label, title = block.fields
        paragraph = self.document.add_paragraph(style="Heading 1")
        _number(paragraph._p.get_or_add_pPr(), 0, list_id=0)
        paragraph.paragraph_format.page_break_before = True
        self._bookmarked(paragraph, f"{label} – {title}", f"_Ref_{label.replace(' ', '_').replace('.', '_')}")

    def _part(self, block: Block) -> None:
        label, title = block.fields
        paragraph = self.document.add_paragraph(f"{label} – {title}", style="Heading 2")
        _number(paragraph._p.get_or_add_pPr(), 1, list_id=0)

    def _table(self, block: Block) -> None:
        self.document.add_paragraph(block.text, style="Caption")
        table = self.document.add_table(rows=0, cols=len(block.rows[0]), style="Table Grid")
        for n, row in enumerate(block.rows):
            cells = table.add_row().cells
            for cell, text in zip(cells, row, strict=True):
                cell.paragraphs[0].add_run(text).bold = True if n == 0 else None
        head = table.rows[0]._tr.get_or_add_trPr()
        head.append(parse_xml(f"<w:tblHeader {nsdecls('w')}/>"))
        self.document.add_paragraph()

    def _bookmarked(self, paragraph: Paragraph, text: str, name: str) -> None:
        self.bookmarks += 1
        start = f'<w:bookmarkStart {nsdecls("w")} w:id="{self.bookmarks}" w:name="{name}"/>'
        paragraph._p.append(parse_xml(start))
        paragraph.add_run(text)
        paragraph._p.append(parse_xml(f'<w:bookmarkEnd {nsdecls("w")} w:id="{self.bookmarks}"/>'))

    def _runs(self, paragraph: Paragraph, text: str) -> None:
        for words, key in references(text):
            if key is None:
                paragraph.add_run(words)
                continue
            _field(paragraph, "begin")
            code = f" REF _Ref_{key.replace('.', '_')} \\r \\h "
            paragraph.add_run()._r.append(
                parse_xml(f'<w:instrText {nsdecls("w")} xml:space="preserve">{code}</w:instrText>')
            )
            _field(paragraph, "separate")
            paragraph.add_run(words)
            _field(paragraph, "end")

    def _count(self, level: int, written: str) -> None:
        self.counts[level] += 1
        self.counts[level + 1 :] = [0] * (2 - level)
        shown = (
            ".".join(str(n) for n in self.counts[: level + 1])
            if level < 2
            else f"({chr(96 + self.counts[2])})"
        )
        if shown != written:
            raise ValueError(
                f"the source says {written!r} where Word would count {shown!r}; renumber the source"
            )


def _number(properties: CT_PPr, level: int, *, list_id: int = _LIST) -> None:
    """Give a paragraph or style the number of a level of the list; list 0 takes the number of its style away."""
    number = properties.get_or_add_numPr()
    number.get_or_add_ilvl().val = level
    number.get_or_add_numId().val = list_id


def _field(paragraph: Paragraph, kind: str) -> None:
    paragraph.add_run()._r.append(parse_xml(f'<w:fldChar {nsdecls("w")} w:fldCharType="{kind}"/>'))


def write_docx(blocks: list[Block], path: Path, title: str) -> None:
    """Set the blocks and write the file."""
    writer = _Writer()
    for block in blocks:
        writer.add(block)
    properties = writer.document.core_properties
    properties.title, properties.author, properties.last_modified_by = title, "Merrow Finch Advisers LLP", ""
    properties.comments, properties.revision = "", 1
    properties.created = properties.modified = _WHEN
    held = io.BytesIO()
    writer.document.save(held)
    path.write_bytes(_with_fixed_times(held.getvalue()))


def _with_fixed_times(package: bytes) -> bytes:
    """Write the zip again with one date for every part, for the same bytes on every run."""
    out = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(package)) as old,
        zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        for name in old.namelist():
            part = zipfile.ZipInfo(name, date_time=_WHEN.timetuple()[:6])
            part.compress_type, part.external_attr = zipfile.ZIP_DEFLATED, 0o600 << 16
            new.writestr(part, old.read(name))
    return out.getvalue()
