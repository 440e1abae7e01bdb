"""Plain text: pages at form feeds, rows as they stand, and the certain parts of its form (`plain`)."""

from __future__ import annotations

from deref.parse.encoding import decode
from deref.parse.plain import read_plain
from deref.values import Parsed


def parse_text(data: bytes, *, doc: str, name: str, password: str | None = None) -> Parsed:
    """Parse plain text in any encoding. `password` is not used.

    Raises UnsupportedFile when the bytes are no text.
    """
    decoded = decode(data, name=name)
    plain = read_plain(decoded.text, doc=doc)
    return Parsed(
        format="text",
        lines=plain.lines,
        marks=plain.marks,
        title=plain.title,
        pages=plain.pages,
        problems=decoded.problems,
    )
