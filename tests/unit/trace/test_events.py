"""Events: one closed union, one registry, and each writes itself as JSON."""

from __future__ import annotations

import dataclasses
import inspect
import json
from typing import Any, get_args

import pytest

from deref.trace import events
from deref.trace.events import KINDS, encode, plain
from deref.values import Scope, Status
from unit.trace.small_run import ONE_OF_EACH


def test_the_union_the_registry_and_the_classes_of_the_module_are_the_same() -> None:
    defined = {c for _, c in inspect.getmembers(events, inspect.isclass) if c.__module__ == events.__name__}
    assert set(get_args(events.Event)) == set(KINDS) == defined
    assert len(set(KINDS.values())) == len(KINDS)


def test_the_small_run_holds_every_kind() -> None:
    assert {type(e) for e in ONE_OF_EACH} == set(KINDS)


@pytest.mark.parametrize("event", ONE_OF_EACH, ids=lambda e: KINDS[type(e)])
def test_every_event_is_json_with_all_its_fields(event: Any) -> None:
    told = json.loads(json.dumps(encode(event, seq=3, at=1.5)))
    assert (told["seq"], told["at"], told["kind"]) == (3, 1.5, KINDS[type(event)])
    assert set(told) == {"seq", "at", "kind"} | {f.name for f in dataclasses.fields(event)}


@pytest.mark.parametrize("event", list(KINDS), ids=lambda e: KINDS[e])
def test_every_event_is_a_frozen_value_that_says_what_it_is(event: type[Any]) -> None:
    assert event.__dataclass_params__.frozen and "__slots__" in vars(event)
    assert event.__doc__ and not event.__doc__.startswith(event.__name__ + "(")
    assert not {"seq", "at", "kind"} & {f.name for f in dataclasses.fields(event)}


def test_sets_are_written_in_order_and_enums_as_their_value() -> None:
    assert plain(Scope(documents=frozenset("cab"))) == {
        "documents": ["a", "b", "c"], "collections": None, "prefers": [],
    }  # fmt: skip
    assert plain({"s": (Status.DANGLING,)}) == {"s": ["dangling"]}
