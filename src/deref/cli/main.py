"""`deref`: the application, its exit codes, and what becomes of an error.

Exit codes: 0 answered; 1 not found, or answered in part; 2 a usage or input error; 3 the library or a model cannot
serve; 130 interrupted. Errors go to stderr in one line that names the file, the place and the fix.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from importlib import import_module
from inspect import unwrap
from typing import Annotated

import click
import typer
import typer.core
from typer.core import TyperArgument, TyperCommand, TyperGroup
from typer.main import get_command

from deref import __version__
from deref.cli import INTERRUPTED, INTERRUPTED_CODE
from deref.cli.streams import complain, ready_streams, say
from deref.errors import DerefError, InputError

_REFUSED: type[typer.BadParameter] = typer.BadParameter.__mro__[2]
"""What Typer raises for arguments that it does not take; it has no public name of its own."""

COMMANDS = (
    "ask",
    "search",
    "refs",
    "check",
    "graph",
    "show",
    "index",
    "status",
    "explain",
    "replay",
    "sessions",
    "serve",
    "mcp",
    "tokens",
    "evaluate",
)
"""In the order of the help; each is the function, or the group, of that name in the module of that name beside this one."""


def functions_of(command: str) -> dict[str, Callable[..., None]]:
    """Return the functions behind a command by what is typed for them, loading its module: one, or those of a group."""
    found = _named(command)
    if not isinstance(found, typer.Typer):
        return {command: found}
    callbacks = [c.callback for c in found.registered_commands if c.callback is not None]
    return {f"{command} {callback.__name__}": callback for callback in callbacks}


def _named(command: str) -> Callable[..., None] | typer.Typer:
    found: Callable[..., None] | typer.Typer = getattr(import_module(f"deref.cli.{command}"), command)
    return found


# The help is plain text. Where rich is installed Typer escapes brackets for it all the same: "\[required]".
typer.core.HAS_RICH = False


class _Command(TyperCommand):
    """A command whose help tells what its arguments are: Click 8.5 forgets what Typer has said of them."""

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        from typer.utils import get_params_from_function

        assert self.callback is not None
        said = get_params_from_function(unwrap(self.callback))
        for param in self.params:
            if isinstance(param, TyperArgument) and param.name in said:
                param.help = param.help or said[param.name].default.help
        super().format_help(ctx, formatter)

    def format_arguments(self, _ctx: click.Context, _formatter: click.HelpFormatter) -> None:
        """Write nothing: Click 8.5 asks for the arguments here, and Typer has them written with the options."""


class _Commands(TyperGroup):
    """The commands, each loaded when it is asked for: a question does not pay for the modules of the others."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            # The suggestion for a mistyped name is chosen among those that are loaded.
            for name in COMMANDS:
                self.get_command(ctx, name)
        elif cmd_name not in self.commands:
            found = _named(cmd_name)
            if not isinstance(found, typer.Typer):
                alone = typer.Typer(add_completion=False, rich_markup_mode=None)
                alone.command()(found)
                found = alone
            for registered in found.registered_commands:
                registered.cls = _Command
            self.commands[cmd_name] = get_command(found)
        return self.commands.get(cmd_name)


app = typer.Typer(
    name="deref",
    cls=_Commands,
    suggest_commands=False,  # Click does it.
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Ask a folder of documents, and get the text its references point at, both ends cited to the line.\n\n"
    'Example: deref ask contracts/ "What is the monthly fee?"',
)


def _version(wanted: bool) -> None:
    if wanted:
        say(f"deref {__version__}\n")
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
    # Warnings of a library written in Rust are no lines of ours.
    os.environ.setdefault("LANCE_LOG", "error")
    # The threads that numpy's library for matrices starts spin for longer than a command multiplies.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    ready_streams()
    if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, signal.default_int_handler)
    code = _guarded(_flushed, _guarded(_invoked, 0))
    if code == INTERRUPTED_CODE:
        sys.exit(code)  # Worker processes that were cut short are put away on this way only.
    # Libraries with threads of their own take longer to take down than the question took.
    os._exit(code)


def _guarded(action: Callable[[int], int], code: int) -> int:
    """Return the exit code of an action; what it raises becomes one line and a code of its own."""
    try:
        return action(code)
    except SystemExit as left:
        # Typer leaves so when the reader of a pipe is gone, which is no failure.
        return left.code if isinstance(left.code, int) and left.code != 1 else 0
    except DerefError as error:
        complain(str(error))
        return 2 if isinstance(error, InputError) else 3
    except (KeyboardInterrupt, typer.Abort):
        return _interrupted()
    except BrokenPipeError:
        return code
    except _REFUSED as error:
        return _refused(error)
    except OSError as error:
        complain(f"{error.filename or 'output'}: {error.strerror or error}; check permissions and free space")
        return 2


def _invoked(_code: int) -> int:
    left = app(standalone_mode=False)
    return _interrupted() if left == INTERRUPTED_CODE else left if isinstance(left, int) else 0


def _flushed(code: int) -> int:
    sys.stdout.flush()
    sys.stderr.flush()
    return code


def _interrupted() -> int:
    complain(INTERRUPTED)
    return INTERRUPTED_CODE


def _refused(error: typer.BadParameter) -> int:
    """Tell in one line what is wrong with the arguments; without any, show the help, of a group of commands too."""
    context = error.ctx
    if context is not None and error.message == context.get_help():
        sys.stderr.write(f"{error.message}\n")
        return 2
    command = context.command_path if context is not None else "deref"
    told = error.format_message().rstrip(".")
    if told.startswith("Got unexpected extra argument"):
        told += "; words that belong together go in quotes"
    complain(f"{told}{' ' if told.endswith('?') else '; '}`{command} --help` tells what it takes")
    return 2


if __name__ == "__main__":
    run()
