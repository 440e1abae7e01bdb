"""What paragraph styles mean: a heading and its level, a caption, the title, an entry of the contents.

Style ids are translated with the language of the editor, names of built-in styles are not, so names decide; a style
that is none of them means what the style it is based on means.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from deref.parse.docx_names import VAL, W, child_value, is_on, number

_HEADING = re.compile(r"^heading ([1-9])$")
_DEEPEST = 64
_CODE = frozenset(("html preformatted", "code", "source code", "preformatted text"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """One style. `level` is that of a heading (1 = top); `number` is (numId, ilvl) of its automatic number, or None."""

    name: str = ""
    level: int | None = None
    number: tuple[int, int | None] | None = None
    bold: bool = False

    @property
    def is_code(self) -> bool:
        """Whether text in it is no prose."""
        return self.name in _CODE


@dataclass(slots=True)
class Styles:
    """The styles of a document by id."""

    by_id: dict[str, Style] = field(default_factory=dict)
    default: str = ""
    language: str | None = None

    def of(self, style_id: str | None) -> Style:
        """Return the style with this id; the default paragraph style for none, a blank one for an unknown id."""
        return self.by_id.get(style_id if style_id is not None else self.default, Style())


def read_styles(root: Any) -> Styles:
    """Read styles.xml; no styles when it is not there."""
    styles = Styles()
    if root is None:
        return styles
    language = root.find(f"{W}docDefaults/{W}rPrDefault/{W}rPr/{W}lang")
    styles.language = None if language is None else language.get(VAL)
    elements = {e.get(f"{W}styleId", ""): e for e in root.iter(f"{W}style")}
    for ident, element in elements.items():
        styles.by_id[ident] = _style(element, elements)
        if element.get(f"{W}type") == "paragraph" and element.get(f"{W}default") in ("1", "true"):
            styles.default = ident
    return styles


def _style(element: Any, elements: dict[str, Any]) -> Style:
    chain = list(_chain(element, elements))
    names = [(child_value(e, "name") or "").lower() for e in chain]
    levels = (_level(e, name) for e, name in zip(chain, names, strict=True))
    bold = next((b for e in chain if (b := is_on(e.find(f"{W}rPr"), "b")) is not None), False)
    known = next(
        (n for n in names if n in ("title", "caption", "bibliography") or n in _CODE or n.startswith("toc ")),
        names[0],
    )
    return Style(
        name=known,
        level=next((level for level in levels if level is not None), None) or None,
        number=next((n for e in chain if (n := numbering_of(e.find(f"{W}pPr"))) is not None), None),
        bold=bold,
    )


def _chain(element: Any, elements: dict[str, Any]) -> list[Any]:
    chain: list[Any] = []
    while element is not None and element not in chain and len(chain) < _DEEPEST:
        chain.append(element)
        element = elements.get(child_value(element, "basedOn") or "")
    return chain


def _level(element: Any, name: str) -> int | None:
    """Return the heading level a style gives itself; 0 where it says outright that it is body text."""
    if match := _HEADING.match(name):
        return int(match.group(1))
    return outline_level(element.find(f"{W}pPr"))


def outline_level(properties: Any) -> int | None:
    """Return the heading level of an outline level, 0 for body text, None when it is not set."""
    value = number(child_value(properties, "outlineLvl"))
    if value is None:
        return None
    return value + 1 if 0 <= value < 9 else 0


def numbering_of(properties: Any) -> tuple[int, int | None] | None:
    """Return (numId, ilvl) of paragraph properties, or None when they do not speak of it; numId 0 is "no number"."""
    if properties is None or properties.find(f"{W}numPr") is None:
        return None
    ident = number(child_value(properties, "numPr", "numId"))
    level = number(child_value(properties, "numPr", "ilvl"))
    return None if ident is None else (ident, level)
