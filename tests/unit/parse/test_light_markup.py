"""AsciiDoc and reStructuredText in plain text: headings, fences and literal blocks."""

from __future__ import annotations

from deref.parse import parse
from deref.references import find
from deref.structure import build_document
from deref.values import Document

ASCIIDOC = """Rope Guide
==========

Ropes are told by link:ropes.html[their marks]; see <<knots>>.

== Kinds of rope

See Section 9.

------------
$ rope --list  # see Section 2
long
------------

------------
$ rope --cut everything that Section 3 names
------------

term::
	It is told in Appendix A.

[[knots]]
== Appendix A: Knots

A bowline.
"""
RST = """Rope Guide
==========

The tool lists them::

    rope show table 10
    rope cut table 66

.. code-block:: sh

    rope lay table 4

.. note::

    See Table 5.
"""


def _read(text: str, name: str) -> Document:
    return build_document(parse(text.encode(), doc="d", name=name), doc="d", name=name, fingerprint="test")


def test_rows_of_asciidoc_are_headings_and_what_is_fenced_is_code() -> None:
    home = _read(ASCIIDOC, "guide.txt")
    assert [(s.label, s.title) for s in home.sections] == [
        (None, "Rope Guide"),
        (None, "Kinds of rope"),
        ("A", "Knots"),
    ]
    assert [r.text for r in find(home) if r.labels] == ["Section 9", "Appendix A"]


def test_a_literal_block_is_code_and_a_note_is_prose() -> None:
    home = _read(RST, "guide.rst")
    assert [r.text for r in find(home)] == ["Table 5"]


def test_a_row_of_signs_in_other_texts_fences_nothing() -> None:
    home = _read(
        "Rope Guide\n\n-----\nSee Section 2.\n-----\n\n1. Ropes\n\nA rope.\n\n2. Knots\n\nA knot.\n",
        "guide.txt",
    )
    assert [r.text for r in find(home)] == ["Section 2"]
