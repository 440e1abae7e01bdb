"""Filters as one line of text."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deref.errors import UsageError
from deref.text.where import read_where
from deref.values import ItemKind
from deref.values.filters import (
    KINDS,
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


@pytest.mark.parametrize(
    ("text", "filter"),
    [
        ("document:lease*", InDocument(pattern="lease*")),
        ('Document : "The Lease"', InDocument(pattern="The Lease")),
        ("page:3", OnPages(first=3, last=3)),
        ("page:1-3", OnPages(first=1, last=3)),
        ("page:5-", OnPages(first=5)),
        ("page:-5", OnPages(last=5)),
        ("date:2026", Dated(first=date(2026, 1, 1), last=date(2026, 12, 31))),
        ("date:2024-02", Dated(first=date(2024, 2, 1), last=date(2024, 2, 29))),
        ("date:2026-03-31..", Dated(first=date(2026, 3, 31))),
        ("date:..2025", Dated(last=date(2025, 12, 31))),
        ("date:2025-11..2026-01", Dated(first=date(2025, 11, 1), last=date(2026, 1, 31))),
        ("kind:Table", OfKind(kind="table")),
        ("status:all", OfStatus(status=None)),
        ("status:Withdrawn", OfStatus(status=DocumentStatus.WITHDRAWN)),
        (
            "kind:pdf or not section:4.2 AND page:1",
            Some(
                parts=(
                    OfKind(kind="pdf"),
                    Every(parts=(Except(part=InSection(pattern="4.2")), OnPages(first=1, last=1))),
                )
            ),
        ),
        (
            "(kind:pdf OR kind:html)AND NOT(collection:hr)",
            Every(
                parts=(
                    Some(parts=(OfKind(kind="pdf"), OfKind(kind="html"))),
                    Except(part=InCollection(pattern="hr")),
                )
            ),
        ),
    ],
)
def test_a_line_reads_as_its_filter(text: str, filter: Filter) -> None:
    assert read_where(text) == filter


@pytest.mark.parametrize(
    ("text", "fix"),
    [
        (" ", "leave it out to search everything"),
        (
            "author:x",
            "there is no field 'author'; there are document, collection, section, page, date, kind, status",
        ),
        ("lease", "it takes FIELD:VALUE"),
        ("document:", "takes a value behind the colon"),
        ('document:""', "takes a value behind the colon"),
        ('document:"open', "takes a value behind the colon"),
        ("document:a document:b", "AND or OR is missing"),
        ("document:a AND", "FIELD:VALUE is missing"),
        ("(page:1", "a closing bracket is missing"),
        ("page:1)", "AND or OR is missing"),
        ("page:0", "pages count from 1"),
        ("page:3-2", "no page is in that range"),
        ("page:-", "give a page or a range"),
        ("page:one", "give a page or a range"),
        ("date:2026-13", "give a year, a month or a day"),
        ("date:2026-02-30", "give a year, a month or a day"),
        ("date:..", "no day is in that range"),
        ("date:2026..2025", "no day is in that range"),
        ("kind:tabel", "there is no such kind; there are pdf, "),
        (
            "status:old",
            "status:old: there is no such status; there are active, superseded, withdrawn, and all",
        ),
        ("NOT " * 60 + "page:1", "too many brackets and NOTs"),
        ("(" * 5000 + "page:1", "too many brackets and NOTs"),
    ],
)
def test_what_is_no_filter_is_refused_with_a_fix(text: str, fix: str) -> None:
    with pytest.raises(UsageError) as refused:
        read_where(text)
    assert fix in str(refused.value)


@pytest.mark.parametrize(
    "make", [lambda: Every(parts=()), lambda: Some(parts=()), lambda: InSection(pattern=" ")]
)
def test_an_empty_object_is_refused_too(make: object) -> None:
    with pytest.raises(UsageError):
        make()  # type: ignore[operator]


def test_every_kind_of_item_can_be_asked_for() -> None:
    assert {kind.value for kind in ItemKind} <= set(KINDS)


_PATTERNS = st.text(st.characters(exclude_characters='"', exclude_categories=["Cs"]), min_size=1).filter(
    lambda text: text == text.strip() and text != ""
)
_DATES = st.dates(min_value=date(1970, 1, 1))
_TESTS = st.one_of(
    _PATTERNS.map(lambda p: InDocument(pattern=p)),
    _PATTERNS.map(lambda p: InSection(pattern=p)),
    st.integers(1, 99).map(lambda n: OnPages(first=n, last=n + 3)),
    _DATES.map(lambda day: Dated(first=day)),
    st.sampled_from(KINDS).map(lambda kind: OfKind(kind=kind)),
    st.sampled_from([None, *DocumentStatus]).map(lambda status: OfStatus(status=status)),
)
_FILTERS: st.SearchStrategy[Filter] = st.recursive(
    _TESTS,
    lambda inner: st.one_of(
        st.lists(inner, min_size=2, max_size=3).map(lambda parts: Every(parts=tuple(parts))),
        st.lists(inner, min_size=2, max_size=3).map(lambda parts: Some(parts=tuple(parts))),
        inner.map(lambda part: Except(part=part)),
    ),
    max_leaves=6,
)


@given(_FILTERS)
def test_a_filter_reads_as_what_it_says(where: Filter) -> None:
    assert read_where(where.said()) == where


@given(st.text(max_size=60))
def test_any_text_is_a_filter_or_is_refused(text: str) -> None:
    try:
        read_where(text)
    except UsageError as refused:
        assert str(refused)
