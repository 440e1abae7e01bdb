"""The names that begin most like one are the same ones, in the same order, as when each is compared with it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from deref.references.beginnings import Beginnings

names = st.lists(st.sampled_from("abc"), max_size=4).map(tuple)


def shared(left: tuple[str, ...], right: tuple[str, ...]) -> int:
    return next(
        (n for n, (a, b) in enumerate(zip(left, right, strict=False)) if a != b), min(len(left), len(right))
    )


@given(st.lists(names, min_size=1, max_size=8), names, st.integers(0, 8))
def test_it_finds_those_that_share_most_words(
    given_names: list[tuple[str, ...]], own: tuple[str, ...], home: int
) -> None:
    documents = [str(n) for n in range(len(given_names))]
    counts = {d: shared(name, own) for d, name in zip(documents, given_names, strict=True) if d != str(home)}
    wanted = [d for d in counts if counts[d] == max(counts.values())]
    assert Beginnings(documents, given_names).closest(own, str(home)) == wanted
