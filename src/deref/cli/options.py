"""The arguments and options that commands share."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from deref.values.filters import Filter


def _named(said: str) -> Path:
    """Return the path. An empty one, as of a variable that is not set, would mean the working folder."""
    if not said:
        raise typer.BadParameter("it is empty; write . for the working folder")
    return Path(said)


PathArgument = Annotated[
    Path,
    typer.Argument(
        metavar="PATH",
        parser=_named,
        help="A folder or a file. It is indexed first when it is new or changed.",
    ),
]
LibraryOption = Annotated[
    Path | None,
    typer.Option(
        "--library",
        metavar="DIR",
        parser=_named,
        help="Where the library of PATH is kept. Default: DEREF_LIBRARY, else a folder of its own in the user's data.",
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]
PasswordOption = Annotated[
    str | None,
    typer.Option("--password", envvar="DEREF_PASSWORD", help="The password of encrypted files."),
]
WhereOption = Annotated[
    str | None,
    typer.Option(
        "--where",
        metavar="FILTER",
        help="Answer only from what passes: FIELD:VALUE joined by AND, OR, NOT and brackets. Fields: document, collection, "
        "section, page, date, kind, status; docs/filters.md tells their values.",
    ),
]
StatusOption = Annotated[
    str | None,
    typer.Option(
        "--status",
        metavar="STATUS",
        help="Answer from documents that are active (the default), superseded, withdrawn, or all.",
    ),
]
HostOption = Annotated[
    str, typer.Option("--host", metavar="ADDRESS", help="Where to listen. Any but loopback needs tokens.")
]
PortOption = Annotated[int, typer.Option("--port", min=0, max=65535, help="0 takes a free one.")]
WaitOption = Annotated[bool, typer.Option("--wait", help="Wait until every passage has its vector.")]


def each(said: Sequence[str] | None) -> list[str]:
    """Return what an option was given that may be given again: "a,b" says as much as giving it twice."""
    return [one.strip() for text in said or () for one in text.split(",")]


def asked_where(where: str | None, status: str | None) -> Filter | str | None:
    """Return the filter that --where and --status say together; None without either. Raises UsageError."""
    if where is None and status is None:
        return None
    from deref.text.where import read_where, status_test

    found = None if where is None else read_where(where)
    if status is None:
        return where
    test = status_test(status, said="--status ")
    return test if found is None else found & test
