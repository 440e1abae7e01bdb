"""The text of an answer: what is quoted twice is shown once."""

from __future__ import annotations

from deref.answer.compose import Quote, compose
from deref.values import Arrived, Citation, Document, Span

from .small_evidence import document, lines_with

LEASE = document("# 1 Rent\n\nThe rent is 40.\n\n# 2 Term\n\nAs Section 1 says.\n", "lease.md")


def cited(doc: Document, lines: Span, arrived: Arrived, reference: str | None = None) -> Quote:
    return Quote(
        doc,
        Citation(
            source=doc.name, lines=lines, page=1, row=lines.start + 1, end_page=1, end_row=lines.end, boxes=(),
            quote=doc.text(lines), arrived=arrived, reference=reference,
        ),
    )  # fmt: skip


def test_a_followed_place_that_is_quoted_already_is_named_and_not_quoted_again() -> None:
    rent, term = lines_with(LEASE, "rent is"), lines_with(LEASE, "As Section 1")
    text = compose(
        [
            cited(LEASE, rent, Arrived.PRIMARY),
            cited(LEASE, term, Arrived.PRIMARY),
            cited(LEASE, rent, Arrived.REFERENCE, "Section 1"),
        ]
    )
    assert text.count("The rent is 40.") == 1
    assert text.endswith("Section 1 (lease.md, p. 1):\nas quoted at [1] [3]")


def test_of_a_followed_place_around_a_quote_only_what_the_quote_lacks_is_shown() -> None:
    heading, rent = Span(doc=LEASE.id, start=0, end=3), lines_with(LEASE, "rent is")
    assert heading.start <= rent.start and rent.end <= heading.end
    inside = compose(
        [cited(LEASE, heading, Arrived.PRIMARY), cited(LEASE, rent, Arrived.REFERENCE, "Section 1")]
    )
    assert inside.endswith("as quoted at [1] [2]")
    around = compose(
        [cited(LEASE, rent, Arrived.PRIMARY), cited(LEASE, heading, Arrived.REFERENCE, "Section 1")]
    )
    assert around.endswith("Section 1 (lease.md, p. 1):\n# 1 Rent\n(as quoted at [1])\n# 2 Term [2]")


def test_what_the_question_found_and_a_quote_before_shows_is_not_quoted_again() -> None:
    rent, term = lines_with(LEASE, "rent is"), lines_with(LEASE, "As Section 1")
    text = compose(
        [
            cited(LEASE, term, Arrived.PRIMARY),
            cited(LEASE, rent, Arrived.REFERENCE, "Section 1"),
            cited(LEASE, rent, Arrived.PRIMARY),
        ]
    )
    assert text.endswith("The rent is 40. [2]\n\nas quoted at [2] [3]")


def test_another_followed_place_is_quoted() -> None:
    rent, term = lines_with(LEASE, "rent is"), lines_with(LEASE, "As Section 1")
    text = compose([cited(LEASE, term, Arrived.PRIMARY), cited(LEASE, rent, Arrived.REFERENCE, "Section 1")])
    assert text.endswith("Section 1 (lease.md, p. 1):\nThe rent is 40. [2]")
