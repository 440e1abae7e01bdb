"""What filters ask of documents and passages, and the choice that a filter makes of them.

Documents are decided first. Only of those that a filter decides in part are the passages looked at, so a filter by
document, date or status reads no passage.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import cached_property
from typing import Any, NamedTuple

from deref.errors import UsageError
from deref.store import statements
from deref.store.reading import MOST_IN_LIST, Reader
from deref.store.view import View
from deref.text.labels import heading_of
from deref.text.names import file_stem, without_extension
from deref.values import Document, Scope
from deref.values.filters import (
    DocumentFacts,
    Filter,
    InCollection,
    InDocument,
    PassageFacts,
    asks_for_sections,
    left_open,
    named,
    of_document,
    of_passage,
    tests,
)
from deref.values.standing import DocumentStatus

_MOST_KEPT = 64
"""Choices of one state that are kept: the title stage alone asks for one a document."""

PassagesOf = Callable[[Collection[str]], Mapping[str, Sequence[PassageFacts]]]
"""The passages of documents, by document."""


@dataclass(frozen=True)
class Choice:
    """What a filter lets through: documents as a whole, and passages of other documents, both by id."""

    whole: frozenset[str]
    parts: Mapping[str, frozenset[str]]

    def __bool__(self) -> bool:
        """Tell whether anything passes."""
        return bool(self.whole or self.parts)

    def touches(self, doc: str) -> bool:
        """Tell whether some passage of a document passes, or the document does that has none."""
        return doc in self.whole or doc in self.parts

    def holds(self, doc: str, passage: str) -> bool:
        """Tell whether a passage of a document passes."""
        return doc in self.whole or passage in self.parts.get(doc, ())

    @cached_property
    def passages(self) -> frozenset[str]:
        """Return the passages that pass of documents that do not as a whole."""
        return frozenset(passage for passages in self.parts.values() for passage in passages)


def choose(where: Filter, documents: Iterable[DocumentFacts], passages_of: PassagesOf) -> Choice:
    """Return what a filter lets through of these documents."""
    every = list(documents)
    decided = {one.id: of_document(where, one) for one in every}
    open_ones = {one.id: one for one in every if decided[one.id] is None}
    parts: dict[str, frozenset[str]] = {}
    sifts: dict[Filter, _Sift] = {}
    for doc, passages in passages_of(open_ones).items() if open_ones else ():
        rest = left_open(where, open_ones[doc])
        sift = sifts.setdefault(rest, _Sift(rest, open_ones[doc]))
        if passing := frozenset(p.id for p in passages if sift.passes(p)):
            parts[doc] = passing
    return Choice(whole=frozenset(doc for doc, passes in decided.items() if passes), parts=parts)


class _Sift:
    """What a filter asks of passages alone: those that are alike for it are looked at once."""

    def __init__(self, rest: Filter, document: DocumentFacts) -> None:
        """Take what is left of the filter, and any of the documents that leave it."""
        self._rest = rest
        self._document = document
        self._by_section = asks_for_sections(rest)
        self._known: dict[tuple[object, ...], bool] = {}

    def passes(self, passage: PassageFacts) -> bool:
        """Tell whether a passage of such a document passes."""
        alike = passage[1 if self._by_section else 2 :]
        passes = self._known.get(alike)
        if passes is None:
            passes = self._known[alike] = of_passage(self._rest, self._document, passage)
        return passes


def check_names(where: Filter, documents: Sequence[DocumentFacts]) -> None:
    """Raise UsageError for a document or collection in a filter that none of these documents is called by or is in."""
    for test in tests(where):
        if isinstance(test, InDocument | InCollection) and not any(named(test, one) for one in documents):
            field = "document" if isinstance(test, InDocument) else "collection"
            known = sorted({one.collection if field == "collection" else one.names[0] for one in documents})
            shown = f"{', '.join(known[:6])}{', …' if len(known) > 6 else ''}" or "none"
            raise UsageError(
                f'{field}:"{test.pattern}": no {field} of this shelf is called so; there {"are" if len(known) != 1 else "is"} '
                f"{shown} (* stands for any text)"
            )


def document_facts(
    *,
    doc: str,
    name: str,
    title: str,
    aliases: Iterable[str],
    collection: str,
    format: str,
    changed_ns: int | None,
    status: str,
) -> DocumentFacts:
    """Return the facts of a document; `changed_ns` is when its file was last changed, in nanoseconds since the epoch."""
    names = (name, name.rpartition("/")[2], without_extension(name), file_stem(name), title, *aliases)
    return DocumentFacts(
        id=doc,
        names=tuple(dict.fromkeys(known for known in names if known)),
        collection=collection,
        format=format,
        changed=None if changed_ns is None else _day(changed_ns),
        status=DocumentStatus(status),
    )


def _day(ns: int) -> date:
    return datetime.fromtimestamp(ns / 1e9).astimezone().date()


class SectionRow(NamedTuple):
    """A section as the catalogue has it."""

    id: str
    label: str | None
    title: str
    start: int
    end: int
    parent: str | None
    word: str | None


def passage_columns(
    spans: Sequence[tuple[int, int]],
    pages: Sequence[int],
    items: Iterable[tuple[str, int, int]],
    sections: Sequence[SectionRow],
) -> Iterator[dict[str, Any]]:
    """Yield what filters ask of each passage (start, end) of a document, as the catalogue has it.

    `pages` has the page of each line, `items` (kind, start, end) of each item, `sections` are in order of their first
    line. Passages are in order and do not overlap.
    """
    paths = _paths(sections)
    begins = [section.start for section in sections]
    starts, ends = [start for start, _ in spans], [end for _, end in spans]
    kinds: list[set[str]] = [set() for _ in spans]
    for kind, start, end in items:
        for n in range(bisect_right(ends, start), bisect_left(starts, end)):
            kinds[n].add(kind)
    for (start, end), found in zip(spans, kinds, strict=True):
        held = [n for n in range(bisect_right(begins, start)) if sections[n].end > start][-1:]
        held += range(bisect_right(begins, start), bisect_left(begins, end))
        yield {
            "paths": "\n".join(paths[n] for n in held),
            "page": pages[start],
            "end_page": pages[max(start, end - 1)],
            "kinds": " ".join(sorted(found)),
        }


def section_rows(document: Document) -> list[SectionRow]:
    """Return the sections of a document."""
    return [
        SectionRow(s.id, s.label, s.title, s.lines.start, s.lines.end, s.parent, s.word)
        for s in document.sections
    ]


def _paths(sections: Sequence[SectionRow]) -> list[str]:
    """Return the headings from the outermost one down to each section, " > " between."""
    made: dict[str, str] = {}
    for section in sections:
        heading = " ".join(heading_of(section.label, section.title, section.word).split())
        above = made.get(section.parent or "")
        made[section.id] = f"{above} > {heading}" if above else heading
    return [made[section.id] for section in sections]


class CatalogueFacts:
    """The facts of one state of a catalogue; the passages of a document are read once."""

    def __init__(self, reader: Reader) -> None:
        """Read the documents."""
        self._reader = reader
        aliases: dict[str, list[str]] = {}
        for doc, alias in reader.rows(statements.ALIASES):
            aliases.setdefault(doc, []).append(alias)
        self.documents = tuple(
            document_facts(
                doc=doc, name=name, title=title, aliases=aliases.get(doc, ()), collection=collection, format=form,
                changed_ns=changed_ns, status=status,
            )
            for doc, name, title, collection, form, status, changed_ns in reader.rows(statements.DOCUMENT_FACTS)
        )  # fmt: skip
        self._passages: dict[str, list[PassageFacts]] = {}

    def passages_of(self, docs: Collection[str]) -> Mapping[str, Sequence[PassageFacts]]:
        """Return the passages of documents, by document."""
        missing = sorted(doc for doc in docs if doc not in self._passages)
        kinds_of: dict[str, frozenset[str]] = {}
        for start in range(0, len(missing), MOST_IN_LIST):
            part = missing[start : start + MOST_IN_LIST]
            self._passages.update({doc: [] for doc in part})
            statement = statements.passage_facts(len(part))
            for row in self._reader.rows(statement, {f"d{n}": doc for n, doc in enumerate(part)}):
                doc, id_, paths, page, end_page, kinds = row
                several = tuple(paths.split("\n")) if "\n" in paths else (paths,)
                if kinds not in kinds_of:
                    kinds_of[kinds] = frozenset(kinds.split())
                self._passages[doc].append(PassageFacts(id_, several, page, end_page, kinds_of[kinds]))
        return {doc: self._passages[doc] for doc in docs}


class Choices:
    """What filters choose in one state of a catalogue: worked out once for all legs of a question."""

    def __init__(self, reader: Reader, view: View) -> None:
        """Read the documents."""
        self.view = view
        self._facts = CatalogueFacts(reader)
        self._made: dict[tuple[Scope, Filter], Choice] = {}

    def of(self, scope: Scope, where: Filter) -> Choice:
        """Return what a filter leaves of a scope."""
        if (scope, where) not in self._made:
            if len(self._made) >= _MOST_KEPT:
                self._made.clear()
            self._made[scope, where] = choose(where, self._seen(scope), self._facts.passages_of)
        return self._made[scope, where]

    def checked(self, scope: Scope, where: Filter) -> bool:
        """Tell whether a filter leaves anything. Raises UsageError for a document or collection that is not there."""
        check_names(where, self._seen(scope))
        return bool(self.of(scope, where))

    def _seen(self, scope: Scope) -> list[DocumentFacts]:
        return [one for one in self._facts.documents if self.view.sees(one.id, scope)]
