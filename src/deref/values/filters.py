"""What a question may be answered from: a closed algebra of tests on documents and passages, joined by and, or, not.

    InDocument(pattern="lease*") & ~OnPages(first=1, last=3) | OfKind(kind="table")

Some tests tell by the document alone (`InDocument`, `InCollection`, `Dated`, `OfStatus`, formats of `OfKind`), the others by
the passage too. `of_document` decides as much as can be told without the passages: True, False, or None when it
depends on them; `of_passage` decides the rest.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from fnmatch import translate
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from deref.errors import UsageError
from deref.quick_dataclass import dataclass
from deref.values.document import ItemKind
from deref.values.standing import DocumentStatus

FORMATS = ("pdf", "docx", "html", "markdown", "text")
KINDS = (*FORMATS, *(kind.value for kind in ItemKind))


class _Test:
    """Joins filters: `a & b`, `a | b`, `~a`."""

    __slots__ = ()

    def __and__(self, other: Filter) -> Every:
        return Every(parts=(self, other))  # type: ignore[arg-type]

    def __or__(self, other: Filter) -> Some:
        return Some(parts=(self, other))  # type: ignore[arg-type]

    def __invert__(self) -> Except:
        return Except(part=self)  # type: ignore[arg-type]

    def said(self) -> str:
        """Return the filter as `text.where.read_where` reads it."""
        return _said(self)  # type: ignore[arg-type]

    def tells_passages_apart(self) -> bool:
        """Tell whether some passages of a document may pass and others not."""
        return any(
            isinstance(test, InSection | OnPages) or (isinstance(test, OfKind) and test.kind not in FORMATS)
            for test in tests(self)  # type: ignore[arg-type]
        )


def _pattern(field: str, pattern: str) -> None:
    if not pattern.strip():
        raise UsageError(f'{field}: it takes a name, e.g. {field}:lease or {field}:"loan*"')


@dataclass(frozen=True, slots=True, kw_only=True)
class InDocument(_Test):
    """Documents that are called so: path, file, file without its ending, title, a short name, or id.

    `pattern` is compared whatever the case; * stands for any text, ? for any sign.
    """

    pattern: str

    def __post_init__(self) -> None:
        """Raise UsageError for an empty pattern."""
        _pattern("document", self.pattern)


@dataclass(frozen=True, slots=True, kw_only=True)
class InCollection(_Test):
    """Documents of a collection; `pattern` as in `InDocument`."""

    pattern: str

    def __post_init__(self) -> None:
        """Raise UsageError for an empty pattern."""
        _pattern("collection", self.pattern)


@dataclass(frozen=True, slots=True, kw_only=True)
class InSection(_Test):
    """Passages with a line in a section: `pattern` is its number ("4.2"), its title, both as the heading has them, or several, " > " between.

    The sections inside it count too. Compared as in `InDocument`.
    """

    pattern: str

    def __post_init__(self) -> None:
        """Raise UsageError for an empty pattern."""
        _pattern("section", self.pattern)


@dataclass(frozen=True, slots=True, kw_only=True)
class OnPages(_Test):
    """Passages with a line on one of these pages, counted from 1 as in the file; None is an open end."""

    first: int | None = None
    last: int | None = None

    def __post_init__(self) -> None:
        """Raise UsageError for a range that holds no page."""
        first, last = self.first, self.last
        if (
            (first is None and last is None)
            or (first is not None and first < 1)
            or (last is not None and last < (first or 1))
        ):
            raise UsageError(
                f"page:{'' if first is None else first}-{'' if last is None else last}: no page is in that range; pages "
                "count from 1, e.g. page:3, page:1-3 or page:5-"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class Dated(_Test):
    """Documents whose file was last changed on one of these days, both included; None is an open end. Days are local."""

    first: date | None = None
    last: date | None = None

    def __post_init__(self) -> None:
        """Raise UsageError for a range that holds no day."""
        first, last = self.first, self.last
        if (first is None and last is None) or (first is not None and last is not None and last < first):
            raise UsageError(
                f"date:{first or ''}..{last or ''}: no day is in that range; e.g. date:2026, date:2026-03 or "
                "date:2026-03-01..2026-03-31"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class OfKind(_Test):
    """Documents of a format (`FORMATS`), or passages with a line of an item of a kind (`ItemKind`)."""

    kind: str

    def __post_init__(self) -> None:
        """Raise UsageError for a kind that is none."""
        if self.kind not in KINDS:
            raise UsageError(f"kind:{self.kind}: there is no such kind; there are {', '.join(KINDS)}")


@dataclass(frozen=True, slots=True, kw_only=True)
class OfStatus(_Test):
    """Documents that have a status; None is any. A filter without this test leaves only those that are active."""

    status: DocumentStatus | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Every(_Test):
    """What passes all parts."""

    parts: tuple[Filter, ...]

    def __post_init__(self) -> None:
        """Raise UsageError when there is no part."""
        _some_parts(self.parts)


@dataclass(frozen=True, slots=True, kw_only=True)
class Some(_Test):
    """What passes one part or more."""

    parts: tuple[Filter, ...]

    def __post_init__(self) -> None:
        """Raise UsageError when there is no part."""
        _some_parts(self.parts)


@dataclass(frozen=True, slots=True, kw_only=True)
class Except(_Test):
    """What does not pass the part."""

    part: Filter


Test: TypeAlias = InDocument | InCollection | InSection | OnPages | Dated | OfKind | OfStatus
Filter: TypeAlias = Test | Every | Some | Except


def _some_parts(parts: tuple[Filter, ...]) -> None:
    if not parts:
        raise UsageError("the filter is empty; leave it out to search everything")


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentFacts:
    """What filters ask of a document. `names` are all it is called by; `changed` is the day its file was last changed."""

    id: str
    names: tuple[str, ...]
    collection: str
    format: str
    changed: date | None
    status: DocumentStatus


class PassageFacts(NamedTuple):
    """What filters ask of a passage. `paths` as `Chunk.path`, of each section with a line in it; pages from 1, `last_page` included; `kinds` of items in it."""

    id: str
    paths: tuple[str, ...]
    first_page: int
    last_page: int
    kinds: frozenset[str]


def tests(of: Filter) -> Iterator[Test]:
    """Yield the tests of a filter, from left to right."""
    match of:
        case Every(parts=parts) | Some(parts=parts):
            for part in parts:
                yield from tests(part)
        case Except(part=part):
            yield from tests(part)
        case _:
            yield of


def of_any_status(where: Filter) -> Filter:
    """Return a filter with each test for active documents replaced by one that all documents pass."""
    match where:
        case Every(parts=parts):
            return Every(parts=tuple(map(of_any_status, parts)))
        case Some(parts=parts):
            return Some(parts=tuple(map(of_any_status, parts)))
        case Except(part=part):
            return Except(part=of_any_status(part))
        case OfStatus(status=DocumentStatus.ACTIVE):
            return OfStatus(status=None)
        case _:
            return where


def _said(of: Filter) -> str:
    match of:
        case Every(parts=parts):
            return " AND ".join(map(_closed, parts))
        case Some(parts=parts):
            return " OR ".join(map(_closed, parts))
        case Except(part=part):
            return f"NOT {_closed(part)}"
        case InDocument(pattern=pattern):
            return f"document:{_quoted(pattern)}"
        case InCollection(pattern=pattern):
            return f"collection:{_quoted(pattern)}"
        case InSection(pattern=pattern):
            return f"section:{_quoted(pattern)}"
        case OnPages(first=low, last=high):
            return f"page:{'' if low is None else low}-{'' if high is None else high}"
        case Dated(first=first, last=last):
            return f"date:{first or ''}..{last or ''}"
        case OfKind(kind=kind):
            return f"kind:{kind}"
        case OfStatus(status=status):
            return f"status:{status.value if status else 'all'}"


def _closed(part: Filter) -> str:
    return f"({_said(part)})" if isinstance(part, Every | Some) else _said(part)


def _quoted(pattern: str) -> str:
    # Quotes have no way into quotes; "?" stands for any one sign.
    return '"' + pattern.replace('"', "?") + '"'


def of_document(where: Filter, document: DocumentFacts) -> bool | None:
    """Tell whether the passages of a document pass: True all, False none, None some perhaps."""
    return _passes(where, document, None)


def of_passage(where: Filter, document: DocumentFacts, passage: PassageFacts) -> bool:
    """Tell whether a passage of a document passes."""
    return bool(_passes(where, document, passage))


def left_open(where: Filter, document: DocumentFacts) -> Filter:
    """Return what a filter that does not decide a document asks of its passages: documents that are alike for it leave the same."""
    match where:
        case Every(parts=parts) | Some(parts=parts):
            asked = [part for part in parts if _passes(part, document, None) is None]
            rest = tuple(left_open(part, document) for part in asked)
            return rest[0] if len(rest) == 1 else replace(where, parts=rest)
        case Except(part=part):
            return Except(part=left_open(part, document))
        case _:
            return where


def asks_for_sections(where: Filter) -> bool:
    """Tell whether some test of a filter is of sections."""
    return any(isinstance(test, InSection) for test in tests(where))


def named(test: InDocument | InCollection, document: DocumentFacts) -> bool:
    """Tell whether a document, or its collection, is called so."""
    if isinstance(test, InCollection):
        return _alike(document.collection, test.pattern)
    return test.pattern == document.id or any(_alike(name, test.pattern) for name in document.names)


def _passes(where: Filter, document: DocumentFacts, passage: PassageFacts | None) -> bool | None:
    match where:
        case Every(parts=parts):
            found = [_passes(part, document, passage) for part in parts]
            return False if False in found else None if None in found else True
        case Some(parts=parts):
            found = [_passes(part, document, passage) for part in parts]
            return True if True in found else None if None in found else False
        case Except(part=part):
            inner = _passes(part, document, passage)
            return None if inner is None else not inner
        case InDocument() | InCollection():
            return named(where, document)
        case Dated(first=first, last=last):
            day = document.changed
            return day is not None and (first is None or first <= day) and (last is None or day <= last)
        case OfStatus(status=status):
            return status is None or document.status is status
        case OfKind(kind=kind) if kind in FORMATS:
            return document.format == kind
        case OfKind(kind=kind):
            return None if passage is None else kind in passage.kinds
        case OnPages(first=low, last=high):
            if passage is None:
                return None
            return (low is None or low <= passage.last_page) and (high is None or passage.first_page <= high)
        case InSection(pattern=pattern):
            return None if passage is None else any(_in_section(path, pattern) for path in passage.paths)


def _alike(text: str, pattern: str) -> bool:
    return _matching(pattern).match(text.casefold()) is not None


@lru_cache(maxsize=256)
def _matching(pattern: str) -> re.Pattern[str]:
    # In brackets, signs stand for a choice of signs; titles hold brackets that stand for themselves.
    return re.compile(translate(pattern.casefold().replace("[", "[[]")))


_WILD = re.compile(r"[*?]")
_RUN = re.compile(r"[^\W_]+")
# Most passages of a library share the path, and nearly all of its steps, with others.
_PATHS = 1 << 16


def _in_section(path: str, pattern: str) -> bool:
    # A heading is compared whole and without signs around its number: what stands in it in any case is told apart first.
    folded = path.casefold()
    return all(run in folded for run in _runs(pattern)) and _is_in_section(path, pattern)


@lru_cache(maxsize=256)
def _runs(pattern: str) -> tuple[str, ...]:
    """Return the runs of letters and digits that a text has which is like the pattern."""
    return tuple(run for part in _WILD.split(pattern.casefold()) for run in _RUN.findall(part))


@lru_cache(maxsize=_PATHS)
def _is_in_section(path: str, pattern: str) -> bool:
    wanted = [part.strip() for part in pattern.split(" > ")]
    steps = [step for step in path.split(" > ") if step]
    return any(
        all(
            _is_called(step, part)
            for step, part in zip(steps[n : n + len(wanted)], wanted, strict=True)
        )
        for n in range(len(steps) - len(wanted) + 1)
    )  # fmt: skip


@lru_cache(maxsize=_PATHS)
def _is_called(heading: str, pattern: str) -> bool:
    """Whether a heading is called so, with or without its number: "4.2 Fees", "Article 4.2 Fees", "4.2", "Article 4.2", "Fees"."""
    words = heading.split()
    for n, word in enumerate(words[:2]):
        if any(sign.isdigit() for sign in word) or len(word.strip(".)(")) == 1:
            number = word.strip(".)(:")
            before = " ".join(words[:n])
            forms = [number, f"{before} {number}".strip(), " ".join(words[n + 1 :])]
            if any(form and _alike(form, pattern) for form in forms):
                return True
    return _alike(heading, pattern)
