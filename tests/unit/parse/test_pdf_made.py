"""Values made field by field are those that their classes make."""

from __future__ import annotations

from dataclasses import fields

from deref.parse.pdf_made import line, rounded_box
from deref.values import Box, Line


def test_a_line_made_by_its_slots_is_the_line_that_the_class_makes() -> None:
    box = Box(x0=1.0, top=2.0, x1=3.0, bottom=4.0)
    made = line("d", 3, 1, 2, "text", box, 10.5, True)
    assert made == Line(doc="d", n=3, page=1, row=2, text="text", box=box, size_pt=10.5, starts_block=True)
    assert hash(made) == hash(line("d", 3, 1, 2, "text", box, 10.5, True))


def test_every_field_of_a_made_value_is_set() -> None:
    """A field that is added to a value, and not here, would be missing from every PDF."""
    for made in (line("d", 0, 1, 1, "", None, 1.0, False), rounded_box(0, 0, 1, 1)):
        assert all(hasattr(made, field.name) for field in fields(made))


def test_a_box_is_rounded_to_hundredths() -> None:
    assert rounded_box(72.123456, -0.004, 1e4 / 3, 0.125) == Box(x0=72.12, top=0.0, x1=3333.33, bottom=0.12)
