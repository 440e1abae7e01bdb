"""`deref search`."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from deref.cli.options import JsonOption, LibraryOption, PasswordOption, PathArgument, WaitOption
from deref.cli.shelf import opened
from deref.cli.streams import say, say_json
from deref.cli.tell import styled
from deref.engine import Engine
from deref.values import Candidate


def search(
    path: PathArgument,
    question: Annotated[
        str, typer.Argument(metavar="QUESTION", help="The question or some words, in quotes.")
    ],
    k: Annotated[int, typer.Option("-k", "--top", min=1, max=100, help="How many passages.")] = 5,
    library: LibraryOption = None,
    wait: WaitOption = False,
    password: PasswordOption = None,
    as_json: JsonOption = False,
) -> None:
    """List passages that bear on a question.

    Those that their references point at stand behind them. Exit code 1 when there is none.

    Example: deref search contracts/ "termination for convenience" -k 3
    """
    with opened(path, library, password=password, wait=wait, warm=True) as engine:
        found = engine.search(question, k=k)
        for rank, candidate in enumerate(found, start=1):
            values = _values(engine, candidate)
            if as_json:
                say_json(values)
            else:
                say(_told(rank, values))
    if not len(found):
        raise typer.Exit(1)


def _values(engine: Engine, candidate: Candidate) -> dict[str, Any]:
    document = engine.read(candidate.chunk.lines.doc)
    first = document.lines[candidate.chunk.lines.start]
    last = document.lines[candidate.chunk.lines.end - 1]
    return {
        "source": document.name,
        "page": first.page,
        "row": first.row,
        "end_page": last.page,
        "end_row": last.row,
        "lines": [candidate.chunk.lines.start, candidate.chunk.lines.end],
        "path": candidate.chunk.path,
        "text": candidate.chunk.text,
        "arrivals": [
            {
                "by": a.by,
                "rank": a.rank,
                "score": a.score,
                "reference": engine.row(a.reference) if a.reference else None,
            }
            for a in candidate.arrivals
        ],
    }


def _told(rank: int, values: dict[str, Any]) -> str:
    came = []
    for arrival in values["arrivals"]:
        if arrival["reference"]:
            pointer = arrival["reference"]
            came.append(
                f"followed “{pointer['text']}” from {pointer['source']} p. {pointer['page']}, l. {pointer['row']}"
            )
        else:
            came.append(f"{arrival['by']} #{arrival['rank'] + 1}")
    head = f"{rank}. {styled(values['source'], 'cyan')}, p. {values['page']}, l. {values['row']}  {values['path']}"
    text = " ".join(values["text"].split())
    return f"{head}\n   {styled(', '.join(came), 'dim')}\n   {text[:300]}{'…' if len(text) > 300 else ''}\n"
