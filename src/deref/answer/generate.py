"""The writer with a model behind it: prompt → model → typed draft → an answer of which every quote stands in its lines.

1. `prompt` puts the passages, the earlier questions and the question together, within the window of the model.
2. The model replies in the shape of `schema`; that is a draft, and nothing of it is shown as it is.
3. `claims` grounds it, claim by claim. While the reply is still being written, each claim that is complete and stands is
   heard at once.
4. `pending` matches the pointers that it names to those that stand in the evidence; one in a cited line that hands over to
   text which was not read is pending also when the model forgets it. What `resolve` knows to leave the shelf is external.
5. The status of the draft holds as far as what stands bears it out: with claims left out the answer is partial, without any
   it is not found, whatever the model says; a conflict needs two sides that are cited.

What a model knows without the passages has no quote in them, and so is no answer here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence

from deref.answer.cite import origin
from deref.answer.claims import Claims
from deref.answer.compose import NOTHING
from deref.answer.conditions import conditions_in, each_once
from deref.answer.evidence import Evidence, joined
from deref.answer.ground import ground, skeleton_of
from deref.answer.pending import references_named, split_by_labels
from deref.answer.pointers import ReferencesIn, open_resolution, pointers_in
from deref.answer.prompt import Prompt, build_prompt
from deref.answer.rank import Ranking, asked_stems
from deref.answer.schema import COMPLETENESS, NAME, SCHEMA, Claim, Draft, Quoted, Says, claim_of, draft_of
from deref.ports import LanguageModel, Resolve, never, unheard_piece
from deref.text.hidden import on_one_line
from deref.values import (
    Answer,
    Completeness,
    Condition,
    DefinedTerm,
    Document,
    Origin,
    Passage,
    Point,
    Query,
    Reference,
    Resolution,
    Shape,
    Span,
    Status,
)

POINTS_ELSEWHERE = (
    "What was read does not answer the question itself; it points to text that does not stand in it."
)
"""The text of an answer without a claim, as long as a pointer is open."""
UNSUPPORTED = "The model gave no answer that the documents bear out."
"""The text of an answer of which no claim stands."""
NEAR_THE_QUESTION = 0.35
"""What a pointer that the model does not name is worth at the least: it hands over, and its sentence has a fifth of the question."""
LONGEST_TERM = 120
"""Characters."""
_LINES = frozenset([Shape.LIST, Shape.COMPARISON])


class GenerativeWriter:
    """The Writer port with a language model.

    `references_in` gives the references of lines of a document; `resolve` what became of one, or is None where nobody knows.
    """

    def __init__(
        self, model: LanguageModel, references_in: ReferencesIn, resolve: Resolve | None = None
    ) -> None:
        """Keep the doors."""
        self._model = model
        self._references_in = references_in
        self._resolve = resolve
        self._last: tuple[Query, tuple[Passage, ...], Answer] | None = None

    @property
    def identity(self) -> str:
        """Version of the writer, and the model."""
        return f"generative-1 {self._model.identity}"

    def write(
        self,
        query: Query,
        passages: Sequence[Passage],
        read: Callable[[str], Document],
        *,
        heard: Callable[[str], None] = unheard_piece,
        cancelled: Callable[[], bool] = never,
    ) -> Answer:
        """Answer from the passages, with what stands of the model's reply. See the module docstring.

        Where the pass before brought nothing new to read, the model is not asked again.
        """
        if not passages:
            return _without_claims(NOTHING, Completeness.NOT_FOUND)
        if self._last is not None and self._last[:2] == (query, tuple(passages)):
            heard(self._last[2].text)
            return self._last[2]
        prompt = build_prompt(query, passages, read, self._model)
        between = _between(query)
        listening = _Listening(lambda: self._claims(query, prompt.evidence, read), heard, between)
        reply = self._model.reply(
            prompt.messages,
            schema=SCHEMA,
            name=NAME,
            most_tokens=prompt.most_tokens,
            heard=unheard_piece if heard is unheard_piece else listening,
            cancelled=cancelled,
        )
        draft = draft_of(reply, model=self._model.identity)
        answer = self._answer(query, draft, prompt, passages, self._claims(query, prompt.evidence, read))
        listening.ends_with(answer.text)
        self._last = (query, tuple(passages), answer)
        return answer

    def _claims(self, query: Query, evidence: Evidence, read: Callable[[str], Document]) -> Claims:
        return Claims(query, evidence, read, self._references_in)

    def _answer(
        self, query: Query, draft: Draft, prompt: Prompt, passages: Sequence[Passage], claims: Claims
    ) -> Answer:
        told = [claims.add(c) for c in draft.claims] if draft.status is not Says.NOT_FOUND else []
        text = _between(query).join(t for t in told if t)
        pending, external, unknown = self._pointers(query, draft, prompt.evidence, passages, claims)
        status, why = _borne_out(draft, claims)
        if not text:
            text = (
                POINTS_ELSEWHERE if pending else (NOTHING if draft.status is Says.NOT_FOUND else UNSUPPORTED)
            )
        return Answer(
            text=text,
            citations=tuple(claims.citations),
            pending=tuple(pending),
            completeness=Completeness.REFERENCES_UNRESOLVED if pending else status,
            conditions=tuple(_conditions(draft, prompt.evidence, claims)),
            external=tuple(external),
            problems=tuple(dict.fromkeys((*prompt.left_out, *claims.problems, *why, *unknown))),
            definitions=tuple(_definitions(draft, prompt.evidence)),
            when_settled=status,
        )

    def _pointers(
        self, query: Query, draft: Draft, evidence: Evidence, passages: Sequence[Passage], claims: Claims
    ) -> tuple[list[Resolution], list[Resolution], list[str]]:
        """Return what is pending, what leaves the shelf, and what is said of pointers that stand nowhere."""
        named, unknown = references_named(
            [*draft.pending_references, *draft.externals], evidence, self._references_in
        )
        followed = [p.resolution.reference.at for p in passages if p.resolution is not None]
        pending: list[Resolution] = []
        external: list[Resolution] = []
        for reference in [*named, *self._handed_over(query, claims)]:
            taken = [r.reference.at for r in (*pending, *external)]
            if any(_same_place(reference.at, at) for at in (*followed, *taken)):
                continue
            resolution = self._resolve(reference) if self._resolve is not None else None
            if resolution is not None and resolution.status is Status.EXTERNAL:
                external.append(resolution)
            else:
                pending.append(open_resolution(reference))
        return pending, external, unknown

    def _handed_over(self, query: Query, claims: Claims) -> list[Reference]:
        """Return the pointers in quoted and cited lines whose sentence leaves the matter to what they point at."""
        ranking = Ranking(asked_stems(query.text), [])
        return [
            part
            for c in (*claims.quoted, *claims.cited)
            for p in pointers_in(c.document, c.lines, self._references_in, ranking)
            if p.defers and p.score >= NEAR_THE_QUESTION
            for part in split_by_labels(p.reference, c.document)
        ]


def _between(query: Query) -> str:
    return "\n" if query.shape in _LINES else " "


class _Listening:
    """Hears the pieces of a reply and tells each claim that is complete and stands, as it is shown in the answer."""

    _NONE = re.compile(r'"status"\s*:\s*"not_found"')
    _CLAIMS = re.compile(r'"claims"\s*:\s*\[')
    _BETWEEN = re.compile(r"[\s,]*")
    _read = json.JSONDecoder(strict=False).raw_decode

    def __init__(self, fresh: Callable[[], Claims], heard: Callable[[str], None], between: str) -> None:
        self._fresh = fresh
        self._heard = heard
        self._separator = between
        self._begin()

    def _begin(self) -> None:
        self._claims = self._fresh()
        self._text, self._at, self._told = "", -1, ""

    def __call__(self, piece: str) -> None:
        """Hear a piece; "" says that the reply begins anew."""
        if not piece:
            if self._told:
                self._heard("")
            self._begin()
            return
        self._text += piece
        if self._at < 0 and (begins := self._CLAIMS.search(self._text)) and not self._NONE.search(self._text):
            self._at = begins.end()
        while self._at >= 0 and (claim := self._next()) is not None:
            if told := self._claims.add(claim):
                self._tell(self._separator + told if self._told else told)

    def ends_with(self, text: str) -> None:
        """Tell the answer where it is not what was told, as when no claim stands."""
        if text != self._told:
            if self._told:
                self._heard("")
            self._tell(text)

    def _tell(self, piece: str) -> None:
        self._told += piece
        self._heard(piece)

    def _next(self) -> Claim | None:
        """Return the next claim that is complete, or None."""
        between = self._BETWEEN.match(self._text, self._at)
        start = between.end() if between else self._at
        if self._text[start : start + 1] != "{":
            return None
        try:
            value, self._at = self._read(self._text, start)
        except (ValueError, RecursionError):
            return None
        return claim_of(value)


def _borne_out(draft: Draft, claims: Claims) -> tuple[Completeness, list[str]]:
    """Return what the answer is as far as its claims stand, and what is to be said of it."""
    if draft.status is Says.NOT_FOUND:
        return Completeness.NOT_FOUND, []
    if not claims.shown:
        return Completeness.NOT_FOUND, [] if draft.claims else [
            f"the model says {draft.status} and claims nothing"
        ]
    if draft.status is Says.CONFLICT and len(set(claims.rests_on)) < 2:
        return Completeness.PARTIAL, [
            "the model speaks of a conflict, and the evidence bears out one side only"
        ]
    if claims.dropped and draft.status is Says.ANSWERED:
        return Completeness.PARTIAL, []
    return COMPLETENESS[draft.status], []


def _conditions(draft: Draft, evidence: Evidence, claims: Claims) -> list[Condition]:
    """Return the conditions in the cited lines, and those the model names that stand, each once; none without a claim."""
    found = [c for cited in claims.cited for c in conditions_in(cited.document, cited.lines)]
    for document, lines in _standing(draft.conditions if claims.shown else (), evidence):
        found += conditions_in(document, lines) or [
            Condition(text=joined(document, lines), at=_origin(document, lines))
        ]
    return each_once(found)


def _standing(quotes: Sequence[Quoted], evidence: Evidence) -> list[tuple[Document, Span]]:
    """Return where those of the quotes stand that do."""
    return [
        (piece.document, one.lines)
        for quoted in quotes
        if (piece := evidence.get(quoted.evidence)) is not None
        for one in ground(quoted.quote, piece.document, piece.spans)
    ]


def _definitions(draft: Draft, evidence: Evidence) -> list[DefinedTerm]:
    """Return the terms that the model uses as they are defined, where the words that define them stand and name them."""
    found: dict[tuple[str, str, int], DefinedTerm] = {}
    for named in draft.definitions:
        for document, lines in _standing([Quoted(evidence=named.evidence, quote=named.quote)], evidence)[:1]:
            text, term = joined(document, lines), on_one_line(named.term, LONGEST_TERM)
            if skeleton_of(term) and skeleton_of(term) in skeleton_of(text):
                at = _origin(document, lines)
                found.setdefault(
                    (skeleton_of(term), at.source, at.line), DefinedTerm(term=term, text=text, at=at)
                )
    return list(found.values())


def _origin(document: Document, lines: Span) -> Origin:
    return origin(document, Point(doc=document.id, line=lines.start, char_start=0, char_end=1))


def _without_claims(text: str, completeness: Completeness) -> Answer:
    return Answer(text=text, citations=(), pending=(), completeness=completeness, when_settled=completeness)


def _same_place(a: Point, b: Point) -> bool:
    return a.doc == b.doc and a.overlaps(b)
