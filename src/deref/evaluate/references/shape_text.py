"""Texts with labels that count rows and characters: `refs` with `line`, `char` and `tgt_line`, rows 1-based.

`tgt_doc` is another file where there is one, else the target is in the same text. A row without a target leaves the set when
its kind says so ("…_external", "external"), else it is dangling. Rows with a `status` count when that is resolved or external.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from deref.errors import DamagedFile
from deref.evaluate.references.labelled import Goal, LabelledSet, Mention, Truth, Where
from deref.evaluate.references.rows import Row, digest
from deref.evaluate.references.shape_common import is_address, known, number, plain, sources

_OUTSIDE = "_external"
_RELATIVE = "_relative"


def read_text(folder: Path, path: Path, rows: Sequence[Row]) -> LabelledSet:
    """Return the set. Raises NoSuchSource, DamagedFile."""
    files = sources(folder / "docs")
    names = frozenset(f.name for f in files)
    mentions, left_out = [], Counter[str]()
    for row in rows:
        if row.get("toc"):
            continue
        kind = row.needed("kind")
        if row.get("status") not in (None, "resolved", "external"):
            left_out[f"{kind}, {row['status']}"] += 1
        elif kind == "external" and (
            is_address(row.word("text")) or not any(map(str.isdigit, row.word("text")))
        ):
            left_out["address or name"] += 1
        else:
            mentions.append(_mention(row, kind, names))
    return LabelledSet(
        name=folder.name,
        digest=digest(path),
        sources=files,
        mentions=tuple(mentions),
        left_out=left_out,
        texts={f.name: plain(f.data) for f in files},
    )


def _mention(row: Row, kind: str, names: frozenset[str]) -> Mention:
    doc = known(row, "doc", names)
    at, offset = row.count("line"), row.count("char")
    if at is None or offset is None:
        raise DamagedFile(f"{row.path}, line {row.number}: line and char must be numbers; add them")
    outside = kind == "external" or kind.endswith(_OUTSIDE) or row.get("status") == "external"
    target = row.count("tgt_line")
    reached = known(row, "tgt_doc", names) if row.get("tgt_doc") and not outside else doc
    label = number(row)
    named = kind.removesuffix(_OUTSIDE)
    if named.endswith(_RELATIVE):
        named = f"relative {named.removesuffix(_RELATIVE)}"
    truth = Truth.EXTERNAL if outside else Truth.DANGLING if target is None else Truth.PLACE
    where = (
        Where.OUTSIDE
        if outside
        else Where.NOWHERE
        if target is None
        else Where.HERE
        if reached == doc
        else Where.ACROSS
    )
    goals = (
        (
            Goal(
                doc=reached,
                kind=named,
                label=label,
                row=target,
                text=row.word("tgt_text"),
                whole=named == "document",
            ),
        )
        if truth is Truth.PLACE
        else ()
    )
    return Mention(
        number=row.number, doc=doc, kind=named, text=row.word("surface") or row.word("text"), before=row.word("before"),
        after=row.word("after"), label=label, sub=row.word("sub") or row.word("suffix") or None, offset=offset,
        rows=(at, at + 1), truth=truth, where=where, goals=goals,
        contained=True if kind.endswith(_OUTSIDE) else None,
    )  # fmt: skip
