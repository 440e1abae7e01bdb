"""Ask: retrieve once, then write and pursue until the decision says stop.

1. The recipe gives candidates. When they do not bear on the question, the answer is `not_found`. The places that the question
   names are read before them, and bear on it in any case; when it asks for nothing else, nothing else is read, and when nobody
   knows them, that is the answer.
2. The writer answers from the passages. Pending pointers that were tried already keep what was learnt of them:
   external ones are named and no longer pending, and neither is one that was followed, or that leads nowhere and is `aside`.
3. `decide` looks at the typed field. *resolve*: the untried pointers are pursued, after the first pass beside those of
   candidates that the writer did not read (`compete`); what followed text hands over to is pursued in the same pass, once. Their
   text joins the passages, back to 2. *ship*: done. *stop_partial*: done, and what is open is listed with where it points.

What is quoted at the end and amended by another paper is told so, with that paper's words.

No pointer is tried twice, so there is no cycle; the budget bounds the passes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from deref.answer.amends import Amending, with_amendments
from deref.answer.cite import ungrounded
from deref.answer.compose import NOTHING
from deref.answer.pointers import open_resolution
from deref.errors import ModelError
from deref.loop.compete import WorthOf, competing
from deref.loop.decide import Verdict, decide
from deref.loop.pursue import ALL_OF_IT, Admitted, Outcome, Pursuit, TargetPlace, place_of, pursue, spans_of
from deref.ports import Clock, Resolve, Writer, never, unheard_piece
from deref.trace.events import Decided, PassWritten, Pursued, RunFinished
from deref.trace.sinks import Sink
from deref.values import (
    Answer,
    Arrived,
    Candidate,
    Candidates,
    Completeness,
    Document,
    Passage,
    Query,
    Resolution,
    Span,
    Status,
    Target,
)

MOST_FOLLOWED = 5
"""Pointers followed in one pass at the most."""
MOST_HANDED_ON = 2
"""Pointers in what was followed that are followed in the same pass."""
MOST_TRIED = 6
"""Of those, the ones that are looked up: some lead nowhere."""


Heard = Callable[[int, str], None]
"""Hears the 0-based number of a pass and a piece of its answer."""


class Doors(NamedTuple):
    """What the loop needs of the world, as functions. `bears` tells whether candidates bear on the question.

    `admit` tells what of a place that is pointed at the question may be answered from. `heard` gets the number of the pass
    and the text of its answer in pieces while it is written ("": it begins anew); None when nobody listens. `cancelled` is
    asked while a writer waits. `pointed` gives the pointers in candidates with their worth, the best first; `handed_on` those
    by which a followed passage hands the matter over once more; `amended` what other papers amend of documents, by id.
    """

    retrieve: Callable[[Query], Candidates]
    bears: Callable[[Query, Candidates], bool]
    writer: Writer
    read: Callable[[str], Document]
    resolve: Resolve
    best_within: Callable[[Query, Target, str], Sequence[Span]]
    emit: Sink
    clock: Clock
    admit: Callable[[Query, Target], Admitted] = lambda _query, _target: ALL_OF_IT
    heard: Heard | None = None
    cancelled: Callable[[], bool] = never
    pointed: Callable[[Query, Candidates], WorthOf] = lambda _query, _found: ()
    handed_on: Callable[[Query, Passage], WorthOf] = lambda _query, _passage: ()
    amended: Callable[[Query, Sequence[str]], Sequence[Amending]] = lambda _query, _docs: ()


Begins = tuple[str, int, int]
"""Where a pointer is written, as `Point.begins` says: what tells two of them apart."""


def ask(query: Query, doors: Doors, *, budget: int, passages: int) -> Answer:
    """Return the answer. `budget` passes after the first; the first reads `passages` candidates.

    Raises what the doors raise, and ModelError when a quote of the writer does not stand in the lines that it cites.
    """
    begun = doors.clock()
    found = doors.retrieve(query)
    candidates = Candidates(tuple(found.top(passages)))
    asked = _asked(query, doors)
    if not asked and (query.alone or not len(candidates) or not doors.bears(query, candidates)):
        answer = _nothing(query if query.alone else None)
        doors.emit(RunFinished(answer=answer, passes=0, seconds=doors.clock() - begun))
        return answer
    if asked and query.alone:
        found = candidates = Candidates()
    evidence = [*asked, *(_evidence(c) for c in candidates)]
    tried: dict[Begins, Pursuit] = {}
    n = 0
    while True:
        answer = _written(query, doors, evidence, tried, n)
        untried = [r for r in answer.pending if r.reference.at.begins not in tried]
        verdict, why = decide(answer.completeness, untried=len(untried), passes=n, budget=budget)
        doors.emit(Decided(n=n, verdict=verdict.value, why=why))
        if verdict is not Verdict.RESOLVE:
            break
        if not n:
            untried = competing(untried, doors.pointed(query, found), evidence)
        evidence += _pursued(query, doors, untried, tried)
        n += 1
    answer = _final(answer, verdict, untried, doors.resolve, tried)
    cited = list(dict.fromkeys(c.lines.doc for c in answer.citations))
    answer = with_amendments(answer, doors.amended(query, cited), doors.read)
    doors.emit(RunFinished(answer=answer, passes=n + 1, seconds=doors.clock() - begun))
    return answer


def _asked(query: Query, doors: Doors) -> list[Passage]:
    """Return the places that the question names as passages; alone, long ones whole, and each of several that may be meant."""
    found: list[Passage] = []
    for place in query.places:
        if place.why and not query.alone:
            continue
        for target in place.targets:
            admitted = doors.admit(query, target)
            spans: Sequence[Span] = [target.lines] if admitted.spans is None else admitted.spans
            if not query.alone:
                spans = spans_of(target, admitted, "", doors.read, partial(doors.best_within, query))
            found += (
                Passage(
                    lines=span,
                    focus=(target.focus if admitted.spans is None else ()) or (span,),
                    header=target.header if admitted.spans is None else None,
                    why=f"the question names it: “{place.said}”",
                )
                for span in spans
            )
    return found


def _evidence(candidate: Candidate) -> Passage:
    """Return the candidate as a passage; one that only a hop brought in keeps its mark."""
    lines = candidate.context or candidate.chunk.lines
    resolution = candidate.arrivals[0].reference if candidate.arrivals and candidate.hopped else None
    if resolution is None:
        return Passage(lines=lines, header=candidate.chunk.header)
    return Passage(
        lines=lines,
        arrived=Arrived.REFERENCE,
        resolution=resolution,
        header=candidate.chunk.header,
        why=f"pulled in because a passage that was found says “{resolution.reference.text}”",
    )


def _written(
    query: Query, doors: Doors, evidence: Sequence[Passage], tried: dict[Begins, Pursuit], n: int
) -> Answer:
    begun = doors.clock()
    listener = unheard_piece if doors.heard is None else partial(doors.heard, n)
    given = doors.writer.write(query, evidence, doors.read, heard=listener, cancelled=doors.cancelled)
    if wrong := ungrounded(given, doors.read):
        raise ModelError(
            f"the writer {doors.writer.identity} cites words that do not stand in the lines it names: "
            f"{', '.join(f'[{number}]' for number in wrong)}; no answer is shown"
        )
    answer = _settled(given, tried)
    doors.emit(
        PassWritten(
            n=n,
            writer=doors.writer.identity,
            passages=tuple(evidence),
            answer=answer,
            seconds=doors.clock() - begun,
        )
    )
    return answer


def _pursued(
    query: Query, doors: Doors, untried: Sequence[Resolution], tried: dict[Begins, Pursuit]
) -> list[Passage]:
    def within(target: Target, said: str) -> Sequence[Span]:
        return doors.best_within(query, target, said)

    def pursued(pending: Sequence[Resolution], most: int) -> list[Passage]:
        pursuits = pursue(
            pending,
            resolve=doors.resolve,
            read=doors.read,
            best_within=within,
            most=most,
            known=_followed(tried),
            admit=lambda target: doors.admit(query, target),
        )
        found: list[Passage] = []
        for pursuit in pursuits:
            if pursuit.outcome is not Outcome.WAITING:
                tried[pursuit.resolution.reference.at.begins] = pursuit
            found += pursuit.passages
            doors.emit(
                Pursued(resolution=pursuit.resolution, followed=bool(pursuit.passages), why=pursuit.why)
            )
        return found

    found = pursued(untried, MOST_FOLLOWED)
    on = {r.at.begins: (worth, r) for p in found for worth, r in doors.handed_on(query, p)}
    best = sorted((one for begins, one in on.items() if begins not in tried), key=lambda one: -one[0])
    return found + pursued([open_resolution(r) for _, r in best[:MOST_TRIED]], MOST_HANDED_ON)


def _followed(tried: dict[Begins, Pursuit]) -> set[TargetPlace]:
    return {place_of(t) for p in tried.values() if p.passages for t in p.resolution.targets}


def _settled(answer: Answer, tried: dict[Begins, Pursuit]) -> Answer:
    """Put what was learnt of the pointers into the answer: externals named, followed ones done, the rest pending, each once.

    Externals that followed text hands over to are named too, though its writer did not list them.
    """
    pending: list[Resolution] = []
    external: list[Resolution] = list(answer.external)
    listed = {r.reference.at.begins for r in answer.pending}
    followed = [p.lines for pursuit in tried.values() for p in pursuit.passages]
    for there in (pursuit.resolution for begins, pursuit in tried.items() if begins not in listed):
        at, known = there.reference.at, {r.reference.text for r in external}
        read = any(at.doc == lines.doc and at.line in lines for lines in followed)
        if there.status is Status.EXTERNAL and read and there.reference.text not in known:
            external.append(there)
    aside = _places_of(answer.aside)
    for resolution in {r.reference.at.begins: r for r in answer.pending}.values():
        pursuit = tried.get(resolution.reference.at.begins)
        if pursuit is None:
            pending.append(resolution)
        elif pursuit.resolution.status is Status.EXTERNAL:
            external.append(pursuit.resolution)
        elif pursuit.outcome is Outcome.OPEN and not (
            resolution.reference.at.begins in aside and pursuit.resolution.status is not Status.RESOLVED
        ):
            pending.append(replace(pursuit.resolution, why=pursuit.why))
    completeness = answer.completeness
    if completeness is Completeness.REFERENCES_UNRESOLVED and not pending:
        completeness = _when_settled(answer, external)
    return replace(answer, pending=tuple(pending), external=tuple(external), completeness=completeness)


def _final(
    answer: Answer,
    verdict: Verdict,
    untried: Sequence[Resolution],
    resolve: Resolve,
    tried: dict[Begins, Pursuit],
) -> Answer:
    """Account for every pointer that is still open: say where it points, or why it cannot be followed."""
    open_places, aside = _places_of(untried), _places_of(answer.aside)
    unresolved = answer.completeness is Completeness.REFERENCES_UNRESOLVED
    reason = (
        "the budget is spent" if unresolved else f"the writer calls its answer {answer.completeness.value}"
    )
    pending: list[Resolution] = []
    external: list[Resolution] = list(answer.external)
    known = _followed(tried)
    for resolution in answer.pending:
        if resolution.reference.at.begins in open_places:
            resolved = resolve(resolution.reference)
            if resolution.reference.at.begins in aside and resolved.status is not Status.EXTERNAL:
                continue
            if resolved.targets and all(place_of(t) in known or _quoted(t, answer) for t in resolved.targets):
                continue
            resolution = replace(resolved, why=f"not followed, {reason}: {resolved.why}")
        (external if resolution.status is Status.EXTERNAL else pending).append(resolution)
    completeness = answer.completeness
    if verdict is Verdict.STOP_PARTIAL and unresolved:
        completeness = Completeness.PARTIAL if pending else _when_settled(answer, external)
    return replace(
        answer,
        pending=tuple(pending),
        external=tuple(external),
        completeness=completeness,
        aside=(),
        leaning=(),
        unquoted=tuple(r for p in tried.values() if (r := _unquoted(p, answer)).targets),
    )


def _when_settled(answer: Answer, external: Iterable[Resolution]) -> Completeness:
    """Return what an answer is without a pending pointer: partial when it leans on one of those that leave the shelf."""
    leans = not _places_of(external).isdisjoint(_places_of(answer.leaning))
    return Completeness.PARTIAL if leans else answer.when_settled


def _places_of(pointers: Iterable[Resolution]) -> set[Begins]:
    return {r.reference.at.begins for r in pointers}


def _unquoted(pursuit: Pursuit, answer: Answer) -> Resolution:
    """Return the resolution of a pointer with those of its places that were read and of which the answer quotes nothing, by whichever
    way that arrived.
    """
    silent = [p.lines for p in pursuit.passages if not any(_meet(p.lines, c.lines) for c in answer.citations)]
    told = [p.lines for p in pursuit.passages if p.lines not in silent]
    left = (
        t
        for t in pursuit.resolution.targets
        if any(_meet(t.lines, s) for s in silent) and not any(_meet(t.lines, s) for s in told)
    )
    return replace(pursuit.resolution, targets=tuple(left))


def _meet(lines: Span, other: Span) -> bool:
    return lines.doc == other.doc and lines.start < other.end and other.start < lines.end


def _quoted(target: Target, answer: Answer) -> bool:
    """Tell whether the answer quotes all of a place."""
    spans = target.focus or (target.lines,)
    return all(
        any(
            s.doc == c.lines.doc and c.lines.start <= s.start and s.end <= c.lines.end
            for c in answer.citations
        )
        for s in spans
    )


def _nothing(asked: Query | None = None) -> Answer:
    """Return the answer that nothing was found; `asked` names places alone, none of which is known."""
    told = (
        [f"{place.why[:1].upper()}{place.why[1:]}." for place in asked.places if place.why]
        if asked is not None
        else []
    )
    return Answer(
        text=" ".join(told) or NOTHING,
        citations=(),
        pending=(),
        completeness=Completeness.NOT_FOUND,
    )
