"""When to say "not found": `python -m benchmarks.not_found --data DIR [--library DIR]`.

Questions with an answer are asked twice: over the whole shelf, and over the shelf without the documents that hold the
answer and the pointer at it. The second time the shelf is on the subject and has no answer: a refusal is right. Questions
that are known to have none, and some on other subjects, are asked as they are. Questions of which a shelf of one document
is all there is are asked once.

`--fit` looks for thresholds on the half "dev" of the questions: the most refusals of which 90 % are right. What is printed
are the thresholds of `answer.sufficiency`, on both halves, and where `--fit` is given those that it found.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import NamedTuple

from benchmarks.command_line import command_line, run, there
from benchmarks.quality import Shelf, settings, shelves
from deref.answer.sufficiency import ENOUGH_WORDS, NEAR, WORDS_WEIGHT, Signs, signs
from deref.engine import Engine, open_engine
from deref.evaluate.gold import HALVES, GoldRow, folded_text
from deref.evaluate.retrieval.corpora import file_named
from deref.evaluate.retrieval.validity import Texts
from deref.settings import RetrieveSettings

OFF = (
    "What is the capital of France?",
    "How do I bake sourdough bread?",
    "Who won the world cup in 1998?",
    "What is the boiling point of mercury?",
    "best hiking trails near Denver",
    "How many moons does Jupiter have?",
)
PRECISION = 0.90


class Asked(NamedTuple):
    """One question over one shelf: its half, whether the shelf has the answer, and what speaks for the shelf."""

    half: str
    answerable: bool
    signs: Signs


class Thresholds(NamedTuple):
    """As in `answer.sufficiency`: words alone, weight of the words beside the cosine, both together."""

    words: float
    weight: float
    near: float

    def refuse(self, found: Signs) -> bool:
        """Tell whether a shelf of which this speaks is refused."""
        near = found.near or 0.0
        return max(found.share - self.words, near + self.weight * found.share - self.near) < 0


NOW = Thresholds(ENOUGH_WORDS, WORDS_WEIGHT, NEAR)


def asked_over(shelf: Shelf, engine: Engine) -> Iterator[Asked]:
    texts = Texts(engine).by_name
    for row in shelf.gold:
        if row.status in ("external", "dangling"):
            continue
        yield Asked(row.half, row.answerable, _signs(engine, row.query, None))
        without = _without(row, texts)
        if row.answerable and without is not None:
            yield Asked(row.half, False, _signs(engine, row.query, without))


def _without(row: GoldRow, texts: Mapping[str, str]) -> str | None:
    expected = [folded_text(string) for string in row.expected]
    held = {name for name, text in texts.items() if any(string in text for string in expected)}
    if row.anchor_doc and (name := file_named(row.anchor_doc, texts)) is not None:
        held.add(name)
    if not held or len(held) == len(texts):
        return None
    return " AND ".join(f'NOT document:"{name}"' for name in sorted(held))


def _signs(engine: Engine, question: str, where: str | None) -> Signs:
    return signs(question, engine.search(question, where=where, k=engine.settings.loop.passages).items)


def told(rows: list[Asked], thresholds: Thresholds) -> tuple[int, int, int, int]:
    """Return how many refusals are right, refusals, questions without an answer, questions with one."""
    refused = [row for row in rows if thresholds.refuse(row.signs)]
    none = sum(not row.answerable for row in rows)
    return sum(not row.answerable for row in refused), len(refused), none, len(rows) - none


def fitted(rows: list[Asked]) -> Thresholds:
    """Return the thresholds with the most right refusals among those whose refusals are right in PRECISION of the cases."""
    grid = product([0.65, 0.75, 0.85], [0.0, 0.15, 0.3, 0.45], [0.55 + 0.01 * n for n in range(46)])
    scored = []
    for words, weight, near in grid:
        thresholds = Thresholds(words, weight, round(near, 2))
        right, refused, _, _ = told(rows, thresholds)
        if refused and right / refused >= PRECISION:
            scored.append((right, right - refused, thresholds))
    return max(scored)[2] if scored else NOW


def tell(name: str, rows: list[Asked], thresholds: Thresholds) -> None:
    print(f"{name}: words {thresholds.words:.2f}, weight {thresholds.weight:.2f}, near {thresholds.near:.2f}")
    for half in HALVES:
        right, refused, none, some = told([row for row in rows if row.half == half], thresholds)
        print(
            f"  {half:<5} refusals that are right {right}/{refused} = {right / max(refused, 1):.2f}   "
            f"refused of those without an answer {right}/{none} = {right / max(none, 1):.2f}   "
            f"refused of those with one {refused - right}/{some}"
        )


def main() -> None:
    parser = command_line(__doc__)
    parser.add_argument("--data", type=there, help="a folder with real documents and gold questions")
    parser.add_argument("--library", type=Path, help="keep the libraries here, for the next run")
    parser.add_argument("--fit", action="store_true", help="look for thresholds on the half dev")
    arguments = parser.parse_args()
    rows: list[Asked] = []
    off = refused = 0
    chosen = replace(settings("bundled"), retrieve=RetrieveSettings(hop=False))
    with tempfile.TemporaryDirectory() as thrown_away:
        for shelf in shelves(arguments.data):
            name = "".join(c if c.isalnum() else "-" for c in str(shelf.folder.resolve()))
            place = (arguments.library or Path(thrown_away)) / name
            with open_engine(place, settings=chosen) as engine:
                engine.index(shelf.folder)
                rows += asked_over(shelf, engine)
                off += len(OFF)
                refused += sum(NOW.refuse(_signs(engine, question, None)) for question in OFF)
    tell("now", rows, NOW)
    print(f"  on other subjects, refused {refused}/{off}")
    if arguments.fit:
        tell("fitted on dev", rows, fitted([row for row in rows if row.half == "dev"]))


if __name__ == "__main__":
    run(main)
