"""The defined terms that a question asks the meaning of: "What does “Net Sales” mean in the Supply Agreement?", "What is a processor?"

1. The words that ask give the term, and the paper behind them ("in the Supply Agreement") where it is to be looked up; without one the
   documents that the question names, else the whole shelf.
2. A definition that says what the term means goes before a short name in brackets, which says whom it stands for and counts only where the
   meaning is asked for in so many words. "What is a …?" is an ordinary question too: the term has to be defined as it is asked for.
3. Of a few definitions all are given, with a word that says so; of more none, and that is said.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING

from deref.references.asked import target_of
from deref.references.resolve import Resolver
from deref.text.asked_term import CLOSE, OPEN, AskedTerm, terms_asked
from deref.text.lazy import lazy
from deref.text.names import normalize_name
from deref.values import AskedPlace, Place, Target

if TYPE_CHECKING:
    from deref.ports import Shelf

MOST_GIVEN = 3
"""Documents whose definitions of one term are all given."""
MOST_TOLD = 3
LONG = 5
"""Letters."""

_MEANS = lazy(
    rf"^[{OPEN}]?[^.;]{{1,160}}?(?:\b(?:means?|meanings?|denotes?|is defined|are defined|refers? to|includes?|bedeutet|bezeichnet|désigne|signifie|significa)\b"
    rf"|[{CLOSE}]\s?\W?[:=–—])",
    re.IGNORECASE,
)
_BRACKET = lazy(rf"^[{OPEN}]?[^\"“”„«»()]{{1,80}}[{CLOSE}]?\)")


def asked_terms(
    question: str,
    shelf: Shelf,
    resolver: Resolver,
    *,
    titled: Callable[[], Collection[str]] = tuple,
    admits: Callable[[Target], bool] = lambda _target: True,
) -> tuple[AskedPlace, ...]:
    """Return the definition of the term whose meaning a question asks for, or none. The arguments are those of `asked.asked_places`."""
    for asked in terms_asked(question):
        places = _that_tell(asked, [p for p in _defined(shelf, asked.term) if admits(target_of(p))])
        if not places:
            continue
        if asked.where:
            named = _papers(asked.where, resolver, shelf)
            if not named:
                continue
            places = [p for p in places if p.doc in named]
        elif here := [p for p in places if p.doc in set(titled())]:
            places = here
        return (_given(asked, places, {card.id: card.name for card in shelf.cards()}),) if places else ()
    return ()


def _defined(shelf: Shelf, term: str) -> Sequence[Place]:
    """Return the definitions of a term, or of its singular or plural."""
    key = normalize_name(term)
    other = key[:-1] if key.endswith("s") else f"{key}s"
    return shelf.defined(key) or shelf.defined(other)


def _that_tell(asked: AskedTerm, places: Sequence[Place]) -> list[Place]:
    """Return the definitions that say what the term means; those of a short name when there is no other and the meaning is asked for."""
    means = [p for p in places if _MEANS.search(p.title) and not _BRACKET.match(p.title)]
    return means or (list(places) if asked.explicit else [])


def _papers(where: str, resolver: Resolver, shelf: Shelf) -> Collection[str]:
    """Return the documents that words name: by name, else those all of whose words are in the title or the file name."""
    phrase = re.sub(r"^(?:the|this|that|our|an?)\s+", "", where.strip(), flags=re.IGNORECASE)
    docs = resolver.names.file(phrase) or resolver.names.named(phrase, whole=True)[0]
    if not docs and phrase.isupper():
        docs = resolver.names.house(phrase)
    words = normalize_name(phrase).split()
    return docs or [c.id for c in shelf.cards() if _has(normalize_name(f"{c.title} {c.name}").split(), words)]


def _has(name: Sequence[str], words: Sequence[str]) -> bool:
    """Tell whether a name has all words; one of LONG letters may go on there ("macrogenics" in "macrogenicsinc")."""
    return all(any(w == n or (len(w) >= LONG and n.startswith(w)) for n in name) for w in words)


def _given(asked: AskedTerm, places: Sequence[Place], names: dict[str, str]) -> AskedPlace:
    docs = list(dict.fromkeys(place.doc for place in places))
    first = [next(p for p in places if p.doc == doc) for doc in docs]
    if len(docs) == 1:
        return AskedPlace(said=asked.said, targets=tuple(target_of(p) for p in places[:MOST_GIVEN]))
    shown = ", ".join(names[doc] for doc in docs[:MOST_TOLD])
    more = f" and {len(docs) - MOST_TOLD} more" if len(docs) > MOST_TOLD else ""
    why = f"“{asked.term}” is defined in {len(docs)} documents of this shelf ({shown}{more}); name the one you mean"
    given = first if len(docs) <= MOST_GIVEN else []
    return AskedPlace(said=asked.said, targets=tuple(target_of(p) for p in given), why=why)
