"""Documents are found by their names, in every `Store` alike."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from conformance.small_shelf import LEASE, MANUAL, document, entry
from deref.ports import FileRecord, Store
from deref.store.library import LibraryStore
from deref.store.memory import MemoryStore
from deref.text.trigrams import name_words, trigrams
from deref.values import EVERYTHING, Scope

BOND = replace(
    document("deals/kingsbrook/003_HFABondMortgage_2019.05.pdf", "The mortgagor repairs the roof."),
    title="Mortgage, Assignment of Rents and Security Agreement",
    aliases=("the HFA Bond Mortgage",),
)
MORTGAGE = document("mill_mortgage.pdf", "The miller repairs the wheel.", title="Mortgage of the Mill")


def _docs(store: Store, text: str, k: int = 9, scope: Scope = EVERYTHING) -> list[str]:
    return [hit.doc for hit in store.titles(text, k, scope)]


@pytest.fixture
def deals(shelf: Store) -> Store:
    shelf.put_all([entry(BOND), entry(MORTGAGE)])
    shelf.fold()
    return shelf


@pytest.mark.parametrize(
    "text",
    [
        "hfa bond mortgage", "HFA BOND MORTGAGE", "HFABondMortgage", "the bond-mortgage (HFA)", "hfa bond morgtage",
        "deals kingsbrook hfa bond mortgage", "mortgage assignment of rents and security agreement",
    ],
)  # fmt: skip
def test_file_title_alias_and_folder_are_names_of_one_document(deals: Store, text: str) -> None:
    assert _docs(deals, text)[0] == BOND.id


def test_each_document_comes_once_with_all_its_names_and_the_likeness_of_the_closest(deals: Store) -> None:
    first, second = deals.titles("mortgage of the mill", 2, EVERYTHING)
    assert (first.doc, first.score) == (MORTGAGE.id, 1.0)
    assert first.names == ("Mortgage of the Mill", "mill_mortgage")
    assert second.score < 1.0
    hits = deals.titles("hfa bond mortgage", 9, EVERYTHING)
    assert [h.doc for h in hits].count(BOND.id) == 1
    asked, told = trigrams(name_words("hfa bond mortgage")), trigrams(name_words("the HFA Bond Mortgage"))
    assert hits[0].score == len(asked & told) / len(asked | told)
    assert set(hits[0].names) >= {"the HFA Bond Mortgage", BOND.title}


def test_k_is_kept_and_what_is_hardly_alike_is_left_out(deals: Store) -> None:
    assert len(_docs(deals, "mortgage", 1)) == 1
    assert deals.titles("mortgage", 0, EVERYTHING) == ()
    assert _docs(deals, "zebra quux") == []


@pytest.mark.parametrize("text", ["", "?!", "\0\ud800", "'; DROP TABLE names; --", "%_", "mortgage " * 9_000])
def test_any_text_is_safe(deals: Store, text: str) -> None:
    assert (_docs(deals, text)[:1] == []) == ("mortgage" not in text)


def test_the_scope_is_applied_before_anything_is_ranked(deals: Store) -> None:
    only = Scope(documents=frozenset([MORTGAGE.id]))
    assert _docs(deals, "hfa bond mortgage", 1, only) == [MORTGAGE.id]
    assert _docs(deals, "hfa bond mortgage", 9, Scope(documents=frozenset())) == []
    assert _docs(deals, "hfa bond mortgage", 9, Scope(collections=frozenset(["other"]))) == []


def test_names_go_with_the_document_and_follow_its_file(deals: Store) -> None:
    deals.note_files([FileRecord(path="barn_deed.pdf", size=1, mtime_ns=2, doc=MORTGAGE.id)])
    deals.forget_files([MORTGAGE.name])
    assert _docs(deals, "barn deed", 1) == [MORTGAGE.id]
    deals.put_all([entry(replace(BOND, title="Deed of Trust", aliases=()))])
    assert deals.titles("deed of trust", 1, EVERYTHING)[0].names[0] == "Deed of Trust"
    assert deals.titles("security agreement assignment of rents", 9, EVERYTHING) == ()
    deals.forget_files([BOND.name, "barn_deed.pdf"])
    deals.fold()
    assert set(_docs(deals, "hfa bond mortgage barn deed of trust")) <= {LEASE.id, MANUAL.id}


def test_no_name_that_left_stays_in_the_index(deals: Store) -> None:
    if not isinstance(deals, LibraryStore):
        pytest.skip("the double has no index")
    deals.forget_files([d.name for d in (LEASE, MANUAL, BOND, MORTGAGE)])
    index = "name_words" if deals._reader.dialect == "postgresql" else "name_trigrams"
    for table in ("names", index):
        assert deals._reader.rows(f"SELECT * FROM {table}") == []


_WORDS = st.sampled_from(["bond", "mortgage", "mill", "Hfa", "2019", "é", "学", "R", "of", "no-9", "ACME_1"])


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25, deadline=None)
@given(
    names=st.lists(st.lists(_WORDS, min_size=1, max_size=5).map(" ".join), min_size=1, max_size=5),
    asked=_WORDS,
)
def test_the_index_finds_what_comparing_all_names_finds(store: Store, names: list[str], asked: str) -> None:
    made = [entry(document(f"{n}.md", f"barley {n}", title=name)) for n, name in enumerate(names)]
    store.forget_files([file.path for file in store.files(EVERYTHING)])
    store.put_all(made)
    double = MemoryStore()
    double.put_all(made)
    for text in (asked, f"{asked} mortgage", names[0]):
        assert store.titles(text, 9, EVERYTHING) == double.titles(text, 9, EVERYTHING)
