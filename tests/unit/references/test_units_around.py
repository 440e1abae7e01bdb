""" "This Section", "dieses Kapitels", "cette section": the unit of that very kind around the pointer, or none that could be told."""

from __future__ import annotations

import pytest

from deref.parse import parse
from deref.references import MemoryShelf, Resolver, find
from deref.structure import build_document
from deref.values import Document, Resolution, Status

from .small_documents import document

LAW = """# Gesetz über Hämmer

## Abschnitt 1 Allgemeines

### § 1 Zweck

(1) Das ist der Zweck dieses Abschnitts, und er ist nach den Regeln dieses Paragraphen zu sehen.

(2) Die Werkzeuge dieses Kapitels sind in dieser Ziffer nicht zu sehen, und das ist im Sinne von diesem Artikel.
"""
FLAT_LAW = LAW.replace("## Abschnitt 1 Allgemeines\n\n#", "")
CONTRAT = """# Contrat de prêt

Le présent contrat est conclu entre les parties et règle le prêt de la somme que le prêteur met à la disposition de l'emprunteur.

## Chapitre I Dispositions

### Article 1 Objet

Le prêt est régi par la présente section et par le présent chapitre, et les parties appliquent le présent article.
"""
CONTRATO = """# Contrato de préstamo

El presente contrato se celebra entre las partes y regula el préstamo de la suma que el prestamista pone a disposición del prestatario.

## Capítulo I Disposiciones

### Artículo 1 Objeto

El préstamo se rige por esta sección y por el presente capítulo, y las partes aplican el presente artículo.
"""
RULES = """# Rules of the workshop

## Part 3 Tools

### 7 Hammers

#### 7.2 Weight

This Chapter weighs hammers, this Section too, and this Article does not.

## Part 4 Benches

### Section 8 Height

This Chapter is of no use here; nor is this Clause. See paragraph (a) of this Chapter.
"""


def read(text: str, name: str) -> Document:
    return build_document(parse(text.encode(), doc=name, name=name), doc=name, name=name, fingerprint="")


def outcomes(home: Document) -> dict[str, Resolution]:
    resolver = Resolver(MemoryShelf([home]))
    return {" ".join(r.text.split()): resolver(r, home) for r in find(home)}


def first_line(document: Document, result: Resolution) -> str:
    assert result.status is Status.RESOLVED, result.why
    return document.lines[result.targets[0].lines.start].text


@pytest.mark.parametrize(
    ("text", "name", "pointer", "heading"),
    [
        (LAW, "gesetz.md", "dieses Abschnitts", "## Abschnitt 1 Allgemeines"),
        (LAW, "gesetz.md", "dieses Paragraphen", "### § 1 Zweck"),
        (LAW, "gesetz.md", "dieses Kapitels", None),
        (LAW, "gesetz.md", "dieser Ziffer", None),
        (LAW, "gesetz.md", "diesem Artikel", None),
        (FLAT_LAW, "gesetz.md", "dieses Abschnitts", None),
        (FLAT_LAW, "gesetz.md", "dieses Kapitels", None),
        (FLAT_LAW, "gesetz.md", "dieses Paragraphen", "## § 1 Zweck"),
        (CONTRAT, "contrat.md", "la présente section", None),
        (CONTRAT, "contrat.md", "le présent chapitre", "## Chapitre I Dispositions"),
        (CONTRAT, "contrat.md", "le présent article", "### Article 1 Objet"),
        (CONTRATO, "contrato.md", "esta sección", None),
        (CONTRATO, "contrato.md", "el presente capítulo", "## Capítulo I Disposiciones"),
        (CONTRATO, "contrato.md", "el presente artículo", "### Artículo 1 Objeto"),
        (RULES, "rules.md", "this Section", "#### 7.2 Weight"),
        (RULES, "rules.md", "this Article", "### 7 Hammers"),
        (RULES, "rules.md", "this Clause", None),
        (RULES, "rules.md", "paragraph (a) of this Chapter", None),
    ],
)
def test_a_unit_is_of_the_kind_that_is_said_or_not_told(
    text: str, name: str, pointer: str, heading: str | None
) -> None:
    document = read(text, name)
    result = outcomes(document)[pointer]
    if heading is None:
        assert result.status is Status.UNRESOLVED, result.why
    else:
        assert first_line(document, result) == heading


def test_a_chapter_without_its_word_stands_right_below_a_part() -> None:
    document = read(RULES.replace("This Chapter is", "That bench is"), "rules.md")
    assert first_line(document, outcomes(document)["This Chapter"]) == "### 7 Hammers"


@pytest.mark.parametrize(
    "text, becomes",
    [
        ("see the section below", "unresolved"),
        ("see the section above", "Start"),
        ("see the next section", "Oil"),
    ],
)
def test_above_and_below_name_a_section_only_where_there_is_one_that_way(text: str, becomes: str) -> None:
    home = document(f"# 1 Start\nText.\n# 2 Water\n{text}.\n# 3 Oil\nText.\n# 4 Air\nText.")
    (reference,) = find(home)
    outcome = Resolver(MemoryShelf([home]))(reference, home)
    assert (outcome.targets[0].title if outcome.targets else outcome.status.value) == becomes


def test_a_section_is_the_chapter_of_that_number_whose_sections_bear_it() -> None:
    home = document("# [chapter 3] Oil\nsee Section 3.\n## 3.1 Filters\nText.\n## 3.2 Pumps\nText.")
    (reference,) = find(home)
    assert Resolver(MemoryShelf([home]))(reference, home).targets[0].title == "Oil"


@pytest.mark.parametrize(
    "text, becomes",
    [
        ("(see Open Examples below)", "Open Examples"),
        ("(see Examples below)", "Examples"),
        ("see Tables above", "Tables"),
        ("see Tables below", "unresolved"),
        ("see the examples below", "unresolved"),
    ],
)
def test_a_title_before_above_or_below_names_its_section(text: str, becomes: str) -> None:
    home = document(
        f"# Tables\nText.\n# Yard\nAll is there {text}.\n# Examples\nText.\n# Open Examples\nText."
    )
    outcomes = [Resolver(MemoryShelf([home]))(r, home) for r in find(home)]
    assert [o.targets[0].title if o.targets else o.status.value for o in outcomes] == [becomes]


def test_a_table_numbered_by_chapter_is_found_in_the_page_that_holds_the_tables_of_that_chapter() -> None:
    home = document("# Memory\nas Table B.6 shows.\n# Uses\nText.", name="part-memory.html")
    other = document(
        "# Changes\n## 3.4 First\nText.\n## 4.1 Second\nText.\n@table B.6 Parts", name="part-api.html"
    )
    (reference,) = find(home)
    outcome = Resolver(MemoryShelf([home, other]))(reference, home)
    assert [t.lines.doc for t in outcome.targets] == [other.id]


@pytest.mark.parametrize(
    "text, becomes",
    [
        ("There are exceptions to this rule.", "unresolved"),
        ("Each fault is told in this part.", "unresolved"),
        ("There are exceptions to this rule, as rule 1 says.", "resolved"),
        ("Add the following section to the file.", "unresolved"),
        ("It is told in the following section.", "resolved"),
        ("We keep to the following rules:", "unresolved"),
    ],
)
def test_a_common_noun_is_a_unit_where_the_document_counts_in_it(text: str, becomes: str) -> None:
    home = document(f"# 1 Start\nText.\n# 2 Tools\n{text}\n# 3 End\nText.")
    found = [r for r in find(home) if not r.labels]
    assert [Resolver(MemoryShelf([home]))(r, home).status.value for r in found] == [becomes]
