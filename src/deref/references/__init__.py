"""References: found by a grammar, resolved in tiers against a shelf. Pure.

    from deref.references import find, resolve

    for reference in find(document):
        print(resolve(reference, home=document, shelf=shelf).why)
"""

from __future__ import annotations

from deref.references.find import find, find_in
from deref.references.mentions import find_names

__all__ = ["find", "find_in", "find_names"]
