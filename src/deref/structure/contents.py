"""Printed lists of contents, tables, figures, and indexes: lines that look like headings and are none.

Three signs, each enough: the file says so (CONTENTS marks); a line "Contents", "List of Tables", "Index" and under it a
run of lines that end in dot leaders or page numbers; a run of lines with dot leaders anywhere. A fourth, for lists
without page numbers, is judged with the headings: a run of numbered lines with nothing between them whose numbers
come again later (`repeated_run`). A fifth, where the file names its headings: lines that say what headings further down say,
in their order (`repeated_titles`).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Sequence
from functools import lru_cache

from deref.structure.look import Look, marks_of
from deref.values import MarkKind

_TITLE = re.compile(
    r"^(?:\W*)(?:table of contents?|contents|list of (?:tables|figures|exhibits|schedules|appendices|illustrations|examples|tables and figures|figures and tables)"
    r"|index(?: of [a-z ]+)?|(?:exhibits|schedules) and (?:exhibits|schedules)|inhalt|inhaltsverzeichnis|table des matières|sommaire|índice|indice|sommario|inhoud|inhoudsopgave"
    r"|sumário|содержание|оглавление|目录|目次|차례|목차)(?:\s*(?:page|clause page|seite))?\W*$",
    re.IGNORECASE,
)
_LEADER = re.compile(r"(?:\.\s?){4,}|…{2,}|_{6,}\s*\d+$|(?:·\s?){4,}|(?:\. ){3,}")
_PAGE = re.compile(r"(?:^|[^\d.$€£%])\s?(?:\d{1,4}|[ivxlc]{1,7}|[A-Z]-\d{1,3})$")
_PAGE_AFTER = re.compile(
    r"(?:\.\s?|…\s?|·\s?|_\s*)(?:\d{1,4}|[ivxlc]{1,7}|[A-Z]{1,3}[.-]\d{1,3})(?:, ?\d{1,4})*$"
)
_PAGE_AFTER_WORDS = re.compile(r"[^\W\d_].*[\s.…](?:\d{1,4}|[ivxlc]{1,7})$")
_PAGE_ALONE = re.compile(r"(?:\d{1,4}|[ivxlc]{1,7}|[A-Z]-\d{1,3})$")
_WORDS = re.compile(r"[^\W\d_]")
_GLUED = re.compile(r"^(?:\d|[A-Z][a-z]+ \d|[A-Z]).{3,100}[^\W\d_)\]]\d{1,3}$")
# An index may lead to sections instead of pages: "malformed  Section 4.1; Table 2".
_REFERS = re.compile(
    r"\b(?:sections?|tables?|figures?|appendix|paragraphs?|chapters?|articles?|clauses?)\s[\w.]+(?:;|$)",
    re.IGNORECASE,
)
_WORD = re.compile(r"\w+")
_NUMBER_AHEAD = re.compile(r"^(?:[^\W\d_]+ )?(?:[A-Z]|\d{1,3}|[IVXLC]+)?(?:[.-]\d{1,3})*[.:]? +")
_PAGE_BEHIND = re.compile(r"[\s.…·_]+(?:\d{1,4}|[ivxlc]{1,7})$")
_PAGE_ENDS = frozenset("0123456789ivxlc")
_FEWEST_TITLES = 3
_MORE_THAN_WORDS = 16
"""Characters that signs between words and a page number add to a title at the most; lists with leaders are told by those."""
_SHORT = 16
_LONGEST = 160


_OPENERS = frozenset("tcliesTCLIES")


# The same lines are asked again and again while it is sought where a list ends.
@lru_cache(maxsize=1 << 14)
def _has_leader(text: str) -> bool:
    """Whether a text has dots that lead on. (The signs are told first: most lines have none, and a search is dear.)"""
    return (text.count(".") > 2 or "…" in text or "_" in text or "·" in text) and bool(_LEADER.search(text))


def ends_in_page(text: str) -> bool:
    """Tell whether a text ends as an entry of a printed list does: in leaders, or in a page number behind words."""
    return _has_leader(text) or bool(_may_end_in_page(text) and _PAGE_AFTER_WORDS.search(text))


def _may_end_in_page(text: str) -> bool:
    last = text[-1:]
    return last.isdecimal() or last in "ivxlc"


def find_contents(look: Look) -> list[tuple[int, int]]:
    """Return the printed lists as half-open runs of lines, in order, apart from each other."""
    runs = [(m.start, m.end) for m in look.parsed.marks if m.kind == MarkKind.CONTENTS]
    texts = look.texts
    n, size = 0, len(texts)
    while n < size:
        text = texts[n]
        if len(text) < 60 and text and _is_title(text):
            end = _end_of_list(texts, n + 1)
            if end > n + 2:
                runs.append((n, end))
                n = end
                continue
        elif ("...." in text or ". . . ." in text or "……" in text) and _has_leader(text):
            end = _end_of_list(texts, n)
            if end > n + 2 and _lead_to_pages(texts, n, end):
                runs.append((n, end))
                n = end
                continue
        n += 1
    return merge([*runs, *repeated_titles(look)])


def repeated_titles(look: Look) -> list[tuple[int, int]]:
    """Return the runs of three lines or more that repeat headings of the file which come later, in their order.

    Numbers of sections and pages may be left out; one line that repeats none may stand between two that do.
    """
    ahead: dict[str, list[int]] = {}
    heads: set[int] = set()
    for mark in marks_of(look.parsed.marks, MarkKind.HEADING):
        heads.update(range(mark.start, mark.end))
        said = mark.title or " ".join(look.texts[mark.start : mark.end])
        for words in {_words(said), _words(_NUMBER_AHEAD.sub("", said, count=1))} - {""}:
            ahead.setdefault(words, []).append(mark.start)
    runs: list[tuple[int, int]] = []
    run: list[tuple[int, int]] = []
    longest: dict[str, int] = {}
    for words in ahead:
        opening = words.partition(" ")[0]
        longest[opening] = max(longest.get(opening, 0), len(words) + _MORE_THAN_WORDS)
    most = max(longest.values(), default=0)
    for n, text in enumerate(look.texts if ahead else ()):
        # Its length and what it begins with tell most lines, far cheaper than all their words.
        first = _WORD.search(text) if len(text) <= most else None
        if first is None or len(text) > longest.get(first.group().casefold(), 0) or n in heads:
            continue
        below = ahead.get(_words(text))
        if below is None and text[-1] in _PAGE_ENDS:
            below = ahead.get(_words(_PAGE_BEHIND.sub("", text)))
        later = bisect_right(below, n) if below else 0
        if not below or later == len(below):
            continue
        if run and (n - run[-1][0] > 2 or below[-1] <= run[-1][1]):
            _close_run(run, runs)
            run = []
        later = bisect_right(below, run[-1][1]) if run else later
        run.append((n, below[later]))
    _close_run(run, runs)
    return runs


def _close_run(run: Sequence[tuple[int, int]], runs: list[tuple[int, int]]) -> None:
    if len(run) >= _FEWEST_TITLES and run[0][1] > run[-1][0]:
        runs.append((run[0][0], run[-1][0] + 1))


def _words(text: str) -> str:
    return " ".join(_WORD.findall(text.casefold()))


def _lead_to_pages(texts: Sequence[str], start: int, end: int) -> bool:
    """Whether the dots of most lines lead from words to a page number, here or on the next line: prices and code have dots too."""
    leads = [n for n in range(start, end) if _has_leader(texts[n])]
    paged = [
        n for n in leads
        if _WORDS.search(texts[n]) and ((_may_end_in_page(texts[n]) and _PAGE_AFTER.search(texts[n])) or (n + 1 < len(texts) and _PAGE_ALONE.match(texts[n + 1])))
    ]  # fmt: skip
    return len(paged) >= 0.5 * len(leads)


def _end_of_list(texts: Sequence[str], start: int) -> int:
    """Return where a list of contents that starts here ends; `start` when there is none."""
    end, misses, hits = start, 0, 0
    titled = start > 0 and _is_title(texts[start - 1])
    leaders = any(_has_leader(t) for t in texts[start : start + 6])
    for n in range(start, len(texts)):
        text = texts[n]
        if not text:
            continue
        if _is_entry(text, leaders) or (titled and not leaders and _GLUED.search(text)):
            hits, misses, end = hits + 1, 0, n + 1
            continue
        if _is_title(text):
            misses = 0
            continue
        misses += 1 if len(text) < 90 else 2
        if misses > 3:
            break
    return end if hits >= 2 else start


def _is_title(text: str) -> bool:
    # No title begins with another plain letter or figure than these.
    first = text[:1]
    if first.isalnum() and first.isascii() and first not in _OPENERS:
        return text.endswith(" CONTENTS")
    return bool(_TITLE.match(text)) or text.endswith(" CONTENTS")


def _is_entry(text: str, leaders: bool) -> bool:
    if len(text) > _LONGEST and not _has_leader(text):
        return False
    if leaders:
        return _has_leader(text)
    return (
        _may_end_in_page(text)
        and bool(_PAGE.search(text))
        and (len(text) > 4 or text.isdigit())
        and not text.endswith((".", ";"))
        and not ((";" in text or "," in text or len(text) < _SHORT) and _REFERS.search(text))
    )


def repeated_run(labels: Sequence[tuple[int, str]], sentences: Collection[int] = ()) -> list[tuple[int, int]]:
    """Return runs of numbered lines, close together, whose labels mostly come again later.

    `labels` are (line, word, label and the start of the title) in order of lines. Close means that at most one other line
    stands between one entry and the next. `sentences` are lines that begin a sentence rather than a title: a run of
    those is text, whatever is repeated later.
    """
    last = {label: line for line, label in labels}
    runs: list[tuple[int, int]] = []
    n = end = 0
    while n < len(labels):
        if end <= n:
            end = n + 1
            while end < len(labels) and labels[end][0] - labels[end - 1][0] <= 2:
                end += 1
        # A list gives way to the text where a label comes for the second time within the run.
        seen: set[str] = set()
        stop = n
        while stop < end and labels[stop][1] not in seen:
            seen.add(labels[stop][1])
            stop += 1
        later = [i for i in range(n, stop) if last[labels[i][1]] > labels[stop - 1][0]]
        said = sum(labels[i][0] in sentences for i in range(n, stop))
        if stop - n >= 4 and len(later) >= max(4, 0.6 * (stop - n)) and said <= (stop - n) / 3:
            runs.append((labels[later[0]][0], labels[later[-1]][0] + 1))
        n = max(stop, n + 1)
    return runs


def merge(runs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the runs in order with those that touch or overlap made one."""
    out: list[tuple[int, int]] = []
    for start, end in sorted(runs):
        if out and start <= out[-1][1] + 1:
            out[-1] = (out[-1][0], max(out[-1][1], end))
        elif end > start:
            out.append((start, end))
    return out
