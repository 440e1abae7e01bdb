"""DOCX files made here, with python-docx for the package and raw XML for what it cannot write."""

from __future__ import annotations

import io
import zipfile

import docx
import pytest
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls

from deref.errors import DamagedFile, EncryptedFile, OversizedFile, UnsupportedFile
from deref.parse import parse
from deref.values import LinkSource, MarkKind, Parsed

NUMBERING = """<w:numbering {ns}>
<w:abstractNum w:abstractNumId="0"><w:multiLevelType w:val="multilevel"/>
 <w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:pStyle w:val="Heading1"/><w:lvlText w:val="%1."/></w:lvl>
 <w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:pStyle w:val="Heading2"/><w:lvlText w:val="%1.%2"/></w:lvl>
 <w:lvl w:ilvl="2"><w:start w:val="1"/><w:numFmt w:val="lowerLetter"/><w:lvlText w:val="(%3)"/></w:lvl>
 <w:lvl w:ilvl="3"><w:start w:val="1"/><w:numFmt w:val="lowerRoman"/><w:lvlText w:val="(%4)"/></w:lvl>
</w:abstractNum>
<w:abstractNum w:abstractNumId="1">
 <w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="upperRoman"/><w:lvlText w:val="Article %1"/></w:lvl>
 <w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:isLgl/><w:lvlText w:val="%1.%2"/></w:lvl>
</w:abstractNum>
<w:abstractNum w:abstractNumId="2">
 <w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="bullet"/><w:lvlText w:val="o"/></w:lvl>
</w:abstractNum>
<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>
<w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>
<w:num w:numId="3"><w:abstractNumId w:val="2"/></w:num>
<w:num w:numId="4"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="2"><w:startOverride w:val="1"/></w:lvlOverride></w:num>
</w:numbering>"""


def built(
    *bodies: str, numbering: bool = False, parts: dict[str, str] | None = None, styled: bool = False
) -> bytes:
    """Return a DOCX whose body is these pieces of XML; `styled` ties Heading 1 and 2 to the first list."""
    document = docx.Document()
    body = document.element.body
    for xml in bodies:
        body.insert(
            len(body) - 1,
            parse_xml(
                xml.replace(
                    ">",
                    f" {nsdecls('w', 'r')} xmlns:mc='http://schemas.openxmlformats.org/markup-compatibility/2006'>",
                    1,
                )
            ),
        )
    if numbering or styled:
        part = document.part.numbering_part
        part._element = parse_xml(NUMBERING.format(ns=nsdecls("w")))
    if styled:
        for n, name in enumerate(("Heading 1", "Heading 2")):
            properties = document.styles[name].element.get_or_add_pPr()
            level = f'<w:ilvl w:val="{n}"/>' if n else ""
            properties.append(parse_xml(f'<w:numPr {nsdecls("w")}>{level}<w:numId w:val="1"/></w:numPr>'))
    out = io.BytesIO()
    document.save(out)
    if not parts:
        return out.getvalue()
    more = io.BytesIO()
    with zipfile.ZipFile(out) as old, zipfile.ZipFile(more, "w") as new:
        for name in old.namelist():
            if name not in parts:
                new.writestr(name, old.read(name))
        for name, text in parts.items():
            new.writestr(name, text)
    return more.getvalue()


def p(text: str = "", *, style: str = "", num: tuple[int, int] | None = None, inner: str = "") -> str:
    """Return the XML of a paragraph."""
    props = f'<w:pStyle w:val="{style}"/>' if style else ""
    props += f'<w:numPr><w:ilvl w:val="{num[1]}"/><w:numId w:val="{num[0]}"/></w:numPr>' if num else ""
    run = f'<w:r><w:t xml:space="preserve">{text}</w:t></w:r>' if text else ""
    return f"<w:p><w:pPr>{props}</w:pPr>{run}{inner}</w:p>"


def read(data: bytes) -> Parsed:
    parsed = parse(data, doc="d", name="a.docx")
    assert [line.n for line in parsed.lines] == list(range(len(parsed.lines)))
    return parsed


def texts(data: bytes) -> list[str]:
    return [line.text for line in read(data).lines]


def field(instruction: str, result: str) -> str:
    return (
        '<w:r><w:fldChar w:fldCharType="begin"/></w:r>'
        f'<w:r><w:instrText xml:space="preserve"> {instruction} </w:instrText></w:r>'
        f'<w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>{result}</w:t></w:r>'
        '<w:r><w:fldChar w:fldCharType="end"/></w:r>'
    )


def test_headings_carry_the_numbers_that_their_style_gives_them():
    parsed = read(
        built(
            p("Scope", style="Heading1"),
            p("Fees", style="Heading1"),
            p("Rates", style="Heading2"),
            p("Late", style="Heading2"),
            styled=True,
        )
    )
    assert [line.text for line in parsed.lines] == ["1. Scope", "2. Fees", "2.1 Rates", "2.2 Late"]
    heads = [m for m in parsed.marks if m.kind is MarkKind.HEADING]
    assert [(m.level, m.label) for m in heads] == [(1, "1."), (1, "2."), (2, "2.1"), (2, "2.2")]


def test_deeper_levels_start_again_and_letters_and_romans_are_written():
    data = built(
        p("A", num=(1, 0)),
        p("x", num=(1, 2)),
        p("y", num=(1, 2)),
        p("z", num=(1, 3)),
        p("B", num=(1, 0)),
        p("x", num=(1, 2)),
        numbering=True,
    )
    assert texts(data) == ["1. A", "(a) x", "(b) y", "(i) z", "2. B", "(a) x"]


def test_a_legal_level_shows_roman_parents_as_arabic():
    data = built(p("First", num=(2, 0)), p("Second", num=(2, 0)), p("Part", num=(2, 1)), numbering=True)
    assert texts(data) == ["Article I First", "Article II Second", "2.1 Part"]


def test_a_list_with_an_override_starts_again_and_one_without_goes_on():
    data = built(
        p("a", num=(1, 2)), p("b", num=(1, 2)), p("c", num=(4, 2)), p("d", num=(1, 2)), numbering=True
    )
    assert texts(data) == ["(a) a", "(b) b", "(a) c", "(b) d"]


def test_bullets_show_no_number_and_an_unknown_list_neither():
    assert texts(built(p("dot", num=(3, 0)), p("lost", num=(99, 0)), numbering=True)) == ["dot", "lost"]


def test_a_reference_field_becomes_a_link_to_its_bookmark_with_the_cached_text():
    mark = '<w:bookmarkStart w:id="1" w:name="_Ref7"/><w:r><w:t>Payment</w:t></w:r><w:bookmarkEnd w:id="1"/>'
    parsed = read(
        built(
            p(inner=mark),
            p("See Section ", inner=field("REF _Ref7 \\r \\h", "4.2") + "<w:r><w:t> here.</w:t></w:r>"),
        )
    )
    (link,) = parsed.links
    line = parsed.lines[link.line]
    assert line.text == "See Section 4.2 here."
    assert (line.text[link.char_start : link.char_end], link.target_line, link.source) == (
        "4.2",
        0,
        LinkSource.FIELD,
    )
    assert parsed.anchors["_Ref7"] == 0


def test_simple_fields_and_hyperlinks_to_bookmarks_are_links_and_a_lost_bookmark_is_named():
    body = '<w:fldSimple w:instr=" PAGEREF gone \\h "><w:r><w:t>12</w:t></w:r></w:fldSimple><w:hyperlink w:anchor="gone"><w:r><w:t>there</w:t></w:r></w:hyperlink>'
    links = read(built(p("Page ", inner=body))).links
    assert [(link.uri, link.source) for link in links] == [
        ("#gone", LinkSource.FIELD),
        ("#gone", LinkSource.ANCHOR),
    ]


def test_tracked_insertions_are_read_and_deletions_are_not():
    inner = "<w:ins><w:r><w:t>ten</w:t></w:r></w:ins><w:del><w:r><w:delText>nine</w:delText></w:r></w:del><w:r><w:t> days</w:t></w:r>"
    assert texts(built(p("Within ", inner=inner))) == ["Within ten days"]


def test_hidden_text_is_not_read():
    inner = "<w:r><w:rPr><w:vanish/></w:rPr><w:t>secret</w:t></w:r>"
    assert texts(built(p("Seen", inner=inner))) == ["Seen"]


def test_a_table_is_one_line_a_row_and_spans_keep_the_columns():
    table = (
        "<w:tbl><w:tr><w:trPr><w:tblHeader/></w:trPr><w:tc><w:p><w:r><w:t>Tier</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>Fee</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>Cap</w:t></w:r></w:p></w:tc></w:tr>"
        '<w:tr><w:tc><w:tcPr><w:vMerge w:val="restart"/></w:tcPr><w:p><w:r><w:t>Gold</w:t></w:r></w:p></w:tc><w:tc><w:tcPr><w:gridSpan w:val="2"/></w:tcPr><w:p><w:r><w:t>none</w:t></w:r></w:p></w:tc></w:tr>'
        "<w:tr><w:tc><w:tcPr><w:vMerge/></w:tcPr><w:p/></w:tc><w:tc><w:p><w:r><w:t>7</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>9</w:t></w:r></w:p></w:tc></w:tr></w:tbl>"
    )
    parsed = read(built(table))
    assert [line.text for line in parsed.lines] == ["Tier\tFee\tCap", "Gold\tnone\t", "\t7\t9"]
    assert [m.label for m in parsed.marks if m.kind is MarkKind.ROW] == ["header", None, None]
    assert [(m.start, m.end) for m in parsed.marks if m.kind is MarkKind.TABLE] == [(0, 3)]


def test_a_line_break_in_a_cell_does_not_break_the_row():
    cell = "<w:tc><w:p><w:r><w:t>a</w:t><w:br/><w:t>b</w:t></w:r></w:p></w:tc>"
    assert texts(built(f"<w:tbl><w:tr>{cell}{cell}</w:tr></w:tbl>")) == ["a b\ta b"]


def test_rendered_page_breaks_give_the_pages():
    parsed = read(
        built(p("One"), p(inner="<w:r><w:lastRenderedPageBreak/><w:t>Two</w:t></w:r>"), p("Still two"))
    )
    assert [(line.page, line.row) for line in parsed.lines] == [(1, 1), (2, 1), (2, 2)]
    assert parsed.pages == 2


def test_page_breaks_of_the_author_count_where_nothing_was_rendered():
    parsed = read(built(p("One", inner='<w:r><w:br w:type="page"/></w:r>'), p("Two")))
    assert [line.page for line in parsed.lines] == [1, 2]


def test_a_long_paragraph_is_cut_at_words_and_is_one_block():
    parsed = read(built(p("word " * 100)))
    assert len(parsed.lines) > 3
    assert max(len(line.text) for line in parsed.lines) <= 112
    assert [line.starts_block for line in parsed.lines] == [True] + [False] * (len(parsed.lines) - 1)


def test_footnotes_stand_at_the_end_with_their_mark_and_the_text_points_at_them():
    notes = (
        f"<w:footnotes {nsdecls('w')}><w:footnote w:type='separator' w:id='0'><w:p/></w:footnote>"
        "<w:footnote w:id='5'><w:p><w:r><w:footnoteRef/></w:r><w:r><w:t xml:space='preserve'> Net of tax.</w:t></w:r></w:p></w:footnote></w:footnotes>"
    )
    parsed = read(
        built(
            p("Fee", inner='<w:r><w:footnoteReference w:id="5"/></w:r>'),
            p("After"),
            parts={"word/footnotes.xml": notes},
        )
    )
    assert [line.text for line in parsed.lines] == ["Fee[1]", "After", "[1] Net of tax."]
    assert [(m.start, m.label) for m in parsed.marks if m.kind is MarkKind.FOOTNOTE] == [(2, "1")]
    assert parsed.links[0].target_line == 2


def test_the_title_style_names_the_document_and_a_caption_is_marked():
    parsed = read(built(p("The Lease", style="Title"), p("Table 1: Rents", style="Caption")))
    assert parsed.title == "The Lease"
    assert {m.kind for m in parsed.marks} >= {MarkKind.TITLE, MarkKind.CAPTION}


def test_a_bold_term_in_quotes_is_defined():
    inner = '<w:r><w:t xml:space="preserve">The “</w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t>Closing Date</w:t></w:r><w:r><w:t>” is today.</w:t></w:r>'
    assert [m.label for m in read(built(p(inner=inner))).marks if m.kind is MarkKind.DEFINED] == [
        "Closing Date"
    ]


def test_a_text_box_is_read_once_after_its_paragraph():
    box = (
        "<w:r><mc:AlternateContent><mc:Choice Requires='wps'><w:drawing><w:txbxContent><w:p><w:r><w:t>Boxed</w:t></w:r></w:p></w:txbxContent></w:drawing></mc:Choice>"
        "<mc:Fallback><w:pict><w:txbxContent><w:p><w:r><w:t>Boxed</w:t></w:r></w:p></w:txbxContent></w:pict></mc:Fallback></mc:AlternateContent></w:r>"
    )
    assert texts(built(p("Text", inner=box))) == ["Text", "Boxed"]


def test_a_table_of_contents_is_marked_and_its_links_are_contents():
    toc = p(
        inner='<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> TOC \\o "1-3" </w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r><w:hyperlink w:anchor="h"><w:r><w:t>Scope 3</w:t></w:r></w:hyperlink>'
    )
    end = p(inner='<w:r><w:t>Fees 4</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>')
    parsed = read(
        built(toc, end, p("Scope", style="Heading1", inner='<w:bookmarkStart w:id="1" w:name="h"/>'))
    )
    assert [(m.start, m.end) for m in parsed.marks if m.kind is MarkKind.CONTENTS] == [(0, 2)]
    assert (parsed.links[0].source, parsed.links[0].target_line) == (LinkSource.CONTENTS, 2)


def test_a_zip_bomb_is_refused_before_it_is_unpacked():
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", b" " * (20 * 2**20))
    with pytest.raises(OversizedFile, match=r"bomb\.docx.*zip bomb"):
        parse(out.getvalue(), doc="d", name="bomb.docx")


def test_a_document_over_the_limit_is_refused():
    with pytest.raises(OversizedFile, match="limit 1,000"):
        parse(built(p("x")), doc="d", name="a.docx", max_unpacked=1000)


def test_a_docx_cut_short_is_damaged():
    with pytest.raises(DamagedFile, match=r"cut\.docx"):
        parse(built(p("x"))[:2000], doc="d", name="cut.docx")


def test_broken_xml_inside_names_the_part():
    with pytest.raises(DamagedFile, match=r"word/document\.xml"):
        parse(built(p("x"), parts={"word/document.xml": "<w:document>"}), doc="d", name="a.docx")


def test_a_spreadsheet_called_docx_is_named_for_what_it_is():
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("xl/workbook.xml", "<a/>")
    with pytest.raises(UnsupportedFile, match="Excel"):
        parse(out.getvalue(), doc="d", name="a.docx")


def test_a_locked_office_file_says_that_it_is_locked():
    data = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600) + "EncryptedPackage".encode("utf-16-le")
    with pytest.raises(EncryptedFile, match="password"):
        parse(data, doc="d", name="a.docx")


def test_entities_are_not_expanded():
    bomb = (
        '<!DOCTYPE d [<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;&a;">]>'
        f"<w:document {nsdecls('w')}><w:body><w:p><w:r><w:t>x&b;y</w:t></w:r></w:p></w:body></w:document>"
    )
    parsed = read(built(p("x"), parts={"word/document.xml": bomb}))
    assert "lol" not in "".join(line.text for line in parsed.lines)


def test_a_cell_that_claims_a_thousand_million_columns_spans_what_word_can_make():
    row = "<w:tr><w:tc><w:tcPr><w:gridSpan w:val='1000000000'/></w:tcPr>" + p("a") + "</w:tc><w:tc>" + p("b")
    (line,) = texts(built(f"<w:tbl>{row}</w:tc></w:tr></w:tbl>"))
    assert line.strip("\t").split("\t") == ["a", *[""] * 62, "b"]
