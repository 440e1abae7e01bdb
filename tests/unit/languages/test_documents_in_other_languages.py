"""Each document in `documents/` beside the file of its pointers, labelled by hand: every one, in order, and no other.

A row is "words | status | line, line": the lines, from 0, at which the targets begin, in the order of the labels.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from deref.parse import parse
from deref.references import MemoryShelf, Resolver, find
from deref.structure import build_document
from deref.structure.numbering import read_numbers
from deref.values import Document

HERE = Path(__file__).parent / "documents"
LABELLED = sorted(path.stem for path in HERE.glob("*.pointers"))


def read(name: str) -> Document:
    data = (HERE / f"{name}.txt").read_bytes()
    return build_document(
        parse(data, doc=name, name=f"{name}.txt"), doc=name, name=f"{name}.txt", fingerprint=""
    )


def pointers(home: Document, *others: Document) -> list[str]:
    resolver = Resolver(MemoryShelf([home, *others]))
    rows: list[str] = []
    for reference in find(home):
        outcome = resolver(reference, home)
        lines = ", ".join(
            (f"{t.lines.doc} " if t.lines.doc != home.id else "")
            + str(t.focus[0].start if t.focus else t.lines.start)
            for t in outcome.targets
        )
        rows.append(f"{' '.join(reference.text.split())} | {outcome.status.value} | {lines}".rstrip())
    return rows


@pytest.mark.parametrize("name", LABELLED)
def test_every_pointer_of_a_document_is_found_and_leads_where_it_should(name: str) -> None:
    labelled = (HERE / f"{name}.pointers").read_text("utf-8").splitlines()
    others = [read(other) for other in LABELLED if other != name]
    assert pointers(read(name), *others) == labelled


@pytest.mark.parametrize(
    ("name", "spoken"),
    [
        ("kreditvertrag", "de"), ("contrat_de_pret", "fr"), ("contrato_de_prestamo", "es"), ("contratto_di_mutuo", "it"),
        ("contrato_de_mutuo", "pt"), ("kredietovereenkomst", "nl"), ("bilingual_agreement", "en, de"), ("russian_notice", "ru"),
    ],
)  # fmt: skip
def test_the_language_of_a_document_is_told(name: str, spoken: str) -> None:
    assert read(name).language == spoken


def test_headings_of_every_language_are_labelled_sections() -> None:
    assert [(s.word, s.label) for s in read("contrat_de_pret").sections if s.word][:3] == [
        ("chapter", "I"), ("article", "1"), ("article", "2"),
    ]  # fmt: skip
    assert [(s.word, s.label) for s in read("contrato_de_mutuo").sections if s.word][-3:] == [
        ("clause", "5"), ("annex", "I"), ("annex", "II"),
    ]  # fmt: skip
    assert [i.label for i in read("kredietovereenkomst").items if i.kind == "table"] == ["1"]


@pytest.mark.parametrize(
    ("name", "terms"),
    [
        ("kreditvertrag", {"Kreditgeber", "Kreditnehmerin", "Kredit"}),
        ("contrat_de_pret", {"Prêteur", "Emprunteur", "Prêt"}),
        ("contrato_de_prestamo", {"Prestamista", "Prestataria", "Préstamo"}),
        ("contratto_di_mutuo", {"Mutuante", "Mutuataria", "Mutuo"}),
        ("contrato_de_mutuo", {"Mutuante", "Mutuária", "Mútuo"}),
        ("kredietovereenkomst", {"Kredietgever", "Kredietnemer", "Krediet"}),
    ],
)
def test_terms_are_defined_in_every_language(name: str, terms: set[str]) -> None:
    assert {i.label for i in read(name).items if i.kind == "definition"} == terms


def text(words: str, name: str = "text") -> Document:
    return build_document(
        parse(words.encode(), doc=name, name=f"{name}.txt"), doc=name, name=f"{name}.txt", fingerprint=""
    )


@pytest.mark.parametrize(
    ("title", "pointer"),
    [
        (
            "Verordnung (EU) 2016/679 des Europäischen Parlaments und des Rates",
            "article 2 du règlement (UE) 2016/679",
        ),
        ("RÈGLEMENT (UE) 2016/679 DU PARLEMENT EUROPÉEN", "article 2 du règlement (UE) 2016/679"),
        ("Directiva 95/46/CE del Parlamento Europeo", "article 2 de la directive 95/46/CE"),
    ],
)
def test_an_act_is_the_same_in_every_language(title: str, pointer: str) -> None:
    act = text(
        f"{title}\n\nArtikel 1 Gegenstand\n\nDie Regel gilt für die Daten.\n\nArtikel 2 Daten\n\nDie Daten sind frei.",
        "act",
    )
    home = text(
        f"Le contrat est régi par les règles qui suivent, et il est soumis à l'{pointer} et à la loi.", "home"
    )
    (reference,) = find(home)
    outcome = Resolver(MemoryShelf([home, act]))(reference, home)
    assert reference.text == pointer
    assert [(t.lines.doc, t.label) for t in outcome.targets] == [("act", "2")], (outcome.why, act.aliases)


def test_words_of_other_languages_are_no_pointers_in_an_english_document() -> None:
    english = text(
        "The parties agree that this is the price which the buyer shall pay for the goods.\n\n"
        "Anlage 2, Teil 3, Abschnitt 4, tabla 5, artikel 6, the cláusula 7 and chapitre VIII are not in it.\n\n"
        "He read PARTIES 18 and the partie 3 of it, Absatz 2 and Seite 9."
    )
    assert english.language == "en"
    assert [r.text for r in find(english)] == []


def test_an_english_quotation_in_a_german_document_is_read_in_english() -> None:
    german = text(
        "Der Kreditgeber hat die Prüfung nach dem Vertrag und nach der Satzung für das Jahr nicht beendet.\n\n"
        "Im Vertrag heißt es: „the fee is set out in Section 4.2 of the Credit Agreement“, und das gilt nach Artikel 5."
    )
    assert german.language == "de"
    assert [r.text for r in find(german)] == ["Section 4.2 of the Credit Agreement", "Artikel 5"]


def test_english_label_words_in_a_german_sentence_are_no_pointers() -> None:
    german = text(
        "Der Kreditgeber hat die Prüfung nach dem Vertrag und nach der Satzung für das Jahr nicht beendet.\n\n"
        "Die Gruppe Section 8 und das Team Part 3 sind von der Bank nicht gemeldet."
    )
    assert [r.text for r in find(german)] == []


@pytest.mark.parametrize(
    "rows",
    [
        (
            "Tabelle",
            "Die Werte sind in Tabelle 3 Zeile (B) und das gilt für die Stufen, die der Bau mit sich bringt.",
        ),
        (
            "Tableau",
            "Les valeurs sont dans le tableau 3, ligne (B), et elles ne sont pas pour les travaux de la ville.",
        ),
        (
            "Tabla",
            "Los valores son de la tabla 3, fila (B), y no son para las obras de la ciudad que se hacen.",
        ),
        (
            "Tabella",
            "I valori sono nella tabella 3, riga (B), e non sono per le opere della città che si fanno.",
        ),
        ("Tabela", "Os valores são da tabela 3, linha (B), e não são para as obras da cidade que se fazem."),
        (
            "Tabel",
            "De waarden zijn van tabel 3, rij (B), en dat is niet voor het werk aan de stad dat er is.",
        ),
    ],
    ids=lambda rows: rows[0],
)
def test_a_row_is_picked_in_every_language(rows: tuple[str, str]) -> None:
    caption, sentence = rows
    source = f"# X\n\n{sentence}\n\n{caption} 3: Y\n\n| a | b |\n|---|---|\n| (A) | 3 |\n| (B) | 4 |\n"
    home = build_document(parse(source.encode(), doc="x", name="x.md"), doc="x", name="x.md", fingerprint="")
    (reference,) = find(home)
    outcome = Resolver(MemoryShelf([home]))(reference, home)
    assert [home.lines[t.focus[0].start].text.split()[1] for t in outcome.targets] == ["(B)"] or [
        "(B)" in home.lines[t.focus[0].start].text for t in outcome.targets
    ] == [True]


@pytest.mark.parametrize(
    ("heading", "label"),
    [
        ("Article 5 bis Dispositions", "5bis"), ("Artículo 5.º Objeto", "5"), ("Article premier Objet", "1"),
        ("PRIMERA.- Objeto", "1"), ("Cláusula Segunda Precio", "2"), ("Article 1er Objet", "1"),
    ],
)  # fmt: skip
def test_numbers_of_headings_in_other_languages(heading: str, label: str) -> None:
    assert next(read_numbers(heading)).label == label


@pytest.mark.parametrize(
    "text_of", ["partie premier de l'an", "Primera vez que vino", "Section primary school"]
)
def test_words_that_only_begin_like_such_numbers_are_none(text_of: str) -> None:
    assert next(read_numbers(text_of), None) is None
