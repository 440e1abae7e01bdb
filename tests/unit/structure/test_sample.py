from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from deref.structure.sample import taken_evenly


@given(st.lists(st.text(max_size=30), max_size=60), st.integers(1, 200))
def test_a_sample_keeps_order_reaches_over_the_whole_and_takes_all_that_fits(
    texts: list[str], characters: int
):
    taken = list(taken_evenly(texts, characters))
    size = sum(map(len, texts))
    if size <= characters:
        assert taken == texts
    else:
        assert taken[:1] == texts[:1]
        assert len(taken) <= len(texts) * characters / size + 1
    step = next((n for n in range(1, len(texts) + 1) if texts[::n] == taken), None)
    assert step or not texts
