"""PDFs whose own links are the labels: `refs` with page and box, and what stands where in `anchors` and `outline`.

`xdoc`, where there is one, names other documents: `status` external, or `tgt_doc` a file of the set. Its rows are numbered
on from those of `refs`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from deref.errors import DamagedFile
from deref.evaluate.references.labelled import NUMBERED, Goal, LabelledSet, Mention, Truth, Where
from deref.evaluate.references.rows import Row, digest, read_rows, table
from deref.evaluate.references.shape_common import known, number, sources

_TOLD = NUMBERED | {"citation", "footnote", "page", "extdoc"}


def read_pdf(folder: Path, path: Path, rows: Sequence[Row]) -> LabelledSet:
    """Return the set. Raises NoSuchSource, DamagedFile."""
    files = sources(folder / "docs")
    names = frozenset(f.name for f in files)
    mentions, left_out = [], Counter[str]()
    for row in rows:
        if row.get("toc"):
            continue
        kind = row.needed("kind")
        if kind in _TOLD and (kind not in NUMBERED or row.get("num") is not None):
            mentions.append(_mention(row, kind, names))
        else:
            left_out[kind] += 1
    outside = table(folder, "xdoc.jsonl")
    if outside is not None:
        after = rows[-1].number if rows else 0
        mentions += [_outside(row, after + row.number, names) for row in read_rows(outside)]
    return LabelledSet(
        name=folder.name,
        digest=digest(path, *([outside] if outside else [])),
        sources=files,
        mentions=tuple(mentions),
        left_out=left_out,
        anchors=_anchors(folder),
        outline=_beside(folder, "outline.jsonl"),
    )


def _beside(folder: Path, name: str) -> tuple[Row, ...]:
    path = table(folder, name)
    return tuple(read_rows(path)) if path is not None else ()


def _anchors(folder: Path) -> tuple[Row, ...]:
    rows = _beside(folder, "anchors.jsonl")
    for row in rows:
        row.needed("kind")
        row.measure("y")
    return rows


def _mention(row: Row, kind: str, names: frozenset[str]) -> Mention:
    doc = known(row, "doc", names)
    label = number(row) if kind in NUMBERED or kind == "page" or row.word("text").startswith("[") else None
    goal = Goal(
        doc=doc, kind=kind, label=label, page=row.count("tgt_page"), y=row.measure("tgt_y"), text=row.word("tgt_text")
    )  # fmt: skip
    return Mention(
        number=row.number, doc=doc, kind=kind, text=row.word("text"), before=row.word("before"), after=row.word("after"),
        label=label, page=row.count("page"), box=_box(row), goals=(goal,), external_too=kind == "extdoc",
    )  # fmt: skip


def _box(row: Row) -> tuple[float, float, float, float]:
    box: Any = row.get("bbox")
    if not isinstance(box, list) or len(box) != 4 or not all(isinstance(x, int | float) for x in box):
        raise DamagedFile(
            f"{row.path}, line {row.number}: bbox is {box!r}; it must be four numbers in points"
        )
    return (float(box[0]), float(box[1]), float(box[2]), float(box[3]))


def _outside(row: Row, identity: int, names: frozenset[str]) -> Mention:
    doc = known(row, "doc", names)
    target = known(row, "tgt_doc", names) if row.get("tgt_doc") is not None else None
    return Mention(
        number=identity, doc=doc, kind="external document" if target is None else "document", text=row.word("text"),
        before=row.word("before"), after=row.word("after"), page=row.count("page"),
        truth=Truth.PLACE if target else Truth.EXTERNAL, where=Where.ACROSS if target else Where.OUTSIDE,
        goals=(Goal(doc=target, kind="document", whole=True),) if target else (),
    )  # fmt: skip
