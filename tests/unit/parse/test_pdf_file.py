"""What a PDF file says of itself, and what it says when it cannot be read."""

from __future__ import annotations

import io
from threading import Thread

import pytest
from PIL import Image
from reportlab.lib import pdfencrypt
from reportlab.pdfgen.canvas import Canvas

from deref.errors import DamagedFile, EncryptedFile
from deref.parse.pdf import parse_pdf
from deref.values import LinkSource, MarkKind, Parsed


def save(draw: object, **options: object) -> bytes:
    out = io.BytesIO()
    canvas = Canvas(out, **options)
    draw(canvas)  # type: ignore[operator]
    canvas.save()
    return out.getvalue()


def read(data: bytes, password: str | None = None) -> Parsed:
    return parse_pdf(data, doc="d", name="deed.pdf", password=password)


def two_pages(canvas: Canvas) -> None:
    canvas.setTitle("A Deed of Berths")
    canvas.drawString(72, 700, "As Section 2 says, the fee is due. See the tide table.")
    canvas.linkAbsolute("", "fees", Rect=(91, 695, 145, 712), Border="[0 0 0]")
    canvas.linkURL("https://tides.example/table", (255, 695, 400, 712), relative=0)
    canvas.bookmarkPage("top", fit="XYZ", left=0, top=792)
    canvas.addOutlineEntry("1 Scope", "scope", level=0)
    canvas.drawString(72, 660, "1 Scope")
    canvas.bookmarkHorizontal("scope", 0, 675)
    canvas.showPage()
    canvas.drawString(72, 700, "Some text before")
    canvas.drawString(72, 600, "2 Fees")
    canvas.bookmarkPage("fees", fit="XYZ", left=72, top=615)
    canvas.addOutlineEntry("2 Fees", "fees", level=0)
    canvas.addOutlineEntry("2.1 Late fees", "late", level=1)
    canvas.drawString(72, 500, "2.1 Late fees")
    canvas.bookmarkPage("late", fit="XYZ", left=0, top=515)
    canvas.showPage()


def test_links_lead_to_lines_and_addresses() -> None:
    result = read(save(two_pages))
    internal, external = result.links
    line = result.lines[internal.line].text
    assert line[internal.char_start : internal.char_end] == "Section 2"
    assert internal.target_line is not None
    assert result.lines[internal.target_line].text == "2 Fees"
    assert internal.source is LinkSource.ANNOTATION
    assert external.uri == "https://tides.example/table"
    assert external.target_line is None


def test_a_link_over_two_lines_in_two_annotations_is_one() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.drawString(72, 700, "The warden asks for what is said in Section")
        canvas.drawString(72, 686, "2.1 of this deed.")
        edge = 72 + canvas.stringWidth("The warden asks for what is said in ", "Helvetica", 12)
        canvas.linkAbsolute("", "late", Rect=(edge - 1, 697, 330, 712))
        canvas.linkAbsolute("", "late", Rect=(71, 683, 89, 697))
        canvas.drawString(72, 500, "2.1 Late fees")
        canvas.bookmarkPage("late", fit="XYZ", left=72, top=515)
        canvas.showPage()

    (link,) = read(save(draw)).links
    assert (link.line, link.end_line, link.char_end) == (0, 1, 3)


def test_bookmarks_mark_headings_with_their_level() -> None:
    result = read(save(two_pages))
    marks = [m for m in result.marks if m.kind is MarkKind.HEADING]
    assert all(m.from_outline and m.label is None for m in marks)
    assert [(result.lines[m.start].text, m.level) for m in marks] == [
        ("1 Scope", 1),
        ("2 Fees", 1),
        ("2.1 Late fees", 2),
    ]


def test_a_bookmark_whose_title_is_nowhere_marks_nothing() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.drawString(72, 700, "The warden keeps the ledger.")
        canvas.bookmarkPage("a")
        canvas.addOutlineEntry("Cover sheet", "a")
        canvas.showPage()

    assert not [m for m in read(save(draw)).marks if m.kind is MarkKind.HEADING]


def test_a_mark_has_the_number_that_its_bookmark_alone_has_and_the_title_where_the_row_says_more() -> None:
    def draw(canvas: Canvas) -> None:
        for n, (title, *rows) in enumerate([
            ("15 Boxes and files", "Fifteen", "Boxes and files"),
            ("6 Ramps and berths", "Ramps and berths 6"),
            ("A Packages used", "A", "Packages used"),
            ("2 Fees", "2 Fees"),
            ("B", "B berths . . . . . 5"),
            ("Ramps revisited", "7 Ramps revisited", ""),
        ]):  # fmt: skip
            for i, row in enumerate(rows):
                canvas.drawString(72, 700 - 20 * i, row)
            if n == 5:
                canvas.drawRightString(540, 700, "since 1.40")
            canvas.bookmarkPage(str(n), fit="XYZ", left=0, top=715)
            canvas.addOutlineEntry(title, str(n))
            canvas.showPage()

    parsed = read(save(draw))
    marks = [m for m in parsed.marks if m.kind is MarkKind.HEADING]
    assert [(parsed.lines[m.start].text, m.label, m.title) for m in marks] == [
        ("Boxes and files", "15", None), ("Ramps and berths 6", "6", None), ("A", "A", None), ("2 Fees", None, None),
        ("B berths . . . . . 5", None, "B"), ("7 Ramps revisited since 1.40", None, "Ramps revisited"),
    ]  # fmt: skip


def by_hand(*objects: str) -> bytes:
    """Write objects 1, 2, … (the first is the catalog) as a PDF, for what the drawing library cannot write."""
    out = b"%PDF-1.7\n"
    offsets = []
    for n, body in enumerate(objects, 1):
        offsets.append(len(out))
        out += f"{n} 0 obj\n{body}\nendobj\n".encode("latin-1")
    table = "".join(f"{at:010d} 00000 n \n" for at in offsets)
    size = len(objects) + 1
    tail = f"xref\n0 {size}\n0000000000 65535 f \n{table}trailer\n<< /Size {size} /Root 1 0 R >>\nstartxref\n{len(out)}\n%%EOF\n"
    return out + tail.encode("latin-1")


def one_page(annotation: str, catalog: str = "") -> bytes:
    text = "BT /F 12 Tf 72 700 Td (See the Tide Book.) Tj 0 -100 Td (Of tides) Tj ET"
    return by_hand(
        f"<< /Type /Catalog /Pages 2 0 R {catalog} >>",
        "<< /Type /Pages /Kids [ 3 0 R ] /Count 1 >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Annots [ 6 0 R ] "
        "/Resources << /Font << /F 5 0 R >> >> >>",
        f"<< /Length {len(text)} >>\nstream\n{text}\nendstream",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        f"<< /Type /Annot /Subtype /Link /Rect [115 695 170 712] {annotation} >>",
    )


def test_named_destinations_are_anchors_and_links_by_name_arrive() -> None:
    result = read(
        one_page("/Dest (tides)", "/Names << /Dests << /Names [ (tides) [ 3 0 R /XYZ 72 612 0 ] ] >> >>")
    )
    assert result.anchors == {"tides": 1}
    assert [link.target_line for link in result.links] == [1]


def test_a_link_into_another_file_keeps_its_name_and_page() -> None:
    result = read(one_page("/A << /S /GoToR /F (tides.pdf) /D [ 4 /Fit ] >>"))
    (link,) = result.links
    assert link.target_line is None
    assert link.uri == "tides.pdf#page=5"


def test_a_link_by_action_arrives() -> None:
    result = read(one_page("/A << /S /GoTo /D [ 3 0 R /XYZ 72 612 0 ] >>"))
    assert [link.target_line for link in result.links] == [1]


def test_a_link_without_a_point_leads_to_the_top_of_the_page() -> None:
    result = read(one_page("/Dest [ 3 0 R /Fit ]"))
    assert [link.target_line for link in result.links] == [0]


def test_the_title_of_the_file_is_kept_and_junk_dropped() -> None:
    assert read(save(two_pages)).title == "A Deed of Berths"
    for junk in ("Microsoft Word - deed.docx", "untitled", "(anonymous)", "deed_final.pdf"):

        def draw(canvas: Canvas, junk: str = junk) -> None:
            canvas.setTitle(junk)
            canvas.drawString(72, 700, "text")
            canvas.showPage()

        assert read(save(draw)).title is None


def test_printed_page_labels_are_kept() -> None:
    def draw(canvas: Canvas) -> None:
        for n in range(4):
            canvas.drawString(72, 700, f"leaf {n}")
            canvas.showPage()
        canvas._doc.Catalog.PageLabels = None
        canvas.addPageLabel(0, "ROMAN_LOWER", 1)
        canvas.addPageLabel(2, "ARABIC", 1)

    result = read(save(draw))
    assert result.pages == 4
    assert result.page_labels == ("i", "ii", "1", "2")


def test_a_page_without_text_is_named_and_the_rest_goes_on() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.drawString(72, 700, "first leaf")
        canvas.showPage()
        canvas.rect(50, 50, 500, 700, fill=1)
        canvas.showPage()
        canvas.drawString(72, 700, "third leaf")
        canvas.showPage()

    result = read(save(draw))
    assert [line.page for line in result.lines] == [1, 3]
    (problem,) = result.problems
    assert problem.page == 2
    assert "no usable text layer" in problem.what
    assert "OCR" in problem.what


def test_text_of_no_size_or_far_off_the_page_does_no_harm() -> None:
    data = one_page("/Dest [ 3 0 R /Fit ]")
    for old, new in (
        (b"/F 12 Tf", b"/F 00 Tf"),
        (b"0 -100 Td", b"9e37 9e37 Td"),
        (b"72 700 Td", b"9e999 9 Td"),
    ):
        result = read(data.replace(old, new))
        assert result.pages == 1
        assert all(line.box is None or line.box.x1 < 1e6 for line in result.lines)


def test_a_blank_page_is_named_as_blank() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.drawString(72, 700, "first leaf")
        canvas.showPage()
        canvas.line(50, 50, 500, 50)
        canvas.showPage()

    (problem,) = read(save(draw)).problems
    assert problem.page == 2
    assert "blank" in problem.what
    assert "OCR" not in problem.what


def test_a_scan_with_a_stamp_is_named_and_the_stamp_kept() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.drawInlineImage(Image.new("L", (40, 50), 200), 0, 0, 595, 842)
        canvas.drawString(72, 20, "Exhibit 4")
        canvas.showPage()

    result = read(save(draw))
    assert [line.text for line in result.lines] == ["Exhibit 4"]
    assert [problem.page for problem in result.problems] == [1]


def test_text_without_a_character_map_is_named() -> None:
    result = read(
        one_page("/Dest [ 3 0 R /Fit ]").replace(
            b"(See the Tide Book.) Tj 0 -100 Td (Of tides)",
            b"(\x01\x02\x03\x04\x05\x06\x07\x01) Tj (\x01\x02\x03\x04\x05\x06\x07\x10)",
        )
    )
    assert [problem.page for problem in result.problems] == [1]
    assert not result.lines


def test_a_damaged_page_is_named_and_the_rest_goes_on() -> None:
    data = save(two_pages)
    kids = data.index(b"/Kids [ ") + len(b"/Kids [ ")
    second = data.index(b" 0 R ", kids) + len(b" 0 R ")
    number = data[second : data.index(b" ", second)]
    broken = data[:second] + b"9" * len(number) + data[second + len(number) :]
    result = read(broken)
    assert result.lines[0].text.startswith("As Section 2")
    assert [p.page for p in result.problems] == [2]
    assert "damaged" in result.problems[0].what


@pytest.mark.parametrize("claimed", [1_000, 1_000_000])
def test_pages_that_a_file_only_claims_to_have_are_told_at_once(claimed: int) -> None:
    data = save(two_pages).replace(b"/Count 2", b"/Count %d" % claimed)
    result = read(data)
    assert result.lines[0].text.startswith("As Section 2")
    assert len(result.problems) <= 1_000
    assert (result.problems[-1].page, result.pages) == (min(claimed, 1_002), claimed)
    assert ("behind it are damaged" in result.problems[-1].what) is (claimed > 1_002)


def test_an_encrypted_file_asks_for_its_password() -> None:
    data = save(two_pages, encrypt=pdfencrypt.StandardEncryption("tide", canPrint=0))
    with pytest.raises(EncryptedFile, match=r"deed\.pdf.*--password"):
        read(data)
    with pytest.raises(EncryptedFile, match="password is wrong"):
        read(data, password="ebb")
    assert read(data, password="tide").lines


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "empty"),
        (b"PK\x03\x04 this is an archive", "not a PDF"),
        (b"%PDF-1.7\n" + b"x" * 9000, "cut short"),
        (b"%PDF-1.7\nrubbish\nstartxref\n0\n%%EOF", "damaged"),
    ],
)
def test_what_is_no_whole_pdf_says_so(data: bytes, says: str) -> None:
    with pytest.raises(DamagedFile, match=rf"deed\.pdf.*{says}"):
        read(data)


def test_a_truncated_file_is_damaged() -> None:
    data = save(lambda c: [(c.drawString(72, 700, f"leaf {n}"), c.showPage()) for n in range(60)])
    with pytest.raises(DamagedFile, match="cut short"):
        read(data[: len(data) // 2])


def test_threads_do_not_get_in_each_others_way() -> None:
    data = save(two_pages)
    expected = read(data).lines
    results: list[tuple[object, ...]] = []
    threads = [Thread(target=lambda: results.append(read(data).lines)) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [expected] * 6


@pytest.mark.slow
def test_five_thousand_pages_are_read() -> None:
    def draw(canvas: Canvas) -> None:
        for n in range(5000):
            canvas.drawString(20, 150, f"Clause {n} of the deed")
            canvas.drawString(20, 20, f"{n + 1}")
            canvas.showPage()

    result = read(save(draw, pagesize=(200, 200)))
    assert result.pages == 5000
    assert len(result.lines) == 5000
    assert result.lines[-1].text == "Clause 4999 of the deed"
