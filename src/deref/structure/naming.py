"""What a document is called: its title, and the other names by which people refer to it.

Title: the first of these that makes sense: a TITLE mark; the lines with the largest type at the top of page 1; the title that
the file's properties claim, when the first pages show it; the first heading of level 1; the first lines in capitals; the
title line of an RFC, under its header; the name of the file.

Aliases: the name of the file without extension and ordinal, the title with and without version and date, a specific
defined short name (the "Credit Agreement", never a bare "Agreement"), standard designators on the cover ("RFC 9000",
"NIST SP 800-161r1", "Regulation (EU) 2016/679"), "Exhibit B" for a file that is one, an acronym in brackets after the title.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from deref.structure.designators import REQUEST, designators
from deref.structure.headings import Heading
from deref.structure.look import Look
from deref.structure.numbering import read_numbers
from deref.structure.titles import plain_text
from deref.text.names import file_stem, initials, normalize_name
from deref.values import MarkKind

_COVER_LINES = 60
_LONGEST = 200
_JUNK_TITLE = re.compile(
    r"^(?:untitled|source: .*|table of contents.*|contents|recitals|whereas.*|(?:exhibit|schedule|annex) [\w.]+|article [ivx\d]+\b.*|microsoft word\b.*|document\d*|.*\.(?:docx?|pdf|indd|tex|dvi|qxd|rtf|wpd)|title|none|unknown|slide \d+|powerpoint .*|\W*)$",
    re.IGNORECASE,
)
_BARE = frozenset({
    "agreement", "contract", "document", "note", "notes", "plan", "policy", "report", "regulation", "directive", "act",
    "guide", "manual", "rules", "rulebook", "standard", "specification", "publication", "memorandum", "letter",
    "certificate", "amendment", "lease", "deed", "warrant", "license", "licence", "terms", "order", "statement",
    "appendix", "exhibit", "schedule", "annex", "company", "party", "parties", "data", "project", "paper", "proposal",
    "disclosure", "form", "commission", "member", "states", "charter", "treaty",
})  # fmt: skip
_INSTRUMENT = re.compile(
    r"\b(?:agreement|contract|note|plan|policy|report|certificate|lease|deed|warrant|license|licence|memorandum|letter|schedule|sheet|consent|questionnaire"
    r"|regulation|directive|act|code|rules|bylaws|charter|indenture|guarant(?:y|ee)|mortgage|opinion|checklist|statement|manual|guide|rulebook)\b",
    re.IGNORECASE,
)
_OPENING = re.compile(
    r"\b(?:THIS|This)\s+(?P<name>(?:[A-Z][\w&,/’'-]*\s+(?:(?:and|of|for|to)\s+)?){1,8}"
    r"(?:Agreement|AGREEMENT|Note|Lease|Deed|Plan|Policy|Amendment|AMENDMENT))\b"
)
_THIS = re.compile(
    r"\((?:this|the|hereinafter(?:,? referred to as)?|herein(?:after)?|collectively)?,?\s*(?:the\s+|this\s+)?[\"“‘](?P<name>[A-Z][^\"”’()]{2,60})[\"”’]\)"
)
_PARTY = re.compile(
    r"(?:\b(?:plc|ltd|limited|inc|incorporated|llc|llp|corp|corporation|company|co|gmbh|ag|kg|sarl|bv|nv|pty|pte)|\b(?:s\.a|s\.p\.a|s\.r\.l|n\.v|b\.v|l\.p))\.?\)?$",
    re.IGNORECASE,
)
_KIND_OF_PAPER = re.compile(
    r"^\W*(?:(?:draft|board|final|signed|certified) )?(?:minutes|agenda|resolutions?|notice|memorandum|report|letter|certificate|statement|order|opinion|"
    r"proxy|circular|announcement|press release|invoice|receipt|deed|agreement|contract|record|proceedings|summary)\b",
    re.IGNORECASE,
)
_VERSION = re.compile(
    r"\s*(?:[,(–—-]\s*)?(?:\b(?:version|ver\.|rev\.?|revision|edition|draft|final|v)\s*\.?\s*\d[\w.]*|\b\d{4}-\d{2}-\d{2}\b|\(\d{4}\)|\b(?:19|20)\d{2}$)\)?\s*",
    re.IGNORECASE,
)
_STAMP = re.compile(
    r"^(?:\d{1,2} )?(?:(?:execution|conformed|final) (?:version|copy|draft)|exhibit \d[\d.]*(?= [A-Z]))\W+",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"\w{3}(?<!\bINC)(?<!\bLTD)(?<!\bPLC)(?<!CORP)(?<!\bLLC)[\"”’)]*\. +\w")
_WORD = re.compile(r"[^\W\d_]{3}")
_ACRONYM = re.compile(r"\((?P<acronym>[A-Z][A-Z0-9&/-]{1,9})\)$")
_SHORT_TITLE = re.compile(
    r"\((?P<name>[A-Z][\w-]+(?: [A-Z][\w-]+){1,5} (?:Regulation|Directive|Act|Code|Law|Rules))\)"
)
_OFFICIAL = re.compile(
    r"^(?:internet engineering task force|network working group|internet architecture board|independent submission|request for comments|category:|issn|confidential|draft|table of contents|contents)\b",
    re.IGNORECASE,
)


def title_of(look: Look, headings: Sequence[Heading], name: str) -> str:
    """Return the title, never empty."""
    for candidate in _titles(look, headings):
        title = _tidy(candidate)
        if is_party(title):
            title = next(
                (t for t in map(_tidy, look.texts[:10]) if _KIND_OF_PAPER.match(t) and len(t) <= _LONGEST), ""
            )
        if title and len(title) <= _LONGEST and not _JUNK_TITLE.match(title):
            return title
    return file_stem(name).replace("_", " ") or name


def is_party(name: str) -> bool:
    """Tell whether a name is that of a company, which stands over its papers and is the title of none."""
    return bool(_PARTY.search(name)) and not _INSTRUMENT.search(name)


def _titles(look: Look, headings: Sequence[Heading]) -> Iterator[str]:
    said = _tidy(look.parsed.title or "")
    marks = [m for m in look.parsed.marks if m.kind == MarkKind.TITLE]
    if marks:
        yield " ".join(look.texts[marks[0].start : marks[0].end])
    if look.has_sizes:
        largest = _largest(look)
        if said and _is_shown(look, said):
            yield said
        if largest:
            yield largest
    elif said:
        yield said
    top = next((h for h in headings if h.level == 1 and h.line < _COVER_LINES), None)
    if top is not None:
        number = f"{(top.number.word or '').capitalize()} {top.number.label}".strip() if top.number else ""
        yield f"{number} {top.title}" if number else top.title
    numbered = next((h.line for h in headings if h.number and h.line), _COVER_LINES)
    yield _capitals(look, numbered)
    if look.indented or REQUEST.search(" ".join(look.texts[:8])):
        yield _centred(look, numbered)
    yield said
    opening = _OPENING.search(" ".join(look.texts[:_COVER_LINES]))
    if opening:
        yield opening["name"]
    yield next((t for t in look.texts[:10] if _reads_as_title(t)), "")


def _reads_as_title(text: str) -> bool:
    return (
        3 < len(text) <= 90 and text[0].isalpha() and bool(_WORD.search(text)) and not _OFFICIAL.match(text)
    )


def _is_shown(look: Look, title: str) -> bool:
    shown = normalize_name(" ".join(look.texts[:_COVER_LINES]))
    return normalize_name(title) in shown


def _largest(look: Look) -> str:
    """The lines of the largest type on the first page, in order, those that touch each other."""
    page = [n for n in range(min(len(look.lines), _COVER_LINES)) if look.lines[n].page == look.lines[0].page]
    page = [n for n in page if len(look.texts[n]) > 2 and not _is_turned(look, n)]
    sizes = [(look.lines[n].size_pt or 0.0) for n in page]
    if not sizes or max(sizes) < (look.body or 0.0) * 1.1:
        return ""
    first = next(n for n in page if (look.lines[n].size_pt or 0.0) >= max(sizes) - 0.3)
    run = [first]
    for n in page:
        if n > run[-1] and abs((look.lines[n].size_pt or 0.0) - max(sizes)) < 0.3 and n - run[-1] == 1:
            run.append(n)
    return " ".join(look.texts[n] for n in run[:5])


def _is_turned(look: Look, n: int) -> bool:
    box = look.lines[n].box
    return box is not None and box.bottom - box.top > 4 * (look.lines[n].size_pt or 12.0)


def _capitals(look: Look, stop: int) -> str:
    """The first lines in capitals near the top, before line `stop`, as contracts have them; lines that touch are one title."""
    run: list[str] = []
    for n, text in enumerate(look.texts[: min(25, stop)]):
        clean = text.strip(" *#_")
        if (
            clean.isupper()
            and not _is_prose(look, n)
            and len(clean) > 5
            and not _OFFICIAL.match(clean)
            and not re.match(
                r"(?:EXHIBIT|SCHEDULE|ANNEX|BY AND|AND$|BETWEEN|DATED)\b|\d+(?:\.\d+)*[.)]? ", clean
            )
        ):
            if run and look.lines[n].starts_block and _INSTRUMENT.search(" ".join(run)):
                break
            run = [clean] if look.lines[n].starts_block and not _INSTRUMENT.search(clean) else [*run, clean]
            if _INSTRUMENT.search(clean) and n + 1 < len(look.texts) and look.lines[n + 1].starts_block:
                break
        elif run:
            if _INSTRUMENT.search(" ".join(run)):
                break
            run = []
    title = " ".join(run)
    return title if _INSTRUMENT.search(title) else ""


def _is_prose(look: Look, n: int) -> bool:
    """Whether the block that holds line n is more than one sentence, and no title."""
    first = end = n
    while first and not look.lines[first].starts_block:
        first -= 1
    while end + 1 < len(look.lines) and not look.lines[end + 1].starts_block and end < n + 25:
        end += 1
    return _SENTENCE.search(" ".join(look.texts[first : end + 1])) is not None


def _centred(look: Look, stop: int) -> str:
    """The first block set far in from the left, before line `stop`, after the header block of an RFC."""
    run: list[str] = []
    for n in range(min(40, stop, len(look.lines))):
        raw = look.lines[n].text
        indent = len(raw) - len(raw.lstrip())
        if indent >= 8 and not _OFFICIAL.match(look.texts[n]) and "  " not in look.texts[n]:
            if run and look.lines[n].starts_block:
                break
            run.append(look.texts[n])
        elif run:
            break
    return " ".join(run)


def _tidy(title: str) -> str:
    title = plain_text(" ".join(title.split())).strip(" .:–—-_*#|")
    title = _STAMP.sub("", title)
    return title.strip("[]") if title.startswith("[") and title.endswith("]") else title


def aliases_of(look: Look, title: str, name: str, *, exhibit: str | None) -> tuple[str, ...]:
    """Return the names of a document, the name of its file first, each once as `normalize_name` compares them."""
    cover = " ".join(look.texts[:_COVER_LINES])
    stem = file_stem(name).replace("_", " ")
    # Without its version a name of one word ("Gate Version 2") is that of the matter, not of the paper.
    unversioned = (_VERSION.sub(" ", n).strip(" ,;:–—-") for n in (stem, title))
    names = [stem, *(n for n in unversioned if " " in n), title]
    number = next(read_numbers(title), None)
    if number is not None and (number.word or number.depth > 1) and not title[number.end :][:1].islower():
        names.append(title[number.end :])
    last = stem.rpartition(" - ")[2]
    if _INSTRUMENT.search(last) and len(last.split()) > 1:
        names.append(last)
    if exhibit:
        names.append(exhibit)
    names += designators(title, name, look.texts[:20])
    names += _short_names(look, title, cover)
    out: dict[str, str] = {}
    for alias in names:
        alias = " ".join(alias.split()).strip()
        key = normalize_name(alias)
        if is_party(alias) and key != normalize_name(stem):
            continue
        if len(key) > 1 and len(alias) <= _LONGEST and key not in _BARE and not key.isdigit():
            out.setdefault(key, alias)
    return tuple(out.values())


def _short_names(look: Look, title: str, cover: str) -> Iterator[str]:
    """Short names that the document gives itself: in quotes and brackets near its top, or an acronym of its title."""
    for match in _THIS.finditer(cover[:3000]):
        short = match["name"].strip(" ,.")
        words = normalize_name(short).split()
        if len(words) > 1 and _INSTRUMENT.search(short) and set(words) & set(normalize_name(title).split()):
            yield short
    for match in _SHORT_TITLE.finditer(cover[:2000]):
        yield match["name"]
        short = initials(match["name"])
        if re.search(rf"\b{re.escape(short)}\b", " ".join(look.texts[:4000])):
            yield short
    acronym = _ACRONYM.search(title)
    if acronym:
        yield acronym["acronym"]
        yield _ACRONYM.sub(" ", title)
    short = initials(title)
    if len(short) > 2 and title[:1].isupper() and not title.isupper():
        pattern = re.compile(rf"[(\"“]{re.escape(short)}[)\"”]")
        if pattern.search(cover):
            yield short
