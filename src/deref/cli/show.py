"""`deref show`."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from deref.cli.options import JsonOption, LibraryOption, PasswordOption, PathArgument
from deref.cli.shelf import opened
from deref.cli.streams import say, say_json
from deref.cli.tell import styled
from deref.references.named_spans import named_spans
from deref.values import Document, Span


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
        for span in named_spans(document, lines=lines, page=page, section=section, item=item, option="--"):
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
