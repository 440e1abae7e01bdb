"""`deref search`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from deref.cli.options import (
    JsonOption,
    LibraryOption,
    PasswordOption,
    PathArgument,
    StatusOption,
    WaitOption,
    WhereOption,
    asked_where,
)
from deref.cli.shelf import opened
from deref.cli.streams import complain, say, say_json, shortened

if TYPE_CHECKING:
    from deref.trace.events import Event
    from deref.trace.journeys import Step
    from deref.values import Candidate


def search(
    path: PathArgument,
    question: Annotated[
        str, typer.Argument(metavar="QUESTION", help="The question or some words, in quotes.")
    ],
    k: Annotated[
        int | None,
        typer.Option(
            "-k", "--top", min=1, max=100, help="How many passages. Default: the setting retrieve.k."
        ),
    ] = None,
    where: WhereOption = None,
    status: StatusOption = None,
    library: LibraryOption = None,
    wait: WaitOption = False,
    password: PasswordOption = None,
    explain: Annotated[
        bool,
        typer.Option(
            "--explain", help="Tell for each passage how it came in, what moved it, stage by stage, and why."
        ),
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """List passages that bear on a question.

    Those that their references point at stand behind them. Exit code 1 when there is none. docs/retrieval.md tells what
    the stages do.

    Example: deref search contracts/ "termination for convenience" -k 3

    Example: deref search contracts/ "late payment" --explain

    Example: deref search contracts/ fee --where "document:lease* AND page:1"
    """
    admitted = asked_where(where, status)
    events: list[Event] = []
    with opened(path, library, password=password, wait=wait, warm=True) as engine:
        from deref.trace.events import Degraded, LeftOut, Retried, plain

        found = engine.search(question, k=k, where=admitted, emit=events.append)
        for event in events:
            if isinstance(event, Degraded | LeftOut):
                complain(event.what)
            elif explain and isinstance(event, Retried):
                complain(f"the question was asked again, and the {event.kept} attempt was kept: {event.why}")
        for rank, candidate in enumerate(found, start=1):
            values = engine.passage_row(candidate)
            steps = _steps(candidate, events) if explain else None
            if as_json:
                say_json(values if steps is None else {**values, "steps": [plain(s) for s in steps]})
            else:
                say(_told(rank, values, [s.told() for s in steps or ()]))
    if not len(found):
        say("" if as_json else "No passage was found.\n")
        raise typer.Exit(1)


def _steps(candidate: Candidate, events: list[Event]) -> Sequence[Step]:
    from deref.trace.journeys import journey

    return journey(candidate.chunk.id, events)


def _told(rank: int, values: dict[str, Any], steps: list[str]) -> str:
    from deref.cli.tell import styled

    came = []
    for arrival in values["arrivals"]:
        if arrival["reference"]:
            pointer = arrival["reference"]
            came.append(
                f"followed “{pointer['text']}” from {pointer['source']} p. {pointer['page']}, l. {pointer['row']}"
            )
        else:
            score = f" ({arrival['score']:.2f})" if steps and arrival["score"] is not None else ""
            came.append(f"{arrival['by']} #{arrival['rank'] + 1}{score}")
    head = f"{rank}. {styled(values['source'], 'cyan')}, p. {values['page']}, l. {values['row']}  {values['path']}"
    moves = "".join(f"   {styled(step, 'dim')}\n" for step in steps)
    return f"{head}\n   {styled(', '.join(came), 'dim')}\n{moves}   {shortened(values['text'], 300)}\n"
