"""`deref sessions`: list, show, export and delete the sessions of a library."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from deref.cli.options import JsonOption, LibraryOption, PasswordOption, PathArgument
from deref.cli.shelf import opened
from deref.cli.streams import counted, json_text, say, say_json, say_to
from deref.errors import LibraryDamaged

NameArgument = Annotated[
    str,
    typer.Argument(metavar="NAME", help="The session, as it was called with `deref ask … --session NAME`."),
]


class Form(StrEnum):
    """What a session is exported as."""

    MARKDOWN = "markdown"
    JSON = "json"


sessions = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode=None,
    help="List, show, export and delete sessions: questions that were asked one after the other, with their answers.\n\n"
    'Example: deref ask contracts/ "What is the fee?" --session fees\n\n'
    "Example: deref sessions show contracts/ fees",
)


@sessions.command()
def list(
    path: PathArgument,
    library: LibraryOption = None,
    password: PasswordOption = None,
    as_json: JsonOption = False,
) -> None:
    """List the sessions of a library, the one that was asked last first; one that cannot be read is an error after the others.

    Example: deref sessions list contracts/
    """
    from deref.conversations import Conversations
    from deref.session_text import iso, moment

    with opened(path, library, password=password) as engine:
        conversations = Conversations(engine)
        names = conversations.names()
        if not names and not as_json:
            say(f'No sessions yet. `deref ask {path} "…" --session NAME` begins one.\n')
        damaged: LibraryDamaged | None = None
        for name in names:
            try:
                turns = conversations.read(name).turns
            except LibraryDamaged as error:
                damaged = damaged or error
                continue
            if as_json:
                said = {"session": name, "turns": len(turns), "first": turns[0].question}
                say(json_text({**said, "asked_at": iso(turns[-1].asked_at)}))
            else:
                say(
                    f"{name}: {counted(len(turns), 'question')}, last {moment(turns[-1].asked_at)}; {turns[0].question}\n"
                )
        if damaged is not None:
            raise damaged


@sessions.command()
def show(
    path: PathArgument,
    name: NameArgument,
    library: LibraryOption = None,
    password: PasswordOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show the questions and answers of a session, oldest first, and what became of the documents that they cite.

    Example: deref sessions show contracts/ fees
    """
    from deref.conversations import Conversations
    from deref.session_text import as_text, session_values

    with opened(path, library, password=password) as engine:
        conversations = Conversations(engine)
        session = conversations.read(name)
        positions = [conversations.positions(turn) for turn in session.turns]
    if as_json:
        say_json(session_values(session, positions))
    else:
        say(as_text(session, positions))


@sessions.command()
def export(
    path: PathArgument,
    name: NameArgument,
    form: Annotated[
        Form, typer.Option("--format", help="markdown for people, json with every position.")
    ] = Form.MARKDOWN,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE", help="Write to this file instead of the terminal."),
    ] = None,
    library: LibraryOption = None,
    password: PasswordOption = None,
) -> None:
    """Write a session as a Markdown document or as JSON.

    Example: deref sessions export contracts/ fees -o fees.md
    """
    from deref.conversations import Conversations
    from deref.session_text import as_markdown, session_values

    with opened(path, library, password=password) as engine:
        conversations = Conversations(engine)
        session = conversations.read(name)
        positions = [conversations.positions(turn) for turn in session.turns]
    text = (
        as_markdown(session, positions)
        if form is Form.MARKDOWN
        else json_text(session_values(session, positions))
    )
    say_to(out, text)


@sessions.command()
def delete(
    path: PathArgument,
    name: NameArgument,
    library: LibraryOption = None,
    password: PasswordOption = None,
) -> None:
    """Drop a session. The documents and their library stay as they are.

    Example: deref sessions delete contracts/ fees
    """
    from deref.conversations import Conversations

    with opened(path, library, password=password) as engine:
        Conversations(engine).delete(name)
    say(f"The session {name} is deleted.\n")
