"""The four steps of `ingest` for plain text, small and picklable, with files that fail on demand."""

from __future__ import annotations

import os
from functools import partial

from deref.errors import DamagedFile, EncryptedFile
from deref.index.chunk import chunk as cut
from deref.values import Document, Line, Parsed, Reference

chunk = partial(cut, max_tokens=60)
SUFFIXES = frozenset([".txt", ".md"])


def parse(data: bytes, *, doc: str, name: str, password: str | None = None) -> Parsed:
    """Read UTF-8 text. The first word may ask for a failure."""
    word = data.split(b" ", 1)[0]
    if word == b"DAMAGED":
        raise DamagedFile(f"{name}: is cut short; get it again")
    if word == b"SECRET" and password != "sesame":
        raise EncryptedFile(f"{name}: needs a password; give it with --password")
    if word == b"UNNAMED" and name.endswith(".txt"):
        raise DamagedFile(f"{name}: is no text; give it its true ending")
    if word == b"FAULTY":
        raise KeyError("nobody thought of this")
    if word == b"DEADLY":
        os._exit(9)
    lines = data.decode("utf-8", "replace").split("\n")
    return Parsed(
        format="text",
        lines=tuple(
            Line(doc=doc, n=n, page=1, row=n + 1, text=text, starts_block=True)
            for n, text in enumerate(lines)
        ),
    )


def structure(parsed: Parsed, *, doc: str, name: str) -> Document:
    """Make a document without sections."""
    return Document(
        id=doc,
        name=name,
        title=parsed.lines[0].text,
        aliases=(name.rsplit(".", 1)[0],),
        lines=parsed.lines,
        sections=(),
        items=(),
        links=(),
        fingerprint="test",
    )


def find(document: Document) -> tuple[Reference, ...]:
    """Find nothing."""
    return ()
