"""A trace as one HTML page that needs nothing else: the question, the answer with its citations, how each came in, and where it stands.

No script, no font, no picture from anywhere, and the page says so to the browser. What is told is what the trace has: documents and passages come
from its recording, so a trace that was broken off is told without them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import groupby
from typing import Any

from deref.cli.explain_sheets import Papers, anchors, clean, figure, sheets
from deref.cli.explain_style import STYLE
from deref.cli.streams import counted, shortened
from deref.errors import DamagedFile
from deref.text.citation_marks import citation_marks
from deref.trace.events import StageRan, plain
from deref.trace.journeys import AGAIN, journey
from deref.trace.tape import RECORDING, Recording
from deref.values import Answer, Chunk, Document

_MOST_FOUND = 12

Values = Mapping[str, Any]


def as_page(events: Sequence[Values], recording: Recording | None, papers: Papers, *, name: str) -> str:
    """Return the page of a trace. `recording` is that of the trace, None when it was broken off; `name` is the file.

    Raises DamagedFile for events whose fields are not those of their kind.
    """
    try:
        return "".join(_Page(events, recording, papers, name).parts())
    except (LookupError, TypeError, AttributeError, ValueError, ArithmeticError) as error:
        raise DamagedFile(
            f"{name}: an event has other fields than it should ({error}); write the trace anew with `deref ask … --trace FILE`"
        ) from error


class _Page:
    """What the trace says, and the parts of the page in order."""

    def __init__(
        self, events: Sequence[Values], recording: Recording | None, papers: Papers, name: str
    ) -> None:
        self.events = [e for e in events if e["kind"] not in ("header", RECORDING)]
        self.header, self.papers, self.name = events[0], papers, name
        self.documents: dict[str, Document] = {}
        self.chunks: dict[str, Chunk] = {}
        if recording is not None:
            self.documents = {d.id: d for d in recording.kept.of_type("document.Document")}
            self.chunks = {c.id: c for c in recording.kept.of_type("document.Chunk")}
        self.started: Values | None = next((e for e in self.events if e["kind"] == "run_started"), None)
        self.answer = _answer_of(self.events, recording)
        self.typed = " ".join(str(recording.asked["text"]).split()) if recording is not None else ""
        self.failed = (
            recording.ended if recording is not None and isinstance(recording.ended, tuple) else None
        )
        self.sheets = sheets(self.answer["citations"], self.documents) if self.answer else []

    def parts(self) -> Iterator[str]:
        """Yield the page."""
        question = self.typed or (self.started or {}).get("query", {}).get(
            "text", "a question that was not begun"
        )
        yield '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        yield '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        yield "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; style-src 'unsafe-inline'\">\n"
        yield f"<title>{clean(question)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n"
        yield from self._head(question)
        if self.answer is not None:
            yield from self._answered(self.answer)
        elif self.failed is not None:
            yield f'<div class="answer"><p>The question ended in an error: {clean(self.failed[1])}</p></div>\n'
        else:
            yield '<div class="answer"><p>The question was broken off before it was answered.</p></div>\n'
        yield from self._went()
        yield from self._foot()

    # The question and the answer

    def _head(self, question: str) -> Iterator[str]:
        yield f'<p class="over">Deref · how this answer came about</p>\n<h1 dir="auto">{clean(question)}</h1>\n<ul class="meta">\n'
        if self.answer is not None:
            yield f"<li>{_badge(self.answer['completeness'])}</li>\n"
        query = self.started["query"] if self.started else {"shape": "question"}
        yield f"<li>asked {datetime.fromtimestamp(self.header['at'], UTC):%Y-%m-%d %H:%M} UTC</li>\n"
        yield f"<li>read as a {clean(query['shape'])} question</li>\n"
        if query.get("filter"):
            yield f"<li>only where <b>{clean(query['filter'])}</b></li>\n"
        finished = next((e for e in self.events if e["kind"] == "run_finished"), None)
        if finished is not None:
            passes = f"{finished['passes']} pass{'es' * (finished['passes'] != 1)}"
            yield f"<li>{clean(passes)}, {finished['seconds'] * 1000:.0f} ms</li>\n"
        yield "</ul>\n"
        if self.started and query["text"] != question:
            yield f'<p class="why">Understood as <q dir="auto">{clean(query["text"])}</q></p>\n'
        if query.get("history"):
            asked = "".join(f'<li dir="auto">{clean(q)}</li>\n' for q in query["history"])
            yield f'<details class="more"><summary>Asked before</summary><ol>\n{asked}</ol></details>\n'

    def _answered(self, answer: Values) -> Iterator[str]:
        yield '<h2>Answer</h2>\n<div class="answer">'
        yield f'<p dir="auto">{"".join(_with_links(answer))}</p></div>\n'
        yield from _listed(
            "Amended",
            [
                f'<a class="cite" href="#c{a["amended"]}">[{a["amended"]}]</a> by <a class="cite" href="#c{a["amending"]}">[{a["amending"]}]</a>'
                for a in answer.get("amendments", ())
            ],
        )
        yield from _listed(
            "Holds on condition",
            [f"<q>{clean(c['text'])}</q> {_at(_origin(c['at']))}" for c in answer["conditions"]],
        )
        yield from _listed(
            "As defined",
            [
                f"<b>{clean(d['term'])}</b>: {clean(d['text'])} {_at(_origin(d['at']))}"
                for d in answer["definitions"]
            ],
        )
        yield from _listed("Still open", [self._pointer(r) for r in answer["pending"]])
        yield from _listed("Off the shelf", [self._pointer(r) for r in answer["external"]])
        yield from _listed("Followed and not quoted", [self._pointer(r) for r in answer.get("unquoted", ())])
        yield from _listed("Note", [clean(problem) for problem in answer["problems"]])
        if answer["citations"]:
            to_page = anchors(self.sheets)
            yield "<h2>Quoted</h2>\n"
            for n, citation in enumerate(answer["citations"], start=1):
                yield _cited(n, citation, to_page.get(n))
        if self.sheets:
            yield "<h2>Where it stands</h2>\n"
            for sheet in self.sheets:
                yield figure(sheet, self.documents[sheet.doc], self.papers)

    def _pointer(self, resolution: Values) -> str:
        """Return a reference with what became of it, where it stands, and why."""
        reference = resolution["reference"]
        tier = f" (tier: {clean(resolution['tier'])})" if resolution["tier"] else ""
        place = self._place(reference["at"]["doc"], reference["at"]["line"])
        return (
            f'<q class="pointer">{clean(reference["text"])}</q> {_badge(resolution["status"])}{_at(place)}'
            f'<p class="why">{clean(resolution["why"])}{tier}</p>'
        )

    def _place(self, doc: str, line: int) -> str:
        document = self.documents.get(doc)
        if document is None or line >= len(document.lines):
            return ""
        at = document.lines[line]
        return f"{document.name}, p. {at.page}, l. {at.row}"

    # How it went

    def _went(self) -> Iterator[str]:
        yield "<h2>How it came about</h2>\n"
        yield from self._found()
        for n, about in groupby(self._of_passes(), key=lambda one: one[0]):
            yield f'<section class="pass">\n<h3>Pass {n + 1}</h3>\n'
            for _, event in about:
                yield from self._told(event)
            yield "</section>\n"
        yield from _listed(
            "Degraded or left out",
            [clean(e["what"]) for e in self.events if e["kind"] in ("degraded", "left_out")],
        )
        yield from self._stages()

    def _of_passes(self) -> Iterator[tuple[int, Values]]:
        """Yield the events of the loop, each with the number of its pass."""
        n = 0
        for event in self.events:
            if event["kind"] in ("pass_written", "decided"):
                n = event["n"]
                yield n, event
            elif event["kind"] == "pursued":
                yield n, event

    def _told(self, event: Values) -> Iterator[str]:
        match event["kind"]:
            case "pass_written":
                followed = [p for p in event["passages"] if p["arrived"] == "reference"]
                yield f"<p>The writer ({clean(event['writer'])}) read {counted(len(event['passages']), 'passage')}"
                yield f", {len(followed)} of them by reference" * bool(followed)
                yield f"; its answer is {_badge(event['answer']['completeness'])}.</p>\n"
                if followed:
                    whys = dict.fromkeys(p["why"] for p in followed)
                    yield "<ul>" + "".join(f'<li class="why">{clean(why)}</li>' for why in whys) + "</ul>\n"
            case "decided":
                yield f'<p>Decided: {_badge(event["verdict"])} <span class="why">{clean(event["why"])}</span></p>\n'
            case _:
                sign = (
                    '<span class="sign yes">→</span>'
                    if event["followed"]
                    else '<span class="sign no">✗</span>'
                )
                said = dict(event["resolution"]) | {"why": event["why"]}
                yield f'<div class="hop">{sign}<div>{self._pointer(said)}{self._targets(event["resolution"])}</div></div>\n'

    def _targets(self, resolution: Values) -> str:
        told = []
        for target in resolution["targets"]:
            spans = target["focus"] or [target["lines"]]
            place = self._place(spans[0]["doc"], spans[0]["start"])
            called = " ".join(
                filter(None, (target["kind"], target["label"], target["title"] and f"“{target['title']}”"))
            )
            told.append(f"<li>{clean(called)}{place and f': {clean(place)}'}</li>")
        return f'<ul class="why">{"".join(told)}</ul>' if told else ""

    def _found(self) -> Iterator[str]:
        stages = [e for e in self.events if e["kind"] == "stage_ran"]
        outer = [e for e in stages if not e["stage"].startswith(AGAIN)]
        if not outer:
            return
        ran = [
            StageRan(
                stage=e["stage"], before=tuple(e["before"]), after=tuple(e["after"]), seconds=e["seconds"],
                note=e["note"], why=e["why"],
            )
            for e in stages
        ]  # fmt: skip
        ids = outer[-1]["after"]
        yield f'<details class="more" open><summary>{counted(len(ids), "passage")} found, best first</summary>\n<ol class="plain">\n'
        for n, chunk in enumerate(ids[:_MOST_FOUND], start=1):
            steps = "; ".join(step.told() for step in journey(chunk, ran))
            yield f'<li><span class="n">{n}</span>{self._passage(chunk)}<p class="why">{clean(steps)}</p></li>\n'
        yield "</ol></details>\n"
        for event in self.events:
            if event["kind"] == "retried":
                yield f"<p>Asked again as <q>{clean(event['question'])}</q>: the {clean(event['kept'])} attempt was kept, {clean(event['why'])}.</p>\n"

    def _passage(self, chunk: str) -> str:
        found = self.chunks.get(chunk)
        if found is None:
            return f"<b>{clean(chunk)}</b>"
        place = self._place(found.lines.doc, found.lines.start) or found.id
        return f"<b>{clean(place)}</b> {clean(shortened(found.path, 90))}<p>{clean(shortened(found.text, 200))}</p>"

    def _stages(self) -> Iterator[str]:
        stages = [e for e in self.events if e["kind"] == "stage_ran"]
        if not stages:
            return
        yield '<details class="more"><summary>Each stage of the search</summary>\n<div class="table"><table>\n'
        yield '<tr><th>stage</th><th class="num">passages</th><th>what changed</th><th class="num">ms</th></tr>\n'
        for e in stages:
            yield f'<tr><td>{clean(e["stage"])}</td><td class="num">{len(e["after"])}</td><td>{clean(e["note"])}</td>'
            yield f'<td class="num">{e["seconds"] * 1000:.1f}</td></tr>\n'
        yield "</table></div></details>\n"

    def _foot(self) -> Iterator[str]:
        yield "</main>\n<footer>\n"
        if self.started is not None:
            told = [
                f"{name} {value}"
                for group in ("versions", "fingerprints")
                for name, value in self.started[group].items()
            ]
            yield f"<p>Library {clean(self.started['library'])} · {clean(' · '.join(told))}</p>\n"
        yield f"<p>From the trace {clean(self.name)}, of schema {clean(self.header['schema'])}, written by <code>deref explain --html</code>.</p>\n"
        yield "</footer>\n</body>\n</html>\n"


def _with_links(answer: Values) -> Iterator[str]:
    """Yield the text of an answer with a link for each citation; a number that the document has itself stays a word."""
    text, at = answer["text"], 0
    for start, end, number in citation_marks(text, [c["quote"] for c in answer["citations"]]):
        yield f'{clean(text[at:start])}<a class="cite" href="#c{number}">{clean(text[start:end])}</a>'
        at = end
    yield clean(text[at:])


def _answer_of(events: Sequence[Values], recording: Recording | None) -> Values | None:
    """Return the answer that was given, JSON-ready; the last one written where the question was broken off."""
    if recording is not None and isinstance(recording.ended, Answer):
        given: Values = plain(recording.ended)
        return given
    return next(
        (e["answer"] for e in reversed(events) if e["kind"] in ("run_finished", "pass_written")), None
    )


def _cited(n: int, citation: Values, page: str | None) -> str:
    lines = f"l. {citation['row']}" + (
        f"–{citation['end_row']}" if citation["end_row"] != citation["row"] else ""
    )
    if citation["end_page"] != citation["page"]:
        lines = f"l. {citation['row']} to p. {citation['end_page']}, l. {citation['end_row']}"
    place = f"<b>{clean(citation['source'])}</b>, p. {clean(citation['page'])}, {clean(lines)}"
    if page is not None:
        place = f'<a href="#{page}">{place}</a>'
    section = f' <span class="at">{clean(citation["section"])}</span>' if citation["section"] else ""
    origin = citation["referenced_from"]
    how = "found by the question"
    if origin is not None:
        how = f'followed from <q class="pointer">{clean(citation["reference"])}</q>{_at(_origin(origin))}'
    return (
        f'<article id="c{n}">\n<h3><span class="n">[{n}]</span>{place}{section}</h3>\n'
        f'<blockquote dir="auto">{clean(citation["quote"])}</blockquote>\n<p class="why">{how}</p>\n</article>\n'
    )


def _listed(title: str, rows: Sequence[str]) -> Iterator[str]:
    if rows:
        yield (
            f'<h2>{title}</h2>\n<ul class="plain">\n'
            + "".join(f"<li>{row}</li>\n" for row in rows)
            + "</ul>\n"
        )


def _origin(origin: Values) -> str:
    return f"{origin['source']}, p. {origin['page']}, l. {origin['row']}"


def _at(place: str) -> str:
    return f' <span class="at">{clean(place)}</span>' if place else ""


def _badge(word: str) -> str:
    kind = re.sub(r"[^a-z_]", "", word)
    return f'<span class="badge {kind}">{clean(word.replace("_", " "))}</span>'
