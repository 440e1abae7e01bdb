"""A number that stands for its unit, and a container behind the last of some like pointers."""

from __future__ import annotations

import pytest

from deref.references import MemoryShelf, find, resolve
from deref.values import Document, Resolution, Status

from .small_documents import document

CLAUSES = document(
    "# [part 52] Clauses\n## 52.204-24 Seeds\nText.\n(c) Now.\n(d) Then.\n(1) one\n(2) two",
    name="part-52.txt",
)
LEASE = document("# 4 Rent\nx\n# 5 Keys\ny\n# 9 Locks\nz", name="lease.md", title="Office Lease")
HOME = """# [article 5] Start
{}
# [article 6] Mid
(a) one
(b) two
# [section 4] Fees
No.
# [section 25] Due
(1) now"""


def outcomes(home: Document, *others: Document) -> list[Resolution]:
    return [resolve(r, home=home, shelf=MemoryShelf([home, *others])) for r in find(home)]


def of_part(text: str) -> Resolution:
    body = f"# [part 4] Home\n## 4.2101 Scope\n{text}\n(c) home\n(d) home\n(2) home\n## 4.2102 More\n(c) near"
    return outcomes(document(body, name="part-4.txt"), CLAUSES)[0]


def places(result: Resolution) -> list[tuple[str, str | None, int | None]]:
    return [(t.lines.doc, t.label, t.focus[0].start if t.focus else None) for t in result.targets]


@pytest.mark.parametrize("unit", ["the provision at 52.204-24", "the clause set forth in FAR 52.204-24", "52.204-24", "FAR clause 52.204-24"])  # fmt: skip
def test_a_paragraph_of_a_unit_told_by_its_number_is_counted_there(unit: str) -> None:
    result = of_part(f"As paragraph (d)(2) of {unit}, Seeds, says.")
    assert places(result) == [("part-52.txt", "52.204-24", 6)], result.why


def test_where_the_unit_is_missing_so_is_the_paragraph() -> None:
    result = of_part("As paragraph (c) of the clause at 52.999-9 says.")
    assert (result.status, result.targets) == (Status.DANGLING, ())
    assert places(of_part("As paragraph (c) of the subsection at 4.2102 says.")) == [
        ("part-4.txt", "4.2102", 7)
    ]


def test_where_the_unit_has_no_such_part_it_is_given_whole_as_for_a_number_with_parts() -> None:
    spoken, written = of_part("Paragraph (b) of the subsection at 4.2102."), of_part("See section 4.2102(b).")
    assert places(spoken) == places(written) == [("part-4.txt", "4.2102", None)]
    assert "given whole" in spoken.why
    assert "given whole" in written.why


def at_home(text: str) -> list[Resolution]:
    return outcomes(document(HOME.format(text), name="loan.md", title="Loan Agreement"), LEASE)


def test_the_container_of_the_last_is_that_of_all_like_pointers_that_home_does_not_have() -> None:
    assert [r.status for r in at_home("Article 25(6) or Article 26(4) of Directive 95/46/EC.")] == [
        Status.EXTERNAL
    ] * 2
    first, second, _ = at_home("Section 9, Section 5 and Section 4 of the Office Lease.")
    assert places(first) + places(second) == [("lease.md", "9", None), ("lease.md", "5", None)]


def test_a_part_that_home_lacks_is_not_homes() -> None:
    assert at_home("Section 25(4) or Section 5 of the Other Lease.")[0].status is Status.EXTERNAL


@pytest.mark.parametrize("paper", ["Office Lease", "Other Lease"])
def test_what_home_has_too_may_be_meant_either_way(paper: str) -> None:
    result = at_home(f"Section 4 and Section 5 of the {paper}.")[0]
    assert result.status is Status.AMBIGUOUS
    assert places(result)[0] == ("loan.md", "4", None)


@pytest.mark.parametrize(
    "text",
    [
        "Section 4 and Section 5 of this Agreement.",
        "Section 4 and Article 5 of the Office Lease.",
        "Section 4, and the Buyer may under Section 5 of the Office Lease.",
    ],
)
def test_what_is_not_of_one_list_stays_at_home(text: str) -> None:
    assert places(at_home(text)[0]) == [("loan.md", "4", None)]


def test_marks_of_one_list_are_of_the_unit_behind_them() -> None:
    home = document(
        "# [article 5] A\nAs point (a) or point (b) of Article 6 says.\n(a) home\n# [article 6] B\n(a) one\n(b) two"
    )
    assert [places(r) for r in outcomes(home)] == [[("home.txt", "6", 4)], [("home.txt", "6", 5)]]
