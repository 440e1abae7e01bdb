"""A question that names a document is answered from it; one that names none, or one that is not there, is left alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from deref.engine import Engine, open_engine
from deref.errors import LibraryBusy
from deref.retrieve.intent import title_intent
from deref.retrieve.question import parse_question
from deref.retrieve.title import NamedDocuments, best_extents, promote, reserve, satisfying, standing
from deref.settings import settings_of
from deref.trace.events import Degraded, StageRan
from deref.trace.sinks import ListSink, nowhere
from deref.values import EVERYTHING, Candidates, NamedTitle, Scope, TitleHit, TitleIntent
from deref.values.filters import Filter
from unit.retrieve.small_shelf import candidates, ids, store

_LIABILITY = (
    "Limitation on liability. The limitation on liability in this Section is a limitation on the liability of each "
    "member for liability under any bond, mortgage or other paper of limitation."
)


def _paper(title: str, *clauses: str) -> str:
    return f"# {title}\n\n" + "\n\n".join(f"## {n}. {clause}" for n, clause in enumerate(clauses, 1)) + "\n"


_SHELF = {
    "closing/001_HFA_Bond_Mortgage.md": _paper(
        "MORTGAGE, ASSIGNMENT OF RENTS AND SECURITY AGREEMENT",
        "Definitions\n\nBonds means the bonds of the Agency. Premises means the land.",
        "Insurance\n\nThe mortgagor keeps the premises insured against fire.",
        "Recourse\n\nNo member is personally liable for the debt; the lender looks to the premises alone. Liability "
        "ends there, and this limitation on it binds every holder.",
        "Notices\n\nNotices are sent by post.",
    ),
    **{
        f"closing/{n:03}_{where}_Environmental_Indemnity_Agreement.md": _paper(
            f"{where.upper()} ENVIRONMENTAL INDEMNITY AGREEMENT",
            _LIABILITY,
            f"Spills\n\nThe indemnitor cleans up every spill in {where}; see the HFA bond mortgage.",
        )
        for n, where in enumerate(("Eldmoor", "Otterford", "Thrushwick", "Marlow", "Pinfold", "Quarrydale", "Ravensby"), 2)
    },
    "closing/010_BCHS_Promissory_Note.md": _paper(
        "PROMISSORY NOTE OF BROOKLYN COMMUNITY HOUSING SERVICES",
        "Interest\n\nInterest runs at four per cent a year.",
        "Exculpation\n\nThe holder may look to the premises only: a limitation on liability.",
    ),
    "closing/011_Operating_Agreement.md": _paper(
        "OPERATING AGREEMENT OF KINGSBROOK ESTATES LLC",
        "Members\n\nThe members meet in May.",
        "Limited liability\n\nNo member answers for the debts of the company: a limitation on liability.",
    ),
}  # fmt: skip
_BOND, _NOTE, _OPERATING = (name for name in _SHELF if "Environmental" not in name)


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    root = tmp_path_factory.mktemp("titles")
    for name, text in _SHELF.items():
        path = root / "shelf" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return root / "shelf", root / "library"


def _open(places: tuple[Path, Path], *, titles: bool = True, embedder: str = "none") -> Engine:
    models = {"embedder": embedder, "background": False}
    settings = settings_of(
        {"models": models, "retrieve": {"titles": titles, "pool": 5, "k": 6, "hop": False}}
    )
    engine = open_engine(places[1].with_name(f"library-{embedder}"), settings=settings)
    engine.index(places[0])
    return engine


@pytest.fixture(scope="module", params=["none", "hashing"])
def engines(request: pytest.FixtureRequest, places: tuple[Path, Path]) -> Iterator[tuple[Engine, Engine]]:
    with (
        _open(places, embedder=request.param) as on,
        _open(places, titles=False, embedder=request.param) as off,
    ):
        # The vectors that a question leaves behind are there for both.
        on.embed()
        yield on, off


def _names(engine: Engine, found: Candidates) -> list[str]:
    return [engine.read(c.chunk.lines.doc).name for c in found]


_ASKED = "What does the HFA bond mortgage say about limitation on liability?"


def test_the_named_bond_mortgage_comes_first_though_the_pool_held_only_indemnities(
    engines: tuple[Engine, Engine],
) -> None:
    on, off = engines
    assert _BOND not in _names(off, off.search(_ASKED, k=5))
    sink = ListSink()
    found = on.search(_ASKED, emit=sink)
    assert _names(on, found)[0] == _BOND
    ran = {e.stage: e for e in sink.events if isinstance(e, StageRan)}
    assert ran["reserve titles"].after[: len(ran["reserve titles"].before)] == ran["reserve titles"].before


def test_the_passage_is_the_one_that_answers_and_not_the_first_of_the_document(
    engines: tuple[Engine, Engine],
) -> None:
    first = engines[0].search(_ASKED).items[0]
    assert "personally liable" in first.chunk.text
    assert [a.by for a in first.arrivals] == ["title"]


@pytest.mark.parametrize(
    ("asked", "name"),
    [
        ("Does the BCHS promissory note have a limitation on liability?", _NOTE),
        (
            "What limitation on liability is in the Brooklyn Community Housing Services promissory note?",
            _NOTE,
        ),
        (
            "What does the Kingsbrook Estates operating agreement say about limitation on liability?",
            _OPERATING,
        ),
        (
            "What does the operating agreement of Kingsbrok Estates say about limitation on liability?",
            _OPERATING,
        ),
        ("What does 011_Operating_Agreement.md say about limitation on liability?", _OPERATING),
        ("What does the mortgage say about limitation on liability?", _BOND),
    ],
)
def test_the_named_note_and_operating_agreement_come_first(
    engines: tuple[Engine, Engine], asked: str, name: str
) -> None:
    assert _names(engines[0], engines[0].search(asked))[0] == name


@pytest.mark.parametrize(
    "asked",
    [
        "What is the limitation on liability?",
        "What is a bond mortgage?",
        "Is there any indemnity agreement on spills?",
        "Which members are liable?",
    ],
)
def test_a_question_that_names_none_keeps_its_order_exactly(
    engines: tuple[Engine, Engine], asked: str
) -> None:
    on, off = engines
    sink = ListSink()
    assert on.search(asked, emit=sink) == off.search(asked)
    told = [e.note for e in sink.events if isinstance(e, StageRan) and e.stage.endswith("titles")]
    assert told == ["did not apply", "did not apply"]


@pytest.mark.parametrize(
    "asked",
    [
        "What does the Acme bond mortgage say about limitation on liability?",
        "What does the Acme promissory note say about limitation on liability?",
        "What does the 2019 operating agreement say about limitation on liability?",
        "Compare the HFA bond mortgage with the Acme guaranty on limitation on liability",
    ],
)
def test_a_name_that_no_title_has_promotes_no_paper_of_the_same_kind(
    engines: tuple[Engine, Engine], asked: str
) -> None:
    on, off = engines
    assert title_intent(asked) is not None
    assert on.search(asked) == off.search(asked)


def test_what_is_switched_off_is_not_in_the_recipe(engines: tuple[Engine, Engine]) -> None:
    sink = ListSink()
    engines[1].search(_ASKED, emit=sink)
    assert not [e for e in sink.events if isinstance(e, StageRan) and "titles" in e.stage]


def test_a_scope_holds_for_the_names_too(engines: tuple[Engine, Engine]) -> None:
    on, off = engines
    rest = frozenset(c.id for c in on.shelf().cards() if c.name != _BOND)
    scope = Scope(documents=rest)
    assert on.search(_ASKED, scope=scope) == off.search(_ASKED, scope=scope)


def test_the_pool_is_the_same_with_and_without_what_earlier_questions_left_behind(
    places: tuple[Path, Path], tmp_path: Path
) -> None:
    cold = (places[0], tmp_path / "cold")

    def reserved() -> tuple[str, ...]:
        with _open(cold, embedder="hashing") as engine:
            sink = ListSink()
            engine.search(_ASKED, emit=sink)
            again = engine.search(_ASKED)
            assert again == engine.search(_ASKED)
            ran = next(e for e in sink.events if isinstance(e, StageRan) and e.stage == "reserve titles")
            return tuple(sorted(set(ran.after) - set(ran.before)))

    first = reserved()
    with _open(cold, embedder="hashing") as engine:
        engine.embed()
    assert first == reserved() != ()


def _satisfying(text: str, shelf: Sequence[tuple[str, ...]]) -> list[str]:
    intent = title_intent(text)
    assert intent is not None
    hits = [TitleHit(doc=names[0], names=names, score=0.5) for names in shelf]
    return [hit.doc for hit in satisfying(intent, lambda phrase: hits)]


@pytest.mark.parametrize(
    ("text", "shelf", "docs"),
    [
        ("Under the HFA bond mortgage, who pays?", ["HFA Bond Mortgage", "Acme Bond Mortgage", "HFA Note"], ["HFA Bond Mortgage"]),
        ("Under the bond mortgage, who pays?", ["HFA Bond Mortgage", "Acme Bond Mortgage"], ["HFA Bond Mortgage", "Acme Bond Mortgage"]),
        ("Under the lease, who pays?", ["Notes on the Lease", "Lease of Unit 4", "Guaranty of Lease"], ["Lease of Unit 4"]),
        ("Under the lease, who pays?", ["Notes on the Lease"], ["Notes on the Lease"]),
        ("Under the Housing Finance Agency bond mortgage, who pays?", ["HFA Bond Mortgage"], ["HFA Bond Mortgage"]),
        ("Under the HFA bond mortgage, who pays?", ["Housing Finance Agency Bond Mortgage"], ["Housing Finance Agency Bond Mortgage"]),
        ("Under the Acme Housing bond mortgage, who pays?", ["Kings Housing Bond Mortgage"], []),
        ("Under the Thrushwick franchise agreement, who pays?", ["THRUSHWICKBAKERIESINC-FRANCHISE AGREEMENT", "OTTER-FRANCHISE AGREEMENT"],
         ["THRUSHWICKBAKERIESINC-FRANCHISE AGREEMENT"]),
        ("Under the investors' rights agreement, who pays?", ["Investor Rights Agreement"], ["Investor Rights Agreement"]),
        ("Under RFC 900, who pays?", ["RFC 9000", "RFC 900"], ["RFC 900"]),
        ("Under RFC 900, who pays?", ["RFC 9000"], []),
        ("Under SP 800-63, who pays?", ["SP 800-63B", "SP800-63r3"], ["SP800-63r3"]),
        ("Under SP 800-63 Rev. 4, who pays?", ["SP800-63r3"], []),
        ("Under the 2019 lease, who pays?", ["Lease 2021"], []),
        ("Under the series seed term sheet, who pays?", ["notes - Series Seed Notes - Term Sheet", "Series Seed - Term Sheet"], ["Series Seed - Term Sheet"]),
        ("What does the widget manual say?", ["The widget package", "Widget sales report", "manual of style"], []),
        ("What does the widget manual say?", ["The widget: a small tool", "Widget sales report"], ["The widget: a small tool"]),
        ("Was sagt der Mietvertrag?", ["Mietvertrag Mühlenhaus"], ["Mietvertrag Mühlenhaus"]),
        ("What does the NDA say?", ["Mutual Non-Disclosure Agreement"], ["Mutual Non-Disclosure Agreement"]),
        ("Compare the lease with the guaranty", ["The Lease", "The Guaranty"], ["The Lease", "The Guaranty"]),
        ("Compare the lease with the guaranty", ["The Lease"], []),
        ("Under the asset purchase agreement, who pays?", ["Share Purchase Agreement"], []),
        ("Under the share purchase agreement, who pays?", ["Asset Purchase Agreement", "Stock Purchase Agreement"], ["Stock Purchase Agreement"]),
        ("Under the purchase agreement, who pays?", ["Asset Purchase Agreement"], ["Asset Purchase Agreement"]),
        ("Under the sublease, who pays?", ["Ground Lease"], []),
        ("Under the ground lease, who pays?", ["Sublease"], []),
        ("Under the limited guaranty, who pays?", ["Guaranty"], []),
        ("Under the building loan agreement, who pays?", ["Project Loan Agreement"], []),
        ("What does the assignment of leases say?", ["Ground Lease", "Assignment of Leases and Rents"], ["Assignment of Leases and Rents"]),
    ],
)  # fmt: skip
def test_a_title_satisfies_by_its_kind_and_by_the_words_that_tell_it(
    text: str, shelf: list[str], docs: list[str]
) -> None:
    assert _satisfying(text, [(name,) for name in shelf]) == docs


def test_words_may_stand_in_any_name_of_the_document() -> None:
    names = ("Mortgage, Assignment and Security Agreement", "001_HFA", "the Bond Mortgage")
    assert _satisfying("Under the HFA bond mortgage, who pays?", [names]) == [names[0]]


def test_the_paper_that_is_called_so_in_one_piece_goes_before_one_that_has_the_words() -> None:
    title = NamedTitle(instrument="lease", qualifiers=("mill",), phrase="mill lease")
    one, other = standing(title, ("Mill Lease",)), standing(title, ("Lease", "mill papers"))
    assert one is not None and other is not None and one > other


_NAMED = TitleHit(doc="bridge", names=("The Bridge Agreement",), score=0.9)
_EXTENTS = best_extents(
    lexical=store().rank_lexical, passages=store().passages, vectors=store().vectors, embedder=None
)


def test_promoting_keeps_the_order_within_and_touches_no_candidate() -> None:
    here = candidates("ferry1", "bridge3", "ferry0", "bridge1")
    after = promote(lambda query: [_NAMED]).run(parse_question("toll"), here)
    assert ids(after) == ["bridge3", "bridge1", "ferry1", "ferry0"]
    assert {id(c) for c in after} == {id(c) for c in here}


def test_reserved_passages_stand_behind_the_pool_and_none_twice() -> None:
    here = candidates("ferry1", "bridge1")
    after = reserve(lambda query: [_NAMED], _EXTENTS).run(parse_question("What toll do carts pay?"), here)
    assert after.items[:2] == here.items
    assert {c.chunk.lines.doc for c in after.items[2:]} == {"bridge"}
    assert len(set(ids(after))) == len(after)


def test_a_title_leg_that_fails_is_told_and_the_others_serve() -> None:
    def broken(text: str, k: int, scope: Scope, where: object = None) -> Sequence[TitleHit]:
        raise LibraryBusy("busy; wait")

    sink = ListSink()
    named = NamedDocuments(broken, emit=sink)
    here = candidates("ferry1", "bridge1")
    query = parse_question("What toll does the bridge agreement set?")
    assert query.intent is not None
    assert promote(named).run(query, here) is here
    assert [e.what for e in sink.events if isinstance(e, Degraded)] == [
        "the title leg failed and was left out: busy; wait"
    ]


def test_one_question_is_looked_up_once_and_the_next_anew() -> None:
    asked: list[tuple[str, Scope]] = []

    def titles(text: str, k: int, scope: Scope, where: Filter | None) -> Sequence[TitleHit]:
        asked.append((text, scope))
        return [_NAMED]

    named = NamedDocuments(titles, emit=nowhere)
    query = parse_question("What toll does the bridge agreement set?")
    assert named(query) == named(query) == (_NAMED,)
    named(parse_question("What toll does the ferry agreement set?"))
    assert asked == [("bridge agreement", EVERYTHING), ("ferry agreement", EVERYTHING)]


def test_an_intent_of_two_is_the_same_whichever_is_named_first() -> None:
    intent = title_intent("Compare the lease with the guaranty")
    assert intent is not None
    turned = TitleIntent(titles=intent.titles[::-1])
    hits = [TitleHit(doc=n, names=(n,), score=0.5) for n in ("Lease", "Guaranty")]
    assert set(satisfying(intent, lambda p: hits)) == set(satisfying(turned, lambda p: hits))
