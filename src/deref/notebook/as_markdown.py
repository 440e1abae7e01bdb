"""A view as Markdown: every sign that Markdown, HTML or mathematics would take for its own is escaped."""

from __future__ import annotations

import re
from collections.abc import Iterator

from deref.notebook.views import Row, View
from deref.text.hidden import on_one_line, without_hidden

_SIGNS = re.compile(r"([\\`*_{}\[\]<>()#+\-.!|~$&:=^@])")


def as_markdown(view: View) -> str:
    """Return the view as paragraphs and lists."""
    return "\n".join(_lines(view)) + "\n"


def _lines(view: View) -> Iterator[str]:
    yield f"**{_clean(view.head)}**"
    if view.text:
        yield from ("", "  \n".join(_clean(line) for line in without_hidden(view.text).splitlines()))
    for part in view.parts:
        if not part.rows:
            continue
        yield ""
        if part.title:
            yield from (f"**{_clean(part.title)}**", "")
        for row in part.rows:
            yield from _row(row)


def _row(row: Row) -> Iterator[str]:
    said = [
        f"**{_clean(row.mark)}**" if row.mark else "",
        _clean(row.place),
        f"*{_clean(row.note)}*" if row.note else "",
    ]
    head = " · ".join(part for part in said if part)
    lines = [line for line in without_hidden(row.text).splitlines() if line.strip()]
    body = "\n".join(f"  {'> ' if row.quoted else ''}{_clean(line)}  " for line in lines)
    if not head:
        yield f"- {body.lstrip()}"  # A bullet with nothing on its line holds nothing of what stands below it.
        return
    yield f"- {head}"
    if body:
        yield from ("", body, "")


def _clean(text: str) -> str:
    return _SIGNS.sub(r"\\\1", on_one_line(text))
