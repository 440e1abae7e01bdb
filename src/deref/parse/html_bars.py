"""Bars that lead from page to page ("Next: …, Previous: …, Up: …"): told by links that say so themselves, whatever the tool.

Such a link has a `rel` or an access key for going on, back or up, or is titled so. A bar is the widest element around it
that says hardly anything beside such links.
"""

from __future__ import annotations

import re
from typing import Any

_WAYS = frozenset(
    ["next", "prev", "previous", "up", "first", "last", "start", "top", "home", "contents", "toc", "index"]
)
_KEYS = frozenset("npu")
_TITLED = re.compile(r"(?:next|previous|up|beginning of|cover|fast)\b", re.IGNORECASE)
_MAY_BE_BARS = frozenset(
    [
        "p",
        "div",
        "ul",
        "ol",
        "li",
        "dl",
        "dd",
        "span",
        "small",
        "center",
        "table",
        "tbody",
        "thead",
        "tr",
        "td",
        "th",
        "b",
        "font",
        "header",
        "footer",
    ]
)
_NEVER_IN_ONE = ("h1", "h2", "h3", "h4", "h5", "h6", "pre", "dt")
_HIGHEST = 6
_MOST_WORDS_BESIDE = 60  # characters


def bars(root: Any) -> frozenset[Any]:
    """Return the elements under `root` that are such bars, none inside another."""
    found: set[Any] = set()
    for link in root.iter("a"):
        if not _leads(link) or any(parent in found for parent in link.iterancestors()):
            continue
        bar = None
        for level, parent in enumerate(link.iterancestors()):
            if level == _HIGHEST or parent is root or parent.tag not in _MAY_BE_BARS or not _is_bar(parent):
                break
            bar = parent
        if bar is not None:
            found.difference_update([e for e in found if bar in e.iterancestors()])
            found.add(bar)
    return frozenset(found)


def _leads(link: Any) -> bool:
    if not link.get("href"):
        return False
    rel, key, title = link.get("rel"), link.get("accesskey"), link.get("title")
    if rel and not _WAYS.isdisjoint(rel.lower().split()):
        return True
    return bool(key and key.lower() in _KEYS) or bool(title and _TITLED.match(title))


def _is_bar(element: Any) -> bool:
    """Whether an element holds no more than a few words beside links that lead from page to page."""
    beside = 0
    for node in element.iter():  # comments as well: what follows one is text
        if node.tag in _NEVER_IN_ONE:
            return False
        if (
            node.text
            and isinstance(node.tag, str)
            and not any(_leads(a) for a in (node, *node.iterancestors("a")) if a.tag == "a")
        ):
            beside += len(node.text.strip())
        if node is not element and node.tail and not any(_leads(a) for a in node.iterancestors("a")):
            beside += len(node.tail.strip())
        if beside > _MOST_WORDS_BESIDE:
            return False
    return True
