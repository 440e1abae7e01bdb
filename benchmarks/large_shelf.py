"""A large shelf of papers that nobody wrote, with pointers among them, and questions about it; the seed is fixed.

A folder is one deal: an agreement, an exhibit to it with a table, and other papers between the same two parties. Words are
drawn by Zipf's law from the small words of English and 20,000 made-up ones, some of them the deal's own; a paper has
numbered sections under headings, and one sentence in seven points somewhere: at a section of the paper, at the exhibit or a
row of its table, at a section of another paper by its name. One pointer in twenty has nothing at its end.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, product
from pathlib import Path
from textwrap import fill
from typing import NamedTuple

from deref.errors import UsageError

SMALL = [
    *("the", "of", "and", "to", "in", "a", "is", "that", "for", "it", "as", "be", "by", "on", "not", "this", "are", "with"),
    *("or", "from", "at", "which", "may", "shall", "any", "its", "such", "if", "other", "each", "than", "upon", "no", "all"),
    *("under", "been", "has", "have", "was", "will", "their", "an", "before", "after", "where", "who", "when", "between"),
    *("into", "must", "only", "within"),
]  # fmt: skip
MADE_UP = 20_000
OWN = 40
"""Words that are a deal's own, and one word in five is of them."""

INSTRUMENTS = (
    "Loan Agreement", "Services Agreement", "Supply Agreement", "Lease Agreement", "Security Agreement", "License Agreement",
    "Management Agreement", "Escrow Agreement", "Disclosure Letter", "Due Diligence Report", "Distribution Agreement",
    "Guaranty Agreement",
)  # fmt: skip
_KINDS = ("plain", "pointer", "named")


class Question(NamedTuple):
    """A question and its kind: about a passage, about a sentence that points, or naming the paper."""

    text: str
    kind: str


@dataclass(frozen=True, slots=True)
class _Paper:
    """A paper to be written: its file and name, and how many parts each section has."""

    file: str
    name: str
    parts: tuple[int, ...]
    exhibit: bool = False


class LargeShelf:
    """Writes the papers, and asks about them."""

    def __init__(self, seed: int = 7) -> None:
        self._draw = random.Random(seed)
        syllables = [a + b for a, b in product("bdfgklmnprstvz", "aeiou")]
        ends = ["", "n", "r", "l", "nt", "st", "x"]
        made = {
            "".join(self._draw.choices(syllables, k=self._draw.choice((2, 2, 3, 3, 4))))
            + self._draw.choice(ends)
            for _ in range(2 * MADE_UP)
        }
        self._words = [*SMALL, *self._draw.sample(sorted(made), MADE_UP)]
        self._weights = list(accumulate(1 / rank for rank in range(1, len(self._words) + 1)))
        self._said: list[tuple[str, str, str]] = []

    def write(self, folder: Path, deals: int) -> None:
        """Write the papers of so many deals, five each; a file that is there is left as it is, for it is the same."""
        for number in range(deals):
            parties = [self._word().capitalize() for _ in range(2)]
            own = self._draw.sample(self._words[len(SMALL) + 200 :], OWN)
            papers = list(self._papers(" ".join(parties)))
            place = folder / f"{number:04d} {' '.join(parties)}"
            place.mkdir(parents=True, exist_ok=True)
            for paper in papers:
                text = "\n".join(self._lines(paper, papers, own))
                if not (place / paper.file).exists():
                    (place / paper.file).write_text(text, "utf-8")

    def questions(self, count: int) -> list[Question]:
        """Return so many questions about what was written, of each kind in turn. Raises UsageError when that is too little."""
        asked = []
        by_kind = {kind: [s for s in self._said if s[2] == kind] for kind in ("plain", "pointer")}
        if not all(by_kind.values()):
            raise UsageError("so few deals hold no sentence to ask about; write more with --deals")
        for n in range(count):
            kind = _KINDS[n % 3]
            sentence, name, _ = self._draw.choice(by_kind["plain" if kind == "named" else kind])
            told = [w for w in sentence.split() if w not in SMALL and w.isalpha()]
            some = self._draw.sample(told, min(len(told), self._draw.randint(4, 7)))
            about = f"{' '.join(some[:2])} and the {' '.join(some[2:])}"
            asked.append(
                Question(
                    f"What does the {name} say about {about}?"
                    if kind == "named"
                    else f"Which {about} must be met?",
                    kind,
                )
            )
        return asked

    def _word(self) -> str:
        return self._draw.choice(self._words[len(SMALL) :])

    def _papers(self, parties: str) -> Iterator[_Paper]:
        kinds = self._draw.sample(INSTRUMENTS, 4)
        subject = self._word().capitalize()
        for n, kind in enumerate(kinds):
            sections = max(3, round(self._draw.lognormvariate(1.9, 0.6)))
            parts = tuple(self._draw.randint(1, 5) for _ in range(sections))
            yield _Paper(f"{n + 1:02d} {kind}.md", f"{parties} {kind}", parts)
        parts = tuple(self._draw.randint(1, 3) for _ in range(3))
        yield _Paper(f"05 Exhibit A - {subject} Schedule.md", f"Exhibit A - {subject} Schedule", parts, True)

    def _lines(self, paper: _Paper, papers: Sequence[_Paper], own: Sequence[str]) -> Iterator[str]:
        yield f"# {paper.name}\n"
        for n, parts in enumerate(paper.parts, start=1):
            heading = " ".join(self._word() for _ in range(self._draw.randint(1, 3))).capitalize()
            yield f"## {n}. {heading}\n"
            for part in range(1, parts + 1):
                sentences = [self._sentence(paper, papers, own) for _ in range(self._draw.randint(4, 11))]
                yield f"### {n}.{part} {self._word().capitalize()} {self._word()}\n"
                yield fill(" ".join(sentences), 90) + "\n"
        if paper.exhibit:
            yield f"**Table A-1. {self._word().capitalize()} {self._word()}**\n"
            yield "| Row | Charge | Amount |\n|---|---|---|"
            for row in "ABCDEFGH":
                yield f"| ({row}) | {self._word()} {self._draw.choice(own)} | {self._draw.randint(1, 90_000):,} |"

    def _sentence(self, paper: _Paper, papers: Sequence[_Paper], own: Sequence[str]) -> str:
        drawn = self._draw.choices(self._words, cum_weights=self._weights, k=self._draw.randint(8, 24))
        words = [self._draw.choice(own) if self._draw.random() < 0.2 else word for word in drawn]
        pointer = self._pointer(paper, papers) if self._draw.random() < 0.15 else ""
        text = " ".join(words)
        if self._draw.random() < 0.01:
            self._said.append((text, paper.name, "pointer" if pointer else "plain"))
        return f"{text.capitalize()}{pointer}."

    def _pointer(self, paper: _Paper, papers: Sequence[_Paper]) -> str:
        exhibit = papers[-1]
        way = self._draw.random()
        if way < 0.55:
            return f", as {self._draw.choice(('Section', 'Clause'))} {self._label(paper)} sets out"
        if way < 0.7:
            return f" (see Section {self._label(paper)})"
        if way < 0.8:
            return ", as Exhibit A has it"
        if way < 0.9:
            return f" under row ({self._draw.choice('ABCDEFGH')}) of Table A-1 in Exhibit A"
        other = self._draw.choice([p for p in papers if p is not paper and p is not exhibit])
        return f" under Section {self._label(other)} of the {other.name}"

    def _label(self, paper: _Paper) -> str:
        if self._draw.random() < 0.05:
            return f"{len(paper.parts) + 3}.9"
        section = self._draw.randrange(len(paper.parts))
        if self._draw.random() < 0.2:
            return str(section + 1)
        return f"{section + 1}.{self._draw.randint(1, paper.parts[section])}"
