"""Whatever values are kept in a trace: they come back the same, once and however deep."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from deref.trace.codec import Kept, Pool, canonical, decode, encode
from deref.trace.secrets import HIDDEN, Hiding
from deref.values import Box, Chunk, Hit, ItemKind, Line, Span, Status

TEXTS = st.text(max_size=12)
NUMBERS = st.integers(-(2**60), 2**60)
SPANS = st.builds(Span, doc=TEXTS, start=st.integers(0, 9), end=st.integers(0, 9))
BOXES = st.builds(Box, x0=st.floats(0, 9), top=st.floats(0, 9), x1=st.floats(0, 9), bottom=st.floats(0, 9))
LINES = st.builds(
    Line, doc=TEXTS, n=st.integers(0, 9), page=st.integers(1, 3), row=st.integers(1, 9), text=TEXTS, box=st.none() | BOXES
)  # fmt: skip
CHUNKS = st.builds(
    Chunk, id=TEXTS, lines=SPANS, section=st.none() | TEXTS, text=TEXTS, tokens=st.integers(0, 9), path=TEXTS, header=st.none() | SPANS
)  # fmt: skip
HITS = st.builds(Hit, chunk=CHUNKS, score=st.floats(allow_nan=False).map(lambda score: score + 0.0))
LEAVES = (
    st.none()
    | st.booleans()
    | NUMBERS
    | st.floats(allow_nan=False)
    | st.text(st.characters(codec=None), max_size=12)
    | st.sampled_from([*ItemKind, *Status])
    | SPANS
    | HITS
)
VALUES = st.recursive(
    LEAVES | st.lists(LINES, max_size=8).map(tuple) | st.lists(HITS, max_size=8).map(tuple),
    lambda inner: (
        st.lists(inner, max_size=6).map(tuple)
        | st.lists(inner, max_size=6)
        | st.dictionaries(TEXTS | NUMBERS, inner, max_size=4)
        | st.frozensets(TEXTS, max_size=1)
    ),
    max_leaves=24,
)


@given(VALUES)
def test_a_value_comes_back_the_same_and_of_its_types(value: Any) -> None:
    back = decode(json.loads(canonical(encode(value))))
    assert back == value
    assert repr(back) == repr(value)


@given(st.lists(VALUES, max_size=5))
def test_values_of_a_pool_come_back_the_same_however_often_they_are_kept(values: list[Any]) -> None:
    pool = Pool()
    keys = [pool.add(value) for value in values]
    assert [pool.add(value) for value in values] == keys
    kept = Kept(json.loads(json.dumps(pool.texts)))
    assert [kept(key) for key in keys] == values


@given(st.text(min_size=6, max_size=20).map(str.strip).filter(lambda s: len(s) >= 6), TEXTS, TEXTS)
def test_a_known_secret_stands_in_no_json(secret: str, before: str, after: str) -> None:
    hide = Hiding([secret])
    for ascii_only in (True, False):
        text = hide(json.dumps({"a": before + secret + after}, ensure_ascii=ascii_only))
        told = json.loads(text)["a"]
        assert secret not in told or secret in before + HIDDEN + after
