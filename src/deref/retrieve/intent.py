"""Title intent: which document a question names, if it names one.

1. The words of the question are searched for kinds of document (`instruments`), the longest first, so that "mortgage"
   never stands for "bond mortgage".
2. The words around a kind tell it from others of its kind: those before it back to an article, a preposition or any
   other small word, those behind "of", and the number behind it. Words of no matter (who publishes it, its state, the
   roles of parties) are left out.
3. It is *named* when the grammar says so: "the", "our", a genitive, capitals or quotes; after "in", "under",
   "according to"; before "says", "requires"; a number where papers of that kind bear one. "A lease", "any policy",
   "leases" name none, nor does "the agreement", which says nothing, nor "the mortgage rate", which is no paper,
   nor a paper that is set aside: "which charge is not the mortgage", "other than the lease", nor one of which is asked
   what points at it: "which papers refer to the lease" is answered by the others.
4. Of several, the one that the question is asked *of* counts and not the one it is *about*: "what does the loan
   agreement say about the promissory note" names the loan agreement. Side by side ("compare the lease with the
   guaranty") both are named.
5. Where statements lead to a question ("The loan agreement pushes fees to Schedule 2. What is the fee?"), only the
   sentence that asks is read: what the others name is where the matter begins, seldom where it is answered.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from deref.retrieve.instruments import NAMED_ALONE, OF_NO_MATTER, PAPERS, WITH_A_NUMBER, WITH_A_WORD
from deref.text.lazy import lazy
from deref.text.tokens import STOPWORDS, sentences
from deref.text.trigrams import name_words
from deref.values import NamedTitle, TitleIntent

_TOKEN = lazy(r"[^\W_]+(?:['’][^\W_]+)*['’]?")
_BREAKS = frozenset(',;:?!|"“”„«»()[]')
_CODE_IN_BRACKETS = r"\(([A-Z]{2,4})\)"


def words_of(text: str) -> frozenset[str]:
    """Return the set of the words of a text."""
    return frozenset(text.split())


_DEFINITE = words_of(
    "the this that these those our your my his her its their said der die das dem den des unser unsere unserem unserer "
    "le la les l notre votre el los las lo nuestro nuestra su il gli i nostro nostra o os as nosso nossa het de onze "
    "im zum zur vom am beim du au aux del al nel nella nello della dello dell dal dalla do da no na dos das nos nas"
)
_INDEFINITE = words_of(
    "a an any each every all no some which what whose such other another many several most both one two ein eine einer "
    "eines einem jeder jede welche welcher un une chaque toute quel quelle uno una cada cualquier qualsiasi ogni um uma een elke"
)
_ASKED_OF = words_of(
    "in under per within from by to inside throughout unter laut gemass nach selon dans d en segun secondo conforme "
    "volgens im nel nella nello no na nos nas"
)
_ASKED_ABOUT = words_of("about regarding concerning on over uber zu sur sobre su over than")
_SET_ASIDE = words_of(
    "not nor except excepting excluding besides without unlike nicht ausser ohne pas sauf hormis excepto salvo sin tranne "
    "eccetto senza exceto sem behalve zonder niet"
)
_POINTING = words_of("mention mentions mentioning cite cites citing refer refers referring references")
_POINTED_AT = words_of("mentioned cited referred referenced")
_AT = words_of("to back")
_ASKING = words_of("does do did can could may must will would should has have is are was regelt dit")
_SAYING = words_of(
    "say says state states stated provide provides require requires define defines allow allows permit permits cover "
    "covers contain contains list lists give gives set sets mention mentions describe describes specify specifies "
    "prohibit prohibits mean means treat treats handle handles impose impose imposes call calls name names identify "
    "identifies recommend recommends advise advises use uses tell tells explain explains forbid forbids promise promises "
    "grant grants limit limits assume assumes show shows put puts make makes ask asks expect expects refer refers cite cites "
    "sagt regelt bestimmt "
    "enthalt dit prevoit stipule dice establece preve stabilisce diz estabelece zegt bepaalt"
)
_JOINING = words_of("of and for de du des del della di do da dos von y und et e en")
_BEHIND = words_of("of de du des del della dello di do da dos von der")
_BESIDE = words_of("and or vs versus with against to than und oder mit et ou avec y con e ed")
_NUMBER = words_of("no nr number num nos numero")
_REVISION = words_of("r rev revision revised v ver version vol volume edition ed")
_LINKING = words_of("between with for dated from by zwischen mit vom entre avec con tra com met")
_TELLING_TO = words_of(
    "compare summarise summarize find quote check read look according pursuant where when how why who whom that there it they"
)
_SMALL = (
    _DEFINITE
    | _INDEFINITE
    | _ASKED_OF
    | _ASKED_ABOUT
    | _SET_ASIDE
    | _ASKING
    | _SAYING
    | _JOINING
    | _BESIDE
    | _LINKING
    | _TELLING_TO
)
_MOST_QUALIFIERS = 8
LONGEST_KIND = 8
"""Words of a kind at the most."""


class Kind(NamedTuple):
    """One way of saying a kind of paper: what goes for it too, and when it names one."""

    others: tuple[tuple[str, ...], ...]
    alone: bool
    numbered: bool
    worded: bool


class _Word(NamedTuple):
    """A word of the question: folded, whether it is capital, a genitive, and what parts it from the word before."""

    text: str
    capital: bool
    owner: bool
    apart: bool
    gap: str


class _Mention(NamedTuple):
    """A named document: its words from `start` to `end`, and how much the question is asked of it."""

    start: int
    end: int
    title: NamedTitle
    score: int


def singular(word: str) -> str:
    """Return a folded word without the s of the plural."""
    return word[:-1] if len(word) > 3 and word[-1] == "s" and word[-2] not in "sui" else word


@cache
def _lines() -> dict[str, list[tuple[int, str]]]:
    """Return the lines of the tables, each with the number of its table, by the first words of their names."""
    found: dict[str, list[tuple[int, str]]] = {}
    for table, text in enumerate((NAMED_ALONE, WITH_A_NUMBER, WITH_A_WORD)):
        for line in text.strip().split("\n"):
            for word in {said.partition(" ")[0] for said in line.split(" | ")}:
                found.setdefault(singular(word), []).append((table, line))
    return found


@cache
def kinds(first: str) -> dict[tuple[str, ...], Kind]:
    """Return the kinds of paper whose first word, folded and in the singular, is this one, by all their words."""
    found: dict[tuple[str, ...], Kind] = {}
    for table, line in _lines().get(first, ()):
        every = tuple(tuple(map(singular, said.split())) for said in line.split(" | "))
        for said in every:
            if said[0] == first:
                known = found.get(said, Kind((), False, False, False))
                found[said] = Kind(
                    tuple(dict.fromkeys((*known.others, *every))),
                    known.alone or table == 0,
                    known.numbered or table == 1,
                    known.worded or table == 2,
                )
    return found


@cache
def of_no_matter() -> frozenset[str]:
    """Return the words beside a kind that its title need not have."""
    return words_of(OF_NO_MATTER)


@cache
def papers() -> frozenset[str]:
    """Return the words for any paper, which its own title need not have."""
    return words_of(PAPERS)


def title_intent(text: str) -> TitleIntent | None:
    """Return the documents that a question names, or None when it names none."""
    words = _words(_asking(text))
    shouted = sum(w.capital for w in words) * 2 > len(words)
    mentions: list[_Mention] = []
    at = 0
    while at < len(words):
        size, kind = _kind_at(words, at)
        if kind is None:
            at += 1
            continue
        mention = _mention(words, at, at + size, kind, shouted)
        if mention is not None:
            # The last of several kinds in a row is the one that is named: "the promissory note term sheet".
            while mentions and mention.start <= mentions[-1].start:
                mentions.pop()
            mentions.append(mention)
        at = max(at + size, mention.end if mention else 0)
    if not mentions:
        return None
    groups = _side_by_side(words, mentions)
    best = max(groups, key=lambda group: max(m.score for m in group))
    return TitleIntent(titles=tuple(dict.fromkeys(m.title for m in best)))


def _asking(text: str) -> str:
    """The sentences that end in a question mark, or all when none does."""
    asking = [text[a:b] for a, b in sentences(text) if text[a:b].rstrip("\"'”’)").endswith(("?", "？"))]
    return " ".join(asking) or text


def _words(text: str) -> list[_Word]:
    plain = re.sub(_CODE_IN_BRACKETS, r" \1 ", text) if "(" in text else text
    found: list[_Word] = []
    last = 0
    for match in _TOKEN.finditer(plain):
        gap = plain[last : match.start()]
        said = match.group()
        apart = gap != " " and (". " in gap or not _BREAKS.isdisjoint(gap))
        for n, word in enumerate(name_words(said)):
            owner = said.endswith(("'s", "’s", "s'", "s’"))
            found.append(_Word(word, said[0].isupper(), owner, apart and not n, "" if n else gap))
        last = match.end()
    return found


def _kind_at(words: Sequence[_Word], at: int) -> tuple[int, Kind | None]:
    """Return how many words the longest kind takes that begins here, and the kind."""
    every = kinds(singular(words[at].text))
    said: list[str] = []
    best: tuple[int, Kind | None] = (0, None)
    for size in range(1, LONGEST_KIND + 1 if every else 1):
        here = at + size - 1
        if here >= len(words) or (size > 1 and words[here].apart):
            break
        said.append(singular(words[here].text))
        kind = every.get(tuple(said))
        if kind is not None:
            best = (size, kind)
    return best


def _mention(words: Sequence[_Word], start: int, end: int, kind: Kind, shouted: bool) -> _Mention | None:
    """Return the document that is named by the kind at these words, or None when none is."""
    first, before, idle = _before(words, start)
    numbers, after = _numbers(words, end)
    behind, stop = _behind(words, after, numbered=kind.numbered and bool(numbers))
    if not kind.alone and not (before or numbers or behind):
        before = idle
    introducing, definite = _introduction(words, first)
    if introducing is None or introducing in _SET_ASIDE or _is_pointed_at(words, first, stop):
        return None
    following = words[stop] if stop < len(words) and not words[stop].apart else None
    saying = following is not None and following.text in _SAYING
    asked_of = saying or introducing in _ASKED_OF
    asking = introducing in _ASKING
    capital = not shouted and all(w.capital for w in words[start:end]) and bool(first or before)
    owned = first < start and any(w.owner for w in words[first:start])
    said_so = capital or owned or _quoted(words, first)
    opening = first == 0 and end - start > 1
    several = singular(words[end - 1].text) != words[end - 1].text
    if several and not (definite or said_so or before or behind):
        return None
    named = definite or asked_of or asking or said_so or opening
    alone = kind.alone and (named or before or behind)
    modifier = end - start == 1 and not (before or behind) and _is_modifier(following, saying)
    worded = kind.worded and named and (before or numbers or behind)
    if not (kind.numbered and numbers) and (not (alone or worded) or (kind.alone and modifier)):
        return None
    said = " ".join(w.text for w in words[start:end])
    title = NamedTitle(
        instrument=said,
        qualifiers=tuple(dict.fromkeys((*before, *numbers, *behind))),
        phrase=" ".join((*before, said, *numbers, *behind)),
    )
    about, owned_by = introducing in _ASKED_ABOUT, introducing in _BEHIND
    score = 3 if asked_of else 2 * asking - 2 * about + owned_by
    return _Mention(start=first, end=stop, title=title, score=score)


def _introduction(words: Sequence[_Word], first: int) -> tuple[str | None, bool]:
    """Return the small word that leads to a name, "" when none does, and whether the name is definite; None: it is none."""
    if not first or words[first].apart:
        return "", False
    previous = words[first - 1].text
    if previous in _INDEFINITE:
        return None, False
    if previous not in _DEFINITE or previous in _ASKED_OF:
        return previous, previous in _DEFINITE
    if first > 1 and not words[first - 1].apart:
        before = words[first - 2].text
        other = before == "than" and first > 2 and words[first - 3].text in ("other", "rather")
        return ("except" if other else before), True
    return "", True


def _is_pointed_at(words: Sequence[_Word], start: int, end: int) -> bool:
    """Whether it is asked what points at a name: "which papers refer to the lease", "where is the lease mentioned"."""
    at = start - 1
    while at > 0 and (words[at].text in _DEFINITE or words[at].text in _AT):
        at -= 1
    behind = words[end].text if end < len(words) else ""
    # A sentence that begins so tells to do it: "cite the lease on fees".
    return (at > 0 and words[at].text in _POINTING) or behind in _POINTED_AT


def _is_modifier(following: _Word | None, saying: bool) -> bool:
    """Whether a word goes with the noun behind it: "the lease term" is no lease."""
    return following is not None and not saying and following.text.isalpha() and not _is_small(following.text)


def _is_small(word: str) -> bool:
    return word in STOPWORDS or word in _SMALL


def _quoted(words: Sequence[_Word], first: int) -> bool:
    return words[first].gap.endswith(('"', "“", "„", "«", "‘", "« "))


def _before(words: Sequence[_Word], start: int) -> tuple[int, tuple[str, ...], tuple[str, ...]]:
    """Return where a name begins, the words before its kind that tell it, and those of no matter."""
    telling: list[str] = []
    idle: list[str] = []
    at = start
    while at > 0 and not words[at].apart and len(telling) < _MOST_QUALIFIERS:
        word = words[at - 1]
        if word.text in of_no_matter():
            idle.insert(0, word.text)
        elif word.text in _JOINING:
            if at < 2 or words[at - 1].apart or not (words[at].capital and words[at - 2].capital):
                break
            if _is_small(words[at - 2].text):
                break
        elif _is_small(word.text):
            break
        else:
            telling.insert(0, word.text)
        at -= 1
    return at, tuple(telling), tuple(idle)


def _numbers(words: Sequence[_Word], at: int) -> tuple[tuple[str, ...], int]:
    """Return the number behind a kind, its parts as one, and its revision; and where they end."""
    begin = at
    while (
        at < len(words)
        and not words[at].apart
        and (words[at].text in _NUMBER or words[at].text in of_no_matter())
    ):
        at += 1
    if at == len(words) or words[at].apart or not words[at].text.isdigit():
        return (), begin
    number = [words[at].text]
    at += 1
    while at < len(words):
        word = words[at]
        part = word.text.isdigit() and word.gap in ("-", "/", ".", "–")
        letter = not word.gap and len(word.text) == 1 and word.text != "r"
        if not (part or letter):
            break
        number.append(word.text)
        at += 1
    found = [" ".join(number)]
    if at + 1 < len(words) and words[at].text in _REVISION and words[at + 1].text.isdigit():
        found.append(f"r {words[at + 1].text}")
        at += 2
    return tuple(found), at


def _behind(words: Sequence[_Word], at: int, *, numbered: bool) -> tuple[tuple[str, ...], int]:
    """Return the words behind a kind that tell it ("of Kingsbrook Estates", "between A and B"), and where they end."""
    if at + 1 >= len(words) or words[at].apart or words[at + 1].apart:
        return (), at
    link = words[at].text
    here = at + 1
    if link not in _BEHIND and not (link in _LINKING and (words[here].capital or words[here].text.isdigit())):
        return (), at
    while here < len(words) and words[here].text in _DEFINITE:
        here += 1
    if here == len(words) or (numbered and _kind_at(words, here)[1] is not None):
        return (), at
    telling: list[str] = []
    while here < len(words) and not (telling and words[here].apart) and len(telling) < _MOST_QUALIFIERS:
        word = words[here]
        if word.text in _JOINING:
            more = here + 1 < len(words) and words[here + 1].capital and words[here - 1].capital
            if not more:
                break
        elif _is_small(word.text):
            break
        elif word.text not in of_no_matter():
            telling.append(word.text)
        here += 1
    return (tuple(telling), here) if telling else ((), at)


def _side_by_side(words: Sequence[_Word], mentions: Sequence[_Mention]) -> list[list[_Mention]]:
    """Return the mentions in groups: those with nothing but "and", "or", "with" between them are in one."""
    groups: list[list[_Mention]] = []
    for mention in mentions:
        between = [w.text for w in words[groups[-1][-1].end : mention.start]] if groups else []
        beside = [w for w in between if w not in _DEFINITE and w != "between"]
        if groups and beside and all(w in _BESIDE for w in beside):
            groups[-1].append(mention)
        else:
            groups.append([mention])
    return groups
