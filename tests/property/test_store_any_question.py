"""No question, however it is spelt, breaks a search or finds what is out of scope."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from conformance.small_shelf import LEASE, MANUAL, entry
from deref.store.library import LibraryStore, open_library
from deref.store.passages import bare_words
from deref.values import EVERYTHING, Scope


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LibraryStore]:
    store = open_library(tmp_path_factory.mktemp("library"), fingerprint="f")
    store.put_all([entry(LEASE), entry(MANUAL)])
    store.fold()
    yield store
    store.close()


@settings(max_examples=120, deadline=None)
@given(st.text(max_size=200))
@example('rent" OR "roof')
@example("\ud800\udfff\x00")
@example("ﬁ ǅ İ ẞ")
def test_any_text_is_a_question(shelf: LibraryStore, text: str) -> None:
    for scope in (EVERYTHING, Scope(documents=frozenset([LEASE.id]))):
        hits = shelf.lexical(text, 5, scope)
        assert len(hits) <= 5
        assert scope.documents is None or all(hit.chunk.lines.doc in scope.documents for hit in hits)
    assert shelf.shelf(EVERYTHING).labelled(text) is not None
    assert shelf.shelf(EVERYTHING).defined(text) is not None


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=200))
def test_bare_words_hold_no_sign_of_any_syntax(text: str) -> None:
    left = bare_words(text)
    assert all(c.isalnum() or c in " '’" or not c.isascii() for c in left)
    assert left == bare_words(left)


@settings(max_examples=60, deadline=None)
@given(st.frozensets(st.text(max_size=20), max_size=5))
def test_ids_of_any_spelling_are_a_safe_scope(shelf: LibraryStore, ids: frozenset[str]) -> None:
    assert shelf.lexical("rent pump", 5, Scope(documents=ids - {LEASE.id, MANUAL.id})) == ()
