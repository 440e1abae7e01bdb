"""A pointer in a language other than English, read at a label word: "§ 12 Abs. 3 Satz 2", "l'article 6, point b)".

1. The label, and the parts behind it, which become its parts in brackets: "Art. 6 Abs. 1 lit. f" is 6(1)(f).
2. Further labels of a list or a range: after a plural any, after a singular only where the text goes on as behind one.
3. What picks a row, a sentence or a paragraph in it, behind or before.
4. What it is counted in: a unit, a law or paper, "dieses Artikels"; or a law before it, "BGB § 433".
"""

from __future__ import annotations

import re
from typing import NamedTuple

from deref.references.containers import DEEPEST, TAG
from deref.references.hit import Hit
from deref.references.kinds import ATTACHED, FOLDING, HOLDING
from deref.references.label_words import is_joined
from deref.references.listing import LabelList, finished
from deref.references.tongue import WEAK, Tongue, TongueWord
from deref.text.lazy import lazy
from deref.values import ReferenceKind

_LETTER = lazy(r"\(?(?P<letter>[a-z]{1,2})(?:\)|(?!\w))")
_OF_A_CODE = lazy(r"[A-Z]\. ?\d")
"""A number with the letter of the part of a code that it stands in: "L. 121-1"."""
_YEAR = lazy(r"(?:19|20)\d\d$")
_DOTTED = lazy(r"[\dA-Z]*\.\d")
_TWO_LETTERS = lazy(r"[IVXLC]{2}$|([A-Z])\1$")
_PUBLISHED = lazy(r"(?:(?:19|20)\d\d\)?|\d\(\d+\)|:\d+),? $")
_HOUSE = lazy(r"[A-Z][A-Z&-]{1,9}(?![\w(])(?! ?-?\d)")
_DATED = lazy(
    r" (?:vom|du|de|del|do|di|van|v\.) \d{1,2}(?:\.|er|º)? ?(?:de )?[^\W\d_]{3,10}\.? (?:de )?\d{4}| (?:vom|van) \d{1,2}\.\d{1,2}\.\d{4}"
)
_GLOSS = lazy(r" \((?:[^()]|\([^()]{1,30}\)){2,90}\)|,? [„“«\"][^„“”«»\"]{2,90}[“”»\"],?")
"""What may stand between a label and its container: "§ 5 (Zinsen) des Kreditvertrags"."""
_NUMBER_SIGN = lazy(r"^(?:Nr\.|n[.°º]|núm\.|nº) ?")
_WORD = lazy(r"§+|[^\W\d_]+\.?")
_LETTERED = lazy(r"\.[a-z]$")
_BEFORE = 80


class _Reading(NamedTuple):
    tongue: Tongue
    text: str
    written: list[str]
    joints: list[str]
    out: LabelList
    picks: list[str]
    plural: bool
    """Whether a further number may be one of the labels: not behind "§", nor behind "Art.", which is either."""


def worded_at(tongue: Tongue, text: str, start: int, stop: int, floor: int, depth: int = 0) -> Hit | None:
    """Return the pointer whose label word stands at start..stop, or the act that begins at `start`; None when there is none."""
    if start and (text[start - 1].isalnum() or text[start - 1] in "-/.\\" or is_joined(text, start)):
        return None
    if stop == start:
        act = tongue.act.match(text, start)
        hit = Hit(start=start, end=act.end(), kind=ReferenceKind.EXTERNAL, labels=(" ".join(act.group().split()),)) if act else None  # fmt: skip
        return leading(tongue, text, hit, depth)
    word = tongue.words.get(text[start:stop])
    letters = text[start:stop] in tongue.letters
    if word is None and not letters:
        return None
    if word is None:
        word = TongueWord(row=WEAK, kind=ReferenceKind.PARAGRAPH, plural=False)
    hit = _labels(tongue, text, start, stop, word, letters=letters)
    if hit is None:
        return None
    hit = _completed(tongue, text, hit, floor, depth)
    if word.row == WEAK and hit.container is None:
        return None
    return leading(tongue, text, hit, depth)


def _labels(
    tongue: Tongue, text: str, start: int, stop: int, word: TongueWord, *, letters: bool
) -> Hit | None:
    at = stop
    while text[at : at + 1] in (" ", "\t"):
        at += 1
    if at == stop and text[stop - 1] not in ".§(":
        return None
    if word.plural and tongue.start is not None and (begins := tongue.start.match(text, stop)):
        at = begins.end()
    if letters and (lettered := _LETTER.match(text, at)):
        return Hit(start=start, end=lettered.end(), kind=word.kind, labels=(lettered.group("letter"),))
    first = tongue.label.match(text, at)
    if first is None or not _credible(tongue, text, start, stop, first, word):
        return None
    r = _Reading(
        tongue,
        text,
        [_plain(tongue, first.group())],
        [""],
        LabelList(end=first.end()),
        [],
        word.plural and not text[start:stop].endswith("."),
    )
    folds = word.kind in FOLDING
    if folds:
        _fold(r)
    while step := tongue.next.match(text, r.out.end):
        joint = "to" if step.group("range") or step.group().strip()[:1] in "–—−-" else "and"
        label = step.group("label")
        if _begins_another(r, step, text[start:stop], word.kind) or not _belongs(
            r, step, label, joint, plural=word.plural
        ):
            break
        r.written.append(_plain(tongue, label))
        r.joints.append(joint)
        r.out.end = step.end()
        if folds:
            _fold(r)
    if tongue.onward is not None and (onward := tongue.onward.match(text, r.out.end)):
        r.out.end = onward.end()
    labels = finished(r.out, r.written, r.joints, word.plural)
    return Hit(start=start, end=labels.end, kind=word.kind, labels=tuple(labels.labels), selector=", ".join(r.picks) or None)  # fmt: skip


def _begins_another(r: _Reading, step: re.Match[str], said: str, kind: ReferenceKind) -> bool:
    """Whether a word before one more label begins a pointer of its own: "§ 3 sowie Abschnitt 2", "l'article 3 et l'article L. 121-1"."""
    again = (step.group("again") or "").strip()
    if not again:
        return False
    if r.tongue.words[again].kind is not kind or again.startswith("§") != said.startswith("§"):
        return True
    return bool(_OF_A_CODE.match(step.group("label"))) != bool(_OF_A_CODE.match(r.written[-1]))


def _plain(tongue: Tongue, raw: str) -> str:
    """A label as it is numbered: "1er" is 1, "5.º" is 5, "primera" is 1."""
    if digits := tongue.figures.get(raw.casefold()):
        return digits
    return tongue.mark.sub("", _NUMBER_SIGN.sub("", raw))


def _credible(
    tongue: Tongue, text: str, start: int, stop: int, first: re.Match[str], word: TongueWord
) -> bool:
    label, said = first.group(), text[start:stop]
    if word.kind is ReferenceKind.PAGE:
        if not label[0].isdigit() or tongue.of_count.match(text, first.end()):
            return False
        before = text[max(0, start - 16) : start]
        return bool(tongue.page_lead.search(before)) and not _PUBLISHED.search(before)
    worded = label.casefold() in tongue.figures
    if worded and word.kind is ReferenceKind.PARAGRAPH:
        return False
    if label.isalpha() and not worded:
        if len(label) == 1 and (said.isupper() or said.endswith(".")) and len(said) > 1:
            return False
        if len(label) == 2 and not _TWO_LETTERS.match(label):
            return False
        if len(label) == 1 and text[first.end() : first.end() + 2][1:2].islower() and not tongue.goes_on.match(text, first.end()):  # fmt: skip
            return False
    return not tongue.counting.match(text, first.end())


def _fold(r: _Reading) -> None:
    """Take the parts and the picks behind the last label."""
    t, text = r.tongue, r.text
    while True:
        end = r.out.end
        if (part := t.part.match(text, end)) and _is_part(r, part):
            r.written[-1] += (
                f"({part.group('number') or part.group('letter')}){part.group('more').replace(' ', '')}"
            )
            r.out.end = part.end()
            if part.group("number") and not part.group("more"):
                _further_parts(r)
            outer = part.group("close") and "(" not in part.group() and _is_open(text, end)
            if outer and r.out.end == part.end() and text[part.end() : part.end() + 1] != ")":
                r.out.end -= 1
        elif t.counted is not None and (piece := t.counted.match(text, end)):
            r.written[-1] += f"({_nth(t, piece.group('nth'))})"
            r.out.end = piece.end()
        elif (letter := t.direct.match(text, end)) and not _is_open(text, end):
            r.written[-1] += f"({letter.group('letter')})"
            r.out.end = letter.end()
        elif _LETTERED.search(r.written[-1]) and text[end : end + 1] == ")" and not _is_open(text, end):
            r.out.end = end + 1
        elif pick := t.pick_after.match(text, end):
            if not text[end : end + 1].strip(" ,("):
                r.picks.append(pick.group("text") or pick.group("inside"))
                r.out.end = pick.end()
            else:
                return
        else:
            return


def _further_parts(r: _Reading) -> None:
    """Take the further numbers of a list of parts: "§ 12 Abs. 1 und 3" is 12(1) and 12(3)."""
    t, text = r.tongue, r.text
    base = r.written[-1][: r.written[-1].rindex("(")]
    while step := t.more_parts.match(text, r.out.end):
        number = step.group("number")
        follows = t.part.match(text, step.end()) or t.counting.match(text, step.end())
        if r.plural or follows or not t.goes_on.match(text, step.end()) or (_YEAR.match(number)):
            return
        r.written.append(f"{base}({number})")
        r.joints.append("to" if step.group("range") else "and")
        r.out.end = step.end()


def _is_part(r: _Reading, part: re.Match[str]) -> bool:
    """Whether a number is counted as a part, and a letter is one: behind a word for letters, or closed by a bracket."""
    if part.group("number"):
        return not r.tongue.counting.match(r.text, part.end())
    return part.group("word") in r.tongue.letters or bool(part.group("close"))


def _is_open(text: str, at: int) -> bool:
    """Whether a bracket that was opened shortly before is still open."""
    before = text[max(0, at - _BEFORE) : at]
    return before.count("(") > before.count(")")


def _nth(tongue: Tongue, word: str) -> str:
    ordinals = tongue.pointing.ordinals
    return str(next(n for n, o in enumerate(ordinals, 1) if re.fullmatch(o, word, re.IGNORECASE)))


def _belongs(r: _Reading, step: re.Match[str], label: str, joint: str, *, plural: bool) -> bool:
    """Whether one more label belongs to the list."""
    before, text, t = r.written[-1], r.text, r.tongue
    if _YEAR.match(label) and len(r.written[0]) < 4:
        return False
    if t.counting.match(text, step.end()) or (
        label.isalpha() and len(label) == 2 and not _TWO_LETTERS.match(label)
    ):
        return False
    if label.isalpha() and label.casefold() in t.figures and before not in t.figures.values():
        return False
    if plural or step.group("again"):
        return bool(step.group("and") or step.group("range") or joint == "to" or label[0].isdigit() or _DOTTED.match(label) or label.isupper())  # fmt: skip
    if _DOTTED.match(label) and _DOTTED.match(before):
        return True
    if not (step.group("and") or step.group("range") or joint == "to"):
        return False
    same = label.isdigit() == before.isdigit() and label.isupper() == before.isupper()
    return same and bool(t.goes_on.match(text, step.end()))


def _completed(tongue: Tongue, text: str, hit: Hit, floor: int, depth: int) -> Hit:
    """The hit with what picks a part of it, and what it is counted in."""
    pick = tongue.pick_after.match(text, hit.end) if hit.selector is None else None
    if pick is not None:
        hit = hit._replace(selector=pick.group("text") or pick.group("inside"), end=pick.end())
    inside = counted_in(tongue, text, hit.end, attached=hit.kind in ATTACHED, depth=depth)
    if inside is not None:
        hit = hit._replace(container=text[inside[0] : inside[1]], end=inside[1])
    elif law := tongue.law_before.search(text, max(floor, hit.start - _BEFORE), hit.start):
        hit = hit._replace(container=law.group("law"), start=law.start("law"))
    nth = (
        tongue.counted_before.search(text, max(floor, hit.start - _BEFORE), hit.start)
        if tongue.counted_before
        else None
    )
    if nth is not None and len(hit.labels) == 1 and hit.kind in FOLDING:
        return hit._replace(
            labels=(f"{hit.labels[0]}({_nth(tongue, nth.group('nth'))})",), start=nth.start("nth")
        )
    if pick is None and (
        before := tongue.pick_before.search(text, max(floor, hit.start - _BEFORE), hit.start)
    ):
        said = before.group("text")
        hit = hit._replace(selector=said if hit.selector is None else f"{said}, {hit.selector}", start=before.start("text"))  # fmt: skip
    return hit


def counted_in(
    tongue: Tongue, text: str, at: int, *, attached: bool, depth: int = 0
) -> tuple[int, int] | None:
    """Return the characters of what a label that ends at `at` is counted in, or None."""
    if text[at : at + 1] not in (" ", ",") or depth >= DEEPEST:
        return None
    if (gloss := _GLOSS.match(text, at)) and tongue.of.match(text, gloss.end()):
        at = gloss.end()
    if thereof := tongue.thereof.match(text, at):
        return thereof.span("text")
    begins = [at + 1] if text[at] == " " else []
    leads = [tongue.of.match(text, at), tongue.to.match(text, at) if attached else None]
    ends = [lead.end() for lead in leads if lead is not None]
    for begin in (*begins, *ends):
        if here := tongue.here.match(text, begin):
            if not tongue.label.match(text, here.end() + 1) or text[here.end() : here.end() + 1] != " ":
                return here.span()
            inner = _unit(tongue, text, here.start("noun"), depth)
            if inner is not None:
                return inner
    for begin in ends:
        for found in (
            tongue.away.match(text, begin),
            tongue.act.match(text, begin),
            TAG.match(text, begin),
            tongue.law.match(text, begin),
        ):
            if found is not None:
                return found.span()
        if (inner := _unit(tongue, text, begin, depth)) is not None:
            return inner
        for pattern in (tongue.name, tongue.paper, _HOUSE):
            if (name := pattern.match(text, begin)) is not None:
                dated = _DATED.match(text, name.end())
                return begin, dated.end() if dated is not None else name.end()
    behind = tongue.law_behind.match(text, at)
    return behind.span("law") if behind is not None else None


def _unit(tongue: Tongue, text: str, at: int, depth: int) -> tuple[int, int] | None:
    word = _WORD.match(text, at)
    for stop in (word.end(), word.end() - 1) if word else ():
        if text[at:stop] in tongue.words or text[at:stop] in tongue.letters:
            inner = worded_at(tongue, f" {text[at:]}" if at == 0 else text, at, stop, at, depth + 1)
            if inner is not None and inner.start == at:
                return at, inner.end
    return None


def leading(tongue: Tongue, text: str, hit: Hit | None, depth: int = 0) -> Hit | None:
    """ "Anlage 2, Ziffer 3", "[QUIC], Abschnitt 8.1": what was read may be the container of what follows at once."""
    if hit is None or depth >= DEEPEST or hit.kind not in HOLDING or len(hit.labels) > 1 or hit.selector:
        return hit
    lead = _ON.match(text, hit.end)
    if lead is None or lead.group("word") not in tongue.words:
        return hit
    word = tongue.words[lead.group("word")]
    if word.kind in (hit.kind, ReferenceKind.FOOTNOTE, ReferenceKind.PAGE):
        return hit
    inner = _labels(tongue, text, lead.start("word"), lead.end("word"), word, letters=False)
    if inner is None:
        return hit
    inner = _completed(tongue, text, inner, lead.start("word"), depth + 1)
    if inner.container is not None:
        return hit
    return inner._replace(start=hit.start, container=text[hit.start : hit.end])


_ON = lazy(r",? (?=(?P<word>§+|[^\W\d_]+\.?) ?[\dA-Z(])")


def relative_phrase(tongue: Tongue, text: str, start: int, end: int, floor: int) -> Hit:
    """Return the hit of a relative pointer, with what picks a part before it: "le premier alinéa du présent article"."""
    hit = Hit(start=start, end=end, kind=ReferenceKind.RELATIVE, labels=())
    # What joins the two may be a part of the phrase: "du présent article".
    for stop in (start, start + len(text[start:end].split(" ")[0]) + 1):
        for pattern, group in ((tongue.pick_before, "text"), (tongue.counted_before, "nth")):
            before = pattern.search(text, max(floor, start - _BEFORE), stop) if pattern is not None else None
            if before is not None:
                piece = text[before.start(group) : before.end()] if group == "nth" else before.group(group)
                of = tongue.of.search(piece) if group == "nth" else None
                return hit._replace(selector=piece[: of.start()] if of else piece, start=before.start(group))
    return hit
