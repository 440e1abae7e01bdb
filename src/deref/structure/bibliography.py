"""Lists of references: entries with the tag or number that the text calls them by.

The file's marks come first. Otherwise entries are looked for under a heading that names such a list: "[12] …",
"[RFC9000] …", or "12. …" in sequence, each up to the next entry; where there are neither, those that begin with names
and hold a year (`authored`). A line that reads as such a heading and was not told for a section counts where an entry
stands right behind it; and where no list was found, a run of "[1] …", "[2] …", "[3] …" is one.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator, Sequence

from deref.structure.authored import authored, authored_entries
from deref.structure.items import Draft
from deref.structure.look import Look
from deref.text.authors import accents_joined
from deref.text.labels import normalize_label
from deref.values import ItemKind, MarkKind, Section

_HEADING = re.compile(
    r"^(?:(?:normative|informative|selected|cited|further|general)\s+)?(?:references?|bibliography|works cited|literature(?: cited)?|literatur(?:verzeichnis)?|quellen(?:verzeichnis)?|schrifttum"
    r"|références(?: bibliographiques)?|bibliographie|referencias(?: bibliográficas)?|bibliografía|bibliografia|riferimenti(?: bibliografici)?"
    r"|literatuur(?:lijst)?|referências(?: bibliográficas)?|参考文献|참고문헌|список литературы|литература)(?: cited| and notes| and further reading)?$",
    re.IGNORECASE,
)
_TAGGED = re.compile(r"^\[(?P<tag>[^\[\]\s][^\[\]]{0,40})\](?=\s|$)\s*")
_NUMBERED = re.compile(r"^(?P<tag>\d{1,3})[.)]?\s+(?=[A-Z\"“])")
_LONGEST_ENTRY = 14
_LONGEST_HEADING = 40
_FIRST_ENTRY = 5  # lines in which the year of an entry stands
_FEWEST_UNHEADED = 3
_HEADS = frozenset({
    "no", "in", "se", "ci", "fu", "ge", "re", "ré", "bi", "wo", "li", "ri", "n ", "i ", "s ", "c ", "f ", "g ", "r ", "b ",
    "w ", "l ", "qu", "sc", "r´", "参考", "참고", "сп", "ли",
})  # fmt: skip
"""What such a heading begins with: few lines do."""


def find_bibliography(look: Look, sections: Sequence[Section]) -> list[Draft]:
    """Return the entries of the lists of references, in order of lines."""
    out = [
        _entry(look, m.start, m.end, m.label or "")
        for m in look.parsed.marks
        if m.kind == MarkKind.BIBLIOGRAPHY and m.label
    ]
    known = {n for d in out for n in range(d.start, d.end)}
    starts = [s.lines.start for s in sections]
    headed = [(s.lines.start, s.lines.end) for s in sections if _is_heading(s.title)]
    headed += _plain_headings(look, starts, {start for start, _ in headed})
    for start, stop in headed:
        if not known or known.isdisjoint(range(start, stop)):
            children = starts[bisect_right(starts, start) : bisect_left(starts, stop)]
            found = _listed(look, start + 1, stop, frozenset(children))
            out += found
            known.update(n for d in found for n in range(d.start, d.end))
    if not out:
        out = _without_heading(look)
    out.sort(key=lambda d: d.start)
    return out


def _without_heading(look: Look) -> list[Draft]:
    """The entries "[1] …", "[2] …" of a list that no heading announces: three or more in sequence, and no other run of them."""
    runs: list[list[int]] = []
    for n, text in enumerate(look.texts):
        match = _TAGGED.match(text) if text[:1] == "[" else None
        if match is None or not match["tag"].isdigit() or not (look.lines[n].starts_block or not look.blocks):
            continue
        if match["tag"] == "1":
            runs.append([n])
        elif runs and int(match["tag"]) == len(runs[-1]) + 1 and n - runs[-1][-1] <= _LONGEST_ENTRY:
            runs[-1].append(n)
    runs = [run for run in runs if len(run) > 1]
    run = runs[0] if len(runs) == 1 else []
    if len(run) < _FEWEST_UNHEADED or look.blocked.intersection(run):
        return []
    return _listed(look, run[0], min(run[-1] + _LONGEST_ENTRY, len(look.texts)), frozenset())


def _is_heading(text: str) -> bool:
    plain = text.strip(" .:")
    if plain[:2].casefold() not in _HEADS:
        return False
    # Letters that are set apart come with spaces between them: "B IBLIOGRAPHY"; an accent may stand before its letter.
    plain = accents_joined(plain)
    return bool(_HEADING.match(plain) or (" " in plain and _HEADING.match("".join(plain.split()))))


def _plain_headings(look: Look, starts: Sequence[int], known: Collection[int]) -> Iterator[tuple[int, int]]:
    """Yield (line, where the section that holds it ends) of lines that read as a heading with an entry right behind."""
    for n, text in enumerate(look.texts[:-1]):
        if (
            len(text) < _LONGEST_HEADING
            and text[:2].casefold() in _HEADS
            and n not in known
            and _is_heading(text)
        ):
            first = look.texts[n + 1]
            match = _TAGGED.match(first) or _NUMBERED.match(first)
            reach = " ".join(look.texts[n + 1 : n + 1 + _FIRST_ENTRY])
            if (match["tag"] == "1" or not match["tag"].isdigit()) if match else authored(reach):
                after = bisect_right(starts, n)
                yield n, starts[after] if after < len(starts) else len(look.texts)


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
