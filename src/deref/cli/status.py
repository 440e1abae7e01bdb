"""`deref status`."""

from __future__ import annotations

from typing import Annotated

import typer

from deref.cli.options import JsonOption, LibraryOption, PasswordOption, PathArgument
from deref.cli.shelf import opened, passed_over
from deref.cli.streams import counted, one_line, say, say_json
from deref.cli.tell import styled
from deref.engine import Engine
from deref.errors import UsageError
from deref.values import EVERYTHING, Problem

_NAMED = 10
"""Files passed over of one ending that are named; `--json` names all."""


def status(
    path: PathArgument,
    mark: Annotated[
        tuple[str, str] | None,
        typer.Option(
            "--mark",
            metavar="FILE STATUS",
            help="Mark a document as active, superseded or withdrawn.",
        ),
    ] = None,
    by: Annotated[
        str | None,
        typer.Option("--by", metavar="FILE", help="With --mark FILE superseded: what supersedes it."),
    ] = None,
    library: LibraryOption = None,
    password: PasswordOption = None,
    as_json: JsonOption = False,
) -> None:
    """List the documents, what they are worth today, and what could not be read.

    Pages without text, files that failed, and how far the vectors are stand with them. A document that is superseded or
    withdrawn says so, and how that is known: docs/filters.md tells more. --mark sets it, and holds for these bytes
    under any name, until the next --mark.

    Example: deref status contracts/

    Example: deref status contracts/ --mark old.pdf superseded --by new.pdf
    """
    with opened(path, library, password=password, lists=True) as engine:
        if mark is not None:
            engine.mark(mark[0], mark[1], by=by)
        elif by is not None:
            raise UsageError(f"--by {by}: it goes with --mark FILE superseded")
        cards = engine.shelf().cards()
        state = engine.progress()
        failed = [f for f in engine.store.files(EVERYTHING) if f.error is not None]
        problems = {c.id: [_told(p) for p in engine.read(c.id).problems] for c in cards}
        if as_json:
            values = {
                **engine.store.describe(),
                "chunks": state.chunks,
                "embedded": state.embedded,
                "documents": [
                    {
                        "source": c.name,
                        "title": c.title,
                        "aliases": list(c.aliases),
                        "format": c.format,
                        "pages": c.pages,
                        "status": c.status,
                        "successor": c.successor,
                        "status_why": c.status_why,
                        "problems": problems[c.id],
                    }
                    for c in cards
                ],
                "marks_without_document": _idle(engine),
                "failed": [{"source": f.path, "error": f.error} for f in failed],
                "passed_over": [file for files in passed_over(path).values() for file in files],
            }
            say_json(values)
            return
        for card in cards:
            say(f"{styled(card.name, 'cyan')}  {card.title}  ({card.format}, {card.pages} p.)\n")
            if card.status != "active":
                by_which = f" by {card.successor}" if card.successor else ""
                say(f"  {styled(card.status + by_which, 'yellow')}: {card.status_why}\n")
            for problem in problems[card.id]:
                say(f"  {styled(problem, 'yellow')}\n")
        for name in _idle(engine):
            say(
                f"{styled('mark', 'yellow')}: {name} was marked, and is gone or has changed since; mark it anew\n"
            )
        for file in failed:
            say(f"{styled('not read', 'red')}: {file.error}\n")
        for ending, files in passed_over(path).items():
            more = f" and {len(files) - _NAMED} more" if len(files) > _NAMED else ""
            say(
                f"passed over for their ending, {ending or 'none'}: {', '.join(map(one_line, files[:_NAMED]))}{more}\n"
            )
        kept = engine.store.describe()
        say(
            f"{counted(len(cards), 'document')}, {counted(state.chunks, 'passage')}, {state.embedded} with their vector\n"
            f"library: {kept.get('place', '')}\n"
        )
        if str(kept["catalogue"]).startswith("postgresql:"):
            say(f"catalogue: {kept['catalogue']}\n")


def _idle(engine: Engine) -> list[str]:
    """Return the names of documents that were marked and that are not on the shelf with these bytes any more."""
    held = {card.id for card in engine.shelf().cards()}
    return [mark.name for mark in engine.store.marks(EVERYTHING) if mark.doc not in held]


def _told(problem: Problem) -> str:
    return problem.what if problem.page is None else f"page {problem.page}: {problem.what}"
