"""The labelled pointers of the example shelf, through parse → structure → find → resolve, without a store.

The score is printed (`pytest -s`). The floors are what was reached; they only go up.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from deref.parse import SUFFIXES, parse
from deref.references import MemoryShelf, Resolver, find
from deref.references.documents import spoken_names
from deref.references.mentions import find_names
from deref.structure import build_document
from deref.values import Document, Reference, Resolution, Status, Target

_EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
_LABELLED = 208
_RIGHT = 208

Row = dict[str, Any]
Placed = list[tuple[Reference, Resolution]]


@cache
def _shelf() -> dict[str, Document]:
    files = sorted(p for p in (_EXAMPLES / "deal-room").iterdir() if p.suffix.lower() in SUFFIXES)
    return {
        p.name: build_document(
            parse(p.read_bytes(), doc=p.name, name=p.name), doc=p.name, name=p.name, fingerprint="t"
        )
        for p in files
    }


@cache
def _resolved() -> dict[str, Placed]:
    """Every reference of every document, mentions of the shelf's documents by name included."""
    shelf = MemoryShelf(_shelf().values())
    resolver = Resolver(shelf)
    names = spoken_names(shelf.cards())
    out: dict[str, Placed] = {}
    for name, document in _shelf().items():
        found = list(find(document))
        named = [r for r in find_names(document, names) if not any(_meet(r, other) for other in found)]
        out[name] = [(r, resolver(r, document)) for r in (*found, *named)]
    return out


def _meet(a: Reference, b: Reference) -> bool:
    return (a.at.line, a.at.char_start) < (b.at.last_line, b.at.char_end) and (b.at.line, b.at.char_start) < (
        a.at.last_line,
        a.at.char_end,
    )


def _rows() -> list[Row]:
    text = (_EXAMPLES / "deal-room.references.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def _squash(text: str) -> str:
    return "".join(c for c in text.casefold() if c.isalnum())


def _place(document: Document, row: Row) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """The first and last (line, character) of a labelled pointer. Numbers that a parser writes out may stand before it."""
    letters = [
        (c, line.n, n) for line in document.lines for n, c in enumerate(line.text.casefold()) if c.isalnum()
    ]
    flat = "".join(c for c, _, _ in letters)
    words = _squash(row["text"])
    before = row["before"]
    halves = [
        (before[:cut], before[cut:]) for cut in (0, *(m.end() for m in re.finditer(r"[;:.|] ", before)))
    ]
    for left, right in (*halves, ("", before[12:])):
        left, right = _squash(left), _squash(right)
        found = list(re.finditer(f"{left}[a-z0-9]{{0,12}}?{right}({_broken(words)})", flat))
        if len(found) == 1:
            (_, l0, c0), (_, l1, c1) = letters[found[0].start(1)], letters[found[0].end(1) - 1]
            return (l0, c0), (l1, c1)
    return None


def _broken(words: str) -> str:
    """The words, with room for the neighbouring cell of a table row before the last one."""
    return words if len(words) < 24 else rf"{words[:-9]}[a-z]{{0,12}}?{words[-9:]}"


def _over(row: Row) -> Placed | None:
    """What was found over a labelled pointer; None when its words are not in our lines at all."""
    place = _place(_shelf()[row["source"]], row)
    if place is None:
        return None
    first, last = place
    return [
        (r, o)
        for r, o in _resolved()[row["source"]]
        if (r.at.line, r.at.char_start) <= last and first < (r.at.last_line, r.at.char_end)
    ]


def _is(target: Target, gold: dict[str, Any]) -> bool:
    if target.lines.doc != gold["file"]:
        return False
    attached = gold["kind"] in ("exhibit", "schedule") and target.kind == "document"
    same = target.kind == gold["kind"] and (target.label or "").casefold() == (gold["label"] or "").casefold()
    return attached or (same and _is_within(target, gold.get("within")))


def _is_within(target: Target, within: str | None) -> bool:
    if within is None:
        return True
    document = _shelf()[target.lines.doc]
    word, _, label = within.partition(" ")
    spans = [i.lines for i in document.items if i.kind.value == word.casefold() and i.label == label]
    return any(target.lines.start in span for span in spans)


def _is_right(row: Row, placed: Placed) -> bool:
    status, targets = Status(row["status"]), row["targets"]
    return any(
        o.status is status
        and all(any(_is(t, gold) for t in o.targets) for gold in targets)
        and all(any(_is(t, gold) for gold in targets) for t in o.targets)
        for _, o in placed
    )


def _wrong(rows: Sequence[Row]) -> list[str]:
    out = []
    for row in rows:
        placed = _over(row)
        if placed is None or not _is_right(row, placed):
            said = "; ".join(f"{r.text!r} {o.status.value}: {o.why}" for r, o in placed or ())
            out.append(f"{row['source']}: …{row['before'][-30:]}[{row['text']}] → {said or 'not found'}")
    return out


def _say(*lines: str) -> None:
    sys.stdout.write("\n" + "\n  ".join(lines) + "\n")


def test_the_labelled_pointers_of_the_deal_room_lead_where_they_should() -> None:
    rows = _rows()
    wrong = _wrong(rows)
    _say(f"{len(rows) - len(wrong)} of {len(rows)} pointers of the deal room are right", *wrong)
    assert len(rows) == _LABELLED
    assert len(rows) - len(wrong) >= _RIGHT, "\n".join(wrong)


def test_rows_and_paragraphs_that_a_pointer_picks_are_found_in_its_target() -> None:
    picking = [row for row in _rows() if row["selector"] and row["status"] == "resolved"]
    missed = [
        row["text"] for row in picking if not any(t.focus for _, o in _over(row) or () for t in o.targets)
    ]
    _say(f"{len(picking) - len(missed)} of {len(picking)} selectors picked their rows", *missed)
    assert not missed


def test_exactly_the_two_pointers_that_lead_nowhere_are_dangling() -> None:
    dangling = [
        (name, r.text) for name, all_ in _resolved().items() for r, o in all_ if o.status is Status.DANGLING
    ]
    planned = [(row["source"], row["text"]) for row in _rows() if row["status"] == "dangling"]
    assert sorted(name for name, _ in dangling) == sorted(name for name, _ in planned), dangling


def test_nothing_in_the_deal_room_is_ambiguous() -> None:
    assert [r.text for all_ in _resolved().values() for r, o in all_ if o.status is Status.AMBIGUOUS] == []
