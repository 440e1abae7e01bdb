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
_MOST_BESIDE = 60
"""Characters."""


def bars(root: Any) -> frozenset[Any]:
    """Return the elements under `root` that are such bars; one may stand inside another."""
    links = [link for link in root.iter("a") if _leads(link)]
    beside = _beside(root) if links else {}
    found: set[Any] = set()
    for link in links:
        if any(parent in found for parent in link.iterancestors()):
            continue
        bar = None
        for level, parent in enumerate(link.iterancestors()):
            if (
                level == _HIGHEST
                or parent is root
                or parent.tag not in _MAY_BE_BARS
                or beside[parent] > _MOST_BESIDE
            ):
                break
            bar = parent
        if bar is not None:
            found.add(bar)
    return frozenset(found)


def _leads(link: Any) -> bool:
    if not link.get("href"):
        return False
    rel, key, title = link.get("rel"), link.get("accesskey"), link.get("title")
    if rel and not _WAYS.isdisjoint(rel.lower().split()):
        return True
    return bool(key and key.lower() in _KEYS) or bool(title and _TITLED.match(title))


def _beside(root: Any) -> dict[Any, int]:
    """Return how many characters each element holds beside links that lead from page to page; too many with a heading."""
    nodes = list(root.iter())
    leading: set[Any] = set()  # such links, and what is in them
    for node in nodes:
        if (node.tag == "a" and _leads(node)) or node.getparent() in leading:
            leading.add(node)
    beside = dict.fromkeys(nodes, 0)
    for node in reversed(nodes):
        if node.tag in _NEVER_IN_ONE:
            beside[node] += _MOST_BESIDE + 1
        if node.text and isinstance(node.tag, str) and node not in leading:
            beside[node] += len(node.text.strip())
        parent = node.getparent()
        if node is not root:  # What follows a comment is text as well.
            behind = node.tail if node.tail and parent not in leading else ""
            beside[parent] += beside[node] + len(behind.strip())
    return beside
