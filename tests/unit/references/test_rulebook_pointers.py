"""Rulebooks that point at each other by house abbreviations."""

from __future__ import annotations

import dataclasses

from deref.parse import parse
from deref.references import MemoryShelf, find, resolve
from deref.structure import build_document
from deref.values import Document, Resolution, Status

from .small_documents import document

RULES = "# 2.3 Heat\nHot.\n# 17.2 Salt\nSome."


def result(text: str, *others: Document, home: str = "home.txt") -> Resolution:
    here = document(f"# 1 Start\n{text}\n# 1.1 End\nx", name=home, title="Notes for Bakers")
    found = [r for r in find(here) if r.labels]
    return resolve(found[-1], home=here, shelf=MemoryShelf([here, *others]))


def test_the_first_word_of_a_file_is_a_short_form_when_it_stands_in_capitals() -> None:
    rules = document(RULES, name="BAKE_VER15.150823.pdf", title="Ovens and Flour")
    assert result("It follows from BAKE Rule 2.3.", rules).targets[0].lines.doc == rules.id


def test_two_files_that_begin_alike_have_no_short_form_from_it() -> None:
    rules = [document(RULES, name=f"BAKE_{part}.pdf", title=part) for part in ("Ovens", "Flour")]
    assert result("It follows from BAKE Rule 2.3.", *rules).status is Status.EXTERNAL


def test_joining_words_in_a_title_in_capitals_are_no_initials() -> None:
    rules = document(RULES, name="a.txt", title="OVENS AND FLOUR REGULATIONS 2015")
    assert result("See section 2.3 of the OFR for more.", rules).targets[0].lines.doc == "a.txt"


def test_a_short_form_is_taken_from_another_document_that_defines_it() -> None:
    rules = document(RULES, name="a.txt", title="Conduct of Baking Rulebook")
    other = document(
        'See Chapter 17 of the Conduct of Baking Rulebook (the "COBR-X").\n\nx', name="b.txt", title="Guide"
    )
    text = 'Chapter 17 of the Conduct of Baking Rulebook ("CBAK") is strict.\n\n@definition CBAK \n'
    defining = document(
        text + 'Chapter 17 of the Conduct of Baking Rulebook ("CBAK") is strict.',
        name="c.txt",
        title="Guide two",
    )
    assert result("CBAK Rule 17.2 is strict.", rules, other).status is Status.EXTERNAL
    assert result("CBAK Rule 17.2 is strict.", rules, other, defining).targets[0].label == "17.2"


def test_a_short_form_that_two_documents_define_differently_means_none() -> None:
    rules = [
        document(RULES, name=f"{n}.txt", title=f"Conduct of {n} Rulebook") for n in ("Baking", "Milling")
    ]
    defining = [
        document(
            f'@definition CB \nRead the Conduct of {n} Rulebook ("CB") first.',
            name=f"g{n}.txt",
            title=f"Guide {n}",
        )
        for n in ("Baking", "Milling")
    ]
    assert result("CB Rule 17.2 is strict.", *rules, *defining).status is Status.EXTERNAL


def test_a_short_form_in_capitals_is_not_taken_for_a_word_in_the_names_of_others() -> None:
    rules = document(RULES, name="a.txt", title="Fund Rules (FUNDS)", aliases=("FUNDS",))
    other = document("x", name="b.txt", title="Guidance on Private Funds")
    assert result("as FUNDS Rule 2.3 demands", rules, other).targets[0].lines.doc == "a.txt"


def test_a_short_form_that_others_bear_in_capitals_too_means_none() -> None:
    rules = document(RULES, name="a.txt", title="Fund Rules (FUNDS)", aliases=("FUNDS",))
    other = document("x", name="b.txt", title="Guidance on FUNDS and Trusts")
    assert result("as FUNDS Rule 2.3 demands", rules, other).status is not Status.RESOLVED


def test_a_rule_without_a_heading_is_found_by_its_numbered_parts() -> None:
    home = document(
        "# 1 Start\nRule 4.2 binds.\n# 4 Fees\nx\n## 4.1 Low\nx\n### 4.2(1) One\nx\n### 4.2(2) Two\nx\n## 4.3 High\nx"
    )
    sections = list(home.sections)
    for n, label in ((3, "4.2(1)"), (4, "4.2(2)")):
        object.__setattr__(sections[n], "label", label)
        object.__setattr__(sections[n], "parent", "s1")
    [reference] = find(home)
    found = resolve(reference, home=home, shelf=MemoryShelf([home]))
    assert [(t.lines.start, t.lines.end) for t in found.targets] == [(6, 10)], found.why


def test_a_mark_of_direction_between_word_and_number_is_no_part_of_either() -> None:
    [reference] = find(document("# 2.3 Heat\nas Rule \u200e2.3(1) and Rules 2.3\u200b and \u200e2.4 say"))[:1]
    assert reference.labels == ("2.3(1)",)
    assert [r.labels for r in find(document("as Rules 2.3\u200b and \u200e2.4 say"))] == [("2.3", "2.4")]


LAW = document(
    "# 92 Abuse\nx\n## 92.1 More\ny\n# 93 Fines\nx\n# 215 Help\nx", name="law.txt", title="Grain Act"
)


def statuses(text: str, *others: Document) -> list[tuple[str, str | None]]:
    here = document(f"# 1 Start\n{text}\n# 2 Costs\nx", name="guide.txt", title="Guide")
    shelf = MemoryShelf([here, *others])
    return [(o.status.value, o.targets[0].lines.doc if o.targets else None)
            for r in find(here) if r.labels for o in [resolve(r, home=here, shelf=shelf)]]  # fmt: skip


def test_a_number_that_home_cites_with_its_law_once_is_of_that_law_from_then_on() -> None:
    assert statuses("Section 92 of the Grain Act is strict. Section 92 says so.", LAW)[1] == (
        "resolved",
        "law.txt",
    )


def test_a_number_that_home_could_mean_itself_stays_its_own() -> None:
    assert statuses("Section 2 of the Grain Act is strict. Section 2 says so.", LAW)[1] == (
        "resolved",
        "guide.txt",
    )


def test_a_number_that_nothing_cites_with_a_law_stays_dangling() -> None:
    assert (
        statuses("Section 92 of the Grain Act is strict. Section 2 and Section 93 say so.", LAW)[-1][0]
        == "dangling"
    )


def test_a_word_that_home_uses_for_one_law_only_counts_in_that_law() -> None:
    cited = "Section 92 of the Grain Act, section 93 of the Grain Act and section 92.1 of the Grain Act are strict."
    assert statuses(f"{cited} See section 215.", LAW)[-1] == ("resolved", "law.txt")
    assert statuses(f"{cited} See section 2 and section 215.", LAW)[-1][0] == "dangling"


def test_two_laws_with_the_number_decide_nothing() -> None:
    other = document("# 92 Abuse\nx", name="other.txt", title="Oats Act")
    text = "Section 92 of the Grain Act and section 92 of the Oats Act are strict. Section 92 says so."
    assert statuses(text, LAW, other)[-1][0] == "dangling"


def test_a_short_form_before_a_word_in_small_letters_is_its_container_where_the_shelf_knows_it() -> None:
    law = document("# 48 Fees\nx", name="FSMA (2023).txt", title="Grain Act")
    assert statuses("We act under our powers (FSMA section 48).", law) == [("resolved", law.id)]
    assert statuses("The old TCP section 2 is short.", law) == [("resolved", "guide.txt")]
    assert statuses("The old TCP section 48 is short.", law)[0][0] == "external"


def test_a_short_form_in_brackets_behind_a_name_names_the_document_too() -> None:
    rules = document("# 4 Offers\nx\n# 5 Fees\ny", name="a.txt", title="Market Rules (MKT)", aliases=("MKT",))
    assert statuses("as Chapter 4 of the Markets Rules (MKT) says", rules) == [("resolved", "a.txt")]
    assert statuses("as the Markets Rules (MKT) Rule 5 says", rules) == [("resolved", "a.txt")]


def test_a_name_is_known_by_its_first_word_and_its_telling_words_in_order() -> None:
    rules = document(
        "# 4 Offers\nx", name="a.txt", title="Guidance – Disclosure Requirements for Mining Entities"
    )
    assert statuses("see section 4 of the Guidance on Mining", rules) == [("resolved", "a.txt")]
    other = document("# 4 Offers\nx", name="b.txt", title="Guidance – Safety in Mining")
    assert statuses("see section 4 of the Guidance on Mining", rules, other)[0][0] == "external"


def test_parts_of_one_rule_may_be_a_range_with_a_hyphen() -> None:
    [reference] = find(document("under section 214(1)-(3) of the Grain Act"))
    assert (reference.labels, reference.container) == (("214(1)", "214(2)", "214(3)"), "Grain Act")


def test_the_schedule_is_the_only_one() -> None:
    made = document(
        "# 1 Start\nThe matters in Part 2 of the Schedule count.\n# [part 2] Ovens\nx\n# [schedule S] Forms\nx\n## [part 2] Doors\nx"
    )
    [reference] = find(made)
    found = resolve(reference, home=made, shelf=MemoryShelf([made]))
    assert [t.title for t in found.targets] == ["Doors"], found.why


def test_a_rule_behind_a_chapter_of_another_number_is_not_counted_in_it() -> None:
    found = find(document("In addition to Chapter 12, Rule 15.3 sets out duties."))
    assert [(r.labels, r.container) for r in found] == [(("12",), None), (("15.3",), None)]
    assert [r.container for r in find(document("In Chapter 12, Rule 12.3 duties are set out."))] == [
        "Chapter 12"
    ]


def test_a_number_with_parts_of_a_rule_of_home_needs_no_word() -> None:
    made = document(
        "# 7 Risk\nx\n## 7.1 Assessing\nx\n### 7.1.2 Customers\nFor the purposes of 7.1.2(1)(c), a fee of 9.9.9(1) is due."
    )
    assert [(r.text, r.labels) for r in find(made)] == [("7.1.2(1)(c)", ("7.1.2(1)(c)",))]


def test_app_and_a_number_is_an_appendix_where_home_heads_its_appendices_so() -> None:
    made = document("# 1 Start\nThe standards in APP 7. Or APP 9 on your phone.\n@appendix 7 \nx")
    assert [r.text for r in find(made)] == []
    lines = [
        line if line.text != "Appendix 7: " else dataclasses.replace(line, text="APP 7 Standards")
        for line in made.lines
    ]
    made = dataclasses.replace(made, lines=tuple(lines))
    assert [(r.text, r.kind.value, r.labels) for r in find(made)] == [("APP 7", "appendix", ("7",))]


def test_a_range_of_a_rulebook_and_a_rule_at_the_start_of_a_paragraph_are_found() -> None:
    assert [r.labels for r in find(document("manage them under GEN 3.3.21-3.3.24. Good."))] == [
        ("3.3.21", "3.3.22", "3.3.23", "3.3.24")
    ]
    assert [r.labels for r in find(document("GEN 5.2.3 outlines what is needed."))] == [("5.2.3",)]


def test_a_word_that_home_uses_for_its_own_dotted_numbers_may_count_whole_ones_in_a_law() -> None:
    cited = "Section 92 of the Grain Act, section 93 of the Grain Act and section 92.1 of the Grain Act are strict."
    home = document(
        f"# 1 Start\n## 1.1 Aim\n{cited} Section 1.1 and section 215 say more.\n# 2 Costs\nx",
        name="guide.txt",
        title="Guide",
    )
    last = resolve(find(home)[-1], home=home, shelf=MemoryShelf([home, LAW]))
    assert [t.lines.doc for t in last.targets] == ["law.txt"], last.why


def test_a_number_with_a_letter_and_two_dots_of_home_needs_no_word() -> None:
    text = "# A4 Risk\n\n## A4.3 Assessing\n\n### A4.3.28 Customers\n\nSubject to A4.3.28, and in note 7 of A4.3.29, a fee is due.\n"
    parsed = parse(text.encode(), doc="a.md", name="a.md")
    made = build_document(parsed, doc="a.md", name="a.md", fingerprint="x")
    assert [r.labels for r in find(made)] == [("A4.3.28",)]


def test_a_section_counted_in_a_chapter_of_its_root_is_found_wherever_it_stands() -> None:
    made = document(
        "# [chapter 5] Risk\nSection 5.11 of Chapter 5 and section 6.1 of Chapter 5.\n# [chapter 6] Fees\nx\n## 5.11 Models\nx\n## 6.1 Low\ny"
    )
    shelf = MemoryShelf([made])
    outcomes = [resolve(r, home=made, shelf=shelf) for r in find(made)]
    assert [(o.status.value, [t.label for t in o.targets]) for o in outcomes] == [
        ("resolved", ["5.11"]),
        ("dangling", []),
    ]


def test_a_letter_behind_a_paragraph_names_its_part() -> None:
    made = document("# 17 Papers\n(a) One.\n(b) Two.\n# 18 Notes\nThose in paragraph 17b are due.")
    [reference] = find(made)
    found = resolve(reference, home=made, shelf=MemoryShelf([made]))
    assert [(t.label, t.focus[0].start) for t in found.targets] == [("17", 2)], found.why
