"""A document of ten lines, references in it, and doors to both, for the tests of the loop."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from deref.errors import NoSuchSource
from deref.loop import Doors
from deref.models.scripted import ScriptedWriter
from deref.trace.sinks import ListSink
from deref.values import (
    Answer,
    Arrival,
    Arrived,
    Candidate,
    Candidates,
    Chunk,
    Citation,
    Completeness,
    Document,
    Line,
    Point,
    Query,
    Reference,
    ReferenceKind,
    Resolution,
    Span,
    Status,
    Target,
    Tier,
)

QUESTION = Query(text="What is the toll?")
DOCUMENT = Document(
    id="d", name="d.md", title="D", aliases=(), sections=(), items=(), links=(), fingerprint="f",
    lines=tuple(Line(doc="d", n=n, page=1, row=n + 1, text=f"line {n} of the toll") for n in range(10)),
)  # fmt: skip


def span(start: int, end: int) -> Span:
    return Span(doc="d", start=start, end=end)


def pointer(text: str, line: int, char: int = 0) -> Reference:
    at = Point(doc="d", line=line, char_start=char, char_end=char + 4)
    return Reference(text=text, kind=ReferenceKind.SECTION, labels=(text,), at=at)


def target(start: int, end: int, *focus: Span) -> Target:
    return Target(lines=span(start, end), kind="section", label="x", title="X", focus=focus)


def resolved(reference: Reference, *targets: Target) -> Resolution:
    return Resolution(
        reference=reference,
        status=Status.RESOLVED,
        targets=targets,
        tier=Tier.LABEL,
        why=f"{reference.text} is there",
    )


def unfollowable(reference: Reference, status: Status) -> Resolution:
    return Resolution(
        reference=reference, status=status, targets=(), tier=None, why=f"{reference.text} is not there"
    )


def open_(reference: Reference) -> Resolution:
    return Resolution(
        reference=reference, status=Status.UNRESOLVED, targets=(), tier=None, why="not looked up yet"
    )


def answer(*pending: Reference, text: str = "so", completeness: Completeness | None = None) -> Answer:
    unresolved = Completeness.REFERENCES_UNRESOLVED if pending else Completeness.COMPLETE
    return Answer(
        text=text,
        citations=(),
        pending=tuple(open_(p) for p in pending),
        completeness=completeness or unresolved,
    )


def quoted(start: int, end: int) -> Citation:
    """Return the citation of these lines, found by the question."""
    return Citation(
        source="d.md", lines=span(start, end), page=1, row=start + 1, end_page=1, end_row=end, boxes=(),
        quote=DOCUMENT.text(span(start, end)), arrived=Arrived.PRIMARY,
    )  # fmt: skip


def read(doc: str) -> Document:
    if doc != "d":
        raise NoSuchSource(f"{doc}: not on this shelf; ask for one that is")
    return DOCUMENT


def chunk(start: int, end: int) -> Chunk:
    return Chunk(
        id=f"c{start}", lines=span(start, end), section=None, text=DOCUMENT.text(span(start, end)), tokens=4
    )


def found(*starts: int) -> Candidates:
    arrival = Arrival(by="bm25", rank=0)
    return Candidates(tuple(Candidate(chunk=chunk(s, s + 1), arrivals=(arrival,)) for s in starts))


class World:
    """Doors with a scripted writer and a table of resolutions; it counts how often each pointer was looked up.

    `handed_on` are the pointers of followed passages, by their first line.
    """

    def __init__(
        self,
        answers: Sequence[Answer],
        resolutions: Mapping[str, Resolution] | None = None,
        candidates: Candidates | None = None,
        bears: bool = True,
        pointed: Sequence[tuple[float, Reference]] = (),
        handed_on: Mapping[int, Sequence[tuple[float, Reference]]] | None = None,
    ) -> None:
        self.writer = ScriptedWriter(answers)
        self.events = ListSink()
        self.looked_up: list[str] = []
        self._resolutions = dict(resolutions or {})
        self._time = 0.0
        self.doors = Doors(
            retrieve=lambda query: found(0) if candidates is None else candidates,
            bears=lambda query, candidates: bears,
            writer=self.writer,
            read=read,
            resolve=self._resolve,
            best_within=lambda query, target, said: [],
            emit=self.events,
            clock=self._clock,
            pointed=lambda query, candidates: pointed,
            handed_on=lambda query, passage: (handed_on or {}).get(passage.lines.start, ()),
        )

    def _resolve(self, reference: Reference) -> Resolution:
        self.looked_up.append(reference.text)
        return self._resolutions[reference.text]

    def _clock(self) -> float:
        self._time += 1.0
        return self._time
