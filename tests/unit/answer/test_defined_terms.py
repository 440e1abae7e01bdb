"""Terms that a quote uses as its document defines them, told beside the answer."""

from __future__ import annotations

from deref.answer.defined import MOST, defined_terms
from deref.parse import parse
from deref.structure import build_document
from deref.values import Document, Span

LOAN = """# Loan Agreement

## 1 Definitions

"Break Costs" means GBP 7,400 for each month that remains of the term.

"Costs" means what the Lender spends.

"Gale Day" means a day on which no hull may leave.

## 2 Prepayment

The Borrower may prepay at any time if it pays the Break Costs.

No costs are due on a day of gale. A gale day is a day of wind.

Alder Ltd (the "Borrower") signs.
"""


def loan() -> Document:
    return build_document(
        parse(LOAN.encode(), doc="loan", name="loan.md"), doc="loan", name="loan.md", fingerprint="t"
    )


def line(document: Document, words: str) -> Span:
    n = next(line.n for line in document.lines if words in line.text)
    return Span(doc=document.id, start=n, end=n + 1)


def test_a_term_is_told_with_the_words_that_define_it_and_where() -> None:
    document = loan()
    (told,) = defined_terms([(document, line(document, "may prepay"))])
    assert told.term == "Break Costs"
    assert told.text == '"Break Costs" means GBP 7,400 for each month that remains of the term.'
    assert told.at.line == line(document, '"Break Costs" means').start


def test_small_letters_are_no_term_and_a_short_name_in_brackets_means_nothing() -> None:
    document = loan()
    assert defined_terms([(document, line(document, "No costs are due"))]) == []


def test_a_definition_that_is_quoted_is_not_told_again() -> None:
    document = loan()
    quotes = [(document, line(document, "may prepay")), (document, line(document, '"Break Costs" means'))]
    assert defined_terms(quotes) == []


def test_there_are_a_few_at_the_most() -> None:
    terms = [f"Term {name}" for name in ("Alpha", "Beta", "Gamma", "Delta", "Omega")]
    text = "# Paper\n\n" + "\n\n".join(f'"{t}" means a thing of its own kind.' for t in terms)
    text += f"\n\n# Use\n\nThe rule is on {', '.join(terms)}.\n"
    document = build_document(
        parse(text.encode(), doc="p", name="p.md"), doc="p", name="p.md", fingerprint="t"
    )
    assert len(defined_terms([(document, line(document, "The rule is on"))])) == MOST


def test_a_definition_that_leads_in_a_list_is_told_with_the_list_and_without_the_next_one() -> None:
    text = '# Paper\n\n"Pan Owner" means:\n\n(a) who owns a pan;\n\n(b) who leases one.\n\n"Toll" means:\n\n(a) a fee.\n\n# Use\n\nA Pan Owner pays.\n'
    document = build_document(
        parse(text.encode(), doc="p", name="p.md"), doc="p", name="p.md", fingerprint="t"
    )
    (told,) = defined_terms([(document, line(document, "Pan Owner pays"))])
    assert told.text == '"Pan Owner" means: (a) who owns a pan; (b) who leases one.'
