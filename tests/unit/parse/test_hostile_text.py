"""Text that is made to keep a parser busy: each file here took minutes, or could not be read at all."""

from __future__ import annotations

import pytest

from deref.parse import parse
from processor_time import no_longer_than

_SECONDS = 3.0

TEXTS = {
    "dots.txt": ". " * 30_000 + "page of a list",
    "spaces.txt": "Fee" + " " * 60_000 + "due",
    "head.txt": "RFC 1" + " " * 60_000 + "x\n\nText.",
    "comments.txt": "<!---->" * 2_000 + "no element",
    "numbers.txt": "\n\n".join("1" for _ in range(12_000)),
    "twice.txt": "\n".join([f"entry {n}" for n in range(4_000)] * 2),
    "feet.txt": "\n".join("foot [Page 1]" for _ in range(12_000)),
    "lists.txt": "\n\n".join("References\n\n[A1] A book." for _ in range(3_000)),
    "front.md": "---\ntitle: a" + " " * 60_000 + "b\n---\nText.",
    "anchor.md": "# Fees {#" + "a" * 60_000,
    "anchors.md": "# Fees " + "{#" * 30_000,
    "notes.md": "[^" * 20_000,
    "list.md": "\n".join("- [" + "](#" * 10_000 for _ in range(3)),
    "addresses.md": "see http://a.example/b " * 3_000,
    "tags.md": "<div>\n" + "<a " * 20_000,
    "links.html": "<p>" + '<a href="#x">fee</a> ' * 6_000,
    "names.html": "<p>" + '<a id="x">fee</a> ' * 6_000,
    "bars.html": "<div>" + "<p><a rel=next href=x>x</a></p>" * 3_000 + "<p>" + "word " * 30,
    "rows.html": "<pre>" + "".join(f"<a id=a{n}></a>\n" for n in range(40_000)) + "word " * 300,
    "spaces.md": "# Fees {#fees}" + " " * 60_000 + "x",
    "unclosed.md": "<div>\n" + "<a href=x>" * 60_000,
    "code.txt": "Text.\n\nMore text.\n\n   " + "= ;" * 40_000 + "x\n   a = b;\n   {\n",
    "figures.txt": "Text.\n\n" * 13_000 + "              Figure 1: x\n\n" * 12_000,
    "deep.html": "<div>" * 300 + "<div " * 20_000,
}


@pytest.mark.parametrize("name", TEXTS)
def test_no_text_takes_longer_than_its_length_is_worth(name: str) -> None:
    with no_longer_than(_SECONDS):
        parse(TEXTS[name].encode(), doc="d", name=name)


@pytest.mark.parametrize(
    "page",
    [
        '<ol start="--5"><li value="--5">First</ol>',
        f'<ol start="{"9" * 5_000}"><li value="{"9" * 5_000}">First</ol>',
        '<p role="heading" aria-level="²">First</p>',
        f'<table><tr><th colspan="{"9" * 5_000}">First<th>b</table>',
    ],
)
def test_a_number_that_is_none_is_passed_over(page: str) -> None:
    parsed = parse(f"<html><body>{page}</body></html>".encode(), doc="d", name="page.html")
    assert "First" in " ".join(line.text for line in parsed.lines)
