"""CPU cost of parsing PDFs against the bare text extraction of the same library on the same file.

python -m benchmarks.speed_pdf --data ../shared/data
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import pypdfium2 as pdfium

from deref.parse.pdf import parse_pdf

SETS = ("attention", "pdf-papers-dev", "pdf-nist-dev", "pdf-manuals-dev", "cuad-dev", "localgpt-eval")


def bare(data: bytes) -> tuple[float, int]:
    """Return the CPU seconds of the bare extraction, and the number of pages."""
    start = time.process_time()
    document = pdfium.PdfDocument(data)
    count = len(document)
    for n in range(count):
        page = document[n]
        text = page.get_textpage()
        text.get_text_range()
        text.close()
        page.close()
    document.close()
    return time.process_time() - start, count


def parsed(data: bytes, name: str) -> tuple[float, int]:
    """Return the CPU seconds of parsing, and the number of lines."""
    start = time.process_time()
    lines = len(parse_pdf(data, doc="d", name=name).lines)
    return time.process_time() - start, lines


def main() -> None:
    """Print pages, both costs and their ratio for each file and for all."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--data", type=Path, required=True, help="the folder that holds the data sets")
    arguments.add_argument("--each", type=int, default=6, help="files of each set (the first by name)")
    arguments.add_argument("--repeat", type=int, default=2, help="take the best of this many")
    options = arguments.parse_args()
    total_bare = total_parsed = 0.0
    total_pages = 0
    print(f"{'file':42} {'pages':>5} {'bare s':>7} {'parse s':>7} {'ratio':>6}")
    for name in SETS:
        for path in sorted((options.data / name).rglob("*.pdf"))[: options.each]:
            data = path.read_bytes()
            one, pages = min(bare(data) for _ in range(options.repeat))
            two, _ = min(parsed(data, path.name) for _ in range(options.repeat))
            total_bare, total_parsed, total_pages = total_bare + one, total_parsed + two, total_pages + pages
            print(f"{path.name[:42]:42} {pages:5} {one:7.3f} {two:7.3f} {two / one:6.2f}")
    ratio = total_parsed / total_bare
    print(f"{'all':42} {total_pages:5} {total_bare:7.2f} {total_parsed:7.2f} {ratio:6.2f}")
    print(f"bare {total_pages / total_bare:.0f} pages per CPU second, parse {total_pages / total_parsed:.0f}")


if __name__ == "__main__":
    main()
