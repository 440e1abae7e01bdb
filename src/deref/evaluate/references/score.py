"""Score one set: build it, look for every mention, resolve with the native links hidden or used, and count by slice.

*Precision* of a slice is right / (right + every other place given for its mentions): of our hits that coincide with a
labelled reference and were resolved, the share that went where the label goes. Hits that coincide with none are counted by
kind of ours (`unlabelled`), for they are unknown rather than wrong; `density` is the share of our hits, of the numbered kinds
that the set labels, which do coincide with a label or a native link. Precision is stated only where density is at least DENSE, else it is None.
*Recall* is right / all mentions of the slice, those included that are not in our text.
"""

from __future__ import annotations

import time
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field

from deref.evaluate.references.build import Built, Progress
from deref.evaluate.references.labelled import LabelledSet, Mention, Truth
from deref.evaluate.references.locate import Located
from deref.evaluate.references.registry import Registered, anchors_against, outline_against
from deref.evaluate.references.verdict import RIGHT, Judge, Verdict
from deref.references import MemoryShelf, Resolver, find
from deref.values import Document, FoundBy, LinkSource, Point, Reference, ReferenceKind, Resolution

DENSE = 0.75
_UNNUMBERED = frozenset({
    ReferenceKind.LINK, ReferenceKind.DOCUMENT, ReferenceKind.EXTERNAL, ReferenceKind.RELATIVE, ReferenceKind.DEFINITION,
    ReferenceKind.BIBLIOGRAPHY, ReferenceKind.FOOTNOTE, ReferenceKind.PAGE,
})  # fmt: skip


@dataclass(slots=True)
class Slice:
    """What came of the mentions of one kind and whereabouts. Shares are 0..1, None where there is nothing to share.

    `outcomes` counts OUTCOMES; `exact` are right to the line; `wrong_places` counts every place given that is not right, those
    of mislabelled hits included; `selector` and `container` are (right, asked); `misses` are the numbers of the mentions by
    outcome, right ones left out.
    """

    total: int = 0
    located: int = 0
    found: int = 0
    labelled: int = 0
    exact: int = 0
    right_section: int = 0
    right_document: int = 0
    wrong_places: int = 0
    truth: str = Truth.PLACE.value
    selector: tuple[int, int] = (0, 0)
    container: tuple[int, int] = (0, 0)
    outcomes: Counter[str] = field(default_factory=Counter)
    misses: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))

    @property
    def right(self) -> int:
        """How many went where they should."""
        return self.outcomes[RIGHT]

    @property
    def recall(self) -> float | None:
        """Right of all."""
        return self.right / self.total if self.total else None

    @property
    def precision(self) -> float | None:
        """Right of all to which a place was given; None off the shelf, where any place is wrong."""
        given = self.right + self.wrong_places
        return self.right / given if given and self.truth == Truth.PLACE.value else None

    def add(self, verdict: Verdict) -> None:
        """Count one verdict."""
        self.total += 1
        self.truth = verdict.mention.truth.value
        self.located += verdict.place is not None
        self.found += verdict.reference is not None
        self.labelled += verdict.labelled
        self.exact += verdict.outcome == RIGHT and not verdict.off
        self.right_section += verdict.section
        self.right_document += verdict.document
        self.wrong_places += verdict.resolved and verdict.outcome in ("wrong", "mislabelled", "ungoaled")
        self.selector = _counted(self.selector, verdict.selector)
        self.container = _counted(self.container, verdict.container)
        self.outcomes[verdict.outcome] += 1
        if verdict.outcome != RIGHT:
            self.misses[verdict.outcome].append(verdict.mention.number)


def _counted(pair: tuple[int, int], agrees: bool | None) -> tuple[int, int]:
    return pair if agrees is None else (pair[0] + agrees, pair[1] + 1)


@dataclass(slots=True, kw_only=True)
class SetScore:
    """The score of one set. Times are CPU seconds; `text_bytes` are those of the lines that references are found in."""

    name: str
    digest: str
    links: bool
    slices: dict[str, Slice]
    density: float | None
    unlabelled: dict[str, tuple[int, int]]
    left_out: dict[str, int]
    registry: dict[str, Registered]
    documents: int
    text_bytes: int
    build_s: float
    find_s: float
    resolve_s: float
    verdicts: list[Verdict] = field(default_factory=list)
    stray: list[tuple[str, Reference]] = field(default_factory=list)


def score(labelled: LabelledSet, built: Built, progress: Progress, *, links: bool = False) -> SetScore:
    """Score a set whose documents are built. `links` lets native links decide, which is otherwise forbidden."""
    located = {name: Located(d, labelled.texts.get(name)) for name, d in built.documents.items()}
    find_s = _finding_seconds(built.documents.values())
    found_in = {document.id: built.found[name] for name, document in built.documents.items()}
    resolver = Resolver(
        MemoryShelf(built.documents.values()), links=links, references=lambda document: found_in[document.id]
    )
    clock = _Timed(resolver)
    judge = Judge(located, clock)
    slices: dict[str, Slice] = defaultdict(Slice)
    by_doc: dict[str, list[Mention]] = defaultdict(list)
    for mention in labelled.mentions:
        by_doc[mention.doc].append(mention)
    verdicts: list[Verdict] = []
    stray: list[tuple[str, Reference]] = []
    hits: dict[str, tuple[int, int]] = {}
    for n, (name, document) in enumerate(sorted(built.documents.items()), start=1):
        found = [r for r in built.found[name] if links or r.found_by is not FoundBy.LINK]
        places = [(m, located[name].mention(m)) for m in by_doc.get(name, ())]
        mine = [judge.verdict(m, place, _overlapping(found, place)) for m, place in places]
        for verdict in mine:
            slices[verdict.mention.slice].add(verdict)
        verdicts += mine
        taken = _Covered(p for _, p in places if p is not None)
        native = _Covered(k.at for k in document.links if k.source is not LinkSource.CONTENTS)
        for reference in found:
            if reference.kind in _UNNUMBERED or not reference.labels or reference.found_by is FoundBy.LINK:
                continue
            coincides = taken.shares(reference.at) or native.shares(reference.at)
            all_of, alone = hits.get(reference.kind.value, (0, 0))
            hits[reference.kind.value] = (all_of + 1, alone + (not coincides))
            if not coincides:
                stray.append((name, reference))
        progress(f"Scoring {labelled.name}", n, len(built.documents), name)
    return SetScore(
        name=labelled.name,
        digest=labelled.digest,
        links=links,
        slices=dict(sorted(slices.items())),
        density=density_of(hits, {name.split(",")[0] for name in slices}),
        unlabelled=dict(sorted(hits.items())),
        left_out=dict(sorted(labelled.left_out.items())),
        registry={
            **anchors_against(labelled.anchors, built.documents),
            **outline_against(labelled.outline, built.documents),
        },
        documents=len(built.documents),
        text_bytes=sum(len(line.text.encode("utf-8", "replace")) + 1 for d in built.documents.values() for line in d.lines),
        build_s=built.cpu_s,
        find_s=find_s,
        resolve_s=clock.seconds,
        verdicts=verdicts,
        stray=stray,
    )  # fmt: skip


def density_of(hits: Mapping[str, tuple[int, int]], kinds: Set[str]) -> float | None:
    """Return the share of our hits of the kinds that a set labels which coincide with a label or native link."""
    counted = [pair for kind, pair in hits.items() if kind in kinds]
    total = sum(all_of for all_of, _ in counted)
    return 1 - sum(alone for _, alone in counted) / total if total else None


class _Timed:
    """A resolver, and the CPU seconds that it took."""

    def __init__(self, resolve: Callable[[Reference, Document], Resolution]) -> None:
        self._resolve = resolve
        self.seconds = 0.0

    def __call__(self, reference: Reference, home: Document) -> Resolution:
        begun = time.process_time()
        resolution = self._resolve(reference, home)
        self.seconds += time.process_time() - begun
        return resolution


def _finding_seconds(documents: Iterable[Document]) -> float:
    begun = time.process_time()
    for document in documents:
        find(document)
    return time.process_time() - begun


def _overlapping(found: Sequence[Reference], place: Point | None) -> list[Reference]:
    if place is None:
        return []
    at = bisect_left(found, (place.line - 3, 0), key=lambda r: (r.at.line, r.at.char_start))
    near: list[Reference] = []
    for reference in found[at:]:
        if reference.at.line > place.last_line:
            break
        if reference.at.overlaps(place):
            near.append(reference)
    return near


class _Covered:
    """The points of one document by their lines."""

    def __init__(self, points: Iterable[Point]) -> None:
        self._by_line: dict[int, list[Point]] = defaultdict(list)
        for point in points:
            for n in range(point.line, point.last_line + 1):
                self._by_line[n].append(point)

    def shares(self, at: Point) -> bool:
        return any(p.overlaps(at) for n in range(at.line, at.last_line + 1) for p in self._by_line.get(n, ()))


def pooled(slices: Iterable[Slice]) -> Slice:
    """Return several slices as one. Places given off the shelf count as wrong ones."""
    total = Slice()
    for part in slices:
        total.total += part.total
        total.located += part.located
        total.found += part.found
        total.labelled += part.labelled
        total.exact += part.exact
        total.right_section += part.right_section
        total.right_document += part.right_document
        total.wrong_places += part.wrong_places
        total.selector = (total.selector[0] + part.selector[0], total.selector[1] + part.selector[1])
        total.container = (total.container[0] + part.container[0], total.container[1] + part.container[1])
        total.outcomes.update(part.outcomes)
        for outcome, numbers in part.misses.items():
            total.misses[outcome] += numbers
    return total
