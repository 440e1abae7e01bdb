"""Whether a sub-paragraph is missing for sure: "(e)(4)" where (e) visibly ends at (3).

Marks of one form are read at the beginnings of lines, "(1)", "1." or "1)". They tell what is missing only when they
run from the first without a gap; any other list is one that was not read whole, and tells nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from deref.references.narrowing import sub_paragraph
from deref.text.labels import is_roman, roman_value
from deref.text.lazy import lazy
from deref.values import Document, Span

_MARK = lazy(r"[\s#>*_\[–—•-]*(?:\d{1,3}\.\s+)?(?:\(([A-Za-z]{1,5}|\d{1,3})\)|([A-Za-z]|\d{1,3})[.)](?!\d))")
_SECOND = lazy(r"\s*\(([A-Za-z]{1,5}|\d{1,3})\)")
_LONGEST = 60


def lacks(document: Document, span: Span, parts: Sequence[str]) -> str | None:
    """Return the last mark that is there, "(3)", when a sub-paragraph of the lines is missing for sure; else None."""
    inside = span
    for n, part in enumerate(parts):
        found = sub_paragraph(document, inside, (part,))
        if found is not None:
            inside = found
            continue
        last = _ends_before(document, inside, part)
        # A list in a list may have cut the part short: a mark that stands anywhere behind is not missing.
        rest = Span(doc=span.doc, start=inside.start, end=span.end)
        if last is None or sub_paragraph(document, rest, (part,)) is not None:
            return None
        return "".join(f"({p})" for p in (*parts[:n], last))
    return None


def _ends_before(document: Document, span: Span, part: str) -> str | None:
    """Return the last mark of a run from the first that has no such part."""
    marks = [m for n in range(span.start, span.end) for m in _marks(document.lines[n].text)]
    for value in _readings(part):
        wanted = value(part)
        run: list[str] = []
        for mark in marks:
            if len(run) < _LONGEST and value in _readings(mark) and value(mark) == len(run) + 1:
                run.append(mark)
        if len(run) >= 2:
            return run[-1] if wanted > len(run) else None
    return None


def _marks(text: str) -> list[str]:
    first = _MARK.match(text)
    if first is None:
        return []
    found = [first[1] or first[2]]
    at = first.end()
    while (more := _SECOND.match(text, at)) is not None:
        found.append(more[1])
        at = more.end()
    return found


def _number(mark: str) -> int:
    return int(mark)


def _small(mark: str) -> int:
    return ord(mark) - ord("a") + 1


def _large(mark: str) -> int:
    return ord(mark) - ord("A") + 1


def _readings(mark: str) -> tuple[Callable[[str], int], ...]:
    """Return the ways to count a mark, each a function of its own so that equal ways are the same object."""
    if mark.isdigit():
        return (_number,)
    if len(mark) == 1:
        letter = _small if mark.islower() else _large
        return (letter, roman_value) if is_roman(mark) else (letter,)
    return (roman_value,) if is_roman(mark) else ()
