"""Papers that running text tells by what they are, in small letters: "section 43.2.4 of the 802.3ad standard", "PNG specification, Clause 11".

The words before the noun have to hold a capital or a figure, "this specification" names no other paper. A paper that the
shelf does not know is external, unless its words are those of the document at hand. In brackets behind such a paper, "the
C11 standard (section 7.8)", a label is only of that where home has none. "Section 2 of the RFC" is of the one named last.
"""

from __future__ import annotations

from deref.references.counted import documents_called, has_none
from deref.references.documents import own_names
from deref.references.enclosing import named_before
from deref.references.outcome import Missing, Where
from deref.references.told import words_behind
from deref.references.view import View, called
from deref.text.lazy import lazy
from deref.text.names import normalize_name
from deref.values import Document, Reference, Status, Tier

_PAPER = r"(?:spec(?:ification)?|standard|manual|book|handbook|datasheet|data sheet|guide|policy)"
_WORD = r"(?:[\w/+-]*[A-Z\d][\w/.+-]*)"
_NAMED = rf"(?P<name>[“\"‘]?{_WORD}(?: (?:{_WORD}|and|of|[a-z]{{3,12}})){{0,4}}?[”\"’]? {_PAPER})"
_BEHIND = lazy(rf"\.? (?:of|in|from) (?:the )?{_NAMED}(?![\w-])")
_BEFORE = lazy(rf"(?:^|(?<=[\s(“\"])){_NAMED},? (?P<bracket>\()?$")
_THE_RFC = lazy(r" (?:of|in) the RFC(?![\w ]?\d|\w)")
_LOOKED_AT = 90


def strange_paper(view: View, home: Document, reference: Reference) -> Where | Missing | None:
    """Return the document that such words right behind or before a label name, or that it is not on the shelf; None without such words."""
    behind = words_behind(home, reference, _LOOKED_AT)
    if _THE_RFC.match(f" {behind}"):
        last = named_before(view, home, reference.at, "RFC")
        if last is None:
            return Missing(status=Status.UNRESOLVED, why="nothing before it tells which RFC is meant")
        return _paper(view, home, " ".join(last.text.split()))
    if named := _BEHIND.match(f" {behind}") or _BEHIND.match(behind):
        return _paper(view, home, named["name"])
    at = reference.at
    if at.doc != home.id:
        return None
    before = home.lines[at.line].text[max(0, at.char_start - _LOOKED_AT) : at.char_start]
    if not before.strip() and at.line and not home.lines[at.line].starts_block:
        before = f"{home.lines[at.line - 1].text[-_LOOKED_AT:].rstrip()} "
    named = _BEFORE.search(before)
    if named is None or (named["bracket"] and not has_none(view, home, reference.labels)):
        return None
    return _paper(view, home, named["name"])


def _paper(view: View, home: Document, said: str) -> Where | Missing | None:
    words = normalize_name(said).split()
    own = {w for n in own_names(home.title, home.aliases, home.name) for w in normalize_name(n).split()}
    if own.issuperset(words[:-1]):
        return None
    found = documents_called(view, home, said)
    if found is None:
        return Missing(status=Status.EXTERNAL, tier=Tier.CONTAINER, why=f"{said} is not on the shelf")
    if len(found[0]) > 1 or found[0] == [home]:
        return None
    document = found[0][0]
    return Where(
        document=document, tier=Tier.CONTAINER, said=f"{called(document)} ({found[1]})", outside=True
    )
