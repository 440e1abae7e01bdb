"""Findings as SARIF 2.1.0, the form in which code hosts and editors take the results of checkers.

A region counts lines. Where a format has pages (PDF), a line number means nothing to a viewer of text: the page and its
row then stand in the message and in `properties`, and the region gives the row, so that the order of results is kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from deref import __version__
from deref.references.check_rules import RULES
from deref.values import Finding

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_FINGERPRINT = "deref/v1"


def as_sarif(findings: Sequence[Finding], root: Path) -> dict[str, Any]:
    """Return one SARIF log with one run. File names are relative to `root`, a folder, or the one file that was checked."""
    named = [rule.name for rule in RULES]
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "deref check",
                        "version": __version__,
                        "semanticVersion": __version__,
                        "rules": [
                            {
                                "id": rule.name,
                                "name": "".join(part.capitalize() for part in rule.name.split("-")),
                                "shortDescription": {"text": rule.says},
                                "defaultConfiguration": {"level": rule.severity.value},
                            }
                            for rule in RULES
                        ],
                    }
                },
                "columnKind": "unicodeCodePoints",
                "originalUriBaseIds": {"ROOT": {"uri": _folder_uri(root)}},
                "results": [_result(f, named.index(f.rule)) for f in findings],
            }
        ],
    }


def _folder_uri(root: Path) -> str:
    folder = root.resolve() if root.is_dir() else root.resolve().parent
    return folder.as_uri().rstrip("/") + "/"


def _result(finding: Finding, index: int) -> dict[str, Any]:
    paged = finding.paged
    where = f" (page {finding.page}, row {finding.row})" if paged else ""
    region: dict[str, Any] = {"startLine": finding.row}
    if not paged and finding.at.char_end > finding.at.char_start and finding.at.end_line is None:
        region |= {"startColumn": finding.at.char_start + 1, "endColumn": finding.at.char_end + 1}
    return {
        "ruleId": finding.rule,
        "ruleIndex": index,
        "level": finding.severity.value,
        "message": {"text": f"“{finding.text}”: {finding.message}{where}"},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": quote(finding.source), "uriBaseId": "ROOT"},
                    "region": region,
                }
            }
        ],
        "partialFingerprints": {_FINGERPRINT: finding.fingerprint},
        "properties": {"page": finding.page, "row": finding.row, "text": finding.text},
    }
