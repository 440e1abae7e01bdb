"""The files of the page: no markup is made of text, nothing comes from elsewhere, nothing is inline, all are there."""

from __future__ import annotations

import re

import pytest

from deref.serve.server import web_folder

FOLDER = web_folder()
FILES = {
    path.relative_to(FOLDER).as_posix(): path.read_text() for path in FOLDER.rglob("*") if path.is_file()
}
SCRIPTS = [name for name in FILES if name.endswith(".js")]
MARKUP_FROM_TEXT = re.compile(
    r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|createContextualFragment|setHTML"
    r"|\beval\(|new Function|srcdoc|javascript:"
)


@pytest.mark.parametrize("name", SCRIPTS)
def test_no_script_makes_markup_of_text(name: str) -> None:
    assert MARKUP_FROM_TEXT.findall(FILES[name]) == []


@pytest.mark.parametrize("name", sorted(FILES))
def test_nothing_comes_from_elsewhere(name: str) -> None:
    addresses = set(re.findall(r"https?://[^\s\"'`)]+", FILES[name])) - {"http://www.w3.org/2000/svg"}
    assert addresses == set()
    assert len(FILES[name].splitlines()) <= 420


def test_nothing_is_inline_in_the_page() -> None:
    page = FILES["index.html"]
    assert re.findall(r"<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)", page) == []


def test_what_is_named_is_there() -> None:
    named = set(re.findall(r'(?:href|src)="([\w/]+\.\w+)"', FILES["index.html"]))
    for name in SCRIPTS:
        named |= set(re.findall(r'(?:from|import\()\s*"\./([\w./]+)"', FILES[name]))
    assert named <= set(FILES)
    assert set(SCRIPTS) <= named
