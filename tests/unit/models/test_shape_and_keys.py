"""What a small model writes instead of JSON, and where keys come from."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import pytest

from deref.errors import ModelError
from deref.models.extra import needed
from deref.models.keys import Key, read_key
from deref.models.shape import Misshapen, Shape
from deref.models.token_estimate import estimated_tokens
from processor_time import no_longer_than

SHAPE = Shape(
    "answer",
    {
        "type": "object",
        "properties": {"text": {"type": "string"}, "ids": {"type": "array", "items": {"type": "integer"}}},
        "required": ["text", "ids"],
        "additionalProperties": False,
    },
)
RIGHT: dict[str, Any] = {"text": 'She said "12 {a}"', "ids": [1, 2]}
AS_JSON = '{"text": "She said \\"12 {a}\\"", "ids": [1, 2]}'


@pytest.mark.parametrize(
    "text",
    [
        AS_JSON,
        f"\n  {AS_JSON}\n",
        f"```json\n{AS_JSON}\n```",
        f"```\n{AS_JSON}\n```\nI hope this helps.",
        f"Sure! Here it is:\n{AS_JSON}",
        AS_JSON.replace("[1, 2]}", "[1, 2,],}"),
        AS_JSON.removesuffix("}"),
    ],
)
def test_json_is_found_in_what_stands_around_it(text: str) -> None:
    assert SHAPE.read(text) == RIGHT


def test_a_fence_that_never_ends_costs_nothing() -> None:
    with no_longer_than(2.0), pytest.raises(Misshapen, match="not a JSON object"):
        SHAPE.read("```" + "\n" * 60_000)


@pytest.mark.parametrize(
    ("text", "said", "found"),
    [
        ("", "not a JSON object", False),
        ("The answer is 12.", "not a JSON object", False),
        ("[1, 2]", "not a JSON object", False),
        ("null", "not a JSON object", False),
        ('{"text": "x"}', "'ids' is a required property", True),
        ('{"text": "x", "ids": ["1"]}', "at ids/0: '1' is not of type 'integer'", True),
        ('{"text": "x", "ids": [], "more": 1}', "'more' was unexpected", True),
        ("{" * 3000, "required property|not a JSON object", True),
    ],
)
def test_what_is_wrong_is_said(text: str, said: str, found: bool) -> None:
    with pytest.raises(Misshapen, match=said) as caught:
        SHAPE.read(text)
    assert found or not caught.value.object_found


def test_a_reply_that_was_cut_is_not_mended() -> None:
    half = AS_JSON[:-3]
    with pytest.raises(Misshapen, match="cut off"):
        SHAPE.read(half, cut=True)
    assert SHAPE.read(AS_JSON, cut=True) == RIGHT


def test_many_mistakes_are_told_in_short() -> None:
    wrong = ", ".join(["1.5"] * 50)
    with pytest.raises(Misshapen) as caught:
        SHAPE.read(f'{{"text": "x", "ids": [{wrong}]}}')
    assert "and 45 more" in str(caught.value)
    assert len(str(caught.value)) < 600


def test_a_schema_that_is_none_is_a_mistake_of_the_caller() -> None:
    with pytest.raises(ValueError, match="answer: no JSON Schema"):
        Shape("answer", {"type": "thing"})


def test_a_missing_extra_is_one_error_with_the_line_that_installs_it() -> None:
    with pytest.raises(ModelError, match=r'no_such_module is not installed: pip install -e "\.\[models\]"'):
        needed("no_such_module")


def test_a_key_comes_from_the_environment_or_a_file_and_is_shown_nowhere(tmp_path: Path) -> None:
    path = tmp_path / "key"
    path.write_text("sk-from-file\n")
    both = [read_key("MY_KEY", "", {"MY_KEY": " sk-from-env "}), read_key("", str(path), {})]
    assert [key.reveal() for key in both if key] == ["sk-from-env", "sk-from-file"]
    assert "sk-" not in f"{both} {both[0]} {both[1]!r}"
    assert read_key("", "", {"OPENAI_API_KEY": "x"}) is None


@pytest.mark.parametrize("content", ["", "two words", "line\nline"])
def test_what_holds_no_key_is_refused_and_not_repeated(tmp_path: Path, content: str) -> None:
    path = tmp_path / "key"
    path.write_text(content)
    with pytest.raises(ModelError, match=str(path)) as caught:
        read_key("", str(path), {})
    assert not content or content not in str(caught.value)
    with pytest.raises(ModelError, match="MY_KEY"):
        read_key("MY_KEY", "", {"MY_KEY": content})


def test_a_key_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"models\.key_file names it, and it cannot be read"):
        read_key("", str(tmp_path / "none"), {})


def test_a_key_cannot_be_written_down() -> None:
    with pytest.raises(TypeError):
        pickle.dumps(Key("sk-secret"))


@pytest.mark.parametrize(
    ("text", "at_least"),
    [("", 0), ("the fee is due", 4), ("28,640.00", 9), ("學習" * 10, 20), ("(a)(iii)", 6), ("\n" * 9, 9)],
)
def test_tokens_are_rather_overestimated(text: str, at_least: int) -> None:
    assert estimated_tokens(text) >= at_least
