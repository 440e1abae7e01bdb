"""CPU cost of reading PDFs against the bare text extraction of the same library on the same file.

python -m benchmarks.speed_pdf --data ../shared/data

For each file, CPU seconds: `bare` extraction (open, every page, its text, close); `parse`, bytes to lines, marks and
links; `document`, parse and structure, bytes to a full Document. The three are taken in turn, and the least of each
counts, so that what else the machine does falls out. Garbage is collected as seldom as `deref` does it. The target holds
for every file, not only on the whole.
"""

from __future__ import annotations

import gc
import time
from pathlib import Path
from typing import NamedTuple

import pypdfium2 as pdfium

from benchmarks.command_line import command_line, run, some, there
from deref.parse.pdf import parse_pdf
from deref.structure.build import build_document

SETS = ("attention", "pdf-papers-dev", "pdf-nist-dev", "pdf-manuals-dev", "cuad-dev", "localgpt-eval")
TARGET = 3.0
_LEAST_SECONDS = 0.3


class Cost(NamedTuple):
    """CPU seconds of one file, and its pages."""

    name: str
    pages: int
    bare: float
    parse: float
    document: float

    @property
    def times(self) -> float:
        """How many times the bare extraction a full Document costs."""
        return self.document / self.bare


def bare(data: bytes) -> int:
    """Take the text of every page as the library gives it; return the number of pages."""
    document = pdfium.PdfDocument(data)
    count = len(document)
    for n in range(count):
        page = document[n]
        text = page.get_textpage()
        text.get_text_range()
        text.close()
        page.close()
    document.close()
    return count


def cost(path: Path, repeat: int) -> Cost:
    """Measure one file: the three in turn, `repeat` times, a short file until there is enough to measure."""
    data = path.read_bytes()
    least = [float("inf")] * 3
    spent, n = 0.0, 0
    while n < repeat or (spent < _LEAST_SECONDS and n < 10 * repeat):
        begun = time.process_time()
        pages = bare(data)
        opened = time.process_time()
        parsed = parse_pdf(data, doc="d", name=path.name)
        read = time.process_time()
        document = build_document(parsed, doc="d", name=path.name, fingerprint="")
        built = time.process_time()
        least = [
            min(a, b) for a, b in zip(least, (opened - begun, read - opened, built - opened), strict=True)
        ]
        spent, n = spent + built - begun, n + 1
        del parsed, document
    return Cost(path.name, pages, *least)


def measure(data: Path, each: int, repeat: int) -> list[Cost]:
    """Measure the first `each` files by name of each set."""
    found = [path for name in SETS for path in sorted((data / name).rglob("*.pdf"))[:each]]
    return [cost(path, repeat) for path in found]


def _told(c: Cost) -> str:
    over = "" if c.times <= TARGET else "  OVER"
    return f"{c.name[:42]:42} {c.pages:5} {c.bare:8.4f} {c.parse:8.4f} {c.parse / c.bare:6.2f} {c.document:8.4f} {c.times:6.2f}{over}"


def main(argv: list[str] | None = None) -> int:
    """Print pages, costs and ratios for each file and for all; return 1 when a file is over the target."""
    arguments = command_line(__doc__)
    arguments.add_argument("--data", type=there, required=True, help="the folder that holds the data sets")
    arguments.add_argument("--each", type=some, default=6, help="files of each set (the first by name)")
    arguments.add_argument("--repeat", type=some, default=4, help="take the least of this many")
    options = arguments.parse_args(argv)
    gc.set_threshold(200_000, 20, 20)
    costs = measure(options.data, options.each, options.repeat)
    if not costs:
        print(f"{options.data}: no PDF of the sets {', '.join(SETS)} is there")
        return 1
    print(f"{'file':42} {'pages':>5} {'bare s':>8} {'parse s':>8} {'times':>6} {'all s':>8} {'times':>6}")
    for c in costs:
        print(_told(c))
    whole = Cost(
        "all", sum(c.pages for c in costs), sum(c.bare for c in costs), sum(c.parse for c in costs), sum(c.document for c in costs)
    )  # fmt: skip
    print(_told(whole))
    over = [c.name for c in costs if c.times > TARGET]
    worst = max(costs, key=lambda c: c.times)
    print(
        f"pages a CPU second: bare {whole.pages / whole.bare:.0f}, document {whole.pages / whole.document:.0f}; "
        f"worst file {worst.name} {worst.times:.2f} x; over {TARGET:.0f} x: {len(over)} of {len(costs)}"
    )
    return 1 if over else 0


if __name__ == "__main__":
    run(main)
