"""Documents called by name: any capitalised name that ends in an instrument noun, and the names a shelf knows.

`title_at` reads one at a place ("the Due Diligence Report"); `find_names` looks for given names, longest first.
A name of one word alone ("the Report") names nothing for certain and is left.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from deref.references.documents import own_names
from deref.references.effects import effect_of
from deref.references.hit import Hit
from deref.references.known_names import KnownNames
from deref.references.scan import passages
from deref.references.skipping import skipped
from deref.references.taken import Taken
from deref.references.words import INSTRUMENTS, PARTIES
from deref.text.lazy import lazy
from deref.text.names import normalize_name
from deref.values import Document, FoundBy, Line, Reference, ReferenceKind

_BACK = lazy(
    r"(?P<lead>(?:^|(?<=[\s(“\"‘’'\[:]))(?:[Tt]he|[Ii]ts|[Oo]ur|[Yy]our|[Tt]heir|[Aa]n?|[Ss]ee|[Pp]er|[Uu]nder|[Ii]n|[Dd]ocument:|[Oo]f|[Bb]y|[Aa]nd|[Tt]o|"
    r"[\w.]+['’]s?)[ “\"‘]+[“\"‘]?|[(“\"‘:] ?[“\"‘]?)"
    r"(?P<name>(?:[A-Z][\w’'&-]*,? (?:(?:of|and|for|on|the|to|&) ){0,2}){1,8})$"
)
_STOPS = ("Section", "Sections", "Article", "Schedule", "Exhibit", "Annex", "Appendix", "Document")
_NOUNS = "|".join(INSTRUMENTS)
_NOUN_FORMS = frozenset(noun.casefold() for noun in (*INSTRUMENTS, "Minutes", "Regulation", "Rules"))
_FORWARD = lazy(
    rf"(?:(?: [A-Z][\w&-]+){{0,2}} (?:{_NOUNS})(?![\w-])(?! ?\d))*"
    r"(?: of (?:the )?[A-Z][\w-]+(?: [A-Z][\w-]+){0,2}(?= ?[\s.,;:)”\"]|$))?(?: (?:No\.? ?)?\d{1,3}(?![\w.%])| [A-Z]{1,2}-\d{2}-\d{2}(?!\d))?"
)
_ANNOUNCED = lazy(
    rf"(?:[A-Z][\w&’'-]*(?: (?:(?:of|and|for|on|the) )*(?=[A-Z])(?!(?:{'|'.join(_STOPS)})\b)|)){{1,8}}"
)
_MEANING = lazy(
    r"(?:meanings? (?:given|assigned|ascribed) to|definition of) (?P<term>[“\"‘'][^”\"’']{2,60}[”\"’']) (?:in|by|under|of) (?:the )?$"
)
_MEANS_AS = lazy(
    r"(?P<term>[“\"‘'][A-Z][^”\"’']{1,60}[”\"’'])(?: \w+){0,2} (?:(?:has|have|shall have) the (?:same )?meanings?|is defined|are defined)"
    r"(?: (?:given|assigned|ascribed|set forth|set out|specified))?(?: to (?:it|them|such terms?|that term))? (?:in|by|under) (?:the )?$"
)
_DEFINED_THERE = lazy(
    r"(?P<term>[A-Z][\w-]*(?: (?:of |and |in )?[A-Z][\w-]*){0,4}) \(?,?(?:each )?as (?:such terms? (?:is|are) |that term is )?defined in (?:the )?$"
)
_GOES_ON = lazy(rf" (?!(?:{'|'.join(_STOPS)})\b)[A-Z][a-z]+(?=[\s,;)])")
_EARLIER = lazy(r"(?P<name>(?:[A-Z][\w’'&-]*,? ){1,4}(?:and|of|to) )$")
_SENTENCE = lazy(r"[a-z(“\"‘,;\]•*-] ?$")
_ROLE = lazy(
    r"\b(?:Dates?|Terms?|Part(?:y|ies)|Provisions|Execution|Amount|Closing|Termination|Expiration|Sections?|Copy) of the "
)
_OF_WHAT = lazy(r" of (?:the )?[A-Z]")
_CLOSING = {"“": "”", '"': '"', "‘": "’"}
_IN_QUOTES = lazy(r" ?[-–—:] [A-Z][^“”\"‘’.;]{2,50}(?=[”\"’])")
_COINED = lazy(r"\((?:(?:[a-z]+|hereinafter),? ){0,6}[“\"‘]$")
_PROGRAMME = lazy(r" (?:program(?:me)?s?|country|countries|holders?)\b")
_AT_HAND = lazy(
    r"\b(?:attached|annexed|appended|Exhibit|Schedule|Annex|Appendix|dated|executed|filed|form of)\b"
)
"""Words that say that the paper which is given a short name there is at hand: attached, or made before."""
_ANY_SUCH = lazy(r"(?:^|\W)[Aa]n? [“\"‘]?$")
_ONE_PAPER = lazy(
    r"[”\"’]?,? (?:\([^()]*\),? )?(?:dated|by|between|among|with|in (?:substantially )?the form|made|entered|executed|substantially|attached|No\.|\d)|"
    r"[”\"’]? \((?:the |this |each, an? )?[“\"‘]"
)
_BECOMES = lazy(
    r"[”\"’'*_]{1,4},? (?:shall )?(?:means?|refers? to|(?:has|have) the (?:same )?meanings?)\b|,? shall mean\b"
)
_ACTS = ("Consent", "Notice", "Assignment", "Letter", "Declaration")
_OFFICES = frozenset(
    [
        "Office",
        "Department",
        "Ministry",
        "Administrator",
        "Secretary",
        "Director",
        "Bureau",
        "Agency",
        "Committee",
        "Board",
    ]
)
_NOT_FIRST = frozenset(
    [
        "The",
        "This",
        "That",
        "Such",
        "Each",
        "Any",
        "All",
        "No",
        "Every",
        "Your",
        "Our",
        "My",
        "Their",
        "Its",
        "If",
        "In",
        "On",
        "At",
        "By",
        "To",
        "For",
        "Of",
        "And",
        "Or",
        "But",
        "As",
        "With",
        "From",
        "Under",
        "Upon",
        "When",
        "Where",
        "While",
        "A",
        "An",
        "See",
        "Per",
        "Section",
        "Article",
        "Clause",
        "Exhibit",
        "Schedule",
        "Annex",
        "Appendix",
        "Table",
        "Figure",
        "Chapter",
        "Part",
    ]
)


def title_at(text: str, start: int, stop: int, floor: int, own: frozenset[str]) -> Hit | None:
    """Return the document whose name ends with the noun at start..stop, or None. `own` are names of the home document."""
    if text.startswith("Document: ", start):
        named = _ANNOUNCED.match(text, stop)
        name = named.group().strip() if named else ""
        return (
            Hit(start=stop, end=stop + len(name), kind=ReferenceKind.DOCUMENT, labels=(name,))
            if name
            else None
        )
    if start == 0 or text[start - 1] not in " -":
        return None
    if not text[max(floor, start - 30) : start - 1].rpartition(" ")[2].lstrip("(“\"‘'")[
        :1
    ].isupper() and text[max(floor, start - 4) : start] not in ("and ", " of "):
        return None
    name_start = _begin(text, start, stop, floor)
    if name_start is None:
        return None
    tail = _FORWARD.match(text, stop)
    end = tail.end() if tail else stop
    if _GOES_ON.match(text, end):
        return None
    if text[name_start - 1] in _CLOSING and (rest := _IN_QUOTES.match(text, end)):
        end = rest.end()
    if _is_no_paper(text, name_start, end) or _PROGRAMME.match(text, end):
        return None
    name = " ".join(text[name_start:end].split())
    if normalize_name(name) in own or re.search(
        r"(?:[Tt]his|[Tt]hat) $", text[max(0, name_start - 5) : name_start]
    ):
        return None
    before = max(0, name_start - 110)
    meaning = _MEANING.search(text, before, name_start) or _MEANS_AS.search(text, before, name_start)
    if meaning is not None and meaning.start() >= floor:
        return Hit(start=meaning.start("term"), end=end, kind=ReferenceKind.DEFINITION, labels=(meaning.group("term")[1:-1],),
                   container=text[name_start:end])  # fmt: skip
    told = text.endswith(("defined in ", "defined in the "), 0, name_start)
    defined = _DEFINED_THERE.search(text, before, name_start) if told else None
    if defined is not None and not set(defined.group("term").split()) & _NOT_FIRST:
        term = defined.group("term").strip()
        return Hit(start=name_start, end=end, kind=ReferenceKind.DEFINITION, labels=(term,), container=name)
    return Hit(start=name_start, end=end, kind=ReferenceKind.DOCUMENT, labels=(name,))


def _begin(text: str, start: int, stop: int, floor: int) -> int | None:
    """Where the name begins whose noun stands at start..stop: behind who owns it and what part of it is meant; None when it is no name."""
    back = _BACK.search(text, max(floor, start - 90), start)
    if back is None:
        return None
    begin = back.start("name")
    if back.group("lead").strip() in ("and", "of", "to") and (
        earlier := _EARLIER.search(text, max(floor, begin - 80), begin)
    ):
        begin = earlier.start("name")
        party = earlier.group("name").split()[-2].rstrip(",").casefold() in PARTIES
        if party or not begin or not _SENTENCE.search(text, max(floor, begin - 2), begin):
            return None
    if role := _ROLE.search(text, begin, start):
        begin = role.end()
    owned = False
    while begin < start:
        word = text[begin:start].split(maxsplit=1)[0]
        owned = _is_owner(word)
        if not owned and word.strip(",") not in _NOT_FIRST:
            break
        begin += len(word)
        begin += len(text[begin:start]) - len(text[begin:start].lstrip())
    if begin >= start:
        return start if owned and _OF_WHAT.match(text, stop) else None
    if text[begin:start].split()[0] in _OFFICES or text[max(0, start - 4) : start].endswith((" of ", "for ")):
        return None
    return begin


def _is_owner(word: str) -> bool:
    """Whether a word says whose a paper is, and is no part of its name: "the Company's Certificate"."""
    owner, mark, _ = word.replace("’", "'").rpartition("'s")
    return bool(mark) and owner.casefold() in PARTIES | {"corporation"}


def _is_no_paper(text: str, start: int, end: int) -> bool:
    """Whether a name stands for no one paper: any of its kind, one that is only being given its name, or an act."""
    before = text[max(0, start - 12) : start]
    coined = _COINED.search(text, max(0, start - 60), start)
    if (
        coined
        and text[end : end + 1] in tuple(_CLOSING.values())
        and not _AT_HAND.search(text, max(0, start - 250), start)
    ):
        return True
    if _ANY_SUCH.search(before) and not _ONE_PAPER.match(text, end):
        return True
    if before.rstrip("“\"‘'").endswith("so-called ") or _BECOMES.match(text, end):
        return True
    return before.endswith(" by ") and text[:end].endswith(_ACTS)


def find_names(
    where: Document | Sequence[Line], names: Iterable[str], *, home: Document | None = None
) -> tuple[Reference, ...]:
    """Return the mentions of these names, in order of place, as references of kind document.

    Names are whole words, the longest first. One of two words and eight letters or more that ends in an instrument noun
    or has four words is found in any case, another only as it is given. A mention of the document by its own name is
    none; `home` is the document that lines are of. The same names may be given for every document of a shelf: what is
    looked for in whole documents is made ready once; in a run of lines only names whose words stand there are looked for.
    """
    lines = where.lines if isinstance(where, Document) else where
    if not isinstance(where, Document):
        known = names if isinstance(names, KnownNames) else KnownNames(names)
        likely = known.that_may_stand_in([line.text for line in lines])
        if not likely:
            return ()
        names = known if known.are_few else likely
    home = where if isinstance(where, Document) else home
    skip = skipped(where, lines) if isinstance(where, Document) else None
    own = {normalize_name(n) for n in own_names(home.title, home.aliases, home.name)} if home else set()
    found: list[Reference] = []
    for pattern in _patterns(tuple(names)):
        taken = Taken(r.at for r in found)
        found += [
            r
            for r in _mentions(lines, pattern, skip)
            if normalize_name(r.labels[0]) not in own and not taken.meets(r.at)
        ]
    text = home.lines if home is not None else lines
    common = {name for name in {r.labels[0] for r in found} if name.isalpha() and _is_plain_noun(name, text)}
    found = [r for r in found if r.labels[0] not in common]
    return tuple(sorted(found, key=lambda r: (r.at.line, r.at.char_start)))


def _is_plain_noun(name: str, lines: Sequence[Line]) -> bool:
    """Whether a name of one word stands in a text as a word for any such thing: "a URL", "URLs"."""
    one_of_many = re.compile(rf"\b(?:(?:[Aa]n?|[Aa]ny|[Ee]ach|[Ee]very) {name}(?![\w-])|{name}s\b)")
    return any(name in line.text and one_of_many.search(line.text) for line in lines)


def with_mentions(found: Sequence[Reference], named: Sequence[Reference]) -> list[Reference]:
    """Return both in order of place; a mention by name that meets a reference of the grammar is left out."""
    taken = Taken(r.at for r in found)
    extra = [r for r in named if not taken.meets(r.at)]
    return sorted([*found, *extra], key=lambda r: (r.at.line, r.at.char_start))


@lru_cache(maxsize=64)
def _patterns(names: tuple[str, ...]) -> tuple[re.Pattern[str], ...]:
    """Return what looks for the names in any case, and what looks for the others as they are given."""
    wanted = sorted({n.strip() for n in names if normalize_name(n)}, key=lambda n: (-len(n), n))
    loose = [n for n in wanted if len(n.split()) > 1 and sum(c.isalpha() for c in n) >= 8 and _in_any_case(n)]
    strict = [n for n in wanted if n not in set(loose) and sum(c.isalnum() for c in n) > 1]
    return tuple(p for p in (_any_of(loose, re.IGNORECASE), _any_of(strict, 0)) if p is not None)


def _is_common(text: str, match: re.Match[str]) -> bool:
    """Whether two words in small letters are just words: "a security policy"; "the security policy" means the one at hand."""
    words = match.group()
    return (
        words.islower()
        and len(words.split()) < 3
        and " " in words
        and not text[: match.start()].endswith(("the ", "The ", "our ", "Our "))
    )


def _in_any_case(name: str) -> bool:
    words = re.split(r"[\s_-]+", name)
    return len(words) > 3 or words[-1].casefold() in _NOUN_FORMS


def _any_of(names: Sequence[str], flags: int) -> re.Pattern[str] | None:
    if not names:
        return None
    forms = [r"[\s_-]+".join(re.escape(word) for word in re.split(r"[\s_]+", name)) for name in names]
    return re.compile(rf"(?<![\w-])(?:{'|'.join(forms)})(?![\w-]\w)", flags)


def _mentions(
    lines: Sequence[Line], pattern: re.Pattern[str], skip: Sequence[bool] | None
) -> Iterator[Reference]:
    for passage in passages(lines, skip=skip, wanted=pattern):
        for match in pattern.finditer(passage.text):
            if _is_common(passage.text, match):
                continue
            at = passage.point(match.start(), match.end())
            if skip is not None and skip[at.line - lines[0].n]:
                continue
            yield Reference(
                text=passage.verbatim(at), kind=ReferenceKind.DOCUMENT, labels=(" ".join(match.group().split()),), at=at,
                effect=effect_of(passage.text, match.start(), match.end()), found_by=FoundBy.NAME,
            )  # fmt: skip
