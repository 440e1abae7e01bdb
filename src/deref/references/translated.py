"""A reference of another language said in English words, which are all that the resolver knows.

"Anlage 2 zum Kreditvertrag" is said as "annex 2 of Kreditvertrag", "dieses Artikels" as "this article", "Zeile (E)" as
"row (E)", "Verordnung (EU) 2016/679" as "Regulation (EU) 2016/679". Names of papers and short names of laws stay, in
their stem. What is English already stays as it is.
"""

from __future__ import annotations

import re
from dataclasses import replace

from deref.references.titled import quoted_title
from deref.references.tongue import Tongue, split_words, tongue
from deref.references.worded import worded_at
from deref.references.words import ORDINALS
from deref.values import Document, Reference, ReferenceKind

_TH = {"1": "st", "2": "nd", "3": "rd"}
_LAW_ORGAN = {"UE": "EU", "EG": "EC", "CE": "EC", "EWG": "EEC", "CEE": "EEC"}


def tongues_of(document: Document) -> tuple[Tongue, ...]:
    """Return the grammars, other than that of English, in which a document is read."""
    found = (tongue(code) for code in document.language.split(", "))
    return tuple(t for t in found if t is not None)


def translated(reference: Reference, document: Document) -> Reference:
    """Return the reference as an English one of the same place; the same object for one in English, or by a title in quotes."""
    if quoted_title(reference) is not None:
        return reference
    for t in tongues_of(document):
        said = _said(t, reference, document)
        if said is not None:
            return said
    return reference


def _said(t: Tongue, reference: Reference, document: Document) -> Reference | None:
    text = " ".join(reference.text.split())
    if reference.kind is ReferenceKind.RELATIVE:
        return _said_relative(t, reference, text)
    if reference.kind is ReferenceKind.EXTERNAL:
        labels = tuple(_act(t, label) or label for label in reference.labels)
        return replace(reference, text=labels[0], labels=labels) if labels != reference.labels else None
    if not reference.labels or not any(
        _begins(t, word) for word in re.findall(r"§+|[^\W\d_]+\.?(?:\.[ºo])?", text)
    ):
        return None
    container = " ".join((reference.container or "").split())
    inside = _container(t, container, document) if container else None
    noun = _sign(text.removeprefix(container), reference.kind) or reference.kind.value
    named = f"{noun} {', '.join(reference.labels)}"
    if inside is not None:
        leads = text.startswith(container)
        named = f"{inside}, {named}" if leads else f"{named} of {inside}"
    selector = _selector(t, reference.selector) if reference.selector else None
    return replace(reference, text=named, container=inside, selector=selector)


def _sign(text: str, kind: ReferenceKind) -> str:
    """ "§" where the pointer is written with that sign, which is another unit than an "Abschnitt"."""
    signed = kind is ReferenceKind.SECTION and re.match(r"[^§]*§+ ?\d", text)
    return "§" if signed else ""


def _said_relative(t: Tongue, reference: Reference, text: str) -> Reference | None:
    """ "le premier alinéa du présent article" → "first paragraph of this article"."""
    picked = " ".join((reference.selector or "").split())
    rest = text.removeprefix(picked)
    phrase = _relative(t, rest.strip()) or _relative(t, t.of.sub("", rest, 1))
    if phrase is None:
        return None
    if not picked:
        return replace(reference, text=phrase)
    selector = _selector(t, picked)
    return replace(reference, text=f"{selector} of {phrase}", selector=selector)


def _begins(t: Tongue, word: str) -> bool:
    return (
        word in t.words
        or word.rstrip(".") in t.words
        or word.casefold() in t.pointing.letters.casefold().split()
    )


def _noun(t: Tongue, text: str) -> str | None:
    for nouns in (t.pointing.units, t.pointing.papers):
        for english, pattern in nouns.items():
            if re.fullmatch(pattern, text, re.IGNORECASE):
                return english
    return None


def _relative(t: Tongue, text: str) -> str | None:
    if here := t.here.match(text[:1].lower() + text[1:]):
        noun = _noun(t, here.group("noun"))
        return f"{'this' if here.group('this') else 'that'} {noun}" if noun else None
    p = t.pointing
    if far := re.search(rf"(?:{p.see}) (?:(?P<above>{p.above})|(?P<below>{p.below}))$", text, re.IGNORECASE):
        return "see above" if far.group("above") else "see below"
    rest = re.sub(rf"^(?:{p.articles})(?: |(?<=['’]))", "", text, flags=re.IGNORECASE)
    for way, pattern in (
        ("preceding", p.preceding),
        ("following", p.following),
        ("above", p.above),
        ("below", p.below),
    ):
        found = re.fullmatch(rf"(?:{pattern}) (?P<a>.+)|(?P<b>.+?),? (?:{pattern})", rest, re.IGNORECASE)
        noun = _noun(t, found.group("a") or found.group("b")) if found else None
        if noun:
            return f"the {way} {noun}" if way in ("preceding", "following") else f"the {noun} {way}"
    return None


def _act(t: Tongue, name: str) -> str | None:
    """ "Verordnung (EU) Nr. 2016/679" → "Regulation (EU) 2016/679"."""
    if t.act.fullmatch(name) is None:
        return None
    number = re.search(r"\d{1,4}/\d{1,4}(?:/\w+)?$", name)
    for english, pattern in t.pointing.acts.items():
        if re.match(pattern, name) and number is not None:
            organ = re.search(r"\((\w+)\)", name)
            parts = number.group().split("/")
            parts[2:] = [_LAW_ORGAN.get(p, p) for p in parts[2:]]
            said = f" ({_LAW_ORGAN.get(organ.group(1), organ.group(1))})" if organ else ""
            return f"{english}{said} {'/'.join(parts)}"
    return None


def _container(t: Tongue, said: str, document: Document) -> str:
    if here := t.here.fullmatch(said):
        noun = _noun(t, here.group("noun"))
        return f"{'this' if here.group('this') else 'that'} {noun}" if noun else said
    if t.away.fullmatch(said) and (away := _relative(t, said)) is not None:
        return away.removeprefix("the ")
    if t.thereof.fullmatch(f" {said}"):
        return "thereof"
    if act := _act(t, said):
        return act
    word = re.match(r"§+|[^\W\d_]+\.?", said)
    if word is not None and _begins(t, word.group()):
        stop = (
            word.end()
            if word.group() in t.words or word.group() in t.pointing.letters.split()
            else word.end() - 1
        )
        hit = worded_at(t, f" {said}", 1, stop + 1, 0)
        if hit is not None and hit.labels:
            noun = _sign(said, hit.kind) or hit.kind.value.capitalize()
            inner = f"{noun} {', '.join(hit.labels)}"
            return f"{inner} of {_container(t, hit.container, document)}" if hit.container else inner
    if (kind := _noun(t, said)) is not None and _is_a(document, t, kind):
        return f"this {kind}"
    name = t.name.fullmatch(said)
    if name is not None:
        tail = next((g for key, g in name.groupdict().items() if key.startswith("tail") and g), "")
        return said.removesuffix(tail)
    return said


def _is_a(document: Document, t: Tongue, kind: str) -> bool:
    """Whether a document is what a noun alone calls it: "des Vertrags" in a "Darlehensvertrag"."""
    pattern = t.pointing.papers.get(kind)
    return (
        pattern is not None and re.search(rf"(?:{pattern})(?!\w)", document.title, re.IGNORECASE) is not None
    )


def _selector(t: Tongue, said: str) -> str:
    """ "Zeile (E)" → "row (E)", "alinéa 2" → "2nd paragraph", "erster Unterabsatz" → "first subparagraph"."""
    p = t.pointing
    for english, words in p.picks.items():
        forms = "|".join(re.escape(w) for w in sorted(words.split(), key=len, reverse=True))
        if named := re.fullmatch(rf"(?:{forms}) (?P<rest>.+)", said, re.IGNORECASE):
            rest = named.group("rest")
            if english in ("row", "column", "item"):
                rest = re.sub(rf" (?:{'|'.join(map(re.escape, split_words(p.lists)))}) ", " and ", rest)
                rest = re.sub(rf" (?:{'|'.join(map(re.escape, split_words(p.ranges)))}) ", " to ", rest)
                return f"{english} {rest}"
            return f"{rest}{_TH.get(rest, 'th')} {english}"
    for n, ordinal in enumerate(p.ordinals, 1):
        if p.counted_pieces and re.fullmatch(
            rf"(?:{ordinal}) (?:{p.counted_pieces.replace(' ', '|')})", said, re.IGNORECASE
        ):
            return f"paragraph ({n})"
    for english, piece in p.pieces.items():
        for n, ordinal in enumerate(p.ordinals):
            if re.fullmatch(rf"(?:{ordinal}) (?:{piece})|(?:{piece}) (?:{ordinal})", said, re.IGNORECASE):
                word = ORDINALS[-1] if n == len(p.ordinals) - 1 else ORDINALS[n]
                return f"{word} {english}"
    return said
