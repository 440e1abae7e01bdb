"""Parts of a work that are documents of their own: "Plant Manual, Part 2", "Key Keeping: Part 1 - General".

A document is such a part when its title, or else its file name, says "Part" and a number, and nothing in it is headed so.
"Part 3" then means the document of the same folder that is called alike, never its third section; "this Part" is the document.
"""

from __future__ import annotations

from deref.references.view import View
from deref.text.lazy import lazy
from deref.text.names import file_stem, normalize_name
from deref.values import Card, Document

_PART = lazy(r"(?:^|(?<=[\s,:;(–—_-]))(?i:part)[ _-]?(?P<label>\d{1,3}|[IVXL]{1,5}|[A-Z])(?![\w.])")


def own_part(view: View, document: Document) -> str | None:
    """Return the number of the part that a document is, in small letters; None when it is none, or has parts itself."""
    if view.places(document).words.get("part"):
        return None
    told = _told(view.card(document))
    return told[2] if told else None


def parts_beside(view: View, home: Document, label: str) -> list[Document]:
    """Return the documents of the folder that are the part of this number of the work that `home` is a part of."""
    told = _told(view.card(home))
    if told is None:
        return []
    if view.parts_of_works is None:
        view.parts_of_works = {}
        for card in view.shelf.cards():
            if key := _told(card):
                view.parts_of_works.setdefault(key, []).append(card.id)
    ids = view.parts_of_works.get((told[0], told[1], label.casefold()), ())
    return [d for d in map(view.document, ids) if d is not None]


def _told(card: Card) -> tuple[str, str, str] | None:
    """What the parts of one work have in common, their folder and what is said before the number; and the number."""
    for name in (card.title, file_stem(card.name)):
        if told := _PART.search(name):
            return (
                card.name.rpartition("/")[0],
                normalize_name(name[: told.start()]),
                told["label"].casefold(),
            )
    return None
