"""Gold rows: pairs and flags, the halves, the folder that each is asked over, and whether it is fit to measure with."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from deref.engine import open_engine
from deref.errors import DamagedFile, NoSuchSource
from deref.evaluate.gold import HALVES, Passage, read_gold
from deref.evaluate.retrieval.corpora import corpora, file_named
from deref.evaluate.retrieval.needs import PassageNeed, Passages
from deref.evaluate.retrieval.validity import Texts, checked
from deref.values import Span
from unit.evaluate.retrieval import toll_road as road

PAIR = {
    "qa_id": "p1", "question": "When are accounts due?", "source_doc": "1.json", "source_id": "s", "target_doc": "2.json",
    "target_id": "t", "persona": "basic", "cross_doc": True, "source_text": "…",
}  # fmt: skip


def read(folder: Path, *rows: dict[str, Any]):
    return read_gold(road.gold(folder, *rows))


# Rows


def test_flags_beside_the_dimensions_are_slices_too(tmp_path: Path):
    (row,) = read(tmp_path, road.row("a", "q", "x", multi_document=True, dimensions={"kind": "table"}))
    assert row.dimensions == {"multi_document": True, "kind": "table"}
    assert (row.file.name, row.line) == ("gold.jsonl", 1)


def test_a_row_of_two_passages_is_a_pair(tmp_path: Path):
    (row,) = read(tmp_path, PAIR)
    assert row.pair == (Passage(doc="1.json", id="s"), Passage(doc="2.json", id="t"))
    assert (row.id, row.query, row.match) == ("p1", "When are accounts due?", "all")
    assert row.dimensions == {"persona": "basic", "cross_doc": True}
    assert row.answerable


def test_a_pair_without_a_question_is_named(tmp_path: Path):
    with pytest.raises(DamagedFile, match="line 1"):
        read(tmp_path, {k: v for k, v in PAIR.items() if k != "question"})


def test_the_half_of_a_question_hangs_on_its_words_alone(tmp_path: Path):
    rows = read(tmp_path, *(road.row(f"r{n}", f"Question {n}?", "x") for n in range(400)))
    dev = [row for row in rows if row.half == "dev"]
    assert {row.half for row in rows} == set(HALVES)
    assert 160 < len(dev) < 240
    (again,) = read(tmp_path / "other", road.row("another id", f" {dev[0].query}\n", "y", corpus="other"))
    assert again.half == "dev"


@pytest.mark.parametrize("status", ["external", "dangling", "unanswerable"])
def test_what_is_off_the_shelf_is_not_answerable(tmp_path: Path, status: str):
    (row,) = read(tmp_path, road.row("a", "q", "x", dimensions={"status": status}))
    assert not row.answerable


# Documents


@pytest.mark.parametrize(
    ("said", "files", "meant"),
    [
        ("a.pdf", ["a.pdf", "b.pdf"], "a.pdf"),
        ("RFC 9000 - QUIC.txt", ["rfc9000.txt", "rfc900.txt", "rfc9000.html"], "rfc9000.txt"),
        ("RFC 9000 - QUIC.txt", ["rfc900.txt"], None),
        ("RFC 9000 - QUIC.txt", ["rfc9000.html"], None),
        ("Act of 1990 on roads.txt", ["act of 1990.txt", "act.txt"], None),
        ("b.pdf", ["a.pdf"], None),
    ],
)
def test_a_name_in_gold_may_say_more_than_the_file(said: str, files: list[str], meant: str | None):
    assert file_named(said, files) == meant


def place(folder: Path, *names: str) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("words", "utf-8")


def folder_of(data: Path, *rows: dict[str, Any], gold: Path | None = None) -> str:
    read_rows = read(gold or data.parent / "gold", *rows)
    (found,) = corpora(data, read_rows)
    return found.folder.relative_to(data.resolve()).as_posix()


def test_the_set_that_a_row_names_comes_first(tmp_path: Path):
    place(tmp_path / "data", "road/docs/a.md", "inn/docs/a.md")
    assert folder_of(tmp_path / "data", road.row("a", "q", "x")) == "road/docs"


def test_documents_stand_beside_the_gold_or_above_it(tmp_path: Path):
    place(tmp_path / "data", "local/docs/a.md", "zoo/docs/a.md", "local/goldset/README.md", "README.md")
    row = road.row("a", "q", "x", expected_sources=["a.md"])
    assert folder_of(tmp_path / "data", row, gold=tmp_path / "data" / "local" / "goldset") == "local/docs"


def test_the_form_of_a_set_is_the_one_that_gold_names(tmp_path: Path):
    place(tmp_path / "data", "road/docs/rfc1.html", "road/txt/rfc1.txt")
    assert folder_of(tmp_path / "data", road.row("a", "q", "x", anchor_doc="RFC 1 - Host.txt")) == "road/txt"
    assert folder_of(tmp_path / "data", road.row("a", "q", "x", anchor_doc="rfc1.html")) == "road/docs"


def test_gold_that_names_files_of_another_set_finds_it(tmp_path: Path):
    place(tmp_path / "data", "local/docs/a.md", "net/txt/rfc1.txt")
    row = road.row("a", "q", "x", corpus="rfc", expected_sources=["RFC 1 - Host.txt"])
    assert folder_of(tmp_path / "data", row, gold=tmp_path / "data" / "local" / "goldset") == "net/txt"


def test_the_folder_of_documents_itself_will_do(tmp_path: Path):
    place(tmp_path / "data", "a.md")
    assert folder_of(tmp_path / "data", road.row("a", "q", "x")) == "."


def test_documents_may_lie_in_folders_where_no_folder_holds_them_alone(tmp_path: Path):
    place(tmp_path / "data", "a.md", "manual/part 1.md", "other/docs/b.md")
    row = road.row("a", "q", "x", expected_sources=["a.md", "manual/part 1.md"])
    assert folder_of(tmp_path / "data", row) == "."
    assert (
        folder_of(tmp_path / "data", road.row("a", "q", "x", expected_sources=["part 1.md", "a.md"])) == "."
    )
    assert folder_of(tmp_path / "data", road.row("a", "q", "x", expected_sources=["b.md"])) == "other/docs"


def test_documents_that_are_nowhere_are_told_with_what_was_looked_for(tmp_path: Path):
    place(tmp_path / "data", "road/docs/a.md", "road/docs/b.md", "inn/docs/c.md")
    some = (road.row("a", "q", "x", expected_sources=["a.md"]), road.row("b", "q", "x", expected_sources=["b.md", "z.md"]))  # fmt: skip
    with pytest.raises(
        NoSuchSource,
        match=r"every file of corpus 'road' .* the nearest is .*road/docs, without z\.md \(line 2\);",
    ):
        corpora(tmp_path / "data", read(tmp_path, *some))
    (tmp_path / "bare").mkdir()
    with pytest.raises(NoSuchSource, match=r"no folder in .*bare holds documents of corpus 'road'"):
        corpora(tmp_path / "bare", read(tmp_path, *some))
    with pytest.raises(NoSuchSource, match="--data takes the folder"):
        corpora(tmp_path / "nowhere", read(tmp_path, road.row("a", "q", "x")))


# Fitness


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (road.ROWS[0], None),
        (road.row("a", "q", "TWO  pence and\na half"), None),
        (road.row("a", "q", "three pence"), "expected string 1 stands in no document"),
        (road.row("a", "q", "one shilling", expected_sources=["road.md"]), "expected string 1 stands in none of its sources"),
        (road.row("a", "q", "one shilling", expected_sources=["sea.md"]), "no document is called sea.md"),
        (road.row("a", "Is one shilling due?", "one shilling"), "the question says expected string 1"),
        (road.row("a", "q", "two pence", "a traveller who"), None),
        (road.row("a", "q", "northern gate"), "expected string 1 is not unique: it stands 2 times in its source"),
        (road.row("a", "q", "Rules", expected_sources=["inn.md"]), "expected string 1 is not unique: it also stands in road.md"),
        (road.row("a", "q", "Rules"), "expected string 1 is not unique: it also stands in road.md"),
        (road.row("a", "q", " "), "expected string 1 has no letter"),
    ],
)  # fmt: skip
def test_a_row_that_is_not_fit_is_told_with_its_reason(
    tmp_path: Path, row: dict[str, Any], reason: str | None
):
    rows = read(tmp_path, row)
    with open_engine(tmp_path / "library", settings=road.base().settings) as engine:
        engine.index(road.shelf(tmp_path / "data") / "road" / "docs")
        found = [one.reason for one in checked(rows, Texts(engine), Passages(engine, {}))]
    assert found == ([] if reason is None else [reason])


# Pairs


def rulebooks(data: Path) -> Path:
    docs = data / "books" / "docs"
    docs.mkdir(parents=True)
    long = "\n".join(f"The {word} account of a firm is sent to the keeper in good time." for word in ("first", "second", "third", "fourth", "fifth", "sixth", "seventh"))  # fmt: skip
    books = {
        "1": [
            {
                "ID": "s",
                "PassageID": "1.1",
                "Passage": "A firm sends its accounts as Rule 2.1 of Book B says.",
            },
        ],
        "2": [
            {"ID": "t", "PassageID": "2.1", "Passage": long},
            {"ID": "u", "PassageID": "2.2", "Passage": "Keepers are appointed for a year."},
        ],
    }
    for name, passages in books.items():
        (docs / f"{name}.json").write_text(json.dumps(passages), "utf-8")
    (data / "books" / "document_names.json").write_text(
        json.dumps({"1": ["Book A"], "2": ["Book B"]}), "utf-8"
    )
    return data


def test_a_pair_is_measured_over_the_rendered_rulebooks(tmp_path: Path):
    data = rulebooks(tmp_path / "data")
    rows = read(data / "books", PAIR, {**PAIR, "qa_id": "p2", "target_id": "gone"}, {**PAIR, "qa_id": "p3", "target_doc": "1.json", "target_id": "s"})  # fmt: skip
    (corpus,) = corpora(data, rows)
    root = corpus.root(tmp_path / "beside")
    assert sorted(path.name for path in root.iterdir()) == ["1.txt", "2.txt"]
    with open_engine(tmp_path / "library", settings=road.base().settings) as engine:
        engine.index(root)
        passages = Passages(engine, corpus.books)
        reasons = {one.row.id: one.reason for one in checked(corpus.rows, Texts(engine), passages)}
        source, target = passages.needs_of(rows[0])
        held = [
            {passages.names[passages.chunks[c].lines.doc] for c in passages.holding(n)}
            for n in (source, target)
        ]
        several = passages.holding(target)
    assert held == [{"1.txt"}, {"2.txt"}]
    assert len(several) > 1, "a long passage is held by each piece that is cut from it"
    assert reasons == {
        "p2": "the set has no passage gone in 2.json",
        "p3": "its two passages are the same",
    }


@pytest.mark.parametrize(
    ("passage", "chunk", "held"),
    [
        ((2, 4), (0, 10), True),  # A short passage among others.
        ((0, 10), (2, 4), True),  # A piece of a long passage.
        ((0, 4), (2, 6), True),  # Half of each.
        ((0, 4), (3, 7), False),  # A line of four.
        ((0, 4), (4, 8), False),  # Neighbours.
    ],
)
def test_half_of_the_shorter_is_common(passage: tuple[int, int], chunk: tuple[int, int], held: bool):
    need = PassageNeed(Span(doc="d", start=passage[0], end=passage[1]), (10,) * 12)
    assert need.held(Span(doc="d", start=chunk[0], end=chunk[1]), "") is held
    assert not need.held(Span(doc="other", start=chunk[0], end=chunk[1]), "")
