"""Lines that are made to keep the reading of structure busy: each file here took minutes, or could not be read at all."""

from __future__ import annotations

import pytest

from deref.parse import parse
from deref.structure.build import build_document
from processor_time import no_longer_than

_SECONDS = 3.0

TEXTS = {
    "numbered.txt": "\n\n".join("1. Fees" for _ in range(8_000)),
    "annexes.txt": "\n\n".join("ANNEX A" for _ in range(8_000)),
    "terms.txt": "hereby herein hereof " + '"Term" or ' * 4_000,
    "drawings.txt": "\n\n".join("a    b    c\n\nFigure 3: x" for _ in range(3_000)),
    "lists.html": "<h2>References</h2><p>[A1] x</p>" * 2_000,
    "leaders.html": "<p>" + ". " * 20_000,
    "formulas.md": "\\tag{1}\n" * 16_000,
}


@pytest.mark.parametrize("name", TEXTS)
def test_no_lines_take_longer_than_their_length_is_worth(name: str) -> None:
    parsed = parse(TEXTS[name].encode(), doc="d", name=name)
    with no_longer_than(_SECONDS):
        build_document(parsed, doc="d", name=name, fingerprint="f")


@pytest.mark.parametrize("number", ["1" * 5_000, "1一"])
def test_a_figure_that_no_chapter_has_is_no_number(number: str) -> None:
    parsed = parse(f"第{number}章 Fees\n\nText.".encode(), doc="d", name="a.txt")
    assert build_document(parsed, doc="d", name="a.txt", fingerprint="f").sections == ()
