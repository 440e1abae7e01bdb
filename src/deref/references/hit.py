"""What the grammar read at one place, in characters of a passage, before it becomes a Reference."""

from __future__ import annotations

from typing import NamedTuple

from deref.values import ReferenceKind


class Hit(NamedTuple):
    """Characters `start` to `end` of a passage and what they say; the fields are those of `Reference`."""

    start: int
    end: int
    kind: ReferenceKind
    labels: tuple[str, ...]
    selector: str | None = None
    container: str | None = None
