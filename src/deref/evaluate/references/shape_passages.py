"""Rulebooks kept as passages (`docs/N.json`: ID, PassageID, Passage), rendered to the texts they were cut from.

A passage becomes a paragraph that begins with the number it prints: the last part of its PassageID ("13.177.(2)" prints
"(2)", "Part 13.177." prints "177.", "8.6.2" prints "8.6.2"). A passage without words, or one that only its parts show, lends its
number to the next one, as a rulebook prints "1.1.1 (1) …"; "Guidance" stands on a row of its own. The title is the one in `document_names.json`, with the
house abbreviation in brackets where the names hold one; a file is called by the name there that is a file name.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from deref.errors import DamagedFile, NoSuchSource
from deref.evaluate.references.labelled import Goal, LabelledSet, Mention, Source, Truth, Where
from deref.evaluate.references.rows import Row, digest, read_json
from deref.evaluate.references.shape_common import number
from deref.evaluate.references.squash import squash
from deref.text.labels import normalize_label

_PART = re.compile(
    r"[A-Za-z]{2,} ?\d+[A-Z]?(?=\.|$)|Guidance|(?:[A-Z]\.?)?\d+[A-Z]?(?:\.\d+[A-Z]?)*\)?|\([^()\s]{1,6}\)",
    re.ASCII,
)
_FILE_NAME = re.compile(r"^\w+_VER[\d.]+\w*$", re.ASCII)
_ESCAPED = re.compile(r"\\'([0-9a-f]{2})")
"""A sign as RTF writes it, which the names were taken from."""
_SEVERAL = re.compile(r" (?:to|and|or) |[–-]")
_NUMBER = re.compile(r"[A-Z]?\d+(?:\.\d+)+", re.ASCII)
_NOTE = re.compile(r" - \d+$")
"""What the labels add to a range, to tell which member of it is meant."""
_HOUSE = re.compile(r"^[A-Z]{2,6}$")


@dataclass(frozen=True, slots=True)
class Book:
    """A rulebook: the file that it is rendered to, its text, and the 1-based rows (half-open) of each passage.

    `rows` are by the id of the passage, `printed` by its PassageID (the first that has it).
    """

    name: str
    text: str
    rows: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    printed: Mapping[str, tuple[int, int]] = field(default_factory=dict)

    def place(self, identity: str, passage: str) -> tuple[int, int] | None:
        """Return the rows of a passage, or None."""
        return self.rows.get(identity) or self.printed.get(passage)


def read_passages(folder: Path, path: Path, rows: Sequence[Row]) -> LabelledSet:
    """Return the set. Raises NoSuchSource, DamagedFile."""
    books = books_of(folder)
    left_out = Counter[str]()
    mentions = []
    for row in rows:
        mention = _mention(row, books)
        if mention is None:
            left_out["target passage not in the set"] += 1
        else:
            mentions.append(mention)
    return LabelledSet(
        name=folder.name,
        digest=digest(path),
        sources=tuple(Source(name=b.name, data=b.text.encode()) for b in books.values()),
        mentions=tuple(mentions),
        left_out=left_out,
        texts={b.name: b.text for b in books.values()},
    )


def books_of(folder: Path) -> dict[str, Book]:
    """Return the rulebooks of a set by the name of their file of passages. Raises NoSuchSource, DamagedFile."""
    named = folder / "document_names.json"
    names = read_json(named) if named.is_file() else {}
    files = sorted((folder / "docs").glob("*.json"))
    if not files:
        raise NoSuchSource(f"{folder / 'docs'}: no file of passages is in it")
    return {file.name: _book(file, names) for file in files}


def _mention(row: Row, books: Mapping[str, Book]) -> Mention | None:
    home = books.get(row.needed("doc"))
    at = home.rows.get(row.needed("src_id")) if home is not None else None
    if home is None or at is None:
        raise DamagedFile(
            f"{row.path}, line {row.number}: the set has no passage {row.get('src_id')!r} in {row['doc']!r}"
        )
    outside = row.word("type") == "Outsource"
    target = books.get(row.word("tgt_doc"))
    place = target.place(row.word("tgt_id"), row.word("tgt_passage")) if target is not None else None
    if not outside and place is None:
        return None
    kind = row.needed("kind")
    text = _as_written(_NOTE.sub("", row.word("text")), home.text.split("\n")[at[0] - 1 : at[1] - 1])
    label = (label_of(row.word("tgt_passage")) if _SEVERAL.search(row.word("text")) else None) or number(row)
    goals: tuple[Goal, ...] = ()
    if not outside and target is not None and place is not None:
        goals = (Goal(doc=target.name, kind=kind, label=label, row=place[0], text=row.word("tgt_text")),)
    return Mention(
        number=row.number, doc=home.name, kind="rule or section", text=text, before=row.word("before"),
        after=row.word("after"), label=label, rows=at, goals=goals, truth=Truth.EXTERNAL if outside else Truth.PLACE,
        where=Where.OUTSIDE if outside else Where.HERE if row.get("same_doc") else Where.ACROSS,
    )  # fmt: skip


def _as_written(text: str, passage: Sequence[str]) -> str:
    """The words of a label as the passage has them: those who labelled put a range in words of their own now and then."""
    first = _NUMBER.search(text)
    written = squash("".join(passage))
    return (
        first.group() if first and squash(text) not in written and squash(first.group()) in written else text
    )


def _book(file: Path, names: Any) -> Book:
    passages = read_json(file)
    if not isinstance(passages, list):
        raise DamagedFile(f"{file}: must be a list of passages")
    known = names.get(file.stem, []) if isinstance(names, dict) else []
    title = title_of([str(n) for n in known]) or file.stem
    lines, held = [title, ""], ""
    seen: set[str] = set()
    rows: dict[str, tuple[int, int]] = {}
    named: dict[str, tuple[int, int]] = {}
    for n, passage in enumerate(passages, start=1):
        if not isinstance(passage, dict) or not all(
            isinstance(passage.get(k), str) for k in ("ID", "PassageID", "Passage")
        ):
            raise DamagedFile(f"{file}, passage {n}: must be an object with ID, PassageID and Passage")
        printed = printed_number(passage["PassageID"])
        text = passage["Passage"].strip().split("\n") if passage["Passage"].strip() else []
        begins = len(lines) + 1
        above = passage["PassageID"].rstrip(".").rpartition(".")[0]
        if printed[:1] == "(" and above and above not in seen and not held:
            held = f"{printed_number(above)} "
        seen.update((above, passage["PassageID"].rstrip(".")))
        if printed.startswith("Guidance"):
            lines += [f"{held}{printed}".strip(), *text, ""]
            held = ""
        elif not text:
            held += f"{printed} "
        else:
            lines += [f"{held}{printed} {text[0]}".strip(), *text[1:], ""]
            held = ""
        rows[passage["ID"]] = (begins, max(len(lines) + 1, begins + 1))
        named.setdefault(passage["PassageID"], rows[passage["ID"]])
    if held:
        lines += [held.strip(), ""]
    stem = next((str(n) for n in known if _FILE_NAME.match(str(n))), file.stem)
    return Book(f"{stem}.txt", "\n".join(lines) + "\n", rows, named)


def title_of(names: Sequence[str]) -> str:
    """Return the title among the names of a document: its longest name, the house abbreviation in brackets behind it."""
    words = [
        _ESCAPED.sub(lambda m: bytes([int(m[1], 16)]).decode("cp1252", "replace"), n)
        for n in names
        if not _FILE_NAME.match(n)
    ]
    title = max(words, key=len, default="")
    house = next((n for n in words if _HOUSE.match(n)), None)
    return f"{title} ({house})" if house and house not in title else title


def label_of(identity: str) -> str | None:
    """Return the label of a passage as other passages write it: "92(3)" for "Part 8.92.(3)"; None for guidance and words."""
    parts = _PART.findall(identity)
    if ".".join(parts) != identity.rstrip("."):
        return None
    counted = parts[max((n for n, part in enumerate(parts) if part[:2].isalpha()), default=-1) + 1 :]
    # A closing bracket alone, as in "187)", is a way to print the number.
    written = "".join(part if part.startswith("(") else part.rstrip(")") for part in counted)
    return normalize_label(written).casefold() or None


def printed_number(identity: str) -> str:
    """Return what a rulebook prints before a passage of this PassageID: the last part of it; all of it when it has no parts."""
    parts = _PART.findall(identity)
    if ".".join(parts) != identity.rstrip("."):
        return identity
    return f"{parts[-1]}{'.' if identity.endswith('.') else ''}"
