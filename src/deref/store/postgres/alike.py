"""Names that are alike, picked by the database with pg_trgm, counted here.

pg_trgm makes of plain ASCII the same trigrams as `text.trigrams`, in every locale; of other letters it depends on the locale
of the database what it makes. So it picks among plain names for a plain text, and all the rest is compared here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from deref.store.reading import Reader, Rows
from deref.text.trigrams import name_words, trigrams

_BELOW = 0.001
"""pg_trgm counts in single precision: it is asked for a little less, and what is too little is left out here."""

_LIKE = """
SELECT n.doc, n.trigrams, w.words FROM name_words w JOIN names n ON n.number = w.name
WHERE NOT w.plain OR similarity(w.words, :words) >= :least
"""
_ALL = "SELECT n.doc, n.trigrams, w.words FROM name_words w JOIN names n ON n.number = w.name"
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
    return [(doc, size, len(wanted & trigrams(tuple(told.split())))) for doc, size, told in rows]


def trigrams_by_name(reader: Reader) -> Iterator[tuple[str, int]]:
    """Yield (trigram, number of a name) of all names that are compared."""
    for name, words in reader.rows(_WORDS):
        for gram in trigrams(tuple(words.split())):
            yield gram, name
