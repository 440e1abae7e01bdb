"""A small whole run: one event of each kind, in the order in which they happen."""

from __future__ import annotations

from deref.trace.events import (
    Decided,
    Degraded,
    Enriched,
    Event,
    FileRead,
    LeftOut,
    PassWritten,
    Pursued,
    Retried,
    RunFinished,
    RunStarted,
    StageRan,
    VectorsComputed,
)
from deref.values import (
    Amendment,
    Answer,
    Arrived,
    Citation,
    Completeness,
    Condition,
    DefinedTerm,
    Origin,
    Passage,
    Point,
    Query,
    Reference,
    ReferenceKind,
    Resolution,
    Shape,
    Span,
    Status,
    Target,
    Tier,
)

_LINES = Span(doc="d", start=4, end=5)
REFERENCE = Reference(
    text="Annex B",
    kind=ReferenceKind.ANNEX,
    labels=("B",),
    at=Point(doc="d", line=1, char_start=0, char_end=7),
)
RESOLUTION = Resolution(
    reference=REFERENCE, status=Status.RESOLVED, tier=Tier.LABEL, why="one annex B",
    targets=(Target(lines=_LINES, kind="annex", label="B", title="Tolls"),),
)  # fmt: skip
_GONE = Resolution(
    reference=Reference(
        text="Annex C", kind=ReferenceKind.ANNEX, labels=("C",), at=Point(doc="d", line=2, char_start=0, char_end=7)
    ),
    status=Status.DANGLING, targets=(), tier=Tier.LABEL, why="the annexes end at B",
)  # fmt: skip
_OFF = Resolution(
    reference=Reference(
        text="ISO 1", kind=ReferenceKind.EXTERNAL, labels=(), at=Point(doc="d", line=3, char_start=0, char_end=5)
    ),
    status=Status.EXTERNAL, targets=(), tier=None, why="no such document here",
)  # fmt: skip
_CITED = Citation(
    source="bridge.md", lines=_LINES, page=1, row=5, end_page=1, end_row=5, boxes=(), quote="A cart pays\n  two pence.",
    arrived=Arrived.REFERENCE, reference="Annex B", referenced_from=Origin(source="bridge.md", page=1, line=1, row=2),
)  # fmt: skip
ANSWER = Answer(
    text="A cart pays two pence. [1]", citations=(_CITED,), pending=(_GONE,), completeness=Completeness.PARTIAL,
    conditions=(Condition(text="unless it is empty", at=Origin(source="bridge.md", page=1, line=6, row=7)),),
    external=(_OFF,), problems=("page 3 has no text",), unquoted=(RESOLUTION,), amendments=(Amendment(amended=1, amending=1),),
    definitions=(DefinedTerm(term="Cart", text="“Cart” means any vehicle.", at=Origin(source="bridge.md", page=1, line=7, row=8)),),
)  # fmt: skip
_FOLLOWED = Passage(
    lines=_LINES,
    arrived=Arrived.REFERENCE,
    resolution=RESOLUTION,
    why="pulled in because line 2 says “Annex B”",
)

ONE_OF_EACH: tuple[Event, ...] = (
    FileRead(path="bridge.md", outcome="added", done=1, total=1, seconds=0.1, pages=1, chunks=3),
    VectorsComputed(done=2, total=3, seconds=0.2),
    Enriched(document="bridge.md", done=2, total=3, seconds=0.2),
    RunStarted(
        query=Query(text="What does a cart pay?", shape=Shape.FACT), library="memory",
        fingerprints={"stored": "a"}, versions={"deref": "0"},
    ),
    StageRan(stage="legs", before=(), after=("c1", "c2"), seconds=0.012, note="2 in"),
    Retried(question="cart pay", kept="first", why="the evidence falls short by 0.20"),
    Degraded(what="the dense leg failed and was left out: no model"),
    LeftOut(what="old.md is superseded by new.md"),
    PassWritten(n=0, writer="scripted-1", passages=(Passage(lines=_LINES), _FOLLOWED), answer=ANSWER, seconds=0.1),
    Decided(n=0, verdict="resolve", why="1 pointer(s) would change the answer"),
    Pursued(resolution=RESOLUTION, followed=True, why="followed: one annex B"),
    Pursued(resolution=_GONE, followed=False, why="dangling: the annexes end at B"),
    RunFinished(answer=ANSWER, passes=2, seconds=0.5),
)  # fmt: skip
