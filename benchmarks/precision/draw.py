"""Draw hits to label, with a fixed seed: the same number from each set and kind of reference while there are any.

    python -m benchmarks.precision.draw --data ../shared/data --to /tmp/drawn.jsonl --context /tmp/drawn.txt

The first file has the rows without a verdict, the second what a reader needs to judge them: three lines before and
after. A tenth of the rows are places where only the bare pattern hits, so that it is measured on its own hits too.
"""

from __future__ import annotations

import json
import pickle
import random
from collections import defaultdict
from pathlib import Path
from typing import Any

from benchmarks.command_line import command_line, run, some, there
from benchmarks.precision.bare import bare_hits
from benchmarks.precision.documents import HITS, Places, build
from deref.references import find
from deref.values import Document, FoundBy, Reference

SEED = 20261130
SOURCES: dict[str, tuple[str, int, int]] = {
    "cuad-dev": ("docs/*.txt", 10, 400_000),
    "cuad-dev pdf": ("pdf/*.pdf", 2, 260_000),
    "far": ("docs/*.txt", 6, 220_000),
    "gdpr": ("docs/*.txt", 1, 400_000),
    "html-postgresql": ("docs/*.html", 60, 120_000),
    "html-installguide": ("docs/*.html", 20, 120_000),
    "rfc-dev": ("docs/*.html", 4, 400_000),
    "rfc-dev txt": ("txt/*.txt", 5, 400_000),
    "pdf-nist-dev": ("docs/*.pdf", 3, 830_000),
    "pdf-manuals-dev": ("docs/*.pdf", 2, 680_000),
    "pdf-papers-dev": ("docs/*.pdf", 2, 3_000_000),
    "dealroom-seriesseed": ("docs/**/*.*", 10, 400_000),
    "localgpt-eval": ("docs/*.pdf", 12, 400_000),
    "obliqa-adgm": ("docs/*.json", 6, 420_000),
}
"""Files of each set: which, how many, and the largest in bytes."""


def chosen(data: Path, seed: int, used: frozenset[tuple[str, str]]) -> dict[str, list[Path]]:
    """Return the files of each set that are drawn from, below `data`; none that is `used` already."""
    out: dict[str, list[Path]] = {}
    for name, (pattern, count, largest) in SOURCES.items():
        folder = data / name.split()[0]
        files = sorted(
            p for p in folder.glob(pattern)
            if p.is_file() and p.stat().st_size <= largest and (folder.name, str(p.relative_to(folder))) not in used
        )  # fmt: skip
        picked = random.Random(f"{seed} {name}").sample(files, min(count, len(files)))
        out[name] = sorted(p.relative_to(folder) for p in picked)
    return out


def row_of(set_name: str, doc: str, places: Places, hit: Reference) -> dict[str, Any]:
    """Return a row without a verdict."""
    return {
        "set": set_name, "doc": doc, "line": hit.at.line, "char": hit.at.char_start, "words": hit.text[:60], "by": "find",
        "around": places.digest(places.offset(hit.at.line, hit.at.char_start)), "kind": hit.kind.value,
        "labels": list(hit.labels), "container": hit.container, "selector": hit.selector,
    }  # fmt: skip


def context(document: Document, row: dict[str, Any]) -> str:
    """The lines around a hit, the hit between « and »."""
    n, char = row["line"], row["char"]
    texts = [line.text for line in document.lines]
    before = "\n".join([*texts[max(0, n - 3) : n], texts[n][:char]])[-260:]
    after = "\n".join([texts[n][char:], *texts[n + 1 : n + 4]])
    size = len(row["words"])
    return f"{before}«{after[:size]}»{after[size : size + 220]}"


def main() -> int:
    """Draw, and write both files."""
    parser = command_line(__doc__)
    parser.add_argument("--data", type=there, required=True)
    parser.add_argument("--to", type=Path, required=True)
    parser.add_argument("--context", type=Path, required=True)
    parser.add_argument("--count", type=some, default=400)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument(
        "--others", action="store_true", help="draw from documents that no row of hits.jsonl is of"
    )
    parser.add_argument("--keep", type=Path, help="keep the built documents in this file between runs")
    args = parser.parse_args()
    used = (
        frozenset((row["set"], row["doc"]) for row in map(json.loads, HITS.read_text("utf-8").splitlines()))
        if args.others
        else frozenset()
    )
    built: dict[tuple[str, str], Document] = {}
    if args.keep and args.keep.exists():
        built = pickle.loads(args.keep.read_bytes())
    strata: dict[tuple[str, str], list[tuple[dict[str, Any], str]]] = defaultdict(list)
    for name, docs in chosen(args.data, args.seed, used).items():
        for doc in map(str, docs):
            set_name = name.split()[0]
            if (set_name, doc) not in built:
                built[set_name, doc] = build(args.data, set_name, doc)
            document = built[set_name, doc]
            places = Places(document.lines)
            hits = [r for r in find(document) if r.found_by is not FoundBy.LINK]
            for hit in hits:
                row = row_of(set_name, doc, places, hit)
                strata[name, hit.kind.value].append((row, context(document, row)))
            for row in bare_hits(set_name, doc, document, places, hits):
                strata[name, "bare"].append((row, context(document, row)))
    if args.keep:
        args.keep.write_bytes(pickle.dumps(built))
    if not strata:
        raise FileNotFoundError(f"{args.data}: no document of the sets {', '.join(SOURCES)} is there")
    drawn = draw(strata, args.count, args.seed)
    with args.to.open("w") as rows, args.context.open("w") as shown:
        for n, (row, around) in enumerate(drawn):
            rows.write(json.dumps(row, ensure_ascii=False) + "\n")
            what = f"{row['kind']} {row['labels']} in={row['container']} sel={row['selector']}"
            shown.write(f"#{n} {row['set']} {row['doc'][-30:]} | {what}\n{around}\n")
    return 0


def draw(
    strata: dict[tuple[str, str], list[tuple[dict[str, Any], str]]], count: int, seed: int
) -> list[tuple[dict[str, Any], str]]:
    """Take one row of each stratum in turn, each stratum in random order, until there are `count`."""
    chance = random.Random(seed)
    order = {key: chance.sample(rows, len(rows)) for key, rows in sorted(strata.items())}
    picked: dict[tuple[str, str], int] = dict.fromkeys(order, 0)
    while sum(picked.values()) < min(count, sum(map(len, order.values()))):
        for key in order:
            if picked[key] < len(order[key]) and sum(picked.values()) < count:
                picked[key] += 1
    out = []
    for key, n in picked.items():
        for row, around in order[key][:n]:
            out.append(({**row, "stratum": " / ".join(key), "weight": round(len(order[key]) / n, 2)}, around))
    return out


if __name__ == "__main__":
    run(main)
