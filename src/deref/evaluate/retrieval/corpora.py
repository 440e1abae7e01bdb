"""Which documents a gold row is asked over: the name of its set and the files that it names → a folder.

Tried in this order, for a row of corpus C in the file F, with `--data DIR`:

    DIR/C/docs, DIR/C/txt, DIR/C; then docs and txt beside F and in the folders above it, up to DIR; then DIR itself;
    then docs and txt of every other set in DIR

The first folder that holds every file which the rows of F name is taken, and when none does, the first that holds them with the
folders in it; when the rows name none, the first that has documents. A name in gold may say more than the file does: "RFC 9000 - QUIC.txt" is `rfc9000.txt`, never
`rfc90001.txt`. Files of passages (JSON) are rendered to the texts they were cut from, into a folder beside the library.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path

from deref.errors import NoSuchSource
from deref.evaluate.gold import GoldRow
from deref.evaluate.references.shape_passages import Book, books_of
from deref.evaluate.references.squash import squash
from deref.parse import SUFFIXES

_DOCUMENTS = ("docs", "txt")


@dataclass(frozen=True, slots=True, kw_only=True)
class Corpus:
    """A folder of documents and the rows that are asked over it. `books` are there when passages are rendered."""

    name: str
    folder: Path
    rows: tuple[GoldRow, ...]
    books: Mapping[str, Book] = field(default_factory=dict)

    def root(self, beside: Path) -> Path:
        """Return what is to be indexed; rulebooks are rendered into a folder of their own in `beside`."""
        if not self.books:
            return self.folder
        place = beside / "rendered"
        place.mkdir(parents=True, exist_ok=True)
        for book in self.books.values():
            file = place / book.name
            if not file.is_file() or file.read_text("utf-8") != book.text:
                file.write_text(book.text, "utf-8")
        return place


def corpora(data: Path, rows: Sequence[GoldRow]) -> list[Corpus]:
    """Return the corpora that the rows are asked over, each with its rows, in order of their first row.

    Raises NoSuchSource when a row's documents are nowhere.
    """
    if not data.is_dir():
        raise NoSuchSource(
            f"{data}: no such folder; --data takes the folder that holds the sets of documents"
        )
    groups: dict[tuple[Path, str], list[GoldRow]] = {}
    for row in rows:
        groups.setdefault((row.file, row.corpus), []).append(row)
    by_folder: dict[Path, list[GoldRow]] = {}
    for (file, name), some in groups.items():
        folder = _folder_of(data, file, name, some)
        by_folder.setdefault(folder, []).extend(some)
    return [_corpus(folder, some) for folder, some in by_folder.items()]


def _corpus(folder: Path, rows: Iterable[GoldRow]) -> Corpus:
    files = _files(folder) or _files(folder, below=True)
    texts = any(not path.name.endswith(".json") for path in files)
    books = {} if texts else books_of(folder.parent)
    name = folder.name if folder.name not in _DOCUMENTS else folder.parent.name
    if folder.name == "txt":
        name += " txt"
    return Corpus(name=name, folder=folder, rows=tuple(rows), books=books)


def _named(row: GoldRow) -> set[str]:
    return {name for name in (*row.expected_sources, row.anchor_doc) if name}


def _folder_of(data: Path, file: Path, corpus: str, rows: Sequence[GoldRow]) -> Path:
    lines = {name: row.line for row in reversed(rows) for name in _named(row)}
    missing: dict[Path, list[str]] = {}
    folders = list(dict.fromkeys(_candidates(data, file, corpus)))
    for below, folder in product((False, True), folders):
        files = [path.relative_to(folder).as_posix() for path in _files(folder, below=below)]
        if files:
            missing[folder] = [name for name in lines if file_named(name, files) is None]
            if not missing[folder]:
                return folder
    told = f" of corpus {corpus!r}" if corpus else ""
    if not missing:
        raise NoSuchSource(
            f"{file}: no folder in {data} holds documents{told}; docs/evaluation.md tells where they are looked for"
        )
    folder, gone = min(missing.items(), key=lambda one: len(one[1]))
    names = ", ".join(f"{name} (line {lines[name]})" for name in sorted(gone, key=lines.__getitem__)[:3])
    raise NoSuchSource(
        f"{file}: no folder in {data} holds every file{told} that it names; the nearest is {folder}, without {names}"
        + (f" and {len(gone) - 3} more" if len(gone) > 3 else "")
        + "; docs/evaluation.md tells where documents are looked for"
    )


def _candidates(data: Path, file: Path, corpus: str) -> Iterator[Path]:
    top = data.resolve()
    if corpus:
        yield from (top / corpus / part for part in (*_DOCUMENTS, ""))
    above = [folder for folder in file.resolve().parents if folder == top or top in folder.parents]
    yield from (folder / part for folder in above for part in _DOCUMENTS)
    yield from (top / part for part in ("", *_DOCUMENTS))
    yield from (folder / part for folder in sorted(top.iterdir()) for part in _DOCUMENTS)


def _files(folder: Path, *, below: bool = False) -> list[Path]:
    """Return the files of a folder that are read; with `below`, those of the folders in it too."""
    if not folder.is_dir():
        return []
    read = (*SUFFIXES, ".json")
    every = folder.rglob("*") if below else folder.iterdir()
    return sorted(p for p in every if p.suffix.casefold() in read and p.is_file())


def file_named(said: str, files: Collection[str]) -> str | None:
    """Return the file that gold means by a name: the very name, else the only one whose name begins what was said."""
    if said in files:
        return said
    suffix, words = Path(said).suffix.casefold(), squash(Path(said).stem)
    fits = []
    for file in files:
        start = squash(Path(file).stem)
        follows = words[len(start) :][:1]
        cut = start[-1:].isdigit() and follows.isdigit()
        if start and words.startswith(start) and not cut and Path(file).suffix.casefold() == suffix:
            fits.append(file)
    return fits[0] if len(fits) == 1 else None
