"""The kind of value that a question asks for and no quote holds; what is no such question is left alone."""

from __future__ import annotations

import pytest

from deref.answer.value_missing import Kind, missing_values, told_missing
from deref.values import Completeness
from unit.answer.small_evidence import document, followed, whole, written

NOTHING = "The keeper opens the gate for carts that carry hay, as Section 12.4 and Table 3 say."


@pytest.mark.parametrize(
    ("asks", "kind", "holds"),
    [
        ("How much does a cart pay?", Kind.AMOUNT, "A cart pays 40 pence."),
        ("How much does a cart pay?", Kind.AMOUNT, "A cart passes free of charge."),
        ("What fee is due?", Kind.AMOUNT, "The fee is €12."),
        ("What fee is due?", Kind.AMOUNT, "The fee is 99."),
        ("What fee is due?", Kind.AMOUNT, "Fee: 99"),
        ("How much does a cart pay?", Kind.AMOUNT, "A cart pays 50 per cent of the toll."),
        ("What does the passage cost?", Kind.AMOUNT, "It is ten shillings a year."),
        ("Wie hoch ist die Maut?", None, ""),
        ("Wie hoch ist die Gebühr?", Kind.AMOUNT, "Die Gebühr beträgt 1.450 Euro."),
        ("Combien paie une charrette?", Kind.AMOUNT, "Une charrette paie dix euros."),
        ("¿Cuánto cuesta el paso?", Kind.AMOUNT, "El paso cuesta 40 €."),
        ("What percentage goes to the town?", Kind.PERCENTAGE, "Two thirds go to the town."),
        ("Wie viel Prozent erhält die Stadt?", Kind.PERCENTAGE, "Die Stadt erhält 4 %."),
        ("Quel pourcentage revient à la ville ?", Kind.PERCENTAGE, "La ville reçoit 4 pour cent."),
        ("¿Qué porcentaje recibe la villa?", Kind.PERCENTAGE, "La villa recibe el 4 por ciento."),
        ("For how long may a cart stand there?", Kind.PERIOD, "It may stand there for two market days."),
        ("How soon must the keeper answer?", Kind.PERIOD, "The keeper answers without delay."),
        ("How many business days has the keeper?", Kind.PERIOD, "Within 5 (five) business days."),
        ("Wie lange darf ein Karren stehen?", Kind.PERIOD, "Er darf drei Tage stehen."),
        ("Dans quel délai le gardien répond-il ?", Kind.PERIOD, "Il répond sous huit jours."),
        ("¿Cuánto tiempo puede quedarse?", Kind.PERIOD, "Puede quedarse tres meses."),
        ("On what date does the gate close?", Kind.DATE, "The gate closes on 14 March."),
        ("In which year was it built?", Kind.DATE, "It was built in 1874."),
        ("An welchem Tag schließt das Tor?", Kind.DATE, "Das Tor schließt am 5. Mai 2024."),
        ("À quelle date ferme la porte ?", Kind.DATE, "La porte ferme le 1er juin."),
        ("Quelle est la date de fermeture ?", Kind.DATE, "La porte ferme le 5 mai."),
        ("¿Cuál es la fecha del cierre?", Kind.DATE, "Se cierra el 5 de mayo."),
        ("How many carts may pass?", Kind.NUMBER, "Up to seven carts may pass."),
        ("Wie viele Karren dürfen fahren?", Kind.NUMBER, "Es dürfen 7 Karren fahren."),
        ("Combien de charrettes passent ?", Kind.NUMBER, "Sept charrettes passent."),
        ("¿Cuántos carros pasan?", Kind.NUMBER, "Pasan siete carros."),
    ],
)  # fmt: skip
def test_a_kind_is_missing_where_no_quote_holds_it(asks: str, kind: Kind | None, holds: str) -> None:
    wanted = () if kind is None else (kind,)
    assert missing_values(asks, [(NOTHING, False)]) == wanted
    assert missing_values(asks, [(NOTHING, False), (holds, False)]) == ()


@pytest.mark.parametrize(
    "asks",
    [
        "Who keeps the gate?",
        "When does the gate close?",
        "By when must the gate be shut?",
        "How high is the gate?",
        "How long is the bridge?",
        "Which fee schedule applies to carts?",
        "What year of study may pass?",
        "How much hay may a cart carry?",
        "Which carts may pass?",
    ],
)
def test_a_question_that_asks_for_no_such_value_for_certain_is_left_alone(asks: str) -> None:
    assert missing_values(asks, [(NOTHING, False)]) == ()


@pytest.mark.parametrize(
    "text",
    [
        "The lease of the yard ends on 24 June 2028 on 14 months’ notice.",
        "A charge of GBP 640,000 was repaid in 2023.",
        "4.1 See Part 2 of Schedule 2, page 9 and [3].",
        "One of them bears 5 per cent.",
    ],
)
def test_dates_amounts_periods_and_the_numbers_of_sections_are_no_number_of_things(text: str) -> None:
    assert missing_values("How many carts stand in the yard?", [(text, False)]) == (Kind.NUMBER,)


def test_a_row_of_a_table_holds_whatever_its_header_may_say() -> None:
    assert missing_values("What fee is due?", [("(B) carts 40", True)]) == ()
    assert missing_values("What fee is due?", [("(B) carts 40", False)]) == (Kind.AMOUNT,)
    assert missing_values("What fee is due?", [("(B) carts none", True)]) == (Kind.AMOUNT,)


def test_each_kind_that_is_asked_for_is_looked_for() -> None:
    asks = "How much does a cart pay, and for how long may it stand there?"
    assert missing_values(asks, [("It may stand there for 3 days.", False)]) == (Kind.AMOUNT,)
    both = missing_values(asks, [(NOTHING, False)])
    assert told_missing(both) == (
        "no amount and no period stand in the quoted lines, though the question asks for them"
    )
    assert told_missing(both[:1]) == "no amount stands in the quoted lines, though the question asks for one"


YARD = document(
    "# Yard\n\n## 1. Carts\n\nCarts of the yard are kept dry. Their number is told in Section 2.\n\n"
    "## 2. Numbers\n\nThe number of carts of the yard is that of the last count.\n",
    "yard.md",
)
QUESTION = "How many carts are in the yard?"


def test_an_answer_without_such_a_value_is_partial_once_its_pointers_are_settled() -> None:
    first = written(QUESTION, [whole(YARD)], YARD)
    assert (first.completeness, first.when_settled) == (
        Completeness.REFERENCES_UNRESOLVED,
        Completeness.PARTIAL,
    )
    second = written(QUESTION, [whole(YARD), followed(YARD, "Section 2")], YARD)
    assert second.completeness is Completeness.PARTIAL
    assert second.problems == ("no number stands in the quoted lines, though the question asks for one",)


def test_an_answer_with_such_a_value_is_complete_and_has_no_note() -> None:
    doc = document("# Yard\n\nThere are 12 carts in the yard.\n", "yard.md")
    answer = written(QUESTION, [whole(doc)], doc)
    assert (answer.completeness, answer.problems) == (Completeness.COMPLETE, ())
