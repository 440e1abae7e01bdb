"""What the readers of all shapes share: the documents of a set, and the labels of its rows."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from deref.errors import DamagedFile, NoSuchSource
from deref.evaluate.references.labelled import Source
from deref.evaluate.references.rows import Row
from deref.evaluate.references.squash import squash
from deref.parse import SUFFIXES
from deref.text.labels import normalize_label

_ABSOLUTE = re.compile(r"(?:https?:|www\.|mailto:)", re.IGNORECASE)


def sources(folder: Path) -> tuple[Source, ...]:
    """Return the documents in a folder of a set, by name. Raises NoSuchSource."""
    if not folder.is_dir():
        raise NoSuchSource(f"{folder}: no such folder; the documents of a set stand there")
    try:
        found = tuple(
            Source(name=path.name, data=path.read_bytes())
            for path in sorted(folder.iterdir())
            if path.suffix.lower() in SUFFIXES and path.is_file()
        )
    except OSError as error:
        raise NoSuchSource(f"{error.filename}: cannot be read ({error.strerror})") from error
    if not found:
        raise NoSuchSource(f"{folder}: no document that Deref reads is in it")
    return found


def known(row: Row, key: str, names: Iterable[str]) -> str:
    """Return the file name in a field of a row. Raises DamagedFile when the set has no such document."""
    name = row.needed(key)
    if name not in names:
        raise DamagedFile(
            f"{row.path}, line {row.number}: {key} is {name!r}, and the set has no such document"
        )
    return name


def number(row: Row) -> str | None:
    """Return the number that a row gives, in normal form; None when it has none.

    A "T" taken from "Chapter Two" is none: the number must stand in the words.
    """
    value = row.get("num")
    if value is None:
        return None
    words = row.word("mention") or row.word("surface") or row.word("text")
    given = str(value)
    if not re.search(rf"(?<![^\W_]){re.escape(given)}(?![^\W_])", words) and len(given) == 1:
        return None
    return normalize_label(given).casefold() or None


def names_itself(row: Row) -> bool:
    """Tell whether a link is the number at the head of the thing it goes to: a heading or caption that links to itself."""
    target = squash(row.word("tgt_text"))
    written = squash(row.word("text") + row.word("after"))
    return (
        bool(row.get("same_doc"))
        and len(target) > len(squash(row.word("text")))
        and written.startswith(target[:40])
    )


def is_address(text: str) -> bool:
    """Tell whether the words of a link are the address it goes to."""
    return bool(_ABSOLUTE.match(text.strip()))


def plain(data: bytes) -> str:
    """Return the text whose characters and rows a set counts: UTF-8, every line end one sign."""
    return data.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
