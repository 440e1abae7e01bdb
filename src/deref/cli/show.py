"""`deref show`."""

from __future__ import annotations

import re
from typing import Annotated, Any

import typer

from deref.cli.options import JsonOption, LibraryOption, PasswordOption, PathArgument
from deref.cli.shelf import opened
from deref.cli.streams import say, say_json
from deref.cli.tell import styled
from deref.errors import NoSuchSource, UsageError
from deref.text.labels import normalize_label
from deref.values import Document, ItemKind, Span


def show(
    path: PathArgument,
    source: Annotated[
        str, typer.Argument(metavar="SOURCE", help="The document, as `deref status` names it.")
    ],
    lines: Annotated[
        str | None, typer.Option("--lines", metavar="A-B", help="0-based lines A to B, B not included.")
    ] = None,
    page: Annotated[
        int | None, typer.Option("--page", min=1, help="A page, 1-based, as counted in the file.")
    ] = None,
    section: Annotated[
        str | None, typer.Option("--section", metavar="LABEL", help="A section, e.g. 3.2.")
    ] = None,
    item: Annotated[
        str | None, typer.Option("--item", metavar="'KIND LABEL'", help="An item, e.g. 'table 3'.")
    ] = None,
    library: LibraryOption = None,
    password: PasswordOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show lines of a document, with page, line and section path.

    Example: deref show contracts/ msa.pdf --section 7.2
    """
    with opened(path, library, password=password) as engine:
        document = engine.document_named(source)
        for span in _spans(document, lines=lines, page=page, section=section, item=item):
            values = _values(document, span)
            if as_json:
                say_json(values)
            else:
                head = f"{document.name}, p. {values['page']}  {' > '.join(values['path'])}"
                say(styled(head, "bold") + "\n")
                for line in document.lines[span.start : span.end]:
                    mark = styled(f"{line.page:>4}:{line.row:<4}", "dim")
                    say(f"{mark} {line.text}\n")


def _values(document: Document, span: Span) -> dict[str, Any]:
    first = document.lines[span.start]
    path = [" ".join(p for p in (s.label, s.title) if p) for s in document.section_path(span.start)]
    return {
        "source": document.name,
        "title": document.title,
        "page": first.page,
        "row": first.row,
        "lines": [span.start, span.end],
        "path": path,
        "text": document.text(span),
    }


def _spans(
    document: Document, *, lines: str | None, page: int | None, section: str | None, item: str | None
) -> list[Span]:
    if sum(x is not None for x in (lines, page, section, item)) > 1:
        raise UsageError("give one of --lines, --page, --section, --item, not several")
    if lines is not None:
        match = re.fullmatch(r"(\d{1,9})-(\d{1,9})", lines)
        if not match or not int(match[1]) < int(match[2]) <= len(document.lines):
            raise UsageError(
                f"--lines {lines}: write A-B with 0 <= A < B <= {len(document.lines)}, e.g. --lines 0-10"
            )
        return [Span(doc=document.id, start=int(match[1]), end=int(match[2]))]
    if page is not None:
        on = [line.n for line in document.lines if line.page == page]
        if not on:
            raise NoSuchSource(f"{document.name}: no text on page {page}; it has {document.pages} page(s)")
        return [Span(doc=document.id, start=on[0], end=on[-1] + 1)]
    if section is not None:
        found = [s.lines for s in document.sections_labelled(normalize_label(section))]
        if not found:
            known = ", ".join(s.label for s in document.sections if s.label)[:200]
            raise NoSuchSource(
                f"{document.name}: no section {section}; it has {known or 'none with a label'}"
            )
        return found
    if item is not None:
        return _items(document, item)
    if not document.lines:
        raise NoSuchSource(f"{document.name}: no text in it; run OCR on its pages")
    return [Span(doc=document.id, start=0, end=len(document.lines))]


def _items(document: Document, item: str) -> list[Span]:
    kind, _, label = item.partition(" ")
    if kind.casefold() not in {k.value for k in ItemKind} or not label:
        raise UsageError(f"--item {item!r}: write a kind and a label, e.g. --item 'table 3'")
    found = [i.lines for i in document.items_labelled(ItemKind(kind.casefold()), normalize_label(label))]
    if not found:
        known = ", ".join(f"{i.kind.value} {i.label}" for i in document.items if i.label)[:200]
        raise NoSuchSource(f"{document.name}: no {item}; it has {known or 'no items'}")
    return found
