"""What a file is: its content first, its name second.

Signatures that are certain win over any name: a PDF called .txt is a PDF. HTML wins over a name only when it
says so in its first words (a doctype or an <html> element), because Markdown and plain text may hold tags.
What is left is text, and only then the name tells Markdown from HTML fragments and from plain text.
"""

from __future__ import annotations

import io
import re
from typing import Literal

from deref.errors import DamagedFile, EncryptedFile, UnsupportedFile

Format = Literal["pdf", "docx", "html", "markdown", "text"]

BY_SUFFIX: dict[str, Format] = {
    ".pdf": "pdf",
    ".docx": "docx",
    ".docm": "docx",
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
    ".md": "markdown",
    ".markdown": "markdown",
    ".mdown": "markdown",
    ".mkd": "markdown",
    ".txt": "text",
    ".text": "text",
    ".rst": "text",
}

READS = "Deref reads PDF, DOCX, HTML, Markdown and plain text"

_SIGNATURES: tuple[tuple[bytes, str], ...] = (
    (b"\x89PNG\r\n\x1a\n", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF87a", "a GIF picture"),
    (b"GIF89a", "a GIF picture"),
    (b"II*\x00", "a TIFF picture"),
    (b"MM\x00*", "a TIFF picture"),
    (b"\x7fELF", "a program (ELF)"),
    (b"MZ\x90", "a program (Windows)"),
    (b"\xfe\xed\xfa\xce", "a program (Mach-O)"),
    (b"\xcf\xfa\xed\xfe", "a program (Mach-O)"),
    (b"\xca\xfe\xba\xbe", "a Java class or a program (Mach-O)"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"BZh", "a bzip2 archive"),
    (b"\xfd7zXZ\x00", "an xz archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive"),
    (b"Rar!\x1a\x07", "a RAR archive"),
    (b"\x28\xb5\x2f\xfd", "a Zstandard archive"),
    (b"SQLite format 3\x00", "an SQLite database"),
    (b"{\\rtf", "a rich text file (RTF)"),
    (b"%!PS", "a PostScript file"),
    (b"OggS", "an Ogg recording"),
    (b"ID3", "an MP3 recording"),
    (b"fLaC", "a FLAC recording"),
    (b"\x00asm", "a WebAssembly program"),
    (b"wOFF", "a font"),
    (b"wOF2", "a font"),
)
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ZIPS = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")
_BLANK = b" \t\r\n\f\v\x00\xef\xbb\xbf\xfe\xff"
# Each step is taken for good: a page of comments with no element behind them is told in one pass.
_COMMENTS = r"(?>\s|<\?xml[^>]*\?>|<!--.*?-->)*+"
_HTML = re.compile(_COMMENTS + r"<(?:!doctype\s+html|html)\b", re.IGNORECASE | re.DOTALL)
_TAG = re.compile(
    r"</?(?:html|head|body|title|meta|p|div|span|h[1-6]|table|ul|ol|dl|a|br|pre|section|article)\b[^<>]*>",
    re.IGNORECASE,
)
_XML = re.compile(r"\s*<\?xml\b")
_HEAD = 16_384


def suffix(name: str) -> str:
    """Return the ending of a file name in small letters, dot included ("a/B.PDF" → ".pdf"), or ""."""
    match = re.search(r"[^/\\.](\.[A-Za-z0-9]+)$", name)
    return match.group(1).lower() if match else ""


def detect(data: bytes, *, name: str) -> Format:
    """Return the format of a file from its bytes, with its name to tell texts apart.

    Raises DamagedFile for an empty file or one that is cut short, EncryptedFile for a locked Office file,
    UnsupportedFile for anything that no parser reads, naming what it really is.
    """
    if not data.strip(_BLANK):
        what = "has no bytes" if not data else "holds only white space"
        raise DamagedFile(f"{name}: the file is empty ({what}); save it again from where it came")
    if _is_pdf(data):
        return "pdf"
    if data.startswith(_ZIPS):
        return _zip(data, name)
    if data.startswith(_OLE):
        raise _ole(data, name)
    found = _signature(data)
    if found:
        raise UnsupportedFile(f"{name}: this is {found}{_lies(name)}; {READS}")
    return _text(data, name)


def _is_pdf(data: bytes) -> bool:
    at = data.find(b"%PDF-", 0, 1024)
    # A text may mention the signature; a PDF has it first, or after bytes that a mailer or a server put before it.
    return at == 0 or (at > 0 and b"%%EOF" in data and b" obj" in data)


def _lies(name: str) -> str:
    said = suffix(name)
    return f", whatever its name says ({said})" if said in BY_SUFFIX else ""


def _signature(data: bytes) -> str | None:
    # A text may begin with the letters of a signature ("ID3 tags are ..."); media files have NULs soon after.
    binary = b"\x00" in data[:_HEAD]
    for start, what in _SIGNATURES:
        if data.startswith(start) and (binary or not start.isalnum()):
            return what
    return _container(data) if binary else None


def _container(data: bytes) -> str | None:
    if data[:4] == b"RIFF":
        return {b"WEBP": "a WebP picture", b"WAVE": "a WAV recording"}.get(data[8:12], "a RIFF media file")
    if data[4:8] == b"ftyp":
        return "a video or picture (MPEG-4, HEIC)"
    if data[257:262] == b"ustar":
        return "a tar archive"
    return None


def _zip(data: bytes, name: str) -> Format:
    import zipfile  # A question asks here for the endings alone.

    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = set(archive.namelist())
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError) as error:
        if suffix(name) in (".docx", ".docm"):
            raise DamagedFile(
                f"{name}: the DOCX is cut short or damaged ({error}); copy it again or save it anew in its editor"
            ) from error
        raise UnsupportedFile(
            f"{name}: this is a damaged zip archive ({error}){_lies(name)}; {READS}"
        ) from error
    if "word/document.xml" in names or (
        "[Content_Types].xml" in names and any(n.startswith("word/") for n in names)
    ):
        return "docx"
    raise UnsupportedFile(f"{name}: this is {_zip_kind(names)}{_lies(name)}; {READS}")


def _zip_kind(names: set[str]) -> str:
    for start, what in (("xl/", "an Excel workbook"), ("ppt/", "a PowerPoint presentation"), ("META-INF/container.xml", "an EPUB book"), ("content.xml", "an OpenDocument file"), ("META-INF/MANIFEST.MF", "a Java archive")):  # fmt: skip
        if any(n.startswith(start) for n in names):
            return what
    return "a zip archive (unpack it and give the files inside)"


def _ole(data: bytes, name: str) -> Exception:
    if "EncryptedPackage".encode("utf-16-le") in data:
        return EncryptedFile(
            f"{name}: the Office file is locked with a password; open it in its editor and save a copy without one"
        )
    kind = "an old Office file (.doc, .xls, .ppt or .msg)"
    if "WordDocument".encode("utf-16-le") in data:
        kind = "an old Word file (.doc)"
    return UnsupportedFile(f"{name}: this is {kind}; save it as .docx or PDF")


def _text(data: bytes, name: str) -> Format:
    # Latin-1 never fails and leaves ASCII as it is; the NULs of UTF-16 go.
    head = data[:_HEAD].replace(b"\x00", b"").decode("latin-1").lstrip("\xef\xbb\xbf\xfe\xff")
    said = BY_SUFFIX.get(suffix(name))
    if _HTML.match(head):
        return "html"
    if said == "html":
        whole = data.replace(b"\x00", b"").decode("latin-1") if len(data) > _HEAD else head
        return "html" if _TAG.search(whole) else "text"
    if said == "markdown":
        return "markdown"
    if _XML.match(head) and said != "text":
        raise UnsupportedFile(f"{name}: this is an XML file{_lies(name)}; {READS}")
    if said in ("pdf", "docx"):
        what = {"pdf": "PDF", "docx": "DOCX"}[said]
        raise DamagedFile(
            f"{name}: the bytes are no {what}, though the name says so; copy the file again, or give it its true ending"
        )
    return "text"
