"""Headings → sections: a stack of open sections, closed from the deepest by the next heading of their rank or above.

A section starts on its heading's line and ends on the line where the next peer or ancestor starts. `level` is the depth in the
tree: a section's level is its parent's plus one.
"""

from __future__ import annotations

from collections.abc import Sequence

from deref.quick_dataclass import dataclass
from deref.structure.headings import Heading
from deref.structure.ranks import Rank
from deref.values import Section, Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """Where a section starts, its rank, and what it will be called."""

    line: int
    rank: Rank
    label: str | None
    word: str | None
    title: str


def starts_of(headings: Sequence[Heading], ranks: Sequence[Rank]) -> list[Start]:
    """Return the starts of the headings, in their order."""
    return [
        Start(
            line=h.line,
            rank=rank,
            label=h.number.label if h.number else None,
            word=h.number.word if h.number else None,
            title=h.title,
        )
        for h, rank in zip(headings, ranks, strict=True)
    ]


def build_sections(starts: Sequence[Start], *, doc: str, total: int) -> tuple[Section, ...]:
    """Return the sections of a document of `total` lines. `starts` are in order of lines; ids are "s0", "s1", …"""
    ends = [total] * len(starts)
    parents: list[int | None] = []
    levels: list[int] = []
    stack: list[int] = []
    for n, start in enumerate(starts):
        while stack and starts[stack[-1]].rank >= start.rank:
            ends[stack.pop()] = start.line
        parents.append(stack[-1] if stack else None)
        levels.append(len(stack) + 1)
        stack.append(n)
    return tuple(
        Section(
            id=f"s{n}",
            label=start.label,
            title=start.title,
            level=levels[n],
            lines=Span(doc=doc, start=start.line, end=max(ends[n], start.line + 1)),
            parent=None if parents[n] is None else f"s{parents[n]}",
            word=start.word,
        )
        for n, start in enumerate(starts)
    )


def label_above(sections: Sequence[Section]) -> dict[str, Section | None]:
    """Return for each section id the nearest section, itself included, that has a label."""
    out: dict[str, Section | None] = {}
    for section in sections:
        if section.label is not None:
            out[section.id] = section
        else:
            out[section.id] = out.get(section.parent) if section.parent else None
    return out
