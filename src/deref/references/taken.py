"""Places of one document that are taken, and whether another place shares a character with one of them.

A line may be as long as a book and hold thousands of links, so the places of a line are kept by stretches of it: only
those in the same stretches are compared.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from deref.values import Point

_STRETCH = 64
"""Characters."""


class Taken:
    """Places in the order in which they were taken. Places over several lines are few, and kept by line."""

    def __init__(self, places: Iterable[Point] = ()) -> None:
        """Take these places."""
        self._short: dict[tuple[int, int], list[Point]] = defaultdict(list)
        self._long: dict[int, list[Point]] = defaultdict(list)
        self._lines: dict[int, list[Point]] = defaultdict(list)
        for at in places:
            self.take(at)

    def take(self, at: Point) -> None:
        """Take a place."""
        for n in range(at.line, at.last_line + 1):
            self._lines[n].append(at)
            if at.last_line > at.line:
                self._long[n].append(at)
        if at.last_line == at.line:
            for stretch in _stretches(at):
                self._short[at.line, stretch].append(at)

    def meets(self, at: Point) -> bool:
        """Tell whether a place shares a character with one that is taken."""
        return any(at.overlaps(other) for other in self._near(at))

    def _near(self, at: Point) -> Iterator[Point]:
        if at.last_line > at.line:
            for n in range(at.line, at.last_line + 1):
                yield from self._lines.get(n, ())
            return
        yield from self._long.get(at.line, ())
        for stretch in _stretches(at):
            yield from self._short.get((at.line, stretch), ())


def _stretches(at: Point) -> range:
    return range(at.char_start // _STRETCH, max(at.char_end - 1, at.char_start) // _STRETCH + 1)
