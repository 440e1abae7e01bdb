"""References: found by a grammar, resolved in tiers against a shelf. Pure.

from deref.references import MemoryShelf, find, resolve

shelf = MemoryShelf([document])
for reference in find(document):
    print(resolve(reference, home=document, shelf=shelf).why)
"""

from __future__ import annotations

from deref.references.find import find, find_in
from deref.references.mentions import find_names
from deref.references.resolve import Resolver, resolve
from deref.references.shelf import MemoryShelf

__all__ = ["MemoryShelf", "Resolver", "find", "find_in", "find_names", "resolve"]
