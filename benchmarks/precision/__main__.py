"""The finder of today on the places of `hits.jsonl`, each of which a person has judged.

    python -m benchmarks.precision --data ../shared/data [--rows] [--json FILE]

A row holds the hit as it was when it was judged. Where the finder still says the same, the verdict counts; where it
says nothing any more, there is no hit to judge; where it says something else, the row's `right` reading decides, and
without one the row is listed for a person to judge. `exact` counts hits with the right extent, labels and container;
`reference` counts hits that are references at all. Beside it the baseline (`bare`) at the same places, and at places
where only the baseline hits. Intervals are Wilson's, at 95 %. `weighted` takes each row for the hits it was drawn from.
"""

from __future__ import annotations

import json
import pickle
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

from benchmarks.command_line import command_line, run, there
from benchmarks.precision.bare import BARE
from benchmarks.precision.documents import HITS, Places, build
from deref.references import find
from deref.values import Document, FoundBy, Reference

Z = 1.96


def wilson(right: float, all_: float) -> tuple[float, float]:
    """Return the ends of the interval in which a share lies with 95 % certainty."""
    if not all_:
        return 0.0, 1.0
    share = right / all_
    centre = share + Z * Z / (2 * all_)
    spread = Z * ((share * (1 - share) + Z * Z / (4 * all_)) / all_) ** 0.5
    return (centre - spread) / (1 + Z * Z / all_), (centre + spread) / (1 + Z * Z / all_)


def says_the_same(hit: Reference, row: dict[str, Any]) -> bool:
    """Whether the finder reads a place as it did when the row was judged."""
    return (
        hit.text[:60].split() == row["words"].split() and hit.kind.value == row["kind"] and list(hit.labels) == row["labels"]
        and hit.container == row.get("container") and hit.selector == row.get("selector")
    )  # fmt: skip


def is_mended(hit: Reference, right: dict[str, Any]) -> bool:
    """Whether a hit now has the reading that a person gave for it."""
    return all(
        (list(hit.labels) if key == "labels" else getattr(hit, key)) == value for key, value in right.items()
    )


def judged(hit: Reference | None, row: dict[str, Any]) -> str:
    """What becomes of a row: "exact", "extent", "none" (hit, but no reference), "gone", "lost" or "changed"."""
    verdict = row["verdict"]
    if hit is None:
        return "gone" if verdict == "none" else "lost"
    if "right" in row and is_mended(hit, row["right"]):
        return "exact"
    if verdict == "none":
        return "none"
    if says_the_same(hit, row):
        return "exact" if verdict == "reference" else "extent"
    return "changed"


def at_place(hits: list[Reference], line: int, char: int, size: int) -> Reference | None:
    """The hit that covers a place, or else the first that begins in the words that were found there."""
    for hit in hits:
        if (hit.at.line, hit.at.char_start) <= (line, char) < (hit.at.last_line, hit.at.char_end):
            return hit
    return next((h for h in hits if h.at.line == line and char <= h.at.char_start < char + size), None)


def main() -> int:
    """Judge every row and print the tables; 1 when a row is not in the text any more."""
    parser = command_line(__doc__)
    parser.add_argument("--data", type=there, required=True)
    parser.add_argument(
        "--rows", action="store_true", help="list each row that is no exact hit, with its reason"
    )
    parser.add_argument("--json", type=Path, help="write the figures to this file too")
    parser.add_argument("--keep", type=Path, help="keep the built documents in this file between runs")
    args = parser.parse_args()
    rows = [json.loads(line) for line in HITS.read_text("utf-8").splitlines()]
    built: dict[tuple[str, str], Document] = {}
    if args.keep and args.keep.exists():
        built = pickle.loads(args.keep.read_bytes())
    by_doc: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        by_doc[row["set"], row["doc"]].append(row)
    missing = 0
    for key, mine in by_doc.items():
        if key not in built:
            built[key] = build(args.data, *key)
        document = built[key]
        places = Places(document.lines)
        hits = [hit for hit in find(document) if hit.found_by is not FoundBy.LINK]
        for row in mine:
            offset = places.find(row["words"], row["around"])
            if offset is None:
                row["now"] = "not in the text"
                missing += 1
                continue
            line, char = places.place(offset)
            hit = at_place(hits, line, char, len(row["words"]))
            row["now"] = judged(hit, row)
            row["says"] = (
                f"{hit.kind.value} {hit.text!r} {list(hit.labels)} in {hit.container}" if hit else "nothing"
            )
            text = document.lines[line].text
            row["bare"] = any(
                m.start() < char + len(row["words"]) and char < m.end() for m in BARE.finditer(text)
            )
    if args.keep:
        args.keep.write_bytes(pickle.dumps(built))
    figures = {}
    for draw, said in (
        (1, "drawn first"),
        (2, "drawn from other documents when the first was mended"),
        (3, "drawn from still others when the second was mended"),
    ):
        print(f"\n== {said}")
        figures[f"draw {draw}"] = report([row for row in rows if row["draw"] == draw])
    for row in rows:
        if row["now"] in ("changed", "lost", "not in the text") or (args.rows and row["now"] != "exact"):
            print(
                f"{row['now']:8} {row['set']} {row['doc']}:{row['line'] + 1} {row['words']!r} ({row.get('reason', row['verdict'])}) → {row.get('says')}"
            )
    if args.json:
        args.json.write_text(json.dumps(figures, indent=1) + "\n")
    return 1 if missing else 0


def report(rows: list[dict[str, Any]]) -> dict[str, dict[str, float]]:
    """Print the finder and the baseline per kind; return the figures."""
    print(
        f"{'kind':14}{'rows':>6}{'hits':>6}{'exact':>7}{'extent':>7}{'none':>6}   reference          exact              bare pattern: hits, reference"
    )
    figures: dict[str, dict[str, float]] = {}
    kinds = sorted({row["kind"] for row in rows})
    for kind in (*kinds, "all"):
        mine = [row for row in rows if kind in (row["kind"], "all")]
        figures[kind] = counted(mine)
        print_line(kind, figures[kind])
    weighted = [(row["weight"], row["now"]) for row in rows if row["now"] in ("exact", "extent", "none")]
    total = sum(w for w, _ in weighted)
    for name, good in (("reference", ("exact", "extent")), ("exact", ("exact",))):
        figures["all"][f"weighted {name}"] = sum(w for w, now in weighted if now in good) / total
        print(f"weighted by how many hits a row stands for: {name} {figures['all'][f'weighted {name}']:.3f}")
    drawn = Counter(row["verdict"] for row in rows if row["by"] == "find")
    size, right = sum(drawn.values()), drawn["reference"]
    figures["as drawn"] = {"hits": size, "reference": size - drawn["none"], "exact": right}
    print(f"as drawn: {size} hits, {(size - drawn['none']) / size:.3f} references, {right / size:.3f} exact")
    told = Counter(row["now"] for row in rows if row["verdict"] == "none" and row["by"] == "find")
    print(f"rows judged no reference: {told['gone']} are no hits any more, {told['none']} still are")
    return figures


def counted(rows: list[dict[str, Any]]) -> dict[str, float]:
    """Count the outcomes of some rows."""
    now = Counter(row["now"] for row in rows)
    bare = [row for row in rows if row.get("bare")]
    return {
        "rows": len(rows), "exact": now["exact"], "extent": now["extent"], "none": now["none"], "lost": now["lost"],
        "changed": now["changed"], "bare": len(bare), "bare reference": sum(row["verdict"] != "none" for row in bare),
    }  # fmt: skip


def print_line(kind: str, of: dict[str, float]) -> None:
    """Print one line of the table."""
    hits = of["exact"] + of["extent"] + of["none"]
    references = of["exact"] + of["extent"]

    def share(right: float, all_: float) -> str:
        low, high = wilson(right, all_)
        return f"{right / all_:.3f} {low:.3f}–{high:.3f}" if all_ else "–"

    print(
        f"{kind:14}{of['rows']:6.0f}{hits:6.0f}{of['exact']:7.0f}{of['extent']:7.0f}{of['none']:6.0f}   {share(references, hits):19}"
        f"{share(of['exact'], hits):19}{of['bare']:5.0f}  {share(of['bare reference'], of['bare'])}"
    )


if __name__ == "__main__":
    run(main)
