"""Follow every reference of one document, and print what it points at, or why it points nowhere.

python examples/follow_references.py examples/deal-room "Side Letter.md"
"""

from __future__ import annotations

import sys

import deref


def main(path: str, name: str) -> None:
    with deref.open_library(path) as library:
        for found in library.references([name]):
            reference = found.reference
            home = library.read(reference.at.doc)
            print(f"{home.name}, line {reference.at.line + 1}: {reference.text}")
            if found.status is not deref.Status.RESOLVED:
                print(f"    {found.status.value}: {found.why}")
            for target in found.targets:
                document = library.read(target.lines.doc)
                # A selector ("row (E)") narrows the place to some lines of it.
                for lines in target.focus or (target.lines,):
                    first = document.lines[lines.start]
                    print(f"    {document.name}, p. {first.page}, l. {first.row}: {first.text[:80]}")


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]) if len(sys.argv) == 3 else __doc__)
