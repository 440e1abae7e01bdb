"""`deref refs`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Annotated, Any

import typer

from deref.cli.options import JsonOption, LibraryOption, PasswordOption, PathArgument, each
from deref.cli.progress import ProgressSink
from deref.cli.shelf import opened
from deref.cli.streams import say, say_json
from deref.cli.tell import styled, tell_change, tell_reference
from deref.cli.when import read_when
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
            help="Only resolved, ambiguous, external, dangling or unresolved ones, or several: dangling,ambiguous.",
        ),
    ] = None,
    links: Annotated[
        bool, typer.Option("--links/--no-links", help="Let native links of the files decide.")
    ] = True,
    changed_since: Annotated[
        str | None,
        typer.Option(
            "--changed-since",
            metavar="WHEN",
            help="Only those that came to another end then: a date (2026-03-31), a date and time (2026-03-31T14:00), "
            "how long ago (90m, 2h, 3d, 1w), or last, for before the last run that changed the library.",
        ),
    ] = None,
    library: LibraryOption = None,
    password: PasswordOption = None,
    as_json: JsonOption = False,
) -> None:
    """List each reference, where it points, or why it does not.

    With --changed-since, list what changed: each reference whose status, target or tier is not what it was, both
    outcomes, and the document that arrived, left, was renamed or changed; references that are new or gone are
    marked so. Both are resolved anew, against the documents of then and of now.

    --json prints one object a line; docs/json.md tells its fields.

    Example: deref refs contracts/ --status dangling

    Example: deref refs contracts/ --changed-since 2d
    """
    known = {s.value for s in Status}
    wanted = each(status)
    for one in wanted:
        if one not in known:
            raise UsageError(f"--status {one}: no such status; use one of {', '.join(sorted(known))}")
    with opened(path, library, password=password) as engine, ProgressSink() as progress:
        rows: Iterable[dict[str, Any]]
        if changed_since is None:
            tell = tell_reference
            rows = (
                engine.row(r) for r in engine.references(source or (), links=links) if _fits(r.status, wanted)
            )
        else:
            tell = tell_change
            since_ns = read_when(changed_since, engine.store.history())
            changes = engine.changes(
                since_ns, source or (), links=links, step=partial(progress.show, "Comparing")
            )
            rows = (row for row in changes if _fits(row["status"], wanted))
        count = _print(rows, tell, as_json)
    if not count and not as_json:
        same = "No reference comes to another end than it did then.\n"
        say("There is no such reference here.\n" if changed_since is None else same)


def _fits(status: str, wanted: list[str]) -> bool:
    return not wanted or status in wanted


def _print(rows: Iterable[dict[str, Any]], tell: Callable[[dict[str, Any]], str], as_json: bool) -> int:
    """Print rows as they come, and return how many there were."""
    shown, count = "", 0
    for row in rows:
        count += 1
        if as_json:
            say_json(row)
            continue
        if row["source"] != shown:
            shown = row["source"]
            say(styled(shown, "bold") + "\n")
        say(f"  {tell(row)}\n".replace("\n    ", "\n      "))
    return count
