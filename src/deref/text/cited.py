"""A place in a document as people cite it: source, page as counted in the file, rows on the page."""

from __future__ import annotations


def rows_told(page: int, row: int, end_page: int, end_row: int) -> str:
    """Return rows, all 1-based, as "l. 11", "l. 11–14" or "l. 40 to p. 5, l. 2"; `page` is the one that was named before."""
    if end_page != page:
        return f"l. {row} to p. {end_page}, l. {end_row}"
    return f"l. {row}–{end_row}" if end_row != row else f"l. {row}"


def place_told(
    source: str, page: int, row: int, end_page: int | None = None, end_row: int | None = None
) -> str:
    """Return a place as "lease.pdf, p. 4, l. 11–14"; without an end it is one row."""
    last_page = page if end_page is None else end_page
    last_row = row if end_row is None else end_row
    return f"{source}, p. {page}, {rows_told(page, row, last_page, last_row)}"
