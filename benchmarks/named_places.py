"""Questions that name a section or item of a document: `python -m benchmarks.named_places --data DIR [--each 40]`.

The questions are made of native links that authors set: for a link "Section 4.1" inside of a document, "What does Section 4.1 of
<the document> say?", each place once, drawn by a fixed seed. The document is called by its title, by its file name where two have the
same. *Right*: the first quote holds the line that the author's link goes to, or the passage that stands first in a search does. For each set,
with the places of questions looked up and with `retrieve.places` off, on the words alone: no vectors are used.
Exit code 1 when fewer than .9 of all answers are right.
"""

from __future__ import annotations

import random
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.command_line import command_line, run, there
from deref.engine import Engine, open_engine
from deref.evaluate.references.labelled import NUMBERED, LabelledSet, Truth, Where
from deref.evaluate.references.locate import Located
from deref.evaluate.references.shapes import read_sets
from deref.settings import settings_of
from deref.values import Document, Span

SETS = {
    "gdpr": "docs", "rfc-dev": "docs", "pdf-nist-dev": "docs", "pdf-papers-dev": "docs", "pdf-manuals-dev": "docs", "html-installguide": "docs",
    "cuad-dev": "docs", "dealroom-seriesseed": "docs", "far": "docs",
}  # fmt: skip
"""The folder of the documents of each set."""
LEAST_RIGHT = 0.9
SEED = 7


class Question(NamedTuple):
    """A question, and the line that the author's link goes to."""

    text: str
    doc: str
    line: int


class Tally(NamedTuple):
    """What came of the questions of one set: how many, right first quotes, right first passages, processor seconds of answers."""

    asked: int
    quoted: int
    found: int
    seconds: float


def questions(labelled: LabelledSet, documents: dict[str, Document], most: int) -> list[Question]:
    """Return up to `most` questions of a set, drawn by a fixed seed."""
    titles = Counter(document.title for document in documents.values())
    places: dict[tuple[str, str, str], Question] = {}
    located = {name: Located(document, labelled.texts.get(name)) for name, document in documents.items()}
    for mention in labelled.mentions:
        document = documents.get(mention.doc)
        wanted = mention.truth is Truth.PLACE and mention.where is Where.HERE and mention.kind in NUMBERED
        if document is None or not wanted or mention.label is None or not mention.goals:
            continue
        line = located[mention.doc].goal(mention.goals[0])
        if line is None:
            continue
        called = document.title if titles[document.title] == 1 and document.title else document.name
        label = mention.label.upper() if mention.label[0].isalpha() else mention.label
        text = f"What does {mention.kind.capitalize()} {label} of {called} say?"
        places.setdefault((mention.doc, mention.kind, mention.label), Question(text, document.id, line))
    every = [places[key] for key in sorted(places)]
    return random.Random(SEED).sample(every, min(most, len(every)))


def tally(engine: Engine, asked: Sequence[Question]) -> Tally:
    """Ask the questions of one set; those that are wrong are printed."""
    quoted = found = 0
    begun = time.process_time()
    for question in asked:
        answer = engine.ask(question.text)
        # A point of a list stands behind what leads the list in.
        right = _holds([citation.lines for citation in answer.citations[:2]], question)
        quoted += right
        if not right and engine.settings.retrieve.places:
            print(f"  {question.text}\n      {answer.text[:160]!r}")
    seconds = time.process_time() - begun
    for question in asked:
        found += any(_holds([c.chunk.lines], question) for c in list(engine.search(question.text))[:1])
    return Tally(len(asked), quoted, found, seconds)


def _holds(spans: Sequence[Span], question: Question) -> bool:
    return any(span.doc == question.doc and span.start - 2 <= question.line < span.end + 2 for span in spans)


def sets(data: Path, names: Sequence[str]) -> Iterator[tuple[str, Path, LabelledSet]]:
    """Yield the sets that are there: name, folder of the documents, and what is labelled."""
    for name in names:
        folder = data / name
        if folder.is_dir():
            for labelled in read_sets(folder)[:1]:
                yield name, folder / SETS[name], labelled


def main() -> int:
    """Run the benchmark; return its exit code."""
    parser = command_line(__doc__)
    parser.add_argument("--data", type=there, required=True, help="a folder with the real documents")
    parser.add_argument("--each", type=int, default=40, help="questions of a set, at the most")
    parser.add_argument("--sets", nargs="*", default=list(SETS), choices=list(SETS), help="only these sets")
    arguments = parser.parse_args()
    base = {"models": {"embedder": "none"}}
    on, off = settings_of(base), settings_of({**base, "retrieve": {"places": False}})
    total = Counter[str]()
    for name, folder, labelled in sets(arguments.data, arguments.sets):
        with tempfile.TemporaryDirectory() as place, open_engine(Path(place), settings=on) as engine:
            engine.index(folder)
            cards = engine.shelf().cards()
            documents = {card.name.rpartition("/")[2]: engine.read(card.id) for card in cards}
            asked = questions(labelled, documents, arguments.each)
            told = {"on": tally(engine, asked), "off": tally(engine.under(off), asked)}
        print(f"{name}: {len(asked)} questions", flush=True)
        for how, row in told.items():
            share = row.asked or 1
            print(
                f"   {how:<4} first quote right {row.quoted}/{row.asked}   first passage right {row.found}/{row.asked}"
                f"   {1000 * row.seconds / share:.0f} ms of processor time an answer",
                flush=True,
            )
            total += Counter(
                {f"{how} quoted": row.quoted, f"{how} found": row.found, f"{how} asked": row.asked}
            )
    for how in ("on", "off"):
        print(
            f"all, {how}: first quote {total[f'{how} quoted']}/{total[f'{how} asked']}, first passage {total[f'{how} found']}/{total[f'{how} asked']}"
        )
    return int(total["on quoted"] < LEAST_RIGHT * total["on asked"])


if __name__ == "__main__":
    run(main)
