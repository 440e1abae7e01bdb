"""Lists of references without tags: entries called by their first author and year."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from tests.unit.structure.making import printed, text

from deref.structure.authored import authored
from deref.values import Document, ItemKind

CASES = {
    "Ann B. Peters, Mark Neumann, and Luke Zett. 2018a. Deep words. In Proceedings of 2019.": "Peters2018a",
    "Peters, A. B., Neumann, M., and Zett, L. Deep words. arXiv:1808.04444, 2018.": "Peters2018",
    "Peters, A., & Neumann, M. (2016). Deep words of 1999. Journal, 12.": "Peters2016",
    "A. van den Oord, N. Kal, and K. Kav. Pixels. In ICML, 2016.": "Oord2016",
    "Wilson L Taylor. 1953. Cloze procedure. Bulletin, 30(4):415–433.": "Taylor1953",
    "Rami Al-Rfou, Dokook Choe, et al. Characters. In Third Conference, 2019.": "Al-Rfou2019",
    "Martin Tackstr ¨om and Dag Das. 2016. A model.": "Tackstrom2016",
    "Józef Łukasz, Jr., and Ben Bee. 2011. Signs.": "Lukasz2011",
    "Erik F Tjong Kim Sang and Fien De Meulder. 2003. A task.": "Sang2003",
    "Vogel RW, Adler G (2001). “A Count of Berths.” Journal, 15, 1–9.": "Vogel2001",
    "van der Berg M-J, Roth A (2004). Quays. Harbour Press.": "Berg2004",
    "R. Vogel. Quay Rules. Harbour U. Press, 2005.": "Vogel2005",
    "X. He. Literate Mooring. Centre of Ropes, 1992.": "He1992",
    "L.J. Wei and P. Ng. Smooth ropes. Ropes, 81:6–9, 1994.": "Wei1994",
    "Ropes Core Team (2019). Ropes: A Handbook.": "Team2019",
}


@pytest.mark.parametrize(("entry", "label"), CASES.items(), ids=CASES.values())
def test_an_entry_is_called_by_its_first_author_and_its_year(entry: str, label: str) -> None:
    assert authored(entry) == label


@pytest.mark.parametrize(
    "words",
    [
        "The following works were read in 2018, and more.",
        "see the works of 2018. They are many.",
        "Available at https://example.org/2018/a.",
        "Peters, Ann. Deep words. No year is told.",
        "In Proceedings of the 2018 Conference, pages 1–9.",
    ],
)
def test_what_begins_with_no_name_or_holds_no_year_is_no_entry(words: str) -> None:
    assert authored(words) == ""


def _entries(document: Document) -> list[str | None]:
    return [i.label for i in document.items if i.kind is ItemKind.BIBLIOGRAPHY]


LIST = (
    "\f",
    "L|References",
    "Ann Peters and Bo Seo. 2018a. Deep words",
    ">11|and their use.",
    "Ann Peters and Cy Lee. 2018b. More words",
    ">11|and their use.",
    "",
    "Dan Kim. 2014. Trees, in print.",
)


def test_entries_in_print_run_to_the_next_entry() -> None:
    document = printed("L|Introduction", "Some words of text that make a paragraph here.", "", *_blocks(LIST))
    assert _entries(document) == ["Peters2018a", "Peters2018b", "Kim2014"]
    first = next(i for i in document.items if i.label == "Peters2018a")
    assert document.text(first.lines).endswith("their use.")


def _blocks(rows: Sequence[str]) -> list[str]:
    out: list[str] = []
    for row in rows:
        if row.startswith(("Ann", "Dan")):
            out.append("")
        out.append(row)
    return out


def test_prose_under_such_a_heading_is_no_list() -> None:
    document = text(
        "REFERENCES\n\nThe parties rely on the report of 2018.\n\nKim wrote of it in 2014.\n\nNothing else was read by them."
    )
    assert _entries(document) == []


AUTHORS = (
    "Adler G (2001). The first of the works on berths.",
    "Bauer T, Roth A (2003). The second of the works.",
)
BEHIND = ("Vogel RW (1999). The last of the works on quays.",)


def test_addresses_and_a_figure_end_no_list_and_belong_to_no_entry() -> None:
    figure = ("", "0.0", "", "2.0", "", "4.0", "", "6.0")
    addresses = (
        "",
        "Affiliation:",
        "",
        "Gerda Adler",
        "",
        "Institute of Quays",
        "",
        "Kai 7",
        "",
        "28195 Bremen",
    )
    rows = [row for entry in AUTHORS for row in ("", entry)]
    document = printed(
        "L|Text", "Some words of text.", "", "L|References", *rows, *figure, "", *BEHIND, *addresses
    )
    found = [i for i in document.items if i.kind is ItemKind.BIBLIOGRAPHY]
    assert [i.label for i in found] == ["Adler2001", "Bauer2003", "Vogel1999"]
    assert [document.text(i.lines) for i in found] == [*AUTHORS, *BEHIND]


def test_a_plain_line_heads_a_list_of_names_and_years() -> None:
    rows = [row for entry in (*AUTHORS, *BEHIND) for row in ("", entry)]
    document = printed("L|1 Thanks", "We thank the warden of the quay.", "", "References", *rows)
    assert _entries(document) == ["Adler2001", "Bauer2003", "Vogel1999"]


def test_a_plain_line_before_prose_heads_no_list() -> None:
    document = printed(
        "L|1 Thanks",
        "We thank the warden.",
        "",
        "References",
        "",
        "Vogel kept the ledger of the quay.",
        "",
        AUTHORS[0],
    )
    assert _entries(document) == []
