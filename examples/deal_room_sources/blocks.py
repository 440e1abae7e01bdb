"""The plain text in which the deal room is written, read into blocks.

Blocks are set apart by blank lines. The start of a block says what it is:

    # 3 Services            a heading; ## and ### are deeper; the number is the author's
    3.1 Scope. Text …       a numbered clause
    (a) text                a lettered item
    “Term” means …          a definition
    | a | b |               a row of the table that "!table widths | caption" announced in the block before
    !name rest              a directive for the writer (cover, contents, exhibit, schedule, part, columns, …)
    anything else           a paragraph

Inside a block [[key|text]] is a cross-reference; [[key]] stands for [[key|key]].
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_HEADING = re.compile(r"^(#+) (?:(\d+(?:\.\d+)*) )?(.+)$")
_CLAUSE = re.compile(r"^(\d+(?:\.\d+)*\.?) (.+)$", re.DOTALL)
_ITEM = re.compile(r"^(\([a-z]\)) (.+)$", re.DOTALL)
_REFERENCE = re.compile(r"\[\[([^]|]+)(?:\|([^]]+))?\]\]")


@dataclass(frozen=True)
class Block:
    """One block: `kind`, `level` of a heading or of a number, its `number`, its `text`, and the rows of a table."""

    kind: str
    text: str = ""
    number: str = ""
    level: int = 0
    rows: tuple[tuple[str, ...], ...] = ()
    fields: tuple[str, ...] = ()


def read(source: str) -> list[Block]:
    """Return the blocks of a source text, in order."""
    return [_block(raw.strip()) for raw in re.split(r"\n\s*\n", source) if raw.strip()]


def references(text: str) -> list[tuple[str, str | None]]:
    """Split text into (words, key): key is None for plain words, the target's key for a cross-reference."""
    out: list[tuple[str, str | None]] = []
    end = 0
    for match in _REFERENCE.finditer(text):
        out.append((text[end : match.start()], None))
        out.append((match.group(2) or match.group(1), match.group(1)))
        end = match.end()
    out.append((text[end:], None))
    return [(words, key) for words, key in out if words]


def _block(raw: str) -> Block:
    if raw.startswith("!table"):
        first, *rows = raw.splitlines()
        widths, _, caption = first.removeprefix("!table").partition("|")
        cells = tuple(tuple(cell.strip() for cell in row.strip().strip("|").split(" | ")) for row in rows)
        return Block(
            "table", text=caption.strip() or widths.strip(), fields=tuple(widths.split()), rows=cells
        )
    if raw.startswith("!"):
        name, _, rest = raw[1:].partition(" ")
        return Block(name, text=rest.strip(), fields=tuple(part.strip() for part in rest.split("|")))
    if match := _HEADING.match(raw):
        return Block("heading", text=match.group(3), number=match.group(2) or "", level=len(match.group(1)))
    if match := _ITEM.match(raw):
        return Block("item", text=match.group(2), number=match.group(1))
    if match := _CLAUSE.match(raw):
        number = match.group(1)
        return Block("clause", text=match.group(2), number=number, level=number.strip(".").count(".") + 1)
    if raw.startswith("“"):
        return Block("definition", text=raw)
    return Block("paragraph", text=raw)
