"""`deref explain`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from deref.cli.options import JsonOption, PasswordOption
from deref.cli.streams import say, say_json, say_to
from deref.errors import UsageError
from deref.trace.explain import explain as tell
from deref.trace.read import read_events, recording_of
from deref.trace.tape import RECORDING


def explain(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A trace, written by `deref ask … --trace FILE`.")
    ],
    html: Annotated[
        bool, typer.Option("--html", help="Write one HTML page with the cited pages as pictures.")
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", "-o", metavar="FILE", help="Write the page to this file instead of the terminal."
        ),
    ] = None,
    documents: Annotated[
        Path | None,
        typer.Option(
            "--documents",
            metavar="PATH",
            help="Where the documents lie now, when not where they were indexed.",
        ),
    ] = None,
    password: PasswordOption = None,
    as_json: JsonOption = False,
) -> None:
    """Tell how an answer came about, from its trace.

    That is the question, the stages, each pass, each pointer and what became of it. The page of --html needs nothing else: it shows
    the cited pages of PDFs as pictures where the files are there and unchanged, and else their lines from the trace.

    Example: deref ask contracts/ "What is the fee?" --trace fee.jsonl

    Example: deref explain fee.jsonl

    Example: deref explain fee.jsonl --html -o fee.html
    """
    if html and as_json:
        raise UsageError("--html and --json: give one of the two")
    if not html and (out is not None or documents is not None):
        raise UsageError("--out and --documents are for the page; add --html")
    events = read_events(file)
    if html:
        say_to(out, _page(events, file, documents, password))
    elif as_json:
        say_json([event for event in events if event["kind"] != RECORDING])
    else:
        for line in tell(events):
            say(line + "\n")


def _page(events: list[dict[str, Any]], file: Path, documents: Path | None, password: str | None) -> str:
    from deref.cli.explain_page import as_page
    from deref.cli.explain_sheets import Papers

    whole = events[-1]["kind"] == RECORDING
    recording = recording_of(events, name=str(file)) if whole else None
    home = documents or (Path(recording.home) if recording is not None and recording.home else None)
    if documents is not None and not documents.exists():
        raise UsageError(f"{documents}: no such file or folder; name the one with the documents")
    return as_page(events, recording, Papers(home, password), name=file.name)
