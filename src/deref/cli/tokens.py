"""`deref tokens`: who may call `deref serve`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from deref.cli.options import JsonOption
from deref.cli.streams import complain, say, say_json
from deref.serve.access import Role

if TYPE_CHECKING:
    from deref.serve.tokens import TokenFile

FileOption = Annotated[
    Path | None,
    typer.Option(
        "--token-file", metavar="FILE", help="Where the tokens are. Default: in the user's data folder."
    ),
]


def add(
    label: Annotated[str, typer.Argument(metavar="LABEL", help="Whom or what it is for.")],
    role: Annotated[
        Role,
        typer.Option("--role", help="read: asks; write: also uploads and indexes; admin: also sees metrics."),
    ] = Role.READ,
    collection: Annotated[
        list[str] | None,
        typer.Option(
            "--collection", metavar="NAME", help="Sees only this one; may be given again. Default: all."
        ),
    ] = None,
    library: Annotated[
        list[str] | None,
        typer.Option(
            "--library-id", metavar="ID", help="Sees only this library; may be given again. Default: all."
        ),
    ] = None,
    token_file: FileOption = None,
) -> None:
    """Make a token. It is printed once, and only its hash is kept.

    Example: deref tokens add "Ada, HR" --role write --collection hr
    """
    token, secret = _file(token_file).add(label, role, collections=collection, libraries=library)
    say(f"{secret}\n")
    complain(f"the token {token.id} is shown only now; send it as: Authorization: Bearer …")


def list_tokens(token_file: FileOption = None, as_json: JsonOption = False) -> None:
    """List the tokens, without what they are.

    Example: deref tokens list
    """
    every = _file(token_file).tokens()
    if not every and not as_json:
        say("No tokens yet. `deref tokens add LABEL` makes one.\n")
    for token in every:
        row = {
            "id": token.id, "label": token.label, "role": token.role.value, "collections": token.collections,
            "libraries": token.libraries, "created": token.created,
        }  # fmt: skip
        if as_json:
            say_json(row)
        else:
            seen = (
                "all collections"
                if token.collections is None
                else ", ".join(token.collections) or "no collection"
            )
            where = "" if token.libraries is None else f" of {', '.join(token.libraries)}"
            say(f"{token.id}  {token.role.value:5}  {token.label}: {seen}{where} (since {token.created})\n")


def remove(
    token: Annotated[str, typer.Argument(metavar="TOKEN", help="Its id, or its label.")],
    token_file: FileOption = None,
) -> None:
    """Remove a token: it is refused from now on.

    Example: deref tokens remove 3f9a01c2
    """
    gone = _file(token_file).remove(token)
    say(f"removed {gone.id}  {gone.label}\n")


def _file(named: Path | None) -> TokenFile:
    from deref.serve.tokens import TokenFile, default_token_file

    return TokenFile(named or default_token_file())


list_tokens.__name__ = "list"
tokens = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Say who may call `deref serve`: add, list and remove tokens.\n\n"
    'Example: deref tokens add "Ada, HR" --role write --collection hr',
)
for command in (add, list_tokens, remove):
    tokens.command()(command)
