"""What stands where: our items against the typed anchors of the files, our sections against their bookmarks.

*Recall*: the share of anchors (bookmarks) for which we have an item (section) of that kind and label (of that title) on that
page. *Precision*: of our labelled items (sections) in the documents that have such anchors of that kind, the share that an
anchor (bookmark) names. A thing may begin on the page after its anchor, so a page more or less is the same.

The label of an anchor is the number that its text begins with, else the one in its name ("figure.10.16"); anchors without a
number are not asked for. An equation's name counts other things than its printed number, so it is told by its place. Chapters,
sections and appendices are one kind here: all of them are sections of ours. Sections finer than the finest bookmark of their
document are not asked for, since the file says nothing of them.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from deref.evaluate.references.squash import squash
from deref.text.labels import normalize_label
from deref.values import Document, ItemKind, Section

_SECTIONAL = frozenset({"section", "chapter", "part", "appendix"})
_LABEL = re.compile(
    r"\s*(?:(?P<word>chapter|section|appendix|part|table|figure|fig\.|tab\.)\s+)?(?P<label>[A-Z]?\d+(?:[.-]\d+)*[a-z]?|[A-Z](?:\.\d+)+|(?(word)[A-Z]|(?!)))(?=[\s.:—–]|$)",
    re.IGNORECASE,
)
_NAME = re.compile(r"(?:sub)*(?:section|chapter|appendix|figure|table)\.(?P<label>(?:[A-Z]|\d+)(?:\.\d+)*)$")
_SAME_HEIGHT_PT = 40.0

Places = set[tuple[str, int]]
"""Labels with the page they stand on."""


@dataclass(slots=True)
class Registered:
    """`wanted` places of the file, `met` by ours; `ours` in those documents, `named` by the file. Misses in words."""

    wanted: int = 0
    met: int = 0
    ours: int = 0
    named: int = 0
    missing: list[str] = field(default_factory=list)
    surplus: list[str] = field(default_factory=list)

    @property
    def recall(self) -> float | None:
        """Met of wanted."""
        return self.met / self.wanted if self.wanted else None

    @property
    def precision(self) -> float | None:
        """Named of ours."""
        return self.named / self.ours if self.ours else None

    def want(self, met: bool, said: str) -> None:
        """Count a place of the file."""
        self.wanted += 1
        self.met += met
        if not met:
            self.missing.append(said)

    def have(self, named: bool, said: str) -> None:
        """Count a place of ours."""
        self.ours += 1
        self.named += named
        if not named:
            self.surplus.append(said)


def anchors_against(
    rows: Sequence[Mapping[str, Any]], documents: Mapping[str, Document]
) -> dict[str, Registered]:
    """Return, by kind, how our registry compares with typed anchors."""
    by_kind: dict[str, dict[str, list[Mapping[str, Any]]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        if row.get("doc") in documents and isinstance(row.get("page"), int):
            kind = "section" if row["kind"] in _SECTIONAL else str(row["kind"])
            by_kind[kind][str(row["doc"])].append(row)
    results: dict[str, Registered] = {}
    for kind, by_doc in sorted(by_kind.items()):
        result = results[f"{kind} anchors"] = Registered()
        for name, mine in sorted(by_doc.items()):
            if kind == "equation":
                _equations(result, documents[name], mine)
            else:
                wanted = {(label, int(row["page"])) for row in mine if (label := _label_of(row)) is not None}
                _compare(result, name, kind, wanted, _ours(documents[name], kind))
    return results


def _ours(document: Document, kind: str) -> Places:
    kinds = _SECTIONAL if kind == "section" else {kind}
    found = [(i.label, i.lines.start) for i in document.items if i.kind.value in kinds]
    if kind == "section":
        found += [(s.label, s.lines.start) for s in document.sections if _is_asked(s)]
    return {(label.casefold(), document.lines[line].page) for label, line in found if label is not None}


def _is_asked(section: Section) -> bool:
    return section.label is not None and "(" not in section.label


def _compare(result: Registered, name: str, kind: str, wanted: Places, ours: Places) -> None:
    for label, page in sorted(wanted):
        result.want(_near(label, page, ours), f"{name} p. {page}: {kind} {label}")
    finest = max((_depth(label) for label, _ in wanted), default=0)
    for label, page in sorted(ours):
        if _depth(label) <= finest:
            result.have(_near(label, page, wanted), f"{name} p. {page}: {kind} {label}")


def _equations(result: Registered, document: Document, rows: Sequence[Mapping[str, Any]]) -> None:
    ours = [document.lines[i.lines.start] for i in document.items if i.kind is ItemKind.EQUATION]
    placed = {(line.page, line.box.top if line.box else 0.0) for line in ours}
    wanted = {(int(row["page"]), float(row.get("y") or 0.0)) for row in rows}
    for page, y in sorted(wanted):
        met = any(page == at and abs(y - top) <= _SAME_HEIGHT_PT for at, top in placed)
        result.want(met, f"{document.name} p. {page}: equation at {y:.0f} pt")
    for page, top in sorted(placed):
        named = any(page == at and abs(y - top) <= _SAME_HEIGHT_PT for at, y in wanted)
        result.have(named, f"{document.name} p. {page}: equation at {top:.0f} pt")


def _near(label: str, page: int, places: Places) -> bool:
    return any((label, at) in places for at in (page, page - 1, page + 1))


def _depth(label: str) -> int:
    return label.count(".") + 1


def outline_against(
    rows: Sequence[Mapping[str, Any]], documents: Mapping[str, Document]
) -> dict[str, Registered]:
    """Return how our sections compare with bookmarks, under "section bookmarks"; empty without bookmarks."""
    by_doc: dict[str, list[tuple[str, int]]] = defaultdict(list)
    for row in rows:
        if row.get("doc") in documents and isinstance(row.get("page"), int):
            by_doc[str(row["doc"])].append((str(row.get("title") or ""), int(row["page"])))
    if not by_doc:
        return {}
    result = Registered()
    for name, marks in sorted(by_doc.items()):
        document = documents[name]
        titles = _titles(document)
        for title, page in marks:
            met = any((squash(title), at) in titles for at in (page, page - 1, page + 1))
            result.want(met, f"{name} p. {page}: {title}")
        labels = {(label, page) for title, page in marks if (label := _label_of({"text": title})) is not None}
        known = {squash(title) for title, _ in marks}
        finest = max((_depth(label) for label, _ in labels), default=0)
        for section in document.sections:
            label = (section.label or "").casefold()
            if not _is_asked(section) or _depth(label) > finest:
                continue
            page = document.lines[section.lines.start].page
            named = _near(label, page, labels) or any(words in known for words in _spelled(section))
            result.have(named, f"{name} p. {page}: {label} {section.title}")
    return {"section bookmarks": result}


def _titles(document: Document) -> Places:
    found: Places = set()
    for section in document.sections:
        first = document.lines[section.lines.start]
        found |= {(words, first.page) for words in (*_spelled(section), squash(first.text))}
    for item in document.items:
        words = squash(f"{item.kind.value} {item.label or ''} {item.caption}")
        found.add((words, document.lines[item.lines.start].page))
    return found


def _spelled(section: Section) -> tuple[str, ...]:
    label, title = section.label or "", section.title
    return squash(title), squash(f"{label} {title}"), squash(f"{section.word or ''} {label} {title}")


def _label_of(row: Mapping[str, Any]) -> str | None:
    match = _LABEL.match(str(row.get("text") or "")) if "*" not in str(row.get("name") or "") else None
    match = match or _NAME.match(str(row.get("name") or ""))
    return normalize_label(match["label"]).casefold() if match else None
