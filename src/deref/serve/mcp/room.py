"""Room for text in one result: what does not fit is cut between lines, and it is said what was left out and how to get it.

A model reads all that a tool gives it, so a result has room for so many characters, and each text in it for so many.
"""

from __future__ import annotations

from deref.values import Document, Span

MOST_IN_ALL = 40_000
MOST_EACH = 8_000


class Room:
    """The room of one result, in characters."""

    def __init__(self, in_all: int = MOST_IN_ALL, each: int = MOST_EACH) -> None:
        """Take how many characters there is room for in all, and for each text."""
        self._free, self._each = in_all, each
        self.left_out: list[str] = []

    def fit(self, text: str, what: str, how: str) -> str:
        """Return as much of a text as fits, whole lines where one fits; `what` it is and `how` the rest is got is kept for `left_out`."""
        room = max(0, min(self._free, self._each))
        if len(text) <= room:
            self._free -= len(text)
            return text
        cut = text.rfind("\n", 0, room + 1)
        kept = text[: cut if cut > 0 else room]
        self._free -= len(kept)
        self.left_out.append(f"{what}: {len(text) - len(kept)} of {len(text)} characters are left out; {how}")
        return kept

    def lines(self, document: Document, span: Span, what: str) -> tuple[str, Span]:
        """Return the lines of a span that fit, each with `page:row` before it, and the span of those; one line at the least."""
        room = max(0, min(self._free, self._each))
        told: list[str] = []
        used = 0
        for line in document.lines[span.start : span.end]:
            text = f"{line.page}:{line.row} {line.text}"
            if used + len(text) + 1 > room:
                break
            used += len(text) + 1
            told.append(text)
        last = span.start + len(told)
        if last < span.end and not told:
            line, last = document.lines[span.start], span.start + 1
            told.append(self.fit(f"{line.page}:{line.row} {line.text}", what, "it is one very long line"))
            used = 0
        if last < span.end:
            self.left_out.append(
                f"{what}: {span.end - last} of {len(span)} lines are left out; open {document.name!r} with lines={last}-{span.end}"
            )
        self._free -= used
        return "\n".join(told), Span(doc=span.doc, start=span.start, end=last)
