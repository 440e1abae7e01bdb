"""How fast references are found: megabytes of text a CPU second, one core, beside one plain scan for the label words over the same text.

python -m benchmarks.speed_find --data ../shared/data

On contracts finding has to have half the speed of that scan, elsewhere 5 MB a second. Beside it stands eyecite, which finds
citations of American law, where it is installed (`pip install eyecite`; it is no dependency of Deref).
"""

from __future__ import annotations

import importlib
import re
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks.command_line import command_line, run, some, there
from deref.references import find
from deref.text.languages import ENGLISH
from deref.values import Document, Line

TARGET = 5.0
SHARE_OF_SCAN = 0.5
CONTRACTS = "cuad"
SETS = {
    "rfc": "rfc-dev/txt/*.txt",
    "far": "far/docs/*.txt",
    "gdpr": "gdpr/docs/*.txt",
    CONTRACTS: "cuad-dev/docs/*.txt",
}
SCAN = re.compile(rf"\b(?:{'|'.join(ENGLISH.labels)})s?\b", re.IGNORECASE)
"""The plain scan: the twenty label words after which the rows of the grammar are called, in any case, with or without an s."""


def document(path: Path) -> Document:
    """One line a row, blocks parted by blank rows: what any text parser gives."""
    lines: list[Line] = []
    begins = True
    for text in path.read_text(encoding="utf-8", errors="replace").split("\n"):
        if not text.strip():
            begins = True
            continue
        n = len(lines)
        lines.append(
            Line(doc="d", n=n, page=1, row=n + 1, text=text, starts_block=begins or not text.startswith(" "))
        )
        begins = False
    return Document(
        id="d", name=path.name, title="", aliases=(), lines=tuple(lines), sections=(), items=(), links=(), fingerprint=""
    )  # fmt: skip


def seconds(work: Callable[[], int], rounds: int) -> tuple[float, int]:
    """The CPU seconds of the fastest of some rounds, and what the work counted."""
    best, count = float("inf"), 0
    for _ in range(rounds):
        started = time.process_time()
        count = work()
        best = min(best, time.process_time() - started)
    return best, count


def finding(documents: Sequence[Document]) -> Callable[[], int]:
    """The work of finding all references."""
    return lambda: sum(len(find(d)) for d in documents)


def hits(pattern: re.Pattern[str], texts: Sequence[str]) -> Callable[[], int]:
    """The work of one pattern over all texts."""
    return lambda: sum(1 for text in texts for _ in pattern.finditer(text))


def eyecite(texts: Sequence[str]) -> str:
    """The speed of eyecite over the texts, in words."""
    try:
        get_citations = importlib.import_module("eyecite").get_citations
    except ImportError:
        return "eyecite is not installed"
    size = sum(map(len, texts))
    spent, count = seconds(lambda: sum(len(get_citations(text)) for text in texts), 1)
    return f"eyecite {size / 1e6 / spent:.1f} MB/s, {count} citations"


def main(argv: list[str] | None = None) -> int:
    parser = command_line(__doc__)
    parser.add_argument("--data", type=there, required=True)
    parser.add_argument("--megabytes", type=float, default=4.0, help="read at most this much of a set")
    parser.add_argument("--rounds", type=some, default=3, help="the fastest of so many counts")
    args = parser.parse_args(argv)
    slow, nothing = False, True
    for name, pattern in SETS.items():
        documents: list[Document] = []
        size = 0
        for path in sorted(args.data.glob(pattern)):
            if size < args.megabytes * 1e6:
                documents.append(document(path))
                size += path.stat().st_size
        if not documents:
            continue
        nothing = False
        texts = ["\n".join(line.text for line in d.lines) for d in documents]
        spent, found = seconds(finding(documents), args.rounds)
        scan, words = seconds(hits(SCAN, texts), args.rounds)
        rate = size / 1e6 / spent
        slow |= rate < TARGET if name != CONTRACTS else scan / spent < SHARE_OF_SCAN
        print(
            f"{name:6} {size / 1e6:5.1f} MB  {found:6} references  {rate:5.1f} MB/s  "
            f"({scan / spent:.0%} of a scan for the label words: {words} words, {size / 1e6 / scan:.1f} MB/s)"
        )
        if name == CONTRACTS:
            print(f"       {eyecite(texts)}")
    if nothing:
        raise FileNotFoundError(f"{args.data}: no text of the sets {', '.join(SETS)} is there")
    return 1 if slow else 0


if __name__ == "__main__":
    run(main)
