"""`deref ask` with a language model that a server on loopback has: two passes over the wire, citations, a replay without it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from e2e.shell import Shell
from unit.answer.small_model import reply
from unit.models.chat_server import ChatServer, Handler, refuses, says, serving

SHELF = Path(__file__).resolve().parents[2] / "examples" / "deal-room"
QUESTION = "What does the Customer pay for night and weekend support?"
POINTS = "The price of night and weekend support is that of row (E) of Table B-1 in Exhibit B"
ROW = "(E) Extended cover, tier 2 per month 28,640 27,500"


def passage_with(shown: str, words: str) -> str | None:
    found = re.findall(r"=== (P\d+) \w+\n.*?--- text \w+\n(.*?)\n=== end of", shown, re.DOTALL)
    return next((id for id, text in reversed(found) if words in " ".join(text.split())), None)


def writes(to: Handler) -> None:
    """Reply as a model that points at the row until it is there, and then reads it."""
    shown = "\n".join(str(m["content"]) for m in to.asked["messages"])
    pointing, row = passage_with(shown, POINTS) or "P1", passage_with(shown, ROW)
    if row is None:
        given = reply((f"{POINTS}.", [(pointing, POINTS)]), status="partial",
                      pending=[(pointing, "row (E) of Table B-1 in Exhibit B")])  # fmt: skip
    else:
        given = reply(
            ("It pays GBP 28,640 a month, then GBP 27,500, for extended cover of tier 2.", [(pointing, POINTS), (row, ROW)]),
            ("It was 11 in 1999.", [(row, ROW)]),
        )  # fmt: skip
    says(json.dumps(given), pieces=40)(to)


def shell(folder: Path, server: ChatServer) -> Shell:
    return Shell(
        folder / "library", embedder="none", DEREF_MODELS_WRITER="model",
        DEREF_MODELS_LANGUAGE_MODEL="openai/small", DEREF_MODELS_BASE_URL=server.url,
        DEREF_MODELS_WINDOW="8192", DEREF_MODELS_RETRIES="0",
    )  # fmt: skip


def asked(folder: Path, server: ChatServer, *more: Any) -> Any:
    return shell(folder, server)("ask", SHELF, QUESTION, "--json", *more)


def test_the_row_that_the_model_pointed_at_is_cited_and_the_invented_claim_is_not(tmp_path: Path) -> None:
    with serving(writes) as server:
        trace = tmp_path / "trace.jsonl"
        deref = shell(tmp_path, server)
        ran = deref("ask", SHELF, QUESTION, "--json", "--trace", trace)
        bodies = server.bodies()
    answer = ran.values()
    assert ran.code == 1 and answer["completeness"] == "partial"
    assert answer["text"].startswith(
        "It pays GBP 28,640 a month, then GBP 27,500, for extended cover of tier 2. [1]"
    )
    assert "1999" not in answer["text"]
    row = next(c for c in answer["citations"] if "28,640" in c["quote"])
    assert (row["arrived"], row["reference"]) == ("reference", "row (E) of Table B-1 in Exhibit B")
    assert row["referenced_from"]["source"] == "01 Master Services Agreement.pdf"
    assert any(
        "does not stand in what it cites" in p or "do not stand in what it cites" in p
        for p in answer["problems"]
    )
    assert len(bodies) == 2
    assert "pulled in because 01 Master Services Agreement.pdf, p. 4, line 13 says" in json.dumps(bodies[1])
    assert deref.replayed == 1


def test_a_server_that_refuses_is_one_error_with_its_exit_code(tmp_path: Path) -> None:
    with serving(refuses(500, "out of memory")) as server:
        ran = asked(tmp_path, server)
    assert (ran.code, ran.out) == (3, "")
    assert ran.err.count("\n") == 1 and "small" in ran.err
