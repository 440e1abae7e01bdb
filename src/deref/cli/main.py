"""`deref`: the application, its exit codes, and what becomes of an error.

Exit codes: 0 answered; 1 not found, or answered in part; 2 a usage or input error; 3 the library or a model cannot
serve; 130 interrupted. Errors go to stderr in one line that names the file, the place and the fix.
"""

from __future__ import annotations

import gc
import os
import sys
from typing import Annotated

import typer

from deref import __version__
from deref.cli.ask import ask
from deref.cli.evaluate import evaluate
from deref.cli.explain import explain
from deref.cli.index import index
from deref.cli.refs import refs
from deref.cli.search import search
from deref.cli.show import show
from deref.cli.status import status
from deref.errors import DerefError, InputError

app = typer.Typer(
    name="deref",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    help="Ask a folder of documents, and get the text its references point at, both ends cited to the line.\n\n"
    'Example: deref ask contracts/ "What is the monthly fee?"',
)
for command in (ask, search, refs, show, index, status, explain, evaluate):
    app.command()(command)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"deref {__version__}")
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and leave.")
    ] = False,
) -> None:
    """Take the options that belong to no command."""


def run() -> None:
    """Run the command line and leave with its exit code."""
    # A question from the shell is over in a third of a second; collecting garbage meanwhile is a tenth of it.
    gc.set_threshold(200_000, 20, 20)
    code = _run()
    sys.stdout.flush()
    sys.stderr.flush()
    # Libraries with threads of their own take longer to take down than the question took.
    os._exit(code)


def _run() -> int:
    try:
        app()
    except SystemExit as left:
        return left.code if isinstance(left.code, int) else int(left.code is not None)
    except DerefError as error:
        sys.stderr.write(f"deref: {error}\n")
        return 2 if isinstance(error, InputError) else 3
    except KeyboardInterrupt:
        sys.stderr.write("deref: interrupted; what was stored is kept\n")
        return 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


if __name__ == "__main__":
    run()
