"""What a document calls its own: heading labels, caption labels, names, tags. Those mentions point nowhere.

Without a document only the look of a line can tell: "Section 4.2 Fees" or "Table 3: Results" at the start of a block.
"""

from __future__ import annotations

import re

from deref.references.bare import numbers_are_tags, tags_are_glued
from deref.references.calls import Calls, calls_of
from deref.references.cited import author_labels
from deref.references.documents import own_names
from deref.references.formulas import formula_numbers
from deref.references.hit import Hit
from deref.references.kinds import FOLDING
from deref.references.numbers import (
    HouseWays,
    brackets_are_sections,
    house_ways,
    section_numbers,
)
from deref.references.scan import Passage
from deref.references.titled import section_titles
from deref.text.lazy import lazy
from deref.text.names import normalize_name
from deref.values import Document, ItemKind, Point, ReferenceKind

_FEDERAL_LABEL = lazy(r"\d{1,2}\.\d{3,4}(?:-\d+)?$")
_NUMBER = lazy(r"[\s#=]*[A-Z\d]{1,3}(?:\.\d{1,3})*[.)]?\s+")
_TITLE_END = lazy(r"[ .:]*$")
_LISTED = lazy(r"\s*\(?[A-Za-z\d]{1,3}[.)]\s+")
_CAPTION_END = lazy(r"\s*(?:[:.–—|]|-\s|\s{2}|$|\([A-Z])")
_HEADING_END = lazy(
    r"[.:]?\s+(?:[-–—]\s*)?[A-Z][\w’'-]*(?:,? (?:[A-Z][\w’'-]*|of|and|the|to|for|in|on|with|or|a|by))*"
    r"(?:(?: ?\.){3,} ?\d+| {2,}\d+| \((?i:continued|cont['’]?d\.?)\))?$"
)
_HEAD_OF_A_PAGE = lazy(r"\.? [A-Z][A-Z ,:’'&/-]*(?:\d{1,3}(?:\.\d{1,3})*\. [A-Z][A-Z ,:’'&/-]*\??)?\d*$")
_CAPTIONED = frozenset(
    {
        ReferenceKind.TABLE,
        ReferenceKind.FIGURE,
        ReferenceKind.EQUATION,
        ReferenceKind.EXAMPLE,
        ReferenceKind.LISTING,
        ReferenceKind.THEOREM,
    }
)
_TITLE_LENGTH = 90  # a longer heading is a clause that runs on
ANNOUNCED = "Document: "
"""What stands before the name of a document that is pointed at outright."""
_CITING = frozenset({ReferenceKind.DOCUMENT, ReferenceKind.EXTERNAL})
_CAPTION_SIGN = lazy(
    r"\s*(?:[:.|–—]| to (?:[Pp]aragraph|§|[Ss]ection|[Ss]ubpart) ?[\w().-]+(?:$|[—–:]| [A-Z]))"
)
_RULED = r"(?:(?:Rule|Chapter|Section|Part|rule|chapter|section)s? \d|[A-Z]\d|\d+\.\d+\.\d|\d+(?:\.\d+)?\()"
_ANY_RULED = lazy(r"(?<![\w/])[A-Z]{2,7} (?:Rules? \d|\d{1,2}\.\d{1,2}(?:\.\d{1,2})?\(\d)")
_FEWEST_RULED = 3
_RULE_OF = r"\d[\w.()]* of (?:the )?"
_NUMBERED_ON = lazy(r"\.\(\d{1,2}\) [A-Z]$")  # "Part 1.3.(1) The fee is …"
_RUNS_ON = lazy(r"\.\s+[“\"]?[A-Z]")  # "SECTION 2. The fee is …"
_FOOT = lazy(
    r"\s*(?:(?:(?:Exhibit|Schedule|Annex|Appendix|Attachment) [\w.-]{1,5}(?: to )?)+[,–-]? ?)?[Pp](?:age|\.) ?[\dA-Z-]{1,7}\s*"
)
_FOOT_LENGTH = 60
_LONGEST_TITLE = 130
_TITLE_WORD = lazy(r"[ :–—-]+[A-Z]{3,}(?! (?:OF|TO|AND) (?:THIS|THE))")
_LED_TO = lazy(r"(?:\b(?:OF|IN|TO|UNDER|BY|AND|OR|SEE|WITH|PER|THIS|ON|AS|FROM|THE)|[,;(]) $")
_MARKS = lazy(r"[\s#=*_\[]*")
_CONTINUED = lazy(r"[\s*_\].:]*(?:\((?:continued|cont(?:['’]?d|\.)?)\))?\s*", re.IGNORECASE)
_HEADING_A_PAPER = frozenset({
    ReferenceKind.ANNEX, ReferenceKind.SCHEDULE, ReferenceKind.EXHIBIT, ReferenceKind.APPENDIX, ReferenceKind.ATTACHMENT,
    ReferenceKind.ADDENDUM, ReferenceKind.ARTICLE, ReferenceKind.CHAPTER, ReferenceKind.PART,
})  # fmt: skip
_LINK_DEFINED = lazy(r" {0,3}\[[^\]\n]+\]: +\S+(?: +[\"'(][^\n]*)?\s*$")
"""A line of Markdown that only says where a link goes: "[RFC 2246]: https://…"."""
_SPACE = lazy(r"\s*+")


def _is_blank(text: str, start: int, end: int) -> bool:
    """Tell whether characters start..end are white space; nothing is copied, for a passage may be long."""
    space = _SPACE.match(text, start)
    return space is None or space.end() >= end


def _is_whole_line(passage: Passage, hit: Hit, at: Point) -> bool:
    """Whether a line says nothing else and no sentence runs into it or on: "Annex 2" above its title."""
    if hit.container is not None or hit.selector is not None or len(hit.labels) > 1 or "(" in hit.labels[0]:
        return False
    n = at.line - passage.lines[0].n
    text = passage.lines[n].text
    if at.end_line is not None or not _MARKS.fullmatch(text, 0, at.char_start):
        return False
    if not text[at.char_start].isupper() or not _CONTINUED.fullmatch(text, at.char_end):
        return False
    before = passage.lines[n - 1].text.split()[-1:] if n else []
    after = passage.lines[n + 1].text.lstrip()[:1] if n + 1 < len(passage.lines) else ""
    led_to = (
        bool(before) and (before[0].islower() or before[0].endswith(",")) and before[0][-1] not in ".:;!?"
    )
    return not led_to and not after.islower()


def _is_in_a_title(text: str, hit: Hit) -> bool:
    """Whether a label stands in a title in capitals that nothing leads to: "LEASE AGREEMENT EXHIBIT B GUARANTEE"."""
    if len(text) > _LONGEST_TITLE or not text.isupper() or not _TITLE_WORD.match(text, hit.end):
        return False
    return not _LED_TO.search(text, max(0, hit.start - 12), hit.start)


def _believed(document: Document, tags: set[str], listed: set[int]) -> frozenset[str]:
    """The tags of the entries without the numbers, where numbers in brackets are data; then with one that nothing is called by."""
    numbers = {tag for tag in tags if tag.isdigit()}
    notes = {i.label for i in document.items if i.kind is ItemKind.FOOTNOTE and i.label}
    if not numbers or numbers_are_tags(document, numbers | notes, listed):
        return frozenset(tags)
    return frozenset(tags - numbers | {""})


class Own:
    """What belongs to the home document itself; with None, what the look of a line says."""

    __slots__ = (
        "_captioned",
        "_captions",
        "_document",
        "_headings",
        "_houses",
        "_lines",
        "_ticks",
        "_titled",
        "_titles",
        "authors",
        "calls",
        "cited",
        "federal",
        "formulas",
        "glued",
        "house_ways",
        "is_page",
        "names",
        "notes",
        "numbers",
        "square",
        "tags",
        "titled",
    )

    def __init__(self, document: Document | None) -> None:
        """Index the headings, captions, names and tags of a document."""
        self.cited: set[int] = set()
        self.authors: frozenset[str] = frozenset()
        self.calls: Calls = {}
        self.glued = False
        self.house_ways = HouseWays(frozenset(), frozenset())
        self._document = document
        self._titles: frozenset[str] | None = None
        self.is_page = document is not None and document.format == "html"
        self.titled = document is not None and bool(document.sections)
        self._headings: dict[int, set[str]] = {}
        self._houses: dict[str, bool] = {}
        self._lines = document.lines if document is not None else None
        self._ticks = document is not None and document.name.lower().endswith((".md", ".markdown"))
        self._titled: set[int] = set()
        self._captions: dict[tuple[str, str], list[tuple[int, int]]] = {}
        self._captioned: set[int] = set()
        self.names: frozenset[str] = frozenset()
        self.notes: frozenset[str] = frozenset()
        self.tags: frozenset[str] | None = None
        self.federal = False
        self.formulas: dict[str, set[int]] = {}
        self.numbers: frozenset[str] = frozenset()
        self.square = False
        if document is None:
            return
        for section in document.sections:
            self._headings.setdefault(section.lines.start, set()).add((section.label or "").casefold())
            if "(" not in (section.label or ""):
                self._titled.add(section.lines.start)
        tags = set()
        for item in document.items:
            if item.label is None:
                continue
            if item.kind is ItemKind.BIBLIOGRAPHY:
                self.cited.update(range(item.lines.start, item.lines.end))
                tags.add(item.label.casefold())
            else:
                self._captioned.add(item.lines.start)
                self._captions.setdefault((item.kind.value, item.label.casefold()), []).append(
                    (item.lines.start, item.lines.end)
                )
        self.tags = _believed(document, tags, self.cited)
        self.notes = frozenset(
            label
            for (kind, label), spans in self._captions.items()
            if kind == "footnote" and any(_is_called_in_brackets(document, start) for start, _ in spans)
        ).difference(self.tags)
        self.authors = author_labels(document)
        self.calls = calls_of(document)
        self.glued = tags_are_glued(document, self.tags, self.cited)
        self.names = frozenset(
            map(normalize_name, own_names(document.title, document.aliases, document.name))
        ) - {""}
        self.numbers = section_numbers(document)
        self.house_ways = house_ways(document, self.numbers)
        self.formulas = formula_numbers(document)
        self.square = brackets_are_sections(document, self.numbers)
        if self.square or self.calls:
            # Its numbers in brackets are sections, or its notes are called by raised numbers.
            self.notes = frozenset()
        self.federal = sum(1 for s in document.sections if s.label and _FEDERAL_LABEL.match(s.label)) >= 3

    def has_caption(self, kind: ReferenceKind, label: str) -> bool:
        """Tell whether an item of this kind has this label."""
        return (kind.value, label.casefold()) in self._captions

    def has_title(self, name: str) -> bool:
        """Tell whether a section of this title is there."""
        if self._titles is None:
            self._titles = section_titles(self._document) if self._document is not None else frozenset()
        return normalize_name(name) in self._titles

    def names_itself(self, passage: Passage, hit: Hit, at: Point) -> bool:
        """Tell whether a hit, which stands at `at`, is a heading's label, a caption's label, a footer, a name of the home document, or code of Markdown or what a link there stands for."""
        text = passage.text
        if self._ticks and (
            ("`" in text[hit.end :] and text.count("`", 0, hit.start) % 2)
            or _LINK_DEFINED.match(passage.lines[at.line - passage.lines[0].n].text)
        ):
            return True
        if self.cited and hit.kind not in _CITING and at.line in self.cited:
            return True
        if len(text) < _FOOT_LENGTH and _FOOT.fullmatch(text):
            return True
        if hit.kind is ReferenceKind.DOCUMENT and self._own_name(passage, hit, at):
            return True
        if hit.labels and hit.kind in _CAPTIONED and self._is_title(passage, at):
            return True
        if len(passage.lines) > 1 and (self._is_label_below(hit, at) or self._leaves_a_title(passage, at)):
            return True
        if self._lines is not None and hit.kind in _HEADING_A_PAPER and _is_whole_line(passage, hit, at):
            return True
        if hit.kind in _HEADING_A_PAPER and len(passage.lines) == 1 and _is_in_a_title(text, hit):
            return True
        if not hit.labels or (
            hit.start > 6 and len(passage.lines) == 1 and not _is_blank(text, 0, hit.start)
        ):
            return False
        if not passage.line_start(at):
            return False
        return self._begins_a_place(passage, hit, at.line)

    def knows_house(self, hit: Hit) -> bool:
        """Tell whether a short name in capitals before a number is a rulebook, and no product of that version: "GEN 5.3", "SCAP 1.3".

        A number that no version has tells it; otherwise the document must write such a number behind that name somewhere.
        """
        label, house = hit.labels[0], hit.container or ""
        if self._lines is None or "(" in label or label[0].isalpha() or label.count(".") > 1:
            return True
        if house not in self._houses:
            ruled = re.compile(
                rf"(?<![\w/]){re.escape(house)} {_RULED}|{_RULE_OF}{re.escape(house)}(?![\w-]| ?\d)"
            )
            self._houses[house] = any(
                house in line.text and ruled.search(line.text) for line in self._lines
            ) or (sum(bool(_ANY_RULED.search(line.text)) for line in self._lines) >= _FEWEST_RULED)
        return self._houses[house]

    def _is_title(self, passage: Passage, at: Point) -> bool:
        """Whether a hit is all that a numbered heading or an entry of a list says: "6.1.4 Example 4", "(a) Example 1."."""
        text = passage.lines[at.line - passage.lines[0].n].text
        if not _TITLE_END.match(text, at.char_end):
            return False
        numbered = at.line in self._headings and _NUMBER.fullmatch(text, 0, at.char_start)
        return bool(numbered or _LISTED.fullmatch(text, 0, at.char_start))

    def _is_label_below(self, hit: Hit, at: Point) -> bool:
        """Whether the label of a hit is that of the heading below the line that its word ends: "Contract clauses", "2.2 Costs"."""
        if not hit.labels or hit.labels[0].casefold() not in self.numbers:
            return False
        return hit.labels[0].casefold() in self._headings.get(at.last_line, ()) and at.end_line is not None

    def _leaves_a_title(self, passage: Passage, at: Point) -> bool:
        """Whether a hit takes its word from a heading or caption and its number from the block below: "Joined Tables", "A joined …"."""
        if at.end_line is None or not passage.lines[at.last_line - passage.lines[0].n].starts_block:
            return False
        return at.line in self._titled or at.line in self._captioned

    def _begins_a_place(self, passage: Passage, hit: Hit, line: int) -> bool:
        text, label = passage.text, hit.labels[0].casefold()
        labels = self._headings.get(line)
        if labels is not None and (
            label in labels or any(name and label.startswith(name) for name in labels)
        ):
            return hit.kind is not ReferenceKind.BIBLIOGRAPHY and hit.kind not in _CAPTIONED
        captions = self._captions.get((hit.kind.value, label), ())
        for start, end in captions:
            if (
                start <= line < end
                and (hit.start <= 4 or line == start)
                and (line == start or _CAPTION_END.match(text, hit.end) or hit.kind in _CAPTIONED)
            ):
                return line <= start + 1 or bool(_CAPTION_END.match(text, hit.end))
        if hit.start > 4 or hit.container is not None:
            return False
        if not captions and hit.kind in _CAPTIONED and _CAPTION_SIGN.match(text, hit.end):
            return True
        if _NUMBERED_ON.search(text, hit.start, hit.end + 2):
            return True
        if (
            hit.kind in FOLDING
            and text[hit.start : hit.start + 2].isupper()
            and _RUNS_ON.match(text, hit.end)
        ):
            return True
        one_line = len(passage.lines) == 1 and len(text) < 100
        return (
            one_line
            and hit.kind.value not in ("bibliography", "document", "external")
            and bool(
                _HEADING_END.match(text, hit.end)
                or (text[hit.start + 1].isupper() and _HEAD_OF_A_PAGE.match(text, hit.end))
            )
        )

    def _own_name(self, passage: Passage, hit: Hit, at: Point) -> bool:
        if normalize_name(hit.labels[0]) in self.names or passage.name in self.names:
            return True
        if passage.text.endswith(ANNOUNCED, 0, hit.start):
            return False
        titled = len(passage.text) < _TITLE_LENGTH and not any(c.isdigit() for c in hit.labels[0])
        if titled and at.line in self._titled:
            return True
        return at.line in self._titled and passage.line_start(at)


def _is_called_in_brackets(document: Document, note: int) -> bool:
    """Whether "[1]" may call the footnote on this line: in print, where calls are raised, only one that begins so itself."""
    line = document.lines[note]
    return line.size_pt is None or line.text.lstrip()[:1] == "["
