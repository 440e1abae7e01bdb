"""Whole small documents against the picture of their structure that is kept beside this file.

To renew the pictures after a change that is meant: DEREF_RENEW=1 pytest tests/golden, and read the difference.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from deref.structure import build_document
from deref.values import Document, Line, Parsed

HERE = Path(__file__).parent / "structure"


def read(path: Path) -> Document:
    lines: list[Line] = []
    blank = True
    for row, content in enumerate(path.read_text("utf-8").split("\n"), start=1):
        if content.strip():
            lines.append(Line(doc="d", n=len(lines), page=1, row=row, text=content, starts_block=blank))
        blank = not content.strip()
    return build_document(Parsed(format="text", lines=tuple(lines)), doc="d", name=path.name, fingerprint="f")


def picture(document: Document) -> str:
    out = [f"title {document.title}", *(f"alias {alias}" for alias in document.aliases)]
    for s in document.sections:
        out.append(
            f"{'  ' * s.level}{s.word or '-'} {s.label or '-'} [{s.lines.start}:{s.lines.end}] {s.title}"
        )
    out += [f"{i.kind.value} {i.label} [{i.lines.start}:{i.lines.end}] {i.caption}" for i in document.items]
    out += [f"contents [{c.start}:{c.end}]" for c in document.contents]
    return "\n".join(out) + "\n"


@pytest.mark.parametrize("path", sorted(HERE.glob("*.txt")), ids=lambda path: path.stem)
def test_a_small_document_has_the_structure_that_is_drawn_beside_it(path: Path) -> None:
    drawn = path.with_suffix(".structure")
    now = picture(read(path))
    if os.environ.get("DEREF_RENEW"):
        drawn.write_text(now, "utf-8")
    assert now == drawn.read_text("utf-8")
