"""Numbers set above the baseline, as calls of footnotes are: where they stand in the rows of a page.

Such a number is a part of a run that lies higher (`pdf_runs` tells), or a smaller run of its own in its row.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from deref.parse.pdf_rows import Row

_SMALLER, _HIGHER = (
    0.88,
    0.15,
)  # in font sizes of the row; figures have no tails, so their foot tells how high they stand
_LONGEST = 3  # figures


def raised_numbers(
    rows: Sequence[Row], text: str, raised: Sequence[tuple[int, int]]
) -> Iterator[tuple[int, int, int]]:
    """Yield (row, first character, end) of each number of at most three figures that is set above the baseline.

    `raised` are the spans of the page's text that are so inside a run.
    """
    for n, row in enumerate(rows):
        if not raised and len(row.runs) == 1:
            continue
        for at, run in row.pieces:
            spans = [(a, b) for a, b in raised if run.start <= a and b <= run.end]
            if run.size < _SMALLER * row.size and row.base - run.bottom > _HIGHER * row.size:
                spans.append((run.start, run.end))
            for a, b in spans:
                start, words = at + a - run.start, text[a:b]
                start += len(words) - len(words.lstrip())
                words = words.strip()
                if (
                    start > 0
                    and words.isdecimal()
                    and len(words) <= _LONGEST
                    and row.text.startswith(words, start)
                ):
                    yield n, start, start + len(words)
