"""The shape of a reply: one set of dataclasses gives the schema and takes what obeys it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Annotated, Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deref.answer.schema import SCHEMA, Draft
from deref.values.shapes import schema_of, value_of
from unit.answer.small_model import reply


class Colour(StrEnum):
    """Two colours."""

    RED = "red"
    BLUE = "blue"


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaf:
    """A leaf."""

    name: Annotated[str, "what it is called"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tree:
    """A tree."""

    colour: Colour
    leaves: Annotated[tuple[Leaf, ...], "all of them"]
    names: tuple[str, ...]


TREE = {"colour": "red", "leaves": [{"name": "oak"}], "names": ["a", "b"]}


def test_every_field_is_required_described_and_no_other_is_allowed() -> None:
    schema = schema_of(Tree)
    assert schema["required"] == ["colour", "leaves", "names"]
    assert schema["additionalProperties"] is False
    assert schema["properties"]["colour"] == {"type": "string", "enum": ["red", "blue"]}
    assert schema["properties"]["leaves"]["description"] == "all of them"
    assert schema["properties"]["leaves"]["items"]["properties"]["name"]["description"] == "what it is called"


def test_what_obeys_the_schema_is_taken() -> None:
    jsonschema.validate(TREE, schema_of(Tree))
    assert value_of(Tree, TREE) == Tree(colour=Colour.RED, leaves=(Leaf(name="oak"),), names=("a", "b"))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"colour": "green"}, "colour: 'green' is none of red, blue"),
        ({"leaves": [{"name": 3}]}, "leaves/0/name: text is needed, not int"),
        ({"leaves": [{}]}, "leaves/0: name is missing"),
        ({"leaves": "oak"}, "leaves: a list is needed, not str"),
        ({"leaves": ["oak"]}, "leaves/0: an object is needed, not str"),
        ({"names": [None]}, "names/0: text is needed, not NoneType"),
    ],
)
def test_what_does_not_obey_it_is_an_error_that_names_the_place(change: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        value_of(Tree, {**TREE, **change})
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**TREE, **change}, schema_of(Tree))


def test_a_type_that_no_model_could_be_asked_for_is_an_error() -> None:
    @dataclass(frozen=True)
    class Odd:
        when: complex

    with pytest.raises(TypeError, match="has no shape"):
        schema_of(Odd)


@given(st.lists(st.tuples(st.text(), st.lists(st.tuples(st.text(), st.text()))), max_size=4), st.text())
def test_a_draft_comes_back_as_it_was_said(
    claims: list[tuple[str, list[tuple[str, str]]]], words: str
) -> None:
    said = reply(*claims, pending=[("P1", words)], definitions=[(words, "P2", words)])
    jsonschema.validate(said, SCHEMA)
    draft = value_of(Draft, said)
    assert [(c.text, [(q.evidence, q.quote) for q in c.quotes]) for c in draft.claims] == [
        (text, list(quotes)) for text, quotes in claims
    ]
    assert asdict(draft.pending_references[0]) == {"text": words, "evidence": "P1"}
