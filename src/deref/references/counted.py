"""Where a label is counted: from the words of a container to a document or to lines of it.

"[QUIC]" goes through the references of the document at hand; a designator or a name to the shelf; "this Article" and
"hereof" to what encloses the reference; "thereof" and "that Regulation" to the last document named before; a unit
("Schedule 2", "Article 6(1)", "the clause at 52.204-25") to its own resolution; "the Code" to what the document says it means. A named document
that is not on the shelf is external: it is named, never fetched.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from deref.references.bibliography import behind_tag
from deref.references.containers import DESIGNATOR, QUOTED_PAPER, TAG, is_plain_name, numbered_unit
from deref.references.documents import SHORT_NAME, head_word, own_names
from deref.references.enclosed import hangs_on
from deref.references.enclosing import named_before, unit_around
from deref.references.find import find_in, labelled_at
from deref.references.label_words import LABEL_WORDS
from deref.references.outcome import Missing, Where, whole
from deref.references.places import plain_word
from deref.references.view import View, called
from deref.references.words import DIRECTIONS, SCOPES
from deref.text.labels import normalize_label, split_sub
from deref.text.lazy import lazy
from deref.text.names import file_stem, initials, normalize_name
from deref.values import Document, Line, Reference, ReferenceKind, Resolution, Span, Status, Tier

_HERE = lazy(
    r"(?i)^(?:hereof|hereto|herein|these (?:\w+ ){0,3}\w+s|(?:this|the present) (?:[\w’-]+ ){0,2}[\w’-]+)$"
)
_THIS_PAPER = lazy(
    r"(?i)^(?:this|the present) (?!(?:exhibit|schedule|annex|appendix|attachment|addendum)$)\w"
)
_BACK = lazy(r"(?i)^(?:thereof|thereto|therein|it|(?P<that>that|such|said|the same|the said) (?P<noun>.+))$")
_THIS_UNIT = lazy(rf"(?i)^(?:this|each|the same) (?P<unit>{'|'.join(SCOPES)}|§)$")
_AWAY = lazy(rf"(?i)^(?:{'|'.join(DIRECTIONS)}) (?:{'|'.join(SCOPES)})$")
_CHAIN = lazy(r",? (?:of|to|in|under) (?:the )?(?P<rest>(?:this|that|such) .+|[A-Z§\[].+)$")
_MEANS = lazy(r"\s*(?:means|is|refers to|has the meaning of) (?:the |an? )?(.{5,200})")
_PAPERS = frozenset({"terms", "conditions", "protocol", "articles", "association", "standards", "documents", "document", "particulars", "proposal",
                     "offer", "bid", "tender", "brief", "paper", "pack", "book", "rules", "heads", "minutes", "resolutions", "records"})  # fmt: skip
_HOUSE = lazy(r"^[A-Z][A-Z&-]{1,9}$")
_WITH_SHORT_FORM = lazy(r"^(?P<name>.*[a-z]) \([“\"]?(?P<short>[A-Z][A-Z&-]{1,8})[”\"]?\)$")
_MOST_DEFINING = 20
"""Documents that are asked what a short form of others means."""

Resolve = Callable[[Reference], Resolution]


def where_counted(view: View, home: Document, reference: Reference, resolve: Resolve) -> Where | Missing:
    """Return where the labels of a reference with a container are counted. `resolve` resolves a unit named in it."""
    said = " ".join((reference.container or "").split())
    line = reference.at.line
    if this := _THIS_UNIT.match(said):
        spot = unit_around(view, home, line, this.group("unit"))
        if spot is not None:
            return Where(
                document=home,
                span=spot.lines,
                said=f"{this.group('unit').lower()} {spot.label or spot.title}",
            )
        noun = plain_word(this.group("unit"))
        if reference.kind is ReferenceKind.PARAGRAPH and noun not in ("paragraph", "subparagraph"):
            why = f"it stands in no {noun} that could be told apart"
            return Missing(status=Status.UNRESOLVED, why=why)
        return Where(document=home)
    if _HERE.match(said):
        around = view.places(home).enclosure(line) if _THIS_PAPER.match(said) else None
        return Where(document=home, body=around is not None and hangs_on(view.places(home), around))
    if back := _BACK.match(said):
        return _antecedent(view, home, reference, (back.group("noun") or "").split(" of ")[0], resolve)
    if _AWAY.match(said):
        away = Reference(text=f"the {said}", kind=ReferenceKind.RELATIVE, labels=(), at=reference.at)
        return _unit(view, home, said, away, resolve)
    if TAG.fullmatch(said):
        return behind_tag(view, home, said.strip("[]"))
    if (number := numbered_unit(said)) is not None:
        unit = Reference(
            text=number, kind=ReferenceKind.SECTION, labels=(normalize_label(number),), at=reference.at
        )
        return _unit(view, home, said, unit, resolve)
    word = re.match(r"[\w.§-]+", said)
    if word is not None and word.group() in LABEL_WORDS and not DESIGNATOR.match(said):
        return _unit(view, home, said, _as_reference(said, word.group(), reference), resolve)
    return _named(view, home, said, reference)


def _unit(
    view: View, home: Document, said: str, inner: Reference | None, resolve: Resolve
) -> Where | Missing:
    if inner is None:
        only = _only_unit(view, home, said)
        return only or Missing(status=Status.UNRESOLVED, why=f"“{said}” could not be read as a place")
    outcome = resolve(inner)
    if outcome.status is not Status.RESOLVED or len(outcome.targets) != 1:
        resolved = outcome.status is Status.RESOLVED
        why = (
            f"“{said}” is {len(outcome.targets)} places, and nothing tells which is meant"
            if resolved
            else outcome.why
        )
        return Missing(status=Status.AMBIGUOUS if resolved else outcome.status, why=why, tier=outcome.tier,
                       targets=outcome.targets)  # fmt: skip
    place = outcome.targets[0]
    document = home if place.lines.doc == home.id else view.document(place.lines.doc)
    if document is None:
        return Missing(status=Status.UNRESOLVED, why=f"the document that holds {said} could not be opened")
    span = place.focus[0] if place.focus else place.lines
    return Where(document=document, span=None if place.kind == "document" else span, tier=Tier.LABEL if document is home else Tier.CONTAINER,
                 said=said, outside=document is not home, unit=place)  # fmt: skip


def _only_unit(view: View, home: Document, said: str) -> Where | None:
    """The one unit so called: "Part 2 of the Schedule" where home has a single schedule."""
    word = plain_word(said)
    spans = {i.lines for i in home.items if i.kind.value == word and i in view.places(home).appended}
    spans |= {s.lines for s in home.sections if plain_word(s.word) == word}
    return Where(document=home, span=next(iter(spans)), said=f"the {said}") if len(spans) == 1 else None


def _inside(view: View, home: Document, said: str) -> Where | None:
    """The home document by its mere noun ("the Agreement"), the work it is a part of, or a place in it by its title."""
    key = normalize_name(said)
    own = {w for name in own_names(home.title, home.aliases, home.name) for w in normalize_name(name).split()}
    if len(key.split()) == 1 and key in own:
        return Where(document=home)
    stem = normalize_name(file_stem(home.name)).split()[:1]
    if view.places(home).is_fragment and stem and stem[0] in (initials(said).casefold(), key):
        return Where(document=home)
    titled = _titled(view, home, key)
    return Where(document=home, span=titled[0], said=f"the {said}") if len(titled) == 1 else None


def _titled(view: View, home: Document, key: str) -> list[Span]:
    """The units of the home document with this title, also when the name ends in what the unit is: "the Insurance Schedule"."""
    bare, _, word = key.rpartition(" ")
    units = [(i.lines, i.caption, i.kind.value) for i in view.places(home).appended]
    units += [
        (s.lines, s.title, plain_word(s.word) or "section") for s in home.sections if s.word or s.level == 1
    ]
    found: dict[int, Span] = {}
    for lines, title, kind in units:
        if key == normalize_name(title) or (kind == word and bare and bare == normalize_name(title)):
            found.setdefault(lines.start, lines)
    return list(found.values())


def _as_reference(said: str, word: str, reference: Reference) -> Reference | None:
    """The place that a container names, which begins with this label word."""
    hit = labelled_at(said, 0, len(word))
    if hit is None:
        return None
    return Reference(text=said[: hit.end], kind=hit.kind, labels=hit.labels, at=reference.at, selector=hit.selector,
                     container=hit.container)  # fmt: skip


def _antecedent(
    view: View, home: Document, reference: Reference, noun: str, resolve: Resolve
) -> Where | Missing:
    before = named_before(view, home, reference.at, noun)
    words = reference.container or ""
    if words == "it" and before is not None and not _same_sentence(home, before, reference):
        before = None
    if before is None:
        unit = unit_around(view, home, reference.at.line, noun) if noun.lower() in SCOPES else None
        if unit is not None:
            return Where(document=home, span=unit.lines, said=f"the {noun} around it")
        return Missing(
            status=Status.UNRESOLVED, why=f"nothing named before it tells what “{words}” stands for"
        )
    if (
        before.labels
        and before.kind.value in SCOPES
        and (
            before.container is None
            or before.kind.value == noun.lower()
            or (not noun and before.kind is not reference.kind is ReferenceKind.PARAGRAPH)
        )
    ):
        return _unit(view, home, before.text, before, resolve)
    name = before.container or before.text
    outcome = where_counted(view, home, _renamed(before, name), resolve)
    if isinstance(outcome, Missing):
        return Missing(
            status=outcome.status,
            tier=outcome.tier,
            targets=outcome.targets,
            why=f"“{words}” stands for {name}: {outcome.why}",
        )
    return Where(document=outcome.document, span=outcome.span, tier=Tier.CONTAINER if outcome.outside else outcome.tier,
                 said=f"{outcome.said}, which “{words}” stands for", outside=outcome.outside)  # fmt: skip


def _same_sentence(home: Document, before: Reference, reference: Reference) -> bool:
    first, last = before.at.last_line, reference.at.line
    lines = [home.lines[n].text for n in range(first, last + 1)]
    lines[-1] = lines[-1][: reference.at.char_start]
    between = " ".join((lines[0][before.at.char_end :], *lines[1:]))
    begins = any(home.lines[n].starts_block for n in range(first + 1, last + 1))
    return not begins and not re.search(r"[.!?]\s+[A-Z]", between)


def _renamed(reference: Reference, container: str) -> Reference:
    return Reference(text=reference.text, kind=reference.kind, labels=reference.labels, at=reference.at, selector=reference.selector,
                     container=container, effect=reference.effect, found_by=reference.found_by)  # fmt: skip


def _named(view: View, home: Document, said: str, reference: Reference) -> Where | Missing:
    if quoted := QUOTED_PAPER.fullmatch(said):
        said = quoted["curly"] or quoted["straight"] or quoted["single"]
    found = documents_called(view, home, said)
    if found is None and (chain := _CHAIN.search(said)):
        found = documents_called(view, home, said[: chain.start()])
    bare = _WITH_SHORT_FORM.sub(r"\g<name>", said)
    if found is None and (inside := _inside(view, home, bare)) is not None:
        return inside
    if found is None and is_plain_name(said):
        found = _going_on(view, home, said, reference)
        # "Section 6 in the Territory" only tells where something is done, unless the shelf knows the name.
        loose = reference.text.endswith((f" in the {said}", f" in {said}"))
        if found is None and (loose or _is_actor(view, home, said)):
            return Where(document=home)
    if found is None and _is_loosely_joined(said, reference) and not has_none(view, home, reference.labels):
        return Where(document=home)
    if found is None:
        return Missing(status=Status.EXTERNAL, tier=Tier.CONTAINER, why=f"{said} is not on the shelf")
    documents, how = found
    if len(documents) > 1:
        names = ", ".join(called(d) for d in documents)
        return Missing(status=Status.AMBIGUOUS, tier=Tier.CONTAINER, why=f"“{said}” names {len(documents)} documents equally well: {names}",
                       targets=tuple(whole(d) for d in documents))  # fmt: skip
    document = documents[0]
    if document.id == home.id:
        return Where(document=home)
    return Where(document=document, tier=Tier.CONTAINER, said=f"{called(document)} ({how})", outside=True)


def _is_loosely_joined(said: str, reference: Reference) -> bool:
    """Whether a short form that the shelf does not know merely stands before the words: "the TCP section 3".

    A number of a series is no such form: "SP 800-53, section 3.2" is of that document.
    """
    if DESIGNATOR.match(said):
        return False
    rest = reference.text.removeprefix(said)
    return rest != reference.text and (rest[:1] == ")" or rest.lstrip(" ,")[:1].islower())


def has_none(view: View, home: Document, labels: Iterable[str]) -> bool:
    """Tell whether no section of a document has one of these numbers, whatever it is called."""
    return not any(view.places(home).sections(split_sub(label)[0]) for label in labels)


def _going_on(
    view: View, home: Document, said: str, reference: Reference
) -> tuple[list[Document], str] | None:
    """The document whose whole name goes on in small letters where the name that was read ends: "Heads | of terms"."""
    after = home.lines[reference.at.last_line].text[reference.at.char_end :].split()[:6]
    for size in range(len(after), 0, -1):
        ids, how = view.names.named(" ".join((said, *after[:size])), view.card(home))
        documents = [d for d in map(view.document, ids) if d is not None]
        if documents and how == "by its name":
            return documents, how
    return None


def _is_actor(view: View, home: Document, said: str) -> bool:
    """Whether a name is a term of the home document that no label can be counted in: one defined without naming a paper."""
    items = view.places(home).definitions.get(normalize_name(said), ())
    return bool(items) and normalize_name(said).split()[-1] not in _PAPERS


def documents_called(
    view: View, home: Document, said: str, depth: int = 0
) -> tuple[list[Document], str] | None:
    """Return the documents that a name means to the home document, and how it was matched; None when there is none."""
    if (both := _WITH_SHORT_FORM.match(said)) is not None:
        named = documents_called(view, home, both.group("name"), depth)
        return named or documents_called(view, home, both.group("short"), depth)
    key = normalize_name(said)
    own = [normalize_name(n) for n in own_names(home.title, home.aliases, home.name)]
    if key and (
        key in own or (" " not in key and any(" " in n and head_word(n.split()) == key for n in own))
    ):
        return [home], "its own name"
    how = "by its short form"
    ids = list(view.names.house(said)) if _HOUSE.match(said) else []
    if not ids:
        matched, how = view.names.named(said, view.card(home))
        ids = list(matched)
    documents = [d for d in map(view.document, ids) if d is not None]
    if how == SHORT_NAME and not _agrees(view, home, key, documents):
        documents = []
    if documents:
        return documents, how
    meant = _defined_here(view, home, said, depth)
    return meant or (_defined_on_shelf(view, said) if not depth and _HOUSE.match(said) else None)


def _agrees(view: View, home: Document, key: str, documents: list[Document]) -> bool:
    """Whether what the home document says a short name means, if anything, holds all the words of a document's name."""
    meant = [
        set(normalize_name(home.text(i.lines)).split()) for i in view.places(home).definitions.get(key, ())
    ]
    names = [set(normalize_name(n).split()) for d in documents for n in (d.title, file_stem(d.name)) if n]
    return not meant or any(name <= text for text in meant for name in names)


def _defined_here(view: View, home: Document, said: str, depth: int) -> tuple[list[Document], str] | None:
    """A short name that the home document defines: (the "Purchase Agreement") behind the full name."""
    if depth:
        return None
    for item in view.places(home).definitions.get(normalize_name(said), ()):
        if item.label is None:
            continue
        start = max(0, item.lines.start - 1)
        text = " ".join(home.lines[n].text for n in range(start, min(item.lines.start + 3, len(home.lines))))
        at = re.search(rf"[“\"‘'*_]+\s*{re.escape(item.label)}\s*[”\"’'*_,]+", text)
        before = text[max(0, at.start() - 400) : at.start()] if at else ""
        sentence = re.split(r"(?<=[a-z\])”\"])\. (?=[A-Z])|;", before)[-1]
        full = _meant(text[at.end() :]) if at else None
        exact = documents_called(view, home, full, depth + 1) if full else None
        # A short name may stand for any agreement so called: only a name that is a document's own will do.
        if exact is not None and exact[1] == "by its name" and all(d.id != home.id for d in exact[0]):
            return exact[0], f"by its definition as {full}"
        for name in reversed(_names_in(sentence)):
            if not _same_instrument(name, item.label) and not sentence.rstrip(' ,(*_“"the').endswith(name):
                continue
            found = documents_called(view, home, name, depth + 1)
            if found is not None and all(d.id != home.id for d in found[0]):
                return found[0], f"by its definition as {name}"
    return None


def _defined_on_shelf(view: View, said: str) -> tuple[list[Document], str] | None:
    """A short form in capitals that only others define; where their definitions name different documents it means none."""
    if said not in view.short_forms:
        named: dict[str, tuple[Document, str]] = {}
        for doc in dict.fromkeys(place.doc for place in view.shelf.defined(said)[:_MOST_DEFINING]):
            other = view.document(doc)
            found = _defined_here(view, other, said, 0) if other is not None else None
            if other is not None and found is not None and len(found[0]) == 1:
                named[found[0][0].id] = (found[0][0], f"{found[1]} in {called(other)}")
        view.short_forms[said] = next(iter(named.values())) if len(named) == 1 else None
    meant = view.short_forms[said]
    return ([meant[0]], meant[1]) if meant is not None else None


def _meant(after: str) -> str | None:
    """The first paper that a definition names behind its verb: “Rate Note” means the Haulage Agreement …"""
    meaning = _MEANS.match(after)
    names = _names_in("the " + re.split(r"[.;]", meaning.group(1))[0]) if meaning else []
    return names[0] if names else None


def _same_instrument(name: str, short: str) -> bool:
    """Whether a full name and a short one are of the same kind of paper: "… Investment Agreement", "Purchase Agreement"."""
    noun = normalize_name(short).split()[-1:]
    return bool(noun) and noun[0].removesuffix("s") in {
        w.removesuffix("s") for w in normalize_name(name).split()
    }


def _names_in(sentence: str) -> list[str]:
    line = Line(doc="", n=0, page=1, row=1, text="x " + sentence, starts_block=True)
    names: list[str] = []
    for r in find_in([line]):
        if r.kind.value in ("document", "external") and r.labels:
            names.append(r.labels[0])
        elif r.container and r.container[:1].isupper() and r.container.split()[0] not in LABEL_WORDS:
            names.append(r.container)
    return names
