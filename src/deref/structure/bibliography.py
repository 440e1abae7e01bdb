"""Lists of references and footnotes: entries with the tag or number that the text calls them by.

The file's marks come first. Otherwise entries are looked for under a heading that names such a list: "[12] …",
"[RFC9000] …", or "12. …" in sequence, each up to the next entry; where there are neither, those that begin with names
and hold a year (`authored`). Footnotes are small lines at the foot of a page that
start with a number which goes on counting.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Sequence

from deref.structure.authored import authored_entries
from deref.structure.items import Draft
from deref.structure.look import Look
from deref.text.labels import normalize_label
from deref.values import ItemKind, MarkKind, Section

_HEADING = re.compile(
    r"^(?:(?:normative|informative|selected|cited|further|general)\s+)?(?:references?|bibliography|works cited|literature(?: cited)?|literatur(?:verzeichnis)?"
    r"|références|bibliographie|referencias|bibliografía|bibliografia|riferimenti|literatuur|referências)(?: cited| and notes| and further reading)?$",
    re.IGNORECASE,
)
_TAGGED = re.compile(r"^\[(?P<tag>[^\[\]\s][^\[\]]{0,40})\](?=\s|$)\s*")
_NUMBERED = re.compile(r"^(?P<tag>\d{1,3})[.)]?\s+(?=[A-Z\"“])")
_NOTE = re.compile(r"^(?P<tag>\d{1,3}|[*†‡§])[.)]?\s*(?=[^\W\d_]|[\"“(<])")
_NOTE_ALONE = re.compile(r"^(?P<tag>\d{1,3}|[*†‡§])$")
_LONGEST_ENTRY = 14


def find_bibliography(look: Look, sections: Sequence[Section]) -> list[Draft]:
    """Return the entries of the lists of references, in order of lines."""
    out = [
        _entry(look, m.start, m.end, m.label or "")
        for m in look.parsed.marks
        if m.kind == MarkKind.BIBLIOGRAPHY and m.label
    ]
    known = {n for d in out for n in range(d.start, d.end)}
    starts = [s.lines.start for s in sections]
    for section in sections:
        if not _HEADING.match(section.title.strip(" .:")):
            continue
        start, stop = section.lines.start, section.lines.end
        if not known or known.isdisjoint(range(start, stop)):
            children = starts[bisect_right(starts, start) : bisect_left(starts, stop)]
            found = _listed(look, start + 1, stop, frozenset(children))
            out += found
            known.update(n for d in found for n in range(d.start, d.end))
    out.sort(key=lambda d: d.start)
    return out


def _listed(look: Look, start: int, stop: int, breaks: frozenset[int]) -> list[Draft]:
    tagged = sum(bool(_TAGGED.match(look.texts[n])) for n in range(start, stop) if look.texts[n][:1] == "[")
    heads: list[tuple[int, str]] = []
    expected = 1
    for n in range(start, stop):
        text = look.texts[n]
        if tagged:
            match = _TAGGED.match(text) if text[:1] == "[" else None
            if match:
                heads.append((n, match["tag"]))
        elif text[:1].isdigit():
            match = _NUMBERED.match(text)
            if match and int(match["tag"]) == expected:
                heads.append((n, match["tag"]))
                expected += 1
    if not tagged and len(heads) < 2:
        return [_entry(look, n, end, label) for n, end, label in authored_entries(look, start, stop, breaks)]
    out: list[Draft] = []
    for i, (n, tag) in enumerate(heads):
        limit = heads[i + 1][0] if i + 1 < len(heads) else min(stop, n + _LONGEST_ENTRY)
        end = n + 1
        last = i + 1 == len(heads)
        while end < min(limit, n + _LONGEST_ENTRY) and end not in breaks:
            if last and look.lines[end].starts_block and end > n + 1:
                break
            end += 1
        out.append(_entry(look, n, end, tag))
    return out


def _entry(look: Look, start: int, end: int, tag: str) -> Draft:
    text = " ".join(" ".join(look.texts[start:end]).split())
    match = _TAGGED.match(text)
    caption = text[match.end() :] if match else text
    return Draft(
        kind=ItemKind.BIBLIOGRAPHY,
        label=normalize_label(tag) or tag,
        caption=caption[:200],
        start=start,
        end=end,
    )


def find_footnotes(look: Look, closed: Collection[int]) -> list[Draft]:
    """Return the footnotes in order of lines: those the file marks, else small numbered lines at the foot of a page."""
    marks = [m for m in look.parsed.marks if m.kind == MarkKind.FOOTNOTE]
    if marks:
        return [_note(look, m.start, m.end, m.label or "") for m in marks]
    if not look.has_sizes:
        return []
    out: list[Draft] = []
    expected: int | None = None
    for n, text in enumerate(look.texts):
        if not text or not (text[0].isdigit() or text[0] in "*†‡") or not look.small(n) or n in closed:
            continue
        if n in look.tabular or not look.lines[n].starts_block:
            continue
        match = _NOTE.match(text) or (_NOTE_ALONE.match(text) if n + 1 < len(look.lines) else None)
        if not match or not _at_foot(look, n):
            continue
        tag = match["tag"]
        if tag.isdigit() and not (
            (expected is None and int(tag) <= 6)
            or int(tag) == 1
            or (expected is not None and expected <= int(tag) <= expected + 2)
        ):
            continue
        end = n + 1
        while end < len(look.lines) and look.lines[end].page == look.lines[n].page and end < n + 8:
            again = _NOTE.match(look.texts[end]) or _NOTE_ALONE.match(look.texts[end])
            if not look.small(end) or (again and look.lines[end].starts_block):
                break
            end += 1
        if tag.isdigit():
            expected = int(tag) + 1
        out.append(_note(look, n, end, tag))
    return out


def _at_foot(look: Look, n: int) -> bool:
    """Whether nothing but small type follows on the page, page numbers aside."""
    page = look.lines[n].page
    for after in range(n + 1, min(n + 25, len(look.lines))):
        if look.lines[after].page != page:
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
