"""Fail a build on references that lead nowhere, but for those that a file accepts. (`deref check --baseline` does so too.)

python examples/check_in_ci.py examples/deal-room accepted.json --accept    keeps what is there now
python examples/check_in_ci.py examples/deal-room accepted.json             fails on what is new
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import deref

RULES = ("dangling", "missing-exhibit")


def main(path: str, accepted: Path, *, accept: bool) -> int:
    findings = deref.check(path, rules=RULES)
    if accept:
        accepted.write_text(json.dumps(sorted(f.fingerprint for f in findings), indent=1) + "\n")
        print(f"{len(findings)} accepted in {accepted}")
        return 0
    known = set(json.loads(accepted.read_text())) if accepted.exists() else set()
    # A fingerprint stays the same when lines move.
    new = [f for f in findings if f.fingerprint not in known]
    for f in new:
        place = f"p. {f.page}, l. {f.row}" if f.paged else f"l. {f.row}"
        print(f"{f.source}, {place}: {f.text} - {f.message}")
    print(f"{len(new)} new, {len(findings) - len(new)} accepted")
    return 1 if new else 0


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], Path(sys.argv[2]), accept="--accept" in sys.argv))
