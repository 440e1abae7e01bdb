"""Web pages whose own links are the labels: `refs` with the file and anchor of the target.

Where the rows say on which row of a text the same mention stands (`txt_line`), the texts in `txt/` make a second set: same
references, targets told by their headings. A link under "Section 8.1" whose target is not that heading (`num_match` false) aims at
something inside that section. A target that the pages leave may be among the texts.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from deref.evaluate.references.labelled import NUMBERED, Goal, LabelledSet, Mention, Truth, Where
from deref.evaluate.references.rows import Row, digest
from deref.evaluate.references.shape_common import is_address, known, names_itself, number, plain, sources

_TOLD = NUMBERED | {"citation", "extdoc"}
_SECTIONAL = frozenset({"section", "chapter", "appendix", "part"})
_OF_ANOTHER = re.compile(r"[\s\])]*(?:,? ?(?:and|or) \S+ )?(?:of|in) (?:\[|RFC|the [A-Z])")


def read_html(folder: Path, path: Path, rows: Sequence[Row]) -> LabelledSet:
    """Return the set of the pages. Raises NoSuchSource, DamagedFile."""
    files = sources(folder / "docs")
    mentions, left_out = _mentions(rows, {Path(f.name).stem: f.name for f in files}, pages=True)
    return LabelledSet(
        name=folder.name, digest=digest(path), sources=files, mentions=tuple(mentions), left_out=left_out
    )


def read_texts_of_html(folder: Path, path: Path, rows: Sequence[Row]) -> LabelledSet:
    """Return the set of the same references in `txt/`. Raises NoSuchSource, DamagedFile."""
    files = sources(folder / "txt")
    here = [row for row in rows if row.get("txt_line") is not None]
    mentions, left_out = _mentions(here, {Path(f.name).stem: f.name for f in files}, pages=False)
    return LabelledSet(
        name=f"{folder.name} txt",
        digest=digest(path),
        sources=files,
        mentions=tuple(mentions),
        left_out=left_out,
        texts={f.name: plain(f.data) for f in files},
    )


def _mentions(
    rows: Sequence[Row], by_stem: dict[str, str], *, pages: bool
) -> tuple[list[Mention], Counter[str]]:
    mentions, left_out = [], Counter[str]()
    for row in rows:
        kind = row.needed("kind")
        if row.get("toc"):
            continue
        if kind not in _TOLD or (kind in NUMBERED and row.get("num") is None) or is_address(row.word("text")):
            left_out[kind] += 1
            continue
        if row.get("anchor_found") is False:
            left_out["link to an anchor that is not there"] += 1
            continue
        if kind in NUMBERED and names_itself(row):
            left_out[f"{kind}, its own heading or caption"] += 1
            continue
        mention = _mention(row, kind, by_stem)
        at = row.count("txt_line")
        if not pages and at is not None:
            mention = replace(mention, rows=(at - 1, at + 3))
        mentions.append(mention)
    return mentions, left_out


def _mention(row: Row, kind: str, by_stem: dict[str, str]) -> Mention:
    stem = Path(row.needed("doc")).stem
    doc = by_stem.get(stem) or known(row, "doc", by_stem.values())
    target = row.word("tgt_doc")
    reached = by_stem.get(Path(target).stem if target else "")
    label = number(row) if kind in NUMBERED else None
    goals: tuple[Goal, ...] = ()
    if reached is not None:
        goals = (
            Goal(
                doc=reached, kind=kind, label=label, anchor=row.word("tgt_anchor") or None,
                text=row.word("tgt_text"), whole=kind not in NUMBERED and not row.word("tgt_text"),
            ),
        )  # fmt: skip
    if kind not in NUMBERED:
        goals += _documents_named(row.word("text"), by_stem, doc)
    where = Where.OUTSIDE if not goals else Where.HERE if reached == doc else Where.ACROSS
    if where is Where.HERE and kind in _SECTIONAL and row.get("num_match") is False:
        where = Where.INSIDE
        goals = tuple(replace(goal, inside=True) for goal in goals)
    return Mention(
        number=row.number, doc=doc, kind=kind, text=row.word("text"), before=row.word("before"), after=row.word("after"),
        label=label, goals=goals, truth=Truth.PLACE if goals else Truth.EXTERNAL, where=where,
        external_too=kind not in NUMBERED,
        contained=_contained(row) if kind in NUMBERED else None,
    )  # fmt: skip


def _contained(row: Row) -> bool | None:
    if bool(row.get("same_doc")):
        return False
    return True if _OF_ANOTHER.match(row.word("after")) or " of " in row.word("text") else None


def _documents_named(text: str, by_stem: dict[str, str], doc: str) -> tuple[Goal, ...]:
    """The document of the set whose file is called what a citation says."""
    stem = re.sub(r"[^0-9A-Za-z]", "", text).casefold()
    found = by_stem.get(stem)
    return (Goal(doc=found, kind="document", whole=True),) if found is not None and found != doc else ()
