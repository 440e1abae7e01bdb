"""From a tag to a document: "[QUIC]" → the entry of that tag in the document at hand → what the entry names.

An entry names a document by a designator (RFC 9000, SP 800-53), else by the title that it quotes.
"""

from __future__ import annotations

import re
from bisect import bisect_right

from deref.references.containers import DESIGNATOR
from deref.references.outcome import Missing, Where, target, whole
from deref.references.places import Spot
from deref.references.view import View, called
from deref.text.lazy import lazy
from deref.values import Document, Item, ItemKind, Status, Tier

_QUOTED = lazy(r"[“\"](?P<title>[^”\"]{8,200})[,.]?[”\"]")
_SERIES = lazy(r"\bRFC[ -]?0*(\d{1,5})\b|\brfc0*(\d{1,5})\b")
_APART = 40
"""Lines of text that part two lists of references, each of its own part."""
_SECOND = lazy(r"(?:and|&) (?P<name>[^\W\d_][^\s,(]*)")
_NAMES = lazy(r"(?P<names>[^()\d“\"]{2,400}?)[.,]? ?\(?(?:19|20)\d\d[a-z]?(?=[.,)])")
"""The names of an entry whose year stands right behind them."""
_INITIALS_BEHIND = lazy(r", (?:[A-Z]\.[ -]?){1,4}(?=,|;| |$)")
_TITLED = lazy(r"[a-z]{2}(?<!\bal)\. ")
_PARTED = lazy(r",? (?:and|&) |[,;] ")


def entry_of(document: Document, tag: str) -> Item | None:
    """Return the first bibliography entry of a document with this tag, or None."""
    found = document.items_labelled(ItemKind.BIBLIOGRAPHY, tag)
    return found[0] if found else None


def entries_of(document: Document, tag: str, said: str) -> list[Item]:
    """Return the bibliography entries with this tag that say different things, in order.

    Of works of one first author and year those remain that have the second author too who is named in `said`, and as
    many authors as `said` tells: "Peters (2018)" has one, "Peters and Seo (2018)" two, "Peters et al. (2018)" more.
    """
    different = {i.caption: i for i in document.items_labelled(ItemKind.BIBLIOGRAPHY, tag)}
    if len(different) < 2:
        return list(different.values())
    second = _SECOND.search(said)
    named = [i for caption, i in different.items() if second is None or second.group("name") in caption]
    kept = named or list(different.values())
    counts = {i.id: _authors(i.caption) for i in kept}
    if len(kept) < 2 or None in counts.values():
        return kept
    told = [i for i in kept if _agrees(said, counts[i.id] or 0)]
    return told or kept


def _authors(entry: str) -> int | None:
    """How many authors an entry names before its year; None where the year stands elsewhere."""
    match = _NAMES.match(entry)
    names = _INITIALS_BEHIND.sub("", f"{match['names'].rstrip('., ')}.") if match else ""
    if not names or _TITLED.search(names):
        return None
    return len(_PARTED.split(names.rstrip(" .,")))


def _agrees(said: str, authors: int) -> bool:
    """Whether a citation may be of a work with so many authors. A year alone, of the same authors as before, tells nothing."""
    words = said.rstrip(")]")
    if "et al" in words:
        return authors > 2
    if _SECOND.search(words):
        return authors == 1 + len(_PARTED.findall(words.rpartition(" ")[0].rstrip(" ,(")))
    return authors == 1 or not words[:1].isalpha()


def of_its_list(home: Document, tag: str, line: int) -> Item | None:
    """Return, of the entries with one tag in several lists of references, that of the list that closes the part around `line`; else None.

    Where each chapter or issue has its own list, it is the first that begins behind the line. Lists with nothing between
    them, as of normative and informative works, belong to all of the text.
    """
    listed = [i.lines for i in home.items if i.kind is ItemKind.BIBLIOGRAPHY]
    begins = [
        lines.start for n, lines in enumerate(listed) if n == 0 or lines.start - listed[n - 1].end > _APART
    ]
    due = bisect_right(begins, line) + 1
    mine = [
        e
        for e in home.items_labelled(ItemKind.BIBLIOGRAPHY, tag)
        if bisect_right(begins, e.lines.start) == due
    ]
    return mine[0] if len(mine) == 1 else None


def behind_tag(view: View, home: Document, tag: str, entry: Item | None = None) -> Where | Missing:
    """Return the document that a tag of the home document leads to, or why it leads nowhere here; `entry` is the one that is meant, if known."""
    entry = entry or entry_of(home, tag)
    if entry is None:
        return _without_entry(view, home, tag)
    text = " ".join(home.text(entry.lines).split())
    for name in _names_in(text):
        found, _ = view.names.named(name, view.card(home), whole=True)
        if len(found) == 1 and found[0] != home.id and (document := view.document(found[0])) is not None:
            return Where(
                document=document,
                tier=Tier.BIBLIOGRAPHY,
                said=f"{called(document)}, as the entry [{tag}] says",
                outside=True,
            )
    short = text if len(text) < 90 else text[:87] + "…"
    why = f"[{tag}] is “{short}”, which is not on the shelf"
    return Missing(
        status=Status.EXTERNAL, tier=Tier.BIBLIOGRAPHY, why=why, targets=(target(Spot(None, entry)),)
    )


def _without_entry(view: View, home: Document, tag: str) -> Where | Missing:
    designator = DESIGNATOR.fullmatch(re.sub(r"(?<=[A-Z])(?=\d)", " ", tag))
    found, _ = view.names.named(designator.group() if designator else tag, view.card(home))
    if len(found) == 1 and (document := view.document(found[0])) is not None:
        return Where(
            document=document, tier=Tier.ALIAS, said=f"{called(document)}, which [{tag}] names", outside=True
        )
    if len(found) > 1:
        documents = [d for d in map(view.document, found) if d is not None]
        return Missing(status=Status.AMBIGUOUS, tier=Tier.ALIAS, why=f"[{tag}] names {len(found)} documents equally well",
                       targets=tuple(whole(d) for d in documents))  # fmt: skip
    if designator:
        return Missing(
            status=Status.EXTERNAL, tier=Tier.ALIAS, why=f"{designator.group()} is not on the shelf"
        )
    if any(i.kind is ItemKind.BIBLIOGRAPHY for i in home.items):
        return Missing(
            status=Status.DANGLING, tier=Tier.BIBLIOGRAPHY, why=f"the list of references has no entry [{tag}]"
        )
    return Missing(status=Status.UNRESOLVED, why=f"nothing here says what [{tag}] is")


def _names_in(text: str) -> list[str]:
    names = [f"RFC {m.group(1) or m.group(2)}" for m in _SERIES.finditer(text)]
    names += [m.group() for m in DESIGNATOR.finditer(text)]
    if names:
        return names
    names += [m.group("title").strip(" ,.") for m in _QUOTED.finditer(text)]
    return names
