"""`deref index`."""

from __future__ import annotations

from collections import Counter
from typing import Annotated

import typer

from deref.cli.options import JsonOption, LibraryOption, PasswordOption, PathArgument, WaitOption
from deref.cli.shelf import opened
from deref.cli.streams import counted, say, say_json
from deref.trace.events import FileRead, plain


def index(
    path: PathArgument,
    library: LibraryOption = None,
    wait: WaitOption = False,
    rebuild: Annotated[
        bool, typer.Option("--rebuild", help="Drop what is stored and read everything anew.")
    ] = False,
    force: Annotated[
        bool, typer.Option("--force", help="Read every file again, also those that look unchanged.")
    ] = False,
    password: PasswordOption = None,
    as_json: JsonOption = False,
) -> None:
    """Index a folder or a file: read what changed, drop what is gone.

    Every other command does this first, so you need it only to do it ahead of time or to --wait for the vectors.

    Example: deref index contracts/ --wait
    """
    rows: list[FileRead] = []
    with opened(
        path, library, password=password, wait=wait, rebuild=rebuild, force=force, reports=rows
    ) as engine:
        state = engine.progress()
    if as_json:
        for row in rows:
            say_json(plain(row))
    else:
        counts = Counter(row.outcome for row in rows)
        told = ", ".join(f"{n} {outcome}" for outcome, n in sorted(counts.items())) or "nothing to read"
        say(f"{told}; {counted(state.chunks, 'passage')}, {state.embedded} with their vector\n")
    if rows and all(row.outcome == "failed" for row in rows):
        raise typer.Exit(2)
