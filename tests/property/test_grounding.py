"""Laws of grounding: what is found stands there, and how a quote is written or in which order things come changes nothing."""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from deref.answer.ground import Level, ground, skeleton_of
from deref.answer.schema import Claim, Quoted
from deref.answer.support import unsupported
from deref.text.clean import join_lines
from deref.values import Answer, Document, Line, Span
from unit.answer.small_evidence import document, whole
from unit.answer.small_model import reply, written

_WORD = st.sampled_from([
    "the", "tenant", "landlord", "shall", "not", "repair", "roof", "within", "thirty", "days", "1,450", "12.5", "%", "“notice”",
    "well-kept", "café,", "No.", "7", "(B)",
])  # fmt: skip
_LINE = st.lists(_WORD, min_size=1, max_size=9).map(" ".join)


def _document(lines: list[str]) -> Document:
    return Document(
        id="d", name="d.md", title="D", aliases=(), sections=(), items=(), links=(), fingerprint="f",
        lines=tuple(Line(doc="d", n=n, page=1, row=n + 1, text=t) for n, t in enumerate(lines)),
    )  # fmt: skip


_DOCUMENTS = st.lists(_LINE, min_size=1, max_size=8).map(_document)


@st.composite
def _cut(draw: st.DrawFn) -> tuple[Document, int, int, str]:
    """Draw a document and a run of whole words of it: the document, its first and last line, and the words."""
    doc = draw(_DOCUMENTS)
    words = [(line.n, word) for line in doc.lines for word in line.text.split()]
    start = draw(st.integers(0, len(words) - 1))
    end = draw(st.integers(start, len(words) - 1))
    run = words[start : end + 1]
    return doc, run[0][0], run[-1][0], " ".join(word for _, word in run)


def _all(doc: Document) -> list[Span]:
    return [Span(doc="d", start=0, end=len(doc.lines))]


@settings(deadline=None)
@given(_cut())
def test_words_of_the_lines_are_found_and_what_is_found_holds_them(
    case: tuple[Document, int, int, str],
) -> None:
    doc, _, _, quote = case
    if not skeleton_of(quote):
        return
    (found,) = ground(quote, doc, _all(doc))
    assert found.level is not Level.FUZZY
    assert skeleton_of(quote) in skeleton_of(doc.text(found.lines))
    inner = Span(doc="d", start=found.lines.start + 1, end=found.lines.end)
    assert len(found.lines) == 1 or skeleton_of(quote) not in skeleton_of(doc.text(inner))


@settings(deadline=None)
@given(_cut(), st.randoms(use_true_random=False))
def test_case_spaces_and_hidden_signs_change_nothing(case: tuple[Document, int, int, str], random) -> None:
    doc, first, last, quote = case
    if not skeleton_of(quote):
        return
    span = [Span(doc="d", start=first, end=last + 1)]
    other = re.sub(" ", lambda _: random.choice([" ", "  ", "\n", "\u00a0", " \u200b"]), quote)
    other = "".join(random.choice([c, c.upper() if c.isascii() else c]) for c in other)
    assert [g.lines for g in ground(other, doc, span)] == [g.lines for g in ground(quote, doc, span)]


@settings(deadline=None)
@given(_cut(), st.permutations(range(4)))
def test_the_order_of_the_cited_lines_does_not_matter(
    case: tuple[Document, int, int, str], order: list[int]
) -> None:
    doc, _, _, quote = case
    size = len(doc.lines)
    spans = [Span(doc="d", start=n * size // 4, end=(n + 1) * size // 4) for n in range(4)]
    one, other = ground(quote, doc, spans), ground(quote, doc, [spans[n] for n in order])
    assert bool(one) == bool(other)
    assert [g.level for g in one] == [g.level for g in other]


@settings(deadline=None)
@given(_DOCUMENTS, st.text(max_size=60))
def test_what_is_found_lies_in_the_cited_lines(doc: Document, quote: str) -> None:
    cited = [Span(doc="d", start=len(doc.lines) // 2, end=len(doc.lines))]
    for found in ground(quote, doc, cited):
        assert cited[0].start <= found.lines.start < found.lines.end <= cited[0].end


@settings(deadline=None)
@given(_cut(), st.data())
def test_another_digit_is_another_figure(case: tuple[Document, int, int, str], data: st.DataObject) -> None:
    doc, first, last, quote = case
    digits = [n for n, c in enumerate(quote) if c.isdigit()]
    if not digits:
        return
    at = data.draw(st.sampled_from(digits))
    other = quote[:at] + data.draw(st.sampled_from([d for d in "3689" if d != quote[at]])) + quote[at + 1 :]
    span = Span(doc="d", start=first, end=last + 1)
    joined = join_lines(doc.lines[span.start : span.end]).text
    assert other in joined or ground(other, doc, [span]) == ()
    assert "do" in unsupported(other, "", [joined])


_LEASE = document(
    "# Lease\n\nThe tenant repairs the roof.\n\nThe rent is 40 pounds a week.\n\nThe term is nine years.\n\nThe landlord "
    "insures the mill against fire.\n", "lease.md",
)  # fmt: skip
_CLAIMS = [
    ("The tenant repairs the roof.", [("P1", "The tenant repairs the roof.")]),
    ("The rent is 40 pounds a week.", [("P1", "The rent is 40 pounds"), ("P1", "The term is nine years.")]),
    ("The landlord insures the mill.", [("P1", "insures the mill against fire")]),
    ("The rent is 50 pounds a week.", [("P1", "The rent is 50 pounds")]),
    ("The moon is a cheese.", []),
]


@settings(deadline=None, max_examples=25)
@given(st.permutations(_CLAIMS), st.booleans())
def test_the_order_of_claims_and_quotes_does_not_change_what_is_shown(order: list, turned: bool) -> None:
    def shown(answer: Answer) -> tuple[set[str], set[Span], object, set[str]]:
        sentences = {s.strip() for s in re.sub(r"\s*\[\d+\]", "", answer.text).split(".") if s.strip()}
        return sentences, {c.lines for c in answer.citations}, answer.completeness, set(answer.problems)

    turn = [(text, quotes[::-1] if turned else quotes) for text, quotes in order]
    plain = written("What holds?", [whole(_LEASE)], reply(*_CLAIMS), _LEASE)
    assert shown(written("What holds?", [whole(_LEASE)], reply(*turn), _LEASE)) == shown(plain)


@settings(deadline=None, max_examples=40)
@given(st.text(max_size=80), st.text(max_size=80))
def test_a_claim_and_its_quotes_take_any_text(text: str, quote: str) -> None:
    claim = Claim(text=text, quotes=(Quoted(evidence="P1", quote=quote),))
    answer = written("What?", [whole(_LEASE)], reply((claim.text, [("P1", claim.quotes[0].quote)])), _LEASE)
    assert all(c.quote == _LEASE.text(c.lines) for c in answer.citations)
