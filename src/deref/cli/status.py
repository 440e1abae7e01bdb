"""`deref status`."""

from __future__ import annotations

from deref.cli.options import JsonOption, LibraryOption, PasswordOption, PathArgument
from deref.cli.shelf import opened
from deref.cli.streams import say, say_json
from deref.cli.tell import styled
from deref.values import Problem


def status(
    path: PathArgument,
    library: LibraryOption = None,
    password: PasswordOption = None,
    as_json: JsonOption = False,
) -> None:
    """List the documents, and what could not be read.

    Pages without text, files that failed, and how far the vectors are stand with them.

    Example: deref status contracts/
    """
    with opened(path, library, password=password, reports=[]) as engine:
        cards = engine.shelf().cards()
        state = engine.progress()
        failed = [f for f in engine.store.files() if f.error is not None]
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
                        "problems": problems[c.id],
                    }
                    for c in cards
                ],
                "failed": [{"source": f.path, "error": f.error} for f in failed],
            }
            say_json(values)
            return
        for card in cards:
            say(f"{styled(card.name, 'cyan')}  {card.title}  ({card.format}, {card.pages} p.)\n")
            for problem in problems[card.id]:
                say(f"  {styled(problem, 'yellow')}\n")
        for file in failed:
            say(f"{styled('not read', 'red')}: {file.error}\n")
        say(
            f"{len(cards)} documents, {state.chunks} passages, {state.embedded} with their vector\n"
            f"library: {engine.store.describe().get('place', '')}\n"
        )


def _told(problem: Problem) -> str:
    return problem.what if problem.page is None else f"page {problem.page}: {problem.what}"
