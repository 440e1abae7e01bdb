"""`Names` looks names up in indexes; what it finds is what reading every name of the shelf would find."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from deref.references.documents import Names
from deref.text.names import normalize_name
from deref.values import Card

_WORDS = st.sampled_from(
    ["fee", "lease", "of", "unit", "4", "policy", "security", "master", "notes", "on", "plan"]
)
_NAMES = st.lists(_WORDS, min_size=1, max_size=4).map(" ".join)


def _card(n: int, title: str) -> Card:
    return Card(id=f"d{n}", name=f"{n:03}.txt", title=title, aliases=(), format="txt", language="en", pages=1)


def _runs(part: list[str], whole: list[str]) -> bool:
    return any(whole[n : n + len(part)] == part for n in range(len(whole) - len(part) + 1))


@given(st.lists(_NAMES, min_size=1, max_size=8, unique=True), _NAMES)
def test_a_name_of_several_words_is_found_in_all_names_that_hold_it_in_the_order_of_the_shelf(
    titles: list[str], said: str
) -> None:
    words = normalize_name(said).split()
    cards = [_card(n, title) for n, title in enumerate(titles)]
    holding = [c.id for c in cards if _runs(words, normalize_name(c.title).split())]
    equal = [c.id for c in cards if normalize_name(c.title) == normalize_name(said)]

    found, _ = Names(cards).named(said, whole=True)

    if len(words) > 1:
        assert list(found) == (equal or holding)


@given(st.lists(_NAMES, min_size=1, max_size=8, unique=True), _NAMES)
def test_words_open_with_the_longest_name_that_they_begin_with(titles: list[str], said: str) -> None:
    cards = [_card(n, title) for n, title in enumerate(titles)]
    words = normalize_name(said).split()
    sizes = {
        c.id: len(name)
        for c in cards
        for name in [normalize_name(c.title).split()]
        if len(name) > 2 and words[: len(name)] == name
    }

    found = Names(cards).opening(tuple(words))

    longest = max(sizes.values(), default=0)
    assert [d for d, size in sizes.items() if size == longest] == [d for d in found if d in sizes]
