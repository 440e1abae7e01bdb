"""What papers prove and how they compute: each is numbered under a word of its own, and is told by it."""

from __future__ import annotations

import pytest

from deref.parse import parse
from deref.references import MemoryShelf, find
from deref.references.resolve import Resolver
from deref.structure import build_document
from deref.values import Document, ItemKind, Resolution, Status

PAPER = """# Fences

## 1 Introduction

By Lemma 2 and Theorem 2 the bound holds, as Algorithm 1 shows and Listing 1 does. See Corollary 4 too.

## 2 Results

**Definition 3** (Fence). A fence is a row of posts.

Lemma 2. Let a fence be given. Then it is long.

Theorem 2 (Main). No fence is short. By Definition 3, it has posts.

Algorithm 1: Building a fence

Listing 1: The code of a fence
"""


def document() -> Document:
    return build_document(
        parse(PAPER.encode(), doc="paper", name="paper.md"), doc="paper", name="paper.md", fingerprint="test"
    )


def outcomes() -> dict[str, Resolution]:
    paper = document()
    resolver = Resolver(MemoryShelf([paper]))
    return {r.text: resolver(r, paper) for r in find(paper)}


def test_two_things_of_one_number_under_two_words_are_two_items() -> None:
    items = [(i.kind, i.label) for i in document().items]
    assert items == [
        (ItemKind.THEOREM, "3"),
        (ItemKind.THEOREM, "2"),
        (ItemKind.THEOREM, "2"),
        (ItemKind.LISTING, "1"),
        (ItemKind.LISTING, "1"),
    ]


@pytest.mark.parametrize(
    ("said", "begins"),
    [
        ("Lemma 2", "Lemma 2. Let"),
        ("Theorem 2", "Theorem 2 (Main)"),
        ("Definition 3", "**Definition 3**"),
        ("Algorithm 1", "Algorithm 1: Building"),
        ("Listing 1", "Listing 1: The code"),
    ],
)
def test_each_leads_to_what_is_printed_under_its_word(said: str, begins: str) -> None:
    outcome = outcomes()[said]
    assert outcome.status is Status.RESOLVED
    (target,) = outcome.targets
    assert document().lines[target.lines.start].text.startswith(begins)
    assert outcome.why.startswith(f"It is {said.lower()}")


def test_a_word_that_numbers_nothing_here_is_dangling() -> None:
    assert outcomes()["Corollary 4"].status is Status.DANGLING


CONTENTS = """<html><body><h2>7. Matching</h2><dl class="toc"><dt><a href="#a">7.1. Fast Match</a></dt>
<dt><a href="#b">7.2. Partial Match Algorithm</a></dt></dl>
<p>Internally, a match is kept as Table 3 shows.</p>
<h3 id="a">7.1. Fast Match</h3><p>It is fast.</p><h3 id="b">7.2. Partial Match Algorithm</h3><p>It is partial.</p></body></html>"""


def test_a_paragraph_behind_a_title_that_ends_in_a_label_word_is_read_for_itself() -> None:
    page = build_document(
        parse(CONTENTS.encode(), doc="page", name="page.html"),
        doc="page",
        name="page.html",
        fingerprint="test",
    )
    assert "Table 3" in [r.text for r in find(page)]
