"""Footnotes and the small numbers that call them.

A footnote is what the file marks as one, else a small line at the foot of a page that starts with a number: one that goes
on counting, or one that is called on that page. A call is a number set above the baseline, or written with raised
figures, for which there is a footnote of that number on its page; anything else up there is an exponent. So is a number
behind a variable ("u²") where a word of that page calls the footnote. A footnote with a number holds a word.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from deref.structure.items import Draft
from deref.structure.look import Look
from deref.text.labels import normalize_label
from deref.values import Item, ItemKind, Link, LinkSource, MarkKind, Point

_RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹"
_PLAIN = str.maketrans(_RAISED, "0123456789")
_TAG = rf"(?P<tag>\d{{1,3}}|[{_RAISED}]{{1,3}}|[*†‡§])"
_NOTE = re.compile(rf"^{_TAG}[.)]?\s*(?!(?<=\d)(?:st|nd|rd|th)\b)(?=[^\W\d_]|[\"“(<])")
_NOTE_ALONE = re.compile(rf"^{_TAG}$")
_FIGURES = re.compile(rf"[{_RAISED}]+")
_WORDED = re.compile(r"[^\W\d_]{2}")
_VARIABLE = re.compile(r"(?:^|[\W\d_])(?<![’'])[^\W\d_]$")
_MEASURE = re.compile(r"(?:^|\b[a-z]m?|\s)$")

_LONGEST = 3  # figures

Call = tuple[int, int, int, str]
"""Line, first character, end, and the number in plain figures."""


def find_calls(look: Look) -> list[Call]:
    """Return what may be calls of footnotes, in order of lines."""
    lines = look.parsed.lines
    calls = [(n, a, b, lines[n].text[a:b]) for n, a, b in look.parsed.raised]
    if look.has_sizes:
        calls += [
            (line.n, m.start(), m.end(), m.group().translate(_PLAIN))
            for line in lines
            if not line.text.isascii()
            for m in _FIGURES.finditer(line.text)
            if len(m.group()) <= _LONGEST and not _MEASURE.search(line.text, max(0, m.start() - 3), m.start())
        ]
    return sorted(set(calls))


def find_footnotes(look: Look, closed: Collection[int], calls: Sequence[Call]) -> list[Draft]:
    """Return the footnotes in order of lines: those the file marks, else small numbered lines at the foot of a page."""
    marks = [m for m in look.parsed.marks if m.kind == MarkKind.FOOTNOTE]
    if marks:
        return [_note(look, m.start, m.end, m.label or "") for m in marks]
    if not look.has_sizes:
        return []
    called = {(look.lines[n].page, label) for n, _, _, label in calls}
    out: list[Draft] = []
    expected: int | None = None
    for n, text in enumerate(look.texts):
        if not text or not (text[0].isdigit() or text[0] in "*†‡") or not look.small(n) or n in closed:
            continue
        match = _NOTE.match(text) or (_NOTE_ALONE.match(text) if n + 1 < len(look.lines) else None)
        if not match or not _at_foot(look, n):
            continue
        tag = match["tag"].translate(_PLAIN)
        is_called = (look.lines[n].page, tag) in called
        if not is_called and (n in look.tabular or not look.lines[n].starts_block):
            continue
        if (
            tag.isdigit()
            and not is_called
            and not (
                (expected is None and int(tag) <= 6)
                or int(tag) == 1
                or (expected is not None and expected <= int(tag) <= expected + 2)
            )
        ):
            continue
        end = n + 1
        while end < len(look.lines) and look.lines[end].page == look.lines[n].page and end < n + 8:
            again = _NOTE.match(look.texts[end]) or _NOTE_ALONE.match(look.texts[end])
            if not look.small(end):
                break
            if again and (
                look.lines[end].starts_block
                or (look.lines[end].page, again["tag"].translate(_PLAIN)) in called
            ):
                break
            end += 1
        if tag.isdigit():
            if not _WORDED.search(" ".join(look.texts[n:end])):
                continue
            expected = int(tag) + 1
        out.append(_note(look, n, end, tag))
    return out


def _at_foot(look: Look, n: int) -> bool:
    """Whether nothing but small type follows below on the page, page numbers aside; the next column stands beside it."""
    page, box = look.lines[n].page, look.lines[n].box
    for after in range(n + 1, min(n + 25, len(look.lines))):
        if look.lines[after].page != page:
            return True
        other = look.lines[after].box
        if box is not None and other is not None and other.top < box.top:
            return True
        if not look.small(after) and len(look.texts[after]) > 12:
            return False
    return True


def _note(look: Look, start: int, end: int, tag: str) -> Draft:
    text = " ".join(" ".join(look.texts[start:end]).split())
    match = _NOTE.match(text)
    label = normalize_label(tag or (match["tag"] if match else "")) or tag or None
    caption = text[match.end() :] if match else text
    return Draft(kind=ItemKind.FOOTNOTE, label=label, caption=caption[:200], start=start, end=end)


def call_links(look: Look, calls: Sequence[Call], items: Sequence[Item], doc: str) -> Iterator[Link]:
    """Yield the calls that have their footnote on their page, as links to it."""
    notes = {
        (look.lines[i.lines.start].page, i.label): i for i in items if i.kind is ItemKind.FOOTNOTE and i.label
    }
    called = [(call, note) for call in calls if (note := notes.get((look.lines[call[0]].page, call[3])))]
    worded = {note.id for call, note in called if not _is_power(look, call)}
    for call, note in called:
        n, start, end, _ = call
        if note.id not in worded or not _is_power(look, call):
            at = Point(doc=doc, line=n, char_start=start, char_end=end)
            yield Link(at=at, target=note.lines, source=LinkSource.CALL)


def _is_power(look: Look, call: Call) -> bool:
    """Whether a raised number stands right behind a variable: "u²"."""
    n, start, _, _ = call
    return _VARIABLE.search(look.parsed.lines[n].text, max(0, start - 2), start) is not None
