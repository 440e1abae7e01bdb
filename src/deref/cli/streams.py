"""What goes to the terminal or into a pipe: text that cannot harm a terminal, JSON that any reader takes, errors in one line."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import sys
import unicodedata
from pathlib import Path
from typing import Any

from deref.errors import InputError
from deref.text.lazy import lazy

_HARMFUL = lazy(r"\x1b(?!\[(?:0|1|2|31|32|33|36)m)|[\x00-\x08\x0b-\x1a\x1c-\x1f\x7f-\x9f]")
"""Signs by which a document could steer the terminal. Tab, line end and the colours of `styled` stay."""

_COLOUR = lazy(r"\x1b\[\d+m")

_BREAKS = lazy("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]+")


def ready_streams() -> None:
    """Make stdout and stderr take any text; a stream that was closed becomes the null device.

    Otherwise the next file that is opened would get its number, and be written to by whoever prints.
    """
    for number, mode in ((0, os.O_RDONLY), (1, os.O_WRONLY), (2, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, mode)
    # They stay open for as long as the process runs, so there is no block for them to be closed at the end of.
    sys.stdout = sys.stdout or Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    sys.stderr = sys.stderr or Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def shows_colours() -> bool:
    """Tell whether stdout is a terminal that takes colours, and whose owner wants them (NO_COLOR)."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def say(text: str) -> None:
    """Write text for a person to stdout, as it is.

    On a terminal, signs that would steer it are shown as escapes, and lines are broken between words.
    """
    if sys.stdout.isatty():
        text = folded(harmless(text), shutil.get_terminal_size().columns)
    sys.stdout.write(text)


def folded(text: str, width: int) -> str:
    """Return the text with lines of more columns than `width` broken between words.

    What follows in an indented line stands four columns further in. A word that is wider than the line is left to the
    terminal.
    """
    return "\n".join(_folded_line(line, width) for line in text.split("\n"))


def _folded_line(line: str, width: int) -> str:
    if _columns(line) <= width:
        return line
    indent = len(line) - len(line.lstrip(" "))
    further = " " * (indent + 4) if indent and indent + 4 < width // 2 else ""
    rows: list[str] = []
    row, used = "", 0
    for word in re.findall(r" *[^ ]+| +$", line):
        wide = _columns(word)
        if row and used + wide > width:
            rows.append(row)
            row, used = further + word.lstrip(" "), len(further) + _columns(word.lstrip(" "))
        else:
            row, used = row + word, used + wide
    return "\n".join([*rows, row])


def _columns(text: str) -> int:
    """Return how many columns a terminal gives the text. Colours take none, wide signs two, marks over a letter none."""
    plain = _COLOUR.sub("", text).expandtabs()
    if plain.isascii():
        return len(plain)
    return sum(
        0 if unicodedata.combining(sign) else 2 if unicodedata.east_asian_width(sign) in "WF" else 1
        for sign in plain
    )


def harmless(text: str) -> str:
    """Return the text with the signs that steer a terminal shown as escapes. Colours stay."""
    return _HARMFUL.sub(_escaped, text)


def say_to(out: Path | None, text: str) -> None:
    """Write text to a file in UTF-8, to stdout as `say` does without one. Raises InputError where it cannot be written."""
    if out is None:
        say(text)
    else:
        save(out, text.encode("utf-8", "replace"))


def save(out: Path, data: bytes) -> None:
    """Write to a file. Raises InputError where it cannot be written."""
    try:
        out.write_bytes(data)
    except OSError as error:
        raise InputError(
            f"{out}: cannot be written ({error.strerror}); name a file in a folder that is there"
        ) from error


def say_json(value: Any) -> None:
    """Write one JSON value and a line end to stdout; in pure ASCII where stdout does not take Unicode."""
    sys.stdout.write(json_text(value))


def json_text(value: Any) -> str:
    """Return one JSON value and a line end; in pure ASCII where stdout does not take Unicode."""
    unicode = (sys.stdout.encoding or "").lower().replace("-", "").startswith("utf")
    text = json.dumps(value, ensure_ascii=not unicode, default=str)
    return _lone(text) + "\n"


def shortened(text: str, most: int) -> str:
    """Return the text on one line, in at most so many characters; "…" stands for words that are left out."""
    words = " ".join(text.split())
    if len(words) <= most:
        return words
    kept, _, _ = words[:most].rpartition(" ")
    return f"{kept or words[: most - 1]}…"


def counted(count: int, what: str) -> str:
    """Return how many of what: "1 file", "2 files"."""
    return f"{count} {what}{'s' * (count != 1)}"


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
