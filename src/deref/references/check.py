"""The checker of cross-references, numbers and defined terms: runs the rules of `check_rules` over documents of a shelf.

Each rule yields drafts; here they get their place for people and a fingerprint that outlives moved lines: a hash of the
rule, the name of the document, the text and the words around it in its paragraph. Equal ones are told apart by their order.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from deref.errors import UsageError
from deref.references.check_elsewhere import name_before
from deref.references.check_form import Forms
from deref.references.check_pointers import lead_of
from deref.references.check_rules import RULES, Rule
from deref.references.check_subject import Draft, Subject
from deref.references.places import APPENDED, SECTIONAL
from deref.references.resolve import Resolver
from deref.references.view import View
from deref.text.lazy import lazy
from deref.values import Document, Finding, Point, Reference, ReferenceKind, Resolution, Status

if TYPE_CHECKING:
    # The doors bring numpy with them, which the checker never needs.
    from deref.ports import Shelf

_EXHIBIT_FILE = lazy(
    r"(?:^|[\W_])(?:exhibit|schedule|annex|appendix|attachment)s?[\W_]+(?:\d|[A-Z]\b)", re.IGNORECASE
)
_JUDGED = (Status.RESOLVED, Status.DANGLING)
_OFTEN = 3
_CONTEXT = 40
"""Letters and digits on each side of a finding, in its paragraph, that its fingerprint depends on."""


class Checker:
    """Checks the documents of one shelf, keeping what it has read of it."""

    def __init__(
        self,
        shelf: Shelf,
        references: Callable[[Document], Sequence[Reference]],
        rules: Iterable[Rule] = RULES,
    ) -> None:
        """Take the door to the shelf, and what gives the references of a document."""
        self._shelf = shelf
        self._view = View(shelf, references)
        self._references = references
        self._resolver = Resolver(shelf, references=references)
        self._unlinked = Resolver(shelf, links=False, references=references)
        self._rules = tuple(rules)
        self._forms: dict[str, Forms] = {}
        self._outcomes: dict[str, list[Resolution]] = {}
        self._own_names: Collection[str] | None = None
        self._exhibits: bool | None = None
        self._leads: dict[str, int] | None = None

    def __call__(self, document: Document) -> list[Finding]:
        """Return the findings of one document, by place, then by rule."""
        subject = Subject(
            document=document,
            outcomes=self._outcomes_of(document),
            view=self._view,
            resolve=lambda r: self._resolver(r, document),
            unlinked=lambda r: self._unlinked(r, document),
            forms=self._forms_of,
            leads=self._count_leads,
            own_names=self._name_own,
            keeps_exhibits=self._has_exhibits,
        )
        drafts = [(rule, draft) for rule in self._rules for draft in rule.find(subject)]
        drafts.sort(key=lambda pair: (pair[1].at.begins, pair[0].name))
        seen: Counter[str] = Counter()
        return [_finding(document, rule, draft, seen) for rule, draft in drafts]

    def _forms_of(self, document: Document) -> Forms:
        if document.id not in self._forms:
            self._forms[document.id] = Forms(document)
        return self._forms[document.id]

    def _outcomes_of(self, document: Document) -> list[Resolution]:
        if document.id not in self._outcomes:
            self._outcomes[document.id] = [self._resolver(r, document) for r in self._references(document)]
        return self._outcomes[document.id]

    def _name_own(self) -> Collection[str]:
        """The abbreviations right before labels that nearly always lead to a place on this shelf."""
        if self._own_names is None:
            counts: dict[str, Counter[bool]] = defaultdict(Counter)
            for document in self._documents():
                for outcome in self._outcomes_of(document):
                    reference = outcome.reference
                    if (
                        reference.kind in SECTIONAL
                        and reference.container is None
                        and outcome.status in _JUDGED
                    ):
                        name = name_before(document.lines[reference.at.line].text[: reference.at.char_start])
                        if name is not None:
                            counts[name][outcome.status is Status.RESOLVED] += 1
            self._own_names = frozenset(
                n for n, c in counts.items() if c[True] >= _OFTEN and c[True] >= _OFTEN * c[False]
            )
        return self._own_names

    def _count_leads(self) -> dict[str, int]:
        """How often each word before a colon names a document of the shelf."""
        if self._leads is None:
            counts: Counter[str] = Counter()
            for document in self._documents():
                for outcome in self._outcomes_of(document):
                    if outcome.reference.kind is ReferenceKind.DOCUMENT and (
                        lead := lead_of(document, outcome.reference)
                    ):
                        counts[lead] += outcome.status is Status.RESOLVED
            self._leads = dict(counts)
        return self._leads

    def _has_exhibits(self) -> bool:
        if self._exhibits is None:
            kinds = {k.value for k in APPENDED}
            self._exhibits = any(
                i.kind.value in kinds and i.label for d in self._documents() for i in d.items
            ) or any(_EXHIBIT_FILE.search(c.name) for c in self._shelf.cards())
        return self._exhibits

    def _documents(self) -> Iterator[Document]:
        for card in self._shelf.cards():
            document = self._shelf.document(card.id)
            if document is not None:
                yield document


def _finding(document: Document, rule: Rule, draft: Draft, seen: Counter[str]) -> Finding:
    line = document.lines[draft.at.line]
    key = "\n".join((rule.name, document.name, _plain(draft.text), *_context(document, draft.at)))
    seen[key] += 1
    digest = hashlib.sha256(f"{key}\n{seen[key]}".encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return Finding(
        rule=rule.name,
        severity=draft.severity or rule.severity,
        text=draft.text,
        message=draft.message,
        source=document.name,
        page=line.page,
        row=line.row,
        paged=document.pages > 1 or document.format == "pdf",
        at=draft.at,
        related=draft.related,
        fingerprint=digest,
    )


def _context(document: Document, at: Point) -> tuple[str, str]:
    """Return the letters and digits before and behind a place in its paragraph, wherever lines and pages end."""
    lines = document.lines
    before = lines[at.line].text[: at.char_start]
    n = at.line
    while len(_plain(before)) < _CONTEXT and n > 0 and not lines[n].starts_block:
        n -= 1
        before = lines[n].text + before
    after = lines[at.last_line].text[at.char_end :]
    n = at.last_line + 1
    while len(_plain(after)) < _CONTEXT and n < len(lines) and not lines[n].starts_block:
        after += lines[n].text
        n += 1
    return _plain(before)[-_CONTEXT:], _plain(after)[:_CONTEXT]


@lru_cache(maxsize=256)
def _plain(text: str) -> str:
    return re.sub(r"[\W_]", "", text).casefold()


def rules_named(names: Sequence[str]) -> tuple[Rule, ...]:
    """Return the rules of these names, all when none is named. Raises UsageError for a name that no rule has."""
    known = {rule.name: rule for rule in RULES}
    for name in names:
        if name not in known:
            raise UsageError(f"{name}: no such rule; use some of {', '.join(known)}")
    return tuple(known[n] for n in dict.fromkeys(names)) or RULES
