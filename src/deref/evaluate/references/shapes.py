"""A folder → labelled sets. Which reader takes it is told by the files and fields that are there, never by its name.

| there is | it is read as |
|---|---|
| `docs/*.json` of passages, `refs` with `src_id` and `tgt_id` | passages, rendered to texts (`shape_passages`) |
| `refs` with `page`, `bbox`, `tgt_page` | PDFs with links (`shape_pdf`), with `anchors`, `outline`, `xdoc` beside it |
| `refs` with `tgt_anchor` | web pages with links (`shape_html`); with `txt_line`, the texts in `txt/` are a second set |
| `refs` with `line`, `char`, `tgt_line` | texts (`shape_text`) |
| `other/*.facts.json` with `cross_references` | documents that name each other (`shape_facts`) |
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from deref.errors import NoSuchSource, UsageError
from deref.evaluate.references.labelled import LabelledSet
from deref.evaluate.references.rows import Row, read_rows, table
from deref.evaluate.references.shape_facts import facts_files, read_facts
from deref.evaluate.references.shape_html import read_html, read_texts_of_html
from deref.evaluate.references.shape_passages import read_passages
from deref.evaluate.references.shape_pdf import read_pdf
from deref.evaluate.references.shape_text import read_text


def folders(data: Path, names: Sequence[str]) -> list[Path]:
    """Return the folders of the sets asked for, in order of name; all that are sets when none is named.

    `data` holds the sets, or is one. Raises NoSuchSource, UsageError.
    """
    if not data.is_dir():
        raise NoSuchSource(f"{data}: no such folder; --data takes the folder that holds the sets")
    if names:
        for name in names:
            if not (data / name).is_dir():
                raise UsageError(f"--set {name}: no such folder in {data}")
            if not _is_set(data / name):
                raise UsageError(
                    f"--set {name}: {data / name} has neither refs.jsonl nor other/*.facts.json with cross_references"
                )
        return [data / name for name in sorted(set(names))]
    if _is_set(data):
        return [data]
    found = sorted(path for path in data.iterdir() if path.is_dir() and _is_set(path))
    if not found:
        raise NoSuchSource(f"{data}: no folder in it has refs.jsonl; docs/evaluation.md tells what a set is")
    return found


def _is_set(folder: Path) -> bool:
    return table(folder, "refs.jsonl") is not None or bool(facts_files(folder))


def read_sets(folder: Path) -> list[LabelledSet]:
    """Return the sets of a folder: one, or two where the same references are there in web pages and in texts.

    Raises NoSuchSource, DamagedFile.
    """
    path = table(folder, "refs.jsonl")
    if path is None:
        return [read_facts(folder)]
    rows = read_rows(path)
    fields = _fields(rows)
    if {"src_id", "tgt_id"} <= fields:
        return [read_passages(folder, path, rows)]
    if {"page", "bbox", "tgt_page"} <= fields:
        return [read_pdf(folder, path, rows)]
    if "tgt_anchor" in fields:
        first = read_html(folder, path, rows)
        return [first, read_texts_of_html(folder, path, rows)] if "txt_line" in fields else [first]
    if {"line", "char", "tgt_line"} <= fields:
        return [read_text(folder, path, rows)]
    raise NoSuchSource(
        f"{path}: rows with the fields {', '.join(sorted(fields)) or 'none'} are of no known shape; docs/evaluation.md tells them"
    )


def _fields(rows: Sequence[Row]) -> set[str]:
    return {key for row in rows for key in row}
