"""Print the committed results beside their targets, as a table in Markdown.

    python -m benchmarks.references

A measure is taken over all slices named. Recall is over every mention; precision over every place that was given, off the shelf
too, where each one is wrong.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deref.evaluate.results import read_result

HERE = Path(__file__).resolve().parent


@dataclass(frozen=True, slots=True)
class Target:
    """What is asked of some slices of a set. `kinds` are the names of slices, or their kinds when `every` place is meant.

    `measure` is precision or recall of slices, or of a row of the registry.
    """

    set: str
    what: str
    kinds: tuple[str, ...]
    measure: str
    least: float
    registry: bool = False


_ANYWHERE = ("", ", across", ", outside", ", nowhere")
_RFC = ("section", "table", "figure", "appendix")
_MANUAL = ("section", "table", "figure", "chapter", "appendix")
_FAR_HERE = ("section", "clause", "subpart", "part")
_FAR_ACROSS = tuple(f"{kind}, across" for kind in _FAR_HERE)
_POSTGRES = ("section", "table", "chapter", "appendix", "example", "figure")
_SERIES_SEED = ("section", "document", "exhibit", "schedule")
_PAPERS = ("citation", "table", "section", "figure", "appendix")


def _everywhere(kinds: Iterable[str], places: Sequence[str] = ("", ", across")) -> tuple[str, ...]:
    return tuple(f"{kind}{place}" for kind in kinds for place in places)


TARGETS = (
    Target("html-postgresql", "numbered", _everywhere(_POSTGRES), "precision", 0.99),
    Target("html-postgresql", "numbered", _everywhere(_POSTGRES), "recall", 0.98),
    Target("pdf-manuals-dev", "section, table, figure, chapter, appendix", _MANUAL, "precision", 0.97),
    Target("pdf-manuals-dev", "section, table, figure, chapter, appendix", _MANUAL, "recall", 0.95),
    Target("pdf-manuals-dev", "printed pages", ("page",), "recall", 0.9),
    Target("pdf-papers-dev", "all but footnotes", _PAPERS, "precision", 0.98),
    Target("pdf-papers-dev", "all but footnotes", _PAPERS, "recall", 0.97),
    Target("pdf-nist-dev", "section, table, figure, chapter, appendix", _MANUAL, "recall", 0.95),
    Target("pdf-nist-dev", "other documents, as external", ("external document, outside",), "recall", 0.95),
    Target("rfc-dev", "all", _everywhere(_RFC, _ANYWHERE), "precision", 0.98),
    Target("rfc-dev", "bare", _RFC, "recall", 0.99),
    Target("rfc-dev", "into another RFC", _everywhere(_RFC, (", across",)), "recall", 0.98),
    Target("rfc-dev", "off the shelf", _everywhere(_RFC, (", outside",)), "recall", 0.98),
    Target("rfc-dev txt", "all", _everywhere(_RFC, _ANYWHERE), "precision", 0.98),
    Target("rfc-dev txt", "bare", _RFC, "recall", 0.99),
    Target("rfc-dev txt", "bare, sections alone", ("section",), "recall", 0.99),
    Target("rfc-dev txt", "into another RFC", _everywhere(_RFC, (", across",)), "recall", 0.98),
    Target("rfc-dev txt", "off the shelf", _everywhere(_RFC, (", outside",)), "recall", 0.98),
    Target("far", "all", (*_FAR_HERE, *_FAR_ACROSS, "external, outside"), "precision", 0.98),
    Target("far", "within a part", _FAR_HERE, "recall", 0.97),
    Target("far", "across parts", _FAR_ACROSS, "recall", 0.97),
    Target("obliqa-adgm", "within a book", ("rule or section",), "recall", 0.97),
    Target("obliqa-adgm", "across books", ("rule or section, across",), "recall", 0.92),
    Target("gdpr", "article, chapter, paragraph", ("article", "chapter", "relative paragraph", "article, outside"), "precision", 0.98),
    Target("gdpr", "article, chapter, paragraph", ("article", "chapter", "relative paragraph"), "recall", 0.98),
    Target("gdpr", "articles of other acts", ("article, outside",), "recall", 0.98),
    Target("dealroom-seriesseed", "all 161", _everywhere(_SERIES_SEED, _ANYWHERE), "precision", 0.97),
    Target("dealroom-seriesseed", "all 161", _everywhere(_SERIES_SEED, _ANYWHERE), "recall", 0.97),
    Target("dealroom-seriesseed", "dangling, said so", ("section, nowhere",), "recall", 0.97),
    Target("localgpt-eval", "52 pointers", ("document, across", "exhibit, across"), "recall", 1.0),
    Target("localgpt-eval", "dangling, said so", ("document, nowhere",), "recall", 1.0),
    *(
        Target(name, row, (row,), measure, 0.97, registry=True)
        for name in ("pdf-manuals-dev", "pdf-nist-dev", "pdf-papers-dev")
        for row in ("section anchors", "table anchors", "figure anchors", "equation anchors", "section bookmarks")
        for measure in ("precision", "recall")
    ),
)  # fmt: skip


def measured(scored: Mapping[str, Any], target: Target) -> tuple[float, int] | None:
    """Return the measure and what it is counted over; None when the set has nothing of it."""
    if target.registry:
        row = scored["registry"].get(target.kinds[0])
        over = (row or {}).get("ours" if target.measure == "precision" else "wanted", 0)
        return (float(row[target.measure]), over) if row and over else None
    parts = [scored["slices"][kind] for kind in target.kinds if kind in scored["slices"]]
    total = sum(part["all"] for part in parts)
    if target.measure == "precision":
        given = [part for part in parts if part["precision"] is not None]
        right = sum(part["outcomes"].get("right", 0) for part in given)
        total = (right + sum(part["wrong_places"] for part in parts)) if given else 0
    else:
        right = sum(part["outcomes"].get("right", 0) for part in parts)
    return (right / total, total) if total else None


def main() -> int:
    """Print the table; return 0."""
    found = {
        scored["set"]: scored
        for path in sorted(HERE.glob("*.json"))
        for scored in read_result(path)["sets"]
        if scored["links"] == "hidden"
    }
    out = ["| set | what | of | measure | measured | target | |", "|---|---|---|---|---|---|---|"]
    for target in TARGETS:
        value = measured(found[target.set], target) if target.set in found else None
        if value is None:
            continue
        share, over = value
        verdict = "met" if share >= target.least else "**not met**"
        out.append(
            f"| {target.set} | {target.what} | {over:,} | {target.measure} | {share:.4f} | {target.least:g} | {verdict} |"
        )
    sys.stdout.write("\n".join(out) + "\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
