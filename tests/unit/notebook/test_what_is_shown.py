"""What a notebook shows of the nouns: both ends, what is open and why; nothing that a document could do to the page."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

import deref
from deref.notebook import html, markdown, remember, shown
from deref.settings import settings_of
from deref.values import (
    Answer,
    Arrived,
    Candidates,
    Citation,
    Completeness,
    Finding,
    Origin,
    Resolution,
    Span,
    Status,
)

SETTINGS = settings_of({"models": {"embedder": "none", "background": False}})
SHELF = {
    "terms.md": "# Terms\n\n## 1 Fees\n\nThe fee is that of row (B) of Table 2 in the Price List. See also Section 9.\n",
    "Price List.md": "# Price List\n\nTable 2. Prices\n\n| row | price |\n|---|---|\n| (A) | 100 |\n| (B) | 250 |\n",
}


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, Path]]:
    folder = tmp_path_factory.mktemp("shown") / "shelf"
    folder.mkdir()
    for name, text in SHELF.items():
        (folder / name).write_text(text)
    yield folder, folder.parent / "library"


@pytest.fixture(scope="module")
def answer(shelf: tuple[Path, Path]) -> Answer:
    with deref.open_library(shelf[0], library=shelf[1], settings=SETTINGS) as library:
        return library.ask("What is the fee?")


@pytest.fixture(scope="module")
def pointers(shelf: tuple[Path, Path]) -> dict[str, Resolution]:
    with deref.open_library(shelf[0], library=shelf[1], settings=SETTINGS) as library:
        return {resolution.reference.text: resolution for resolution in library.references()}


class _Page(HTMLParser):
    """What is on a page: its elements with their attributes, and its text outside of styles."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: set[str] = set()
        self.attributes: set[tuple[str, str]] = set()
        self.text = ""
        self._in_style = False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.add(tag)
        self.attributes |= {(name, value or "") for name, value in attrs}
        self._in_style = tag == "style"

    def handle_endtag(self, tag: str) -> None:
        self._in_style = False

    def handle_data(self, data: str) -> None:
        if not self._in_style:
            self.text += data


def _text(page: str) -> str:
    return " ".join(_Page(page).text.split())


# What is shown


def test_an_answer_shows_its_sources_its_trail_and_what_is_open(answer: Answer) -> None:
    told = _text(html(answer))
    assert "[1]" in told and "250" in told
    assert "Price List.md, p. 1, l. " in told
    assert (
        "“row (B) of Table 2 in the Price List”" in told
        and "terms.md, p. 1, l. 5 → Price List.md, p. 1, l. " in told
    )
    assert answer.pending or answer.completeness is Completeness.COMPLETE
    pending = replace(answer, problems=("vectors are not complete",))
    assert "Note" in _text(html(pending)) and "vectors are not complete" in _text(html(pending))


def test_a_reference_shows_both_ends_though_its_library_is_closed(pointers: dict[str, Resolution]) -> None:
    found = pointers["row (B) of Table 2 in the Price List"]
    told = _text(html(found))
    assert told.startswith("resolved, by ")
    assert "terms.md, p. 1, l. 5" in told and "The fee is that of row (B)" in told
    assert "Price List.md, p. 1, l. 8" in told and "(B)" in told
    assert "terms.md, p. 1, l. 5" in _text(html(found.reference))
    dangling = pointers["Section 9"]
    assert dangling.status is Status.DANGLING and dangling.why in _text(html(dangling))
    assert "Points at" not in _text(html(dangling))


def test_a_list_is_a_row_each_and_says_when_it_is_cut(pointers: dict[str, Resolution]) -> None:
    told = _text(html(list(pointers.values())))
    assert told.startswith(f"{len(pointers)} rows")
    assert "terms.md, p. 1, l. 5 → Price List.md, p. 1, l. " in told
    many = [next(iter(pointers.values()))] * 300
    assert _text(html(many)).startswith("300 rows, the first 200 shown")
    assert html(many).count("<li>") == 200


def test_passages_and_findings_show_where_they_are(shelf: tuple[Path, Path]) -> None:
    with deref.open_library(shelf[0], library=shelf[1], settings=SETTINGS) as library:
        found, findings = library.search("fee"), list(library.check())
    assert isinstance(found, Candidates)
    assert "terms.md, p. 1, l. " in _text(html(found)) and "lexical" in _text(html(found))
    finding = next(f for f in findings if f.text == "Section 9")
    assert isinstance(finding, Finding)
    assert finding.message in _text(html(finding)) and "terms.md, l. 5" in _text(html(finding))


def test_what_is_in_no_library_keeps_its_id_and_its_lines(
    pointers: dict[str, Resolution], tmp_path: Path
) -> None:
    found = pointers["row (B) of Table 2 in the Price List"]
    at = replace(found.reference.at, doc="f" * 32)
    remember(tmp_path / "never-was", SETTINGS)
    told = _text(html(replace(found, reference=replace(found.reference, at=at), targets=())))
    assert f"line {at.line} of document ffffffffffff" in told
    assert not (tmp_path / "never-was").exists()


def test_a_library_that_is_gone_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "shelf").mkdir()
    (tmp_path / "shelf" / "a.md").write_text("# A\n\nSee Section 5.\n")
    with deref.open_library(tmp_path / "shelf", library=tmp_path / "gone", settings=SETTINGS) as library:
        (found,) = library.references()
    assert "a.md, p. 1, l. 3" in _text(html(found))
    shutil.rmtree(tmp_path / "gone")
    assert "line 1 of document" in _text(html(found))
    assert not (tmp_path / "gone").exists()


def test_what_is_no_noun_is_refused() -> None:
    for value in (7, "text", [7], None):
        with pytest.raises(TypeError, match="cannot be shown"):
            html(value)


def test_shown_has_the_forms_that_notebooks_look_for(answer: Answer) -> None:
    assert shown(answer)._repr_html_() == html(answer)
    assert shown(answer)._repr_markdown_() == markdown(answer)


# Nothing that a document could do


def _with(text: str) -> Answer:
    origin = Origin(source=text, page=1, line=0, row=1)
    citation = Citation(
        source=text, lines=Span(doc="d", start=0, end=1), page=1, row=1, end_page=1, end_row=1, boxes=(), quote=text,
        arrived=Arrived.REFERENCE, reference=text, referenced_from=origin, section=text,
    )  # fmt: skip
    return Answer(
        text=text, citations=(citation,), pending=(), completeness=Completeness.PARTIAL, problems=(text,)
    )


NASTY = ["<script>alert(1)</script>", '" onmouseover="x', "$a$ and \\(b\\)", "</style><img src=x onerror=y>", "[a](javascript:x)",
         "<https://x.example>", "# head", "- item\n- item", "\u202eevil", "| a | b |\n|---|---|", "&lt;b&gt;", "`code`", "1. x", "***"]  # fmt: skip


@given(
    st.one_of(st.sampled_from(NASTY), st.text(max_size=80), st.text("<>&\"'$\\`*_[]()#-|\n a1.", max_size=60))
)
def test_the_page_holds_no_element_of_a_text(text: str) -> None:
    plain = _Page(html(_with("plain")))
    page = _Page(html(_with(text)))
    assert page.elements <= plain.elements
    assert page.attributes <= plain.attributes
    assert not {"script", "img", "a", "link", "iframe"} & page.elements
    assert "\u202e" not in page.text
    # No two dollar signs are in one run of text.
    assert "$" not in html(_with(text)).replace("<span>$</span>", "")


def test_nothing_comes_from_elsewhere(answer: Answer) -> None:
    assert not [
        mark for mark in ("http:", "https:", "url(", "@import", "src=", "href=") if mark in html(answer)
    ]


@given(
    st.one_of(st.sampled_from(NASTY), st.text(max_size=80), st.text("<>&\"'$\\`*_[]()#-|\n a1.", max_size=60))
)
def test_markdown_shows_a_text_as_it_is(text: str) -> None:
    tokens = MarkdownIt("commonmark").parse(markdown(_with(text)))
    inside = [child for token in tokens for child in token.children or ()]
    kinds = {token.type for token in (*tokens, *inside)}
    assert not kinds & {
        "html_block",
        "html_inline",
        "link_open",
        "image",
        "code_inline",
        "heading_open",
        "fence",
        "hr",
        "code_block",
    }
    assert "ordered_list_open" not in kinds


def test_a_note_in_markdown_stands_in_its_bullet() -> None:
    note = "7 of 9 passages have their vector"
    tokens = MarkdownIt("commonmark").parse(markdown(_with(note)))
    last = max(n for n, token in enumerate(tokens) if token.content == note)
    assert [token.type for token in tokens[last - 2 : last]] == ["list_item_open", "paragraph_open"]


# In IPython itself

_CELL = """
import json, deref
with deref.open_library({folder!r}, library={library!r}) as library:
    answer = library.ask("What is the fee?")
    found = library.search("fee")
    pointer = next(library.references())
get_ipython().display_formatter.active_types = ["text/plain", "text/html", "text/markdown"]  # As a notebook has them.
form = get_ipython().display_formatter.format
said = [form(one)[0] for one in (answer, found, pointer, pointer.reference)]
print("SHOWN", json.dumps(said))
"""


def test_ipython_shows_the_nouns_as_soon_as_deref_is_imported(
    shelf: tuple[Path, Path], tmp_path: Path
) -> None:
    cell = _CELL.format(folder=str(shelf[0]), library=str(shelf[1]))
    done = subprocess.run(
        [sys.executable, "-m", "IPython", "--no-banner", "--quick", "--colors=NoColor", "-c", cell],
        capture_output=True, text=True, check=False, timeout=120,
        env={**os.environ, "IPYTHONDIR": str(tmp_path), "DEREF_MODELS_EMBEDDER": "none"},
    )  # fmt: skip
    line = next((text for text in done.stdout.splitlines() if text.startswith("SHOWN ")), None)
    assert line is not None, done.stdout + done.stderr
    forms: list[dict[str, Any]] = json.loads(line.removeprefix("SHOWN "))
    for form in forms:
        assert {"text/plain", "text/html", "text/markdown"} <= form.keys()
        assert "terms.md, p. 1, l. " in _text(form["text/html"])
