"""A container that is itself a link: "section 4 of the [Heads](heads-of-terms.md)". Its target file is where labels are counted.

The link covers the container of the reference, or stands right behind the labels, joined by "of", "in", "under" or "to".
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from deref.references.native import readable, unquote
from deref.references.outcome import Missing, Where
from deref.references.view import View, called
from deref.text.lazy import lazy
from deref.values import Document, Link, Reference, Span, Status, Tier

_JOINED = lazy(r",?\s*(?:of|in|under|to)\s+(?:the\s+)?")


def linked_container(
    view: View, home: Document, reference: Reference, by_line: Mapping[int, Sequence[Link]]
) -> Where | Missing | None:
    """Return the document behind a linked container, EXTERNAL when the shelf has no such file; None without such a link."""
    link = _on_container(home, reference, by_line)
    if link is None or isinstance(link.target, Span):
        return None
    path = link.target.partition("#")[0].partition("?")[0].rstrip("/")
    found = view.names.file(unquote(re.split(r"[/\\]", path)[-1])) if path else ()
    document = view.document(found[0]) if len(found) == 1 else None
    if document is None:
        return Missing(status=Status.EXTERNAL, tier=Tier.LINK, why=f"its link leaves the shelf for {readable(link.target)}") if path else None  # fmt: skip
    if document.id == home.id:
        return None
    return Where(
        document=document, tier=Tier.LINK, said=f"{called(document)}, where the link goes", outside=True
    )


def _on_container(home: Document, reference: Reference, by_line: Mapping[int, Sequence[Link]]) -> Link | None:
    at = reference.at
    text = home.lines[at.last_line].text
    for link in by_line.get(at.last_line, ()):
        start = link.at.char_start
        if link.at.line != at.last_line or isinstance(link.target, Span):
            continue
        if reference.container is None:
            if start >= at.char_end and _JOINED.fullmatch(text, at.char_end, start):
                return link
        elif at.char_end - len(reference.container) <= start < at.char_end and text.startswith(
            reference.container.strip("[]"), start + (text[start : start + 1] == "[")
        ):
            return link
    return None
