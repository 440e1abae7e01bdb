"""What is quoted of the places that a question names: "What does Article 17(1) say?", "the notice period in Section 6.1 of the Lease".

The passages of such places are primary ones with a `focus`. The words that name them ask for nothing else, and are left out of
what the other text is weighed by.

*Alone*, when nothing but the place is asked for: it is quoted whole, of a long one the beginning, and nothing else was read. The
pointers in what is quoted count where the place is short, and where their sentence hands the matter over. *Else* what tells most of
the rest of the question is quoted of it, and of other text nothing; but where other text is worth more, the question names the place in
passing ("If Rule 2.9 applies, how are records kept?"), and it is text like any.

A point of a list is quoted with the words that lead the list in, a definition with the list that it leads in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from deref.answer.asking import Asking, asking
from deref.answer.chains import NARROW_WORDS, WIDE_WORDS, Chain
from deref.answer.defined import whole_definition
from deref.answer.followed import Followed, Similarity, followed_quotes
from deref.answer.rank import FILLER
from deref.answer.tables import table_at
from deref.answer.units import Unit, is_heading, longer_than
from deref.text.tokens import STOPWORDS, count_tokens, stem, stems_of, words
from deref.values import Arrived, AskedPlace, Document, ItemKind, Passage, Query, Span

MOST_WORDS = 400
"""Words of a place that is asked for and nothing else."""
SHORT = 60
"""Words of places all of whose pointers count."""
FEW_POINTERS = 2
"""Pointers of a longer one that count at the most."""
_LEADS_IN = (":", ":—", ": –", "—")
_LONGEST_LEAD_IN = 120
"""Words."""
_SAYING = FILLER | stems_of(
    "say says state states provide provides contain contains read reads tell tells mean means text wording content contents summary summarise summarize "
    "definition definitions define defines defined meant term terms word words expression phrase exactly precisely quote cite show give explain describe cover covers deal deals require requires about full word words please compare comparison differ difference versus"
)


class Named(NamedTuple):
    """The passages of the places that a question names, what it asks for beside them, and whether that is nothing."""

    passages: tuple[Passage, ...]
    asked: Asking
    alone: bool

    @property
    def spans(self) -> list[Span]:
        """The lines of the places."""
        return [span for passage in self.passages for span in passage.focus]

    def holds(self, lines: Span) -> bool:
        """Tell whether lines begin in one of the places."""
        return any(lines.doc == span.doc and lines.start in span for span in self.spans)

    def where_it_leads(self, worth: Mapping[Span, float]) -> Named:
        """Return this, or, when other text is worth more to the question, the same without its places, which it names in passing.

        `worth` is that of units, by their lines.
        """
        there = max((w for lines, w in worth.items() if self.holds(lines)), default=0.0)
        other = max((w for lines, w in worth.items() if not self.holds(lines)), default=0.0)
        return self if self.alone or there >= other else self._replace(passages=())

    def pointing(self, units: Sequence[Unit], quotes: Sequence[Followed]) -> Sequence[Unit]:
        """Return the units whose pointers count: those of the places, all when none is named; alone, what is quoted of them."""
        if not self.passages:
            return units
        if not self.alone:
            return [unit for unit in units if self.holds(unit.lines)]
        return [
            u for u in units if any(u.lines.doc == q.lines.doc and u.lines.start in q.lines for q in quotes)
        ]


def asked_about(query: Query) -> tuple[AskedPlace, ...]:
    """Return the places that the sentence which asks names, and those of which there is something to tell; a place that a sentence before
    it names only says where the matter comes up. All of them when it names none and nothing but places is asked for.
    """
    asks = asking(query.text).asks.casefold()
    said = [place for place in query.places if place.said.casefold() in asks]
    if query.alone:
        return tuple(said) or query.places
    return tuple(place for place in query.places if place.why or place in said)


def asks_for_places_alone(query: Query, read: Callable[[str], Document]) -> bool:
    """Tell whether a question names places, and asks for nothing but those; the names of their documents are no more."""
    if not query.places:
        return False
    docs = {target.lines.doc for place in query.places for target in place.targets}
    names = [name for doc in map(read, docs) for name in (doc.title, doc.name, *doc.aliases)]
    known = _SAYING | stems_of(" ".join(names))
    return all(word in STOPWORDS or stem(word) in known for word in words(query.beside_places.casefold()))


def named_in(query: Query, passages: Sequence[Passage]) -> Named:
    """Return what a question names, of the passages that it found."""
    there = tuple(p for p in passages if p.arrived is Arrived.PRIMARY and p.focus)
    if not there:
        return Named((), asking(query.text), alone=False)
    return Named(there, asking(query.beside_places or query.text), alone=query.alone)


def named_quotes(
    named: Named, units: Sequence[Unit], read: Callable[[str], Document], similarity: Similarity | None
) -> list[Followed]:
    """Return the quotes of the places that a question names, in its order."""
    if named.alone:
        quotes = _beginnings(named, units, read)
    else:
        chains = [Chain((passage,), 1.0, WIDE_WORDS) for passage in named.passages]
        quotes = [q for some in followed_quotes(named.asked, chains, units, read, similarity) for q in some]
    found: list[Followed] = []
    for quote in quotes:
        if any(
            d.lines.start == quote.lines.start for d in quote.document.items if d.kind is ItemKind.DEFINITION
        ):
            found.append(quote._replace(lines=whole_definition(quote.document, quote.lines)))
            continue
        above = lead_in(quote.document, quote.lines)
        if above is not None and all(above != other.lines for other in found):
            found.append(quote._replace(lines=above))
        found.append(quote)
    return found


def _beginnings(named: Named, units: Sequence[Unit], read: Callable[[str], Document]) -> list[Followed]:
    """Return the places whole, `MOST_WORDS` in all; of what is longer the units at its beginning, one at the least of each."""
    left = MOST_WORDS
    found: list[Followed] = []
    for passage in named.passages:
        document = read(passage.lines.doc)
        short = not longer_than(left, document, passage.focus)
        if short or table_at(document, passage.lines) is not None:
            chain = Chain((passage,), 1.0, max(left, NARROW_WORDS))
            quotes = followed_quotes(named.asked, [chain], units, read, None)[0]
        else:
            start = passage.focus[0].start
            end = start + 1
            ends = [u.lines.end for u in units if u.passage is passage and u.lines.start in passage.focus[0]]
            # Whole units while there is room; of a first one that is longer as many lines as have room.
            for stop in (*range(start + 1, ends[0]), *ends) if ends else ():
                if longer_than(left, document, [Span(doc=document.id, start=start, end=stop)]):
                    break
                end = stop
            quotes = [Followed(document, Span(doc=document.id, start=start, end=end), passage)]
        left = max(0, left - sum(count_tokens(q.document.text(q.lines)) for q in quotes))
        found += quotes
    return found


def lead_in(document: Document, point: Span) -> Span | None:
    """Return the lines that lead in the list of a point ("The Tenant shall:"), which stand above it in the section around it.

    What has a heading of its own is no point, and what leads in all of a paper ("The parties agree as follows:") no list.
    """
    path = document.section_path(point.start)
    around = next((section for section in reversed(path) if section.lines.start < point.start), None)
    first = _block(document, point.start, point.end)
    if (
        around is None
        or around.label is None
        or any(is_heading(section, first, document.text(first)) for section in path)
    ):
        return None
    end = point.start
    for start in range(point.start - 1, around.lines.start - 1, -1):
        if not document.lines[start].starts_block and start > around.lines.start:
            continue
        block = Span(doc=point.doc, start=start, end=end)
        here = document.section_at(start)
        if here is not None and here.id == around.id and document.text(block).rstrip().endswith(_LEADS_IN):
            return None if longer_than(_LONGEST_LEAD_IN, document, [block]) else block
        end = start
    return None


def _block(document: Document, start: int, stop: int) -> Span:
    end = start + 1
    while end < stop and not document.lines[end].starts_block:
        end += 1
    return Span(doc=document.id, start=start, end=end)


def words_of(spans: Iterable[Span], read: Callable[[str], Document]) -> int:
    """Return how many words these lines have."""
    return sum(count_tokens(read(span.doc).text(span)) for span in spans)


def told_short(
    named: Named, quotes: Sequence[Followed], query: Query, read: Callable[[str], Document]
) -> str:
    """Return what a reader has to know of a place that is quoted in part though nothing else is asked for; "" when there is none."""
    if not named.alone:
        return ""
    spans = [span for place in query.places for t in place.targets for span in (t.focus or (t.lines,))]
    there, shown = words_of(spans, read), words_of((quote.lines for quote in quotes), read)
    if shown >= there:
        return ""
    said = " and ".join(f"“{place.said}”" for place in query.places if place.targets)
    return f"{said} has {there:,} words, of which {shown:,} are quoted"
