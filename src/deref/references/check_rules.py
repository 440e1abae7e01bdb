"""The rules of the checker: one table, read by the checker, by the tests and by the documentation.

Each row shows what it is for: small files with what is marked in them, and files that look alike and are in order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from deref.references import check_numbers as numbers
from deref.references import check_pointers as pointers
from deref.references import check_terms as terms
from deref.references.check_subject import Draft, Subject
from deref.values import Severity

Files = Mapping[str, str]
"""Names of files and their text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One rule: in the files of `example` it marks the texts `finds`, in those of each of `counters` nothing.

    `says` is one sentence on what it reports. A finding may weigh less than `severity`, never more.
    """

    name: str
    severity: Severity
    says: str
    find: Callable[[Subject], Iterable[Draft]]
    example: Files
    finds: tuple[str, ...]
    counters: tuple[Files, ...]


_TERMS = (
    "# Lease\n\n## 1. Definitions\n\n“Landlord” means Ann Ray.\n\n“Tenant” means Bo Lund.\n\n“Rent” means 400 a month.\n\n"
    "“Premises” means the flat at 4 Mill Lane.\n\n“Term” means two years.\n\n“Deposit” means 800.\n\n“Keys” means two keys.\n\n"
    "“Meter” means the meter in the hall.\n\n{more}"
    "## 2. Letting\n\nThe Landlord lets the Premises to the Tenant for the Term at the Rent. The Landlord holds the Deposit.\n\n"
    "## 3. Use\n\nThe Tenant reads the Meter and keeps the Keys.\n\n{use}"
)
_PHRASES = "".join(
    f"## {n}. Part {n}\n\nThe Tenant pays {money} to the {{0}} on the first day of the month.\n\n"
    for n, money in enumerate(("the Rent", "the Deposit", "all costs", "all fees"), start=4)
)


def _lease(more: str = "", use: str = "") -> Files:
    return {"lease.md": _TERMS.format(more=more, use=use)}


RULES: tuple[Rule, ...] = (
    Rule(
        name="dangling",
        severity=Severity.ERROR,
        says="A pointer whose target should be here and is not.",
        find=pointers.dangling,
        example={
            "terms.md": "# Terms\n\n## 1. Fees\n\n### 1.1 Amount\n\nThe fee is due as Section 2.3 says.\n\n### 1.2 Date\n\n"
            "Paid on the first, subject to Section 1.1(c).\n\n## 2. Notices\n\n### 2.1 Form\n\nIn writing.\n\n(a) by post; or\n\n"
            "(b) by hand.\n\n### 2.2 Copies\n\nSee Section 2.1(d).\n"
        },
        finds=("Section 2.3", "Section 2.1(d)"),
        counters=(
            {
                "terms.md": "# Terms\n\n## 1. Fees\n\n### 1.1 Amount\n\nThe fee follows section 743 of Division E and 29 CFR 4.5.\n\n"
                "### 1.2 Date\n\nSee Section 1.1, and the standard's section 4.4.\n"
            },
            {"note.md": "# Note\n\nThis note numbers nothing. It leaves Section 4 to others.\n"},
        ),
    ),
    Rule(
        name="wrong-label",
        severity=Severity.ERROR,
        says="A pointer that names another kind or another number than what stands where it leads.",
        find=pointers.wrong_label,
        example={
            "report.md": "# Report\n\n## 1. Growth\n\nTable 3 shows the growth. The method is in [Section 9](#method).\n\n"
            "Figure 3: Growth by year\n\nTable 1: Costs by year\n\n## 2. Method {#method}\n\nWe counted, as Table 1 shows.\n"
        },
        finds=("Table 3", "Section 9"),
        counters=(
            {
                "report.md": "# Report\n\n## 1. Growth\n\nFigure 3 shows the growth, Table 1 the costs.\n\nFigure 3: Growth by year\n\n"
                "Table 1: Costs by year\n"
            },
        ),
    ),
    Rule(
        name="missing-document",
        severity=Severity.ERROR,
        says="A document named the way in which the shelf names its own, and not on it.",
        find=pointers.missing_document,
        example={
            "Risk Memo.md": "# Risk Memo\n\nSee Document: Site Report, and Document: Transition Plan.\n",
            "Site Report.md": "# Site Report\n\nSee Document: Risk Memo and Document: Cost Letter.\n",
            "Cost Letter.md": "# Cost Letter\n\nSee Document: Site Report.\n",
        },
        finds=("Transition Plan",),
        counters=(
            {
                "Risk Memo.md": "# Risk Memo\n\nSee the Site Report and the Transition Plan.\n",
                "Site Report.md": "# Site Report\n\nSee the Risk Memo.\n",
            },
            {
                "Risk Memo.md": "# Risk Memo\n\nSee Document: Site Report and Document: Transition Plan.\n",
                "Site Report.md": "# Site Report\n\nIt is dry.\n",
            },
        ),
    ),
    Rule(
        name="missing-exhibit",
        severity=Severity.WARNING,
        says="An exhibit, schedule or annex that is named, and neither in the document nor on the shelf; "
        "a note where the shelf holds none at all.",
        find=pointers.missing_exhibit,
        example={
            "deal.md": "# Supply Agreement\n\n## 1. Price\n\nThe price is in Exhibit A. The form is in Schedule 4.\n\n"
            "# Exhibit A\n\nThe price is 40 for each box, and 30 for each box after the first hundred boxes.\n"
        },
        finds=("Schedule 4",),
        counters=(
            {
                "deal.md": "# Supply Agreement\n\n## 1. Price\n\nThe price is in Exhibit A. The rate is that of Schedule 70 of the Tax Code.\n\n"
                "# Exhibit A\n\nThe price is 40 for each box, and 30 for each box after the first hundred boxes.\n"
            },
        ),
    ),
    Rule(
        name="ambiguous",
        severity=Severity.WARNING,
        says="A pointer to which two or more places answer equally well.",
        find=pointers.ambiguous,
        example={
            "deal.md": "# Deal\n\n# Schedule 1\n\n## Part 1 Goods\n\nBoxes of wood, in four sizes.\n\n## Part 2 Price\n\nForty for a box.\n\n"
            "# Schedule 2\n\n## Part 1 People\n\nAnn and Bo, who carry the boxes.\n\n## Part 2 Hours\n\nFrom nine to five.\n\n"
            "# Schedule 3\n\nThe terms of Part 2 hold for all.\n"
        },
        finds=("Part 2",),
        counters=(
            {
                "deal.md": "# Deal\n\n# Schedule 1\n\n## Part 1 Goods\n\nAs Part 2 says.\n\n## Part 2 Price\n\nForty for a box.\n\n"
                "# Schedule 2\n\n## Part 1 People\n\nAs Part 2 says.\n\n## Part 2 Hours\n\nPart 2 of Schedule 1 tells the price.\n"
            },
        ),
    ),
    Rule(
        name="self-reference",
        severity=Severity.WARNING,
        says="A pointer to the very section that it stands in.",
        find=pointers.self_reference,
        example={
            "terms.md": "# Terms\n\n## 1. Fees\n\nThe fee is 40.\n\n## 2. Delay\n\nLate fees bear interest as set out in Section 2.\n"
        },
        finds=("Section 2",),
        counters=(
            {
                "terms.md": "# Terms\n\n## 1. Fees\n\nThe fee is 40, for the purposes of this Section 1.\n\n"
                "## 2. Delay\n\nLate fees bear interest as set out in Section 1.\n\n## 3. What Section 3 leaves open\n\nAll else.\n"
            },
        ),
    ),
    Rule(
        name="duplicate-label",
        severity=Severity.WARNING,
        says="A number that two places of one kind bear in the same part.",
        find=numbers.duplicate_label,
        example={
            "terms.md": "# Terms\n\n## 1. Fees\n\nThe fee is 40.\n\n## 2. Delay\n\nInterest runs.\n\n## 2. Notices\n\nIn writing.\n\n"
            "## 3. Law\n\nThat of Kent.\n"
        },
        finds=("Section 2",),
        counters=(
            {
                "deal.md": "# Deal\n\n# Schedule 1\n\n## Part 1 Goods\n\nBoxes of wood, in four sizes.\n\n"
                "# Schedule 2\n\n## Part 1 People\n\nAnn and Bo, who carry the boxes.\n"
            },
            {
                "days.md": "# Days\n\n"
                + "".join(
                    f"## 1. Morning of {d}\n\nWork.\n\n## 2. Evening of {d}\n\nRest.\n\n"
                    for d in ("Ann", "Bo", "Cy", "Di")
                )
            },
        ),
    ),
    Rule(
        name="numbering-gap",
        severity=Severity.WARNING,
        says="A number that is missing in a row that is else without a gap.",
        find=numbers.numbering_gap,
        example={
            "terms.md": "# Terms\n\n## 1. Fees\n\nForty.\n\n## 2. Delay\n\nInterest runs.\n\n## 3. Notices\n\nIn writing.\n\n"
            "## 5. Law\n\nThat of Kent.\n"
        },
        finds=("Section 5",),
        counters=(
            {
                "terms.md": "# Terms\n\n## 1. Fees\n\nForty.\n\n## 2. Delay\n\nInterest runs.\n\n## 3. Notices\n\nIn writing.\n\n"
                "4. [Reserved]\n\n## 5. Law\n\nThat of Kent.\n"
            },
            {
                "terms.md": "# Terms\n\n## 1. Fees\n\nForty.\n\n## 2. Delay\n\nInterest runs.\n\n## 3. Notices\n\nIn writing.\n\n"
                "Section 4 costs each of them his own.\n\n## 5. Law\n\nThat of Kent.\n"
            },
            {
                "code.md": "# Code\n\n## 1. Fees\n\nForty.\n\n## 3. Delay\n\nInterest.\n\n## 7. Notices\n\nIn writing.\n\n## 9. Law\n\nKent.\n"
            },
        ),
    ),
    Rule(
        name="term-twice",
        severity=Severity.WARNING,
        says="A term that the same section defines a second time.",
        find=terms.term_twice,
        example=_lease("“Rent” means 500 a month.\n\n"),
        finds=("Rent",),
        counters=(
            _lease(),
            _lease("“Rent” has the meaning given in Section 2.\n\n"),
            _lease(use="## 4. Sale\n\nIn this Section, “Rent” means all that is owed.\n\n"),
        ),
    ),
    Rule(
        name="term-unused",
        severity=Severity.NOTE,
        says="A term that is defined, and that nothing else speaks of.",
        find=terms.term_unused,
        example=_lease("“Porter” means the person at the door.\n\n"),
        finds=("Porter",),
        counters=(
            _lease(),
            _lease("“Utility” means water and gas.\n\n", "The Tenant pays the utilities.\n\n"),
            _lease("“Utility” or “UTY” means water and gas.\n\n", "The Tenant pays the UTY.\n\n"),
        ),
    ),
    Rule(
        name="term-undefined",
        severity=Severity.NOTE,
        says="A phrase that is written like a defined term all through a document that defines its terms, and is not defined.",
        find=terms.term_undefined,
        example=_lease(use=_PHRASES.format("Rental Agent")),
        finds=("Rental Agent",),
        counters=(
            _lease(use=_PHRASES.format("County Court")),
            _lease("“Rental Agent” means Cy Holm.\n\n", _PHRASES.format("Rental Agent")),
            _lease(use=_PHRASES.format("rental agent")),
        ),
    ),
    Rule(
        name="external",
        severity=Severity.NOTE,
        says="A work outside the shelf that the document points at, once each.",
        find=pointers.external,
        example={
            "memo.md": "# Memo\n\nThe duty follows from Directive 95/46/EC. Directive 95/46/EC is old.\n"
        },
        finds=("Directive 95/46/EC",),
        counters=(
            {
                "memo.md": "# Memo\n\n## 1. Duty\n\nThe duty follows from Section 2.\n\n## 2. Ground\n\nIt is law.\n"
            },
        ),
    ),
)
"""Every rule, in the order in which the documentation shows them."""
