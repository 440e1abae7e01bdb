"""The running text of one HTML block: white space collapsed as a browser does, with the places of links and anchors.

A space is written only when text follows it, so blocks, links and cells never end in one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from deref.parse.flow import WIDTH, Block
from deref.values import LinkSource

_SPACE = re.compile(r"[ \t\r\n\f]+")
_GAPS = ("", "\n", "\t", " ")


@dataclass(slots=True)
class Inline:
    """Collects the text of the current block. `plain` counts characters that are not bold."""

    _parts: list[str] = field(default_factory=list)
    _size: int = 0
    _space: bool = False
    _last: str = ""
    _open: list[tuple[str, int, LinkSource]] = field(default_factory=list)
    _links: list[tuple[int, int, str, LinkSource]] = field(default_factory=list)
    _anchors: list[tuple[int, str]] = field(default_factory=list)
    _terms: list[tuple[int, int, str]] = field(default_factory=list)
    _term_starts: list[int] = field(default_factory=list)
    plain: int = 0
    bold: int = 0

    @property
    def empty(self) -> bool:
        """Whether nothing has been written yet."""
        return not self._size

    @property
    def last(self) -> str:
        """The last character of the text, or ""."""
        return " " if self._space else self._last

    def text(self, text: str) -> None:
        """Add text, white space collapsed."""
        words = _SPACE.sub(" ", text)
        if not words:
            return
        if words[0] == " ":
            self._space = self._space or self._last not in _GAPS
            words = words[1:]
        if not words:
            return
        trailing = words[-1] == " "
        self._write_space()
        body = words[:-1] if trailing else words
        self._write(body)
        self.plain += 0 if self.bold else len(body)
        self._space = trailing

    def verbatim(self, text: str) -> None:
        """Add preformatted text, line breaks and all."""
        self._write_space()
        self._write(text.replace("\r\n", "\n").replace("\r", "\n"))

    def put(self, text: str) -> None:
        """Add a sign between pieces of text as it is (a cell border, a list marker); a waiting space is dropped."""
        self._space = False
        self._write(text)

    def gap(self) -> None:
        """Part what follows from what went before by a space."""
        self._space = self._space or self._last not in _GAPS

    def line_break(self) -> None:
        """Begin a new line in the same block."""
        if self._size:
            self.put("\n")

    def open_link(self, href: str, source: LinkSource) -> None:
        """Begin a link."""
        self._write_space()
        self._open.append((href, self._size, source))

    def close_link(self) -> None:
        """End the innermost link; one without text leaves nothing."""
        href, start, source = self._open.pop()
        if self._size > start:
            self._links.append((start, self._size, href, source))

    def anchor(self, name: str) -> None:
        """Let a name stand for the text that follows."""
        self._anchors.append((self._size, name))

    def open_term(self) -> None:
        """Begin a defined term."""
        self._write_space()
        self._term_starts.append(self._size)

    def close_term(self, term: str) -> None:
        """End the innermost defined term."""
        start = self._term_starts.pop()
        if self._size > start and term:
            self._terms.append((start, self._size, term))

    def take(self, *, width: int = WIDTH) -> Block:
        """Return the block so far and begin the next; links that are still open go on in it."""
        still = [(href, source) for href, _, source in self._open]
        while self._open:
            self.close_link()
        block = Block(
            text="".join(self._parts),
            links=self._links,
            anchors=self._anchors,
            terms=self._terms,
            width=width,
        )
        self._parts, self._links, self._anchors, self._terms = [], [], [], []
        self._size, self._space, self._last, self.plain = 0, False, "", 0
        self._term_starts = [0] * len(self._term_starts)
        self._open = [(href, 0, source) for href, source in still]
        return block

    def _write_space(self) -> None:
        if self._space:
            self._space = False
            self._write(" ")

    def _write(self, text: str) -> None:
        if text:
            self._parts.append(text)
            self._size += len(text)
            self._last = text[-1]
