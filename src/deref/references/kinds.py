"""Kinds of references that are read alike in every language."""

from __future__ import annotations

from deref.values import ReferenceKind

FOLDING = frozenset({
    ReferenceKind.ARTICLE, ReferenceKind.SECTION, ReferenceKind.RULE, ReferenceKind.CLAUSE, ReferenceKind.PARAGRAPH,
})  # fmt: skip
"""Labels that take what follows them for their parts."""

HOLDING = frozenset({
    ReferenceKind.ANNEX, ReferenceKind.SCHEDULE, ReferenceKind.EXHIBIT, ReferenceKind.APPENDIX, ReferenceKind.ATTACHMENT,
    ReferenceKind.ADDENDUM, ReferenceKind.PART, ReferenceKind.CHAPTER, ReferenceKind.DOCUMENT, ReferenceKind.EXTERNAL,
    ReferenceKind.BIBLIOGRAPHY,
})  # fmt: skip
"""What may stand before a label that is counted in it."""

ATTACHED = frozenset({
    ReferenceKind.ANNEX, ReferenceKind.SCHEDULE, ReferenceKind.EXHIBIT, ReferenceKind.APPENDIX, ReferenceKind.ATTACHMENT,
    ReferenceKind.ADDENDUM, ReferenceKind.TABLE, ReferenceKind.FIGURE,
})  # fmt: skip
"""What hangs on a document: "to" joins it to that."""
