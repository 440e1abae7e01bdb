"""References scored against the links that the authors' own tools wrote.

`shapes` reads labelled sets, `build` makes documents of their files, `locate` finds mentions and targets in them, `verdict`
judges one mention, `score` a set, `registry` what stands where; `result` is what is kept of a run and compared.
"""

from __future__ import annotations

from deref.evaluate.references.build import build
from deref.evaluate.references.result import as_json, compare, written
from deref.evaluate.references.score import score
from deref.evaluate.references.shapes import folders, read_sets

__all__ = ["as_json", "build", "compare", "folders", "read_sets", "score", "written"]
