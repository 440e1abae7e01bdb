"""A label that is another file: an exhibit kept apart, or the next part of a work in several files.

An exhibit or schedule: the file that calls itself so ("Exhibit B", in its name, title or first lines), or the document
that the text names right beside it ("in the form of Exhibit C (the "Restated Certificate")").

A part of a work in several documents ("Plant Manual, Part 2"): the one with that number.

A section that a web page names by its title is looked for in the other pages of its folder.

A work in several files numbers through: the home document then begins in the middle of the numbering (one root, all
its labels below it), and a label that stands exactly once on the shelf, in another such file of the same folder, is it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from deref.references.counted import documents_called
from deref.references.labelled import word_of
from deref.references.narrowing import sub_paragraph
from deref.references.numbered_parts import own_part, parts_beside
from deref.references.outcome import Found, target, whole
from deref.references.places import APPENDED, SECTIONAL, Places, Spot, plain_word
from deref.references.titled import quoted_title
from deref.references.told import told_apart, words_behind
from deref.references.view import View, called
from deref.references.words import INSTRUMENTS
from deref.text.labels import split_sub
from deref.text.lazy import lazy
from deref.text.names import file_stem, normalize_name, without_extension
from deref.values import Document, ItemKind, Place, Reference, ReferenceKind, Status, Tier

_BESIDE = lazy(
    r"^[\s,]*(?:hereto|attached hereto|to this \w+)?[\s,]*\((?:as [^)]{0,200}?, )?(?:the|this|collectively,? the) [“\"*_]+\s*(?P<name>[^”\"*_]{3,80}?)\s*[”\"*_]+",
    re.DOTALL,
)
_ROOTED = lazy(r"[A-Z]?\d+[.-]")
"""A label that tells the unit it is in: only of such a one can be said that several files have it."""
_EDITION = lazy(r"[._-](?P<language>[a-z]{2}(?:[-_][A-Za-z]{2})?)$")
_INSTRUMENT = lazy(rf"(?:{'|'.join(INSTRUMENTS)})s?$")


def apart(view: View, home: Document, reference: Reference, label: str) -> Found | None:
    """Return what another file has under this label, or None when no file is it for certain."""
    if quoted_title(reference) is not None:
        return _titled(view, home, label)
    if reference.kind in APPENDED:
        return _file_called(view, home, reference, label) or _named_beside(view, home, reference, label)
    return _further_part(view, home, reference, label) or _in_an_exhibit(view, home, reference, label)


def part_of_a_work(view: View, home: Document, reference: Reference, label: str) -> Found | None:
    """Return the document that is this part of a work, or None where the words are not about such a work."""
    said = " ".join((reference.container or "").split())
    if said:
        named = documents_called(view, home, said)
        parts = [(d, own_part(view, d)) for d in named[0]] if named else []
        if not parts or any(number is None for _, number in parts):
            return None
        work, found = said, [d for d, number in parts if number == label.casefold()]
    else:
        own = own_part(view, home)
        if own is None:
            return None
        if own == label.casefold():
            return Found(status=Status.RESOLVED, targets=(whole(home),), why="it is this part itself")
        work, found = f"the work that this is part {own} of", parts_beside(view, home, label)
    if not found:
        return Found(
            status=Status.EXTERNAL, tier=Tier.CONTAINER, why=f"part {label} of {work} is not on the shelf"
        )
    targets = tuple(map(whole, found))
    if len(found) > 1:
        return Found(status=Status.AMBIGUOUS, tier=Tier.CONTAINER, targets=targets,
                     why=f"{len(found)} documents are part {label} of {work}")  # fmt: skip
    return Found(
        status=Status.RESOLVED, tier=Tier.CONTAINER, targets=targets, why=f"it is {called(found[0])}"
    )


def _titled(view: View, home: Document, title: str) -> Found | None:
    """The section of this title in another page of the same work: 'the section called “Search patterns”' of a manual of many pages."""
    if home.format != "html":
        return None
    places = view.titled_beside(home, title)
    documents = [d for d in map(view.document, dict.fromkeys(p.doc for p in places)) if d is not None]
    edition = {d.id: d for d in _of_one_edition(home, [d for d in documents if d.format == home.format])}
    found = [(p, edition[p.doc]) for p in places if p.doc in edition]
    if not found:
        return None
    targets = tuple(target(_spot(view, d, p)) for p, d in found)
    if len(found) > 1:
        return Found(status=Status.AMBIGUOUS, tier=Tier.CONTAINER, targets=targets,
                     why=f"{len(found)} sections of the files beside this one have the title “{title}”")  # fmt: skip
    return Found(status=Status.RESOLVED, tier=Tier.CONTAINER, targets=targets,
                 why=f"it is the section of this title in {found[0][1].name}")  # fmt: skip


def _in_an_exhibit(view: View, home: Document, reference: Reference, label: str) -> Found | None:
    """A table or figure that an exhibit of the home document holds, where the exhibit is a file of its own.

    It has to stand once on the shelf in such a file.
    """
    if reference.kind not in (ReferenceKind.TABLE, ReferenceKind.FIGURE) or reference.container is not None:
        return None
    places = [p for p in view.beside(home, label) if p.kind == reference.kind.value]
    inside = [p for p in places if _is_exhibit_of(view, home, p.doc)]
    document = view.document(inside[0].doc) if len(inside) == 1 else None
    if document is None:
        return None
    return Found(status=Status.RESOLVED, tier=Tier.CONTAINER, targets=(target(_spot(view, document, inside[0])),),
                 why=f"it stands in {called(document)}, which hangs on this document")  # fmt: skip


def _is_exhibit_of(view: View, home: Document, doc: str) -> bool:
    """Whether a file is, from its first line to its last, an exhibit that belongs to the home document."""
    document = view.document(doc)
    whole_file = document is not None and any(
        i.lines.start <= 5 and len(i.lines) >= 0.8 * (len(document.lines) - i.lines.start)
        for i in view.places(document).appended
    )
    return whole_file and _belongs(view, home, doc)


def _file_called(view: View, home: Document, reference: Reference, label: str) -> Found | None:
    wanted = normalize_name(f"{reference.kind.value} {label}")
    card = view.card(home)
    named, _ = view.names.named(wanted, card)
    ids = [d for d in named if d != home.id and _calls_itself(view, d, wanted)]
    for place in view.beside(home, label):
        if (
            place.kind == reference.kind.value
            and place.doc not in ids
            and _is_whole(view, place)
            and _belongs(view, home, place.doc)
        ):
            ids.append(place.doc)
    documents = [d for d in map(view.document, ids) if d is not None]
    if len(documents) > 1:
        documents = list(_of_one_edition(home, documents))
    if len(documents) > 1:
        return Found(status=Status.AMBIGUOUS, tier=Tier.ALIAS, targets=tuple(whole(d) for d in documents),
                     why=f"{len(documents)} files call themselves {reference.kind.value} {label}: {', '.join(d.name for d in documents)}")  # fmt: skip
    if not documents:
        return None
    return Found(status=Status.RESOLVED, tier=Tier.ALIAS, targets=(whole(documents[0]),),
                 why=f"{reference.kind.value} {label} is a file of its own, {documents[0].name}")  # fmt: skip


def _calls_itself(view: View, doc: str, wanted: str) -> bool:
    card = view.names.card(doc)
    if card is None:
        return False
    names = [normalize_name(n) for n in (file_stem(card.name), card.name, card.title, *card.aliases)]
    return any(re.match(rf"{re.escape(wanted)}(?:\s|$)", n) for n in names)


def _belongs(view: View, home: Document, doc: str) -> bool:
    """Whether a file that is one exhibit from its first line to its last belongs to the home document.

    Both are parts of one numbered work, their file names begin alike, or the exhibit names the home document first.
    """
    other, card = view.document(doc), view.card(home)
    there = view.names.card(doc)
    if other is None or there is None or view.folder(doc) != view.folder(home.id):
        return False
    book = home.format == other.format == "html" or (bool(home.sections) and bool(other.sections))
    numbered = any(s.label and s.label[0].isdigit() for s in (*home.sections, *other.sections))
    if book and numbered and view.places(home).is_fragment and view.places(other).is_fragment:
        return True
    if normalize_name(file_stem(there.name)).split()[:1] == normalize_name(file_stem(card.name)).split()[:1]:
        return True
    opening = normalize_name(" ".join(line.text for line in other.lines[:20]))
    return bool(home.title) and normalize_name(home.title) in opening


def _is_whole(view: View, place: Place) -> bool:
    document = view.document(place.doc) if place.lines.start <= 5 else None
    return document is not None and len(place.lines) >= 0.8 * (len(document.lines) - place.lines.start)


def _named_beside(view: View, home: Document, reference: Reference, label: str) -> Found | None:
    """The document that the same sentence names as being this exhibit."""
    if reference.at.doc != home.id:
        return None
    first = max(0, reference.at.line - 3)
    after = home.lines[reference.at.last_line].text[reference.at.char_end :]
    after += " " + " ".join(
        line.text for line in home.lines[reference.at.last_line + 1 : reference.at.last_line + 3]
    )
    beside = _BESIDE.match(after)
    names = [beside.group("name")] if beside and _INSTRUMENT.search(beside.group("name")) else []
    for other in reversed(view.found_in(home, first, reference.at.line + 1)):
        if other.kind is not ReferenceKind.DOCUMENT or (other.at.last_line, other.at.char_end) > (
            reference.at.line,
            reference.at.char_start,
        ):
            continue
        between = " ".join(line.text for line in home.lines[other.at.last_line : reference.at.line + 1])[
            other.at.char_end :
        ]
        if re.match(
            r",? (?:[\w']+ ){0,4}?in (?:substantially )?the form (?:of|attached|set)|,? (?:a (?:copy|form) of which is |which is )?attached",
            between,
        ):
            names.append(other.labels[0])
        break
    for name in dict.fromkeys((*names, *_stub_captions(home, reference, label))):
        found = documents_called(view, home, name)
        if found is not None and len(found[0]) == 1 and found[0][0].id != home.id:
            return Found(status=Status.RESOLVED, tier=Tier.ALIAS, targets=(whole(found[0][0]),),
                         why=f"the text beside it calls it the {name}, which is {called(found[0][0])}")  # fmt: skip
    return None


def _stub_captions(home: Document, reference: Reference, label: str) -> list[str]:
    """What the stub of an exhibit at home calls the document that stands apart: "Form of Promissory Note"."""
    items = [
        i
        for i in home.items
        if i.kind.value == reference.kind.value and i.label and i.label.casefold() == label.casefold()
    ]
    return [
        re.sub(r"(?i)^(?:form|copy) of (?:the )?", "", i.caption) for i in items if len(i.caption.split()) > 1
    ]


def _further_part(view: View, home: Document, reference: Reference, label: str) -> Found | None:
    if reference.kind not in SECTIONAL | {
        ReferenceKind.TABLE,
        ReferenceKind.FIGURE,
        ReferenceKind.EXAMPLE,
        ReferenceKind.THEOREM,
    }:
        return None
    if not view.places(home).is_fragment:
        return None
    base, subs = split_sub(label)
    places = [p for p in view.beside(home, base) if _compatible(reference, p)]
    wanted = word_of(reference) or reference.kind.value
    places = [p for p in places if plain_word(p.word) == wanted] or places
    found = [(p, d) for p in places if (d := view.document(p.doc)) is not None and _heads(view.places(d), p)]
    found = [(p, d) for p, d in _widest(found) if _one_series(home, d, base)]
    edition = _of_one_edition(home, [d for _, d in found])
    found = _told(home, reference, label, [(p, d) for p, d in found if d in edition])
    if not found and reference.kind in SECTIONAL and "." in base:
        return _in_a_chapter(view, home, base, subs)
    if len({d.id for _, d in found}) > 1 and _ROOTED.match(base):
        spots = tuple(target(_spot(view, d, p)) for p, d in found)
        names = ", ".join(dict.fromkeys(d.name for _, d in found))
        return Found(status=Status.AMBIGUOUS, tier=Tier.CONTAINER, targets=spots,
                     why=f"the numbering goes on in several files that have {label}: {names}")  # fmt: skip
    if len(found) != 1:
        return None
    place, document = found[0]
    return _going_on(document, _spot(view, document, place), label, subs)


def _going_on(document: Document, spot: Spot, label: str, subs: tuple[str, ...]) -> Found:
    focus = sub_paragraph(document, spot.lines, subs) if subs else None
    return Found(status=Status.RESOLVED, tier=Tier.CONTAINER, targets=(target(spot, focus=(focus,) if focus else ()),),
                 why=f"the numbering goes on in {document.name}, where {label} stands once")  # fmt: skip


def _heads(places: Places, place: Place) -> bool:
    """Whether a place counts in the numbering of the whole work: it is in a part of one, and not what a chapter counts anew.

    What is numbered by chapter ("Table B.6") needs no more than that all of its kind there are of that chapter.
    """
    if place.kind != "section":
        root, dot, _ = place.label.partition(".")
        same = [i for i in places.document.items if i.kind.value == place.kind and i.label]
        return places.is_fragment or (bool(dot) and all((i.label or "").startswith(f"{root}.") for i in same))
    chapter = places.counts_anew_in
    return places.is_fragment and (chapter is None or place.lines.start == chapter.lines.start)


def _in_a_chapter(view: View, home: Document, label: str, subs: tuple[str, ...]) -> Found | None:
    """The section "44.10" in the file of chapter 44, which counts its own "10"."""
    chapters = [
        d
        for p in view.beside(home, label.partition(".")[0])
        if (d := view.document(p.doc)) is not None
        and _heads(view.places(d), p)
        and _one_series(home, d, label)
    ]
    found = [
        (d, s)
        for d in _of_one_edition(home, chapters)
        if (s := view.places(d).counted_anew(label)) is not None
    ]
    return _going_on(found[0][0], Spot(found[0][1], None), label, subs) if len(found) == 1 else None


def _told(
    home: Document, reference: Reference, label: str, found: list[tuple[Place, Document]]
) -> list[tuple[Place, Document]]:
    """Those of several places that the title behind the label tells."""
    if len(found) < 2 or label != reference.labels[-1]:
        return found
    return told_apart(
        found,
        words_behind(home, reference),
        of=lambda one: one[1],
        start=lambda one: one[0].lines.start,
        title=lambda one: one[0].title,
    )


def _of_one_edition(home: Document, documents: Sequence[Document]) -> Sequence[Document]:
    """Of several files those of the home document's edition and book; else all.

    Of one edition are those whose names end alike ("ch05.de", "guide_fr"). Beside "ch-fees", a name like "faq-ch-fees" is of
    another book.
    """
    if len({d.id for d in documents}) < 2:
        return documents
    edition = _edition(home)
    same = [d for d in documents if edition and _edition(d) == edition]
    same = same or list(documents)
    begins = _words_of_name(home)[:1]
    return [d for d in same if begins != _words_of_name(d)[1:2]] or same


def _words_of_name(document: Document) -> list[str]:
    return normalize_name(re.sub(r"\d+", "", file_stem(document.name))).split()


def _edition(document: Document) -> str:
    """The language that a file name ends in, "de" for "ch05.de.html"; "" for a name that tells none."""
    ends = _EDITION.search(without_extension(document.name))
    return ends["language"].casefold() if ends else ""


def _one_series(home: Document, other: Document, label: str) -> bool:
    """Whether two files look like parts of one work: pages of a web book, names that differ in numbers or begin alike, or one chapter."""
    if home.format != other.format:
        return False
    names = [_words_of_name(d) for d in (home, other)]
    root = next((s.label for s in home.sections if s.label), "")
    one_chapter = "." in root and "." in label and root.partition(".")[0] == label.partition(".")[0]
    alike = names[0] == names[1] or (bool(names[0]) and names[0][:1] == names[1][:1])
    return home.format == "html" or one_chapter or alike


def _compatible(reference: Reference, place: Place) -> bool:
    if reference.kind not in SECTIONAL:
        return place.kind == reference.kind.value
    if place.kind != "section":
        return False
    word, wanted = plain_word(place.word), word_of(reference) or reference.kind.value
    if wanted in ("section", "clause", "rule", "paragraph"):
        return word in (None, "section", "clause", "rule", "article")
    return word == wanted or (word is None and wanted in ("chapter", "part"))


def _widest(found: list[tuple[Place, Document]]) -> list[tuple[Place, Document]]:
    """Of a place and a mere mention of its heading in another file, the one with a body."""
    if len(found) < 2:
        return found
    heads = [(p, d) for p, d in found if p.lines.start <= 3 and len(p.lines) >= 0.8 * len(d.lines)]
    full = [(p, d) for p, d in found if len(p.lines) > 3]
    return heads if len(heads) == 1 else full if len(full) == 1 else found


def _spot(view: View, document: Document, place: Place) -> Spot:
    places = view.places(document)
    if place.kind == "section":
        known = places.sections(place.label) if place.label else document.sections
        return Spot(next((s for s in known if s.lines == place.lines), None), None)
    items = places.items(ItemKind(place.kind), place.label)
    return Spot(None, next((i for i in items if i.lines == place.lines), None))
