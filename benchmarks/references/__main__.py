"""Score finding and resolving on a shared set, native links switched off unless --links is given.

    python -m benchmarks.references --data ../shared/data --set rfc-dev [--errors 20] [--limit 40]

Per kind: mentions whose place was found in our own lines, of those the share that the grammar finds with the right
label, and of all those what the resolver says: right (the place whose heading or caption is the known one), wrong,
ambiguous, dangling, external, unresolved. Beside it the simplest baseline: the only section, or the only item of that kind, of that
number in the same document.
"""

from __future__ import annotations

import argparse
import pickle
from collections import Counter, defaultdict
from pathlib import Path

from benchmarks.references.gold import Gold, Located, documents, rows, squash
from deref.references import MemoryShelf, Resolver, find
from deref.text.labels import normalize_label, split_sub
from deref.values import Document, FoundBy, ItemKind, Reference, Resolution, Status, Target


def is_right(target: Target, gold: Gold, built: dict[str, Document]) -> bool:
    document = built[target.lines.doc]
    if gold.target is not None and document.name != gold.target:
        return False
    if target.kind == "document":
        return gold.kind in ("document", "exhibit", "appendix", "schedule", "annex") or gold.num is None
    if not gold.target_text:
        return False
    wanted = squash(gold.target_text)[:40]
    starts = [target.lines.start, *(f.start for f in target.focus)]
    for start in starts:
        near = squash(" ".join(line.text for line in document.lines[max(0, start - 2) : start + 4]))
        if wanted in near:
            return True
        first = squash(document.lines[start].text)
        if len(first) > 3 and wanted.startswith(first[:40]):
            return True
    if target.kind != "section" and len(target.lines) < 90:
        return wanted in squash(document.text(target.lines))
    return False


def baseline(gold: Gold, home: Document, built: dict[str, Document]) -> str:
    label = normalize_label(gold.num or "")
    kinds = {k.value: k for k in ItemKind}
    if gold.kind in kinds:
        places = [
            Target(lines=i.lines, kind=i.kind.value, label=i.label, title="")
            for i in home.items_labelled(kinds[gold.kind], label)
        ]
    else:
        places = [
            Target(lines=s.lines, kind="section", label=s.label, title="")
            for s in home.sections_labelled(label)
        ]
    if len(places) != 1:
        return "ambiguous" if places else "none"
    return "right" if is_right(places[0], gold, built) else "wrong"


def labelled_so(reference: Reference, gold: Gold) -> bool:
    if gold.num is None:
        return True
    wanted = normalize_label(gold.num).casefold()
    base = split_sub(wanted)[0]
    labels = [x.casefold() for x in reference.labels]
    if any(x in (wanted, base) or split_sub(x)[0] == base for x in labels):
        return True
    return reference.container is not None and base in squash_words(reference.container)


def squash_words(text: str) -> list[str]:
    return [split_sub(normalize_label(w).casefold())[0] for w in text.split()]


def verdict(outcome: Resolution, gold: Gold, built: dict[str, Document]) -> str:
    if gold.outside or gold.dangling:
        return f"{outcome.status.value}" if outcome.status is not Status.RESOLVED else "WRONG: resolved"
    if outcome.status is Status.RESOLVED:
        wanted = split_sub(normalize_label(gold.num or "").casefold())[0]
        own = [t for t in outcome.targets if t.label and t.label.casefold() == wanted] or list(
            outcome.targets
        )
        return "right" if any(is_right(t, gold, built) for t in own) else "WRONG"
    return outcome.status.value


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--set", required=True)
    parser.add_argument("--errors", type=int, default=0, help="print so many of each class")
    parser.add_argument("--only", default="", help="print errors whose class holds this word")
    parser.add_argument("--links", action="store_true", help="follow native links too")
    parser.add_argument("--limit", type=int, help="build only so many documents")
    parser.add_argument("--keep", type=Path, help="keep the built documents in this file between runs")
    args = parser.parse_args()
    golds = list(rows(args.data, args.set))
    if args.keep and args.keep.exists():
        built = pickle.loads(args.keep.read_bytes())
    else:
        built = documents(args.data, args.set, set(), args.limit)
        if args.keep:
            args.keep.write_bytes(pickle.dumps(built))
    by_doc: dict[str, list[Gold]] = defaultdict(list)
    for gold in golds:
        if gold.doc in built:
            by_doc[gold.doc].append(gold)
    resolver = Resolver(MemoryShelf(built.values()), links=args.links)
    table: dict[str, Counter[str]] = defaultdict(Counter)
    shown: dict[str, list[str]] = defaultdict(list)
    for name, mine in by_doc.items():
        home = built[name]
        found = [r for r in find(home) if r.found_by is not FoundBy.LINK]
        located = Located(home)
        for gold in mine:
            score(gold, home, found, located, resolver, built, table, shown)
    report(table)
    for kind in sorted(shown):
        if args.errors and args.only in kind:
            step = max(1, len(shown[kind]) // args.errors)
            print(f"\n== {kind}: {len(shown[kind])}")
            for line in shown[kind][::step][: args.errors]:
                print("  ", line)
    return 0


def score(
    gold: Gold, home: Document, found: list[Reference], located: Located, resolver: Resolver, built: dict[str, Document],
    table: dict[str, Counter[str]], shown: dict[str, list[str]],
) -> None:  # fmt: skip
    kind = gold.kind + (" (outside)" if gold.outside else " (dangling)" if gold.dangling else "")
    row = table[kind]
    row["all"] += 1
    place = located.find(gold)
    context = f"{gold.doc[:24]} | …{gold.before[-60:]}«{gold.text}»{gold.after[:45]} → {gold.target} {(gold.target_text or '')[:50]!r}"
    if place is None:
        shown[f"{kind} not located"].append(context)
        return
    row["located"] += 1
    (l0, c0), (l1, c1) = place
    over = [
        r
        for r in found
        if (r.at.line, r.at.char_start) <= (l1, c1) and (l0, c0) < (r.at.last_line, r.at.char_end)
    ]
    row["base " + baseline(gold, home, built)] += 1
    right = [r for r in over if labelled_so(r, gold)]
    if not right:
        shown[f"{kind} not found"].append(f"{context} [{'; '.join(f'{r.text} {r.labels}' for r in over)}]")
        row["not found"] += 1
        return
    row["found"] += 1
    outcome = resolver(right[0], home)
    said = verdict(outcome, gold, built)
    row[said] += 1
    if said != ("external" if gold.outside else "dangling" if gold.dangling else "right"):
        shown[f"{kind} {said}"].append(
            f"{context}\n        {right[0].text!r} in {right[0].container!r}: {outcome.why}"
        )


def report(table: dict[str, Counter[str]]) -> None:
    columns = [
        "all",
        "located",
        "found",
        "right",
        "WRONG",
        "ambiguous",
        "dangling",
        "external",
        "unresolved",
        "WRONG: resolved",
    ]
    print(
        f"{'kind':28}"
        + "".join(f"{c[:11]:>12}" for c in columns)
        + "   found%  right%   precision%   baseline right/wrong/ambiguous"
    )
    total: Counter[str] = Counter()
    for kind, row in sorted(table.items()):
        _line(kind, row, columns)
        if "(" not in kind:
            total.update(row)
    _line("TOTAL inside", total, columns)


def _line(kind: str, row: Counter[str], columns: list[str]) -> None:
    located = max(1, row["located"])
    answered = row["right"] + row["WRONG"]
    print(
        f"{kind:28}" + "".join(f"{row[c]:>12}" for c in columns)
        + f"   {100 * row['found'] / located:5.1f}  {100 * row['right'] / located:6.1f}  {100 * row['right'] / max(1, answered):9.1f}      "
        + f"{100 * row['base right'] / located:5.1f} {100 * row['base wrong'] / located:5.1f} {100 * row['base ambiguous'] / located:5.1f}"
    )  # fmt: skip


if __name__ == "__main__":
    raise SystemExit(main())
