"""Filters and standing, for every `Store`: on disk, through both doors, and in memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from conformance.conftest import EMBEDDER
from conformance.small_shelf import LEASE, MANUAL, document, entry
from deref.errors import UsageError
from deref.ports import FileRecord, Store
from deref.text.labels import heading_of
from deref.text.where import read_where
from deref.values import EVERYTHING, Chunk, Hit, Scope
from deref.values.filters import DocumentFacts, Filter, PassageFacts, of_passage
from deref.values.standing import DocumentStatus, StatusMark

NOON = datetime(2024, 3, 18, 12).astimezone()
LONG = document(
    "letters/long.txt",
    "\n".join(f"Line {n} of the letter about rent and the pump." for n in range(1, 130)),
    title="The Long Letter",
)


@pytest.fixture
def filled(store: Store) -> Store:
    """A lease of two years ago, a manual with a table and a definition, and a letter of four pages."""
    dated = replace(entry(LEASE), file=replace(entry(LEASE).file, mtime_ns=int(NOON.timestamp()) * 10**9))
    store.put_all([dated, entry(MANUAL), entry(LONG)])
    store.vectors(store.missing_vectors(100), EMBEDDER)
    store.fold()
    return store


def _all(store: Store, scope: Scope = EVERYTHING) -> list[Chunk]:
    return [c for card in store.shelf(scope).cards() for c in store.chunks(card.id, scope)]


def _left(store: Store, where: str) -> list[Chunk]:
    test = read_where(where)
    return [c for card in store.shelf(EVERYTHING).cards() for c in store.chunks(card.id, EVERYTHING, test)]


@pytest.mark.parametrize(
    ("where", "names"),
    [
        ("document:lease*", {"lease.md"}),
        ("document:LEASE.MD", {"lease.md"}),
        ('document:"lease of the mill house"', {"lease.md"}),
        ("document:pump", {"manuals/pump.txt"}),
        ("document:manuals/*", {"manuals/pump.txt"}),
        ("NOT document:manuals/*", {"lease.md", "letters/long.txt"}),
        ("kind:pdf", {"manuals/pump.txt"}),
        ("kind:table", {"manuals/pump.txt"}),
        ("kind:table AND document:lease", set()),
        ("collection:default", {"lease.md", "manuals/pump.txt", "letters/long.txt"}),
        ("date:2024", {"lease.md"}),
        ("date:..2023", {"manuals/pump.txt", "letters/long.txt"}),
        ("date:2024-03..2024-03-18", {"lease.md"}),
        ("page:2-", {"letters/long.txt"}),
        ("section:Rent", {"lease.md"}),
        ("section:1", {"lease.md", "manuals/pump.txt"}),
        ('section:"chapter 1"', {"manuals/pump.txt"}),
        ('section:"Repairs > Notice" OR kind:table', {"lease.md", "manuals/pump.txt"}),
        ("status:superseded", set()),
        ("status:all AND page:1", {"lease.md", "manuals/pump.txt", "letters/long.txt"}),
    ],
)
def test_a_filter_leaves_the_documents_it_says(filled: Store, where: str, names: set[str]) -> None:
    known = {card.id: card.name for card in filled.shelf(EVERYTHING).cards()}
    assert {known[c.lines.doc] for c in _left(filled, where)} == names


def test_a_filter_tells_passages_of_one_document_apart(filled: Store) -> None:
    kept = _left(filled, "document:lease AND section:2")
    assert kept and all(c.lines.end > 4 for c in kept)
    last = _left(filled, "page:4-")
    assert last and all(c.lines.end > 120 for c in last)
    tables = _left(filled, "kind:table")
    assert all("Table 3" in c.text or "Kind  Flow" in c.text for c in tables)


def test_sections_count_with_all_inside_them_and_their_numbers_are_whole(filled: Store) -> None:
    assert {c.id for c in _left(filled, "section:2.1")} <= {c.id for c in _left(filled, "section:2")}
    assert _left(filled, "section:2.1 AND document:lease")
    assert _left(filled, "section:2.") == []


_TESTS = st.sampled_from(
    [
        "document:lease*", "document:pump", "document:*l*", "collection:default", "section:2", "section:Limits", "page:1", "page:2-3",
        "page:-1", "date:2024", "date:..2023", "kind:pdf", "kind:text", "kind:table", "kind:definition", "status:active", "status:withdrawn",
    ]
)  # fmt: skip
_FILTERS = st.recursive(
    _TESTS,
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["AND", "OR", "and not"]), inner).map(
            lambda t: f"({t[0]}) {t[1]} ({t[2]})"
        ),
        inner.map(lambda one: f"NOT ({one})"),
    ),
    max_leaves=5,
)


@given(where=_FILTERS, k=st.integers(1, 30))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_filtered_leg_is_the_whole_leg_filtered_afterwards(filled: Store, where: str, k: int) -> None:
    test = read_where(where)
    passing = {c.id for c in _left(filled, where)}
    assert passing == {c.id for c in _all(filled) if _passes(filled, test, c)}

    def left(every: Sequence[Hit]) -> list[tuple[str, float]]:
        return [(h.chunk.id, pytest.approx(h.score, rel=1e-5)) for h in every if h.chunk.id in passing][:k]

    def told(hits: Sequence[Hit]) -> list[tuple[str, float]]:
        return [(h.chunk.id, h.score) for h in hits]

    question = "the rent of the pump letter"
    assert told(filled.lexical(question, k, EVERYTHING, test)) == left(
        filled.lexical(question, 999, EVERYTHING)
    )
    vector = EMBEDDER.query(question)
    assert told(filled.dense(vector, k, EVERYTHING, test)) == left(filled.dense(vector, 999, EVERYTHING))
    docs = {c.lines.doc for c in _all(filled) if c.id in passing}
    wanted = [h for h in filled.titles("long lease pump", 99, EVERYTHING) if h.doc in docs][:k]
    assert [h for h in filled.titles("long lease pump", k, EVERYTHING, test)] == wanted
    assert filled.progress(EVERYTHING, test).chunks == sum(c.lines.doc in docs for c in _all(filled))


def _passes(store: Store, where: Filter, chunk: Chunk) -> bool:
    """Work out by hand, from the documents themselves, whether a chunk passes."""
    card = next(c for c in store.shelf(EVERYTHING).cards() if c.id == chunk.lines.doc)
    known = store.shelf(EVERYTHING).document(card.id)
    assert known is not None
    facts = DocumentFacts(
        id=card.id,
        names=(card.name, card.name.split("/")[-1], card.name.split("/")[-1].split(".")[0], *card.aliases),
        collection="default",
        format=card.format,
        changed=(NOON if card.name == "lease.md" else datetime.fromtimestamp(0).astimezone()).date(),
        status=DocumentStatus.ACTIVE,
    )
    lines = range(chunk.lines.start, chunk.lines.end)
    passage = PassageFacts(
        id=chunk.id,
        paths=tuple(
            " > ".join(heading_of(s.label, s.title, s.word) for s in known.section_path(n)) for n in lines
        ),
        first_page=min(known.lines[n].page for n in lines),
        last_page=max(known.lines[n].page for n in lines),
        kinds=frozenset(item.kind.value for item in known.items if any(n in item.lines for n in lines)),
    )
    return of_passage(where, facts, passage)


@pytest.mark.parametrize(
    ("where", "fix"),
    [
        ("document:leese", r'document:"leese": no document of this shelf is called so; there are lease.md, '),
        ("NOT document:leese", "no document of this shelf"),
        (
            "page:1 OR collection:hr",
            r'collection:"hr": no collection of this shelf is called so; there is default',
        ),
    ],
)
def test_a_document_or_collection_that_is_not_there_is_an_error(filled: Store, where: str, fix: str) -> None:
    with pytest.raises(UsageError, match=fix):
        filled.passes(read_where(where), EVERYTHING)


def test_what_a_filter_leaves_may_be_nothing(filled: Store) -> None:
    assert filled.passes(read_where("document:lease* AND page:1"), EVERYTHING)
    assert not filled.passes(read_where("document:lease* AND page:2-"), EVERYTHING)


def test_a_filter_never_widens_the_scope_and_does_not_tell_what_is_out_of_it(filled: Store) -> None:
    test = read_where("document:lease* OR page:1-")
    with pytest.raises(UsageError, match=r"there is letters/long.txt"):
        filled.passes(test, Scope(documents=frozenset([LONG.id])))
    both = Scope(documents=frozenset([LONG.id, LEASE.id]))
    assert filled.passes(test, both)
    found = filled.lexical("rent pump flow", 99, both, test)
    assert {h.chunk.lines.doc for h in found} == {LEASE.id, LONG.id}
    assert filled.chunks(MANUAL.id, both, test) == ()


def test_a_name_with_signs_of_sql_is_only_a_name(filled: Store) -> None:
    odd = document("o'hara [1].txt", "Rent is due.", title="x' OR '1'='1")
    filled.put_all([entry(odd)])
    assert [c.lines.doc for c in _left(filled, 'document:"o\'hara [1].txt"')] == [odd.id]
    assert {
        h.chunk.lines.doc for h in filled.lexical("rent", 9, EVERYTHING, read_where('document:"o\'hara*"'))
    } == {odd.id}


# Standing

OLD = document("travel 2022.txt", "Travel Policy 2022\n\nTrains go second class.", title="Travel Policy 2022")
NEW = document(
    "travel 2024.txt",
    "Travel Policy 2024\n\nThis policy supersedes the Travel Policy 2022.\n\nTrains go first class.",
    title="Travel Policy 2024",
)
GONE = document(
    "parking.txt", "Withdrawn on 3 May 2023\n\nParking Rules\n\nTrains may not park.", title="Parking Rules"
)


def _standings(store: Store) -> dict[str, tuple[str, str]]:
    return {doc: (one.status.value, one.successor) for doc, one in store.standings(EVERYTHING).items()}


def _mark(doc: str, status: DocumentStatus, **more: str) -> StatusMark:
    return StatusMark(doc=doc, name="travel 2022.txt", status=status, **more)


def test_what_a_front_page_states_counts_when_the_document_it_names_is_there(store: Store) -> None:
    store.put_all([entry(NEW), entry(GONE)])
    assert _standings(store) == {GONE.id: ("withdrawn", "")}
    store.put_all([entry(OLD)])
    assert _standings(store) == {GONE.id: ("withdrawn", ""), OLD.id: ("superseded", NEW.name)}
    why = store.standings(EVERYTHING)[OLD.id].why
    assert why == f"{NEW.name} says on its front page: “This policy supersedes the Travel Policy 2022”"
    card = next(c for c in store.shelf(EVERYTHING).cards() if c.id == OLD.id)
    assert (card.status, card.successor, card.status_why) == ("superseded", NEW.name, why)
    assert store.standings(Scope(documents=frozenset([NEW.id]))) == {}
    store.forget_files([NEW.name])
    assert _standings(store) == {GONE.id: ("withdrawn", "")}


def test_a_standing_names_no_document_that_the_caller_may_not_see(store: Store) -> None:
    store.put_all([entry(NEW), entry(OLD), entry(LEASE)])
    alone, both = (Scope(documents=frozenset(d.id for d in docs)) for docs in ((OLD, LEASE), (OLD, NEW)))
    for scope, successor, says in ((alone, "", False), (both, NEW.name, True)):
        standing = store.standings(scope)[OLD.id]
        assert (standing.status.value, standing.successor, NEW.name in standing.why) == (
            "superseded", successor, says,
        )  # fmt: skip
        card = next(c for c in store.shelf(scope).cards() if c.id == OLD.id)
        assert (card.successor, card.status_why) == (standing.successor, standing.why)
    store.mark([_mark(OLD.id, DocumentStatus.SUPERSEDED, successor=NEW.id, successor_name=NEW.name)])
    standing = store.standings(alone)[OLD.id]
    assert (standing.status.value, standing.successor, standing.why) == ("superseded", "", "")
    store.mark([_mark(OLD.id, DocumentStatus.WITHDRAWN)])
    assert store.standings(alone)[OLD.id].why == "it was marked so"


def test_a_standing_that_names_several_documents_is_told_to_who_sees_them_all(store: Store) -> None:
    third = replace(
        document("newest.txt", "Newest\n\nSupersedes: Travel Policy 2022", title="Newest"), id="c" * 32
    )
    store.put_all([entry(NEW), entry(OLD), entry(third), entry(LEASE)])
    told = {}
    for seen in ((OLD, NEW, third), (OLD, NEW), (OLD,)):
        scope = Scope(documents=frozenset(one.id for one in seen))
        told[len(seen)] = store.standings(scope)[OLD.id].successor
    assert told == {3: f"{third.name}, {NEW.name}", 2: "", 1: ""}


def test_a_name_of_two_documents_says_nothing_of_either(store: Store) -> None:
    twin = document(
        "copy/old.txt", "Travel Policy 2022\n\nTrains go third class.", title="Travel Policy 2022"
    )
    store.put_all([entry(NEW), entry(OLD), entry(twin)])
    assert _standings(store) == {}


def test_documents_that_supersede_each_other_say_nothing(store: Store) -> None:
    one = document("a.txt", "Pump Note 1\nSupersedes: Pump Note 2", title="Pump Note 1")
    two = document("b.txt", "Pump Note 2\nSupersedes: Pump Note 1", title="Pump Note 2")
    store.put_all([entry(one), entry(two)])
    assert _standings(store) == {}


def test_a_mark_is_there_for_who_sees_all_that_it_names(store: Store) -> None:
    store.put_all([entry(NEW), entry(OLD)])
    store.mark([
        replace(_mark(OLD.id, DocumentStatus.SUPERSEDED), successor=NEW.id, successor_name=NEW.name),
        _mark(NEW.id, DocumentStatus.ACTIVE), _mark("not there", DocumentStatus.WITHDRAWN),
    ])  # fmt: skip
    for seen, marked in (((OLD.id, NEW.id), {OLD.id, NEW.id}), ((OLD.id,), set()), ((NEW.id,), {NEW.id})):
        assert {mark.doc for mark in store.marks(Scope(documents=frozenset(seen)))} == marked
    assert len(store.marks(EVERYTHING)) == 3


def test_a_mark_goes_before_what_is_stated_and_follows_the_bytes(store: Store) -> None:
    store.put_all([entry(NEW), entry(OLD)])
    store.mark([_mark(OLD.id, DocumentStatus.ACTIVE)])
    assert _standings(store) == {}
    store.mark([_mark(OLD.id, DocumentStatus.WITHDRAWN)])
    assert _standings(store) == {OLD.id: ("withdrawn", "")}
    assert len(store.marks(EVERYTHING)) == 1
    moved = replace(OLD, name="archive/old.txt")
    store.put_all([replace(entry(moved), file=FileRecord(path=moved.name, size=1, mtime_ns=1, doc=OLD.id))])
    store.forget_files([OLD.name])
    assert _standings(store) == {OLD.id: ("withdrawn", "")}
    store.forget_files([moved.name])
    assert _standings(store) == {}
    store.put_all([entry(OLD)])
    assert _standings(store) == {OLD.id: ("withdrawn", "")}


def test_the_successor_is_known_by_its_bytes_or_else_by_its_name(store: Store) -> None:
    store.put_all([entry(OLD), entry(LEASE)])
    store.mark([_mark(OLD.id, DocumentStatus.SUPERSEDED, successor=LEASE.id, successor_name="lease.md")])
    assert _standings(store) == {OLD.id: ("superseded", "lease.md")}
    renamed = replace(LEASE, name="mill.md")
    store.put_all([entry(renamed)])
    store.forget_files(["lease.md"])
    assert _standings(store) == {OLD.id: ("superseded", "mill.md")}
    store.forget_files(["mill.md"])
    assert _standings(store) == {OLD.id: ("superseded", "lease.md")}


def test_a_filter_by_status_leaves_those_that_have_it(store: Store) -> None:
    store.put_all([entry(NEW), entry(OLD), entry(GONE)])
    store.fold()

    def found(where: str) -> set[str]:
        return {h.chunk.lines.doc for h in store.lexical("trains", 9, EVERYTHING, read_where(where))}

    assert found("status:active") == {NEW.id}
    assert found("status:superseded") == {OLD.id}
    assert found("status:withdrawn OR status:active") == {NEW.id, GONE.id}
    assert found("status:all") == {NEW.id, OLD.id, GONE.id}
