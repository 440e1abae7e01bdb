"""Findings for people on a terminal, and as rows for programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from deref.cli.tell import styled
from deref.values import Finding, Severity

if TYPE_CHECKING:
    from deref.cli.check import Tally

_STYLES = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.NOTE: "cyan"}


def as_text(findings: Sequence[Finding], tally: Tally, *, colours: bool) -> str:
    """Return the findings by document, one a line, and a last line that sums up."""

    def dyed(text: str, style: str) -> str:
        return styled(text, style) if colours else text

    out: list[str] = []
    for source, mine in groupby(findings, key=lambda f: f.source):
        out.append(dyed(source, "bold"))
        out += [
            f"  {place(f)}: {dyed(f.severity.value, _STYLES[f.severity])} “{f.text}”: {f.message} "
            + dyed(f"[{f.rule}]", "dim")
            for f in mine
        ]
    return "\n".join([*out, summary(findings, tally)]) + "\n"


def place(finding: Finding) -> str:
    """Return where a finding is, for people: page and line, or the line where the format has no pages."""
    return f"p. {finding.page}, l. {finding.row}" if finding.paged else f"l. {finding.row}"


def summary(findings: Sequence[Finding], tally: Tally) -> str:
    """Return one line on how many findings there are, of which severity, and how many are not listed."""
    counts = Counter(f.severity for f in findings)
    said = [_many(counts[s], s.value) for s in Severity if counts[s]]
    line = f"{', '.join(said) or 'nothing found'} in {_many(tally.documents, 'document')}"
    if tally.accepted:
        line += f"; {tally.accepted} accepted by the baseline"
    if tally.below:
        line += f"; {tally.below} of less weight not listed (--show note lists them)"
    return line + "."


def _many(count: int, what: str) -> str:
    return f"{count} {what}{'s' * (count != 1)}"


def finding_row(finding: Finding, names: Mapping[str, str]) -> dict[str, Any]:
    """Return a finding as a flat JSON-ready object; `names` are those of the documents by id.

    `line` is 0-based in the document, `row` 1-based in its `page`.
    """
    at = finding.at
    return {
        "rule": finding.rule,
        "severity": finding.severity.value,
        "source": finding.source,
        "page": finding.page,
        "row": finding.row,
        "line": at.line,
        "char_start": at.char_start,
        "char_end": at.char_end,
        "end_line": at.last_line,
        "text": finding.text,
        "message": finding.message,
        "fingerprint": finding.fingerprint,
        "related": [
            {
                "source": names.get(p.doc, p.doc),
                "line": p.line,
                "char_start": p.char_start,
                "char_end": p.char_end,
            }
            for p in finding.related
        ],
    }
