"""What stands where: our items against the typed anchors of the files, our sections against their bookmarks.

*Recall*: the share of anchors (bookmarks) for which we have an item (section) of that kind and label (of that title) on that
page. *Precision*: of our labelled items (sections) in the documents that have such anchors of that kind, the share that an
anchor (bookmark) names. A thing may begin on the page after its anchor, so a page more or less is the same.

Sections that are finer than the finest numbered bookmark of their document are not asked for: the file says nothing of them.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from deref.evaluate.references.squash import squash
from deref.text.labels import normalize_label
from deref.values import Document

_SECTIONAL = frozenset({"section", "chapter", "part", "appendix"})
_LABEL = re.compile(
    r"^\s*(?:(?:chapter|section|appendix|part|table|figure|fig\.|tab\.)\s+)?\(?([A-Z]?\d+(?:[.-]\d+)*[a-z]?|[A-Z](?:\.\d+)*|[IVXLC]+)\)?(?=[\s.:—–-]|$)",
    re.IGNORECASE,
)


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


def anchors_against(
    rows: Sequence[Mapping[str, Any]], documents: Mapping[str, Document]
) -> dict[str, Registered]:
    """Return, by kind, how our registry compares with typed anchors."""
    wanted: dict[str, dict[str, set[tuple[str, int]]]] = defaultdict(lambda: defaultdict(set))
    for row in rows:
        label = _label_of(str(row.get("text") or ""))
        if label and row.get("doc") in documents and isinstance(row.get("page"), int):
            wanted[str(row["kind"])][str(row["doc"])].add((label, int(row["page"])))
    results: dict[str, Registered] = {}
    for kind, by_doc in sorted(wanted.items()):
        result = results[f"{kind} anchors"] = Registered()
        for name, places in by_doc.items():
            document = documents[name]
            ours = set(_ours(document, kind))
            named = {(label, page) for texts in wanted.values() for label, page in texts.get(name, ())}
            wide = ours if kind not in _SECTIONAL else {p for k in _SECTIONAL for p in _ours(document, k)}
            _compare(result, name, kind, places, wide, ours, named if kind in _SECTIONAL else places)
    return results


def _ours(document: Document, kind: str) -> list[tuple[str, int]]:
    items = [i for i in document.items if i.kind.value == kind and i.label is not None]
    found = [(str(i.label).casefold(), document.lines[i.lines.start].page) for i in items if document.lines]
    if kind == "section":
        found += [
            (str(s.label).casefold(), document.lines[s.lines.start].page)
            for s in document.sections
            if s.label and s.word in (None, "section")
        ]
    elif kind in _SECTIONAL:
        found += [
            (str(s.label).casefold(), document.lines[s.lines.start].page)
            for s in document.sections
            if s.label and s.word in (kind, None)
        ]
        if kind != "section":
            # A bare heading number is a section as well as a chapter: it is counted once, as a section.
            found = [
                f
                for f in found
                if any(s.word == kind and str(s.label).casefold() == f[0] for s in document.sections)
                or any(str(i.label).casefold() == f[0] for i in items)
            ]
    return found


def _compare(
    result: Registered, name: str, kind: str, places: set[tuple[str, int]], wide: set[tuple[str, int]],
    ours: set[tuple[str, int]], named: set[tuple[str, int]],
) -> None:  # fmt: skip
    for label, page in sorted(places):
        result.wanted += 1
        if _near(label, page, wide):
            result.met += 1
        else:
            result.missing.append(f"{name} p. {page}: {kind} {label}")
    finest = max((_depth(label) for label, _ in named), default=0)
    for label, page in sorted(ours):
        if _depth(label) > finest:
            continue
        result.ours += 1
        if _near(label, page, named):
            result.named += 1
        else:
            result.surplus.append(f"{name} p. {page}: {kind} {label}")


def _near(label: str, page: int, places: set[tuple[str, int]]) -> bool:
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
    for name, marks in by_doc.items():
        document = documents[name]
        titles: dict[str, set[int]] = defaultdict(set)
        for section in document.sections:
            page = document.lines[section.lines.start].page
            titles[squash(section.title)].add(page)
            titles[squash(document.lines[section.lines.start].text)].add(page)
            if section.label:
                titles[squash(f"{section.label} {section.title}")].add(page)
                titles[squash(f"{section.word or ''} {section.label} {section.title}")].add(page)
        for item in document.items:
            page = document.lines[item.lines.start].page
            titles[squash(f"{item.kind.value} {item.label or ''} {item.caption}")].add(page)
        for title, page in marks:
            result.wanted += 1
            if any(at in titles.get(squash(title), ()) for at in (page, page - 1, page + 1)):
                result.met += 1
            else:
                result.missing.append(f"{name} p. {page}: {title}")
        _sections_named(result, name, document, marks)
    return {"section bookmarks": result}


def _sections_named(
    result: Registered, name: str, document: Document, marks: Sequence[tuple[str, int]]
) -> None:
    known = {squash(title) for title, _ in marks}
    labels = {(label, page) for title, page in marks if (label := _label_of(title))}
    finest = max((_depth(label) for label, _ in labels), default=0)
    for section in document.sections:
        label = section.label.casefold() if section.label else None
        if label is None or "(" in label or _depth(label) > finest:
            continue
        page = document.lines[section.lines.start].page
        result.ours += 1
        spelled = (
            squash(section.title),
            squash(f"{label} {section.title}"),
            squash(f"{section.word or ''} {label} {section.title}"),
        )
        if _near(label, page, labels) or any(s in known for s in spelled):
            result.named += 1
        else:
            result.surplus.append(f"{name} p. {page}: {label} {section.title}")


def _label_of(text: str) -> str | None:
    match = _LABEL.match(text)
    return normalize_label(match.group(1)).casefold() if match else None
