"""Where a quote stands: exact, normalised, fuzzy, or nowhere."""

from __future__ import annotations

import pytest

from deref.answer.cite import ungrounded
from deref.answer.ground import Grounded, Level, ground
from deref.values import Answer, Arrived, Citation, Completeness, Document, Line, Span


def lines(*texts: str) -> Document:
    """Return a document of these lines."""
    return Document(
        id="d", name="d.md", title="D", aliases=(), sections=(), items=(), links=(), fingerprint="f",
        lines=tuple(Line(doc="d", n=n, page=1, row=n + 1, text=t) for n, t in enumerate(texts)),
    )  # fmt: skip


LEASE = lines(
    "3 Repairs",
    "The tenant repairs the roof within thirty (30) days of notice, and does not re-",
    "place the beams without the land-lord’s “prior written” consent.",
    "| floor | area | rent |",
    "| **(B)** | 150 | 1,450 |",
    "The ﬁnal rent is 1.5 per cent of the café’s turnover.",
)
EVERY = Span(doc="d", start=0, end=len(LEASE.lines))


def at(start: int, end: int, level: Level) -> tuple[Grounded, ...]:
    return (Grounded(Span(doc="d", start=start, end=end), level),)


@pytest.mark.parametrize(
    ("quote", "found"),
    [
        ("The tenant repairs the roof", at(1, 2, Level.EXACT)),
        (" within thirty (30) days of notice ", at(1, 2, Level.EXACT)),
        ("1,450", at(4, 5, Level.EXACT)),
        ("replace the beams without the landlord's \"prior written\" consent", at(1, 3, Level.NORMALISED)),
        ("does not re-\nplace the beams", at(1, 3, Level.EXACT)),
        ("does not re- place the beams", at(1, 3, Level.NORMALISED)),
        ("(B) 150 1,450", at(4, 5, Level.NORMALISED)),
        ("the final rent is 1.5 PER CENT of the cafe's turnover", at(5, 6, Level.NORMALISED)),
        ("The ten\u200bant rep\u202eairs the roof", at(1, 2, Level.NORMALISED)),
        ("The tenant repiars the roof within thirty (30) days of notice", at(1, 2, Level.FUZZY)),
        ("The tenant repairs the roof … of notice", at(1, 2, Level.EXACT) * 2),
        ("The tenant repairs the roof [...] “prior written” consent.", at(1, 2, Level.EXACT) + at(2, 3, Level.EXACT)),
    ],
)  # fmt: skip
def test_a_quote_is_found_in_its_exact_lines(quote: str, found: tuple[Grounded, ...]) -> None:
    assert ground(quote, LEASE, [EVERY]) == found


@pytest.mark.parametrize(
    "quote",
    [
        "",
        "…",
        " ,.— ",
        "The landlord repairs the roof within thirty (30) days of notice",
        "The tenant repairs the roof within thirty (31) days of notice",
        "The tenant repairs the roof within forty (30) days of notice",
        "The tenant repairs the roof within thirty days, and does re-place the beams",
        "and does not replace the beams with the landlord's “prior written” consent.",
        "ten",
        "45",
        "450",
        "1.5 of the turnover",
        "15 per cent of the café’s turnover",
        "the roof … the tenant of the moon",
        "Nothing of this stands anywhere in the paper at all.",
    ],
)
def test_what_does_not_stand_there_is_not_found(quote: str) -> None:
    assert ground(quote, LEASE, [EVERY]) == ()


def test_a_quote_is_looked_for_in_the_cited_lines_alone() -> None:
    cited = [Span(doc="d", start=3, end=5)]
    assert ground("The tenant repairs the roof", LEASE, cited) == ()
    assert ground("| floor |", LEASE, cited) == at(3, 4, Level.EXACT)


def test_of_several_places_the_one_is_taken_that_the_claim_speaks_of() -> None:
    prices = lines("Ice costs 40 a block.", "Salt costs 40 a sack.", "Tar costs 40 a tub.")
    whole = [Span(doc="d", start=0, end=3)]
    assert ground("40", prices, whole, "A sack of salt is 40.") == at(1, 2, Level.EXACT)
    assert ground("40", prices, whole) == at(0, 1, Level.EXACT)


def test_a_figure_that_stands_elsewhere_in_the_quote_does_not_stand_here() -> None:
    rows = lines("The notice is 4 weeks for members and 2 weeks for all the others in the hall.")
    whole = [Span(doc="d", start=0, end=1)]
    assert ground(
        "The notice is 4 weeks for membres and 2 weeks for all the others in the hall.", rows, whole
    )
    assert not ground(
        "The notice is 2 weeks for members and 2 weeks for all the others in the hall.", rows, whole
    )


def test_a_number_behind_the_quote_is_not_the_one_before_it() -> None:
    said = "No Harm\nThe delivery of this letter breaks no contract of the mill that is in force."
    clauses = lines(
        "2. Power", "The mill has power.", *f"3. {said}".splitlines(), "4. Disputes", "There are none."
    )
    whole = [Span(doc="d", start=0, end=6)]
    assert ground(f"3. {said}", clauses, whole)
    assert not ground(f"4. {said}", clauses, whole)


def test_a_document_that_repeats_one_sign_is_looked_through_in_no_time() -> None:
    wall = lines(*["a " * 60] * 200)
    assert ground("b" * 300, wall, [Span(doc="d", start=0, end=200)]) == ()


def citation(start: int, end: int, quote: str) -> Citation:
    return Citation(
        source="d.md", lines=Span(doc="d", start=start, end=end), page=1, row=1, end_page=1, end_row=1, boxes=(),
        quote=quote, arrived=Arrived.PRIMARY,
    )  # fmt: skip


def test_a_citation_that_does_not_stand_in_its_lines_is_told_whoever_wrote_it() -> None:
    cited = (
        citation(0, 1, "3 Repairs"),
        citation(0, 1, "The tenant"),
        citation(4, 99, "| **(B)**"),
        citation(2, 2, ""),
    )
    given = Answer(text="[1] [2] [3] [4]", citations=cited, pending=(), completeness=Completeness.COMPLETE)
    assert ungrounded(given, lambda doc: LEASE) == (2, 3, 4)
