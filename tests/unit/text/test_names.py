"""Names: what a file, a title and a short name have in common."""

from __future__ import annotations

import pytest

from deref.text.names import file_stem, initials, normalize_name


@pytest.mark.parametrize(
    ("path", "stem"),
    [
        ("deals/02_credit_agreement.pdf", "credit_agreement"),
        ("deals\\03 - Side Letter.DOCX", "Side Letter"),
        ("(4) lease.md", "lease"),
        ("1.Introduction.html", "Introduction"),
        ("c2 annex.txt", "annex"),
        ("lease.md", "lease"),
        ("2024_report.pdf", "2024_report"),
        ("10-K_2023.pdf", "10-K_2023"),
        ("3D_model.pdf", "3D_model"),
        ("rfc9000.txt", "rfc9000"),
        ("v1.2.notes", "v1.2.notes"),
        ("archive.tar", "archive.tar"),
        ("07_договор.pdf", "договор"),
        ("7.pdf", "7"),
        ("", ""),
    ],
)
def test_a_file_is_called_by_its_name_without_folder_extension_and_ordinal(path: str, stem: str) -> None:
    assert file_stem(path) == stem


def test_the_names_of_one_document_meet() -> None:
    names = [
        "credit_agreement",
        "CREDIT AGREEMENT",
        "the Credit Agreement",
        "“Credit  Agreement”",
        "credit-agreement",
    ]
    assert {normalize_name(name) for name in names} == {"credit agreement"}


def test_an_article_is_dropped_only_as_a_word_at_the_beginning() -> None:
    assert normalize_name("Theory of the Lease") == "theory of the lease"
    assert normalize_name("the") == "the"


def test_names_in_other_scripts_and_widths_survive() -> None:
    assert normalize_name("Ｌｅａｓｅ　契約書") == "lease 契約書"
    assert normalize_name("ДОГОВОР_Аренды") == "договор аренды"
    assert normalize_name("STRASSE") == normalize_name("Straße")


def test_a_name_of_separators_alone_is_empty() -> None:
    assert normalize_name(" -_/.() ") == ""


def test_initials_need_two_capital_words() -> None:
    assert initials("Prudential Rulebook of Ships") == "PRS"
    assert initials("Rulebook") == ""
    assert initials("the rulebook") == ""
