"""The names of WordprocessingML in the form lxml gives them, and how its on/off values read."""

from __future__ import annotations

from typing import Any

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
VAL = f"{W}val"
_LONGEST_NUMBER = 10


def child_value(element: Any, *path: str) -> str | None:
    """Return the w:val of the element under a path of child names, or None."""
    for name in path:
        if element is None:
            return None
        element = element.find(W + name)
    return None if element is None else element.get(VAL)


def is_on(element: Any, name: str) -> bool | None:
    """Return what an on/off property says, or None when it is not set here."""
    found = None if element is None else element.find(W + name)
    if found is None:
        return None
    return found.get(VAL, "true") not in ("0", "false", "off", "none")


def number(text: str | None) -> int | None:
    """Return a whole number, or None for anything else, and for one that is larger than any that Word counts with."""
    try:
        return None if text is None or len(text) > _LONGEST_NUMBER else int(text)
    except ValueError:
        return None
