"""Text in many encodings survives, short or long."""

from __future__ import annotations

import pytest

from deref.errors import UnsupportedFile
from deref.parse.encoding import declared_charset, decode

RUSSIAN = "Стороны согласны. Порядок оплаты указан в пункте 4.2."
JAPANESE = "料金は第四条に定める。支払は毎月末とする。"
SIMPLIFIED = "费用见第四条。付款应在每月末进行。"
TRADITIONAL = "費用見第四條。付款應於每月底進行。"
KOREAN = "수수료는 제4조에 따른다. 지급은 매월 말에 한다."
HEBREW = "התשלום יבוצע בסוף כל חודש לפי סעיף 4."
ARABIC = "يتم الدفع في نهاية كل شهر وفقا للمادة 4."
GREEK = "Η πληρωμή γίνεται στο τέλος κάθε μήνα."
FRENCH = "Le paiement est dû à la fin de l’année, voir l’article 4 — résumé."
GERMAN = "Die Gebühr ist jährlich fällig; siehe § 4 über Maßnahmen."
POLISH = "Opłata jest należna na końcu każdego miesiąca, zobacz § 4."
CASES = [
    (RUSSIAN, ("cp1251", "koi8-r", "iso8859-5", "cp866")),
    (JAPANESE, ("shift_jis", "euc_jp", "iso2022_jp")),
    (SIMPLIFIED, ("gb18030", "gbk")),
    (TRADITIONAL, ("big5",)),
    (KOREAN, ("euc_kr", "cp949")),
    (HEBREW, ("cp1255",)),
    (ARABIC, ("cp1256",)),
    (GREEK, ("cp1253",)),
    (FRENCH, ("cp1252",)),
    (GERMAN, ("cp1252",)),
    (POLISH, ("cp1250", "iso8859-2")),
]


@pytest.mark.parametrize(("text", "encoding"), [(t, e) for t, names in CASES for e in names])
@pytest.mark.parametrize("times", [1, 12])
def test_a_legacy_encoding_is_told_from_its_bytes(text: str, encoding: str, times: int) -> None:
    whole = "\n".join([text] * times)
    assert decode(whole.encode(encoding), name="a").text == whole


@pytest.mark.parametrize("text", [t for t, _ in CASES])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_unicode_forms_are_read_with_and_without_a_mark(text: str, encoding: str) -> None:
    row = text + "\n"
    decoded = decode(row.encode(encoding), name="a")
    assert (decoded.text, decoded.problems) == (row, ())


@pytest.mark.parametrize("text", ["é", "Ж", "字", "§ 4", "naïve", "€"])
def test_valid_utf_8_is_utf_8_however_short(text: str) -> None:
    assert decode(text.encode(), name="a").text == text


def test_quotes_of_windows_far_down_an_english_text_are_read() -> None:
    text = "All words are plain here.\n" * 3000 + "The “Borrower” pays the party’s fee."
    assert decode(text.encode("cp1252"), name="a").text == text


def test_a_declared_charset_is_taken_when_the_bytes_agree() -> None:
    data = "<meta charset='windows-1251'><p>Да</p>".encode("cp1251")
    assert declared_charset(data) == "windows-1251"
    assert "Да" in decode(data, name="a", declared="windows-1251").text


@pytest.mark.parametrize("lie", ["utf-16", "x-unknown", "base64", "rot13", "iso-8859-1"])
def test_a_declaration_that_lies_does_no_harm(lie: str) -> None:
    assert decode("<p>Größe</p>".encode(), name="a", declared=lie).text == "<p>Größe</p>"


@pytest.mark.parametrize("lie", ["punycode", "undefined", "unicode_escape", "utf-7"])
def test_what_no_page_is_written_in_is_no_charset(lie: str) -> None:
    text = "<p>Die Größe für alle Häuser ist schön: \\u0041.</p>"
    assert decode(text.encode("cp1252"), name="a", declared=lie).text == text


def test_a_few_broken_bytes_are_replaced_and_counted() -> None:
    decoded = decode("Größe und Länge über alle Maße hinaus, größer".encode() + b" \xff\xfe", name="a")
    assert decoded.text.startswith("Größe und Länge")
    assert decoded.problems[0].what.startswith("2 characters")


def test_lone_surrogates_never_reach_the_text() -> None:
    for data in ("a\ud800b" * 3).encode("utf-8", "surrogatepass"), b"\xff\xfe" + b"a\x00\x00\xd8b\x00":
        decode(data, name="a").text.encode("utf-8")


def test_random_bytes_are_no_text() -> None:
    with pytest.raises(UnsupportedFile, match="binary"):
        decode(bytes(range(256)) * 4, name="a")
