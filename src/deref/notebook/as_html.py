"""A view as a piece of HTML: everything escaped, no script, nothing from elsewhere.

Colours are those of what is around it, so it is dark where the notebook is. Dollar signs stand apart, or a notebook
would take what is between two of them for mathematics.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from deref.notebook.views import Part, Row, View
from deref.text.hidden import without_hidden

_LONG = 600
_STYLE = (
    ".deref{max-width:52rem;line-height:1.5;overflow-wrap:anywhere}"
    ".deref p{margin:.4em 0}"
    ".deref .deref-head{display:inline-block;font-size:.85em;font-weight:600;padding:.05em .6em;"
    "border:1.5px solid currentColor;border-radius:1em}"
    ".deref .deref-text{white-space:pre-line;font-size:1.05em}"
    ".deref .deref-title{font-weight:600;margin:1em 0 .2em;padding-bottom:.15em;border-bottom:1px solid rgba(128,128,128,.45)}"
    ".deref ul{list-style:none;margin:0;padding:0}"
    ".deref li{margin:0;padding:.4em 0;border-bottom:1px solid rgba(128,128,128,.25)}"
    ".deref li:last-child{border-bottom:0}"
    ".deref .deref-mark{font-weight:600;margin-right:.3em}"
    ".deref .deref-note{opacity:.75;font-size:.9em}"
    ".deref blockquote{margin:.3em 0 0;padding:0 0 0 .8em;border-left:3px solid rgba(128,128,128,.55);white-space:pre-wrap;"
    "color:inherit;font-size:.95em}"
    ".deref summary{cursor:pointer;font-size:.9em}"
)


def as_html(view: View) -> str:
    """Return the view as one element with its style."""
    return "".join(_pieces(view))


def _pieces(view: View) -> Iterator[str]:
    yield f'<div class="deref tex2jax_ignore mathjax_ignore"><style>{_STYLE}</style>'
    yield f'<p><span class="deref-head">{_clean(view.head)}</span></p>'
    if view.text:
        yield f'<p class="deref-text" dir="auto">{_clean(view.text)}</p>'
    for part in view.parts:
        if part.rows:
            yield from _part(part)
    yield "</div>"


def _part(part: Part) -> Iterator[str]:
    if part.title:
        yield f'<p class="deref-title">{_clean(part.title)}</p>'
    yield "<ul>"
    for row in part.rows:
        yield f"<li>{' '.join(_row(row))}</li>"
    yield "</ul>"


def _row(row: Row) -> Iterator[str]:
    if row.mark:
        yield f'<span class="deref-mark" dir="auto">{_clean(row.mark)}</span>'
    if row.place:
        yield f"<span>{_clean(row.place)}</span>"
    if row.note:
        yield f'<span class="deref-note">{_clean(row.note)}</span>'
    if not row.text:
        return
    if not row.quoted:
        yield f"<div>{_clean(row.text)}</div>"
    elif len(row.text) <= _LONG:
        yield f'<blockquote dir="auto">{_clean(row.text)}</blockquote>'
    else:
        first = row.text[:_LONG].rpartition("\n")[0] or row.text[:_LONG]
        yield f'<blockquote dir="auto">{_clean(first)}</blockquote>'
        yield f'<details><summary>all of it</summary><blockquote dir="auto">{_clean(row.text)}</blockquote></details>'


def _clean(text: str) -> str:
    return escape(without_hidden(text)).replace("$", "<span>$</span>")
