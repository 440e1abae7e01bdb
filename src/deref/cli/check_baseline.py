"""The file of accepted findings: one JSON object, each finding by its fingerprint, with what people need to review it.

A fingerprint depends on the rule, the document's name, the text and the words around it, not on lines or pages, so a file
stays good while text moves. What is in the file and no longer found is simply not found.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from deref.cli.streams import say_to
from deref.errors import InputError
from deref.values import Finding

_VERSION = 1


def read_baseline(path: Path) -> Mapping[str, str]:
    """Return the rule of each accepted finding by its fingerprint.

    Raises InputError for a file that is not there, or is no baseline.
    """
    try:
        held = json.loads(path.read_text(encoding="utf-8"))
        if held["version"] != _VERSION:
            raise InputError(
                f"{path}: a baseline of version {held['version']}; write it anew with --write-baseline"
            )
        return {str(row["fingerprint"]): str(row["rule"]) for row in held["accepted"]}
    except OSError as error:
        raise InputError(
            f"{path}: cannot be read ({error.strerror}); make it with --write-baseline"
        ) from error
    except (ValueError, TypeError, LookupError) as error:
        raise InputError(f"{path}: is no baseline of deref check; make it with --write-baseline") from error


def save_baseline(path: Path, findings: Sequence[Finding]) -> None:
    """Accept findings: write them to a file, by document and place.

    Raises InputError where it cannot be written.
    """
    rows = [
        {
            "fingerprint": f.fingerprint,
            "rule": f.rule,
            "source": f.source,
            "text": f.text,
            "message": f.message,
        }
        for f in findings
    ]
    text = json.dumps({"version": _VERSION, "accepted": rows}, indent=1) + "\n"
    say_to(path, text)
