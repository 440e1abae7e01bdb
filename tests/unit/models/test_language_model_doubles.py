"""The doubles of `LanguageModel`: what is prepared is answered, what is recorded is answered, and nothing else is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from deref.errors import ModelError, UsageError
from deref.models.recorded import RecordedLanguageModel, RecordingLanguageModel, call_hash
from deref.models.scripted_language_model import ScriptedLanguageModel
from deref.values.messages import Message

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"fee": {"type": "integer"}},
    "required": ["fee"],
}
ASKED = [Message("user", "What is the fee?")]


def ask(model: Any, *, messages: Any = ASKED, schema: Any = SCHEMA, most_tokens: int = 50) -> Any:
    return model.reply(messages, schema=schema, name="fee_of", most_tokens=most_tokens)


def test_prepared_replies_come_in_their_order_and_say_what_was_asked() -> None:
    model = ScriptedLanguageModel([{"fee": 1}, '{"fee": 2}'])
    assert [ask(model).value["fee"], ask(model).value["fee"]] == [1, 2]
    assert model.shown == (tuple(ASKED), tuple(ASKED))
    with pytest.raises(ModelError, match="no reply left after 2"):
        ask(model)


def test_a_function_answers_what_it_is_asked() -> None:
    model = ScriptedLanguageModel(lambda messages: {"fee": len(messages[-1].text)})
    assert ask(model).value == {"fee": len(ASKED[0].text)}


def test_a_prepared_reply_is_repaired_as_a_real_one_is() -> None:
    model = ScriptedLanguageModel(["I think it is twelve.", {"fee": "12"}, {"fee": 12}])
    reply = ask(model)
    assert (reply.value, reply.repairs) == ({"fee": 12}, 2)
    assert "it is not a JSON object" in model.shown[1][-1].text
    assert "'12' is not of type 'integer'" in model.shown[2][-1].text


def test_a_prepared_error_is_raised() -> None:
    with pytest.raises(ModelError, match="out of memory"):
        ask(ScriptedLanguageModel([ModelError("out of memory")]))


def test_a_recording_answers_the_very_call_and_no_other(tmp_path: Path) -> None:
    path = tmp_path / "calls.jsonl"
    live = ask(RecordingLanguageModel(ScriptedLanguageModel([{"fee": 12}]), path))
    model = RecordedLanguageModel(path)
    assert ask(model) == live
    assert model.identity == "scripted-1"
    for other in (
        {"messages": [Message("user", "What is the fee")]},
        {"messages": [Message("system", "What is the fee?")]},
        {"schema": {**SCHEMA, "required": []}},
        {"most_tokens": 51},
    ):
        with pytest.raises(ModelError, match="no reply is recorded for this call"):
            ask(model, **other)


def test_the_hash_of_a_call_is_that_of_its_content() -> None:
    one = call_hash("m", ASKED, SCHEMA, "fee_of", 50)
    turned = dict(reversed(SCHEMA.items()))
    assert one == call_hash("m", tuple(ASKED), turned, "fee_of", 50)
    assert one != call_hash("n", ASKED, SCHEMA, "fee_of", 50)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "the recording is empty"),
        ("{", "line 1: no line of a recording"),
        ('{"model": "m", "window": 9}\n{"call": "x"}', "line 2: no line of a recording"),
        ('{"model": "m", "window": 9}\n{"call": "x", "reply": {"valve": {}}}', "line 2"),
    ],
)
def test_what_is_no_recording_is_refused(tmp_path: Path, content: str, said: str) -> None:
    path = tmp_path / "calls.jsonl"
    path.write_text(content)
    with pytest.raises(UsageError, match=said):
        RecordedLanguageModel(path)


def test_a_recording_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        RecordedLanguageModel(tmp_path / "none.jsonl")
