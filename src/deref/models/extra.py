"""What the extra `models` brings, imported when it is first needed; without it, one error with the line that installs it."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

from deref.errors import ModelError

INSTALL = 'pip install -e ".[models]" in the checkout of Deref'


def must_be_there(module: str) -> None:
    """Tell at once that the extra is not installed, without the seconds that it takes to import. Raises ModelError."""
    if find_spec(module) is None:
        raise ModelError(f"language models need the extra `models`, and {module} is not installed: {INSTALL}")


def needed(module: str) -> Any:
    """Return a module of the extra. Raises ModelError when it is not installed."""
    try:
        return import_module(module)
    except ImportError as error:
        raise ModelError(
            f"language models need the extra `models`, and {error.name or module} is not installed: {INSTALL}"
        ) from error
