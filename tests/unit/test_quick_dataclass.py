"""What comes out behaves like a dataclass of the standard library, whatever the fields are."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from dataclasses import FrozenInstanceError, field
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deref.quick_dataclass import dataclass


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Quick:
    """Two numbers and more."""

    a: int
    b: str = "b"
    more: list[int] = field(default_factory=list, metadata={"unit": "pt"})


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Standard:
    """Two numbers and more."""

    a: int
    b: str = "b"
    more: list[int] = field(default_factory=list, metadata={"unit": "pt"})


@dataclass(frozen=True, slots=True)
class One:
    """One value, which may be given by position."""

    value: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Empty:
    """No field at all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """Refuses what is below nought, and shows itself in its own way."""

    n: int

    def __post_init__(self) -> None:
        if self.n < 0:
            raise ValueError("below nought")

    def __repr__(self) -> str:
        return f"<{self.n}>"


VALUES = st.fixed_dictionaries(
    {"a": st.integers(-3, 3)}, optional={"b": st.sampled_from("xyb"), "more": st.lists(st.integers(0, 2), max_size=2)}
)  # fmt: skip


@given(VALUES, VALUES)
def test_it_compares_shows_and_replaces_like_one_of_the_standard_library(
    one: dict[str, Any], two: dict[str, Any]
):
    quick, standard = (Quick(**one), Quick(**two)), (Standard(**one), Standard(**two))
    for compare in ("__eq__", "__lt__", "__le__", "__gt__", "__ge__"):
        assert getattr(quick[0], compare)(quick[1]) == getattr(standard[0], compare)(standard[1])
    assert repr(quick[0]) == repr(standard[0]).replace("Standard", "Quick")
    assert dataclasses.asdict(quick[0]) == dataclasses.asdict(standard[0])
    assert dataclasses.replace(quick[0], a=two["a"]) == Quick(**{**one, "a": two["a"]})
    assert pickle.loads(pickle.dumps(quick[0])) == copy.copy(quick[0]) == copy.deepcopy(quick[0]) == quick[0]


def test_it_is_as_frozen_slotted_and_told_as_one_of_the_standard_library():
    quick, standard = Quick(a=1), Standard(a=1)
    for change in (lambda one: setattr(one, "a", 2), lambda one: delattr(one, "a")):
        with pytest.raises(FrozenInstanceError):
            change(quick)
    assert not hasattr(quick, "__dict__")
    for kind in (Quick, Standard):
        assert kind.__dataclass_params__.frozen
    assert [(f.name, f.type, f.metadata) for f in dataclasses.fields(quick)] == [
        (f.name, f.type, f.metadata) for f in dataclasses.fields(standard)
    ]
    assert Quick.__init__.__annotations__ == Standard.__init__.__annotations__
    with pytest.raises(TypeError, match=r"Quick\.__init__\(\) missing 1 required keyword-only argument: 'a'"):
        Quick()
    with pytest.raises(TypeError, match="takes 1 positional argument"):
        Quick(1)


def test_a_default_that_is_made_is_made_anew_for_each():
    first, second = Quick(a=1), Quick(a=1)
    first.more.append(1)
    assert second.more == []


def test_values_hash_by_what_they_hold_and_differ_from_those_of_other_classes():
    assert len({One(1), One(1), One(2), One((1,)), Empty(), Empty()}) == 4
    assert One(1) != Checked(n=1)
    assert hash(One("x")) == hash(("x",))
    with pytest.raises(TypeError):
        hash(Quick(a=1))  # A list is in it.
    assert pickle.loads(pickle.dumps(Empty())) == Empty()
    assert pickle.loads(pickle.dumps(One(None))) == One(None)


def test_what_a_class_says_itself_stands():
    assert repr(Checked(n=1)) == "<1>"
    with pytest.raises(ValueError, match="below nought"):
        Checked(n=-1)


def test_a_class_that_may_be_changed_is_refused():
    with pytest.raises(TypeError, match=r"dataclasses\.dataclass"):
        dataclass(frozen=False, slots=True)  # type: ignore[call-overload]
