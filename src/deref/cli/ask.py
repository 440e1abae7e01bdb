"""`deref ask`. What reads and tells answers is imported once the model is being loaded, beside it."""

from __future__ import annotations

from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from deref.cli.options import (
    JsonOption,
    LibraryOption,
    PasswordOption,
    PathArgument,
    StatusOption,
    WaitOption,
    WhereOption,
    asked_where,
)
from deref.cli.shelf import opened
from deref.cli.streams import say_json
from deref.trace.sinks import trace_file


def ask(
    path: PathArgument,
    question: Annotated[str, typer.Argument(metavar="QUESTION", help="The question, in quotes.")],
    where: WhereOption = None,
    status: StatusOption = None,
    library: LibraryOption = None,
    budget: Annotated[
        int | None,
        typer.Option("--budget", min=0, max=3, help="Passes after the first that follow references."),
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(
            "--model",
            metavar="NAME",
            help="Have this language model write, e.g. ollama/qwen3:4b (docs/models.md).",
        ),
    ] = None,
    trace: Annotated[
        Path | None,
        typer.Option(
            "--trace",
            metavar="FILE",
            help="Write the trace: `deref explain FILE` tells it, `deref replay FILE` does it again.",
        ),
    ] = None,
    session: Annotated[
        str | None,
        typer.Option(
            "--session",
            metavar="NAME",
            help="Ask as the next question of this session, and keep it; `deref sessions` shows them.",
        ),
    ] = None,
    wait: WaitOption = False,
    password: PasswordOption = None,
    as_json: JsonOption = False,
) -> None:
    """Ask a question of a folder or a file.

    The answer quotes the documents, follows the references that matter to the question, cites both ends of each, and
    says of every pointer that it could not follow why not. Exit code 0: answered; 1: not found, or only in part.

    Example: deref ask contracts/ "What is the monthly fee, and from when?"

    Example: deref ask contracts/ "And from when?" --session fees

    Example: deref ask contracts/ "The fee?" --where kind:table --status all
    """
    admitted = asked_where(where, status)
    with ExitStack() as stack:
        out = None if trace is None else stack.enter_context(trace_file(trace))
        engine = stack.enter_context(
            opened(path, library, password=password, wait=wait, warm=True, model=model)
        )
        from deref.answer.wire import answer_values
        from deref.cli.tell import tell_answer
        from deref.values import Completeness

        asks = engine.ask
        if session is not None:
            from deref.conversations import Conversations

            asks = partial(Conversations(engine).ask, session)
        answer = asks(question, where=admitted, budget=budget, trace=out)
        if as_json:
            say_json(answer_values(answer, engine.row))
        else:
            tell_answer(answer, engine.row)
    if answer.completeness is not Completeness.COMPLETE:
        raise typer.Exit(1)
