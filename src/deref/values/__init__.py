"""The nouns of Deref: frozen, keyword-only values that know nothing of storage and import only each other.

Filters (`values.filters`) and what tells whether a document still holds (`values.standing`) are imported from there: a
question without either does not pay for them.
"""

from deref.values.answer import (
    Amendment,
    Answer,
    Arrived,
    Citation,
    Completeness,
    Condition,
    DefinedTerm,
    Origin,
    Pass,
    Passage,
)
from deref.values.document import Card, Chunk, Document, Item, ItemKind, Link, Place, Section, Selector
from deref.values.finding import Finding, Severity
from deref.values.parsed import LinkSource, Mark, MarkKind, NativeLink, Parsed, Problem
from deref.values.places import Box, Line, Point, Region, Span
from deref.values.reference import Effect, FoundBy, Reference, ReferenceKind, Resolution, Status, Target, Tier
from deref.values.retrieval import (
    EVERYTHING,
    Arrival,
    AskedPlace,
    Candidate,
    Candidates,
    Hit,
    NamedTitle,
    Query,
    Scope,
    Shape,
    TitleHit,
    TitleIntent,
)

__all__ = [
    "EVERYTHING",
    "Amendment",
    "Answer",
    "Arrival",
    "Arrived",
    "AskedPlace",
    "Box",
    "Candidate",
    "Candidates",
    "Card",
    "Chunk",
    "Citation",
    "Completeness",
    "Condition",
    "DefinedTerm",
    "Document",
    "Effect",
    "Finding",
    "FoundBy",
    "Hit",
    "Item",
    "ItemKind",
    "Line",
    "Link",
    "LinkSource",
    "Mark",
    "MarkKind",
    "NamedTitle",
    "NativeLink",
    "Origin",
    "Parsed",
    "Pass",
    "Passage",
    "Place",
    "Point",
    "Problem",
    "Query",
    "Reference",
    "ReferenceKind",
    "Region",
    "Resolution",
    "Scope",
    "Section",
    "Selector",
    "Severity",
    "Shape",
    "Span",
    "Status",
    "Target",
    "Tier",
    "TitleHit",
    "TitleIntent",
]
