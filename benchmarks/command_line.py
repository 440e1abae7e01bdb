"""The command line of a benchmark: its help is the docstring of its module as it is written, and bad input is told in one line."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

from deref.errors import DerefError

BAD_INPUT = 2


def command_line(docstring: str | None) -> argparse.ArgumentParser:
    """Return the parser of the module that is run, which has this docstring."""
    spec = sys.modules["__main__"].__spec__
    name = spec.name.removesuffix(".__main__") if spec is not None else "benchmarks"
    return argparse.ArgumentParser(
        prog=f"python -m {name}",
        description=docstring,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )


def there(said: str) -> Path:
    """Return the path of a file or folder that has to be there. Raises ArgumentTypeError."""
    path = Path(said)
    if not path.exists():
        raise argparse.ArgumentTypeError(f"{said}: there is no such file or folder")
    return path


def some(said: str) -> int:
    """Return a number of things, one or more. Raises ArgumentTypeError."""
    if not re.fullmatch(r"0*[1-9]\d*", said):
        raise argparse.ArgumentTypeError(f"{said}: it takes a whole number, 1 or more")
    return int(said)


def run(main: Callable[[], int | None]) -> NoReturn:
    """Run a benchmark and leave with its exit code, 0 when it gives none; with 2 and one line for what a person can mend."""
    try:
        code = main() or 0
    except (DerefError, FileNotFoundError) as error:
        print(f"benchmark: {error}", file=sys.stderr)
        code = BAD_INPUT
    raise SystemExit(code)
