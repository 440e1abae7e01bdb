"""Names that are alike, by pg_trgm in the database.

pg_trgm makes of plain ASCII the same trigrams as `text.trigrams`, in every locale; of other letters it depends on the locale
of the database what it makes. So it compares plain names with a plain text, and all the rest is compared here. It tells
likeness in single precision, from which the number of shared trigrams follows exactly, being a whole one.

There is no index of trigrams: a likeness of a tenth lets most names through on a shelf whose names are alike, and row-level
security keeps the operator that could use one from looking before the policy has.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from deref.store.reading import Reader, Rows
from deref.text.trigrams import name_words, trigrams

_BELOW = 0.001
"""pg_trgm counts in single precision: it is asked for a little less, and what is too little is left out here."""

_LIKE = """
SELECT n.doc, n.trigrams, w.alike, CASE WHEN w.plain THEN NULL ELSE w.words END FROM names n JOIN (
    SELECT name, words, plain, similarity(words, :words) AS alike FROM name_words OFFSET 0
) AS w ON w.name = n.number WHERE NOT w.plain OR w.alike >= :least
"""
_ALL = "SELECT n.doc, n.trigrams, NULL, w.words FROM name_words w JOIN names n ON n.number = w.name"
_WORDS = "SELECT name, words FROM name_words"


def names_like(reader: Reader, text: str, asked: Sequence[str], least: float) -> Rows:
    """Return rows (document, trigrams of a name, how many of the asked ones it has), of all names whose likeness is `least` or more.

    `asked` are the trigrams of the text that are looked for, perhaps not all of them.
    """
    words = name_words(text)
    folded, wanted = " ".join(words), set(asked)
    if folded.isascii() and len(trigrams(words)) == len(asked):
        rows = reader.rows(_LIKE, {"words": folded, "least": least - _BELOW})
    else:
        rows = reader.rows(_ALL)

    def shared(size: int, alike: float, told: str | None) -> int:
        if told is None:
            return round(alike * (len(asked) + size) / (1 + alike))
        return len(wanted & trigrams(tuple(told.split())))

    return [(doc, size, shared(size, alike, told)) for doc, size, alike, told in rows]


def trigrams_by_name(reader: Reader) -> Iterator[tuple[str, int]]:
    """Yield (trigram, number of a name) of all names that are compared."""
    for name, words in reader.rows(_WORDS):
        for gram in trigrams(tuple(words.split())):
            yield gram, name
