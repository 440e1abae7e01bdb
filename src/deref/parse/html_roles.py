"""What an HTML element is for: by its name, its role, and the class names that document tools write.

The class names are those of DocBook, xml2rfc, Sphinx, docutils, LaTeXML, LaTeX2HTML, Texinfo, Pandoc and WAI-ARIA; none belongs to one site.
"""

from __future__ import annotations

import re
from typing import Any

from deref.values import MarkKind


def _named(words: str) -> frozenset[str]:
    return frozenset(words.split())


DROPPED = _named(
    "head script style template noscript iframe svg select button textarea datalist canvas audio video rp"
    " annotation annotation-xml object embed map"
)
BLOCKS = _named(
    "html body address article aside blockquote caption center dd details dialog dir div dl dt fieldset figcaption "
    "figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr legend li main menu nav ol p pre search section summary "
    "table tbody td tfoot th thead tr ul listing xmp plaintext"
)
BOLD = frozenset(("b", "strong"))
PREFORMATTED = frozenset(("pre", "listing", "xmp", "plaintext"))

_CHROME = _named("navheader navfooter ears breadcrumb breadcrumbs headerlink pilcrow skip-link skiplink")
_CONTENTS = _named(
    "toc table-of-contents tableofcontents table_of_contents toctree-wrapper lot lof loe list-of-tables list-of-figures "
    "list-of-examples list-of-equations list-of-procedures ltx_toc doc-toc doc-index section-toc mini_toc childlinks "
    "genindextable indextable modindextable"
)
_MAYBE_CONTENTS = frozenset(("contents", "index"))
_ADMONITIONS = _named(
    "note tip warning caution important admonition sidebar hint attention danger doc-tip doc-notice"
)
_CAPTIONED = _named("table informaltable figure example equation procedure listing")
_FOOTNOTES = _named("footnote doc-footnote doc-endnote")
_FOOTNOTE_LISTS = _named("footnotes doc-endnotes endnotes")
_ENTRIES = _named("biblioentry bibliomixed doc-biblioentry ltx_bibitem csl-entry citation")
_CALLS = _named("footnote-reference citation-reference")
_LISTS_OF_WORKS = _named("references citation")
_LISTS = frozenset(("nav", "div", "ul", "ol", "dl", "section", "aside", "table", "article"))
_HIDDEN = re.compile(r"display\s*:\s*none", re.IGNORECASE)
_LONGEST_ID = 40
_LEVELS = frozenset("123456789")
_SIGN_LINKS = frozenset("¶▲↑⬆↩🔗")


def tokens(element: Any) -> frozenset[str]:
    """Return the class names and the role of an element, and its id, in small letters."""
    role = element.get("role")
    classes = element.get("class")
    if not role and not classes and not element.get("id"):
        return frozenset()
    ident = element.get("id", "")
    return frozenset(
        f"{classes or ''} {role or ''} {ident if len(ident) < _LONGEST_ID else ''}".lower().split()
    )


def is_dropped(element: Any, tag: str, words: frozenset[str]) -> bool:
    """Tell whether an element is no part of the document: scripts, page chrome, what is hidden."""
    if tag in DROPPED or words & _CHROME or element.get("hidden") is not None:
        return True
    style = element.get("style")
    if style and _HIDDEN.search(style):
        return True
    if tag == "a" and (element.text or "").strip() in _SIGN_LINKS and not len(element):
        return True
    return (tag == "nav" or "navigation" in words) and not is_contents(element, tag, words)


def is_contents(element: Any, tag: str, words: frozenset[str]) -> bool:
    """Tell whether an element is a printed contents list or index: it says so, and it is made of links."""
    if tag not in _LISTS:
        return False
    if words & _CONTENTS:
        return link_share(element) >= 0.3
    if words & _MAYBE_CONTENTS:
        return link_share(element) >= 0.5
    if tag == "nav" or "navigation" in words:
        hrefs = [a.get("href", "") for a in element.iter("a")]
        return len(hrefs) >= 3 and sum(1 for h in hrefs if h.startswith("#")) > len(hrefs) / 2
    return False


def link_share(element: Any) -> float:
    """Return how much of the text of an element is link text, 0 to 1."""
    whole = sum(len(t.strip()) for t in element.itertext())
    linked = sum(len(t.strip()) for a in element.iter("a") if a.get("href") for t in a.itertext())
    return linked / whole if whole else 0.0


def is_admonition(words: frozenset[str]) -> bool:
    """Tell whether the headings inside are those of a box, not of a section."""
    return bool(words & _ADMONITIONS)


def is_caption(element: Any, tag: str, words: frozenset[str]) -> bool:
    """Tell whether an element is the caption of a table or figure."""
    if tag in ("caption", "figcaption"):
        return True
    if "ltx_caption" in words or ("caption" in words and tag in ("p", "div")):
        return True
    parent = element.getparent()
    return (
        "title" in words and tag in ("p", "div") and parent is not None and bool(tokens(parent) & _CAPTIONED)
    )


def is_footnote(element: Any, tag: str, words: frozenset[str]) -> bool:
    """Tell whether a block is one footnote or endnote."""
    if tag not in ("div", "li", "p", "aside", "dd", "section", "table"):
        return False
    return bool(words & _FOOTNOTES) or (tag == "li" and _within(element, _FOOTNOTE_LISTS))


def is_bibliography_entry(tag: str, words: frozenset[str]) -> bool:
    """Tell whether a block is one entry of a list of references."""
    return tag in ("div", "li", "p", "table") and bool(words & _ENTRIES)


def calls_in_brackets(link: Any) -> bool:
    """Tell whether a link calls a note or a work by a number that the page's style sets in brackets."""
    words = tokens(link)
    return "brackets" in words and not words.isdisjoint(_CALLS)


def listed_under(term: Any) -> MarkKind | None:
    """Return what a term of a list of definitions begins by the class of that list: an entry of references, a footnote, or None."""
    words = tokens(term.getparent())
    if words & _LISTS_OF_WORKS:
        return MarkKind.BIBLIOGRAPHY
    return MarkKind.FOOTNOTE if words & _FOOTNOTES else None


def _within(element: Any, wanted: frozenset[str]) -> bool:
    for level, parent in enumerate(element.iterancestors()):
        if level > 2:
            return False
        if tokens(parent) & wanted:
            return True
    return False


def letter_apart(heading: Any) -> str | None:
    """Return the letter that a heading is numbered by, where the tool set it in an element of its own: "B" of "<span>B</span> Tools"."""
    for element in heading.iter("span", "a", "b", "em", "small"):
        text = "".join(element.itertext()).strip()
        if len(text.rstrip(".")) == 1 and text[0].isupper():
            behind = "".join(heading.itertext()).strip()
            return text[0] if behind.startswith(text) and len(behind) > len(text) + 1 else None
    return None


def heading_level(element: Any, tag: str) -> int | None:
    """Return the level of a heading element, 1 to 9, or None."""
    if len(tag) == 2 and tag[0] == "h" and tag[1] in "123456":
        return int(tag[1])
    if element.get("role") == "heading":
        level = element.get("aria-level", "2")
        return int(level) if level in _LEVELS else 2
    return None
