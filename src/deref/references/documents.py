"""Documents of the shelf by what others call them: designator, alias, title, file name, short form, initials.

Exact names come first; then a name that is a run of words in exactly one document's name ("Restated Certificate" in
"Restated Certificate of Incorporation"), or the other way round. Where several fit equally and only some share the
beginning of their file name with the document that speaks ("notes - …"), those are meant; else all are given back.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from deref.references.beginnings import Beginnings
from deref.references.words import INSTRUMENTS, LAWS
from deref.text.lazy import lazy
from deref.text.names import file_stem, initials, normalize_name
from deref.values import Card

_YEAR = lazy(r":(?:19|20)\d\d$")
_PUBLISHER = lazy(r"^(?:nist|commission|council|implementing|delegated) ")
_NUMBERED = lazy(
    r"\b(?P<series>rfc|bcp|std|sp|fips|iso|iec|nistir|ir|ieee)[ /-]?(?:iec |pub |std )?0*(?P<number>\d{1,6}(?:[ .-]\d+(?:[a-z]{1,2}(?![a-z\d]))?)*(?: ?r(?:ev)?\d)?)"
)
_REVISED = lazy(r" ?(?:r|rev|revision) ?(\d{1,2})$")
_SERIES_IN_WORDS = (
    (lazy(r"\bspecial publication(?: sp)? (?=\d)"), "sp "),
    (lazy(r"\binteragency report(?: (?:nist)?ir)? (?=\d)"), "nistir "),
)
_DESIGNATED = lazy(
    r"(?i)\b(?:RFC|BCP|STD|SP|Special Publication|FIPS|ISO|IEC|NISTIR|IR|Interagency Report|IEEE)\b|\d+/\d+"
)
_ACT = lazy(r"\b\d{2,4}/\d{2,4}\b")
_ORDINARY = frozenset({"agreement", "report", "opinion", "certificate", "note", "notes", "policy", "plan", "letter", "schedule", "statement",
                       "guide", "manual", "summary", "document", "act", "code", "regulation", "rules", "order"})  # fmt: skip

_ANY_PAPER = frozenset({"agreement", "document", "act", "code", "regulation", "rules", "order"})
BY_NAME, BY_NUMBER = "by its name", "by its number"
"""How a document was found by a name that is all of its own, or by its number in a series."""
SHORT_NAME = "the only one on the shelf that is so called for short"
"""How a document was found by one word, the noun of what it is."""
_INSTRUMENT_NOUNS = frozenset(
    noun.casefold() for noun in (*INSTRUMENTS, *LAWS, "Minutes", "Resolution", "Resolutions", "Guidance")
)
_BEARS_NUMBER = lazy(r"(?:[A-Z][A-Za-z/]+,? )*[A-Za-z]{2,}[ .-]?\d{3}|(?:Regulation|Directive) \(?[A-Z\d]")
_SMALL_WORDS = frozenset({"of", "on", "for", "to", "and", "the", "in", "a"})
_HANGS_ON = lazy(r"(?i)(?:exhibit|schedule|annex|appendix|attachment|addendum) [\dA-Z. ]{1,6}$")
_FILE = lazy(r"\.\w{2,5}$")
_NONE: frozenset[str] = frozenset()


def own_names(title: str, aliases: Sequence[str], name: str) -> list[str]:
    """Return the names of a document, without aliases that are the number of another one.

    A title such as "… repealing Directive 95/46/EC" gives away numbers that are not the document's own: where title or
    file name carry a number, an alias with another number is not believed.
    """
    last = re.split(r"[/\\]", name)[-1]
    own = [n for n in (title, file_stem(name), last) if n]
    numbers = {n for text in own for n in _numbers(text)[:1]}
    short = re.compile(r"[A-Z]{1,5}$")
    plausible = [
        a for a in aliases if a and (not short.match(a) or _is_short_form(a, title, file_stem(name)))
    ]
    kept = [a for a in plausible if a and (not numbers or not (found := _numbers(a)) or found[0] in numbers)]
    return [*own, *kept]


def head_word(words: Sequence[str]) -> str:
    """Return the word for what a name is a name of: "lease" for "lease of unit 4" and for "commercial lease"; "" when none is told.

    A first word alone is one only before "of": "security policy" is no security.
    """
    for n, word in enumerate(words):
        if word in ("of", "to", "for", "on"):
            return (
                words[n - 1] if n and (words[n - 1] in _INSTRUMENT_NOUNS or (n == 1 and word == "of")) else ""
            )
    return words[-1] if words and words[-1] in _INSTRUMENT_NOUNS else ""


def _is_short_form(short: str, title: str, stem: str) -> bool:
    """Whether a word in capitals stands for the whole document: in its file name, at an end of its title, or its initials."""
    if (
        not title
        or short in re.findall(r"[A-Z]+", stem)
        or short.casefold() == stem.casefold()
        or initials(title) == short
    ):
        return True
    return (
        bool(re.match(rf"\(?{short}\b", title) or re.search(rf"\b{short}\)?$", title)) or short not in title
    )


def _numbers(text: str) -> list[str]:
    return [
        _squash(m.group("series") + _REVISED.sub("", m.group("number")))
        for m in _NUMBERED.finditer(normalize_name(text))
    ] + [m.group().replace("/", "") for m in _ACT.finditer(text)]


class Names:
    """The names of the documents of one shelf, indexed once."""

    def __init__(self, cards: Sequence[Card]) -> None:
        """Index the cards by every form of their names."""
        self._cards = {c.id: c for c in cards}
        self._exact: dict[str, list[str]] = defaultdict(list)
        self._squashed: dict[str, list[str]] = defaultdict(list)
        self._initials: dict[str, list[str]] = defaultdict(list)
        self._files: dict[str, list[str]] = defaultdict(list)
        self._capitals: dict[str, list[str]] = defaultdict(list)
        self._words: dict[str, list[tuple[str, ...]]] = {}
        self._named: dict[tuple[str, bool], tuple[Sequence[str], str]] = {}
        self._begun: dict[tuple[str, bool], Beginnings] = {}
        self._holders: dict[str, set[str]] = defaultdict(set)
        self._starting: dict[str, set[str]] = defaultdict(set)
        self._ending: dict[str, set[str]] = defaultdict(set)
        self._heads: dict[str, set[str]] = defaultdict(set)
        for card in cards:
            names = own_names(card.title, card.aliases, card.name)
            keys = {normalize_name(n) for n in names} - {""}
            for key in sorted(keys):
                _add(self._exact, key, card.id)
                _add(self._squashed, _squash(key), card.id)
                for number in _NUMBERED.finditer(key):
                    if number.start() == 0 or key[: number.start()].strip() in ("nist", "ietf"):
                        _add(self._squashed, _squash(number.group()), card.id)
            for name in names:
                if name.isupper() and name.isalpha():
                    _add(self._capitals, name, card.id)
                if name.isupper() or name.isalnum():
                    _add(self._initials, name.upper(), card.id)
                _add(self._initials, initials(name), card.id)
            _add(self._files, re.split(r"[/\\]", card.name)[-1].casefold(), card.id)
            self._words[card.id] = [tuple(k.split()) for k in sorted(keys)]
            for words in self._words[card.id]:
                for word in words:
                    self._holders[word].add(card.id)
                self._starting[words[0]].add(card.id)
                self._heads[head_word(words)].add(card.id)
                if len(words) > 1:
                    self._ending[words[-1]].add(card.id)
        self._order = {doc: n for n, doc in enumerate(self._words)}
        self._stems = [(card.id, file_stem(card.name)) for card in cards]
        for index in (self._exact, self._squashed, self._initials):
            for key in [k for k in index if self._is_generic(k, index[k])]:
                del index[key]

    def _is_generic(self, key: str, ids: Sequence[str]) -> bool:
        """Whether a word names one document and also stands in the names of others, as "TLS" may: then it names none."""
        word = key.casefold()
        if not word.isalpha() or len(ids) > 1:
            return False
        return bool(self._holders.get(word, set()) - set(ids))

    def _names_of(self, docs: Iterable[str]) -> Iterator[tuple[str, list[tuple[str, ...]]]]:
        """The names of some documents, as words, in the order of the shelf."""
        return ((d, self._words[d]) for d in sorted(docs, key=self._order.__getitem__))

    def _holding(self, words: Iterable[str]) -> frozenset[str]:
        """The documents that have each of some words in one or another of their names."""
        words_held = [self._holders.get(word, _NONE) for word in words]
        return frozenset(words_held[0]).intersection(*words_held)

    def spoken(self) -> list[str]:
        """Return the names by which running text may call the documents, without those that could mean something else.

        A name ends in an instrument noun, bears a number as designators do, or has three words or more ("Sealed Bidding" is a
        matter, not a paper). One word alone counts as a form in capitals of three letters or more, when no other name has it.
        """
        out: dict[str, None] = {}
        for card in self._cards.values():
            names = own_names(card.title, card.aliases, card.name)
            short = {initials(n) for n in names}
            for name in names:
                words = normalize_name(name).split()
                if len(words) == 1 and name.isalpha() and name.upper() in short:
                    name = name.upper()
                if words and not _FILE.search(name) and self._is_telling(name, words, card.id):
                    out.setdefault(name, None)
        return list(out)

    def _is_telling(self, name: str, words: Sequence[str], doc: str) -> bool:
        if _HANGS_ON.match(name):
            return False
        if _BEARS_NUMBER.match(name):
            return True
        if len(words) == 1:
            return (
                name.isalpha() and name.isupper() and len(name) > 2 and not self._is_generic(words[0], [doc])
            )
        return words[-1] in _INSTRUMENT_NOUNS or len(words) > 2

    def opening(self, words: tuple[str, ...]) -> Sequence[str]:
        """Return the documents with the longest name that some words begin with: three words, or two of which the last is an instrument noun."""
        best: dict[str, int] = {}
        for doc, names in self._names_of(self._starting.get(words[0], _NONE) if words else ()):
            size = max(
                (
                    len(n)
                    for n in names
                    if (len(n) > 2 or (len(n) > 1 and n[-1] in _INSTRUMENT_NOUNS)) and words[: len(n)] == n
                ),
                default=0,
            )
            if size:
                best[doc] = size
        longest = max(best.values(), default=0)
        return [d for d, size in best.items() if size == longest]

    def beginning(self, words: tuple[str, ...]) -> Sequence[str]:
        """Return the documents with a name that begins with these words, two or more, and goes on."""
        if len(words) < 2:
            return []
        return [
            d for d, names in self._names_of(self._starting.get(words[0], _NONE))
            if any(n[: len(words)] == words and len(n) > len(words) for n in names)
        ]  # fmt: skip

    def ends(self, short: str) -> Sequence[str]:
        """Return the document whose name, alone on the shelf, ends with a short form in capitals: "NDA" in "mutual nda"."""
        word = normalize_name(short)
        found = list(self._ending.get(word, _NONE))
        return found if len(found) == len(self._holders.get(word, _NONE)) == 1 else ()

    def card(self, doc: str) -> Card | None:
        """Return a card by id."""
        return self._cards.get(doc)

    def file(self, name: str) -> Sequence[str]:
        """Return the documents whose file has this name, folders and case aside."""
        return self._files.get(name.casefold(), ())

    def house(self, short: str) -> Sequence[str]:
        """Return the documents that a short form in capitals names: an alias, the initials, the first or last word of a name."""
        exact = self._exact.get(normalize_name(short), ()) or self._named_in_capitals(short)
        return exact or self._initials.get(short.upper(), ()) or self._begins(short) or self.ends(short)

    def _named_in_capitals(self, short: str) -> Sequence[str]:
        """The one document that is called by this word in capitals, if no other name holds it so: "FUNDS", not "Private Funds"."""
        found = self._capitals.get(short, ())
        others = [d for d in self._holders[short.casefold()] if d not in found]
        names = (n for d in others for c in (self._cards[d],) for n in own_names(c.title, c.aliases, c.name))
        spoken = re.compile(rf"\b{re.escape(short)}\b")
        return found if len(found) == 1 and not any(spoken.search(n) for n in names) else ()

    def _begins(self, short: str) -> Sequence[str]:
        """Return the document whose file, alone on the shelf, begins with a short form in capitals: "FEES_VER16.pdf", "CRS (2023).pdf"."""
        found = [
            d for d, stem in self._stems
            if stem.startswith(short) and re.match(rf"{re.escape(short)}(?![^\W_])(?!-\w)", stem)
        ]  # fmt: skip
        return found if len(found) == 1 else ()

    def named(self, name: str, home: Card | None = None, *, whole: bool = False) -> tuple[Sequence[str], str]:
        """Return the documents that a name may mean, and how the name was matched, in words.

        `whole` takes only names that are equal, or that hold all of this one.
        """
        known = self._named.get((name, whole))
        if known is None:
            known = self._named[name, whole] = self._looked_up(name, whole)
        return self._closest(name, whole, known[0], home), known[1]

    def _looked_up(self, name: str, whole: bool) -> tuple[Sequence[str], str]:
        key = normalize_name(name)
        if not key:
            return (), ""
        found: Sequence[str] = self._exact.get(key, ()) or self._squashed.get(_squash(key), ())
        how = BY_NAME
        if not found:
            bare = _PUBLISHER.sub("", _YEAR.sub("", key))
            found = self._exact.get(bare, ()) or self._squashed.get(_squash(bare), ())
        if not found and _DESIGNATED.search(name):
            bare = _PUBLISHER.sub("", key)
            for pattern, short in _SERIES_IN_WORDS:
                bare = pattern.sub(short, bare)
            number = _NUMBERED.match(bare)
            return self._numbered(number.group(), bare) if number else (), BY_NUMBER
        if not found:
            words = tuple(key.split())
            found = self._by_words(words, whole)
            how = "by the words of its name" if len(words) > 1 else SHORT_NAME
        return found, how

    def _numbered(self, number: str, name: str) -> Sequence[str]:
        """The documents with this number; of a revision that the name tells, those that are of it or tell none."""
        found = self._squashed.get(_squash(number), ()) or self._squashed.get(
            _squash(_REVISED.sub("", number)), ()
        )
        revision = _REVISED.search(name)
        if revision is None:
            return found
        told = {d: {m.group(1) for n in self._words[d] if (m := _REVISED.search(" ".join(n)))} for d in found}
        return [d for d in found if not told[d] or revision.group(1) in told[d]]

    def _by_words(self, words: tuple[str, ...], whole: bool) -> Sequence[str]:
        if len(words) < 2:
            return self._short(words[0])
        inside = [
            d for d, names in self._names_of(self._holding(words)) if any(_run(words, n) for n in names)
        ]
        if inside or whole:
            return inside
        if len(told := self._telling(words)) == 1:
            return told
        around: list[tuple[int, str]] = []
        begun = set().union(*(self._starting.get(word, _NONE) for word in words))
        for doc, names in self._names_of(begun):
            sizes = [
                len(n)
                for n in names
                if len(n) > 1 and _run(n, words) and (n[-1] in _ORDINARY or n[-1] == words[-1] or len(n) > 2)
            ]
            if sizes:
                around.append((max(sizes), doc))
        best = max((size for size, _ in around), default=0)
        return [doc for size, doc in around if size == best]

    def _telling(self, words: tuple[str, ...]) -> Sequence[str]:
        """The documents with a name that begins alike and holds all the words in order: "guidance on mining"."""
        bare = [w for w in words if w not in _SMALL_WORDS]
        if len(bare) < 2 or len(bare) == len(words) or words[0] not in _INSTRUMENT_NOUNS:
            return ()
        return [
            d
            for d, names in self._names_of(self._holding(bare))
            if any(n[0] == words[0] and _in_order(bare, n) for n in names)
        ]

    def _short(self, word: str) -> Sequence[str]:
        """The documents that are a thing so called: "Lease of Unit 4" is a lease, "Notes on the Lease" is not; then "… Lease"."""
        if word in _ANY_PAPER:
            return ()
        heads = [d for d, _ in self._names_of(self._heads.get(word, _NONE))]
        if heads and (word in _ORDINARY or word in _INSTRUMENT_NOUNS or not self._holders[word] - set(heads)):
            return heads
        return [d for d, _ in self._names_of(self._ending.get(word, _NONE))] if word in _ORDINARY else ()

    def _closest(self, name: str, whole: bool, found: Sequence[str], home: Card | None) -> Sequence[str]:
        if len(found) < 2 or home is None:
            return found
        if (name, whole) not in self._begun:
            self._begun[name, whole] = Beginnings(found, [_words_of(self._cards[d].name) for d in found])
        near = self._begun[name, whole].closest(_words_of(home.name), home.id)
        return near if len(near) < len(found) - (home.id in found) else found


def _add(index: dict[str, list[str]], key: str, doc: str) -> None:
    if key and doc not in index[key]:
        index[key].append(doc)


def _squash(key: str) -> str:
    return re.sub(r"[^0-9a-z]", "", key.casefold())


def _run(part: tuple[str, ...], whole: tuple[str, ...]) -> bool:
    return any(whole[n : n + len(part)] == part for n in range(len(whole) - len(part) + 1))


def _in_order(part: Sequence[str], whole: Sequence[str]) -> bool:
    rest = iter(whole)
    return all(word in rest for word in part)


@lru_cache(maxsize=20_000)
def _words_of(name: str) -> tuple[str, ...]:
    return tuple(normalize_name(name).split())


def spoken_names(cards: Sequence[Card]) -> list[str]:
    """Return the names that `mentions.find_names` may look for on this shelf: see `Names.spoken`."""
    return Names(cards).spoken()
