"""The labelled places of one document, and which of them a reference may mean.

Which places answer to "Section 4", "Article IV", "Exhibit B"? Those with that label whose word is compatible: the same
word first; a heading without a word next ("4. Fees" is a section, a clause, a rule; it is an article, a part or a
chapter only where the document has no heading with such a word, or only deeper down). Near words (exhibit, schedule, annex, …) count only
when nothing of the exact kind is there, and other writings of the number (4, IV) only when the written one is not.

Of several, the nearest scope wins: places in the same exhibit before those of the main text, and in there those that
share the innermost section with the reference. What is still equal stays: the caller says "ambiguous".
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from deref.references.words import NUMBER_WORDS
from deref.text.labels import sort_key, variants
from deref.text.languages import every_language
from deref.text.lazy import lazy
from deref.text.names import normalize_name
from deref.values import Document, Item, ItemKind, ReferenceKind, Section, Span

SECTIONAL = frozenset({
    ReferenceKind.SECTION, ReferenceKind.CLAUSE, ReferenceKind.ARTICLE, ReferenceKind.PART, ReferenceKind.CHAPTER,
    ReferenceKind.RULE, ReferenceKind.PARAGRAPH,
})  # fmt: skip
APPENDED = (
    ReferenceKind.EXHIBIT, ReferenceKind.SCHEDULE, ReferenceKind.ANNEX, ReferenceKind.APPENDIX, ReferenceKind.ATTACHMENT,
    ReferenceKind.ADDENDUM,
)  # fmt: skip
_APPENDED_KINDS = frozenset(ItemKind(k.value) for k in APPENDED)
_APPENDED_WORDS = frozenset(k.value for k in APPENDED) | {"anhang", "anlage", "annexe", "anexo"}
_NUMBERED_THROUGH = (ItemKind.TABLE, ItemKind.FIGURE, ItemKind.EXAMPLE)
_SIGN = lazy(r"§|paragra(?:ph|f|af)\b", re.IGNORECASE)
_WORD_AHEAD = lazy(r"[\s#*_>]*([^\W\d_]+)")
_ROOT_END = lazy(r"[.(-]")
_MERE = 3
"""Lines of a section without a title that is no more than named, as in an example: "Section 1." over "Section 2."."""
_PARTED = lazy(r"\d+\.(?=\d+$)|[^(]*\(")
_SAME_WORD = {
    "sec": "section", "sect": "section", "§": "section", "§§": "section", "abschnitt": "section", "subsection": "section",
    "sub-section": "section", "sección": "section", "art": "article", "artikel": "article", "artículo": "article",
    "ch": "chapter", "kapitel": "chapter", "chapitre": "chapter", "capítulo": "chapter", "teil": "part", "partie": "part",
    "para": "paragraph", "absatz": "paragraph", "abs": "paragraph", "klausel": "clause", "cláusula": "clause",
    "anhang": "annex", "anlage": "annex", "annexe": "annex", "anexo": "annex", "apéndice": "appendix",
    "subclause": "clause", "sub-clause": "clause",
    "thm": "theorem", "lemmata": "lemma", "corollaries": "corollary",
}  # fmt: skip
_MANY_WORDS = {
    kind: frozenset(name for table in every_language() for name in table.captions.get(kind.value, "").split())
    for kind in (ItemKind.THEOREM, ItemKind.LISTING)
}
"""Kinds of item that are numbered under several words."""
_BY_WORD = frozenset({"article", "part", "chapter", "subpart", "subchapter"})
_PLAIN = frozenset({"section", "clause", "rule", "paragraph"})


def plain_word(word: str | None) -> str | None:
    """Return the English singular of a heading's or reference's word: "Arts." → "article"."""
    if word is None:
        return None
    low = word.casefold().strip(". ").removeprefix("l'")
    low = _SAME_WORD.get(low, low)
    single = low[:-1] if low.endswith("s") and low not in _SAME_WORD else low
    return _SAME_WORD.get(single, single)


class Spot(NamedTuple):
    """A labelled place of a document: a section or an item."""

    section: Section | None
    item: Item | None

    @property
    def lines(self) -> Span:
        """The lines it covers."""
        return (
            self.section.lines
            if self.section
            else self.item.lines
            if self.item
            else Span(doc="", start=0, end=0)
        )

    @property
    def kind(self) -> str:
        """ "section", or the kind of item."""
        return self.item.kind.value if self.item else "section"

    @property
    def label(self) -> str | None:
        """Its normalised label."""
        return self.item.label if self.item else self.section.label if self.section else None

    @property
    def title(self) -> str:
        """Its heading or caption."""
        return self.item.caption if self.item else self.section.title if self.section else ""


class Places:
    """The labelled places of one document, indexed once."""

    def __init__(self, document: Document) -> None:
        """Index the sections and items of a document by label."""
        self.document = document
        self._by_id = {s.id: s for s in document.sections}
        self._sections: dict[str, list[Section]] = defaultdict(list)
        self._items: dict[tuple[ItemKind, str], list[Item]] = defaultdict(list)
        self.words: dict[str | None, int] = defaultdict(int)
        self._highest: dict[str | None, int] = {}
        self._parts: dict[str, list[Section]] = defaultdict(list)
        self._labels: dict[tuple[ReferenceKind, str | None], list[str]] = {}
        # Kept by those who ask: parts by lines, marks, whether in brackets alone, whether in no unit inside; sections of an exhibit.
        self.parts_within: dict[tuple[Span, tuple[str, ...], bool, bool], Sequence[Span]] = {}
        self.marks_within: dict[tuple[Span, str], int] = {}
        self.counted_within: dict[Span, frozenset[tuple[str | None, str | None]]] = {}
        for section in document.sections:
            if section.label:
                self._sections[section.label.casefold()].append(section)
                self.words[plain_word(section.word)] += 1
                if parted := _PARTED.match(section.label):
                    self._parts[parted.group()].append(section)
            word = plain_word(section.word)
            self._highest[word] = min(section.level, self._highest.get(word, section.level))
        for item in document.items:
            if item.label:
                self._items[item.kind, item.label.casefold()].append(item)
        self.appended = tuple(i for i in document.items if i.kind in _APPENDED_KINDS and len(i.lines) > 1)

    def sections(self, label: str) -> Sequence[Section]:
        """Return the sections with this label."""
        return self._sections.get(label.casefold(), ())

    def parts(self, base: str, sign: str) -> Sequence[Section]:
        """Return the sections whose label goes on behind `base` with `sign`, "." or "(", in order of lines."""
        return self._parts.get(base + sign, ())

    def items(self, kind: ItemKind, label: str) -> Sequence[Item]:
        """Return the items of this kind with this label."""
        return self._items.get((kind, label.casefold()), ())

    def path(self, line: int) -> tuple[Section, ...]:
        """Return the sections that hold a line, outermost first."""
        sections = self.document.sections
        at = bisect_right(sections, line, key=lambda s: s.lines.start)
        here = sections[at - 1] if at else None
        path: list[Section] = []
        while here is not None:
            if line in here.lines:
                path.append(here)
            here = self._by_id.get(here.parent) if here.parent else None
        return tuple(reversed(path))

    def find(
        self, kind: ReferenceKind, word: str | None, label: str, within: Span | None = None
    ) -> tuple[list[Spot], str]:
        """Return the places that "`word` `label`" may mean, each once, and a note when the match is not of the exact form."""
        for n, form in enumerate(variants(label)):
            spots = [s for s in self._exact(kind, word, form) if within is None or _inside(s.lines, within)]
            if spots:
                return _once(spots), f"written {form} there" if n else ""
        for form, note in _other_forms(label):
            spots = [s for s in self._exact(kind, word, form) if within is None or _inside(s.lines, within)]
            if spots:
                return _once(spots), note
        if kind in APPENDED:
            near = [
                Spot(None, i) for other in _APPENDED_KINDS for i in self.items(other, label)
                if within is None or _inside(i.lines, within)
            ]  # fmt: skip
            if len(_once(near)) == 1:
                return _once(near), f"it is called {near[0].kind} there"
        return [], ""

    def _exact(self, kind: ReferenceKind, word: str | None, label: str) -> list[Spot]:
        if kind in SECTIONAL:
            found = self._sectional(kind, word or kind.value, label)
            if not found and "." in label and (anew := self.counted_anew(label)) is not None:
                found = (anew,)
            return [Spot(s, None) for s in found]
        try:
            item_kind = ItemKind(kind.value)
        except ValueError:
            return []
        spots = [Spot(None, i) for i in self._so_called(self.items(item_kind, label), word)]
        if not spots and kind in APPENDED:
            named = [s for s in self.sections(label) if plain_word(s.word) == kind.value]
            lettered = [s for s in self.sections(label) if s.word is None and label[:1].isalpha()]
            spots = [
                Spot(s, None)
                for s in (
                    named or (lettered if kind in (ReferenceKind.APPENDIX, ReferenceKind.ANNEX) else [])
                )
            ]
        return spots

    def _so_called(self, items: Sequence[Item], word: str | None) -> Sequence[Item]:
        """Return the items that are printed under a word, of a kind that has several: "Lemma 2" is no "Theorem 2"."""
        if not items or items[0].kind not in _MANY_WORDS:
            return items
        printed = [(self.printed_word(i), i) for i in items]
        return [i for head, i in printed if head == word] or [i for head, i in printed if head is None]

    def printed_word(self, item: Item) -> str | None:
        """Return the word that an item is printed under where its kind has several: "lemma" of a theorem."""
        names = _MANY_WORDS.get(item.kind)
        head = _WORD_AHEAD.match(self.document.lines[item.lines.start].text) if names else None
        word = plain_word(head[1]) if head else None
        return word if names and word in names else None

    def _sectional(self, kind: ReferenceKind, word: str, label: str) -> Sequence[Section]:
        here = self.sections(label)
        if not here:
            return ()
        same = [s for s in here if plain_word(s.word) == ("section" if word == "§" else word)]
        if any(s.word is None for s in here):
            same = [s for s in same if s.title or len(s.lines) > _MERE]
        if len(same) > 1 and word in ("section", "§"):
            signed = [s for s in same if self.is_signed(s) is (word == "§")]
            return signed or same
        if same:
            return same
        # "Chapter 7.4" is a section in chapter 7.
        word = "section" if word == "§" or (word == "chapter" and "." in label) else word
        bare = [s for s in here if s.word is None]
        if word in _PLAIN:
            others = [s for s in here if plain_word(s.word) in _PLAIN]
            return bare or others or self._appendix_part(here, label)
        if word in _BY_WORD and self.words.get(word):
            if "." in label and (inside := [s for s in bare if self._is_counted_in(s, word)]):
                return inside  # "Article 3.1" is a 3.1 in article 3
            # What is worded so deeper down, as notes by chapter are, is not what the document counts in.
            bare = [s for s in bare if s.level < self._highest[word]]
            return bare if word in ("part", "chapter") and len(bare) == 1 and bare[0].level == 1 else ()
        plain = bare or [s for s in here if plain_word(s.word) in _PLAIN]
        if self.counts_anew_in is not None and word != "article":
            plain = [s for s in plain if s is self.counts_anew_in]
        return (
            [s for s in plain if s.level <= 2 or word == "article"]
            if word in ("part", "chapter", "article")
            else plain
        )

    def _is_counted_in(self, section: Section, word: str) -> bool:
        """Whether a section lies in a unit of this word and bears its number: 3.1 in "Article 3", or in "Article III"."""
        root = (section.label or "").partition(".")[0]
        path = self.path(section.lines.start)[:-1]
        return any(plain_word(s.word) == word and root in variants(s.label or "") for s in path)

    def is_signed(self, section: Section) -> bool:
        """Tell whether a heading has the sign for its word, or is called by it: "§ 1" or "Paragraph 1" in an "Abschnitt 1"."""
        return bool(
            _SIGN.search(self.document.lines[section.lines.start].text.partition(section.label or "")[0])
        )

    def _appendix_part(self, here: Sequence[Section], label: str) -> Sequence[Section]:
        return [s for s in here if label[:1].isalpha() and plain_word(s.word) in _APPENDED_WORDS]

    def nearest(self, spots: Sequence[Spot], line: int | None) -> list[Spot]:
        """Return those of several places that lie in the nearest scope of a line; None is a reader from outside."""
        best = list(spots)
        for rule in (self._same_page, self._same_enclosure, self._deepest_common, self._with_body):
            if len(best) > 1:
                best = rule(best, line)
        return best

    def _same_page(self, spots: list[Spot], line: int | None) -> list[Spot]:
        """Of footnotes that count anew on each page, those on the page of the line."""
        if line is None or line >= len(self.document.lines) or any(s.kind != "footnote" for s in spots):
            return spots
        page = self.document.lines[line].page
        return [s for s in spots if self.document.lines[s.lines.start].page == page] or spots

    def enclosure(self, line: int, but: Spot | None = None) -> Item | None:
        """Return the innermost exhibit or the like, `but` a place itself, that a line lies in."""
        holding = [i for i in self.appended if line in i.lines and (but is None or i is not but.item)]
        return min(holding, key=lambda i: len(i.lines)) if holding else None

    def _same_enclosure(self, spots: list[Spot], line: int | None) -> list[Spot]:
        chain = [i for i in self.appended if line is not None and line in i.lines]
        for enclosure in (*sorted(chain, key=lambda i: len(i.lines)), None):
            same = [s for s in spots if self.enclosure(s.lines.start, s) is enclosure]
            if same:
                return same
        return spots

    def _deepest_common(self, spots: list[Spot], line: int | None) -> list[Spot]:
        if line is None:
            return spots
        here = [s.id for s in self.path(line)]
        depths = []
        for spot in spots:
            path = [s.id for s in self.path(spot.lines.start)]
            common = 0
            while common < min(len(here), len(path)) and here[common] == path[common]:
                common += 1
            depths.append(common)
        return [s for s, depth in zip(spots, depths, strict=True) if depth == max(depths)]

    def _with_body(self, spots: list[Spot], line: int | None) -> list[Spot]:
        if not all(s.kind == "section" for s in spots):
            return spots
        full = [s for s in spots if len(s.lines) > 2]
        return full if len(full) == 1 else spots

    def neighbours(self, kind: ReferenceKind, word: str | None, label: str) -> str:
        """Return the labels of this kind that come closest, for people: "1.4 is the last"; "" when there are none."""
        ordered = self._known(kind, word)
        root = label.rpartition(".")[0]
        at = bisect_left(ordered, sort_key(label), key=sort_key)
        figures = label[:1].isdigit()  # "A" is no neighbour of "14.9".
        before = [b for b in ordered[max(at - 1, 0) : at] if b[:1].isdigit() == figures]
        after = [a for a in ordered[at : at + 1] if a[:1].isdigit() == figures]
        if before and not after:
            return f"the last is {before[0]}"
        if after and not before:
            return f"the first is {after[0]}"
        if root and before and before[0].rpartition(".")[0] == root != after[0].rpartition(".")[0]:
            return f"the last of {root} is {before[0]}"
        return f"nearest are {before[0]} and {after[0]}" if before and after else ""

    def _known(self, kind: ReferenceKind, word: str | None) -> list[str]:
        key = (kind, word)
        if key not in self._labels:
            if kind in SECTIONAL:
                labels = {
                    s.label
                    for s in self.document.sections
                    if s.label and self._sectional(kind, word or kind.value, s.label)
                }
            else:
                same = [i for i in self.document.items if i.label and i.kind.value == kind.value]
                labels = {i.label for i in self._so_called(same, word) if i.label}
            self._labels[key] = sorted(labels, key=sort_key)
        return self._labels[key]

    @cached_property
    def definitions(self) -> dict[str, list[Item]]:
        """The definitions of the document by their term, as `normalize_name` compares it."""
        out: dict[str, list[Item]] = defaultdict(list)
        for item in self.document.items:
            if item.kind is ItemKind.DEFINITION and item.label:
                out[normalize_name(item.label)].append(item)
        return dict(out)

    @cached_property
    def is_fragment(self) -> bool:
        """Whether the document is one part of a numbering that goes through several files.

        Nearly all its numbered headings then lie below one root: "5.4", "5.4.1", "5.4.2".
        """
        labels = [s.label for s in self.document.sections if s.label and s.label[0].isdigit()]
        if not labels:
            labels = [
                i.label
                for i in self.document.items
                if i.label and i.kind in _NUMBERED_THROUGH and "." in i.label
            ]
        roots = Counter(_ROOT_END.split(label)[0] for label in labels)
        return (
            not labels or roots.most_common(1)[0][1] >= 0.85 * len(labels) or self.counts_anew_in is not None
        )

    @cached_property
    def counts_anew_in(self) -> Section | None:
        """The one numbered section in which all others lie and are counted anew: a chapter that is a file of its own, with "1", "2", "3" in it.

        None where the others bear its number ("44.1"), and where it holds no other.
        """
        numbered = [s for s in self.document.sections if s.label]
        if len(numbered) < 2:
            return None
        chapter, inside = numbered[0], numbered[1:]
        if (chapter.word is None and len(inside) < 2) or not (chapter.label or "").isalnum():
            return None
        if any(s.lines.start not in chapter.lines for s in inside):
            return None
        own = [s for s in inside if s.level == inside[0].level]
        counted = [s.label for s in own] == [str(n) for n in range(1, len(own) + 1)]
        return chapter if counted and inside[0].parent == chapter.id else None

    def counted_anew(self, label: str) -> Section | None:
        """The section that "44.10" means where chapter 44 is this file and counts its own "10"."""
        chapter = self.counts_anew_in
        head, dot, rest = label.partition(".")
        if chapter is None or not dot or chapter.label is None or chapter.label.casefold() != head.casefold():
            return None
        there = [s for s in self.sections(rest) if s.lines.start in chapter.lines and s is not chapter]
        return there[0] if len(there) == 1 else None


def _other_forms(label: str) -> tuple[tuple[str, str], ...]:
    """A round number is sometimes headed "2.0", and sometimes in words."""
    if not label.isdigit():
        return ()
    word = NUMBER_WORDS[int(label) - 1] if 0 < int(label) <= len(NUMBER_WORDS) else ""
    return ((f"{label}.0", f"written {label}.0 there"), *(((word, f"written {word} there"),) if word else ()))


def _inside(inner: Span, outer: Span) -> bool:
    return outer.start <= inner.start < outer.end and (inner.start, inner.end) != (outer.start, outer.end)


def _once(spots: Sequence[Spot]) -> list[Spot]:
    kept: list[Spot] = []
    for spot in spots:
        if all(abs(spot.lines.start - other.lines.start) > 1 for other in kept):
            kept.append(spot)
        else:
            kept = [
                spot if abs(spot.lines.start - k.lines.start) <= 1 and len(spot.lines) > len(k.lines) else k
                for k in kept
            ]
    return kept
