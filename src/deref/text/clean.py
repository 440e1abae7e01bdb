"""Text that runs over lines, read as one string, with a way back to the lines.

`join_lines` puts lines together as a reader would: line ends become one space, a hyphen at a line end is undone when a
small letter follows it on the next line ("recurrent and convolu-" + "tional" → "convolutional"), soft hyphens and other
invisible signs vanish, and odd spaces become plain ones. Each character keeps its origin, so a match in the joined text goes back
to a `Point` in the verbatim lines.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

from deref.values import Line, Point

# Every one of these is one character for one character, so offsets stay.
_FOLD = str.maketrans({
    **{c: " " for c in "\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000\t\r\n\v\f\ufffc"},
})  # fmt: skip
_SOFT = "\u00ad\ufffe"  # soft hyphen; what PDF text layers put for a hyphen at a line end
_HYPHEN_SIGNS = frozenset("-\u2010" + _SOFT)
INVISIBLE = "\u00ad\u200b\u200e\u200f\u2060\ufeff\ufffe"
"""Signs that are no part of any word or number: soft hyphens, spaces without width, marks of direction."""


def fold_spaces(text: str) -> str:
    """Return the text with every odd space as a plain one; the length and all offsets stay."""
    # Of the odd ones only U+FFFC is printable. Most lines have none, and to see that takes a tenth of the time.
    return text if text.isprintable() and "\ufffc" not in text else text.translate(_FOLD)


class Joined(NamedTuple):
    """Joined text and the way back. `starts[i]` is the joined offset at which piece i begins.

    Piece i is a run of characters taken one for one from line `pieces[i][0]` starting at `pieces[i][1]`; a space put
    for a line end belongs to no piece's text and maps to the end of the line before it.
    """

    text: str
    starts: tuple[int, ...]
    pieces: tuple[tuple[Line, int], ...]

    def locate(self, offset: int) -> tuple[Line, int]:
        """Return the line and the character in it at a joined offset.

        Raises IndexError for empty text or an offset outside 0..len(text).
        """
        if not self.pieces or not 0 <= offset <= len(self.text):
            raise IndexError(f"offset {offset} is outside the joined text of {len(self.text)} characters")
        at = bisect_right(self.starts, offset) - 1
        line, start = self.pieces[at]
        return line, min(start + offset - self.starts[at], len(line.text))

    def point(self, start: int, end: int) -> Point:
        """Return where joined characters start..end (half-open, not empty) stand in the verbatim lines.

        Raises IndexError as `locate` does, and ValueError for an empty range.
        """
        if end <= start:
            raise ValueError(f"characters {start}..{end} are an empty range")
        first, a = self.locate(start)
        last, b = self.locate(end - 1)
        same = first.n == last.n
        return Point(
            doc=first.doc, line=first.n, char_start=a, char_end=min(b + 1, len(last.text)),
            end_line=None if same else last.n,
        )  # fmt: skip


def join_lines(lines: Sequence[Line]) -> Joined:
    """Join lines (one block, or any run of lines) into one text with a map back to them."""
    text, starts, pieces = join_texts([line.text for line in lines])
    return Joined(text=text, starts=tuple(starts), pieces=tuple((lines[n], begin) for n, begin in pieces))


def join_texts(texts: Sequence[str]) -> tuple[str, list[int], list[tuple[int, int]]]:
    """Join the texts of lines; return as `Joined` has them the text, the starts, and the pieces by number of the line."""
    parts: list[str] = []
    pieces: list[tuple[int, int]] = []
    folded = [fold_spaces(text) for text in texts]
    last = len(folded) - 1
    for n, text in enumerate(folded):
        begin = len(text) - len(text.lstrip()) if n else 0
        body = text.rstrip()
        glued = body[-1:] in _HYPHEN_SIGNS and (
            body[-1] in _SOFT or (n < last and body[-2:-1].isalpha() and folded[n + 1].lstrip()[:1].islower())
        )
        stop = len(body) - 1 if glued else (len(body) if n < last else len(text))
        run = begin
        for soft in () if text.isascii() else (i for i in range(begin, stop) if text[i] in INVISIBLE):
            if soft > run:
                parts.append(text[run:soft])
                pieces.append((n, run))
            run = soft + 1
        if stop > run or not text:
            parts.append(text[run:stop])
            pieces.append((n, run))
        if n < last and not glued:
            parts.append(" ")
            pieces.append((n, len(body)))
    starts = [0, *accumulate(map(len, parts))][: len(parts)]
    return "".join(parts), starts, pieces


def verbatim(lines: Sequence[Line], point: Point) -> str:
    """Return the text at a point of consecutive lines as people read it: line ends as one space."""
    base = lines[0].n
    first = lines[point.line - base].text
    if point.last_line == point.line:
        return first[point.char_start : point.char_end]
    middle = [lines[n - base].text.strip() for n in range(point.line + 1, point.last_line)]
    last = lines[point.last_line - base].text[: point.char_end]
    return " ".join([first[point.char_start :].rstrip(), *middle, last.lstrip()])
