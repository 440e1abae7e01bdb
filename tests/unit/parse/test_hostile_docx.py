"""Word documents that are made to keep a parser busy or to fill memory, and archives that are broken on purpose."""

from __future__ import annotations

import io
import zipfile

import pytest

from deref.errors import DamagedFile
from deref.parse import parse
from deref.values import Parsed
from processor_time import no_longer_than

_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def _docx(body: str, *, numbering: str = "", packed: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", packed) as archive:
        archive.writestr("word/document.xml", f"<w:document {_W}><w:body>{body}</w:body></w:document>")
        if numbering:
            archive.writestr("word/numbering.xml", f"<w:numbering {_W}>{numbering}</w:numbering>")
    return out.getvalue()


def _read(data: bytes) -> Parsed:
    return parse(data, doc="d", name="a.docx")


def test_fields_that_never_end_cost_nothing() -> None:
    begun = '<w:p><w:r><w:fldChar w:fldCharType="begin"/><w:fldChar w:fldCharType="separate"/></w:r></w:p>'
    data = _docx(begun * 6_000 + "<w:p><w:r><w:t>Fee</w:t></w:r></w:p>" * 6_000)
    with no_longer_than(3.0):
        assert len(_read(data).lines) == 6_000


@pytest.mark.parametrize("form", ["%1" * 100_000, "Article %1." + "x" * 100_000])
@pytest.mark.parametrize("start", ["1", "9" * 4_000])
def test_the_form_of_a_number_is_as_long_as_word_takes(form: str, start: str) -> None:
    numbering = f'''
<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="{start}"/><w:lvlText w:val="{form}"/></w:lvl></w:abstractNum>
<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'''
    numbered = '<w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr>'
    parsed = _read(_docx(f"<w:p>{numbered}<w:r><w:t>Fee</w:t></w:r></w:p>", numbering=numbering))
    assert sum(len(line.text) for line in parsed.lines) < 1_000


def test_a_row_has_as_many_columns_as_word_makes() -> None:
    cell = '<w:tc><w:tcPr><w:gridSpan w:val="63"/></w:tcPr><w:p><w:r><w:t>Fee</w:t></w:r></w:p></w:tc>'
    (line, _) = _read(_docx(f"<w:tbl>{f'<w:tr>{cell * 500}</w:tr>' * 2}</w:tbl>")).lines
    assert line.text.count("Fee") == 500 and line.text.count("\t") < 600


def test_an_archive_packed_as_no_docx_is_damaged() -> None:
    with pytest.raises(DamagedFile, match=r"a\.docx: part word/document\.xml is packed as in no DOCX"):
        _read(_docx("<w:p/>", packed=zipfile.ZIP_LZMA))


def test_an_archive_whose_directory_is_elsewhere_is_damaged() -> None:
    data = bytearray(_docx("<w:p/>"))
    at = data.rindex(b"PK\5\6") + 16
    data[at : at + 4] = (int.from_bytes(data[at : at + 4], "little") + 100).to_bytes(4, "little")
    with pytest.raises(DamagedFile, match=r"a\.docx: .* copy (?:it|the file) again"):
        _read(bytes(data))
