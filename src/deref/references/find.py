"""Find every reference of a document, in the order in which they are written. Pure; nothing is resolved here.

1. `scan` gives the blocks in which a reference may begin and where (contents lists and code are left out).
2. At each place the rows of `grammar` are tried: a label word with its list of labels, a tag, a designator, a name,
   a relative phrase. Selectors and containers around it become part of it. What one reference covers no other takes.
3. A heading's own label and a caption's own label are no references.
4. Bare numbers that only the document can tell are its sections (`numbers`); works cited by author and year (`cited`).
5. A small raised number that calls a footnote is a reference to it, and no part of what stands before it (`calls`).
6. A native link that covers no reference of the grammar becomes one of its own (kind link), its words verbatim.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from deref.references.bare import (
    act_at,
    bare_at,
    designator_at,
    federal_at,
    house_at,
    house_before,
    law_before,
    note_at,
    tags_at,
)
from deref.references.calls import with_calls, without_calls
from deref.references.cited import cited_works
from deref.references.cited_parts import counted_in_works
from deref.references.containers import DEEPEST, container_after
from deref.references.credible import is_credible
from deref.references.effects import effect_of
from deref.references.enumerated import listed
from deref.references.formulas import bare_formulas
from deref.references.hit import Hit
from deref.references.kinds import ATTACHED, HOLDING
from deref.references.label_words import LABEL_WORDS, is_joined
from deref.references.listing import read_labels
from deref.references.mentions import title_at
from deref.references.numbers import bare_numbers, house_numbers
from deref.references.own import Own
from deref.references.pointers import relative_at
from deref.references.scan import Passage, as_read, passages
from deref.references.selectors import selector_after, selector_before
from deref.references.skipping import skipped
from deref.references.taken import Taken
from deref.references.titled import named_sections, without_inside
from deref.references.triggers import (
    ACT,
    BARE,
    BRACKET,
    CAPITAL,
    FEDERAL,
    HOUSE,
    RELATIVE_WORD,
    TITLE,
    TONGUE,
    WORD,
)
from deref.text.labels import normalize_label, variants
from deref.text.lazy import lazy
from deref.values import Document, FoundBy, Line, LinkSource, Point, Reference, ReferenceKind

_FOLDING = frozenset({ReferenceKind.ARTICLE, ReferenceKind.SECTION, ReferenceKind.RULE, ReferenceKind.CLAUSE})
_HOLDING = HOLDING | {ReferenceKind.ARTICLE}
_LOCATED = lazy(
    r"\[(?P<tag>[A-Za-z][A-Za-z0-9+/_.-]{0,30}|\d{1,3})(?:, |:)(?P<place>[^\[\];]{1,60})(?:;[^\[\]]{1,60})?\]"
)
_SECTION_NUMBER = lazy(r"\d{1,2}(?:\.\d{1,3}){1,5}")
_REST = lazy(r"\. (?P<rest>\d{1,3}(?:\.\d{1,3})*)(?![\w%]|\.\d|[.)]? [A-Z(])")
_LABEL_WORD = lazy(r"§+|[A-Za-z]+\.?")
_ENTRY = lazy(r"\b(?:\d+|[A-Z]|[IVX]+): ?$")  # an entry of a list: "Appendix 5: Project Plan Appendix 6: …"
_BY_CHAPTER = frozenset(
    {
        ReferenceKind.TABLE,
        ReferenceKind.FIGURE,
        ReferenceKind.EXAMPLE,
        ReferenceKind.LISTING,
        ReferenceKind.THEOREM,
    }
)
_DASHED = lazy(r"[A-Za-z]+\.? ?([A-Z]|\d{1,3})[–−](\d{1,3})(?![\d–−.,])(?! (?:and|or|to) )")
_LED_TO = lazy(r"\b(?:[Ii]n|[Ss]ee|[Uu]nder|[Bb]y|[Pp]er) $")
"""What a sentence leads to a label with, also where a tab stands before its number; a number alone behind it is a cell."""
_LEADS_ON = lazy(r"(?:['’]s|[”\"’](?=,? ))?(?:,? at |, in |,? \(?)(?=(?P<word>§+|[A-Za-z-]+\.?) ?[\dA-Z(])")


def find(document: Document) -> tuple[Reference, ...]:
    """Return the references of a document, in order of place."""
    skip = skipped(document, document.lines)
    found = _found(document.lines, Own(document), skip, document.language)
    return tuple(_with_links(document, found, skip))


def find_in(
    lines: Sequence[Line], *, document: Document | None = None, language: str = "en"
) -> tuple[Reference, ...]:
    """Return the references in a run of consecutive lines, in order of place.

    `document` is the one they are taken from: its headings and captions are then told from references, and its language
    counts. `language` is that of lines without a document, as `Document.language` says it.
    """
    if document is None:
        return tuple(_grammar(lines, Own(None), None, language))
    return tuple(_found(lines, Own(document), skipped(document, lines), document.language))


def _found(lines: Sequence[Line], own: Own, skip: Sequence[bool], language: str) -> list[Reference]:
    plain = without_calls(lines, own.calls)
    found = _with_numbers(own, plain, list(_grammar(plain, own, skip, language)), skip)
    return with_calls(found, lines, skip, own.calls)


def labelled_at(text: str, start: int, stop: int) -> Hit | None:
    """Return the reference that the label word at start..stop begins, with its labels, selector and container; None when it begins none."""
    return _labelled(text, start, stop, start)


def _with_numbers(
    own: Own, lines: Sequence[Line], found: list[Reference], skip: Sequence[bool]
) -> list[Reference]:
    """The references in order, with the bare numbers that stand for sections; a tag in brackets that is one gives way."""
    more = list(bare_numbers(lines, skip, own.numbers, square=own.square))
    more += bare_formulas(lines, skip, own.formulas)
    more += house_numbers(lines, skip, own.house_ways)
    titled = list(named_sections(lines, skip, own.has_title if own.titled else None, paged=own.is_page))
    found = without_inside(found, titled)
    more += titled
    works = list(cited_works(lines, skip, own.authors, own.cited))
    found = counted_in_works(lines, found, works, own.cited) + works
    if not more:
        return sorted(found, key=lambda r: (r.at.line, r.at.char_start)) if own.authors else found
    numbers = Taken(m.at for m in more)
    kept = [r for r in found if r.kind is not ReferenceKind.BIBLIOGRAPHY or not numbers.meets(r.at)]
    taken = Taken(r.at for r in kept)
    kept += [m for m in more if not taken.meets(m.at)]
    return sorted(kept, key=lambda r: (r.at.line, r.at.char_start))


def _grammar(
    lines: Sequence[Line], own: Own, skip: Sequence[bool] | None, language: str
) -> Iterator[Reference]:
    base = lines[0].n if lines else 0
    foreign = None
    if language != "en":
        # The tables of languages are loaded for the documents in them, never for a question on English ones.
        from deref.references.foreign import Foreign

        foreign = Foreign(language)
    for passage in passages(
        lines, skip=skip, federal=own.federal, tongues=foreign.tongues if foreign else ()
    ):
        floor = 0
        hits: list[tuple[Hit, Point, str]] = []
        for start, what, stop in passage.triggers:
            if start < floor:
                continue
            heard = foreign.heard(passage.text, start) if foreign else "en"
            if foreign is None or (heard == "en" and what < TONGUE):
                hit = _at(passage, start, what, stop, floor, own)
            else:
                hit = foreign.at(passage.text, start, what, stop, floor, own.tags, own.notes)
            if hit is None and foreign is not None:
                hit = foreign.crossed(passage.text, start, what, stop, own.numbers, labelled_at)
            if hit is None or hit.start < floor:
                continue
            at = passage.point(hit.start, hit.end)
            if own.names_itself(passage, hit, at) or (skip is not None and skip[at.line - base]):
                continue
            floor = hit.end
            hits.append((hit, at, heard))
        contents = listed(passage.text, [hit for hit, _, _ in hits])
        for n, (hit, at, heard) in enumerate(hits):
            if n in contents:
                continue
            effect = foreign.effect if foreign is not None and heard != "en" else effect_of
            yield Reference(
                text=passage.verbatim(at), kind=hit.kind, labels=hit.labels, at=at, selector=hit.selector,
                container=hit.container, effect=effect(passage.text, hit.start, hit.end),
            )  # fmt: skip


def _at(passage: Passage, start: int, what: int, stop: int, floor: int, own: Own) -> Hit | None:
    text = passage.text
    if what == WORD:
        hit = _over_a_line_end(passage, _labelled(text, start, stop, floor), own)
        return hit if LABEL_WORDS[text[start:stop]].plural else _dashed(text, hit, own)
    if what == BRACKET and own.notes and (note := note_at(text, start, own.notes)):
        return note
    if what == BRACKET:
        return _leading(text, tags_at(text, start, own.tags, glued=own.glued)) or _located(
            text, start, own.tags
        )
    if what == CAPITAL:
        return _leading(text, designator_at(text, start))
    if what == TITLE:
        return _leading(text, title_at(text, start, stop, floor, own.names))
    if what == HOUSE:
        hit = house_at(text, start)
        return hit if hit is not None and own.knows_house(hit) else None
    if what == RELATIVE_WORD:
        return _picked(text, relative_at(text, start), floor)
    if what == ACT:
        return act_at(text, start, floor)
    if what == FEDERAL:
        hit = federal_at(text, start, own.federal)
        return _completed(text, hit, floor) if hit else None
    return bare_at(text, start) if what == BARE else None


def _located(text: str, start: int, known: frozenset[str] | None) -> Hit | None:
    """A tag with the place in the work inside the brackets: "[Lam94, Appendix E]", "[XCCDF:6.16.2]", "[MG04, pp. 2–4]".

    `known` are the home document's own tags, casefolded: only with one of those is it told from any words in brackets.
    """
    match = _LOCATED.match(text, start) if known else None
    if match is None or known is None or match.group("tag").casefold() not in known:
        return None
    tag = f"[{match.group('tag')}]"
    whole = Hit(start=start, end=match.end(), kind=ReferenceKind.BIBLIOGRAPHY, labels=(normalize_label(match.group("tag")),))  # fmt: skip
    place, at = match.group("place"), match.start("place")
    if _SECTION_NUMBER.fullmatch(place):
        return whole._replace(kind=ReferenceKind.SECTION, labels=(place,), container=tag)
    word = _LABEL_WORD.match(place)
    if word is None or word.group() not in LABEL_WORDS:
        return whole
    inner = _labelled(text, at, at + word.end(), at)
    if (
        inner is None
        or inner.end >= match.end()
        or inner.container is not None
        or inner.kind is ReferenceKind.PAGE
    ):
        return whole
    return inner._replace(start=start, end=match.end(), container=tag)


def _labelled(text: str, start: int, stop: int, floor: int, depth: int = 0) -> Hit | None:
    """A label word at start..stop, its labels, and what belongs to them; None when it is no reference."""
    if start and (text[start - 1].isalnum() or text[start - 1] in "-/.\\" or is_joined(text, start)):
        return None
    word = LABEL_WORDS[text[start:stop]]
    kind = word.row.kind
    at = stop
    while text[at : at + 1] == " ":
        at += 1
    tab = text[at : at + 1] == "\t" and _LED_TO.search(text, max(0, start - 10), start) is not None
    at += tab
    if at == stop and text[stop - 1] not in ".§(":
        return None
    labels = read_labels(text, at, plural=word.plural, points=kind in _FOLDING)
    if labels is None or (tab and text[labels.end : labels.end + 1] in ("", "\t")):
        return None
    if not is_credible(text, start, stop, at, labels.labels, labels.end):
        return None
    hit = Hit(start=start, end=labels.end, kind=kind, labels=tuple(labels.labels), selector=labels.piece)
    whole = _completed(text, hit, floor)
    if kind in _FOLDING and whole.container is not None and _is_of_kind(whole.container, kind):
        # "sub-clause 6.1, paragraph (b) of Clause 3.3": the part belongs to the unit behind it.
        alone = read_labels(text, at, plural=word.plural, points=False)
        if alone is not None and alone.end < labels.end and not text[alone.end : alone.end + 1].isspace():
            return hit._replace(end=alone.end, labels=tuple(alone.labels), selector=None)
    return _leading(text, whole, depth)


def _dashed(text: str, hit: Hit | None, own: Own) -> Hit | None:
    """The hit with a range that is one label of the home document, which numbers by chapter: "Figure 2–3"."""
    if hit is None or hit.kind not in _BY_CHAPTER:
        return hit
    dashed = _DASHED.search(text, hit.start, hit.end)
    label = "-".join(dashed.groups()) if dashed else ""
    return hit._replace(labels=(label,)) if dashed and own.has_caption(hit.kind, label) else hit


def _over_a_line_end(passage: Passage, hit: Hit | None, own: Own) -> Hit | None:
    """The hit with the rest of a number that a line end broke at its dot, where the document has that number: "Section 2.", "1"."""
    if hit is None or hit.kind not in _FOLDING or hit.selector or hit.container:
        return hit
    rest = _REST.match(passage.text, hit.end)
    label = f"{hit.labels[-1]}.{rest.group('rest')}" if rest else ""
    if rest is None or label.casefold() not in own.numbers:
        return hit
    if passage.point(hit.end, hit.end + 1).line == passage.point(rest.start("rest"), rest.end()).line:
        return hit
    whole = hit._replace(labels=(*hit.labels[:-1], label), end=rest.end())
    return _completed(passage.text, whole, rest.end())


def _is_of_kind(container: str, kind: ReferenceKind) -> bool:
    """Whether a container is a labelled unit of this kind: "Clause 3.3" is a clause."""
    word = LABEL_WORDS.get(container.partition(" ")[0])
    return word is not None and word.row.kind is kind


def _picked(text: str, hit: Hit | None, floor: int) -> Hit | None:
    """A relative hit with the selector before it: "the second row of the table below"."""
    if hit is None:
        return None
    begin = hit.start + 3 if text.startswith("in ", hit.start) else hit.start
    before = selector_before(text, begin, floor)
    return hit._replace(selector=before[0], start=before[1]) if before else hit


def _completed(text: str, hit: Hit, floor: int) -> Hit:
    """The hit with its selectors and its container."""
    if picked := selector_after(text, hit.end):
        hit = hit._replace(selector=picked[0], end=picked[1])
    container = container_after(
        text, hit.end, attached=hit.kind in ATTACHED, law=not text[hit.start : hit.start + 3].isupper()
    )
    if container is not None:
        hit = hit._replace(container=container.text, end=container.end)
    if hit.container is None and (law := law_before(text, hit.start, floor)) is not None:
        hit = hit._replace(container=text[law : hit.start].rstrip(" ,"), start=law)
    if (
        hit.container is None
        and hit.kind not in ATTACHED
        and (house := house_before(text, hit.start, floor)) is not None
    ):
        hit = hit._replace(container=house, start=text.rindex(house, 0, hit.start))
    if picked is None and (
        before := selector_before(text, hit.start, floor, tabular=hit.kind is ReferenceKind.TABLE)
    ):
        selector = before[0] if hit.selector is None else f"{before[0]}, {hit.selector}"
        hit = hit._replace(selector=selector, start=before[1])
    return hit


def _leading(text: str, hit: Hit | None, depth: int = 0) -> Hit | None:
    """ "[QUIC], Section 8.1", "Annex II, Part A": what was read may be the container of what follows at once.

    `depth` counts the containers before it: no place is written with more than a few.
    """
    if hit is None or depth == DEEPEST or hit.kind not in _HOLDING or len(hit.labels) > 1 or hit.selector:
        return hit
    lead = _LEADS_ON.match(text, hit.end)
    if lead is None or lead.group("word") not in LABEL_WORDS:
        return hit
    if hit.kind is ReferenceKind.DOCUMENT and _ENTRY.search(text, max(0, hit.start - 6), hit.start):
        return hit
    word = LABEL_WORDS[lead.group("word")]
    if word.row.kind is hit.kind or word.row.kind in (ReferenceKind.FOOTNOTE, ReferenceKind.PAGE):
        return hit
    if hit.kind is ReferenceKind.ARTICLE and word.row.kind not in (
        ReferenceKind.SECTION,
        ReferenceKind.PARAGRAPH,
    ):
        return hit
    inner = _labelled(text, lead.start("word"), lead.end("word"), lead.start("word"), depth + 1)
    if inner is not None and inner.container is not None and hit.kind is ReferenceKind.ARTICLE:
        return inner._replace(start=hit.start) if _inside(hit.labels[0], inner.labels[0]) else hit
    if inner is not None and inner.container is not None and text.startswith(inner.container, inner.start):
        # "Schedule 1, Part 2, paragraph 1": what leads on led on itself.
        end = inner.start + len(inner.container)
        return inner._replace(start=hit.start, container=text[hit.start : end])
    if inner is None or inner.container is not None:
        return hit
    if hit.kind in (ReferenceKind.ARTICLE, ReferenceKind.CHAPTER) and not _inside(
        hit.labels[0], inner.labels[0]
    ):
        return hit
    bracketed = lead.group().endswith("(")
    return inner._replace(
        start=hit.start,
        container=text[hit.start : hit.end],
        end=inner.end + (bracketed and text[inner.end : inner.end + 1] == ")"),
    )


def _inside(unit: str, section: str) -> bool:
    """Whether a section may be counted in an article or chapter: "Article IV, Section 4.1" yes, "Article 12, Section 13.1" no."""
    root, dot, _ = section.partition(".")
    return not dot or root in variants(unit)


def _with_links(document: Document, found: list[Reference], skip: Sequence[bool]) -> Iterator[Reference]:
    """The references in order, with those links that no reference of the grammar overlaps."""
    taken = Taken(r.at for r in found) if document.links else Taken()
    linked: list[Reference] = []
    for link in document.links:
        at = link.at
        if (
            link.source in (LinkSource.CONTENTS, LinkSource.CALL)
            or at.line >= len(skip)
            or skip[at.line]
            or at.last_line >= len(skip)
        ):
            continue
        if taken.meets(at):
            continue
        text = as_read(document.lines, at)
        if text.strip():
            reference = Reference(text=text, kind=ReferenceKind.LINK, labels=(), at=at, found_by=FoundBy.LINK)
            linked.append(reference)
            taken.take(at)
    yield from sorted((*found, *linked), key=lambda r: (r.at.line, r.at.char_start))
