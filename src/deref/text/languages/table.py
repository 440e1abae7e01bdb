"""What one language brings to the grammar: the fields of its table.

A language is one file beside this one with one `Language`, and its code in `CODES` of the package; nothing else changes.
`words` in a field is a string of words parted by spaces ("·" stands for a space inside one); `pattern` is a regular expression, in which a space is one
space of the text. A word with a small first letter is also taken with a capital and in capitals, one with a capital
also in capitals (German nouns: "Art." is a label word, "art." is none).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Example(NamedTuple):
    """A sentence, and the one reference in it: its words, labels, selector and container as they are found."""

    text: str
    found: str
    labels: tuple[str, ...] = ()
    selector: str | None = None
    container: str | None = None
    kind: str = "section"
    effect: str = "plain"


class Pointing(NamedTuple):
    """The words of pointers, for a language that is read by its table alone (all but English).

    Keys are the English names of what the words mean: the resolver knows only those.
    """

    lists: str
    """Words between two members of a list."""
    ranges: str
    """Words between the two ends of a range."""
    parts: str
    """Words that lead from a label to a part in it, which is written in brackets in English: "Art. 6 Abs. 1" is 6(1)."""
    letters: str
    """Those of them, and others, behind which a letter stands: "Buchstabe f", "lettre a)"."""
    picks: Mapping[str, str]
    """row, column, paragraph, sentence …: words that pick it by a number or a sign behind them."""
    ordinals: tuple[str, ...]
    """Patterns for first, second, … and, as the last of them, last."""
    pieces: Mapping[str, str]
    """paragraph, subparagraph, sentence, row, column: patterns for what an ordinal can pick."""
    of: str
    """Pattern that joins a label to what it is counted in, with the article."""
    to: str
    """The same, only behind what hangs on a document: "Anlage 2 zum Vertrag"."""
    this: str
    """Pattern for "this", with what melts into it: "dieses", "du présent"."""
    that: str
    """Pattern for "that", "the said"."""
    thereof: str
    """Pattern for "thereof"."""
    units: Mapping[str, str]
    """section, article, …: patterns for the nouns of units in all their singular cases."""
    papers: Mapping[str, str]
    """agreement, regulation, …: patterns for the nouns of laws and papers in all their singular cases."""
    names: str
    """Pattern for the name of a paper or law behind `of` or `to`; a group `tail` is no part of the name's stem."""
    laws: str
    """Pattern for the short name of a law, before or behind a label."""
    acts: Mapping[str, str]
    """Regulation, Directive, Decision: patterns for what stands before "(EU) 2016/679"."""
    preceding: str
    following: str
    """Patterns for words of direction before or behind a unit."""
    above: str
    below: str
    """Patterns for "above" and "below"."""
    see: str
    """Pattern for what makes a pointer of "above" and "below" alone."""
    articles: str
    """Pattern for the articles before a word of direction."""
    pages: str
    """Pattern for what stands before the word "page" where it is a pointer."""
    counts: str
    """Words that make a number before them a count: days, months, percent."""
    goes_on: str
    """Words that a sentence goes on with behind a label, beside the small words."""
    effects: Mapping[str, str]
    """condition, override, definition, incorporation: patterns for what stands before a pointer."""
    incorporated: str
    """Pattern for what stands behind a pointer that is incorporated."""
    marks: str = ""
    """Pattern for what makes an ordinal of a figure: "1er", "5.º"."""
    later: str = ""
    """Words behind the number of a unit that was put in later: "article 5 bis"."""
    onward: str = ""
    """Pattern for "and the following", behind a label: "Art. 12 ff."."""
    starts: str = ""
    """Words between a plural and the first end of a range: "articoli da 1 a 3"."""
    counted_pieces: str = ""
    """Words of pieces whose ordinal is their number: Dutch "eerste lid" is paragraph 1."""


class Language(NamedTuple):
    """One language."""

    code: str
    name: str
    small: str
    """The most common small words, by which the language is told."""
    headings: Mapping[str, str]
    """article, section, …: words before the number of a heading."""
    captions: Mapping[str, str]
    """table, figure, …: words before the number of a caption."""
    labels: Mapping[str, str]
    """section, article, table, …: words that a label must follow, "singular | plural", by rows of the grammar."""
    figures: str = ""
    """Numbers in words, from 1; forms of one number are parted by "/"."""
    means: str = ""
    """Pattern for the verb behind a term in quotes that says what it means."""
    means_before: str = ""
    """Pattern for what stands before a term in quotes whose meaning follows."""
    hereafter: str = ""
    """Pattern for what stands before a short name in quotes and brackets."""
    legal: str = ""
    """Pattern for terms that tell a text of law."""
    pointing: Pointing | None = None
    examples: tuple[Example, ...] = ()
    silent: tuple[str, ...] = ()
    """Sentences that look alike and hold no reference."""
