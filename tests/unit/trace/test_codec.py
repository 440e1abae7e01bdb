"""Values written as JSON that says what they are, and read back the same."""

from __future__ import annotations

import json
import pkgutil
from collections.abc import Sequence
from dataclasses import is_dataclass
from datetime import date
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from conformance.small_shelf import LEASE, POINTER, entry
from deref import values
from deref.errors import DamagedFile
from deref.ports import Overviews, Progress
from deref.settings import Settings
from deref.trace.codec import HOMES, Kept, Pool, Written, canonical, decode, encode
from deref.trace.secrets import Hiding
from deref.values import Box, Hit, ItemKind, Line, Query, Scope, Span
from deref.values.filters import Dated, InDocument, OfStatus
from deref.values.messages import Message, Reply
from deref.values.standing import DocumentStatus
from unit.trace.small_run import ANSWER, RESOLUTION

BOXED = tuple(
    Line(doc="d", n=n, page=1, row=n + 1, text=f"line {n}", box=Box(x0=1.5, top=n, x1=2.25, bottom=n + 1.0))
    for n in range(6)
)
CHUNKS = tuple(entry(LEASE).chunks)
ALIKE = [
    None, True, 0, -7, 1.5, 0.1 + 0.2, "", "“q” \u2028 \udc80", (), (1, "a", None), [1, [2, ()]], {"a": (1,), 3: [None]},
    frozenset("cab"), date(2026, 2, 28), ItemKind.TABLE, (ItemKind.TABLE,) * 5, tuple("abcdef"), (1, 2.5, "x", None, True),
    Span(doc="d", start=1, end=2), tuple(Span(doc="d", start=n, end=n + 1) for n in range(5)), BOXED, (*BOXED, *BOXED[:1]),
    LEASE, CHUNKS, tuple(Hit(chunk=c, score=1.0 / (n + 1)) for n, c in enumerate(CHUNKS)), ANSWER, RESOLUTION, Progress(chunks=3, embedded=1),
    Query(text="q", scope=Scope(documents=frozenset("ab")), history=("p",), filter=InDocument(pattern="a*") & ~OfStatus(status=DocumentStatus.ACTIVE)),
    Dated(first=date(2026, 1, 1)), Message("user", "hi"), Reply(value={"a": [1, {"b": None}]}, text="{}", seconds=0.5),
    (POINTER,) * 5, (Scope(),) * 4,
]  # fmt: skip


def through(value: Any) -> Any:
    return decode(json.loads(canonical(encode(value))))


def pooled(value: Any) -> Any:
    pool = Pool()
    key = pool.add(value)
    return Kept(pool.texts)(key)


@pytest.mark.parametrize("value", ALIKE, ids=[f"{n}-{type(v).__name__}" for n, v in enumerate(ALIKE)])
def test_a_value_comes_back_the_same(value: Any) -> None:
    for back in (through(value), pooled(value)):
        assert back == value
        assert type(back) is type(value)


def test_vectors_come_back_bit_by_bit() -> None:
    vectors = np.random.default_rng(3).random((4, 7), dtype=np.float32)
    assert np.array_equal(through(vectors), vectors)
    assert through(vectors).dtype == np.float32
    kept = through(Overviews(documents=("a", "b"), vectors=vectors[:2]))
    assert kept.documents == ("a", "b") and np.array_equal(kept.vectors, vectors[:2])
    assert through(np.float32(0.5)) == 0.5 and type(through(np.float64(0.5))) is float


@pytest.mark.parametrize(
    "value", [object(), Path("x"), Settings(), b"x", len, np.zeros(2), DamagedFile("x"), 1j]
)
def test_what_is_no_value_of_ours_is_refused(value: Any) -> None:
    with pytest.raises(TypeError, match="cannot be kept in a trace"):
        encode(value)


def test_a_long_document_is_written_by_columns() -> None:
    text = canonical(encode(BOXED * 50))
    assert text.count('"text"') == 1 and text.count('"doc"') == 1
    assert len(text) < 0.5 * len(canonical([encode(line) for line in BOXED * 50]))


def test_a_field_with_its_default_is_left_out_so_that_new_fields_break_no_old_file() -> None:
    assert "history" not in canonical(encode(Query(text="q")))
    assert decode({"~": "retrieval.Query", "text": "q"}) == Query(text="q")


def test_a_document_is_written_once_however_often_it_comes() -> None:
    pool = Pool()
    keys = {pool.add(LEASE), pool.add(through(LEASE)), pool.add(LEASE)}
    pool.add((LEASE, 1))
    pool.add(((LEASE, 2), [LEASE]))
    assert len(keys) == 1
    assert sum(text.endswith('"~":"document.Document"}') for text in pool.texts.values()) == 1
    assert Kept(pool.texts).of_type("document.Document") == [LEASE]


@pytest.mark.parametrize(
    "encoded",
    [
        {"~": "os.system", "=": "true"}, {"~": "document.os"}, {"~": "document.Mapping"}, {"~": "ports.Store"}, {"~": "nothing"},
        {"~": "places.Span", "doc": "d"}, {"~": "places.Span", "doc": "d", "start": 0, "end": 1, "more": 2}, {}, {"@": "k"},
        {"~": "places.Span", "n": 10**12, "by": {"doc": {"all": "d"}, "start": {"all": 0}, "end": {"all": 1}}},
        {"~": "document.ItemKind", "=": "spoon"}, {"~": "map", "=": [[1]]}, {"~": "day", "=": "soon"}, {"~": ["x"]},
        {"~": "matrix", "shape": [3], "=": "AAAA"}, {"~": "places.Span", "n": 2, "by": {"start": [1]}}, {"~": "set", "=": [[[]], {"~": "list", "=": []}]},
    ],
    ids=str,
)  # fmt: skip
def test_what_is_never_written_is_refused_and_nothing_else_is_called(encoded: Any) -> None:
    with pytest.raises(DamagedFile, match="cannot be read"):
        decode(encoded)


def test_what_was_changed_behind_its_hash_is_refused() -> None:
    pool = Pool()
    key = pool.add(("a", "b"))
    with pytest.raises(DamagedFile, match="was changed"):
        Kept({key: '["a","c"]'})(key)
    with pytest.raises(DamagedFile, match="missing"):
        Kept({})(key)


def test_every_module_of_values_that_has_values_is_known() -> None:
    modules = (import_module(f"deref.values.{m.name}") for m in pkgutil.iter_modules(values.__path__))
    having = {
        module.__name__.rpartition(".")[2]
        for module in modules
        for kind in vars(module).values()
        if is_dataclass(kind) and kind.__module__ == module.__name__
    }
    assert having == set(HOMES)


# What was written before


class Counted(Sequence[Span]):
    """A sequence that counts how often it is gone through."""

    def __init__(self, *values: Span) -> None:
        self.values, self.looked = values, 0

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, at: Any) -> Any:
        self.looked += 1
        return self.values[at]


SPANS = [Span(doc="a", start=n, end=n + 1) for n in range(6)]


def test_what_one_pool_wrote_the_next_one_has_without_writing_it_again() -> None:
    written, spans = Written(), Counted(*SPANS)
    first = Pool(written=written)
    key = first.add(spans)
    looked = spans.looked
    assert looked and first.add(spans) == key
    second = Pool(written=written)
    assert second.add(spans) == key and spans.looked == looked
    assert second.texts == first.texts
    assert Kept(second.texts)(key) == tuple(SPANS)


def test_what_holds_documents_is_written_anew_with_them() -> None:
    written, pair = Written(), (LEASE, LEASE.id)
    first, second = Pool(written=written), Pool(written=written)
    for pool in (first, second):
        key = pool.add(pair)
        assert Kept(pool.texts)(key) == pair
    assert first.texts == second.texts


def test_a_list_may_change_and_is_written_each_time() -> None:
    written, values = Written(), [1, 2]
    first = Pool(written=written).add(values)
    values.append(3)
    assert Pool(written=written).add(values) != first


def test_what_was_written_while_other_secrets_were_hidden_is_written_anew() -> None:
    text = ("the swordfish swims",)
    written = Written()
    shown = Pool(written=written.without(frozenset()))
    assert "swordfish" in shown.texts[shown.add(text)]
    for _ in range(2):
        hidden = Pool(Hiding(["swordfish"]), written.without(frozenset(["swordfish"])))
        assert "swordfish" not in hidden.texts[hidden.add(text)]


def test_no_more_is_kept_than_there_is_room_for() -> None:
    values = [(f"{n}" * 40,) for n in range(4)]
    written = Written(100)
    for value in values:
        Pool(written=written).add(value)
    assert [written.get(value) is not None for value in values] == [False, False, True, True]
    Pool(written=written).add(("x" * 200,))
    assert written.get(values[3]) is None, "what is too large by itself leaves nothing"
