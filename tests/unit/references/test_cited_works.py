"""Works cited by author and year, tags right behind a word, and what only looks like either."""

from __future__ import annotations

import pytest
from tests.unit.references.small_documents import document

from deref.references import MemoryShelf, Resolver, find
from deref.values import Document, ReferenceKind, Status

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


SECTIONS = (
    "# 3 One\nText.\n## 3.1 Two\nText.\n## 3.2 Three\nText.\n# 4 Four\nAs [3.1] and [3.2] and [3.1] say. "
)


def test_each_number_of_a_list_in_brackets_is_a_section_where_such_numbers_are() -> None:
    home = document(SECTIONS + "New: it grows [3.1, 4, table 2], [3, 4] and [4, 9].")
    found = [(r.kind.value, r.labels) for r in find(home)][3:]
    assert found == [("section", ("3.1",)), ("section", ("4",)), ("table", ("2",)), ("section", ("3",)), ("section", ("4",)), ("section", ("4",))]  # fmt: skip


FORMULA = "# 1 One\nText.\n\n@equation 2.3 x = y (2.3)\n\n"


@pytest.mark.parametrize(
    ("words", "labels"),
    [
        ("The relation (2.3) is kept.", [("2.3",)]),
        ("It grew by a factor (2.4) here.", []),
        ("Of 5 (2.3) it is not said.", []),
    ],
)
def test_a_dotted_number_in_brackets_is_an_equation_where_there_is_one(
    words: str, labels: list[tuple[str, ...]]
) -> None:
    home = document(FORMULA + words)
    assert [r.labels for r in find(home) if r.kind is ReferenceKind.EQUATION] == labels


def test_a_heading_deeper_down_with_the_word_does_not_hide_the_chapters_that_have_none() -> None:
    home = document("# 3 Text\nSee Chapter 4.\n# 4 Titles\nText.\n# Notes\nText.\n## [chapter 3] Text\nNote.")
    outcome = Resolver(MemoryShelf([home]))(find(home)[0], home)
    assert [t.title for t in outcome.targets] == ["Titles"]


LETTERED = "\n\n# References\n@bibliography Lam94 L. Lam. A book.\n\n@bibliography XCC The XCC rules.\n"


@pytest.mark.parametrize(
    ("words", "kind", "labels", "container"),
    [
        ("see [Lam94, Appendix E].", "appendix", ("E",), "[Lam94]"),
        ("see [Lam94, chapter 7] for it", "chapter", ("7",), "[Lam94]"),
        ("as [XCC:7.2.3] says", "section", ("7.2.3",), "[XCC]"),
        ("see [XCC:Table 9;Table 35]", "table", ("9",), "[XCC]"),
        ("see [Lam94, Fonts and others].", "bibliography", ("Lam94",), None),
        ("see [Lam94, pp. 2–4].", "bibliography", ("Lam94",), None),
    ],
)
def test_a_place_named_inside_the_brackets_is_of_that_work(
    words: str, kind: str, labels: tuple[str, ...], container: str | None
) -> None:
    home = document("# 1 Text\nIt is so, " + words + LETTERED)
    found = find(home)
    assert [(r.kind.value, r.labels, r.container) for r in found] == [(kind, labels, container)]
    outcome = Resolver(MemoryShelf([home]))(found[0], home)
    assert (outcome.status, [t.kind for t in outcome.targets]) == (Status.EXTERNAL, ["bibliography"])


def test_words_in_brackets_are_of_no_work_without_its_entry() -> None:
    home = document("# 1 Text\nIt is so, see [Lam95, Appendix E] and [note: 4.2]." + LETTERED)
    assert all(r.container is None for r in find(home))


TWINS = (
    "\n\n# References\n@bibliography Lee2018 Ann Lee and Bo Seo. 2018. Trees.\n\n"
    "@bibliography Lee2018 Cy Lee and Dan Kim. 2018. Leaves.\n"
)


def test_two_works_of_one_label_are_told_apart_by_the_second_author_or_not_at_all() -> None:
    home = document("# 1 Text\nAs Lee and Kim (2018) say, and others (Lee et al., 2018)." + TWINS)
    first, second = (Resolver(MemoryShelf([home]))(r, home) for r in find(home))
    assert [t.title[:6] for t in first.targets] == ["Cy Lee"]
    assert (second.status, len(second.targets)) == (Status.AMBIGUOUS, 2)


def test_a_number_in_brackets_is_no_note_where_such_numbers_are_sections() -> None:
    home = document(SECTIONS + "New: it grows [4].\n\n@footnote 4 A note.\n")
    assert [(r.kind.value, r.labels) for r in find(home)][3:] == [("section", ("4",))]


def test_a_label_before_a_verb_in_the_past_is_a_reference() -> None:
    home = document("# 1 Text\nThe values in Table 3 were measured, and those of Section 8 were not.")
    assert [r.text for r in find(home)] == ["Table 3", "Section 8"]


ISSUE = "# Issue\nThis is told in [1].\n{}\n# References\n@bibliography 1 {}\n"


def test_a_tag_is_that_of_the_list_which_closes_its_part() -> None:
    body = "\n".join(f"Line {n} of the matter." for n in range(50))
    home = document("\n".join(ISSUE.format(body, work) for work in ("Of Wells", "Of Pumps", "Of Wells")))
    resolver = Resolver(MemoryShelf([home]))
    places = [resolver(r, home).targets[0].lines.start for r in find(home) if r.kind.value == "bibliography"]
    assert places == [i.lines.start for i in home.items]


def test_a_tag_of_two_lists_with_nothing_between_them_is_ambiguous() -> None:
    home = document(
        "# 1 Start\nThis is told in [1].\n# Norms\n@bibliography 1 Of Wells\n\n# Others\n@bibliography 1 Of Pumps"
    )
    (reference,) = [r for r in find(home) if r.kind.value == "bibliography"]
    assert Resolver(MemoryShelf([home]))(reference, home).status.value == "ambiguous"


PLACES = "# 2 Method\nText.\n# 3 One\nText.\n@table 4 Results\nText\n\n# 5 Two\n"


def _where(words: str) -> list[tuple[str, str | None, str]]:
    """The labels in these words, what each is counted in, and what became of it."""
    home = document(PLACES + words + ENTRIES)
    resolver = Resolver(MemoryShelf([home]))
    found = [r for r in find(home) if r.kind is not ReferenceKind.BIBLIOGRAPHY]
    return [(r.text, r.container, resolver(r, home).status.value) for r in found]


@pytest.mark.parametrize(
    ("words", "label", "tag"),
    [
        ("as in Peters and Seo (2018a, Section 3) too", "Section 3", "[Peters2018a]"),
        ("(van den Oord 2016, Table 4)", "Table 4", "[Oord2016]"),
        ("see Peters (2018b), Section 3.", "Section 3", "[Peters2018b]"),
        ("taken from Table 4 in Peters and Seo (2018a) here", "Table 4", "[Peters2018a]"),
        ("taken from Table 4 in\nPeters and Seo (2018a) here", "Table 4", "[Peters2018a]"),
        ("by Section 3 of Peters [2018b]", "Section 3", "[Peters2018b]"),
        ("as told on page 3 of Peters and Seo (2018a)", "page 3", "[Peters2018a]"),
        ("Peters and Seo (2018a) show in their Section 3 that it holds", "Section 3", "[Peters2018a]"),
        ("Peters and Seo (2018a) show in their\nSection 3 that it holds", "Section 3", "[Peters2018a]"),
    ],
)
def test_a_part_of_a_cited_work_is_not_looked_for_at_home(words: str, label: str, tag: str) -> None:
    assert _where(words) == [(label, tag, "external")]


@pytest.mark.parametrize(
    "words",
    [
        "Following Peters (2018b), Section 3 shows it.",
        "(Peters et al., 2018b; Section 3)",
        "Peters (2018b) is read in Section 3.",
        "as shown by Peters, 2018b. Section 3 is about it",
    ],
)
def test_a_place_at_home_that_stands_near_a_citation_stays_at_home(words: str) -> None:
    assert _where(words) == [("Section 3", None, "resolved")]


def test_a_page_behind_a_part_of_a_cited_work_is_one_of_the_work() -> None:
    found = _where("(van den Oord 2016, Table 4, page 3) and Section 3, page 3")
    assert found == [
        ("Table 4", "[Oord2016]", "external"), ("page 3", "[Oord2016]", "external"),
        ("Section 3", None, "resolved"), ("page 3", None, "unresolved"),
    ]  # fmt: skip


def test_a_part_in_the_name_of_a_journal_points_nowhere() -> None:
    home = document(
        "# 2 Method\nText.\n\n# References\n@bibliography Ko2014 Ko. 2014. Rope. Journal of Knots, Part 2: 1-9.\n"
    )
    assert find(home) == ()


SHARED = """

# References
@bibliography Vogel2010 Vogel M (2010). Berths. Quay Press.

@bibliography Vogel2010 Vogel M, Roth A (2010). Ropes. Quay Press.

@bibliography Vogel2010 Vogel M, Roth A, Ahn B (2010). Knots. Quay Press.
"""


@pytest.mark.parametrize(
    ("words", "title"),
    [
        ("by Vogel (2010) it is", "Berths"),
        ("by Vogel and Roth (2010) it is", "Ropes"),
        ("by Vogel, Roth, and Ahn (2010) it is", "Knots"),
        ("by Vogel et al. (2010) it is", "Knots"),
    ],
)
def test_works_of_one_label_are_told_apart_by_how_many_wrote_them(words: str, title: str) -> None:
    home = document("# 1 Text\n" + words + SHARED)
    (target,) = Resolver(MemoryShelf([home]))(find(home)[0], home).targets
    assert title in (target.title or "")


@pytest.mark.parametrize(
    "text, found", [("as [1] and [2] say", 2), ("set it to [1, 2] or [0, 5], then [3, 4], [7]", 0)]
)
def test_numbers_in_brackets_are_data_where_many_have_no_entry(text: str, found: int) -> None:
    home = document(
        f"# 1 Start\n{text}\n# References\n@bibliography 1 Doe, A book.\n\n@bibliography 2 Roe, A map."
    )
    assert sum(r.kind is ReferenceKind.BIBLIOGRAPHY for r in find(home)) == found
