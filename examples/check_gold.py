"""Prove the gold of the deal room against the files themselves, read without Deref.

    python examples/check_gold.py

Of each question: every expected string stands in one of its sources, is not in the query and, when the question
is answered only by following a pointer, stands in no other file; the anchor's words stand in the anchor's file
and hold the pointer. Of each reference: its words, with those before them, stand exactly once in its source;
its targets are files of the shelf; exactly two are dangling. And no pointer of the plain forms ("Section 3.1",
"Exhibit B") was forgotten. Ends with 1 and a list when something is wrong.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

from deal_room_text import plain, texts

HERE = Path(__file__).resolve().parent

_POINTER = re.compile(
    r"\b(?:Sections?|Clauses?|[Pp]aragraphs?|Tables?|Figures?|Exhibits?|Schedules?|Parts?|Annex|section)\s"
    r"(?:[A-Z]-\d+|\d+(?:\.\d+)*|[A-D](?![\w-]))"
)
_HEADING = re.compile(
    r"(?:Exhibit|Schedule|Part) [A-Z0-9.]+(?: –|:| [DF]e[a-z]+| to the Credit Agreement \*\*)"
    r"|(?:Table|Figure) [A-Z0-9-]+\. [A-Z]"
)
_DANGLING = 2


def check_questions(questions: list[dict[str, Any]], shelf: dict[str, str]) -> list[str]:
    """Return what is wrong with the questions, one line each."""
    wrong = []
    for question in questions:
        name, sources = question["id"], question["expected_sources"]
        for expected in question["expected"]:
            holders = {file for file, text in shelf.items() if expected in text}
            if not holders & set(sources):
                wrong.append(f"{name}: {expected!r} stands in none of {sources}")
            if expected.casefold() in question["query"].casefold():
                wrong.append(f"{name}: the query gives {expected!r} away")
            if question["dimensions"]["pointer_only"] and holders - set(sources):
                wrong.append(f"{name}: {expected!r} also stands in {sorted(holders - set(sources))}")
        if question["anchor_doc"] and plain(question["anchor_text"]) not in shelf[question["anchor_doc"]]:
            wrong.append(f"{name}: the anchor's words are not in {question['anchor_doc']}")
        if question["pointer"] and question["pointer"] not in question["anchor_text"]:
            wrong.append(f"{name}: the anchor's words do not hold the pointer")
    return wrong


def check_references(references: list[dict[str, Any]], shelf: dict[str, str]) -> list[str]:
    """Return what is wrong with the references, one line each."""
    wrong = []
    covered: dict[str, list[tuple[int, int]]] = {file: [] for file in shelf}
    for reference in references:
        source, words = reference["source"], reference["before"] + reference["text"]
        if shelf[source].count(words) != 1:
            wrong.append(f"{source}: {words!r} stands there {shelf[source].count(words)} times")
        at = shelf[source].find(words) + len(reference["before"])
        covered[source].append((at, at + len(reference["text"])))
        if (reference["status"] == "resolved") != bool(reference["targets"]):
            wrong.append(f"{source}: {words!r} is {reference['status']} with targets {reference['targets']}")
        wrong += [f"{source}: no file {t['file']!r}" for t in reference["targets"] if t["file"] not in shelf]
    dangling = sum(reference["status"] == "dangling" for reference in references)
    if dangling != _DANGLING:
        wrong.append(f"{dangling} references are dangling, not {_DANGLING}")
    for source, text in shelf.items():
        for match in _POINTER.finditer(text):
            inside = any(start <= match.start() < end for start, end in covered[source])
            if not inside and not _HEADING.match(text, match.start()):
                wrong.append(f"{source}: forgotten: {text[max(0, match.start() - 30) : match.end() + 10]!r}")
    return wrong


def rows(name: str) -> list[dict[str, Any]]:
    """Return the rows of a JSON Lines file beside this script."""
    return [json.loads(line) for line in (HERE / name).read_text(encoding="utf-8").splitlines()]


def main() -> int:
    """Check both files and say what is wrong."""
    shelf = texts()
    questions, references = rows("deal-room.gold.jsonl"), rows("deal-room.references.jsonl")
    wrong = check_questions(questions, shelf) + check_references(references, shelf)
    for line in wrong:
        print(line)
    print(f"{len(shelf)} files, {len(questions)} questions, {len(references)} references, {len(wrong)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
