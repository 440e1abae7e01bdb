"""The page that explains an answer: it needs nothing else, escapes everything, and lights what is cited where it stands."""

from __future__ import annotations

import base64
import io
import json
import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from reportlab.pdfgen import canvas

from deref.cli.explain_page import as_page
from deref.cli.explain_sheets import Papers, figure, sheets
from deref.engine import open_engine
from deref.errors import DamagedFile, UsageError
from deref.settings import settings_of
from deref.trace.read import read_events, recording_of
from unit.trace.small_run import ONE_OF_EACH
from unit.trace.test_sinks_and_explain import written

HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)> & \"q\" 'a' \u202edrow"
TOLL = (
    f"# The toll {HOSTILE}\n\n## 1 Rates\n\nA cart pays the toll of row (B) of Table 1, unless Section 9 says otherwise. {HOSTILE}\n\n"
    "Table 1. Tolls\n\n| Row | Kind | Pence |\n|---|---|---|\n| (A) | horse | 1 |\n| (B) | cart | 2 |\n\n"
    "## 2 More\n\nOne.\n\nTwo.\n\nThree.\n\nFour.\n\nThe end of it.\n"
)
QUESTION = 'What "toll" does a <b>cart</b> pay? & \x00\u202e<script>'
NO_PAPERS = Papers(None, None)
BREAKS_OUT = "\"'><script>x</script><b onx=1>"


class Tags(HTMLParser):
    """All tags of a page with their attributes, in order, and its text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))

    def handle_data(self, data: str) -> None:
        self.text += data

    def all(self, name: str) -> list[str]:
        return [attributes[name] for _, attributes in self.tags if name in attributes]


def asked(
    folder: Path, write: Callable[[Path], object], question: str, collections: str = "one", **how: Any
) -> Path:
    """Ask a question of a shelf with a trace; return the trace."""
    settings = settings_of({"models": {"embedder": "none"}, "index": {"collections": collections}})
    shelf = folder / "shelf"
    shelf.mkdir()
    write(shelf)
    with (
        open_engine(folder / "library", settings=settings) as engine,
        (folder / "t.jsonl").open("w", encoding="utf-8") as out,
    ):
        engine.index(shelf)
        engine.ask(question, trace=out, **how)
    return folder / "t.jsonl"


def page_of(trace: Path, home: Path | None = None) -> str:
    events = read_events(trace)
    recording = recording_of(events, name="t.jsonl")
    return as_page(events, recording, Papers(home or Path(recording.home or ""), None), name="t.jsonl")


def hostile(shelf: Path) -> None:
    (shelf / "<u>toll.md").write_text(TOLL, "utf-8")


@pytest.fixture
def trace(tmp_path: Path) -> Path:
    return asked(tmp_path, hostile, QUESTION)


def test_nothing_is_fetched_run_or_broken_out_of(trace: Path) -> None:
    page = page_of(trace)
    tags = Tags(page)
    assert not {"script", "iframe", "object", "link", "form", "base", "u"} & {tag for tag, _ in tags.tags}
    assert not [a for _, attributes in tags.tags for a in attributes if a.startswith("on")]
    assert all(href.startswith("#") for href in tags.all("href"))
    assert all(src.startswith("data:image/png;base64,") for src in tags.all("src"))
    assert "http" not in page.replace("http-equiv", "") and "url(" not in page and "@import" not in page
    assert any("default-src 'none'" in content for content in tags.all("content"))
    assert not re.search("[\x00-\x08\u202e]", page)
    assert page.encode("utf-8")
    assert "alert(1)" in tags.text and "<u>toll.md" in tags.text


def test_a_number_that_the_document_has_itself_leads_nowhere(tmp_path: Path) -> None:
    def write(shelf: Path) -> None:
        (shelf / "gliders.md").write_text(
            "# Gliders\n\n## 1 Wings\n\nThe wing span of a glider is 18 metres [2], as Lind told first [1]\n\n"
            "## 2 Tails\n\nThe tail of a glider is short [1].\n\n## Works\n\n[1] Lind, Long Wings, 1931.\n\n[2] Ode, Air, 1950.\n"
        )

    page = page_of(asked(tmp_path, write, "What is the wing span of a glider, and what of its tail?"))
    answer = page.partition('<div class="answer">')[2].partition("</div>")[0]
    assert "18 metres [2], as Lind told first [1] <a" in answer
    linked = re.findall(r'<a class="cite" href="#c(\d)">', answer)
    assert linked == [str(n + 1) for n in range(page.count("<article"))] and len(linked) > 1


def places_in(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the way to every value in a JSON value that is neither object nor list."""
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places_in(inner, (*at, key))
    else:
        yield at


def changed(value: Any, at: tuple[Any, ...], to: Any) -> Any:
    """Return a JSON value with another one at a place."""
    if not at:
        return to
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[at[0]] = changed(value[at[0]], at[1:], to)
    return copy


def test_no_value_of_a_trace_that_was_written_by_hand_breaks_out_of_the_page(trace: Path) -> None:
    lines = read_events(trace)
    shown = 0
    for n, line in enumerate(lines):
        for at in places_in({name: value for name, value in line.items() if name not in ("kind", "data")}):
            for value in (BREAKS_OUT, 1e308):
                forged = [*lines[:n], changed(line, at, value), *lines[n + 1 :]]
                try:
                    page = as_page(forged, recording_of(forged, name="t"), NO_PAPERS, name="t.jsonl")
                except DamagedFile:
                    continue
                shown += 1
                tags = Tags(page).tags
                assert "script" not in {tag for tag, _ in tags}, at
                assert "onx" not in {name for _, attributes in tags for name in attributes}, at
    assert shown > 300


def test_no_value_of_a_document_that_was_kept_breaks_out_of_the_page(trace: Path) -> None:
    kept = recording_of(read_events(trace), name="t").kept.of_type("document.Document")[0]
    lines = [replace(line, doc=BREAKS_OUT, page=BREAKS_OUT, row=BREAKS_OUT) for line in kept.lines]
    document = replace(kept, id=BREAKS_OUT, name=BREAKS_OUT, lines=tuple(lines))
    cited = {"lines": {"doc": BREAKS_OUT, "start": 4, "end": 5}, "referenced_from": None}
    found = sheets([cited], {BREAKS_OUT: document})
    tags = Tags(figure(found[0], document, NO_PAPERS)).tags
    assert "script" not in {tag for tag, _ in tags} and "onx" not in {n for _, a in tags for n in a}


def test_a_long_number_in_brackets_is_text(tmp_path: Path) -> None:
    trace = asked(
        tmp_path,
        lambda shelf: (shelf / "toll.md").write_text(
            f"# Toll\n\nA cart pays the toll of [{'9' * 5000}] pence.\n"
        ),
        "What toll does a cart pay?",
    )
    assert "9" * 5000 in page_of(trace)


def test_every_link_leads_to_a_place_on_the_page_and_no_id_stands_twice(trace: Path) -> None:
    tags = Tags(page_of(trace))
    ids = tags.all("id")
    assert len(set(ids)) == len(ids)
    assert {href.removeprefix("#") for href in tags.all("href")} <= set(ids)
    assert {"c1", "c2"} <= set(ids)


def test_the_page_tells_question_answer_hits_hops_and_what_is_open(trace: Path) -> None:
    text = " ".join(Tags(page_of(trace)).text.split())
    for part in (
        "What \"toll\" does a <b>cart</b> pay?", "partial", "Still open Section 9 dangling", "followed from row (B) of Table 1",
        "1 passage found, best first", "legs: in at 1, found by words or by meaning", "Pass 1", "Decided: resolve",
        "→row (B) of Table 1 resolved", "(tier: label)", "✗Section 9 dangling", "Decided: stop partial", "Holds on condition",
        "t.jsonl, of schema 2", "Each stage of the search",
    ):  # fmt: skip
        assert part in text, part


def test_lines_are_lit_with_a_few_around_them_and_what_lies_between_is_left_out(trace: Path) -> None:
    page = page_of(trace)
    rows = re.findall(r'<li data-row="(\d+)"(?: class="([a-z ]+)")?><span dir="auto">(.*?)</span></li>', page)
    lit = {text.split(",")[0]: kind for _, kind, text in rows if kind}
    assert (
        lit["A cart pays the toll of row (B) of Table 1"] == "lit from" and lit["| (B) | cart | 2 |"] == "lit"
    )
    assert not {"One.", "Two."} & set(lit)
    assert not any("The end of it" in text for _, _, text in rows)
    assert "One." in {text for _, _, text in rows}


# Pictures

WIDTH, HEIGHT = 400.0, 300.0
FACT = "The ferry of the mill costs nine pence in winter."


def ferry(shelf: Path, *, rotation: int = 0) -> Path:
    file = shelf / "ferry.pdf"
    pdf = canvas.Canvas(str(file), pagesize=(WIDTH, HEIGHT))
    pdf.setPageRotation(rotation)
    pdf.setFont("Helvetica", 11)
    pdf.drawString(40, 240, FACT)
    for n in range(12):
        pdf.drawString(40, 210 - 16 * n, f"Other words about the weather of day {n} stand here.")
    pdf.save()
    return file


def lit_in(page: str) -> tuple[Image.Image, list[dict[str, float]]]:
    (source,) = Tags(page).all("src")
    picture = Image.open(io.BytesIO(base64.b64decode(source.partition(",")[2]))).convert("L")
    shares = re.findall(
        r"<i style=\"left:([\d.]+)%;top:([\d.]+)%;width:([\d.]+)%;height:([\d.]+)%\"></i>", page
    )
    return picture, [
        dict(zip(("left", "top", "width", "height"), map(float, s), strict=True)) for s in shares
    ]


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_what_is_lit_in_a_picture_holds_the_ink_of_the_quote(tmp_path: Path, rotation: int) -> None:
    trace = asked(
        tmp_path, lambda shelf: ferry(shelf, rotation=rotation), "What does the ferry cost in winter?"
    )
    picture, lit = lit_in(page_of(trace))
    assert lit
    first = lit[0]
    across, down = picture.size
    box = (
        int(first["left"] * across / 100), int(first["top"] * down / 100),
        int((first["left"] + first["width"]) * across / 100) + 1, int((first["top"] + first["height"]) * down / 100) + 1,
    )  # fmt: skip
    inside = sum(1 for dot in picture.crop(box).tobytes() if dot < 128)
    assert inside > 300, "there is no ink where the quote is lit"


def test_only_the_part_around_the_quote_is_shown_until_the_page_is_opened(tmp_path: Path) -> None:
    trace = asked(tmp_path, ferry, "What does the ferry cost in winter?")
    page = page_of(trace)
    seen = re.search(r"--w:([\d.]+);--h:([\d.]+);--y:([\d.]+);--band:([\d.]+)", page)
    assert seen is not None
    width, height, top, band = map(float, seen.groups())
    assert (width, height) == (WIDTH, HEIGHT)
    assert 0 <= top < 60 and 0 < band <= height - top
    assert "<summary>the whole page</summary>" in page


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda home: shutil.rmtree(home), "the file is not there any more"),
        (lambda home: (home / "ferry.pdf").write_bytes(b"%PDF-1.4 other"), "the file has changed since"),
    ],
)
def test_without_the_file_the_lines_of_the_trace_are_shown_and_it_is_said_why(
    tmp_path: Path, change: Callable[[Path], object], said: str
) -> None:
    trace = asked(tmp_path, ferry, "What does the ferry cost in winter?")
    change(tmp_path / "shelf")
    page = page_of(trace)
    assert f"shown as text: {said}" in page and "data:image" not in page
    assert re.search(r'class="lit"><span dir="auto">The ferry of the mill', page)


def test_documents_that_were_moved_are_found_where_they_are_now(tmp_path: Path) -> None:
    trace = asked(tmp_path, ferry, "What does the ferry cost in winter?")
    (tmp_path / "shelf").rename(tmp_path / "moved")
    assert "data:image" not in page_of(trace)
    assert "data:image" in page_of(trace, tmp_path / "moved")
    assert "data:image" in page_of(trace, tmp_path / "moved" / "ferry.pdf")


def test_a_document_of_a_collection_is_known_by_its_bytes_there(tmp_path: Path) -> None:
    """The same bytes in two collections are two documents: the page shows the one that was cited."""

    def two(shelf: Path) -> None:
        for name in ("north", "south"):
            (shelf / name).mkdir()
            ferry(shelf / name)

    question = "What does the ferry cost in winter?"
    trace = asked(tmp_path, two, question, collections="folders", where="collection:south")
    page = page_of(trace)
    assert "data:image" in page and "south/ferry.pdf, p. 1" in page and "north" not in page
    (tmp_path / "shelf" / "south" / "ferry.pdf").write_bytes(b"%PDF-1.4 other")
    assert "shown as text: the file has changed since" in page_of(trace)


def test_a_follow_up_is_told_as_it_was_typed_and_as_it_was_understood(tmp_path: Path) -> None:
    trace = asked(tmp_path, ferry, "And in winter?", history=("What does the ferry cost?",))
    text = " ".join(Tags(page_of(trace)).text.split())
    assert "how this answer came about And in winter?" in text
    assert "Asked before What does the ferry cost?" in text
    understood = next(e for e in read_events(trace) if e["kind"] == "run_started")["query"]["text"]
    assert (f"Understood as {understood}" in text) is (understood != "And in winter?")


# Traces that are not whole


def test_a_trace_without_its_recording_is_told_without_documents(tmp_path: Path) -> None:
    file = tmp_path / "t.jsonl"
    file.write_text(written(*ONE_OF_EACH), "utf-8")
    text = " ".join(Tags(as_page(read_events(file), None, NO_PAPERS, name="t.jsonl")).text.split())
    for part in (
        "What does a cart pay?", "A cart pays two pence. [1]", "[1]bridge.md, p. 1, l. 5", "Annex C danglingthe annexes end at B (tier: label)",
        "Off the shelf ISO 1 externalno such", "page 3 has no text", "As defined Cart: “Cart” means any vehicle. bridge.md, p. 1, l. 8", "2 passages found", "Asked again as cart pay",
        "the dense leg failed and was left out: no model", "old.md is superseded by new.md",
    ):  # fmt: skip
        assert part in text, part


def test_a_question_that_ended_in_an_error_or_was_broken_off_says_so(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        asked(tmp_path, hostile, "?!")
    assert "ended in an error: the question" in Tags(page_of(tmp_path / "t.jsonl")).text
    file = tmp_path / "u.jsonl"
    file.write_text(written(*ONE_OF_EACH[:4]), "utf-8")
    assert "broken off before it was answered" in as_page(read_events(file), None, NO_PAPERS, name="u")


@pytest.mark.parametrize("value", [None, 3, "z", [], {}, [[1]]])
def test_an_event_with_odd_fields_is_told_or_refused_with_the_file(tmp_path: Path, value: object) -> None:
    whole = [json.loads(line) for line in written(*ONE_OF_EACH).splitlines()]
    for number, event in enumerate(whole[1:], start=1):
        for name in event.keys() - {"kind"}:
            odd = [*whole]
            odd[number] = {**event, name: value}
            try:
                as_page(odd, None, NO_PAPERS, name="t.jsonl")
            except DamagedFile as error:
                assert str(error).startswith("t.jsonl: ")
