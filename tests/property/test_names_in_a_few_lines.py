"""Names looked for in a run of lines are found as they are in a document of these lines."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from deref.references.known_names import KnownNames
from deref.references.mentions import find_names
from unit.references.small_documents import document

NAMES = (
    "Harbour Lease",
    "Straßen Vertrag",
    "TARIFF",
    "tariff-2.md",
    "Notice of the Last Day of Rent",
    "“Quay” Deed",
)
PIECES = (
    *NAMES,
    *(name.upper() for name in NAMES),
    "harbour leases",
    "HARBOUR_LEASE",
    "the",
    "see",
    "notice of the",
    "last day of rent",
    "ſ",
    "K",
    "(",
    ".",
)


@given(st.lists(st.sampled_from(PIECES), max_size=12))
def test_a_name_is_found_in_lines_as_in_their_document(pieces: list[str]) -> None:
    made = document(" ".join(pieces))
    alone = {(r.at, r.labels) for r in find_names(made.lines, NAMES)}
    assert alone == {(r.at, r.labels) for r in find_names(made, NAMES)}


LETTERS = (
    *PIECES,
    "-\n",
    "\u2010 \n ",
    "\u00ad",
    "\u200b",
    "lea",
    "se",
    "har",
    "bour",
    "ta",
    "riff",
    "\n",
    " ",
)


@given(st.lists(st.sampled_from(LETTERS), max_size=12))
def test_few_names_are_looked_for_as_many_are(pieces: list[str]) -> None:
    lines = "".join(pieces).split("\n")
    others = [f"Gate{n} Rules" for n in range(100)]
    assert KnownNames(NAMES).that_may_stand_in(lines) == KnownNames([*NAMES, *others]).that_may_stand_in(
        lines
    )
