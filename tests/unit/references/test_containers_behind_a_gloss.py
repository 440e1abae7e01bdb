"""Words between a label and its container, as a title in brackets, do not make the label one of the document at hand."""

from __future__ import annotations

import pytest

from deref.parse import parse
from deref.references import MemoryShelf, find, resolve
from deref.structure import build_document
from unit.references.small_documents import document

LEASE = document("# 4 Rent\nForty.\n# 5 Delay\nInterest.", name="lease.md", title="Master Lease")


def places(said: str) -> list[str]:
    """The documents in which the labels of the first pointer are found, or what became of it."""
    home = document(f"# 1 Start\nAs {said} says.\n# 4 Fees\nTen.\n# 5 Notices\nIn writing.", name="home.md")
    reference = next(r for r in find(home) if r.labels)
    found = resolve(reference, home=home, shelf=MemoryShelf([home, LEASE]))
    return [target.lines.doc for target in found.targets] or [found.status.value]


@pytest.mark.parametrize(
    "said",
    [
        "clause 4 (Fees) of the Master Lease",
        "Section 4 (“Fees”) of the Master Lease",
        "Section 4, “Fees”, of the Master Lease",
        "Section 4, entitled “Fees”, of the Master Lease",
        "Section 4 – Fees – of the Master Lease",
        "Section 4, as amended, of the Master Lease",
        "Section 4 et seq. of the Master Lease",
        "Section 4 set out in the Master Lease",
        "Section 4 (other than paragraph (b)) of the Master Lease",
        "Section 4 on page 3 of the Master Lease",
        "Section 4 of that certain Master Lease",
        "Section 4 of the amended and restated Master Lease",
        "Section 4 of the (existing) Master Lease",
        "Section 4 from the Master Lease",
        "the Master Lease at Section 4",
        "the “Master Lease”, Section 4",
    ],
)
def test_what_explains_a_label_does_not_part_it_from_its_container(said: str) -> None:
    assert places(said) == ["lease.md"]


@pytest.mark.parametrize(
    "said",
    [
        "Sections 4 and 5, respectively, of the Master Lease",
        "Sections 4 (Fees) and 5 (Delay) of the Master Lease",
    ],
)
def test_a_container_behind_the_gloss_of_a_list_is_that_of_all(said: str) -> None:
    assert places(said) == ["lease.md", "lease.md"]


@pytest.mark.parametrize(
    "said",
    [
        "clause 4 (Fees) of the Supply Agreement",
        "section 4 Grain Act 1933",
        "section 4 Grain (Fees) Act 2009",
    ],
)
def test_a_container_that_is_not_on_the_shelf_is_not_at_home(said: str) -> None:
    assert places(said) == ["external"]


@pytest.mark.parametrize(
    "said",
    [
        "clause 4 (Fees) of this Agreement",
        "Section 4 (Fees) to the Buyer",
        "Section 4 (Fees), and the Master Lease",
    ],
)
def test_a_gloss_alone_makes_no_container(said: str) -> None:
    assert places(said) == ["home.md"]


def test_a_title_in_brackets_stands_before_a_german_container_too() -> None:
    texts = {
        "miete.md": "# Mietvertrag\n\n## § 1 Mieter\n\nDie Zinsen werden nach § 5 (Zinsen) des Kreditvertrags von der Bank berechnet.\n\n"
        "## § 5 Schluss\n\nDer Schluss wird von dem Mieter erklärt.\n",
        "kredit.md": "# Kreditvertrag\n\n## § 5 Zinsen\n\nDie Zinsen werden von der Bank nach dem Vertrag berechnet.\n",
    }
    home, other = (
        build_document(parse(text.encode(), doc=name, name=name), doc=name, name=name, fingerprint="f")
        for name, text in texts.items()
    )
    (reference,) = [r for r in find(home) if r.labels]
    found = resolve(reference, home=home, shelf=MemoryShelf([home, other]))
    assert [t.lines.doc for t in found.targets] == ["kredit.md"]
