"""Answers and references as a person reads them. Colours only on a terminal."""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby
from typing import Any

from deref.cli.streams import say, shortened, shows_colours
from deref.text.citation_marks import own_numbers_told
from deref.text.cited import place_told, rows_told
from deref.values import Answer, Citation, Completeness, Resolution

Row = Callable[[Resolution], dict[str, Any]]

_MOST_MOVES = _MOST_TARGETS = 3

_CODES = {"bold": "1", "dim": "2", "green": "32", "yellow": "33", "red": "31", "cyan": "36"}


def styled(text: str, style: str) -> str:
    """Return the text in a style when stdout shows colours, else as it is."""
    return f"\x1b[{_CODES[style]}m{text}\x1b[0m" if shows_colours() else text


def tell_answer(answer: Answer, row: Row) -> None:
    """Print an answer with its sources, its trail, and what is open."""
    say(answer.text + "\n")
    if answer.citations:
        say("\n" + styled("Sources", "bold") + "\n")
        for n, citation in enumerate(answer.citations, start=1):
            say(f"  [{n}] {_place(citation)}\n")
        if own := own_numbers_told(answer.text, [c.quote for c in answer.citations]):
            say(f"  {own}\n")
    trail = _trail(answer) + _unquoted([row(r) for r in answer.unquoted])
    if trail:
        say("\n" + styled("Followed", "bold") + "\n" + "".join(f"  {t}\n" for t in trail))
    _told("Amended", _amended(answer))
    _told(
        "Holds on condition",
        [f"{c.text} ({place_told(c.at.source, c.at.page, c.at.row)})" for c in answer.conditions],
    )
    _told(
        "As defined",
        [f"{d.term}: {d.text} ({place_told(d.at.source, d.at.page, d.at.row)})" for d in answer.definitions],
    )
    _told("Open", [_pointer(row(r)) for r in answer.pending])
    _told("Off the shelf", [_pointer(row(r)) for r in answer.external])
    _told("Note", list(answer.problems))
    colour = "green" if answer.completeness is Completeness.COMPLETE else "yellow"
    conflict = answer.completeness is Completeness.CONFLICT
    told = "a conflict: the passages contradict each other" if conflict else answer.completeness.value
    say("\n" + styled(f"The answer is {told.replace('_', ' ')}.", colour) + "\n")


def _told(title: str, rows: list[str]) -> None:
    if rows:
        say("\n" + styled(title, "bold") + "\n" + "".join(f"  {r}\n" for r in rows))


def _place(citation: Citation) -> str:
    """Return where a citation stands: source, page, rows, section."""
    told = f"{styled(citation.source, 'cyan')}, p. {citation.page}, {_rows(citation)}"
    if citation.section:
        told += styled(f" · {shortened(citation.section, 70)}", "dim")
    return told


def _rows(citation: Citation) -> str:
    return rows_told(citation.page, citation.row, citation.end_page, citation.end_row)


def _amended(answer: Answer) -> list[str]:
    """Return a line for each paper that amends what is quoted: the numbers of the quotes, and its own with its place."""
    numbers: dict[int, list[int]] = {}
    for one in answer.amendments:
        numbers.setdefault(one.amending, []).append(one.amended)
    return [
        f"{', '.join(f'[{n}]' for n in amended)} by [{by}] — {_place(answer.citations[by - 1])}"
        for by, amended in numbers.items()
    ]


def _trail(answer: Answer) -> list[str]:
    """Return a line for each followed pointer: where it is written, and every place that was read for it."""
    places: dict[tuple[str, str, int, int], list[Citation]] = {}
    for citation in answer.citations:
        origin = citation.referenced_from
        if origin is not None and citation.reference is not None:
            key = (citation.reference, origin.source, origin.page, origin.row)
            places.setdefault(key, []).append(citation)
    lines = []
    for (words, source, page, row), cited in places.items():
        targets = [
            f"{there}, " + "; ".join(f"p. {c.page}, {_rows(c)}" for c in of_it)
            for there, of_it in groupby(cited, key=lambda c: c.source)
        ]
        lines.append(f"{source}, p. {page}, l. {row} — “{words}” → {'; '.join(targets)}")
    return lines


def _unquoted(rows: list[dict[str, Any]]) -> list[str]:
    """Return one line on the pointers that were followed and of whose places nothing is quoted; none when there are none.

    Of one that names several places those are named.
    """
    told = []
    for row in rows:
        places = dict.fromkeys(f"{t['source']}, p. {t['page']}" for t in row["targets"][:_MOST_TARGETS])
        named = [t["label"] for t in row["targets"] if t["label"]] if len(row["labels"]) > 1 else []
        which = f": {', '.join(named)}" if named else ""
        told.append(f"“{row['text']}”{which} ({'; '.join(places)})")
    return [f"read and not quoted: {'; '.join(told)}"] if told else []


def _pointer(row: dict[str, Any]) -> str:
    return f"“{row['text']}” ({place_told(row['source'], row['page'], row['row'])}): {row['why']}"


_COLOURS = {
    "resolved": "green",
    "external": "cyan",
    "ambiguous": "yellow",
    "dangling": "red",
    "unresolved": "yellow",
}


def tell_reference(row: dict[str, Any]) -> str:
    """Return a reference on one line: where, what, status, where to; and why, where nothing fits what it picks there."""
    picked = any(t["focus_at"] for t in row["targets"])
    missed = f": {row['why']}" if row["status"] == "resolved" and row["selector"] and not picked else ""
    return f"p. {row['page']}, l. {row['row']}: “{row['text']}” {_outcome(row)}{missed}"


def _outcome(row: dict[str, Any], *, titles: bool = False) -> str:
    """Return what became of a reference: its status, and where to, or why not; `titles` also beside a label."""
    told = styled(row["status"], _COLOURS[row["status"]])
    if row["status"] != "resolved":
        return f"{told}: {row['why']}"
    targets = "; ".join(_target(t, titles) for t in row["targets"][:_MOST_TARGETS])
    more = len(row["targets"]) - _MOST_TARGETS
    return f"{told} → {targets}{f'; and {more} more' * (more > 0)}"


def _target(target: dict[str, Any], titles: bool) -> str:
    """Return where a target is and what it is; where it was narrowed, the rows that are meant, and what they are in."""
    places = target["focus_at"] or [[target["page"], target["row"]]]
    told = " and ".join(f"p. {page}, l. {row}" for page, row in places[:_MOST_TARGETS])
    whole = f"{target['kind']} {target['label'] or shortened(target['title'], 40)}"
    if titles and target["label"] and target["title"]:
        whole += f" “{target['title']}”"
    inside = "in " if target["focus_at"] else ""
    standing = f", {target['standing']}" if "standing" in target else ""
    return f"{target['source']} {told} ({inside}{whole}{standing})"


def tell_change(row: dict[str, Any]) -> str:
    """Return a reference whose outcome changed, on some lines: where, what it was, what it is, and through what."""
    marked = "" if row["change"] == "changed" else f" is {row['change']}"
    told = [f"p. {row['page']}, l. {row['row']}: “{row['text']}”{marked}"]
    told += [
        f"    {when} {_outcome(row[when], titles=True)}" for when in ("was", "now") if row[when] is not None
    ]
    moves = [
        f"{m['before']} was renamed to {m['source']}"
        if m["what"] == "renamed"
        else f"{m['source']} {m['what']}"
        for m in row["because"]
    ]
    more = f", and {len(moves) - _MOST_MOVES} more" if len(moves) > _MOST_MOVES else ""
    told.append(styled(f"    because {', '.join(moves[:_MOST_MOVES])}{more}", "dim"))
    return "\n".join(told)
