"""`deref refs`."""

from __future__ import annotations

from typing import Annotated

import typer

from deref.cli.options import JsonOption, LibraryOption, PasswordOption, PathArgument
from deref.cli.shelf import opened
from deref.cli.streams import say, say_json
from deref.cli.tell import styled, tell_reference
from deref.errors import UsageError
from deref.values import Status


def refs(
    path: PathArgument,
    source: Annotated[
        list[str] | None, typer.Option("--source", help="Only this document; may be given again.")
    ] = None,
    status: Annotated[
        list[str] | None,
        typer.Option(
            "--status",
            help="Only resolved, ambiguous, external, dangling or unresolved ones; may be given again.",
        ),
    ] = None,
    links: Annotated[
        bool, typer.Option("--links/--no-links", help="Let native links of the files decide.")
    ] = True,
    library: LibraryOption = None,
    password: PasswordOption = None,
    as_json: JsonOption = False,
) -> None:
    """List each reference, where it points, or why it does not.

    --json prints one object a line; docs/json.md tells its fields.

    Example: deref refs contracts/ --status dangling
    """
    known = {s.value for s in Status}
    for wanted in status or ():
        if wanted not in known:
            raise UsageError(f"--status {wanted}: no such status; use one of {', '.join(sorted(known))}")
    shown = ""
    with opened(path, library, password=password) as engine:
        for resolution in engine.references(source or (), links=links):
            if status and resolution.status.value not in status:
                continue
            row = engine.row(resolution)
            if as_json:
                say_json(row)
                continue
            if row["source"] != shown:
                shown = row["source"]
                say(styled(shown, "bold") + "\n")
            say(f"  {tell_reference(row)}\n")
