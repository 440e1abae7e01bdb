"""Findings for people on a terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from deref.cli.streams import counted
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
    said = [counted(counts[s], s.value) for s in Severity if counts[s]]
    line = f"{', '.join(said) or 'nothing found'} in {counted(tally.documents, 'document')}"
    if tally.accepted:
        line += f"; {tally.accepted} accepted by the baseline"
    if tally.below:
        line += f"; {tally.below} of less weight not listed (--show note lists them)"
    return line + "."
