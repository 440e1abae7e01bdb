"""Traces: written a line at a time, read back with errors that name the line, told as a person would."""

from __future__ import annotations

import io
import itertools
import json
from dataclasses import replace

import pytest

from deref.errors import DamagedFile
from deref.trace.events import Degraded, Event, RunStarted
from deref.trace.explain import explain
from deref.trace.read import read_trace
from deref.trace.sinks import TRACE_SCHEMA, JsonLinesSink, ListSink, nowhere, tee
from unit.trace.small_run import ANSWER, ONE_OF_EACH


class Watched(io.StringIO):
    """A text stream that counts how often it was flushed."""

    flushed = 0

    def flush(self) -> None:
        self.flushed += 1
        super().flush()


def written(*events: Event) -> str:
    out = io.StringIO()
    ticks = itertools.count(100)
    sink = JsonLinesSink(out, lambda: float(next(ticks)))
    for event in events:
        sink(event)
    return out.getvalue()


def test_a_trace_begins_with_a_header_and_counts_its_events() -> None:
    rows = [json.loads(line) for line in written(*ONE_OF_EACH).splitlines()]
    assert rows[0] == {"kind": "header", "schema": TRACE_SCHEMA, "at": 100.0}
    assert [r["seq"] for r in rows[1:]] == list(range(1, len(ONE_OF_EACH) + 1))
    assert [r["at"] for r in rows] == sorted(r["at"] for r in rows)


def test_each_line_is_flushed_so_that_a_killed_run_keeps_its_trace() -> None:
    out = Watched()
    sink = JsonLinesSink(out, lambda: 0.0)
    sink(Degraded(what="x"))
    assert out.flushed == 2


@pytest.mark.parametrize("sign", ["\u2028", "\u2029", "\x85", "\x0c", "\n", "\udc80"])
def test_odd_signs_in_a_quote_break_no_line_and_no_encoding(sign: str) -> None:
    text = written(Degraded(what=f"a{sign}b"))
    assert text.encode("utf-8")
    assert len(text.splitlines()) == 2
    assert read_trace(text.splitlines(), name="t")[1]["what"] == f"a{sign}b"


def test_other_scripts_stay_readable_in_the_file() -> None:
    assert "Кошка 学習" in written(Degraded(what="Кошка 学習"))


def test_a_tee_passes_each_event_to_all_in_order() -> None:
    first, second = ListSink(), ListSink()
    sink = tee([first, nowhere, second])
    for event in ONE_OF_EACH:
        sink(event)
    assert first.events == second.events == list(ONE_OF_EACH)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{not json", "not JSON"),
        ('{"kind": "gossip"}', "not an event"),
        ("[1, 2]", "not an event"),
        ('{"kind": ["decided"]}', "not an event"),
        ('{"seq": 1, "at": 0, "kind": "decided", "n": 0}', "not an event"),
    ],
)
def test_a_damaged_line_is_named_with_its_file(line: str, said: str) -> None:
    rows = [*written(Degraded(what="x")).splitlines(), "", line]
    with pytest.raises(DamagedFile, match=rf"^run\.jsonl, line 4: {said}"):
        read_trace(rows, name="run.jsonl")


@pytest.mark.parametrize("rows", [[], ["", " "], ['{"kind": "degraded", "what": "x"}']])
def test_a_file_without_a_header_is_no_trace(rows: list[str]) -> None:
    with pytest.raises(DamagedFile, match=r"^run\.jsonl: the first line is no trace header"):
        read_trace(rows, name="run.jsonl")


def test_a_trace_of_another_schema_is_refused_with_both_numbers() -> None:
    with pytest.raises(DamagedFile, match=rf"run\.jsonl, line 1: .*schema 99.*{TRACE_SCHEMA}"):
        read_trace(['{"kind": "header", "schema": 99, "at": 0}'], name="run.jsonl")


def test_to_whom_beyond_this_machine_texts_went_is_told() -> None:
    begun = next(e for e in ONE_OF_EACH if isinstance(e, RunStarted))
    assert "sent to" not in "\n".join(explain(read_trace(written(begun).splitlines(), name="t")))
    elsewhere = replace(begun, sent_to=("api.example", "openai"))
    told = "\n".join(explain(read_trace(written(elsewhere).splitlines(), name="t")))
    assert "(sent to api.example, openai, beyond this machine)" in told


def test_a_whole_run_is_told_from_the_question_to_the_answer() -> None:
    told = list(explain(read_trace(written(*ONE_OF_EACH).splitlines(), name="t")))
    story = "\n".join(told)
    assert told.index("Asked: What does a cart pay?") == 0
    assert told[-1] == ANSWER.text
    for part in (
        "(a question for a fact)",
        "Stage legs: 2 passages, 2 in (12 ms)",
        "Degraded: the dense leg failed",
        "Pass 1: read 2 passages, 1 of them by reference",
        "pulled in because line 2 says “Annex B”",
        "[1] bridge.md p. 1, l. 5 (from “Annex B” on p. 1, l. 2): A cart pays two pence.",
        "still open: “Annex C”",
        "Decided: resolve: 1 pointer(s) would change the answer",
        "→ “Annex B” [resolved, tier label] followed: one annex B",
        "✗ “Annex C” [dangling, tier label] dangling: the annexes end at B",
        "Finished in 500 ms after 2 pass(es): partial",
        "open: “Annex C”: the annexes end at B",
        "off the shelf: “ISO 1”: no such document here",
        "on condition: unless it is empty",
        "as defined: Cart: “Cart” means any vehicle.",
        "followed, and nothing of it quoted: “Annex B”",
        "[1] is amended by [1]",
        "problem: page 3 has no text",
    ):
        assert part in story, part


def test_long_quotes_are_cut_in_the_telling() -> None:
    rows = read_trace(written(*ONE_OF_EACH).splitlines(), name="t")
    for row in rows:
        for cited in row.get("answer", {}).get("citations", ()):
            cited["quote"] = "long " * 100
    told = next(line for line in explain(rows) if "[1]" in line)
    assert told.endswith("…") and len(told) < 200


@pytest.mark.parametrize("value", [None, 3, "z", [], {}, [[1]]])
def test_an_event_with_odd_fields_is_told_or_refused_by_its_number(value: object) -> None:
    whole = read_trace(written(*ONE_OF_EACH).splitlines(), name="t.jsonl")
    for number, event in enumerate(whole[1:], start=2):
        for name in event.keys() - {"kind"}:
            odd = [*whole]
            odd[number - 1] = {**event, name: value}
            try:
                list(explain(odd))
            except DamagedFile as error:
                assert f"event {number} " in str(error)
