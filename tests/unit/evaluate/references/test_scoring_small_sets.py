"""References scored against small sets whose right answers are known, one of each shape."""

from __future__ import annotations

import gzip
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.unit.evaluate.references import labelled_sets as sets

from deref.errors import DamagedFile, NoSuchSource, UsageError
from deref.evaluate.references import folders, read_sets
from deref.evaluate.references.labelled import Mention, Truth, Where
from deref.evaluate.references.shape_passages import label_of, printed_number, title_of
from deref.evaluate.references.verdict import own_targets
from deref.values import Point, Reference, ReferenceKind, Resolution, Span, Status, Target, Tier


def test_links_of_web_pages_are_the_truth(tmp_path: Path):
    (scored,) = sets.scores(sets.pages(tmp_path))
    sections, tables = scored.slices["section, across"], scored.slices["table, across"]
    assert (sections.total, sections.located, sections.found, sections.right) == (3, 3, 3, 3)
    assert (tables.total, tables.right) == (1, 1)
    assert scored.density == 1.0
    assert sections.precision == 1.0


def test_a_link_that_goes_elsewhere_makes_the_resolution_wrong(tmp_path: Path):
    rows = sets.page_rows()
    rows[0] |= {"tgt_anchor": "fees", "tgt_text": "2.2. Fees"}
    (scored,) = sets.scores(sets.pages(tmp_path, rows))
    sections = scored.slices["section, across"]
    assert sections.outcomes == {"right": 2, "wrong": 1}
    assert sections.misses == {"wrong": [1]}
    assert (sections.precision, sections.recall) == (pytest.approx(2 / 3), pytest.approx(2 / 3))
    assert sections.right_document == 3
    assert sections.right_section == 2


def test_words_that_are_not_in_our_text_count_as_a_miss(tmp_path: Path):
    rows = [sets.page_row("Section\u00a07.7", "It is said in", "that", "limits", "2.1. Limits")]
    (scored,) = sets.scores(sets.pages(tmp_path, rows))
    part = scored.slices["section, across"]
    assert (part.total, part.located, part.recall) == (1, 0, 0.0)
    assert part.misses == {"unlocated": [1]}


def test_a_hit_of_another_label_is_no_hit_but_a_wrong_place(tmp_path: Path):
    rows = [{**sets.page_rows()[0], "num": "2.9", "mention": "Section\u00a02.9", "kind": "section"}]
    (scored,) = sets.scores(sets.pages(tmp_path, rows))
    part = scored.slices["section, across"]
    assert (part.found, part.labelled) == (1, 0)
    assert part.misses == {"mislabelled": [1]}
    assert part.precision == 0.0


def test_a_heading_that_links_to_itself_is_not_scored(tmp_path: Path):
    row = sets.page_row("Section\u00a02.1", "", "", "limits", "2.1. Limits")
    row |= {"doc": "two.html", "text": "2.1.", "after": "Limits", "same_doc": True}
    (labelled,) = read_sets(sets.pages(tmp_path, [row]))
    assert labelled.mentions == ()
    assert labelled.left_out == {"section, its own heading or caption": 1}


def test_links_of_a_pdf_go_to_the_caption_below_the_height_they_aim_at(tmp_path: Path):
    (scored,) = sets.scores(sets.sheets(tmp_path))
    assert {name: (p.total, p.right) for name, p in scored.slices.items()} == {
        "section": (1, 1),
        "table": (3, 3),
    }


def test_what_stands_where_is_compared_with_anchors_and_bookmarks(tmp_path: Path):
    (scored,) = sets.scores(sets.sheets(tmp_path))
    tables, marks = scored.registry["table anchors"], scored.registry["section bookmarks"]
    assert (tables.wanted, tables.met, tables.ours, tables.named) == (2, 1, 1, 1)
    assert tables.missing == ["rates.pdf p. 2: table 2"]
    assert (marks.wanted, marks.met, marks.precision) == (3, 2, 1.0)
    assert marks.missing == ["rates.pdf p. 2: 3 Missing"]
    sections = scored.registry["section anchors"]
    assert (sections.met, sections.ours, sections.surplus) == (1, 2, ["rates.pdf p. 2: section 2"])


def test_members_of_a_list_other_acts_and_relative_paragraphs(tmp_path: Path):
    (scored,) = sets.scores(sets.act(tmp_path))
    outcomes = {name: dict(part.outcomes) for name, part in scored.slices.items()}
    assert outcomes == {
        "article": {"right": 2},
        "article, outside": {"right": 1},
        "article, nowhere": {"right": 1},
        "relative paragraph": {"right": 1},
    }
    assert scored.slices["article, outside"].truth == Truth.EXTERNAL.value
    assert scored.slices["article, outside"].precision is None
    assert scored.slices["article, outside"].container == (1, 1)


def test_a_rulebook_is_rendered_as_it_is_printed(tmp_path: Path):
    (labelled,) = read_sets(sets.rulebooks(tmp_path))
    fees, general = (source.data.decode() for source in labelled.sources)
    assert [source.name for source in labelled.sources] == ["FEES_VER01.010120.txt", "GEN_VER02.010120.txt"]
    assert fees.startswith(
        "Fees Rules (FEES)\n\n1. INTRODUCTION\n\n1.1 Application\n\n1.1.1 (1) This Rulebook"
    )
    assert general.startswith("General Rulebook (GEN)\n")
    assert [m.where for m in labelled.mentions] == [
        Where.HERE,
        Where.HERE,
        Where.HERE,
        Where.HERE,
        Where.ACROSS,
        Where.OUTSIDE,
    ]
    assert labelled.left_out == {"target passage not in the set": 1}


def test_a_range_is_scored_once_for_each_of_its_ends(tmp_path: Path):
    (scored,) = sets.scores(sets.rulebooks(tmp_path))
    here, across = scored.slices["rule or section"], scored.slices["rule or section, across"]
    assert (here.total, here.located, here.right) == (4, 4, 4)
    assert (across.total, across.right) == (1, 1)


@pytest.mark.parametrize(
    ("identity", "printed", "label"),
    [
        ("8.6.2", "8.6.2", "8.6.2"),
        ("Part 8.92.(3)", "(3)", "92(3)"),
        ("Part 13.177.", "177.", "177"),
        ("APP9.A9.1.2", "A9.1.2", "a9.1.2"),
        ("187)", "187)", "187"),
        ("9.3.1B.Guidance.5.", "5.", "5"),
        ("SHIPPING REGULATIONS 2015", "SHIPPING REGULATIONS 2015", None),
    ],
)
def test_numbers_of_passages(identity: str, printed: str, label: str | None):
    assert printed_number(identity) == printed
    assert label_of(identity) == label


def test_the_title_of_a_rulebook_holds_its_house_abbreviation():
    assert title_of(["PRU_VER1", "PRU", "Prudential \\'96 Banks"]) == "Prudential – Banks (PRU)"


def test_documents_that_name_each_other(tmp_path: Path):
    (scored,) = sets.scores(sets.deals(tmp_path))
    assert scored.slices["document, across"].right == 1
    assert scored.slices["document, nowhere"].total == 1
    assert scored.slices["document, nowhere"].located == 1


def test_precision_is_not_told_where_few_hits_are_labelled(tmp_path: Path):
    (full,) = sets.scores(sets.act(tmp_path / "full"))
    (sparse,) = sets.scores(sets.act(tmp_path / "sparse", sets.act_rows()[3:4]))
    assert full.density == 1.0
    assert sparse.density is not None
    assert sparse.density < 0.75
    assert sparse.unlabelled["article"][1] > 0


def test_native_links_are_hidden_unless_asked_for(tmp_path: Path):
    """A link under words that say another number: the words decide, unless links are in use."""
    folder = sets.pages(tmp_path, [{**sets.page_rows()[0], "tgt_anchor": "fees", "tgt_text": "2.2. Fees"}])
    linked = sets.PAGES["one.html"].replace(
        "Section&nbsp;2.1 first", '<a href="two.html#fees">Section&nbsp;2.1</a> first'
    )
    (folder / "docs" / "one.html").write_text(linked, "utf-8")
    (hidden,) = sets.scores(folder)
    (used,) = sets.scores(folder, links=True)
    assert hidden.slices["section, across"].right == 0
    assert used.slices["section, across"].right == 1


def test_the_shape_is_told_by_fields_not_by_names(tmp_path: Path):
    sets.pages(tmp_path / "far")
    sets.act(tmp_path / "pdf-papers")
    sets.deals(tmp_path / "whatever")
    (tmp_path / "no set").mkdir()
    found = folders(tmp_path, ())
    assert [f.name for f in found] == ["far", "pdf-papers", "whatever"]
    assert [len(read_sets(f)[0].mentions) for f in found] == [4, 5, 2]
    assert folders(tmp_path / "far", ()) == [tmp_path / "far"]


def test_a_damaged_row_is_named_with_file_and_line(tmp_path: Path):
    folder = sets.pages(tmp_path)
    path = folder / "refs.jsonl"
    whole = path.read_text("utf-8")
    path.write_text(whole + "{nonsense\n", "utf-8")
    with pytest.raises(DamagedFile, match=r"refs\.jsonl, line 5: not JSON"):
        read_sets(folder)
    path.write_text(whole + '{"kind": "section", "num": "1", "tgt_anchor": null}\n', "utf-8")
    with pytest.raises(DamagedFile, match=r"refs\.jsonl, line 5: the row has no 'doc'"):
        read_sets(folder)
    path.write_text(whole.replace('"one.html"', '"none.html"', 1), "utf-8")
    with pytest.raises(DamagedFile, match=r"line 1: doc is 'none\.html', and the set has no such document"):
        read_sets(folder)


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ({"doc": "rates.pdf", "page": 1}, "the row has no 'kind'"),
        ({"kind": "equation", "y": "high"}, "'y' is 'high'"),
    ],
)
def test_a_damaged_anchor_is_named_with_file_and_line(tmp_path: Path, row: dict[str, Any], says: str):
    folder = sets.sheets(tmp_path)
    sets.write_rows(folder / "anchors.jsonl", [row])
    with pytest.raises(DamagedFile, match=rf"anchors\.jsonl, line 1: {says}"):
        read_sets(folder)


def test_a_file_that_was_packed_and_is_damaged_is_named(tmp_path: Path):
    packed = gzip.compress(sets.pages(tmp_path).joinpath("refs.jsonl").read_bytes())
    (tmp_path / "refs.jsonl").unlink()
    (tmp_path / "refs.jsonl.gz").write_bytes(packed[:20] + bytes(20) + packed[40:])
    with pytest.raises(DamagedFile, match=r"refs\.jsonl\.gz: not a gzipped file"):
        read_sets(tmp_path)


def test_a_box_must_be_four_numbers(tmp_path: Path):
    rows = [{**sets.sheet_rows()[0], "bbox": [1, 2, 3]}]
    with pytest.raises(DamagedFile, match=r"line 1: bbox is \[1, 2, 3\]"):
        read_sets(sets.sheets(tmp_path, rows))


def test_a_set_that_is_not_there(tmp_path: Path):
    sets.pages(tmp_path / "pages")
    with pytest.raises(UsageError, match=r"--set missing: no such folder"):
        folders(tmp_path, ["missing"])
    with pytest.raises(NoSuchSource, match=r"no such folder"):
        folders(tmp_path / "nowhere", ())
    (tmp_path / "empty").mkdir()
    with pytest.raises(NoSuchSource, match=r"no folder in it has refs\.jsonl"):
        folders(tmp_path / "empty", ())


def test_a_link_over_words_that_no_grammar_knows_is_no_hit_of_the_grammar(tmp_path: Path):
    row = sets.page_row("Step\u00a07", "Take", "with care", "fees", "2.2. Fees", kind="example")
    folder = sets.pages(tmp_path, [row])
    linked = '<html><body><p>Take <a href="two.html#fees">Step&nbsp;7</a> with care.</p></body></html>'
    (folder / "docs" / "one.html").write_text(linked, "utf-8")
    (hidden,) = sets.scores(folder)
    (used,) = sets.scores(folder, links=True)
    assert hidden.slices["example, across"].outcomes == {"unfound": 1}
    assert used.slices["example, across"].outcomes == {"right": 1}


def test_of_several_targets_those_of_the_label_of_the_mention_count():
    def target(label: str | None, line: int) -> Target:
        return Target(lines=Span(doc="d", start=line, end=line + 1), kind="section", label=label, title="")

    reference = Reference(
        text="Sections 1 and 2(a), (b)", kind=ReferenceKind.SECTION, labels=("1", "2(a)", "2(b)"),
        at=Point(doc="d", line=0, char_start=0, char_end=8),
    )  # fmt: skip
    both = (target("1", 3), target("2", 9))
    said = Resolution(
        reference=reference, status=Status.RESOLVED, targets=both, tier=Tier.LABEL, why="It is so."
    )
    mention = Mention(number=1, doc="d", kind="section", text="2(b)", label="2(b)")
    assert own_targets(said, mention) == [both[1]]
    nameless = replace(said, targets=(target(None, 3), target(None, 5), target(None, 9)))
    assert [t.lines.start for t in own_targets(nameless, mention)] == [5, 9]
    assert own_targets(said, replace(mention, label=None)) == both


def test_a_link_to_the_top_of_a_float_means_its_caption(tmp_path: Path):
    rows = [{**sets.sheet_rows()[0], "tgt_y": 80.0, "tgt_text": "2 Rates"}]
    (scored,) = sets.scores(sets.sheets(tmp_path, rows))
    assert scored.slices["table"].outcomes == {"right": 1}
