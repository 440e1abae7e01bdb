"""What goes to the terminal or into a pipe: text that cannot harm a terminal, JSON that any reader takes, errors in one line."""

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path
from typing import Any

_HARMFUL = re.compile(r"\x1b(?!\[(?:0|1|2|31|32|33|36)m)|[\x00-\x08\x0b-\x1a\x1c-\x1f\x7f-\x9f]")
"""Signs by which a document could steer the terminal. Tab, line end and the colours of `styled` stay."""

_BREAKS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]+")


def ready_streams() -> None:
    """Make stdout and stderr take any text; a stream that was closed becomes the null device.

    Otherwise the next file that is opened would get its number, and be written to by whoever prints.
    """
    for number, mode in ((0, os.O_RDONLY), (1, os.O_WRONLY), (2, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, mode)
    sys.stdout = sys.stdout or Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    sys.stderr = sys.stderr or Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]


def say(text: str) -> None:
    """Write text for a person to stdout, as it is; on a terminal, signs that would steer it are shown as escapes."""
    sys.stdout.write(harmless(text) if sys.stdout.isatty() else text)


def harmless(text: str) -> str:
    """Return the text with the signs that steer a terminal shown as escapes. Colours stay."""
    return _HARMFUL.sub(_escaped, text)


def say_json(value: Any) -> None:
    """Write one JSON value and a line end to stdout; in pure ASCII where stdout does not take Unicode."""
    unicode = (sys.stdout.encoding or "").lower().replace("-", "").startswith("utf")
    text = json.dumps(value, ensure_ascii=not unicode, default=str)
    sys.stdout.write(_lone(text) + "\n")


def complain(text: str) -> None:
    """Write one line to stderr; what would break the line is shown as an escape."""
    sys.stderr.write(f"deref: {one_line(text)}\n")


def one_line(text: str) -> str:
    """Return the text with everything that would break or turn a line shown as an escape."""
    return _BREAKS.sub(_escaped, text)


def _escaped(match: re.Match[str]) -> str:
    return match.group().encode("unicode_escape").decode("ascii")


def _lone(text: str) -> str:
    """Write halves of a character, which no encoding takes, as the escapes that JSON has for them."""
    return re.sub("[\ud800-\udfff]", lambda sign: f"\\u{ord(sign.group()):04x}", text)
