"""What grounding lets through, and what it stops: `python -m benchmarks.grounding [DIR --gold FILE]`.

Without a model, so with texts whose right treatment is known:

    quotes     every quote of the extractive writer, looked for in its passage: how it is found. Then the same quote as models
               copy it (line ends, case, quotation marks, markup, a letter turned) and as it is no longer the same (a figure, a
               negation, a word changed): the share that is found
    claims     the answers that people wrote to the gold questions, held to the passages that hold their gold strings and
               their pointer: the share that is let through. The same answer with one figure changed, and the answer to
               another question of the shelf, have to be stopped. Each sentence of those passages as it is, and with a "not"
               dropped or put in

The dense leg is off: what is measured does not depend on which passages are found.
"""

from __future__ import annotations

import json
import random
import re
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from benchmarks.command_line import command_line, run, there
from deref.answer.figures import Figures
from deref.answer.ground import ground
from deref.answer.support import unsupported
from deref.engine import Engine, open_engine
from deref.evaluate.gold import GoldRow, read_gold
from deref.settings import ModelSettings, Settings
from deref.text.clean import join_lines
from deref.text.tokens import sentences
from deref.values import EVERYTHING, Span

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
SETTINGS = Settings(models=ModelSettings(embedder="none", background=False))


def _as_it_is(quote: str, _: random.Random) -> str:
    return quote


def _turned(quote: str, random_: random.Random) -> str:
    """Two letters inside a long word change places."""
    words = [m for m in re.finditer(r"\b[a-z]{7,}\b", quote) if m.group()[3] != m.group()[4]]
    if not words:
        return quote
    at = random_.choice(words).start() + 3
    return quote[:at] + quote[at + 1] + quote[at] + quote[at + 2 :]


def _digit(quote: str, random_: random.Random) -> str:
    digits = [n for n, c in enumerate(quote) if c.isascii() and c.isdigit()]
    if not digits:
        return quote
    at = random_.choice(digits)
    return quote[:at] + str((int(quote[at]) + random_.randint(1, 9)) % 10) + quote[at + 1 :]


def _word(quote: str, random_: random.Random) -> str:
    words = list(re.finditer(r"\b[a-z]{6,}\b", quote))
    if not words:
        return quote
    found = random_.choice(words)
    return quote[: found.start()] + "porcupine" + quote[found.end() :]


Change = Callable[[str, random.Random], str]
SAME: Mapping[str, Change] = {
    "line ends": lambda q, r: " ".join(q.split()),
    "lower case": lambda q, r: q.lower(),
    "straight quotes": lambda q, r: q.translate(str.maketrans("“”’–", '""\'-')),
    "no markup": lambda q, r: re.sub(r"[*|`]+", "", q),
    "letters turned": _turned,
}
OTHER: Mapping[str, Change] = {
    "figure": _digit,
    "negation": lambda q, r: re.sub(r"\b(shall|may|must|is|are|will) (?!not)", r"\1 not ", q, count=1),
    "long word": _word,
}


def quotes(engine: Engine, rows: Sequence[GoldRow], seed: random.Random) -> Iterator[tuple[str, str]]:
    """Yield (what was tried, how it was found) for each quote of each answer."""
    for row in rows:
        for cited in engine.ask(row.query).citations:
            document = engine.read(cited.lines.doc)
            around = Span(
                doc=cited.lines.doc, start=max(0, cited.lines.start - 20),
                end=min(len(document.lines), cited.lines.end + 20),
            )  # fmt: skip
            for name, change in (("as it is", _as_it_is), *SAME.items(), *OTHER.items()):
                changed = change(cited.quote, seed)
                if name == "as it is" or changed != cited.quote:
                    found = ground(changed, document, [around])
                    yield name, found[0].level.value if found else "not found"


def claims(engine: Engine, rows: Sequence[GoldRow], seed: random.Random) -> Iterator[tuple[str, bool]]:
    """Yield (what was claimed, whether it was let through) for each gold answer with its evidence."""
    told = [(r, _answer(r)) for r in rows if r.answerable and _answer(r)]
    for n, (row, answer) in enumerate(told):
        texts = _evidence(engine, row)
        if not texts:
            continue
        yield "the answer", not unsupported(answer, row.query, texts)
        changed = _digit(answer, seed)
        if changed != answer and Figures(texts).lacks(changed):
            yield "one figure changed", not unsupported(changed, row.query, texts)
        for said in _sentences(texts):
            yield "a sentence of the passage", not unsupported(said, row.query, texts)
            for name, changed in (
                (
                    "its “not” dropped",
                    re.sub(r"\b(shall|may|must|is|are|will|does|do) not ", r"\1 ", said, count=1),
                ),
                ("a “not” put in", OTHER["negation"](said, seed)),
            ):
                if changed != said and " not " not in (said if name.startswith("a ") else ""):
                    yield name, not unsupported(changed, row.query, texts)
        other, its_answer = told[(n + 1) % len(told)]
        if other is not row and not any(e in " ".join(texts) for e in other.expected):
            yield "another answer", not unsupported(its_answer, row.query, texts)


def _sentences(texts: Sequence[str]) -> Iterator[str]:
    """Yield the sentences of some passages that end as one."""
    for text in (" ".join(text.split()) for text in texts):
        yield from (text[a:b] for a, b in sentences(text) if text[a:b].endswith("."))


def _answer(row: GoldRow) -> str:
    line = row.file.read_text("utf-8").splitlines()[row.line - 1]
    return str(json.loads(line).get("answer", ""))


def _evidence(engine: Engine, row: GoldRow) -> list[str]:
    """Return the passages that hold the gold strings or the pointer, with the names of their sections."""
    wanted = [" ".join(w.split()) for w in (*row.expected, str(row.anchor_text or "")) if w.strip()]
    texts = []
    for card in engine.shelf(EVERYTHING).cards():
        document = engine.read(card.id)
        for chunk in engine.store.chunks(card.id, EVERYTHING):
            text = join_lines(document.lines[chunk.lines.start : chunk.lines.end]).text
            if any(w in " ".join(text.split()) for w in wanted):
                texts.append(f"{document.name} {document.title} {chunk.path} {chunk.text}")
    return texts


def main() -> None:
    parser = command_line(__doc__)
    parser.add_argument("folder", type=there, nargs="?", default=EXAMPLES / "deal-room")
    parser.add_argument("--gold", type=there, default=EXAMPLES / "deal-room.gold.jsonl")
    parser.add_argument("--corpus", help="only the rows of this corpus")
    given = parser.parse_args()
    rows = [r for r in read_gold(given.gold) if given.corpus in (None, r.corpus)]
    seed = random.Random(7)
    with tempfile.TemporaryDirectory() as place, open_engine(Path(place), settings=SETTINGS) as engine:
        engine.index(given.folder)
        found: dict[str, Counter[str]] = {}
        for name, how in quotes(engine, rows, seed):
            found.setdefault(name, Counter())[how] += 1
        let: dict[str, Counter[bool]] = {}
        for name, passed in claims(engine, rows, seed):
            let.setdefault(name, Counter())[passed] += 1
    print(f"{given.folder.name}, {len(rows)} questions")
    for name, hows in found.items():
        share = 1 - hows["not found"] / hows.total()
        print(f"  quote, {name:<16} {hows.total():>4}  found {share:.2f}  {dict(sorted(hows.items()))}")
    for name, through in let.items():
        print(f"  claim, {name:<19} {through.total():>3}  let through {through[True] / through.total():.2f}")


if __name__ == "__main__":
    run(main)
