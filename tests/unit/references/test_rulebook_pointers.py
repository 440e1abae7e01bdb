"""Rulebooks that point at each other by house abbreviations."""

from __future__ import annotations

from deref.references import MemoryShelf, find, resolve
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
