"""The running text of a Word paragraph as it is shown: insertions in, deletions and hidden text out.

Collects into one block, with the places of bookmarks, fields, hyperlinks, note marks, page turns and bold text.
Text boxes are set aside and come after the paragraph they hang on.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from deref.parse.docx_fields import Field, target_of
from deref.parse.docx_names import R, W, child_value, is_on
from deref.parse.docx_package import Relation
from deref.parse.docx_styles import Styles
from deref.parse.flow import Block
from deref.values import LinkSource

_MOST_OPEN = 32
"""Fields that are open at once. They nest a few deep; more have lost their ends, and all are looked at with each piece of text."""
_QUOTED = re.compile(r"[\"“]([^\"“”]{2,80})[\"”]")
_PASSED_OVER = frozenset(
    W + name
    for name in (
        "del",
        "moveFrom",
        "pPr",
        "rPr",
        "sdtPr",
        "sdtEndPr",
        "instrText",
        "delText",
        "delInstrText",
        "tblPr",
        "proofErr",
        "rubyPr",
        "rt",
        "commentReference",
    )
)
_ALTERNATE = "{http://schemas.openxmlformats.org/markup-compatibility/2006}AlternateContent"
_MATH = "{http://schemas.openxmlformats.org/officeDocument/2006/math}t"


@dataclass(slots=True)
class Shared:
    """What all paragraphs of one document share: styles, relations, notes met so far, open fields."""

    styles: Styles
    relations: dict[str, Relation]
    rendered_breaks: bool
    note_number: Callable[[str, str], str]
    fields: list[Field] = field(default_factory=list)

    @property
    def in_contents(self) -> bool:
        """Whether the text at hand is the result of a table of contents."""
        return any(f.shown and f.is_contents for f in self.fields)


@dataclass(slots=True)
class Runs:
    """Collects the text of one block. `plain` counts characters that are not bold; `after_mark` drops leading space; `contents` tells
    that some of the text is part of a table of contents.
    """

    shared: Shared
    boxes: list[Any] = field(default_factory=list)
    plain: int = 0
    after_mark: bool = False
    contents: bool = False
    _parts: list[str] = field(default_factory=list)
    _size: int = 0
    _links: list[tuple[int, int, str, LinkSource]] = field(default_factory=list)
    _anchors: list[tuple[int, str]] = field(default_factory=list)
    _turns: list[int] = field(default_factory=list)
    _bold: list[tuple[int, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        for open_field in self.shared.fields:
            open_field.start = 0

    @property
    def size(self) -> int:
        """The number of characters so far."""
        return self._size

    def put(self, text: str, *, bold: bool = False) -> None:
        """Add text."""
        if self.after_mark:
            text = text.lstrip()
            self.after_mark = not text
        if not text:
            return
        self.contents = self.contents or self.shared.in_contents
        if bold:
            self._bold.append((self._size, self._size + len(text)))
        elif not text.isspace():
            self.plain += len(text)
        self._parts.append(text)
        self._size += len(text)

    def anchor(self, name: str) -> None:
        """Let a name stand for the text that follows."""
        self._anchors.append((self._size, name))

    def turn(self) -> None:
        """Begin a new page here."""
        self._turns.append(self._size)

    def link(self, start: int, href: str, source: LinkSource) -> None:
        """Make what was added since `start` a link."""
        if self._size > start:
            contents = self.shared.in_contents
            self._links.append((start, self._size, href, LinkSource.CONTENTS if contents else source))

    def block(self) -> Block:
        """Return what was collected."""
        text = "".join(self._parts)
        return Block(
            text=text,
            links=self._links,
            anchors=self._anchors,
            turns=self._turns,
            terms=list(self._terms(text)),
        )

    def _terms(self, text: str) -> list[tuple[int, int, str]]:
        """A term in quotes that is bold inside a paragraph that is not is being defined."""
        if not self._bold or not self.plain:
            return []
        marked = bytearray(len(text))
        for a, b in self._bold:
            marked[a:b] = b"\1" * (b - a)
        return [
            (m.start(), m.end(), " ".join(m.group(1).split()))
            for m in _QUOTED.finditer(text)
            if all(marked[n] or text[n].isspace() for n in range(m.start(1), m.end(1)))
        ]

    def read(self, element: Any, *, bold: bool) -> None:
        """Add what an element of a paragraph shows; `bold` is what its style says."""
        for child in element:
            tag = child.tag
            if not isinstance(tag, str) or tag in _PASSED_OVER:
                continue
            if tag == f"{W}r":
                self._run(child, bold)
            elif tag == f"{W}hyperlink":
                self._hyperlink(child, bold)
            elif tag == f"{W}fldSimple":
                start = self._size
                self.read(child, bold=bold)
                if target := target_of(child.get(f"{W}instr", "")):
                    self.link(start, *target)
            elif tag == f"{W}bookmarkStart":
                if (name := child.get(f"{W}name", "")) and name != "_GoBack":
                    self.anchor(name)
            elif tag == _ALTERNATE:
                self._alternate(child, bold)
            elif tag == _MATH:
                self.put(child.text or "")
            elif tag == f"{W}txbxContent":
                self.boxes.append(child)
            else:
                self.read(child, bold=bold)

    def _hyperlink(self, element: Any, bold: bool) -> None:
        start = self._size
        self.read(element, bold=bold)
        place = element.get(f"{W}anchor", "")
        relation = self.shared.relations.get(element.get(f"{R}id", ""))
        href = (relation.target if relation else "") + (f"#{place}" if place else "")
        if href:
            self.link(start, href, LinkSource.ANCHOR)

    def _alternate(self, element: Any, bold: bool) -> None:
        """The same thing told twice, for new and for old readers: the first telling is enough."""
        for choice in element:
            self.read(choice, bold=bold)
            return

    def _run(self, run: Any, bold: bool) -> None:
        properties = run.find(f"{W}rPr")
        if is_on(properties, "vanish"):
            return
        own = is_on(properties, "b")
        style = child_value(properties, "rStyle")
        heavy = own if own is not None else bold or (style is not None and self.shared.styles.of(style).bold)
        for child in run:
            self._piece(child, heavy)

    def _piece(self, child: Any, bold: bool) -> None:
        tag = child.tag.rpartition("}")[2] if isinstance(child.tag, str) else ""
        if tag == "fldChar":
            self._field_char(child)
        elif tag == "instrText":
            if self.shared.fields and not self.shared.fields[-1].shown:
                self.shared.fields[-1].instruction += child.text or ""
        elif tag == "lastRenderedPageBreak":
            self.turn()
        elif not all(f.shown for f in self.shared.fields):
            return  # part of an instruction, which nobody sees
        elif tag == "t":
            self.put(child.text or "", bold=bold)
        elif tag in ("tab", "ptab"):
            self.put("\t")
        elif tag in ("br", "cr"):
            self._break(child)
        elif tag == "noBreakHyphen":
            self.put("\u2011", bold=bold)
        elif tag == "sym":
            self.put(_symbol(child.get(f"{W}char", "")), bold=bold)
        elif tag in ("footnoteReference", "endnoteReference"):
            self._note(child, tag.removesuffix("Reference"))
        elif tag not in ("delText", "softHyphen", "rPr", "annotationRef"):
            self._inside(child, bold)

    def _inside(self, element: Any, bold: bool) -> None:
        """Look for text boxes and other content inside a drawing or picture."""
        if element.tag == _ALTERNATE:
            self._alternate(element, bold)
        elif element.tag == f"{W}txbxContent":
            self.boxes.append(element)
        elif isinstance(element.tag, str):
            self.read(element, bold=bold)

    def _break(self, element: Any) -> None:
        if element.get(f"{W}type") == "page":
            if not self.shared.rendered_breaks:
                self.turn()
        elif element.get(f"{W}type") != "column":
            self.put("\n")

    def _note(self, element: Any, kind: str) -> None:
        mark = self.shared.note_number(kind, element.get(f"{W}id", ""))
        start = self._size
        self.put(f"[{mark}]")
        self.link(start, f"#{kind} {mark}", LinkSource.ANCHOR)

    def _field_char(self, element: Any) -> None:
        kind = element.get(f"{W}fldCharType")
        fields = self.shared.fields
        if kind == "begin":
            fields.append(Field())
            del fields[:-_MOST_OPEN]
        elif kind == "separate" and fields:
            fields[-1].show(self._size)
        elif kind == "end" and fields:
            ended = fields.pop()
            target = target_of(ended.instruction)
            if ended.shown and target:
                self.link(ended.start, *target)


def _symbol(code: str) -> str:
    """Return a character of a symbol font; those in the private area have no text of their own and stand as a dot."""
    try:
        value = int(code, 16)
    except ValueError:
        return ""
    return chr(value) if 32 < value < 0xD800 else "\u2022"
