"""`deref replay`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from deref.cli.options import JsonOption
from deref.cli.streams import say, say_json


def replay(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A trace, written by `deref ask … --trace FILE`.")
    ],
    as_json: JsonOption = False,
) -> None:
    """Ask the question of a trace again, from the trace alone, and tell whether the same happens.

    Neither library nor documents nor models are needed: what they answered is in the trace. Compared are the events and the
    answer, the clock aside. Exit code 0: the same; 1: it differs, and where first.

    Example: deref ask contracts/ "What is the fee?" --trace fee.jsonl

    Example: deref replay fee.jsonl
    """
    from deref.replaying import replay as run

    replayed = run(file)
    if as_json:
        say_json(
            {
                "same": replayed.same,
                "difference": replayed.difference,
                "events": replayed.events,
                "calls": replayed.calls,
                "notes": list(replayed.notes),
            }
        )
    else:
        compared = f"{replayed.events} events, {replayed.calls} calls answered from the trace"
        say(f"The same again: {compared}.\n" if replayed.same else f"It differs: {replayed.difference}.\n")
        say("".join(f"Note: {note}.\n" for note in replayed.notes))
    if not replayed.same:
        raise typer.Exit(1)
