"""The overview of a document and the preamble of a passage, made of title, headings and definitions."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from conformance.small_shelf import document
from deref.index.overview import HEADINGS, LEAST, TERMS, overview
from deref.index.preamble import whereabouts
from deref.text.tokens import count_tokens
from deref.values import Chunk, Document, Item, ItemKind, Span


def lease() -> Document:
    made = document(
        "lease.md",
        "Lease of the mill\n1 Rent\nThe tenant pays.\n1.1 Late payment\nInterest runs.\n2 Repairs\nThe owner repairs.",
        title="Lease of the mill",
        sections=(
            ("1", "1 Rent", 1, 1, 5),
            ("1.1", "1.1 Late payment", 2, 3, 5),
            ("2", "2 Repairs", 1, 5, 7),
        ),
    )
    terms = tuple(
        Item(
            id=f"t{n}",
            kind=ItemKind.DEFINITION,
            label=term,
            caption="",
            lines=Span(doc=made.id, start=2, end=3),
        )
        for n, term in enumerate(("Mill Race", "Sluice"))
    )
    return replace(made, items=terms)


def test_title_headings_widest_first_without_their_numbers_then_terms() -> None:
    first, second, third, *_ = overview(lease()).split("\n")
    assert (first, second) == ("Lease of the mill", "Rent; Repairs; Late payment")
    assert third == "Defines Mill Race, Sluice"


def test_a_document_that_says_little_above_opens_with_its_text() -> None:
    made = document("note.txt", "The miller rests on Sundays.\nThe wheel stands still.")
    assert overview(replace(made, title="")) == "The miller rests on Sundays. The wheel stands still."


def test_a_heading_that_only_numbers_says_nothing() -> None:
    made = document(
        "act.txt", "Article 1\nText.\nArticle 2\nMore.", title="Act on mills",
        sections=(("1", "Article 1", 1, 0, 2), ("2", "Article 2", 1, 2, 4)),
    )  # fmt: skip
    assert "; " not in overview(made).split("\n")[1]


@settings(deadline=None)
@given(st.lists(st.text("ab ", min_size=1, max_size=30), min_size=1, max_size=40))
def test_an_overview_is_short_whatever_the_document(titles: list[str]) -> None:
    made = document(
        "x.txt", "\n".join(titles), title="T",
        sections=tuple((None, title, 1, n, n + 1) for n, title in enumerate(titles)),
    )  # fmt: skip
    assert count_tokens(overview(made)) <= 1 + HEADINGS + TERMS + 1 + LEAST + 15


def passage(path: str) -> Chunk:
    return Chunk(id="c", lines=Span(doc="d", start=0, end=1), section=None, text="t", tokens=1, path=path)


def test_the_preamble_is_title_and_path_and_never_the_title_twice() -> None:
    made = lease()
    assert whereabouts(made, passage("1 Rent")) == "Lease of the mill > 1 Rent"
    assert whereabouts(made, passage("")) == "Lease of the mill"
    assert whereabouts(made, passage("Lease of the Mill > 1 Rent")) == "Lease of the Mill > 1 Rent"
    assert whereabouts(replace(made, title=""), passage("")) == ""
