"""Score `deref check` on the shared sets: pointers broken on purpose, and how quiet it is on documents as they are.

    python -m benchmarks.check --data ../shared/data broken [--seed 1] [--show]
    python -m benchmarks.check --data ../shared/data quiet [--show]

`broken` takes 300 pointers that the resolver resolves, spread over the sets, and in copies of the files' text changes one
number of each to one that does not exist where the pointer is counted: a component of its label ("52.203-13", "4.2") or
of its sub-paragraph ("(2)"). A pointer is found when a warning or an error of the checker marks it. Pointers to whole
documents are left out: "RFC 9001" for "RFC 9000" names another real one.

`quiet` checks the sets as they are. Each warning and error is looked up in `check_verdicts.jsonl` by its fingerprint: a
mistake of the author's, or a false alarm. One that is not judged there counts as a false alarm.
"""

from __future__ import annotations

import json
import random
import re
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.command_line import command_line, run, there
from deref.parse import SUFFIXES, parse
from deref.references import MemoryShelf, find
from deref.references.check import Checker
from deref.references.check_rules import RULES
from deref.references.check_written import written
from deref.references.documents import spoken_names
from deref.references.mentions import find_names, with_mentions
from deref.references.places import SECTIONAL
from deref.references.resolve import Resolver
from deref.structure import build_document
from deref.text.labels import split_sub
from deref.text.names import file_stem
from deref.values import (
    Document,
    Finding,
    ItemKind,
    Reference,
    ReferenceKind,
    Resolution,
    Severity,
    Status,
    Tier,
)

VERDICTS = Path(__file__).with_name("check_verdicts.jsonl")
PAGE = 3000
"""Characters of a page, where the format has none."""
SETS = {
    "postgresql": ("html-postgresql/docs", "*.html"),
    "rfc": ("rfc-dev/txt", "*.txt"),
    "far": ("far/docs", "*.txt"),
    "gdpr": ("gdpr/docs", "*.txt"),
    "seriesseed": ("dealroom-seriesseed/docs", "*.md"),
}
BROKEN = {"postgresql": 80, "rfc": 80, "far": 80, "gdpr": 30, "seriesseed": 30}
QUIET = ("postgresql", "rfc", "far")
_ITEMS = {k.value for k in ItemKind}
_KINDS = SECTIONAL | {k for k in ReferenceKind if k.value in _ITEMS}
_GAP = r"(?:\s|&nbsp;|&#160;|<[^>]+>)+"


@dataclass(frozen=True, kw_only=True)
class Break:
    """Characters `start` to `end` of a file's text, the number that is put there, and the label that results."""

    file: str
    start: int
    end: int
    number: str
    label: str
    was: str


def build(name: str, data: bytes) -> Document:
    return build_document(parse(data, doc=name, name=name), doc=name, name=name, fingerprint="bench")


class Shelf:
    """The documents of a set with their references."""

    def __init__(self, documents: dict[str, Document]) -> None:
        self.documents = documents
        self.shelf = MemoryShelf(documents.values())
        self.names = tuple(spoken_names(self.shelf.cards()))
        self._found: dict[str, Sequence[Reference]] = {}

    def references(self, document: Document) -> Sequence[Reference]:
        if document.id not in self._found:
            self._found[document.id] = with_mentions(find(document), find_names(document, self.names))
        return self._found[document.id]

    def findings(self, only: set[str] | None = None) -> Iterator[tuple[Document, Finding]]:
        checker = Checker(self.shelf, self.references, [r for r in RULES if r.name != "external"])
        for document in self.documents.values():
            if only is None or document.name in only:
                for finding in checker(document):
                    if finding.severity is not Severity.NOTE:
                        yield document, finding


def read(data: Path, name: str) -> dict[str, bytes]:
    folder, pattern = SETS[name]
    files = sorted(p for p in (data / folder).glob(pattern) if p.suffix.lower() in SUFFIXES)
    if not files:
        raise SystemExit(
            f"{data / folder}: no {pattern} there; give the folder of the shared sets with --data"
        )
    return {p.name: p.read_bytes() for p in files}


def breaks(shelf: Shelf, texts: dict[str, str], count: int, dice: random.Random) -> list[Break]:
    """Return so many ways to break a resolved pointer, each place once, no number twice in a file."""
    resolver = Resolver(shelf.shelf)
    pool = [
        (document, outcome)
        for document in shelf.documents.values()
        for outcome in (resolver(r, document) for r in shelf.references(document))
        if outcome.status is Status.RESOLVED and outcome.reference.kind in _KINDS
    ]
    dice.shuffle(pool)
    out: list[Break] = []
    used: dict[str, set[str]] = defaultdict(set)
    taken: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for document, outcome in pool:
        if len(out) == count:
            break
        one = _break(shelf, document, outcome, texts[document.name], dice)
        if (
            one is None
            or one.number in used[one.file]
            or any(a < one.end and one.start < b for a, b in taken[one.file])
        ):
            continue
        used[one.file].add(one.number)
        taken[one.file].append((one.start, one.end))
        out.append(one)
    return out


def _break(
    shelf: Shelf, document: Document, outcome: Resolution, text: str, dice: random.Random
) -> Break | None:
    reference = outcome.reference
    label = dice.choice(written(reference))
    if not _reaches(outcome, label):
        return None
    numbers = list(re.finditer(r"\d+", label))
    place = _located(document, reference, text)
    if not numbers or place is None:
        return None
    inside = _label_in(text[place[0] : place[1]], label)
    if inside is None:
        return None
    nth = dice.randrange(len(numbers))
    old = numbers[nth]
    for _ in range(40):
        low, high = (100, 999) if len(old.group()) > 2 else (2, 99)
        number = str(dice.randint(low, high))
        new = label[: old.start()] + number + label[old.end() :]
        if not _exists(shelf, document, outcome, label, new):
            start = place[0] + inside[nth][0]
            end = place[0] + inside[nth][1]
            return Break(
                file=document.name, start=start, end=end, number=number, label=new, was=reference.text
            )
    return None


def _reaches(outcome: Resolution, label: str) -> bool:
    """Whether a pointer leads to the very place of its label, and not to a whole that numbers nothing."""
    base = split_sub(label)[0].casefold()
    return (
        outcome.tier is Tier.LINK
        or any(t.focus or (t.label or "").casefold().startswith(base) for t in outcome.targets)
        or outcome.reference.kind is ReferenceKind.BIBLIOGRAPHY
    )


def _exists(shelf: Shelf, home: Document, outcome: Resolution, label: str, new: str) -> bool:
    """Whether the changed label is the label of anything where the pointer could be counted."""
    base = split_sub(new)[0]
    if base == split_sub(label)[0] or not base or outcome.reference.kind is ReferenceKind.PARAGRAPH:
        # A sub-paragraph: a number that no line of the target begins with, in whatever form.
        numbers = set(re.findall(r"\d+", new)) - set(re.findall(r"\d+", label))
        text = "\n".join(shelf.documents[t.lines.doc].text(t.lines) for t in outcome.targets)
        around = home.section_path(outcome.reference.at.line)
        text += "\n".join(home.text(s.lines) for s in around[-3:] if s.level > 1)
        return any(re.search(rf"(?m)(?:^\s*|\(){n}[.)]", text) for n in numbers) or not numbers
    held = {t.lines.doc for t in outcome.targets} | {home.id}
    # A part of a work in several files is a file: another number names another one that is there.
    anywhere = outcome.reference.container is None or outcome.reference.kind is ReferenceKind.PART
    if any(p.doc in held or anywhere for p in shelf.shelf.labelled(base)):
        return True
    return any(_parts_of(shelf.documents[d], base) for d in held)


def _parts_of(document: Document, base: str) -> bool:
    return any(s.label and s.label.startswith(base + ".") for s in document.sections)


def _located(document: Document, reference: Reference, text: str) -> tuple[int, int] | None:
    """Return where a reference stands in the text of its file, when that is one place only."""
    at = reference.at
    head = " ".join(line.text for line in document.lines[max(0, at.line - 1) : at.line])
    before = f"{head} {document.lines[at.line].text[: at.char_start]}".split()[-4:]
    words = [*before, *reference.text.split()]
    pattern = _GAP.join(rf"(?:<[^>]+>)*{_escaped(w)}" for w in words)
    found = list(re.finditer(pattern, text))
    if len(found) != 1:
        return None
    first = re.compile(_GAP.join(rf"(?:<[^>]+>)*{_escaped(w)}" for w in reference.text.split()))
    every = list(first.finditer(text, found[0].start(), found[0].end()))
    return every[-1].span() if every else None


def _escaped(word: str) -> str:
    return "(?:<[^>]+>)*".join(
        {"<": "&lt;", ">": "&gt;", "&": "&amp;"}.get(c, re.escape(c)) if c in "<>&" else re.escape(c)
        for c in word
    )


def _label_in(said: str, label: str) -> list[tuple[int, int]] | None:
    """Return where each number of a label stands in the pointer's own text."""
    numbers = re.findall(r"\d+", label)
    plain = re.sub(r"<[^>]+>", lambda m: "\0" * len(m.group()), said)
    pattern = r"[^\d\w]*?(?:[A-Za-z]{1,4}[^\d\w]*?)*?".join(rf"(?<!\d)({n})(?!\d)" for n in numbers)
    found = list(re.finditer(pattern, plain))
    return [found[0].span(n + 1) for n in range(len(numbers))] if len(found) == 1 else None


def broken(data: Path, seed: int, show: bool, names: Sequence[str]) -> bool:
    total: Counter[str] = Counter()
    for name in names:
        count = BROKEN[name]
        began = time.monotonic()
        raw = read(data, name)
        texts = {file: body.decode("utf-8", "surrogateescape") for file, body in raw.items()}
        shelf = Shelf({file: build(file, body) for file, body in raw.items()})
        chosen = breaks(shelf, texts, count, random.Random(f"{seed} {name}"))
        by_file: dict[str, list[Break]] = defaultdict(list)
        for one in chosen:
            by_file[one.file].append(one)
        documents = dict(shelf.documents)
        for file, ones in by_file.items():
            text = texts[file]
            for one in sorted(ones, key=lambda b: -b.start):
                text = (
                    text[: one.start]
                    + one.number
                    + _drawn(text[one.end :], len(one.number) - one.end + one.start)
                )
            documents[file] = build(file, text.encode("utf-8", "surrogateescape"))
        marked: dict[str, list[Finding]] = defaultdict(list)
        for document, finding in Shelf(documents).findings(set(by_file)):
            marked[document.name].append(finding)
        found = 0
        for one in chosen:
            hit = [f for f in marked[one.file] if re.search(rf"(?<!\d){one.number}(?!\d)", f.text)]
            found += bool(hit)
            if show and not hit:
                print(f"  not found: {file_stem(one.file)}: “{one.was}” as {one.label}")
        total["broken"] += len(chosen)
        total["found"] += found
        print(f"{name:12} {found:4} of {len(chosen):4} found   {time.monotonic() - began:6.1f} s", flush=True)
    share = total["found"] / max(1, total["broken"])
    print(f"{'all':12} {total['found']:4} of {total['broken']:4} found   {share:.3f} (wanted: .980 of 300)")
    return share >= 0.98


def _drawn(rest: str, wider: int) -> str:
    """Keep the columns of a drawn table: a wider number takes the spaces before the next rule."""
    cell = re.match(r"[^|\n]*?( *)\|", rest)
    if cell is None or wider <= 0 or len(cell[1]) < wider:
        return rest
    return rest[: cell.start(1)] + rest[cell.start(1) + wider :]


def pages(document: Document) -> float:
    return document.pages if document.pages > 1 else sum(len(x.text) + 1 for x in document.lines) / PAGE


def quiet(data: Path, show: bool, names: Sequence[str]) -> bool:
    verdicts = {}
    if VERDICTS.exists():
        verdicts = {row["fingerprint"]: row for row in map(json.loads, VERDICTS.read_text().splitlines())}
    good = True
    for name in names:
        began = time.monotonic()
        shelf = Shelf({file: build(file, body) for file, body in read(data, name).items()})
        size = sum(map(pages, shelf.documents.values()))
        said: Counter[str] = Counter()
        for document, finding in shelf.findings():
            verdict = verdicts.get(finding.fingerprint, {}).get("verdict", "not judged")
            said[verdict] += 1
            if show or verdict == "not judged":
                line = document.lines[finding.at.line].text
                print(
                    json.dumps(
                        {
                            "set": name, "file": document.name, "page": finding.page, "row": finding.row, "rule": finding.rule,
                            "text": finding.text[:60], "message": finding.message, "fingerprint": finding.fingerprint,
                            "verdict": verdict, "line": line[max(0, finding.at.char_start - 80) : finding.at.char_end + 80],
                        },
                        ensure_ascii=False,
                    )
                )  # fmt: skip
        wrong = said["false alarm"] + said["not judged"]
        rate = 100 * wrong / size
        good = good and rate <= 1
        print(
            f"{name:12} {len(shelf.documents):5} documents {size:7.0f} pages   {sum(said.values()):4} findings: "
            f"{said['mistake']} mistakes of the author's, {wrong} false alarms   {rate:.2f} per 100 pages (wanted: at most 1)"
            f"   {time.monotonic() - began:.1f} s",
            flush=True,
        )
    return good


def main() -> int:
    parser = command_line(__doc__)
    parser.add_argument("--data", type=there, required=True, help="the folder of the shared sets")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--set", action="append", choices=tuple(SETS), help="only this set; may be given again"
    )
    parser.add_argument("--show", action="store_true", help="print what was not found, or every finding")
    parser.add_argument("what", choices=("broken", "quiet"))
    args = parser.parse_args()
    if args.what == "broken":
        held = broken(args.data, args.seed, args.show, args.set or tuple(BROKEN))
    else:
        held = quiet(args.data, args.show, args.set or QUIET)
    return 0 if held else 1


if __name__ == "__main__":
    run(main)
