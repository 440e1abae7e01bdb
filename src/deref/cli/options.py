"""The arguments and options that commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

PathArgument = Annotated[
    Path,
    typer.Argument(metavar="PATH", help="A folder or a file. It is indexed first when it is new or changed."),
]
LibraryOption = Annotated[
    Path | None,
    typer.Option(
        "--library",
        metavar="DIR",
        help="Where the library of PATH is kept. Default: DEREF_LIBRARY, else a folder of its own in the user's data.",
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]
PasswordOption = Annotated[
    str | None,
    typer.Option("--password", envvar="DEREF_PASSWORD", help="The password of encrypted files."),
]
WaitOption = Annotated[bool, typer.Option("--wait", help="Wait until every passage has its vector.")]
