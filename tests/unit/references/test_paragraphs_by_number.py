"""'The second paragraph of': headings, lists and tables are none, and what cannot be counted is not told apart."""

from __future__ import annotations

import pytest

from deref.parse import parse
from deref.references import MemoryShelf, find, resolve
from deref.structure import build_document

LAW = """# Law on keys

## Article 1

Scope

1. This law holds for keys.

It holds for locks:

(a) of iron;

(b)

of wood.

Where it holds, a fee is due. It is that of the first subparagraph of this paragraph.

2. Doors are left out.

## Article 2

Terms

In this law a key is a thing.

A lock is one too.

## Article 3

Other

As {said} says, pursuant to this law, the parties hereto shall agree.
"""
GUIDE = """# Guide

## 1 Fees. The fee is due each month

It is forty.

| Row | Fee |
|---|---|
| (A) | 40 |

- for keys;
- for locks.

It may rise.

### 1.1 Detail

It rises in May.

## 2 Delay

- one;
- two.

## 3 Other

As {said} says.
"""


def focus(text: str, said: str) -> list[str]:
    """The lines that the first such pointer of a text is narrowed to."""
    data = text.format(said=said).encode()
    home = build_document(parse(data, doc="d", name="d.md"), doc="d", name="d.md", fingerprint="f")
    reference = next(r for r in find(home) if said.endswith(r.text))
    found = resolve(reference, home=home, shelf=MemoryShelf([home]))
    return [home.text(span) for target in found.targets for span in target.focus]


@pytest.mark.parametrize(
    ("said", "begins", "ends"),
    [
        ("the first subparagraph of Article 1(1)", "1. This", "keys."),
        ("the second subparagraph of Article 1(1)", "It holds", "of wood."),
        ("the third subparagraph of Article 1(1)", "Where", "paragraph."),
        ("the first subparagraph of Article 1(2)", "2. Doors", "out."),
        ("the first paragraph of Article 2", "In this law", "thing."),
        ("the second paragraph of Article 2", "A lock", "too."),
        ("the last paragraph of Article 2", "A lock", "too."),
    ],
)
def test_paragraphs_of_a_law_are_counted_without_headings_and_points(
    said: str, begins: str, ends: str
) -> None:
    (found,) = focus(LAW, said)
    assert found.startswith(begins) and found.endswith(ends)


def test_this_paragraph_of_an_article_is_the_numbered_one() -> None:
    (found,) = focus(LAW, "the first subparagraph of this paragraph")
    assert found == "1. This law holds for keys."


@pytest.mark.parametrize("said", ["the third paragraph of Article 2", "the third subparagraph of Article 2"])
def test_a_paragraph_that_is_not_there_is_not_told_apart(said: str) -> None:
    assert focus(LAW, said) == []


@pytest.mark.parametrize(
    ("said", "begins"),
    [
        ("the first paragraph of Section 1", "## 1 Fees. The fee"),
        ("the second paragraph of Section 1", "It is forty."),
        ("the third paragraph of Section 1", "It may rise."),
    ],
)
def test_text_that_runs_on_behind_a_title_is_a_paragraph_and_a_table_is_none(said: str, begins: str) -> None:
    (found,) = focus(GUIDE, said)
    assert found.startswith(begins)


@pytest.mark.parametrize(
    "said",
    [
        "the fourth paragraph of Section 1",
        "the last paragraph of Section 1",
        "the second paragraph of Section 2",
    ],
)
def test_nothing_tells_a_paragraph_beyond_a_heading_or_of_a_mere_list(said: str) -> None:
    assert focus(GUIDE, said) == []
