"""`deref explain`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from deref.cli.options import JsonOption
from deref.cli.streams import say, say_json
from deref.trace.explain import explain as tell
from deref.trace.read import read_events
from deref.trace.tape import RECORDING


def explain(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A trace, written by `deref ask … --trace FILE`.")
    ],
    as_json: JsonOption = False,
) -> None:
    """Tell how an answer came about, from its trace.

    That is the question, the stages, each pass, each pointer and what became of it.

    Example: deref ask contracts/ "What is the fee?" --trace fee.jsonl; deref explain fee.jsonl
    """
    events = read_events(file)
    if as_json:
        say_json([event for event in events if event["kind"] != RECORDING])
        return
    for line in tell(events):
        say(line + "\n")
