"""Whole small files, read as files are: a pointer in a schedule in parts, and what its words say it leads to."""

from __future__ import annotations

import pytest

from deref.parse import parse
from deref.references import MemoryShelf, Resolver, find
from deref.structure import build_document
from deref.values import Document, Resolution, Status

SUPPLY = """# MASTER SUPPLY AGREEMENT

This Master Supply Agreement (this "Agreement") is made between Alder Ltd and Birch plc.

## 1. Price

1.1 The price is set out in Part 2 of Schedule 2, and is adjusted under paragraph 1 thereof.

1.2 A refund is made under sub-clause 1.1, paragraph (b) of Clause 2.1 or Schedule 1's Part 2.

## 2. Cases

2.1 The cases are:

(a) overpayment; and

(b) a refund.

# Schedule 1 – Goods

## Part 1 – Specification

1. The Goods are those in the list.

2. Levels are measured monthly, as in paragraph 1.

## Part 2 – Delivery

1. Delivery is made under paragraph 2 of Part 1.

2. The lead time is ten days.

# Schedule 2 – Charges

## Part 1 – Fixed Charges

1. The fixed charges are paid at once, see Schedule 1, Part 2, paragraph 1.

## Part 2 – Variable Charges

1. Variable charges are paid later, unlike those of paragraph 1 of Schedule 2.
"""

AMENDMENT = """# AMENDMENT NO. 1

This Amendment amends the Master Supply Agreement (the "MSA").

1. The MSA's Clause 2.1 remains in force.
"""


def read(text: str, name: str) -> Document:
    return build_document(parse(text.encode(), doc=name, name=name), doc=name, name=name, fingerprint="")


def outcomes(*documents: Document) -> dict[str, Resolution]:
    resolver = Resolver(MemoryShelf(documents))
    return {r.text: resolver(r, documents[0]) for r in find(documents[0])}


def first_line(document: Document, result: Resolution) -> str:
    (place,) = result.targets
    return document.lines[(*place.focus, place.lines)[0].start].text


@pytest.fixture(scope="module")
def supply() -> dict[str, Resolution]:
    return outcomes(read(SUPPLY, "supply.md"))


@pytest.mark.parametrize(
    ("pointer", "begins"),
    [
        ("paragraph 1 thereof", "1. Variable charges"),
        ("sub-clause 1.1", "1.1 The price"),
        ("paragraph (b) of Clause 2.1", "(b) a refund"),
        ("Schedule 1's Part 2", "## Part 2 – Delivery"),
        ("paragraph 1", "1. The Goods"),
        ("paragraph 2 of Part 1", "2. Levels"),
        ("Schedule 1, Part 2, paragraph 1", "1. Delivery"),
    ],
)
def test_a_paragraph_is_counted_in_the_part_that_the_words_name(
    supply: dict[str, Resolution], pointer: str, begins: str
) -> None:
    result = supply[pointer]
    assert result.status is Status.RESOLVED, result.why
    assert first_line(read(SUPPLY, "supply.md"), result).startswith(begins)


def test_a_paragraph_of_a_schedule_whose_parts_each_have_one_is_ambiguous(
    supply: dict[str, Resolution],
) -> None:
    result = supply["paragraph 1 of Schedule 2"]
    assert result.status is Status.AMBIGUOUS
    assert len(result.targets) == 2


def test_the_reason_calls_a_paragraph_a_paragraph(supply: dict[str, Resolution]) -> None:
    assert supply["paragraph 2 of Part 1"].why == "It is paragraph 2 of part 1."


def test_a_short_form_may_own_a_clause() -> None:
    result = outcomes(read(AMENDMENT, "amendment.md"), read(SUPPLY, "supply.md"))["MSA's Clause 2.1"]
    assert result.status is Status.RESOLVED, result.why
    assert (result.targets[0].lines.doc, result.targets[0].label) == ("supply.md", "2.1")


RULES = """# Rules of the Depot

## Article 1 Scope

1. These rules apply, subject to paragraph 3 of the following Article. Paragraph 3 applies; point (b) does.

2. A depot is a house.

## Article 2 Duties

1. Each depot keeps a log. Paragraph 2 of the preceding Article applies.

2. A log has

(a) a cover; and

(b) a back.

3. It is kept for ten years.
"""


@pytest.mark.parametrize(
    ("pointer", "begins"),
    [
        ("paragraph 3 of the following Article", "3. It is kept"),
        ("Paragraph 2 of the preceding Article", "2. A depot"),
    ],
)
def test_a_paragraph_may_be_counted_in_a_unit_that_is_told_by_direction(pointer: str, begins: str) -> None:
    rules = read(RULES, "rules.md")
    result = outcomes(rules)[pointer]
    assert result.status is Status.RESOLVED, result.why
    assert first_line(rules, result).startswith(begins)


@pytest.mark.parametrize(
    ("text", "pointer", "begins"),
    [
        (
            "# Gesetz über Hämmer\n\n## Artikel 1\n\n(1) Der Hammer ist ein Werkzeug.\n\n(2) Das ist die Regel.\n\n"
            "## Artikel 2\n\n(1) Nach Absatz 2 des vorstehenden Artikels ist das nicht so.\n\n(2) Das ist auch so.\n",
            "Absatz 2 des vorstehenden Artikels",
            "(2) Das ist die Regel",
        ),
        (
            "# Loi sur les marteaux\n\n## Article 1\n\n1. Le marteau est un outil.\n\n2. Il est dans la liste.\n\n"
            "## Article 2\n\n1. Selon le paragraphe 2 de l'article précédent, il est ainsi.\n\n2. Il est bon pour tous.\n",
            "paragraphe 2 de l'article précédent",
            "2. Il est dans la liste",
        ),
        (
            "# Ley de martillos\n\n## Artículo 1\n\n1. El martillo es una herramienta.\n\n2. Está en la lista.\n\n"
            "## Artículo 2\n\n1. Según el apartado 2 del artículo anterior, así es.\n\n2. Es para todos los que la usan.\n",
            "apartado 2 del artículo anterior",
            "2. Está en la lista",
        ),
    ],
)
def test_a_unit_told_by_direction_holds_in_other_languages(text: str, pointer: str, begins: str) -> None:
    law = read(text, "law.md")
    result = outcomes(law)[pointer]
    assert result.status is Status.RESOLVED, result.why
    assert first_line(law, result).startswith(begins)


@pytest.mark.parametrize("pointer", ["Paragraph 3", "point (b)"])
def test_what_another_article_counts_is_not_what_this_one_lacks(pointer: str) -> None:
    assert outcomes(read(RULES, "rules.md"))[pointer].status is Status.DANGLING


def test_numbers_that_go_through_all_articles_are_found_in_any() -> None:
    text = RULES.replace("1. Each", "3. Each").replace("2. A log", "4. A log").replace("3. It is", "5. It is")
    rules = read(text, "rules.md")
    result = outcomes(rules)["Paragraph 3"]
    assert result.status is Status.RESOLVED, result.why
    assert rules.lines[(*result.targets[0].focus, result.targets[0].lines)[0].start].text.startswith(
        "3. Each"
    )


PAPER = r"""# Widgets

## 1 Start

Section 2 of Doe et al. [1] and Section 2 of Roe et al. (2003) say so. Eq. (2) and Figure 1b hold.

## 2 Method

$$a = b \tag{2}$$

Figure 1: A widget.

## References

[1] J. Doe. Widgets. 2003.
"""


def test_a_section_of_a_cited_work_is_none_of_the_paper() -> None:
    found = outcomes(read(PAPER, "paper.md"))
    assert found["Section 2 of Doe et al. [1]"].status is Status.EXTERNAL
    assert found["Section 2 of Roe et al. (2003)"].status is Status.EXTERNAL


def test_an_equation_that_the_author_tags_has_its_number() -> None:
    result = outcomes(read(PAPER, "paper.md"))["Eq. (2)"]
    assert result.status is Status.RESOLVED, result.why
    assert (result.targets[0].kind, result.targets[0].title) == ("equation", "a = b")


def test_a_piece_of_a_figure_leads_to_the_figure() -> None:
    result = outcomes(read(PAPER, "paper.md"))["Figure 1b"]
    assert result.status is Status.RESOLVED, result.why
    assert (result.targets[0].kind, result.targets[0].label) == ("figure", "1")


MANUAL = """# Pump manual

## 1 Use

See Figure 1–2 and Figures 1–2; the rule is 2.1.2. As Rule 2.1.2(b) says, wait.

Figure 1-1. The valve.

Figure 1-2. The pump.

## 2 Duties

2.1 Care

2.1.1 A firm keeps its pumps clean.

2.1.2 Care is

(a) skill; and

(b) patience.
"""


def test_a_dash_in_the_label_of_a_figure_by_chapter_is_no_range() -> None:
    found = outcomes(read(MANUAL, "manual.md"))
    assert found["Figure 1–2"].reference.labels == ("1-2",)
    assert found["Figure 1–2"].status is Status.RESOLVED
    assert found["Figures 1–2"].reference.labels == ("1", "2")


def test_numbered_paragraphs_under_marked_headings_are_sections() -> None:
    manual = read(MANUAL, "manual.md")
    result = outcomes(manual)["Rule 2.1.2(b)"]
    assert result.status is Status.RESOLVED, result.why
    assert first_line(manual, result) == "(b) patience."


GESETZ = """# Gesetz über Hämmer

## Abschnitt 1 Allgemeines

### § 1 Zweck

(1) Das ist der Zweck, und er ist nach § 2 Abs. 1 zu sehen.

(2) Es ist so.

## Abschnitt 2 Pflichten

### § 2 Werkzeuge

(1) Der Hammer ist ein Werkzeug nach § 1 Absatz 2 und nach Abschnitt 1.

(2) Absatz 2 des § 1 ist nicht zu sehen, und das ist der Zweck von allen.
"""


@pytest.mark.parametrize(
    ("pointer", "heading"),
    [
        ("§ 2 Abs. 1", "### § 2 Werkzeuge"),
        ("§ 1 Absatz 2", "### § 1 Zweck"),
        ("Abschnitt 1", "## Abschnitt 1 Allgemeines"),
        ("Absatz 2 des § 1", "### § 1 Zweck"),
    ],
)
def test_a_sign_names_another_unit_than_the_word_where_a_law_has_both(pointer: str, heading: str) -> None:
    law = read(GESETZ, "gesetz.md")
    result = outcomes(law)[pointer]
    assert result.status is Status.RESOLVED, result.why
    assert law.lines[result.targets[0].lines.start].text == heading


def test_a_unit_under_a_sign_stays_in_the_unit_under_the_word() -> None:
    law = read(GESETZ.replace("### § 2 Werk", "### § 3 Werk"), "gesetz.md")
    above = {s.id: s.title for s in law.sections}
    assert [above.get(s.parent or "") for s in law.sections if s.title == "Werkzeuge"] == ["Pflichten"]


ARTICLES = """# ROPE AGREEMENT

## Article 2 - Terms

2.1. The rope is lent for one year.

## Article 3 - Acceptance

3.1. It is accepted as Article 2.1 says.

3.2. Article 3.1 holds on board, Article 2.2 does not.
"""


def test_a_number_in_an_article_is_called_by_the_word_of_the_article() -> None:
    found = outcomes(read(ARTICLES, "rope.md"))
    assert [(t.label, found[x].status.value) for x in ("Article 2.1", "Article 3.1") for t in found[x].targets] == [
        ("2.1", "resolved"), ("3.1", "resolved"),
    ]  # fmt: skip
    assert found["Article 2.2"].status is Status.DANGLING
