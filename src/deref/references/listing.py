"""A list of labels after a label word: "3.1–3.4 and 5", "13(2), point (f), and 14", "(a), (b) and (d) to (f)".

The first label is any number, roman number or capital letter, with parts in brackets. What may follow is decided
by its form: after a plural any label, after a singular only one that cannot be anything else (it has dots, hyphens
or brackets, or the text goes on as after a label). A hyphen between two numbers is a range after a plural
("Tables 3-5") and part of the label otherwise ("Figure 2-3").
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from deref.references.label_words import LABEL_WORDS, alternation
from deref.references.words import LIST_WORDS, NUMBER_WORDS, POINT_WORDS, RANGE_WORDS
from deref.text.labels import expand_range, is_roman, normalize_label, split_sub
from deref.text.lazy import lazy

SUB = r"\((?:\d{1,3}|[A-Za-z]{1,2}|[ivxl]{1,6}|[IVXL]{1,6})(?:[-–]\d)?\)"
SUBS = rf"(?:{SUB}(?: ?{SUB})*| \(\d{{1,2}}\)(?: ?{SUB})*)?"
_GLUED = r"(?:or|of|in|is|to|as|at|on|by|and|are)\b"  # a word that the file runs into the number: "3.3.1or"
_CORE = (
    rf"(?:(?:[A-Z]{{1,2}}[.-]?)?\d{{1,5}}(?:[A-Z]?\.\d{{1,4}})*(?:\.[a-z](?![\w.]))?(?:(?!{_GLUED})[A-Za-z]{{0,2}}(?!_?[^\W_]|%)|(?={_GLUED}))(?!\.\d|,\d{{3}}(?!\d))"
    r"|[IVXLC]{1,7}[A-Z]?(?!['’\w])(?:\.[A-Z](?![A-Za-z]))?(?:\.\d{1,3})*|[A-Z]{1,2}(?!['’\w])(?:\.\d{1,3})*)"
)
_LABEL = rf"(?:No\. ?)?(?:{_CORE}(?:[-‑]{_CORE})*(?:\.(?={SUB}))?{SUBS}|{SUB}(?: ?{SUB})*|\(\d{{1,3}}(?:\.\d{{1,3}})+\))"
_IN_WORDS = {form: str(n) for n, w in enumerate(NUMBER_WORDS, 1) for form in (w, w.upper())}
FIRST = lazy(rf"{_LABEL}|(?:{'|'.join(_IN_WORDS)})(?!\w)")
_LISTS = "|".join(re.escape(w) for w in LIST_WORDS)
_RANGES = "|".join(re.escape(w) for w in RANGE_WORDS)
_NEXT = lazy(
    rf"(?: ?[–—−] ?| - (?=[\dA-Z(])|-(?=[\dA-Z(])| (?P<range>{_RANGES}) +|,? *(?P<and>{_LISTS}|&) +|, *)(?P<lead>(?:the )?§+ ?)?(?P<label>{_LABEL})"
)
_POINTS = "|".join(re.escape(w) for w in POINT_WORDS)
_POINT = lazy(
    rf",? ?(?P<word>(?i:{_POINTS})|§+) ?\(?(?P<label>[a-z]{{1,2}}|\d{{1,3}}|[ivx]{{1,5}})\)?(?![\w.]\d?)(?P<more>{SUBS})"
)
_PIECE = lazy(
    r",? (?P<text>(?:first|second|third|fourth|fifth|last) (?:subparagraph|sub-paragraph|paragraph|sentence|indent))"
)
_GLOSS = lazy(r" \((?=[“‘'\"]?[A-Za-z]{3})[^()]{3,60}\)")
POINTER_IN = lazy(lambda: rf"(?<!\w)(?:{alternation(list(LABEL_WORDS))}) ?[\dA-Z(]")
_COUNTED = lazy(r", (?P<text>[Pp]aragraph (?P<label>\d{1,3}(?:\.\d{1,3})+))(?![\w(-]|\.\d)")
"""A paragraph told by its place among all of a section, as indexes count them: "Section 7.2.5, Paragraph 4.2.1"."""
_IN_BRACKETS = lazy(r"\(([^()]+)\)")
_GOES_ON = lazy(
    r" ?(?:[.;:)\]”\"]|,(?! ?\d)|$| (?:of|and|or|to|above|below|shall|is|are|do|does|apply|applies|hereof|thereof|in|for|on|with|which|that|"
    r"as|may|must|will|were|was|have|has|show|list|give|describe|define|specify|respectively|provide|can|not|at|from|by|under|when|if|"
    r"relating|concerning|regarding|mentioned|there|where|but|than|the|set|using|only|also|both|above|contains?|reports?|we|it)\b)"
)
_PLAIN = lazy(r"\d+(?:\.\d+)*(?:\([A-Za-z\d]+\))*|[A-Z]", re.ASCII)
"""A label that is in its normal form already, as most are."""
_YEAR = lazy(r"(?:19|20)\d\d$")
_HYPHENATED = lazy(r"(\d+)[-‑](\d+)$")
_DOTTED = lazy(r"[\dA-Z]*\.\d")
_LONG_PART = lazy(r"\.\d{3}")
_PLAIN_RANGE = lazy(r"([A-Z])[-‑]([A-Z])$|(\d+)[-‑](\d+)$|(.*\.\d+)[-‑](.*\.\d+)$")


@dataclass(slots=True)
class LabelList:
    """The labels that were read, the offset after the last one, and a piece ("first subparagraph") that came with it."""

    labels: list[str] = field(default_factory=list)
    end: int = 0
    piece: str | None = None


def read_labels(text: str, start: int, *, plural: bool, points: bool) -> LabelList | None:
    """Read labels from `start`; None when there is none. `points` folds ", point (c)" into the label before it."""
    first = FIRST.match(text, start)
    if first is None:
        return None
    written = [first.group()]
    joints = [""]
    out = LabelList(end=first.end())
    _fold_points(text, out, written, points)
    _skip_gloss(text, out, plural)
    if text[out.end : out.end + 1] not in (",", " ", "–", "—", "−", "-", ")"):
        return finished(out, written, joints, plural)
    while step := _NEXT.match(text, out.end):
        label = step.group("label")
        if step.group().startswith(" - ") and not plural:
            break
        joint = (
            "to"
            if step.group("range")
            or step.group()[:2].strip()[:1] in ("–", "—", "−", "-")
            or step.group()[0] == "-"
            else "and"
        )
        if (not plural and not _sure(text, step, written, joint)) or _elsewhere(text, step, written):
            break
        written.append(label)
        joints.append(joint)
        out.end = step.end()
        _fold_points(text, out, written, points)
        _skip_gloss(text, out, plural)
    return finished(out, written, joints, plural)


def _skip_gloss(text: str, out: LabelList, plural: bool) -> None:
    """Go past words in brackets that explain a label of a list, when the list goes on behind them: "Articles 5 (Scope) and 6"."""
    if plural and text.startswith(" (", out.end) and (gloss := _GLOSS.match(text, out.end)):
        after = _NEXT.match(text, gloss.end())
        if POINTER_IN.search(text, out.end, gloss.end()):
            return
        if after is not None and (_GOES_ON.match(text, after.end()) or _GLOSS.match(text, after.end())):
            out.end = gloss.end()


def _fold_points(text: str, out: LabelList, written: list[str], points: bool) -> None:
    while points and text[out.end : out.end + 1] in (",", " "):
        if piece := _PIECE.match(text, out.end):
            out.piece = piece.group("text")
            out.end = piece.end()
        elif point := _POINT.match(text, out.end):
            written[-1] += f"({point.group('label')}){point.group('more')}"
            out.end = point.end()
        elif (counted := _COUNTED.match(text, out.end)) and not _inside(counted.group("label"), written[-1]):
            out.piece = counted.group("text")
            out.end = counted.end()
        else:
            return


def _inside(label: str, unit: str) -> bool:
    """Whether a number of several parts is counted through, as 5.2 of Section 5 is: a pointer of its own."""
    return label.startswith(f"{normalize_label(unit)}.")


def _sure(text: str, step: re.Match[str], written: list[str], joint: str) -> bool:
    """Whether a label after a singular word belongs to the list: its form is that of the one before it."""
    label, before = step.group("label"), written[-1]
    if joint == "to" and not step.group("range"):
        if label[0] == "(":
            return "(" in before
        return (
            bool(_DOTTED.match(label)) == bool(_DOTTED.match(before))
            and label[0].isdigit() == before[0].isdigit()
        )
    if _DOTTED.match(label) and _DOTTED.match(before):
        return bool(_LONG_PART.search(label)) == bool(_LONG_PART.search(before))
    if "(" in label:
        return "(" in before or label[0] != "("
    if not step.group("and") and not step.group("range"):
        return False
    same = label.isdigit() == before.isdigit() and label.isupper() == before.isupper()
    return same and bool(_GOES_ON.match(text, step.end()))


def _elsewhere(text: str, step: re.Match[str], written: list[str]) -> bool:
    """Whether what looks like one more label is something else: a year, a count, the next sentence."""
    label = step.group("label")
    if _YEAR.match(label) and len(written[0]) < 4:
        return True
    after = text[step.end() : step.end() + 14]
    if (
        label in ("A", "I")
        and after[:1] == " "
        and after[1:2].islower()
        and not _GOES_ON.match(text, step.end())
    ):
        return True
    if label.isalpha() and len(label) == 2 and not re.fullmatch(r"[IVXLC]+", label):
        return True
    if after[:1] == "." and label.isdigit() and after[1:2].isdigit():
        return True
    count = re.match(
        r" (?:years?|days?|months?|weeks?|hours?|percent|per cent|times|U\.?S|CFR|C\.F\.R|million|°)", after
    )
    return count is not None


def finished(out: LabelList, written: list[str], joints: list[str], plural: bool) -> LabelList:
    """Return the list with its labels in normal form, ranges told out; `joints[n]` ("to", "and") stands before `written[n]`."""
    if len(written) == 1 and _PLAIN.fullmatch(written[0]):
        out.labels = written
        return out
    labels: list[str] = []
    apart = _hyphens_are_labels(written) if plural else True
    for raw, joint in zip(written, joints, strict=True):
        label = _IN_WORDS.get(raw) or normalize_label(raw)
        ends = _ends(raw, plural and not apart)
        if ends:
            labels += [n for n in expand_range(*ends) if n not in labels]
            continue
        label = completed(raw, label, labels[-1] if labels else "")
        if joint == "to" and labels:
            labels += [n for n in expand_range(labels[-1], label)[1:] if n not in labels]
        elif label not in labels:
            labels.append(label)
    out.labels = labels
    return out


def _hyphens_are_labels(written: list[str]) -> bool:
    pairs = [(int(m.group(1)), int(m.group(2))) for m in map(_HYPHENATED.match, written) if m]
    if not pairs:
        return False
    if any(a >= b for a, b in pairs) or len({a for a, _ in pairs}) < len(pairs):
        return True
    return len(pairs) > 1 and any(p[1] >= q[0] for p, q in itertools.pairwise(pairs))


def _ends(raw: str, ranges: bool) -> tuple[str, str] | None:
    match = _PLAIN_RANGE.match(raw)
    if match is None:
        return None
    groups = [g for g in match.groups() if g is not None]
    first, last = normalize_label(groups[0]), normalize_label(groups[1])
    if match.group(5) is not None:
        return (
            (first, last) if first.count(".") == last.count(".") and len(first.split(".")[-1]) < 3 else None
        )
    return (first, last) if ranges else None


def completed(raw: str, label: str, before: str) -> str:
    """Return the label of a member as written: one that is only a part in brackets takes the unit of the one before.

    "5.1(a) and (b)" is 5.1(a), 5.1(b). `label` is its own normal form.
    """
    if not raw.startswith("(") or not before:
        return label
    base, subs = split_sub(before)
    if before.startswith("("):
        base, subs = "", tuple(_IN_BRACKETS.findall(before))
    new = _IN_BRACKETS.findall(raw)
    if not subs:
        return label
    return base + "".join(f"({s})" for s in (*subs[: _depth(subs, new)], *new))


def _depth(subs: Sequence[str], new: Sequence[str]) -> int:
    """How many of the brackets before are kept: those above the deepest one that is counted as the first new one is.

    (1)(i) then (ii) keeps (1), (a)(2)(i) then (b)(1) keeps none, (v)(2)(i) then (v)(2)(ii) what stands before the (v).
    """
    if len(new) > 1 and new[0] in subs:
        return subs.index(new[0])
    ways = _ways(new[0])
    taken: set[str] = set()
    alike = []
    for n, sub in enumerate(subs):
        own = _ways(sub) - taken or _ways(sub)
        if own & ways:
            alike.append(n)
        if len(own) == 1:
            taken |= own
    return alike[-1] if alike else max(0, len(subs) - len(new))


def _ways(part: str) -> set[str]:
    """In which ways a part in brackets may be counted: by digits, roman numbers, small or capital letters."""
    if part.isdigit():
        return {"digits"}
    letters = "capitals" if part.isupper() else "letters"
    if not is_roman(part) or (len(part) == 1 and part.lower() not in "ivx"):
        return {letters}
    return {letters, f"roman {letters}"} if len(part) == 1 else {f"roman {letters}"}
