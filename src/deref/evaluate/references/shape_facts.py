"""Documents that name each other: `other/*.facts.json` with `cross_references` (`from`, `to`, `kind`, `cue`, `dangling`)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from deref.errors import DamagedFile
from deref.evaluate.references.labelled import Goal, LabelledSet, Mention, Truth, Where
from deref.evaluate.references.rows import Row, digest, read_json
from deref.evaluate.references.shape_common import known, sources


def facts_files(folder: Path) -> list[Path]:
    """Return the files of facts in a folder that hold cross-references."""
    found = sorted((folder / "other").glob("*.facts.json")) if (folder / "other").is_dir() else []
    return [path for path in found if _rows(path)]


def _rows(path: Path) -> list[Any]:
    value = read_json(path)
    rows = value.get("cross_references", []) if isinstance(value, dict) else []
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise DamagedFile(f"{path}: cross_references must be a list of objects")
    return rows


def read_facts(folder: Path) -> LabelledSet:
    """Return the set. Raises NoSuchSource, DamagedFile."""
    files = sources(folder / "docs")
    paths = facts_files(folder)
    names = frozenset(f.name for f in files)
    rows = [Row(value, path, n) for path in paths for n, value in enumerate(_rows(path), start=1)]
    return LabelledSet(
        name=folder.name,
        digest=digest(*paths),
        sources=files,
        mentions=tuple(_mention(row, n, names) for n, row in enumerate(rows, start=1)),
    )


def _mention(row: Row, identity: int, names: frozenset[str]) -> Mention:
    doc = known(row, "from", names)
    dangling = bool(row.get("dangling"))
    goals = () if dangling else (Goal(doc=known(row, "to", names), kind="document", whole=True),)
    return Mention(
        number=identity, doc=doc, kind=row.needed("kind"), text=row.needed("cue"), goals=goals,
        truth=Truth.DANGLING if dangling else Truth.PLACE, where=Where.NOWHERE if dangling else Where.ACROSS,
    )  # fmt: skip
