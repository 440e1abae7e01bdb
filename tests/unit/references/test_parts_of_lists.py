"""A part in brackets is the one of the outermost list, never a mark that a deeper list, a heading or a wrapped line bears."""

from __future__ import annotations

import pytest

from deref.parse import parse
from deref.references import MemoryShelf, find, resolve
from deref.structure import build_document
from deref.values import Document, Resolution
from unit.references.small_documents import document

STEPS = "\n".join(
    f"= ({letter}) step {letter};" + ("\n= (i) one;\n= (ii) two;" if letter in "ah" else "")
    for letter in "abcdefghijk"
)


def outcome(home: Document) -> Resolution:
    (reference,) = [r for r in find(home) if r.labels]
    return resolve(reference, home=home, shelf=MemoryShelf([home]))


def focus(body: str, pointer: str) -> list[str]:
    """The lines that a pointer behind a section "1 Fees" with this body gives."""
    body = body.replace("= ", "\n")
    home = document(f"# [section 1] Fees\n{body}\n\n# [section 2] Other\nAs {pointer} says.")
    found = outcome(home)
    return [home.text(span) for target in found.targets for span in target.focus]


def test_the_letter_i_is_not_the_roman_number_below_a() -> None:
    assert focus(STEPS, "Section 1(i)") == ["(i) step i;"]
    assert focus(STEPS, "paragraph (i) of Section 1") == ["(i) step i;"]


def test_a_part_before_i_holds_the_roman_numbers_below_it() -> None:
    assert focus(STEPS, "Section 1(h)") == ["(h) step h;\n(i) one;\n(ii) two;"]
    assert focus(STEPS, "Section 1(h)(ii)") == ["(ii) two;"]


@pytest.mark.parametrize("one", ["(1) one;", "1. one;"])
def test_the_number_of_a_heading_is_no_part_of_its_section(one: str) -> None:
    text = f"## 1. Fees\n\nBoth hold:\n\n{one}\n\n{one.replace('1', '2')}\n\n## 2. Other\n\nAs Section 1(1) says.\n"
    home = build_document(parse(text.encode(), doc="d", name="d.md"), doc="d", name="d.md", fingerprint="f")
    found = outcome(home)
    assert [home.text(s) for t in found.targets for s in t.focus] == [one]


def test_a_line_that_wraps_before_a_mark_is_no_part() -> None:
    body = "(a) as Part 9\n(b) above says, the fee is forty; and\n\n(b) the fee is due."
    home = document(f"# [section 1] Fees\n{body}\n\n# [section 2] Other\nSection 1(b) holds.")
    (reference,) = [r for r in find(home) if r.text == "Section 1(b)"]
    found = resolve(reference, home=home, shelf=MemoryShelf([home]))
    assert [home.text(s) for t in found.targets for s in t.focus] == ["(b) the fee is due."]


def test_of_two_lists_neither_part_is_picked() -> None:
    body = "First:\n\n(a) one;\n\n(b) two.\n\nThen:\n\n(a) three;\n\n(b) four."
    assert focus(body, "Section 1(b)") == []
    home = document(f"# [section 1] Fees\n{body}\n\nAs paragraph (b) says.")
    found = outcome(home)
    assert (found.status.value, len(found.targets)) == ("ambiguous", 2)


@pytest.mark.parametrize(
    ("said", "lines"),
    [("4.7(1)", (0, 3)), ("4.7(2)", (3, 6)), ("4.7(1)(b)", (2, 3))],
)
def test_a_part_may_begin_on_the_line_of_the_heading_and_a_numbered_note_is_none(
    said: str, lines: tuple[int, int]
) -> None:
    home = document(
        "# 4.7 (1) The clerk may allow it where:\n\n(a) it is paid; and\n\n(b) it is dry.\n\n(2) The clerk tells it.\n\n"
        f"1. Ask at once.\n\n2. Ask again.\n\n# 4.8 Other\nRule {said} holds."
    )
    (place,) = outcome(home).targets
    assert [(s.start, s.end) for s in place.focus] == [lines]


def test_a_paragraph_of_a_unit_that_has_several_gives_the_unit_whole() -> None:
    body = "First:\n\n(a) one;\n\n(b) two.\n\nThen:\n\n(a) three;\n\n(b) four."
    home = document(f"# [section 1] Fees\n{body}\n\n# [section 2] Other\nAs paragraph (b) of Section 1 says.")
    found = outcome(home)
    assert [(t.label, t.focus) for t in found.targets] == [("1", ())]
    assert "2 of paragraph (b)" in found.why
