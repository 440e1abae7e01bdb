"""Containers that stand beside a pointer, in another file, or behind a short name; and names that name nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from deref.parse import parse
from deref.references import MemoryShelf, Resolver, find, find_in, find_names
from deref.references.documents import spoken_names
from deref.structure import build_document
from deref.values import Document, Line, Reference, Resolution, Span, Status, Tier

from .small_documents import document, link

CARRIAGE = document(
    """
# 1 Words
"Fee Plan" means the plan in Section 2.
"Rate Note" means the Haulage Rate Agreement of last May.
# 2 Prices
The price is that of row (B) of Table B-7. The Fee Plan is kept by both sides.
# 3 Lorries
# [exhibit B] Tariff
It is kept apart.
""",
    name="carriage.pdf",
    title="Carriage Agreement",
)
TARIFF = document(
    """
@exhibit B Tariff
Tariff to the Carriage Agreement
@table B-7 Prices
= (A) 10
= (B) 20
""",
    name="tariff.pdf",
    title="Exhibit B Tariff",
    aliases=("Exhibit B",),
)
TARIFF = replace(
    TARIFF,
    items=(
        replace(TARIFF.items[0], lines=Span(doc=TARIFF.id, start=0, end=len(TARIFF.lines))),
        *TARIFF.items[1:],
    ),
)
SURVEY = document(
    "# 1 Yard\n# 2 Gates\n## 2.5 Rust\nThe hinges are worn.\n", name="survey.pdf", title="Roof Survey Report"
)
SECRECY = document("# 1 Secrets\n# 6 Return\n", name="mutual_nda.md", title="Mutual Non-Disclosure Agreement")


def outcomes(home: Document, *others: Document) -> dict[str, Resolution]:
    resolver = Resolver(MemoryShelf([home, *others]))
    return {r.text: resolver(r, home) for r in find(home)}


def only(text: str, *others: Document) -> Resolution:
    """The resolution of the first reference of a note with this text."""
    home = document(text, name="memo.txt", title="Yard memo")
    resolver = Resolver(MemoryShelf([home, *others]))
    return resolver(find(home)[0], home)


def reached(outcome: Resolution) -> tuple[str, str, str | None]:
    (place,) = outcome.targets
    return place.lines.doc, place.kind, place.label


def test_a_table_of_an_exhibit_that_is_another_file_is_found_from_the_parent():
    outcome = outcomes(CARRIAGE, TARIFF)["row (B) of Table B-7"]
    assert reached(outcome) == ("tariff.pdf", "table", "B-7")
    assert outcome.targets[0].focus == (Span(doc="tariff.pdf", start=4, end=5),)


def test_a_table_of_a_file_that_is_no_exhibit_of_this_document_is_not_guessed():
    stranger = replace(TARIFF, title="Prices", aliases=(), lines=TARIFF.lines[:1] * 2 + TARIFF.lines[2:])
    assert outcomes(CARRIAGE, stranger)["row (B) of Table B-7"].status is Status.DANGLING


@pytest.mark.parametrize("words", ["row (B) of Table B-7 of Exhibit B to the Carriage Agreement", "Table B-7 in Exhibit B to the Carriage Agreement"])  # fmt: skip
def test_the_stub_of_an_exhibit_in_its_parent_gives_way_to_the_file(words: str):
    assert reached(only(f"See {words}.", CARRIAGE, TARIFF)) == ("tariff.pdf", "table", "B-7")


def test_that_exhibit_is_the_one_in_the_container_before():
    home = document(
        "See Table B-7 of Exhibit B to the Carriage Agreement. Table B-7 of that exhibit is long.\n"
    )
    last = find(home)[-1]
    assert reached(Resolver(MemoryShelf([home, CARRIAGE, TARIFF]))(last, home)) == (
        "tariff.pdf",
        "table",
        "B-7",
    )


def test_a_document_named_in_small_letters_after_a_label_holds_it():
    home = document(
        "# 2 Ours\n## 2.5 Also ours\nThe finding in Section 2.5 of the roof survey report is old.\n"
    )
    outcome = outcomes(home, SURVEY)["Section 2.5"]
    assert reached(outcome) == ("survey.pdf", "section", "2.5")
    assert outcome.tier is Tier.CONTAINER


def test_a_name_that_a_table_cell_breaks_off_still_holds_a_label_that_home_lacks():
    assert reached(only("Rust Section 2.5 of the Roof Survey medium\n", SURVEY))[0] == "survey.pdf"


@pytest.mark.parametrize("text", ["See Section 1 of the Roof Survey Report and Section 2.5.", "See Section 2.5, Section 1 of the Roof Survey Report."])  # fmt: skip
def test_a_label_in_a_list_is_counted_where_its_neighbour_is_when_home_has_none(text: str):
    home = document(text + "\n")
    assert reached(outcomes(home, SURVEY)["Section 2.5"]) == ("survey.pdf", "section", "2.5")


def test_a_label_of_ones_own_stays_at_home_beside_a_foreign_one():
    home = document("# 9 Notes\nSee Section 1 of the Roof Survey Report and Section 9.\n")
    assert reached(outcomes(home, SURVEY)["Section 9"])[0] == "home.txt"


def test_capitals_that_end_one_name_of_the_shelf_are_its_short_form():
    assert reached(only("See paragraph 6 of the NDA.", SECRECY)) == ("mutual_nda.md", "section", "6")
    other = replace(SECRECY, id="other", name="staff_nda.md", title="Staff secrecy")
    assert only("See paragraph 6 of the NDA.", SECRECY, other).status is Status.EXTERNAL


def test_a_short_name_means_what_its_definition_says_only_when_that_is_a_documents_own_name():
    rates = document("# 4 Rates\n", name="rates.txt", title="Haulage Rate Agreement")
    home = document(
        'See Section 4 of the Rate Note.\n\n@definition Rate_Note x\n"Rate Note" means the Haulage Rate Agreement made in May.\n'
    )
    assert reached(outcomes(home, rates)["Section 4 of the Rate Note"])[0] == "rates.txt"
    longer = replace(rates, title="Haulage Rate Agreement and Depot Lease")
    assert outcomes(home, longer)["Section 4 of the Rate Note"].status is not Status.RESOLVED


def test_a_capitalised_term_that_the_document_defines_is_no_foreign_paper():
    home = document(
        'The Fee Plan binds both.\n\n@definition Fee_Plan "Fee Plan" means the plan of prices.\n"Fee Plan" means the plan of prices.\n'
    )
    outcome = outcomes(home)["Fee Plan"]
    assert (outcome.status, outcome.tier) == (Status.RESOLVED, Tier.DEFINITION)
    assert outcome.targets[0].kind == "definition"


def test_documents_named_in_a_lettered_paragraph_are_found():
    home = document("# 5 Resolved\n## (a) x\n", name="minutes.txt")
    lines = (home.lines[0], replace(home.lines[1], text="(a) the Carriage Agreement be approved;"))
    section = replace(home.sections[1], label="5(a)")
    home = replace(home, lines=lines, sections=(home.sections[0], section))
    assert [r.text for r in find(home)] == ["Carriage Agreement"]


def test_a_link_to_the_top_of_a_page_gives_way_to_the_label_on_that_page():
    home = document("See Section 6.\n# 5 Bells\n# 6 Locks\nThey are oiled.\n", pages={1: 2, 2: 2, 3: 2})
    home = replace(home, format="pdf", links=(link(home, "Section 6", Span(doc=home.id, start=1, end=2)),))
    assert outcomes(home)["Section 6"].targets[0].label == "6"


# Names that name nothing


def test_a_word_of_other_titles_and_a_matter_are_no_names():
    shelf = [
        document("x", name="a.txt", title="Signals", aliases=("GATE",)),
        document("x", name="b.txt", title="Securing the GATE Signals"),
        document("x", name="c.txt", title="Open Tendering"),
        document("x", name="invoice.txt", title="Yard Fee Policy", aliases=("Exhibit C", "EU", "RAMP")),
    ]
    names = spoken_names(MemoryShelf(shelf).cards())
    assert set(names) == {"Securing the GATE Signals", "Yard Fee Policy", "RAMP"}


def test_a_name_in_small_letters_needs_an_article():
    lines = [
        Line(
            doc="x",
            n=0,
            page=1,
            row=1,
            text="We need a fee policy; the fee policy is old; Fee policy.",
            starts_block=True,
        )
    ]
    assert [r.at.char_start for r in find_names(lines, ["Fee Policy"])] == [26, 45]


def test_a_generic_word_is_no_container():
    tls = document("# 2 Keys\n", name="gate.txt", title="Gate", aliases=("GATE",))
    use = document("# 2 Uses\n", name="use.txt", title="Using GATE at night")
    assert only("See Section 2 of GATE.", tls, use).status is Status.EXTERNAL


def test_names_in_a_contents_list_are_no_mentions():
    home = document("Yard Fee Policy 4\n\nThe Yard Fee Policy is old.\n")
    home = replace(home, contents=(Span(doc=home.id, start=0, end=1),))
    assert [r.at.line for r in find_names(home, ["Yard Fee Policy"])] == [1]


# What is read at a place


def found(text: str) -> list[Reference]:
    return list(find_in([Line(doc="x", n=0, page=1, row=1, text=text, starts_block=True)]))


@pytest.mark.parametrize(
    ("text", "reference", "selector"),
    [
        ("It drops (see Table 3 row (E)).", "Table 3 row (E)", "row (E)"),
        ("Look at Table 3 rows (A) and (B).", "Table 3 rows (A) and (B)", "rows (A) and (B)"),
        ("step (V2) of Table 4 applies", "step (V2) of Table 4", "step (V2)"),
        ("members (b) of Section 4 vote", "Section 4", None),
    ],
)
def test_a_selector_ends_with_its_own_bracket(text: str, reference: str, selector: str | None):
    (only_one,) = found(text)
    assert (only_one.text, only_one.selector) == (reference, selector)


def test_a_term_that_has_its_meaning_elsewhere_is_a_definition_there():
    (only_one,) = found("“Rest Day” has the meaning given to it in the Carriage Agreement.")
    assert (only_one.kind.value, only_one.labels, only_one.container) == (
        "definition",
        ("Rest Day",),
        "Carriage Agreement",
    )


def test_a_word_that_runs_into_a_number_is_no_part_of_it():
    assert [r.labels for r in found("as in Section 3.3.1or Appendix C, and Section 5A")] == [
        ("3.3.1",),
        ("C",),
        ("5A",),
    ]


def test_a_list_item_after_a_label_word_is_no_label():
    lines = [
        Line(doc="x", n=0, page=1, row=1, text="1. The lease and its Schedules", starts_block=True),
        Line(doc="x", n=1, page=1, row=2, text="2. All keys of the yard", starts_block=True),
    ]
    assert find_in(lines) == ()


# Bare numbers

BRACKETED = (
    "# 1 Old\n# 2 New\n## 2.1 Wood\n## 2.2 Iron\nFixed [2.1], painted [2.2], cleaned [1], oiled [2.1]."
)


def test_numbers_in_brackets_are_sections_where_all_of_them_are():
    assert [(r.kind.value, r.labels) for r in find(document(BRACKETED))] == [
        ("section", (x,)) for x in ("2.1", "2.2", "1", "2.1")
    ]


def test_numbers_in_brackets_are_citations_where_there_is_a_list_of_references():
    home = document(BRACKETED + "\n\n@bibliography 1 A. Smith, Hinges.\n")
    assert {r.kind.value for r in find(home)} <= {"bibliography"}


def test_a_number_behind_cf_in_brackets_is_a_section_when_there_is_one():
    home = document("# 6 Forms\n## 6.2 Bound forms\nThey fit (cf. 6.2), or weigh more (see 7.3).")
    assert [(r.text, r.labels) for r in find(home)] == [("6.2", ("6.2",))]


def test_the_column_headed_section_holds_sections():
    rows = "\n\n".join(
        f"{word} sets the {word} {number}"
        for word, number in [("gap", "2.1"), ("font", "2.2"), ("ink", "1"), ("size", "2")]
    )
    home = document(
        f"# 1 Old\n# 2 New\n## 2.1 Wood\n## 2.2 Iron\n\nOption Meaning Section\n\n{rows}\n\nlast 9.9"
    )
    assert [r.labels[0] for r in find(home)] == ["2.1", "2.2", "1", "2"]


def page(name: str, *heads: str) -> Document:
    body = "".join(f"<h2>{head}</h2><p>Text of {head}.</p>" for head in heads)
    data = f"<html><body>{body}</body></html>".encode()
    return build_document(parse(data, doc=name, name=name), doc=name, name=name, fingerprint="t")


def test_a_number_that_two_files_of_a_work_have_is_ambiguous_and_not_missing() -> None:
    home = page("roots.html", "3.1 Roots", "3.2 Shoots, of which Section 6.1 tells and not Section 6.2")
    shelf = MemoryShelf(
        [home, page("leaves.html", "6.1 Leaves", "6.2 Buds"), page("thanks.html", "6.1 Thanks", "6.3 Errors")]
    )
    found = {r.text: Resolver(shelf)(r, home) for r in find(home)}
    outcome = next(o for text, o in found.items() if text.startswith("Section 6.1"))
    assert outcome.status is Status.AMBIGUOUS
    assert {t.lines.doc for t in outcome.targets} == {"leaves.html", "thanks.html"}
    assert next(o for text, o in found.items() if text.startswith("Section 6.2")).status is Status.RESOLVED


def test_a_paragraph_that_the_page_lacks_is_no_chapter_beside_it() -> None:
    home = page("roots.html", "3.1 Roots", "3.2 Shoots, of which paragraph 9 was dropped and Section 9 tells")
    shelf = MemoryShelf(
        [home, page("leaves.html", "9 Leaves", "9.1 Buds"), page("rain.html", "10 Rain", "10.1 Mist")]
    )
    found = {r.text: Resolver(shelf)(r, home).status for r in find(home)}
    assert found == {"paragraph 9": Status.DANGLING, "Section 9": Status.RESOLVED}


@pytest.mark.parametrize(
    ("text", "status"), [("see section 4.2 above", "resolved"), ("see section 4.2 a. above", "dangling")]
)
def test_an_item_above_is_in_no_other_file_of_the_work(text: str, status: str) -> None:
    pages = [
        replace(document(f"# 5.1 Sails\n{text}\n# 5.2 Masts\nTall.", name="c5.html"), format="html"),
        replace(document("# 4.1 Ropes\nLong.\n# 4.2 Knots\nTight.", name="c4.html"), format="html"),
    ]
    (reference,) = find(pages[0])
    assert Resolver(MemoryShelf(pages))(reference, pages[0]).status.value == status
