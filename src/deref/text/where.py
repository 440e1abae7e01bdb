"""Filters as one line of text: `document:lease* AND NOT page:1-3`, `kind:table OR (section:4.2 AND date:2026-03)`.

    some  = every { OR every }
    every = other { AND other }
    other = NOT other | "(" some ")" | field ":" value
    value = a word without white space and brackets, or any text in double quotes

AND, OR and NOT may be in any case; NOT binds closest, then AND. A field is one of document, collection, section, page
(3, 1-3, 5-, -5), date (a year, month or day, or two of them with ".." between, one of which may be missing), kind, status.
"""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import date
from typing import NoReturn

from deref.errors import UsageError
from deref.values.filters import (
    Dated,
    Every,
    Except,
    Filter,
    InCollection,
    InDocument,
    InSection,
    OfKind,
    OfStatus,
    OnPages,
    Some,
)
from deref.values.standing import DocumentStatus

FIELDS = ("document", "collection", "section", "page", "date", "kind", "status")
_DEEPEST = 40
_TOKEN = re.compile(
    r"""\s*(?:(?P<sign>[()])|(?P<word>and|or|not)(?![^\s()])|(?P<field>[^\W\d_]\w*)\s*:\s*(?:"(?P<quoted>[^"]*)"|(?P<bare>[^\s()"]+))?)""",
    re.IGNORECASE,
)
_PAGES = re.compile(r"(?P<first>\d{0,6})(?P<to>-)?(?P<last>\d{0,6})")
_DAY = re.compile(r"(?P<year>\d{4})(?:-(?P<month>\d{2})(?:-(?P<day>\d{2}))?)?")


def read_where(text: str) -> Filter:
    """Return the filter that a line of text says. Raises UsageError that names what is wrong and how to write it."""
    if not text.strip():
        raise UsageError(
            'the filter is empty; leave it out to search everything, or write e.g. "document:lease*"'
        )
    reader = _Reader(text)
    found = reader.some(0)
    if reader.here is not None:
        reader.fail("AND or OR is missing before it")
    return found


class _Reader:
    """Reads tokens one after the other: `here` is the next one, None at the end."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._end = 0
        self._begin = 0
        self.here: re.Match[str] | None = None
        self._next()

    def _next(self) -> None:
        self._begin = self._end
        if not self._text[self._end :].strip():
            self.here = None
            return
        self.here = _TOKEN.match(self._text, self._end)
        if self.here is None:
            self.fail(f"it takes FIELD:VALUE, where the field is one of {', '.join(FIELDS)}")
        self._end = self.here.end()

    def fail(self, why: str) -> NoReturn:
        """Raise UsageError for what comes next."""
        rest = self._text[self._begin :].strip()
        where = f"at “{rest[:40]}”" if rest else "at its end"
        raise UsageError(f"the filter “{self._text.strip()[:120]}” cannot be read {where}: {why}")

    def _took(self, group: str, said: str) -> bool:
        if self.here is None or (self.here[group] or "").casefold() != said:
            return False
        self._next()
        return True

    def some(self, depth: int) -> Filter:
        parts = [self._every(depth)]
        while self._took("word", "or"):
            parts.append(self._every(depth))
        return parts[0] if len(parts) == 1 else Some(parts=tuple(parts))

    def _every(self, depth: int) -> Filter:
        parts = [self._other(depth)]
        while self._took("word", "and"):
            parts.append(self._other(depth))
        return parts[0] if len(parts) == 1 else Every(parts=tuple(parts))

    def _other(self, depth: int) -> Filter:
        if depth > _DEEPEST:
            self.fail("it has too many brackets and NOTs inside each other")
        if self._took("word", "not"):
            return Except(part=self._other(depth + 1))
        if self._took("sign", "("):
            inner = self.some(depth + 1)
            if not self._took("sign", ")"):
                self.fail("a closing bracket is missing")
            return inner
        token = self.here
        if token is None or not token["field"]:
            self.fail("FIELD:VALUE is missing, e.g. document:lease*")
        field, quoted = token["field"].casefold(), token["quoted"]
        value = (quoted if quoted is not None else token["bare"] or "").strip()
        if field not in FIELDS:
            self.fail(f"there is no field {token['field']!r}; there are {', '.join(FIELDS)}")
        if not value:
            self.fail(f"{field}: takes a value behind the colon, with quotes round it when it has spaces")
        made = _test(field, value)
        self._next()
        return made


def _test(field: str, value: str) -> Filter:
    match field:
        case "document":
            return InDocument(pattern=value)
        case "collection":
            return InCollection(pattern=value)
        case "section":
            return InSection(pattern=value)
        case "page":
            return _pages(value)
        case "date":
            return _dates(value)
        case "kind":
            return OfKind(kind=value.casefold())
        case _:
            return status_test(value)


def status_test(value: str, *, said: str = "status:") -> OfStatus:
    """Return the test for a status by its name, or "all"; `said` is how it was asked for. Raises UsageError for any other."""
    wanted = value.casefold()
    if wanted == "all":
        return OfStatus(status=None)
    if wanted not in {status.value for status in DocumentStatus}:
        names = ", ".join(status.value for status in DocumentStatus)
        raise UsageError(f"{said}{value}: there is no such status; there are {names}, and all")
    return OfStatus(status=DocumentStatus(wanted))


def _pages(value: str) -> OnPages:
    match = _PAGES.fullmatch(value)
    if match is None or not (match["first"] or match["last"]):
        raise UsageError(f"page:{value}: give a page or a range, e.g. page:3, page:1-3, page:5- or page:-5")
    first = int(match["first"]) if match["first"] else None
    last = int(match["last"]) if match["last"] else None
    return OnPages(first=first, last=last if match["to"] else first)


def _dates(value: str) -> Dated:
    first, to, last = value.partition("..")
    try:
        return Dated(
            first=_days(first)[0] if first else None,
            last=_days(last)[1] if last else None if to else _days(first)[1],
        )
    except ValueError:
        raise UsageError(
            f"date:{value}: give a year, a month or a day, or a range of them, e.g. date:2026, date:2026-03, "
            "date:2026-03-31, date:2026-01..2026-03 or date:2026-03-31.."
        ) from None


def _days(text: str) -> tuple[date, date]:
    """Return the first and the last day of a year, a month or a day. Raises ValueError."""
    match = _DAY.fullmatch(text)
    if match is None:
        raise ValueError(text)
    year, month, day = (int(match[name]) if match[name] else None for name in ("year", "month", "day"))
    assert year is not None
    last_month = month or 12
    first = date(year, month or 1, day or 1)
    return first, date(year, last_month, day or monthrange(year, last_month)[1])
