"""Ask a folder, and print the answer with both ends of what was followed.

python examples/ask.py examples/deal-room "What does the Customer pay for night and weekend support?"
"""

from __future__ import annotations

import sys

import deref


def main(path: str, question: str) -> int:
    answer = deref.ask(path, question)
    print(answer.text)
    for n, cited in enumerate(answer.citations, start=1):
        print(f"[{n}] {cited.source}, p. {cited.page}, l. {cited.row}")
        start = cited.referenced_from
        if start is not None:
            print(f"    from {start.source}, p. {start.page}, l. {start.row}: {cited.reference}")
    for condition in answer.conditions:
        print("on condition:", condition.text)
    for pointer in (*answer.pending, *answer.external):
        print(f"not followed: {pointer.reference.text} - {pointer.why}")
    return 0 if answer.completeness is deref.Completeness.COMPLETE else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]) if len(sys.argv) == 3 else __doc__)
