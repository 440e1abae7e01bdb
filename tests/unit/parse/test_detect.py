"""What a file is, whatever it is called."""

from __future__ import annotations

import io
import zipfile

import pytest

from deref.errors import DamagedFile, EncryptedFile, UnsupportedFile
from deref.parse import SUFFIXES, parse
from deref.parse.detect import detect

PDF = b"%PDF-1.4\n1 0 obj\n<<>>\nendobj\n%%EOF\n"
PAGE = b"<!DOCTYPE html><html><body><p>Hello</p></body></html>"


def zipped(*names: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name in names:
            archive.writestr(name, "x")
    return out.getvalue()


@pytest.mark.parametrize(
    ("data", "name", "form"),
    [
        (PDF, "a.pdf", "pdf"),
        (PDF, "a.txt", "pdf"),
        (b"\r\n" + PDF, "a.pdf", "pdf"),
        (b"A text about %PDF- and its uses.", "a.txt", "text"),
        (zipped("[Content_Types].xml", "word/document.xml"), "a.docx", "docx"),
        (zipped("[Content_Types].xml", "word/document.xml"), "a.txt", "docx"),
        (PAGE, "a.html", "html"),
        (PAGE, "a.txt", "html"),
        (PAGE, "a.md", "html"),
        (b"<!-- made by hand -->\n<html><p>x", "noname", "html"),
        (b"\xff\xfe" + PAGE.decode().encode("utf-16-le"), "a.htm", "html"),
        (b"<p>A fragment</p>", "a.html", "html"),
        (b"No tag at all, 3 < 4.", "a.html", "text"),
        (b'<div align="center">\n\n# Title\n\n</div>', "README.md", "markdown"),
        (b"# Title", "notes.MARKDOWN", "markdown"),
        (b"# Title", "notes", "text"),
        (b"plain", "a/b.c/readme", "text"),
        (b"ID3 tags are explained below.", "a.txt", "text"),
    ],
)
def test_content_decides_and_the_name_tells_texts_apart(data: bytes, name: str, form: str) -> None:
    assert detect(data, name=name) == form


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"\x89PNG\r\n\x1a\n123", "PNG"),
        (b"\x7fELF\x02", "ELF"),
        (b"\xff\xd8\xff\xe0", "JPEG"),
        (b"\x1f\x8b\x08\x00", "gzip"),
        (b"{\\rtf1 hello}", "RTF"),
        (b"SQLite format 3\x00", "SQLite"),
        (zipped("a.txt"), "zip archive"),
        (zipped("xl/workbook.xml"), "Excel"),
        (zipped("META-INF/container.xml"), "EPUB"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "WordDocument".encode("utf-16-le"), r"\.doc"),
        (b"PK\x03\x04 broken", "damaged zip"),
        (b"\x00\x00\x00\x18ftypmp42", "MPEG-4"),
    ],
)
def test_a_file_that_lies_is_named_for_what_it_is(data: bytes, said: str) -> None:
    with pytest.raises(UnsupportedFile, match=rf"^lie\.txt: .*{said}"):
        detect(data, name="lie.txt")


@pytest.mark.parametrize("data", [b"", b" \n\t\r\n", b"\xef\xbb\xbf\n", b"\xff\xfe\n\x00"])
@pytest.mark.parametrize("name", ["a.txt", "a.pdf", "a.docx"])
def test_an_empty_file_says_that_it_is_empty(data: bytes, name: str) -> None:
    with pytest.raises(DamagedFile, match="empty"):
        parse(data, doc="d", name=name)


def test_a_text_called_pdf_or_docx_is_damaged() -> None:
    for name in ("a.pdf", "a.docx"):
        with pytest.raises(DamagedFile, match="name says so"):
            detect(b"just words", name=name)


def test_a_cut_docx_is_damaged_and_a_locked_one_encrypted() -> None:
    with pytest.raises(DamagedFile, match="cut short"):
        detect(zipped("word/document.xml")[:40], name="a.docx")
    with pytest.raises(EncryptedFile):
        detect(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le"), name="a.docx")


def test_binary_bytes_are_no_text() -> None:
    for data in (bytes(range(256)) * 8, b"abc\x00\x01\x02def" * 9, b"\x01\x02\x03\x04" * 50):
        with pytest.raises(UnsupportedFile, match=r"b\.txt.*binary"):
            parse(data, doc="d", name="b.txt")


def test_xml_is_refused_unless_it_is_called_a_text() -> None:
    with pytest.raises(UnsupportedFile, match="XML"):
        detect(b'<?xml version="1.0"?><a/>', name="a.xml")
    assert detect(b'<?xml version="1.0"?><a/>', name="a.txt") == "text"


def test_the_endings_taken_from_a_folder_are_in_small_letters() -> None:
    assert {".pdf", ".docx", ".html", ".htm", ".md", ".txt"} <= SUFFIXES
    assert all(s == s.lower() and s.startswith(".") for s in SUFFIXES)


def test_odd_names_stand_in_the_message_as_they_are() -> None:
    with pytest.raises(DamagedFile, match="Ünï 'q' \"z\"\n語"):
        parse(b"", doc="d", name="Ünï 'q' \"z\"\n語.txt")
