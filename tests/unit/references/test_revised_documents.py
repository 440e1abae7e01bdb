"""Numbers of a series, with a revision or without: which document of the shelf they name, or none."""

from __future__ import annotations

import pytest

from deref.references import MemoryShelf, Resolver, find
from deref.values import Resolution, Status

from .small_documents import document

GUIDE = document(
    "# 3 Scope\n## 3.2 Limits\nNone.",
    name="SP800-61r2.pdf",
    title="Handling of Incidents",
    aliases=("NIST SP 800-61r2", "NIST SP 800-61 Revision 2"),
)


def _of(words: str) -> Resolution:
    home = document("# 3 Own\n## 3.2 Own limits\n" + words, name="home.pdf", title="Home")
    return Resolver(MemoryShelf([home, GUIDE]))(find(home)[0], home)


@pytest.mark.parametrize(
    "words",
    [
        "see NIST SP 800-61 for it",
        "see NIST SP 800-61 Revision 2 for it",
        "see SP 800-61r2 for it",
        "see NIST Special Publication 800-61 for it",
        "see NIST Special Publication (SP) 800-61 Revision 2 for it",
    ],
)
def test_a_document_is_named_by_its_number_with_its_revision_or_without(words: str) -> None:
    outcome = _of(words)
    assert [t.lines.doc for t in outcome.targets] == [GUIDE.id], outcome.why


@pytest.mark.parametrize(
    "words",
    [
        "see NIST SP 800-61 Revision 1 for it",
        "see NIST SP 800-62 for it",
        "see Interagency Report (IR) 7275 Revision 4",
    ],
)
def test_another_revision_is_another_document(words: str) -> None:
    assert _of(words).status is Status.EXTERNAL


def test_a_section_behind_the_number_of_a_document_is_not_one_of_the_home_document() -> None:
    assert _of("see NIST SP 800-53 Rev. 4, section 3.2, of it").status is Status.EXTERNAL
    assert [t.lines.doc for t in _of("see NIST SP 800-61, section 3.2, of it").targets] == [GUIDE.id]


def test_a_tag_leads_to_the_document_behind_its_entry_and_to_the_entry() -> None:
    home = document(
        "# 1 Own\nIt is so, see [7].\n\n# References\n@bibliography 7 Cole, NIST SP 800-61 Revision 2, Handling.\n",
        name="home.pdf",
        title="Home",
    )
    outcome = Resolver(MemoryShelf([home, GUIDE]))(find(home)[0], home)
    assert [(t.lines.doc, t.kind) for t in outcome.targets] == [
        (GUIDE.id, "document"),
        (home.id, "bibliography"),
    ]
