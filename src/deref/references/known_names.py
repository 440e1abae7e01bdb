"""The names of a shelf, and which of them a few lines may hold.

A shelf of thousands of documents has thousands of names, and a passage holds hardly any of them. A name can stand in a text
only where each of its words stands there whole; the last may go on for a letter ("leases"), or a few once case is folded.
So names are kept by the word of theirs that fewest names have, the last aside, and only those are looked at whose word
stands in the text. Where no word of the text may be in two pieces, the words of a name stand there in their order as well.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from deref.text.clean import INVISIBLE, join_texts

_WORD = re.compile(r"[^\W_]+")
_PLAIN_WORD = re.compile(r"[A-Za-z0-9]+")
_JOINED = re.compile(r"[-\u2010]\s*\n|[^\x00-\x7f]")
"""Where words of the text as people read it may be others than those of the lines: a hyphen at a line end, odd signs."""
_PUT_TOGETHER = re.compile(rf"[-\u2010\u00ad\ufffe][\s\ufffc]*\n[\s\ufffc]*|[{INVISIBLE}]")
"""What may vanish inside a word when lines are read as one text."""
_FEW = 40
"""Names. So many are looked for letter by letter before a text is taken apart into words."""
_MORE = 3
"""Letters by which the last word may go on: one, which takes three when its case is folded."""


class _Name(NamedTuple):
    told: str
    first: frozenset[str]
    last: str
    run: str
    """A space before every word."""


_Index = dict[str, list[tuple[int, _Name]]]


class KnownNames:
    """Names that running text may call documents by, in order. Made ready once, however many texts are looked through."""

    def __init__(self, names: Iterable[str]) -> None:
        """Take the names."""
        self._names = tuple(names)

    def __iter__(self) -> Iterator[str]:
        """Yield the names, in order."""
        return iter(self._names)

    @property
    def are_few(self) -> bool:
        """Whether to look for all of them at once costs less than to make ready what looks for some."""
        return len(self._names) <= _FEW

    def that_may_stand_in(self, lines: Sequence[str]) -> list[str]:
        """Return the names whose words stand in these lines one behind the other, or all of them somewhere, in order."""
        text = "\n".join(lines)
        if self._letters is not None and not _all_stand(self._letters, text):
            return []
        plain = text.isascii()
        written = (_PLAIN_WORD if plain else _WORD).findall(text.casefold())
        words = set(written)
        joined = (not plain or "-" in text) and _JOINED.search(text) is not None
        if joined:
            words.update(_WORD.findall(join_texts(lines)[0].casefold()))
        several, alone = self._indexes
        likely = [one for word in words & several.keys() for one in several[word] if words >= one[1].first]
        if not joined and likely:
            run = f" {' '.join(written)}"
            likely = [one for one in likely if one[1].run in run]
        if alone:
            begun = {word[:end] for word in words for end in range(max(len(word) - _MORE, 1), len(word) + 1)}
            likely += (one for word in begun & alone.keys() for one in alone[word])
        return [name.told for _, name in sorted(likely) if _goes_on(name.last, words)]

    @cached_property
    def _letters(self) -> list[list[str]] | None:
        """The words of each name, those that tell most first; None where names are many."""
        if not self.are_few:
            return None
        return [sorted(set(_WORD.findall(told.casefold())), key=len, reverse=True) for told in self._names]

    @cached_property
    def _indexes(self) -> tuple[_Index, _Index]:
        """Names of several words by the rarest of those before the last, and names of one word by it."""
        known = []
        for n, told in enumerate(self._names):
            words = _WORD.findall(told.casefold())
            if words:
                known.append((n, _Name(told, frozenset(words[:-1]), words[-1], f" {' '.join(words)}")))
        having = Counter(word for _, name in known for word in name.first)
        several: _Index = defaultdict(list)
        alone: _Index = defaultdict(list)
        for n, name in known:
            if name.first:
                several[min(name.first, key=lambda word: (having[word], word))].append((n, name))
            else:
                alone[name.last].append((n, name))
        return dict(several), dict(alone)


def _all_stand(several: Iterable[Sequence[str]], text: str) -> bool:
    """Whether all words of some name stand in a text somewhere, be it inside of others."""
    folded = text.casefold()
    together = _PUT_TOGETHER.sub("", folded)
    return any(words and all(w in folded or w in together for w in words) for words in several)


def _goes_on(last: str, words: Collection[str]) -> bool:
    """Whether a word stands among others, or goes on there for a letter."""
    return last in words or any(word.startswith(last) and len(word) - len(last) <= _MORE for word in words)
