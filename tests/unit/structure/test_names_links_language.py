from __future__ import annotations

from deref.values import Mark, MarkKind, Point, Problem, Span
from unit.structure.making import PROSE, head, link, printed, text


def test_the_largest_type_on_the_first_page_is_the_title():
    document = printed(
        "A. Ash",
        "",
        "L|A Handbook for",
        "L|Depots",
        "",
        PROSE,
        "",
        "B|1 Scope",
        PROSE,
        name="01_handbook.pdf",
    )
    assert document.title == "A Handbook for Depots"
    assert document.aliases == ("handbook", "A Handbook for Depots")


def test_a_title_of_the_files_properties_counts_when_the_pages_show_it():
    assert printed("L|On Ramps", "", PROSE, title="Microsoft Word - draft7.doc").title == "On Ramps"
    assert printed("L|A Journal", "", "On Ramps", "", PROSE, title="On Ramps").title == "On Ramps"


def test_the_capitalised_title_of_a_contract():
    document = text("""
Exhibit 10.3

STORAGE AGREEMENT

This Storage Agreement (this "Agreement") is made pursuant to the terms hereof, notwithstanding anything herein.
""")
    assert document.title == "STORAGE AGREEMENT"
    assert "Exhibit 10.3" in document.aliases
    assert "Agreement" not in document.aliases


def test_a_clause_set_far_in_is_no_title():
    clauses = '1. Definitions\n\n    1.1 "Change" means:\n\n          A. Any word that is added to the Code.\n\n2. Grant\n\nText.'
    assert text(f"Rope Public License Version 1.0\n\n{clauses}").title == "Rope Public License Version 1.0"


def test_sentences_in_capitals_are_no_title():
    warning = "THE ROPE IS LENT UNDER THE TERMS OF THIS LICENSE. ANY USE OF IT IS CONSENT."
    assert text(f"Rope Public License Version 1.0\n\n{warning}\n\n1. Grant\n\nText.").title.startswith(
        "Rope Public"
    )


def test_a_stamp_over_the_title_is_no_part_of_it():
    document = text("""
EXECUTION VERSION
STORAGE AGREEMENT

This Storage Agreement is made pursuant to the terms hereof, notwithstanding anything herein.
""")
    assert document.title == "STORAGE AGREEMENT"


def test_a_contract_without_a_title_line_is_called_as_it_calls_itself():
    document = text("""
Source: a register of filings

This Depot Lease Agreement is made between A and B pursuant to the terms hereof, notwithstanding anything herein.
""")
    assert document.title == "Depot Lease Agreement"


def test_a_defined_short_name_is_an_alias_when_it_is_specific():
    document = text("""
AMENDED AND RESTATED CREDIT AGREEMENT

This Amended and Restated Credit Agreement (the "Credit Agreement") is made pursuant to the terms hereof and herein.
""")
    assert "Credit Agreement" in document.aliases


def test_the_title_of_an_rfc_stands_under_its_header_block():
    document = text("""
Internet Engineering Task Force (IETF)                          A. Ash
Request for Comments: 9876                                       Depots
Updates: 1234                                                 June 2021

                       The Ramp Transfer Protocol

Abstract

   This document defines a way to carry parcels over a ramp.

1.  Introduction

   A ramp is a slope, and as such it is subject to RFC 4321.
   It is wide.
""")
    assert document.title == "The Ramp Transfer Protocol"
    assert {"RFC 9876", "The Ramp Transfer Protocol"} <= set(document.aliases)
    assert not {"RFC 1234", "RFC 4321"} & set(document.aliases)


def test_designators_on_the_cover_are_aliases():
    nist = printed(
        "NIST Special Publication 800-999", "Revision 2", "", "L|Guide to Ramp Security", "", PROSE
    )
    assert {"NIST SP 800-999r2", "SP 800-999 Rev. 2"} <= set(nist.aliases)
    act = text(
        "REGULATION (EU) 2031/77 OF THE COUNCIL\n\non ramps (General Ramp Regulation)\n\nThe GRR applies, and GRR it is."
    )
    assert {"Regulation (EU) 2031/77", "General Ramp Regulation", "GRR"} <= set(act.aliases)


def test_a_standard_that_is_only_mentioned_is_no_alias():
    document = text(
        "Guide to ISO 27001 Audits\n\nThis policy follows ISO/IEC 27001:2022 and RFC 9876.\n\nISO 9001 is not used."
    )
    assert not [alias for alias in document.aliases if alias.startswith(("ISO", "RFC"))]


def test_an_acronym_after_the_title_is_an_alias():
    document = printed("L|Ramp and Depot Rules (RDR)", "", PROSE)
    assert {"RDR", "Ramp and Depot Rules"} <= set(document.aliases)


def test_a_numbered_title_is_known_without_its_number_too():
    document = text(
        "9.21. Sorting Parcels\n\nText.", head(0, 1), name="sorting.html", title="9.21. Sorting Parcels"
    )
    assert "Sorting Parcels" in document.aliases


def test_the_letter_of_an_annex_stays_a_capital_in_its_title():
    document = text("Annex A Pets\n\nDogs need a consent.", head(0, 1), name="pets.html")
    assert document.title == "Annex A Pets"


def test_a_file_without_any_title_is_called_by_its_name():
    assert text("x = 1", name="a/03_ramp_data.txt").title == "ramp data"


def test_a_link_to_a_heading_aims_at_its_section_and_others_at_their_line():
    document = text(
        "See below.\n\nRamps\n\nText.\n\nMore text.", head(1, 1), links=(link(0, 1), link(0, 3)),
    )  # fmt: skip
    at = Point(doc="d", line=0, char_start=0, char_end=3)
    assert [(found.at, found.target) for found in document.links] == [
        (at, Span(doc="d", start=1, end=4)), (at, Span(doc="d", start=3, end=4)),
    ]  # fmt: skip


def test_languages_are_guessed_from_small_words_and_scripts():
    german = (
        "Der Betreiber ist für die Lagerung der Pakete und für den Transport mit dem Wagen nicht verantwortlich. "
        * 3
    )
    russian = "Оператор отвечает за хранение посылок на складе. " * 3
    assert text(german).language == "de"
    assert text(russian).language == "ru"
    assert text("倉庫の荷物は乾いた場所に置いてください。").language == "ja"
    assert text("x = 1").language == "en"
    assert text("x = 1", language="fr-CH").language == "fr"


def test_the_words_of_a_file_say_more_of_its_language_than_the_file_does():
    german = (
        "Der Betreiber ist für die Lagerung der Pakete und für den Transport mit dem Wagen nicht da. " * 3
    )
    assert text(german, language="en-US").language == "de"


def test_a_document_in_two_languages_is_in_both():
    german = "Der Betreiber ist für die Lagerung der Pakete und nicht für den Transport mit dem Wagen da.\n\n"
    english = "The operator is liable for the parcels which are in the store and not on the road.\n\n"
    assert text((german + english) * 6).language in ("de, en", "en, de")
    assert text((german + english) * 6 + german * 6).language == "de, en"
    assert text(english * 20 + german).language == "en"


def test_a_few_repeated_words_tell_no_language():
    assert text("RESERVED non\n\nUSER non\n\n" * 40).language == "en"
    assert text("let a = e; let o = y\n\n" * 40).language == "en"


def test_what_the_parser_says_is_passed_through():
    problem = Problem(what="no text layer", page=1)
    document = text(
        "a = 1", Mark(kind=MarkKind.CODE, start=0, end=1), problems=(problem,), anchors={"x": 0}, page_labels=("i",)
    )  # fmt: skip
    assert document.problems == (problem,) and document.anchors == {"x": 0} and document.page_labels == ("i",)
    assert document.code == (Span(doc="d", start=0, end=1),)
    assert document.fingerprint == "f" and document.format == "text"


def test_an_empty_file_is_a_document_without_anything():
    document = text("", name="empty.txt")
    assert (document.lines, document.sections, document.items, document.title) == ((), (), (), "empty")


def test_german_between_much_code_is_german_and_much_code_with_some_german_is_not():
    german = "Der Betreiber ist für die Lagerung der Pakete und für den Transport mit dem Wagen nicht da.\n\n"
    code = "\\setkeys{depot} \\newdimen\\width \\advance\\width \\relax\n\n"
    assert text((german + code * 17) * 6).language == "de"
    assert text((german + code * 60) * 6).language == "en"
