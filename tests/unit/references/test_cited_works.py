"""Works cited by author and year, tags right behind a word, and what only looks like either."""

from __future__ import annotations

import pytest

from deref.references import MemoryShelf, Resolver, find
from deref.values import Document, ReferenceKind, Status
from tests.unit.references.small_documents import document

ENTRIES = """

# References
@bibliography Peters2018a Ann Peters and Bo Seo. 2018a. Deep words.

@bibliography Peters2018b Ann Peters. 2018b. More words.

@bibliography Sang2003 Erik Tjong Kim Sang and Fien De Meulder. 2003. A task.

@bibliography Oord2016 A. van den Oord. 2016. Pixels.
"""


def _cited(home: Document) -> list[tuple[str, tuple[str, ...]]]:
    return [(r.text, r.labels) for r in find(home) if r.kind is ReferenceKind.BIBLIOGRAPHY]


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("as shown (Peters et al., 2018a; van den Oord, 2016).", [("Peters et al., 2018a", ("Peters2018a",)), ("van den Oord, 2016", ("Oord2016",))]),
        ("Peters and Seo (2018a) show it.", [("Peters and Seo (2018a)", ("Peters2018a",))]),
        ("Peters et al. (2018a, 2018b) show it.", [("Peters et al. (2018a", ("Peters2018a",)), ("2018b", ("Peters2018b",))]),
        ("the task of Tjong Kim Sang and De Meulder (2003)", [("Sang and De Meulder (2003)", ("Sang2003",))]),
        ("Peters’s (2018b) words", [("Peters’s (2018b)", ("Peters2018b",))]),
    ],
)  # fmt: skip
def test_each_year_is_one_citation(words: str, found: list[tuple[str, tuple[str, ...]]]) -> None:
    assert _cited(document("# 1 Text\n" + words + ENTRIES)) == found


@pytest.mark.parametrize(
    "words", ["in June 2018a", "Peters was born in 1953.", "Kim et al., 2014 is not listed", "Peters, 2018"]
)
def test_a_name_before_a_year_is_none_unless_the_list_has_it(words: str) -> None:
    assert _cited(document("# 1 Text\n" + words + ENTRIES)) == []


def test_without_a_list_no_year_is_a_citation() -> None:
    assert _cited(document("# 1 Text\nPeters et al. (2018a) show it.")) == []


def test_the_entry_is_given() -> None:
    home = document("# 1 Text\nas shown (Peters et al., 2018b)." + ENTRIES)
    outcome = Resolver(MemoryShelf([home]))(find(home)[0], home)
    assert [t.label for t in outcome.targets] == ["Peters2018b"]
    assert outcome.status is Status.EXTERNAL


NUMBERED = "\n\n# References\n@bibliography 6 The float package.\n\n@bibliography 8 The other package.\n"


def test_tags_right_behind_a_word_are_cited_where_that_is_the_habit() -> None:
    home = document("# 1 Text\nThe float package[6] and the other package[8] do it, see float[6]." + NUMBERED)
    assert [labels for _, labels in _cited(home)] == [("6",), ("8",), ("6",)]


def test_a_place_in_a_list_is_no_citation_where_tags_stand_apart() -> None:
    home = document("# 1 Text\nWe read list[6] as in [8] and by [6]." + NUMBERED)
    assert [labels for _, labels in _cited(home)] == [("8",), ("6",)]


def test_a_sentence_may_begin_with_a_tag_of_the_list() -> None:
    home = document("# 1 Text\n[8] provides the rules of it." + NUMBERED)
    assert [labels for _, labels in _cited(home)] == [("8",)]
