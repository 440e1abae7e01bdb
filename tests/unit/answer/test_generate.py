"""The writer with a model: what of a reply is shown, and what of it is not."""

from __future__ import annotations

import pytest

from deref.answer.cite import ungrounded
from deref.answer.compose import NOTHING
from deref.answer.generate import POINTS_ELSEWHERE, UNSUPPORTED, GenerativeWriter
from deref.errors import Cancelled, ModelError
from deref.references.resolve import Resolver
from deref.references.shelf import MemoryShelf
from deref.values import Arrived, Completeness, FoundBy, Query, ReferenceKind, Shape, Status
from unit.answer.small_evidence import document, followed, reader, references_in, whole
from unit.answer.small_model import model, reply, written

LEASE = document(
    "# Lease of the Mill\n\n## 1. Rent\n\nThe yearly rent is set out in row (B) of Table 1.\n\n"
    "## 2. Term\n\nThe lease runs for 12 years from 1 May 2024, as Clause 9 of the Master Lease says.\n\n"
    "## 3. Repairs\n\nThe tenant repairs the roof, provided that the landlord has paid for the beams.\n\n"
    "The tenant reports damage as laid down above in the opening remarks. See Sections 2 and 3.\n\n"
    "“Beams” means the oak timbers of the roof.\n\n"
    "## 4. Figures\n\nTable 1: Rents by floor. Unlisted floors pay the base rent.\n\n"
    "| floor | area | rent |\n|---|---|---|\n| base | 100 | 900 |\n| (A) | 120 | 1,100 |\n| (B) | 150 | 1,450 |\n",
    "lease.md",
)
RENT = "What is the yearly rent?"
SET_OUT = "The yearly rent is set out in row (B) of Table 1."
RUNS = "The lease runs for 12 years from 1 May 2024"
TERM = ("The lease runs for 12 years.", [("P1", RUNS)])
P1 = [whole(LEASE)]
BOTH = [whole(LEASE), followed(LEASE, "row (B)")]


def test_a_claim_is_shown_with_the_lines_in_which_its_quote_stands() -> None:
    answer = written("How long does the lease run?", P1, reply(TERM), LEASE)
    assert answer.text == "The lease runs for 12 years. [1]"
    (cited,) = answer.citations
    assert cited.quote == LEASE.text(cited.lines) and cited.quote.startswith(RUNS)
    assert (cited.arrived, cited.section) == (Arrived.PRIMARY, "2 Term")
    assert ungrounded(answer, reader(LEASE)) == ()


@pytest.mark.parametrize(
    "claim",
    [
        ("France won the cup in Paris.", []),
        ("France won the cup in Paris.", [("P1", "France won the cup")]),
        ("France won the cup in Paris.", [("P1", RUNS)]),
        ("The lease runs for 13 years.", [("P1", RUNS)]),
        ("The lease runs until 2 May 2024.", [("P1", RUNS)]),
        ("The lease runs for 12 %.", [("P1", RUNS)]),
        ("The lease runs for $12.", [("P1", RUNS)]),
        ("The lease runs for 12 years.", [("P9", RUNS)]),
        ("The lease runs for 12 years.", [("lease.md", RUNS)]),
        ("The lease runs for 12 years.", [("P1", "The lease does not run for 12 years from 1 May 2024")]),
    ],
)
def test_a_claim_that_the_evidence_does_not_bear_out_is_no_answer(claim) -> None:
    answer = written("Who won, and how long does the lease run?", P1, reply(claim), LEASE)
    assert (answer.text, answer.citations) == (UNSUPPORTED, ())
    assert answer.completeness is Completeness.NOT_FOUND
    assert any(p.startswith("a claim of the model was left out: ") for p in answer.problems)


def test_with_a_claim_left_out_the_answer_is_partial_and_says_why() -> None:
    made_up = ("The rent is 77.", [("P1", RUNS)])
    answer = written("How long, and how much?", P1, reply(TERM, made_up), LEASE)
    assert answer.text == "The lease runs for 12 years. [1]"
    assert answer.when_settled is Completeness.PARTIAL
    assert "a claim of the model was left out: “77” does not stand in what it cites" in answer.problems


def test_a_quote_that_does_not_stand_is_told_and_the_others_are_cited() -> None:
    claim = ("The lease runs for 12 years.", [("P1", "It runs on the moon."), ("P1", RUNS)])
    answer = written("How long does the lease run?", P1, reply(claim), LEASE)
    assert len(answer.citations) == 1
    assert answer.problems == (
        "a quote of the model was left out: its quote does not stand in lease.md, p. 1",
    )


def test_numbers_that_the_model_writes_are_no_citations() -> None:
    claim = ("The lease [2] runs [P7]［8］ for 12 years (P1) [1, 3]【4】.", [("P1", RUNS)])
    assert written("How long does the lease run?", P1, reply(claim), LEASE).text == (
        "The lease runs for 12 years. [1]"
    )


def test_a_claim_that_is_made_twice_is_shown_once() -> None:
    claims = [
        (text, [("P1", RUNS)])
        for text in ("It runs for 12 years.", "it runs for 12 years", "IT RUNS FOR 12 YEARS.")
    ]
    answer = written("How long does the lease run?", P1, reply(*claims), LEASE)
    assert answer.text == "It runs for 12 years. [1]"


def test_a_figure_of_the_claim_that_stands_beside_the_quote_is_cited_too() -> None:
    claim = ("The lease runs for 12 years and floor (A) pays 1,100.", [("P1", RUNS)])
    answer = written("How long does the lease run?", P1, reply(claim), LEASE)
    assert [c.quote for c in answer.citations][1:] == ["| (A) | 120 | 1,100 |"]


def test_the_place_of_a_pointer_is_cited_instead_of_the_pointer_once_it_was_read() -> None:
    for text in ("The yearly rent is 1,450.", "The yearly rent is that in row (B) of Table 1."):
        answer = written(RENT, BOTH, reply((text, [("P1", SET_OUT)])), LEASE)
        assert "| (B) | 150 | 1,450 |" in [c.quote for c in answer.citations]
        assert SET_OUT not in [c.quote for c in answer.citations]
        assert {c.arrived for c in answer.citations} == {Arrived.REFERENCE}
        assert all(c.referenced_from and c.reference == "row (B) of Table 1" for c in answer.citations)
        assert answer.completeness is Completeness.COMPLETE


def test_a_sentence_that_says_the_thing_itself_is_cited_although_it_points() -> None:
    doc = document(
        "# Fees\n\nThe fee is 40 a day, set out in Section 2.\n\n# 2 More\n\nThe fee is paid in 40 coins.\n"
    )
    passages = [whole(doc), followed(doc, "Section 2")]
    answer = written(
        "What is the fee?", passages, reply(("The fee is 40.", [("P1", "The fee is 40 a day")])), doc
    )
    assert [c.quote for c in answer.citations] == ["The fee is 40 a day, set out in Section 2."]


def test_a_heading_gives_way_to_the_text_under_it() -> None:
    claim = ("The tenant repairs the roof once the landlord has paid.", [("P1", "3. Repairs")])
    (cited,) = written("Who repairs the roof?", P1, reply(claim), LEASE).citations
    assert cited.quote.startswith("The tenant repairs the roof, provided")


def test_a_pointer_that_the_model_names_is_the_one_that_stands_there() -> None:
    given = reply(
        ("The rent is in row (B) of Table 1.", [("P1", SET_OUT)]), pending=[("P1", "Row (B) of Table 1")]
    )
    answer = written(RENT, P1, given, LEASE)
    assert answer.completeness is Completeness.REFERENCES_UNRESOLVED
    (open_,) = answer.pending
    assert (open_.reference.text, open_.reference.kind) == ("row (B) of Table 1", ReferenceKind.TABLE)
    assert (open_.status, open_.targets) == (Status.UNRESOLVED, ())


def test_a_pointer_in_a_cited_line_is_pending_also_when_the_model_forgets_it() -> None:
    answer = written(RENT, P1, reply(("The yearly rent is set out in row (B).", [("P1", SET_OUT)])), LEASE)
    assert [r.reference.text for r in answer.pending] == ["row (B) of Table 1"]
    again = written(RENT, BOTH, reply(("The yearly rent is 1,450.", [("P1", SET_OUT)])), LEASE)
    assert again.pending == ()


@pytest.mark.parametrize(
    ("named", "texts"),
    [
        ("Sections 2 and 3", ["Sections 2", "3"]),
        ("Section 3", ["3"]),
        ("Section 2, Section 3 and Table 1", ["Sections 2", "3", "row (B) of Table 1"]),
        ("Table 1, row (B)", ["row (B) of Table 1"]),
        ("the opening remarks", ["the opening remarks"]),
    ],
)
def test_several_identifiers_in_one_pointer_are_several_pointers(named: str, texts: list[str]) -> None:
    answer = written("What else?", P1, reply(TERM, pending=[("P1", named)]), LEASE)
    found = [r.reference for r in answer.pending]
    assert sorted(r.text for r in found) == sorted(texts)
    assert all(r.text in LEASE.lines[r.at.line].text for r in found)


def test_words_that_only_a_model_takes_for_a_pointer_are_a_relative_reference() -> None:
    answer = written("What else?", P1, reply(TERM, pending=[("P1", "the opening remarks")]), LEASE)
    (found,) = [r.reference for r in answer.pending]
    assert (found.kind, found.found_by) == (ReferenceKind.RELATIVE, FoundBy.MODEL)
    assert LEASE.lines[found.at.line].text[found.at.char_start : found.at.char_end] == "the opening remarks"


WHOLE_SENTENCE = "The tenant repairs the roof, provided that the landlord has paid for the beams."


@pytest.mark.parametrize(
    "named", ["Section 99", "Annex Q of the Treaty", "", "above", "Table", WHOLE_SENTENCE]
)
def test_a_pointer_that_stands_nowhere_is_dropped_and_told(named: str) -> None:
    answer = written("How long?", P1, reply(TERM, pending=[("P1", named)]), LEASE)
    assert answer.pending == ()
    assert any("stands nowhere in the evidence" in p for p in answer.problems)


def test_what_leaves_the_shelf_is_named_and_not_pending() -> None:
    shelf = Resolver(MemoryShelf([LEASE]))
    answer = written(
        "How long?", P1, reply(TERM, externals=[("P1", "Clause 9 of the Master Lease")]), LEASE,
        resolve=lambda reference: shelf(reference, LEASE),
    )  # fmt: skip
    assert [r.reference.text for r in answer.external] == ["Clause 9 of the Master Lease"]
    assert answer.pending == ()


def test_conditions_and_definitions_stand_verbatim() -> None:
    claim = ("The tenant repairs the roof, provided that the landlord has paid for the beams.",
             [("P1", "The tenant repairs the roof")])  # fmt: skip
    given = reply(
        claim,
        conditions=[("P1", "provided that the landlord has paid"), ("P1", "if the moon is full")],
        definitions=[("Beams", "P1", "“Beams” means the oak timbers"), ("Roof", "P1", RUNS), ("Sky", "P1", "blue")],
    )  # fmt: skip
    answer = written("Who repairs the roof?", P1, given, LEASE)
    (condition,) = answer.conditions
    assert condition.text == "The tenant repairs the roof, provided that the landlord has paid for the beams."
    assert [(d.term, d.text) for d in answer.definitions] == [
        ("Beams", "“Beams” means the oak timbers of the roof.")
    ]


def test_not_found_shows_no_claim_and_no_pointer_makes_it_partial() -> None:
    answer = written("Who?", P1, reply(TERM, status="not_found"), LEASE)
    assert (answer.text, answer.citations, answer.completeness) == (NOTHING, (), Completeness.NOT_FOUND)


def test_a_pointer_that_may_lead_to_the_answer_goes_before_not_found() -> None:
    answer = written(RENT, P1, reply(status="not_found", pending=[("P1", "row (B) of Table 1")]), LEASE)
    assert answer.text == POINTS_ELSEWHERE
    assert answer.completeness is Completeness.REFERENCES_UNRESOLVED
    assert answer.when_settled is Completeness.NOT_FOUND


OTHER = document("# Side Letter\n\nThe lease runs for 10 years from 1 May 2024.\n", "side.md")
SIDE = ("The lease runs for 10 years.", [("P2", "The lease runs for 10 years")])


def test_a_conflict_needs_two_sides_that_are_cited() -> None:
    passages = [whole(LEASE), whole(OTHER)]
    both = written("How long?", passages, reply(TERM, SIDE, status="conflict"), LEASE, OTHER)
    assert both.completeness is Completeness.CONFLICT
    assert {c.source for c in both.citations} == {"lease.md", "side.md"}
    one = written("How long?", passages, reply(TERM, TERM, status="conflict"), LEASE, OTHER)
    assert one.completeness is Completeness.PARTIAL
    assert any("one side only" in p for p in one.problems)


def test_claims_of_a_list_stand_on_lines_of_their_own() -> None:
    answer = written(
        "How long?", [whole(LEASE), whole(OTHER)], reply(TERM, SIDE), LEASE, OTHER, shape=Shape.LIST
    )
    assert answer.text == "The lease runs for 12 years. [1]\nThe lease runs for 10 years. [2]"


def test_a_claim_is_heard_when_it_is_complete_and_stands_and_no_other() -> None:
    made_up = ("The rent is 77.", [("P1", RUNS)])
    heard: list[str] = []
    writer = GenerativeWriter(model(reply(made_up, TERM, SIDE)), references_in)
    answer = writer.write(
        Query(text="How long?"), [whole(LEASE), whole(OTHER)], reader(LEASE, OTHER), heard=heard.append
    )
    assert len(heard) == 2
    assert "".join(heard) == answer.text


def test_of_a_reply_that_is_not_found_no_claim_is_heard() -> None:
    heard: list[str] = []
    writer = GenerativeWriter(model(reply(TERM, status="not_found")), references_in)
    writer.write(Query(text="How long?"), P1, reader(LEASE), heard=heard.append)
    assert heard == [NOTHING]


def test_what_was_heard_and_does_not_hold_is_taken_back() -> None:
    late = {k: v for k, v in reply(TERM).items() if k != "status"} | {"status": "not_found"}
    heard: list[str] = []
    writer = GenerativeWriter(model(late), references_in)
    writer.write(Query(text="How long?"), P1, reader(LEASE), heard=heard.append)
    assert heard == ["The lease runs for 12 years. [1]", "", NOTHING]


def test_an_attempt_that_begins_anew_is_told_as_an_empty_piece() -> None:
    broken = '{"status": "answered", "claims": [{"text": "The lease runs for 12 years.", "quotes": [{"evidence": "P1", ' \
        f'"quote": "{RUNS}"}}]}}, 7'  # fmt: skip
    heard: list[str] = []
    writer = GenerativeWriter(model(broken, reply(TERM)), references_in)
    answer = writer.write(Query(text="How long?"), P1, reader(LEASE), heard=heard.append)
    assert heard == [answer.text, "", answer.text]


def test_a_claim_that_nests_without_end_is_heard_as_none() -> None:
    heard: list[str] = []
    nested = '{"status": "answered", "claims": [{"text": ' + "[" * 100_000
    writer = GenerativeWriter(model(nested, nested, nested), references_in)
    with pytest.raises(ModelError, match="no answer of the right shape"):
        writer.write(Query(text="How long?"), P1, reader(LEASE), heard=heard.append)
    assert not any(heard)


def test_without_a_passage_the_model_is_not_asked() -> None:
    double = model()
    assert written("Who?", [], double).completeness is Completeness.NOT_FOUND
    assert double.shown == ()


def test_an_error_of_the_model_is_never_an_answer() -> None:
    with pytest.raises(ModelError):
        written("Who?", P1, model("no JSON at all", "nor here", "nor here", "nor here"), LEASE)
    with pytest.raises(Cancelled):
        GenerativeWriter(model(reply(TERM)), references_in).write(
            Query(text="Who?"), P1, reader(LEASE), cancelled=lambda: True
        )


def test_over_the_same_evidence_the_model_is_asked_once() -> None:
    double = model(reply(TERM), reply(SIDE))
    writer = GenerativeWriter(double, references_in)
    heard: list[str] = []
    first = writer.write(Query(text="How long?"), P1, reader(LEASE))
    assert writer.write(Query(text="How long?"), P1, reader(LEASE), heard=heard.append) == first
    assert (len(double.shown), heard) == (1, [first.text])
    writer.write(Query(text="How long?"), [whole(LEASE), whole(OTHER)], reader(LEASE, OTHER))
    assert len(double.shown) == 2
