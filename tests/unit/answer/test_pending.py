"""A reference with several labels, split into one for each."""

from __future__ import annotations

import pytest

from deref.answer.pending import split_by_labels
from deref.references.find import find
from deref.references.resolve import Resolver
from deref.references.shelf import MemoryShelf
from deref.values import Document, Reference, Status
from unit.answer.small_evidence import document

BODY = "".join(
    f"## {n}. Part {n}\n\nText of part {n}.\n\n### {n}.1 More\n\nMore of it.\n\n" for n in range(1, 9)
)


def pointing(sentence: str) -> tuple[Document, Reference]:
    doc = document(f"# Lease\n\n{BODY}## 9. Last\n\n{sentence}\n", "lease.md")
    found = [r for r in find(doc) if r.at.line >= len(doc.lines) - 3]
    assert found
    return doc, found[0]


@pytest.mark.parametrize(
    ("sentence", "texts"),
    [
        ("See Sections 7.1 and 3.1.", ["Sections 7.1", "3.1"]),
        ("See Sections 2, 3 and 4.1.", ["Sections 2", "3", "4.1"]),
        ("See Section 7.1.", ["Section 7.1"]),
        ("See Sections 3 to 5.", ["Sections 3 to 5"]),
    ],
)
def test_each_label_that_is_written_out_is_a_pointer_of_its_own(sentence: str, texts: list[str]) -> None:
    doc, reference = pointing(sentence)
    parts = split_by_labels(reference, doc)
    assert [p.text for p in parts] == texts
    for part in parts:
        line = doc.lines[part.at.line].text
        assert line[part.at.char_start : part.at.char_end] == part.text


@pytest.mark.parametrize(
    "sentence", ["See Sections 7.1 and 3.1.", "See Sections 2, 3 and 4.1.", "See Sections 3 to 5."]
)
def test_the_parts_lead_where_the_whole_leads(sentence: str) -> None:
    doc, reference = pointing(sentence)
    resolve = Resolver(MemoryShelf([doc]))
    whole = resolve(reference, doc)
    parts = [resolve(p, doc) for p in split_by_labels(reference, doc)]
    assert whole.status is Status.RESOLVED
    assert tuple(t for p in parts for t in p.targets) == whole.targets


def test_a_part_that_leads_nowhere_does_not_hold_back_the_others() -> None:
    doc, reference = pointing("See Sections 2 and 77.")
    resolve = Resolver(MemoryShelf([doc]))
    assert resolve(reference, doc).status is Status.DANGLING
    first, second = (resolve(p, doc) for p in split_by_labels(reference, doc))
    assert (first.status, second.status) == (Status.RESOLVED, Status.DANGLING)


def test_marks_that_only_the_whole_pointer_places_stay_together() -> None:
    doc = document(
        "# Act\n\n## Article 6\n\n1. Text.\n\n(a) one;\n\n(b) two.\n\nPoints (a) and (b) of this paragraph.\n"
    )
    for reference in find(doc):
        assert split_by_labels(reference, doc) == (reference,)


def test_a_pointer_over_a_line_end_is_split_where_its_labels_stand() -> None:
    doc = document(
        "# Lease\n\n"
        + BODY.replace("# ", "")
        + "As to the rest, look at Sections 7.1 and\n3.1 of the lease.\n",
        "l.txt",
    )
    over = [r for r in find(doc) if r.labels == ("7.1", "3.1")]
    for reference in over:
        first, second = split_by_labels(reference, doc)
        assert doc.lines[second.at.line].text[second.at.char_start :].startswith("3.1")
        assert (first.labels, second.labels) == (("7.1",), ("3.1",))
    assert over
