"""A resolver keeps what it has read of a shelf for the next reference, and not all of a large shelf for ever."""

from __future__ import annotations

from collections import Counter
from itertools import islice, product

from deref.references import find
from deref.references.resolve import Resolver
from deref.references.shelf import MemoryShelf
from deref.references.view import MOST_DOCUMENTS
from deref.values import Document, Reference, Status
from unit.references.small_documents import document

SYLLABLES = (
    "bar",
    "dell",
    "feld",
    "gate",
    "ham",
    "kirk",
    "ley",
    "mere",
    "ness",
    "port",
    "rick",
    "shaw",
    "stead",
    "ton",
)


class CountingShelf(MemoryShelf):
    """A shelf that counts how often each document is read."""

    def __init__(self, documents: list[Document]) -> None:
        super().__init__(documents)
        self.read: Counter[str] = Counter()

    def document(self, doc: str) -> Document | None:
        self.read[doc] += 1
        return super().document(doc)


def test_documents_are_let_go_when_there_are_many_of_them() -> None:
    made = (
        f"{a}{b}{c}"
        for a, b, c in product(("Ba", "De", "Ki", "Lo", "Mu"), ("fa", "ge", "li", "no"), SYLLABLES)
    )
    towns = list(islice(made, MOST_DOCUMENTS + 20))
    others = [
        document("# 4 Fees\nOne per cent.", name=f"{town}.txt", title=f"{town} Lease Agreement")
        for town in towns
    ]
    said = "\n\n".join(f"Section 4 of the {town} Lease Agreement tells the fee." for town in towns)
    home = document(f"# 1 Fees\n{said}", title="Overview")
    shelf = CountingShelf([home, *others])
    resolve = Resolver(shelf)
    first, *rest = [r for r in find(home) if r.container]

    def leads_to(reference: Reference) -> str:
        outcome = resolve(reference, home)
        assert outcome.status is Status.RESOLVED, outcome.why
        return outcome.targets[0].lines.doc

    assert leads_to(first) == leads_to(first) == f"{towns[0]}.txt"
    assert shelf.read[f"{towns[0]}.txt"] == 1
    assert [leads_to(r) for r in rest] == [f"{town}.txt" for town in towns[1:]]
    assert leads_to(first) == f"{towns[0]}.txt"
    assert shelf.read[f"{towns[0]}.txt"] == 2
