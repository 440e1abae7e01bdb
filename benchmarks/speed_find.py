"""How fast references are found: megabytes of text a CPU second, one core, beside a bare pattern over the same text.

python -m benchmarks.speed_find --data ../shared/data
"""

from __future__ import annotations

import argparse
import re
import time
from pathlib import Path

from deref.references import find
from deref.values import Document, Line

TARGET = 5.0
SETS = {"rfc": "rfc-dev/txt/*.txt", "far": "far/docs/*.txt", "gdpr": "gdpr/docs/*.txt"}
BARE = re.compile(
    r"\b(?:sections?|articles?|tables?|figures?|exhibit|schedule|annex|appendix)\s+[\dA-Z][\d.]*",
    re.IGNORECASE,
)


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


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--megabytes", type=float, default=4.0, help="read at most this much of a set")
    args = parser.parse_args(argv)
    slow = False
    for name, pattern in SETS.items():
        documents: list[Document] = []
        size = 0
        for path in sorted(args.data.glob(pattern)):
            if size < args.megabytes * 1e6:
                documents.append(document(path))
                size += path.stat().st_size
        if not documents:
            continue
        started = time.process_time()
        found = sum(len(find(d)) for d in documents)
        spent = time.process_time() - started
        texts = ["\n".join(line.text for line in d.lines) for d in documents]
        started = time.process_time()
        bare = sum(1 for text in texts for _ in BARE.finditer(text))
        plain = time.process_time() - started
        rate = size / 1e6 / spent
        slow |= rate < TARGET
        print(
            f"{name:6} {size / 1e6:5.1f} MB  {found:6} references  {rate:5.1f} MB/s  "
            f"(one pattern, case ignored: {bare} hits, {size / 1e6 / plain:.1f} MB/s)"
        )
    return 1 if slow else 0


if __name__ == "__main__":
    raise SystemExit(main())
