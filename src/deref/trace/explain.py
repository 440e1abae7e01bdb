"""Explain: a trace file told as a person would tell it, in the order in which things happened."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from deref.errors import DamagedFile


def explain(events: Iterable[dict[str, Any]]) -> Iterator[str]:
    """Yield the story, a line at a time.

    Raises DamagedFile for an event whose fields are not those of its kind.
    """
    for number, event in enumerate(events, start=1):
        tell = _TELLERS.get(event["kind"])
        if tell is None:
            continue
        try:
            lines = list(tell(event))
        except (LookupError, TypeError, AttributeError, ValueError, ArithmeticError) as error:
            raise DamagedFile(
                f"event {number} of the trace ({event['kind']}) has other fields than it should; write the trace anew "
                "with `deref ask … --trace FILE`"
            ) from error
        yield from lines


def _run_started(event: dict[str, Any]) -> Iterator[str]:
    yield f"Asked: {event['query']['text']}"
    if event["query"].get("filter"):
        yield f"  (only where {event['query']['filter']})"
    if event.get("sent_to"):
        yield f"  (sent to {', '.join(event['sent_to'])}, beyond this machine)"
    yield f"  (a question for {'an' if event['query']['shape'][0] in 'aeiou' else 'a'} {event['query']['shape']})"


def _stage_ran(event: dict[str, Any]) -> Iterator[str]:
    milliseconds = event["seconds"] * 1000
    yield f"Stage {event['stage']}: {len(event['after'])} passages, {event['note']} ({milliseconds:.0f} ms)"


def _retried(event: dict[str, Any]) -> Iterator[str]:
    yield f"Asked again: the {event['kept']} attempt was kept: {event['why']}"


def _pass_written(event: dict[str, Any]) -> Iterator[str]:
    followed = [p for p in event["passages"] if p["arrived"] == "reference"]
    yield f"Pass {event['n'] + 1}: read {len(event['passages'])} passages, {len(followed)} of them by reference"
    for passage in followed:
        yield f"  {passage['why']}"
    for n, citation in enumerate(event["answer"]["citations"], start=1):
        yield f"  [{n}] {_where(citation)}: {_short(citation['quote'])}"
    for resolution in event["answer"]["pending"]:
        yield f"  still open: “{resolution['reference']['text']}”"
    yield f"  the answer is {event['answer']['completeness']}"


def _decided(event: dict[str, Any]) -> Iterator[str]:
    yield f"Decided: {event['verdict']}: {event['why']}"


def _pursued(event: dict[str, Any]) -> Iterator[str]:
    resolution = event["resolution"]
    tier = f", tier {resolution['tier']}" if resolution["tier"] else ""
    mark = "→" if event["followed"] else "✗"
    yield f"  {mark} “{resolution['reference']['text']}” [{resolution['status']}{tier}] {event['why']}"


def _degraded(event: dict[str, Any]) -> Iterator[str]:
    yield f"Degraded: {event['what']}"


def _left_out(event: dict[str, Any]) -> Iterator[str]:
    yield f"Left out: {event['what']}"


def _run_finished(event: dict[str, Any]) -> Iterator[str]:
    answer = event["answer"]
    yield f"Finished in {event['seconds'] * 1000:.0f} ms after {event['passes']} pass(es): {answer['completeness']}"
    for resolution in answer["pending"]:
        yield f"  open: “{resolution['reference']['text']}”: {resolution['why']}"
    for resolution in answer["external"]:
        yield f"  off the shelf: “{resolution['reference']['text']}”: {resolution['why']}"
    if answer.get("unquoted"):
        yield f"  followed, and nothing of it quoted: {'; '.join(map(_places, answer['unquoted']))}"
    for one in answer.get("amendments", ()):
        yield f"  [{one['amended']}] is amended by [{one['amending']}]"
    for condition in answer["conditions"]:
        yield f"  on condition: {_short(condition['text'])}"
    for defined in answer["definitions"]:
        yield f"  as defined: {defined['term']}: {_short(defined['text'])}"
    for problem in answer["problems"]:
        yield f"  problem: {problem}"
    yield ""
    yield str(answer["text"])


def _where(citation: dict[str, Any]) -> str:
    place = f"{citation['source']} p. {citation['page']}, l. {citation['row']}"
    if citation["referenced_from"]:
        origin = citation["referenced_from"]
        place += f" (from “{citation['reference']}” on p. {origin['page']}, l. {origin['row']})"
    return place


def _short(text: str, most: int = 110) -> str:
    folded = " ".join(text.split())
    return folded if len(folded) <= most else folded[: most - 1] + "…"


_TELLERS = {
    "run_started": _run_started,
    "stage_ran": _stage_ran,
    "retried": _retried,
    "pass_written": _pass_written,
    "decided": _decided,
    "pursued": _pursued,
    "degraded": _degraded,
    "left_out": _left_out,
    "run_finished": _run_finished,
}


def _places(resolution: Mapping[str, Any]) -> str:
    """Return a pointer, of one that names several places with those that are meant."""
    reference = resolution["reference"]
    named = [t["label"] for t in resolution["targets"] if t["label"]] if len(reference["labels"]) > 1 else []
    return f"“{reference['text']}”{': ' * bool(named)}{', '.join(named)}"
