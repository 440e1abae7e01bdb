"""`deref graph`."""

from __future__ import annotations

import sys
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from deref.cli.options import JsonOption, LibraryOption, PasswordOption, PathArgument
from deref.cli.progress import ProgressSink
from deref.cli.shelf import opened
from deref.cli.streams import json_text, save, say
from deref.cli.tell import styled
from deref.errors import UsageError
from deref.values import Status

if TYPE_CHECKING:
    from deref.references.graph import DocumentMap, PlaceGraph

_PICTURED = 40
_TOLD = 10
_MOST = 200
_NOWHERE = frozenset({"external", "dangling", "unresolved"})


class Level(StrEnum):
    """What the nodes are: places, or whole documents."""

    SECTION = "section"
    DOCUMENT = "document"


class Format(StrEnum):
    """What is written."""

    TEXT = "text"
    JSON = "json"
    GRAPHML = "graphml"
    DOT = "dot"
    SVG = "svg"
    PNG = "png"


def graph(
    path: PathArgument,
    level: Annotated[
        Level,
        typer.Option("--level", help="section: documents, sections and items; document: documents only."),
    ] = Level.SECTION,
    form: Annotated[
        Format | None,
        typer.Option(
            "--format",
            help="text: hubs and cycles; json, graphml, dot: the graph; svg, png: a picture. Default: by the name of --out, else text.",
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Write to this file, not to the terminal.")
    ] = None,
    start: Annotated[
        str | None, typer.Option("--from", metavar="PLACE", help="Where a trail begins, e.g. 'Section 3.5'.")
    ] = None,
    end: Annotated[
        str | None, typer.Option("--to", metavar="PLACE", help="Where it ends, e.g. 'fees.pdf Table 2'.")
    ] = None,
    top: Annotated[
        int | None,
        typer.Option(
            "--top", min=2, max=_MOST, help=f"Hubs listed, {_TOLD} if not given; places drawn, {_PICTURED}."
        ),
    ] = None,
    library: LibraryOption = None,
    password: PasswordOption = None,
    as_json: JsonOption = False,
) -> None:
    """Tell what points at what: hubs, cycles, the shortest trail between two places; or write the graph or a picture.

    A trail is made of resolved references. Exit code 1 when there is none.

    Example: deref graph contracts/ --from "Section 3.5" --to "Exhibit B"

    Example: deref graph contracts/ --level document --out map.svg
    """
    form = _form(form, out, as_json)
    _check_trail(level, form, start, end)
    if form in (Format.SVG, Format.PNG):
        from deref.references.graph_picture import require_matplotlib

        require_matplotlib()
    with opened(path, library, password=password) as engine:
        with ProgressSink() as progress:
            places = engine.graph(step=partial(progress.show, "References"))
        if start is None or end is None:
            _write(_whole(places, level, form, top), form, out)
            return
        from deref.references.graph_reading import trail

        ends = engine.place_named(places, start), engine.place_named(places, end)
        steps = trail(places, *ends)
        _write(_trail(places, ends, steps, form), form, out)
        if steps is None:
            raise typer.Exit(1)


def _form(form: Format | None, out: Path | None, as_json: bool) -> Format:
    """Return the format that the options ask for. Raises UsageError where they contradict each other."""
    if as_json and form not in (None, Format.JSON):
        raise UsageError(f"--json and --format {form}: give one of the two")
    if form is None:
        named = out.suffix[1:].casefold() if out is not None else ""
        form = Format.JSON if as_json else next((f for f in Format if f.value == named), Format.TEXT)
    if form is Format.PNG and out is None:
        raise UsageError("--format png: a picture is no text; name a file for it, e.g. --out map.png")
    return form


def _check_trail(level: Level, form: Format, start: str | None, end: str | None) -> None:
    if (start is None) != (end is None):
        raise UsageError("a trail has two ends: give both --from and --to")
    if start is not None and level is Level.DOCUMENT:
        raise UsageError(
            "a trail goes from place to place: leave out --level document; --from and --to may name documents"
        )
    if start is not None and form not in (Format.TEXT, Format.JSON):
        raise UsageError(f"--format {form}: a trail is written as text or json")


def _whole(graph: PlaceGraph, level: Level, form: Format, top: int | None) -> str | bytes:
    from deref.references.graph import document_map
    from deref.references.graph_forms import as_dot, as_graphml, as_json
    from deref.references.graph_reading import with_degrees

    if form is Format.TEXT:
        return _summary(graph, document_map(graph), level, top or _TOLD)
    chosen = graph if level is Level.SECTION else document_map(graph)
    with_degrees(chosen)
    match form:
        case Format.JSON:
            return json_text(as_json(chosen, top=top or _TOLD))
        case Format.GRAPHML:
            return as_graphml(chosen)
        case Format.DOT:
            return as_dot(chosen).encode("utf-8", "backslashreplace")
        case _:
            from deref.references.graph_picture import picture

            return picture(chosen, form=form.value, top=top or _PICTURED)


def _write(told: str | bytes, form: Format, out: Path | None) -> None:
    """Write to the file, or to stdout: text as `say` does, forms for programs as they are."""
    if out is not None:
        save(out, told if isinstance(told, bytes) else told.encode("utf-8", "backslashreplace"))
    elif isinstance(told, bytes):
        sys.stdout.flush()
        sys.stdout.buffer.write(told)
    elif form is Format.TEXT:
        say(told)
    else:
        sys.stdout.write(told)


# Text for people


def _summary(graph: PlaceGraph, documents: DocumentMap, level: Level, top: int) -> str:
    from deref.references.graph_reading import cycles, hubs, statuses

    chosen = graph if level is Level.SECTION else documents
    kinds = [d["kind"] for _, d in graph.nodes(data=True)]
    off = sum(kind in _NOWHERE for kind in kinds)
    counted = ", ".join(f"{n} {status}" for status, n in statuses(graph).items() if n)
    own = len({d["reference"] for d in graph.graph["own"]})
    told = [
        f"{kinds.count('document')} documents, {len(kinds) - off} places in all, {graph.graph['references']} references"
        + (f": {counted}" if counted else "")
        + (f". {own} of them point at the place they stand in." if own else ".")
    ]
    told += _told_hubs("Most pointed at", hubs(chosen, top), level)
    told += _told_hubs("Most cited, not on the shelf", hubs(chosen, top, Status.EXTERNAL), level)
    rings = cycles(chosen)
    if rings:
        told += ["", styled("Cycles", "bold")]
        told += [f"  {r['places']} that reach each other: {' → '.join(r['cycle'])}" for r in rings[:top]]
        if len(rings) > top:
            told.append(f"  and {len(rings) - top} more; --top {min(len(rings), _MOST)} lists them")
    return "\n".join(told) + "\n"


def _told_hubs(title: str, rows: list[dict[str, Any]], level: Level) -> list[str]:
    if not rows:
        return []
    whence = "documents" if level is Level.DOCUMENT else "places"
    head = f"{title} (references, from how many {whence})"
    return ["", styled(head, "bold")] + [
        f"  {row['references_in']:>5} {row['places_in']:>5}  {row['node'].removeprefix('external: ')}"
        for row in rows
    ]


def _trail(graph: PlaceGraph, ends: tuple[str, str], steps: list[dict[str, Any]] | None, form: Format) -> str:
    from deref.references.graph import enclosing

    if form is Format.JSON:
        return json_text({"from": ends[0], "to": ends[1], "found": steps is not None, "trail": steps or []})
    head = styled(f"{ends[0]} → {ends[1]}", "bold")
    if steps is None:
        return f"{head}\n  There is no trail of resolved references from the one to the other.\n"
    if not steps:
        return f"{head}\n  The one is inside the other: no reference is needed.\n"
    told = [
        f"  {n}. {s['source']}, p. {s['page']}, l. {s['row']} ({graph.nodes[s['from']]['name']}): “{s['text']}” → {s['to']}"
        for n, s in enumerate(steps, start=1)
    ]
    reached = steps[-1]["to"]
    if reached != ends[1]:
        inner, outer = (ends[1], reached) if reached in enclosing(graph, ends[1]) else (reached, ends[1])
        told.append(f"  {inner} is inside {outer}.")
    return "\n".join([head, *told]) + "\n"
