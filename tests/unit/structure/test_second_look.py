"""Faults that were seen end to end: each test is the smallest document that showed one."""

from __future__ import annotations

from deref.values import Mark, MarkKind
from unit.structure.making import PROSE, head, labels, printed, text


def test_numbered_paragraphs_in_a_plainer_hand_are_sections_of_their_exhibit():
    document = printed(
        "L|Haulage Agreement", "", "This Agreement is made by the parties hereto. The parties are hereby bound by this Agreement.", "", "L|1 Words", "", PROSE, "", "L|2 Lorries", "", PROSE, "", "L|3 Depots", "", PROSE, "\f",
        "L|Exhibit A", "Description of the Work", "", "1 Yard. The yard is kept open at night and on every day that is a", "day of rest.", "", "2 Gates. The gates are as follows:", "",
        "3 Plan of moves. The lorries move in May or, when the owner asks for", "it, in June.", "", "4 Keys. The keys are with the owner.",
    )  # fmt: skip
    inside = [s.label for s in document.sections if s.parent == document.sections_labelled("A")[0].id]
    assert inside == ["1", "2", "3", "4"]


def test_numbered_sentences_that_come_again_later_are_no_contents():
    rules = [f"3.{n} The keeper shall write down the {what} of each parcel before noon." for n, what in enumerate(["weight", "size", "owner", "colour", "smell"], 1)]  # fmt: skip
    document = text(
        "3 Duties\n\n" + "\n\n".join(rules) + "\n\n" + PROSE + "\n\nB Notes\n\n" + "\n\n".join(rules)
    )
    assert document.contents == ()
    assert document.sections_labelled("3.2")[0].lines.start == 2


def test_an_article_between_long_paragraphs_is_not_lost_with_them():
    def article(n: int) -> str:
        paragraphs = "\n\n".join(
            f"{k}. Where in the cases of paragraph {k} the keeper has doubts about a parcel, the keeper may open it and shall write down what was found in it, and tell the owner of the parcel at once."
            for k in range(1, 6)
        )
        return f"Article {n}\n\nOpening of parcels\n\n{paragraphs}"

    document = text("\n\n".join(article(n) for n in range(1, 5)))
    assert document.contents == ()
    assert [s.label for s in document.sections if s.word == "article"] == ["1", "2", "3", "4"]


def test_dots_that_lead_to_prices_are_no_contents():
    document = text(
        f"{PROSE}\n\nTape ........ 3.50 a roll\nString ........ 1.20 a yard\nPaper ........ 0.80 a sheet\n\n{PROSE}"
    )
    assert document.contents == ()


def test_the_end_of_a_cross_reference_above_a_heading_is_not_its_number():
    lines = f"Install\n\n{PROSE}\n\nThe variables of the tool are those of the library (see\nChapter 31).\n\nNotes\n\n{PROSE}"
    document = text(lines, head(0, 1), head(4, 1))
    assert labels(document) == [None, None]


def test_a_chapter_of_the_outline_keeps_its_number_though_an_example_shows_the_same():
    rows = [
        "L|One",
        "L|Wood",
        "",
        "L|1.1 Oak",
        "",
        PROSE,
        "",
        "L|2 Sample",
        "",
        PROSE,
        "",
        "L|Two",
        "L|Iron",
        "",
        "L|2.1 Rust",
        "",
        PROSE,
        "",
    ]
    marks = tuple(head(n, level, outline=True) for n, level in [(1, 1), (2, 2), (4, 2), (7, 1), (8, 2)])
    found = {s.title: s.label for s in printed(*rows, marks=marks).sections}
    assert (found["Wood"], found["Iron"]) == ("1", "2")


def test_rows_with_short_numbers_do_not_take_the_place_of_long_ones():
    head_ = "\n\n".join(f"25.00{n} Scope of matter {n}\n\n{PROSE}" for n in range(4))
    table = "\n\n".join(f"25.{n} Buying abroad\n\nX" for n in range(1, 6))
    tail = "\n\n".join(f"25.10{n} Costs of matter {n}\n\n{PROSE}" for n in range(6))
    document = text(f"{head_}\n\n{table}\n\n25.004 Words\n\n{PROSE}\n\n{tail}")
    assert "25.004" in labels(document)
    assert "25.2" not in labels(document)


def test_a_caption_in_bold_markdown_names_the_table_below():
    rows = "| Tag | Colour |\n|---|---|\n| (A) | white |"
    table = [
        Mark(kind=MarkKind.TABLE, start=2, end=5),
        Mark(kind=MarkKind.ROW, start=2, end=3, label="header"),
        Mark(kind=MarkKind.ROW, start=4, end=5),
    ]
    document = text(f"{PROSE}\n\n**Table 7. Colours**\n\n{rows}", *table, name="x.md")
    assert [(i.label, i.caption) for i in document.items if i.kind.value == "table"] == [("7", "Colours")]


def test_a_company_over_its_minutes_is_not_their_title():
    document = text(
        "Grey Heron Freight plc\n\nMinutes of a meeting of the board held in May\n\nPresent: A. Finch.",
        name="Board Minutes 2024-05-02.txt",
    )
    assert document.title.startswith("Minutes of a meeting")
    assert "Board Minutes" in document.aliases
    assert not any("Heron" in alias for alias in document.aliases)


def test_a_paper_with_nothing_but_a_company_over_it_is_called_by_its_file():
    assert text(f"Grey Heron Freight Limited\n\n{PROSE}", name="depot_rules.txt").title == "depot rules"


def test_an_act_that_a_regulation_repeals_is_not_one_of_its_names():
    document = text(
        "REGULATION (EU) 2031/77 OF THE COUNCIL\n\non the weighing of parcels, and repealing\nDirective 1999/12/EC (Parcels Directive)\n\nArticle 1\n\nScope\n\n"
        + PROSE,
        name="parcels.txt",
    )
    assert "Regulation (EU) 2031/77" in document.aliases
    assert not any("1999" in alias for alias in document.aliases)


def test_a_word_before_example_does_not_hide_its_caption():
    document = printed(
        PROSE,
        "",
        "Worked example 3.1: Two gates",
        "",
        PROSE,
        "",
        "See the example 3.2 below for more about this kind of gate.",
    )
    assert [(i.kind.value, i.label) for i in document.items] == [("example", "3.1")]


def test_a_title_without_its_version_is_an_alias_only_when_it_says_enough():
    assert "Gate" not in text(f"# x\n\n{PROSE}", title="Gate Version 2", name="g.md").aliases
    assert "Gate Manual" in text(f"# x\n\n{PROSE}", title="Gate Manual Version 2", name="g.md").aliases
