"""Laws that every parse obeys: numbering without gaps, rows that grow, marks and links that stand inside lines."""

from __future__ import annotations

import string

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from deref.errors import DerefError
from deref.parse import parse
from deref.parse.encoding import decode
from deref.parse.flow import WIDTH, cut
from deref.values import Parsed

ALPHABET = st.sampled_from("\u2028\x0b\x85\rab Z.1(#)[]|+-=_*`~:<>/&;\n\n\t\f\u00a0é語אﬁ")
TEXTS = st.text(ALPHABET, max_size=300)
TAGS = st.sampled_from(
    ["<p>", "</p>", "<h2 id=a>", "</h2>", "<table>", "<tr>", "<td>", "<th colspan=2>", "</table>", "<a href='#a'>", "</a>",
     "<ol>", "<li>", "</ol>", "<pre>", "</pre>", "<br>", "<dl class=references>", "<dt>", "<dd>", "<b>", "</b>", "<nav class=toc>",
     "<dfn>", "</dfn>", "<div class=footnote>", "</div>", "<span id=b>", "text ", "words and more words ", "2<sup>3</sup>", "&nbsp;"]
)  # fmt: skip
BOUNDED = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def lawful(parsed: Parsed) -> None:
    assert [line.n for line in parsed.lines] == list(range(len(parsed.lines)))
    places = [(line.page, line.row) for line in parsed.lines]
    assert places == sorted(set(places))
    assert all(line.text.strip() for line in parsed.lines)
    assert all(len(line.text.splitlines()) == 1 for line in parsed.lines)
    assert all(0 <= m.start < m.end <= len(parsed.lines) for m in parsed.marks)
    assert all(0 <= n < len(parsed.lines) for n in parsed.anchors.values())
    for link in parsed.links:
        last = link.line if link.end_line is None else link.end_line
        assert (link.target_line is None) != (link.uri is None)
        assert link.line < last or link.char_start < link.char_end
        assert link.char_end <= len(parsed.lines[last].text)
        assert link.char_start <= len(parsed.lines[link.line].text)


def attempt(data: bytes, name: str) -> Parsed | None:
    try:
        return parse(data, doc="d", name=name)
    except DerefError as error:
        assert name in str(error)
        return None


@BOUNDED
@given(TEXTS, st.sampled_from(["a.txt", "a.md", "a.html"]))
def test_any_text_is_read_lawfully_or_refused_by_name(text: str, name: str) -> None:
    if parsed := attempt(text.encode(), name):
        lawful(parsed)


@BOUNDED
@given(st.lists(TAGS, max_size=40))
def test_any_soup_of_tags_is_read_lawfully(tags: list[str]) -> None:
    if parsed := attempt(("<html><body>" + "".join(tags)).encode(), "a.html"):
        lawful(parsed)


@BOUNDED
@given(st.binary(max_size=200), st.sampled_from(["a.txt", "a.md", "a.html", "a.docx", "a.bin"]))
def test_any_bytes_are_read_or_refused_by_name(data: bytes, name: str) -> None:
    attempt(data, name)


@BOUNDED
@given(TEXTS)
def test_plain_text_loses_no_character_but_white_space(text: str) -> None:
    parsed = attempt(text.encode(), "a.txt")
    if parsed and parsed.pages == 1 and not any(m.kind == "heading" for m in parsed.marks):
        kept = "".join("".join(line.text.split()) for line in parsed.lines)
        assert kept == "".join(text.split())


@BOUNDED
@given(st.text(st.characters(codec="utf-8", exclude_characters="\x00\x1b"), min_size=1, max_size=80))
def test_utf_8_always_comes_back(text: str) -> None:
    printable = "".join(c for c in text if c in "\t\n\r" or ord(c) > 31)
    assert decode(printable.encode() or b"a", name="a").text.lstrip("\ufeff") == (printable or "a").lstrip(
        "\ufeff"
    )


@BOUNDED
@given(st.text(st.sampled_from(string.ascii_letters + "   -\n語。"), max_size=600))
def test_cutting_keeps_every_word_and_fits_the_width(text: str) -> None:
    pieces = cut(text)
    assert "".join("".join(text[a:b].split()) for a, b in pieces) == "".join(text.split())
    for a, b in pieces:
        longest = max(map(len, text[a:b].replace("。", "。 ").split()), default=0)
        hyphened = "- " in text[a:b]
        assert b - a <= max(WIDTH, longest + WIDTH) or hyphened


@pytest.mark.parametrize("name", ["a.txt", "a.md", "a.html"])
def test_a_megabyte_on_one_line_is_no_trouble(name: str) -> None:
    parsed = attempt(b"word and [other](#x) words. " * 40_000, name)
    assert parsed is not None
    lawful(parsed)
