"""Captions: "Table 3: …", "Figure 2-1. …", "Abb. 4 – …", at the start of a block and no sentence about the table.

A caption is a name, a number, and then a sign, a capital or nothing. "Table 3 shows …" reads on in small letters and is
a sentence; so is a name at a line start where the line before asks for it ("as listed in / Table 3.").
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from deref.quick_dataclass import dataclass
from deref.structure.look import Look, lines_of
from deref.text.labels import normalize_label
from deref.text.languages import every_language
from deref.values import ItemKind, MarkKind

_OTHER_SCRIPTS = {"table": "таблица 表", "figure": "рисунок рис. 図 图 그림"}
KINDS = {
    name: ItemKind(kind)
    for captions in (*(table.captions for table in every_language()), _OTHER_SCRIPTS)
    for kind, names in captions.items()
    for name in names.split()
}
"""Words before the number of a caption, in every language, and the kind of item they name."""
_NAME = "|".join(sorted((re.escape(n) for n in KINDS), key=len, reverse=True))
_CAPTION = re.compile(
    rf"(?P<name>{_NAME})(?:\s+|(?=\d)|(?<=[表図图그림]))(?P<label>(?:[A-Z][.\-–]?)?\d{{1,3}}(?:[.\-–]\d{{1,3}}){{0,3}}[a-z]?|[IVX]{{1,6}}|[A-Z](?:[.\-–]\d{{1,3}})?)"
    r"(?![\w(%/])(?P<sep>\s*[.:|)–—―-]*)\s*(?P<rest>.*)$",
    re.IGNORECASE,
)
_QUALIFIED = re.compile(
    r"[A-Z][a-z]+ (?P<name>example|listing|algorithm) (?P<label>\d{1,3}(?:\.\d{1,3}){0,3})(?P<sep>\s*[:.]) (?P<rest>[^a-z].*)$"
)
_KIND_NAMED = re.compile(r" (?:example|listing|algorithm) \d")
_ASKS = re.compile(
    r"(?:\b(?:in|of|for|see|and|or|to|from|by|with|the|both|per|also|than|on|as|under|via|table|figure|tables|figures|at|example|siehe|und|der|die|des|von|vgl\.|du|de|la|le|et|voir|cf\.|el|ver|véase|del|della|il|di|vedi|van|het|zie)|[,(&])$",
)
_ON_A_PAGE = re.compile(r"\((?:(?:on )?page|p\.|see|above|below)\W")
"""What a sentence says of an item that is elsewhere: "Figure 3 (page 14) shows it"."""
_CONTINUED = re.compile(r"\(?\b(?:cont(?:inued|['’]d|\.)?|fortsetzung|suite)\b\.?\)?", re.IGNORECASE)
_HEADS = frozenset(name[:2] for name in KINDS)
_FIRST = frozenset(sign for name in KINDS for sign in (name[0], name[0].upper()))
_LONGEST = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Caption:
    """A caption on lines `line` to `end` (half-open), under the word `name` in small letters.

    `continues`: of an item that was begun on a page before.
    """

    kind: ItemKind
    name: str
    label: str
    line: int
    end: int
    text: str
    continues: bool = False


def find_captions(look: Look, closed: Collection[int], headings: Collection[int]) -> list[Caption]:
    """Return the captions in order of lines. `closed` are lines of printed lists, `headings` first lines of sections."""
    marked = lines_of(look.parsed.marks, MarkKind.CAPTION)
    code = lines_of(look.parsed.marks, MarkKind.CODE)
    out: list[Caption] = []
    for n, raw in enumerate(look.texts):
        text = raw.strip("*_ ") if raw[:1] in ("*", "_") else raw
        if len(text) < 3 or (text[0].islower() and n not in marked):
            continue
        qualified = _names_kind(text[:30])
        if text[0] not in _FIRST and not qualified:
            continue
        match = (_CAPTION.match(text) if _may_begin(text) else None) or (
            _QUALIFIED.match(text) if qualified else None
        )
        if not match or n in closed or (n in code and n not in marked):
            continue
        if n not in marked and not _is_caption(look, n, match):
            continue
        name = match["name"].casefold()
        kind = KINDS[name]
        if kind == ItemKind.EXHIBIT and n in headings:
            continue
        end = _end(look, n, headings, marked)
        for label, words in _side_by_side(match):
            words = " ".join([words, *(look.texts[i] for i in range(n + 1, end))])
            caption = " ".join(words.split()).strip(" .:–—-")
            out.append(
                Caption(
                    kind=kind,
                    name=name,
                    label=normalize_label(label),
                    line=n,
                    end=end,
                    text=_CONTINUED.sub("", caption).strip(),
                    continues=bool(_CONTINUED.search(caption[:40])),
                )
            )
    return out


def _side_by_side(match: re.Match[str]) -> Iterator[tuple[str, str]]:
    """Yield the label and the words of each caption on a line: "Figure 8: Left Figure 9: Right" has two.

    A further one has the same name and sign as the first, and the number that comes next.
    """
    label, rest, sign = match["label"], match["rest"], match["sep"].strip()
    while sign:
        head = label.rstrip("0123456789")
        number = label.removeprefix(head)
        if not number:
            break
        following = f"{head}{int(number) + 1}"
        name, at, more = rest.partition(f" {match['name']} {following}{sign} ")
        if not at:
            break
        yield label, name
        label, rest = following, more
    yield label, rest


def _may_begin(text: str) -> bool:
    """Whether a text may begin with the name of an item: told by two letters, far cheaper than by all the names."""
    head = text[:2]
    return not head.isascii() or head.lower() in _HEADS


def _names_kind(head: str) -> bool:
    named = " example " in head or " listing " in head or " algorithm " in head
    return named and bool(_KIND_NAMED.search(head))


def _is_caption(look: Look, n: int, match: re.Match[str]) -> bool:
    name, label, rest, sep = match["name"], match["label"], match["rest"], match["sep"].strip()
    if (name[0].islower() and match.re is not _QUALIFIED) or not (label[0].isdigit() or label.isupper()):
        return False
    if (
        n
        and n not in look.bold
        and look.lines[n].page == look.lines[n - 1].page
        and _ASKS.search(look.texts[n - 1])
        and not (sep and look.lines[n].starts_block and look.has_sizes and not look.alike(n - 1, n))
    ):
        return False  # a pointer that a line end broke off; what is set otherwise only floats into a sentence
    block = look.lines[n].starts_block or not look.blocks
    if not block and n and look.lines[n].page == look.lines[n - 1].page:
        before = look.texts[n - 1]
        told = bool(sep) or (KINDS[name.casefold()] is ItemKind.THEOREM and rest[:1] == "(")
        if not (n in look.bold or (before[-1:] in ".!?:" and told)):
            return False
    if not rest:
        return block or n in look.bold
    if rest[0] in ",;)/]" or _ON_A_PAGE.match(rest):
        return False
    if sep in (":", "|", "–", "—", "―", "-", ".:", ".–", ".—"):
        return True
    if sep == ".":
        # A theorem is a paragraph, also where no gap tells that it begins one.
        begins = block or KINDS[name.casefold()] is ItemKind.THEOREM
        return begins and (not rest[0].islower() or n in look.bold)
    # No sign: a capital, and no verb that a sentence about the item would go on with.
    if KINDS[name.casefold()] is ItemKind.THEOREM and rest[0] == "(":
        return True
    return block and not rest[0].islower() and not _ASKS.search(match["label"]) and len(rest) < 300


def _end(look: Look, n: int, headings: Collection[int], marked: frozenset[int]) -> int:
    """Where a caption ends: at the next block, style, page or heading."""
    end = n + 1
    blocked = look.tabular
    while end < min(n + _LONGEST, len(look.lines)):
        line = look.lines[end]
        if line.starts_block or line.page != look.lines[n].page or end in headings or not look.texts[end]:
            break
        if end in blocked or not look.blocks or not (look.alike(n, end) or end in marked):
            break
        end += 1
    return end
