"""Small labelled sets of every shape, written into a folder."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from deref.evaluate.references import build, read_sets, score
from deref.evaluate.references.score import SetScore


def write_rows(path: Path, rows: Sequence[dict[str, Any]]) -> None:
    """Write JSON lines."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")


def scores(folder: Path, *, links: bool = False) -> list[SetScore]:
    """Return the scores of the sets in a folder."""
    return [score(labelled, build(labelled, _quiet), _quiet, links=links) for labelled in read_sets(folder)]


def _quiet(_what: str, _done: int, _total: int, _at: str) -> None:
    pass


PAGES = {
    "one.html": (
        "<html><body><h1>1. Beginnings</h1><p>Read Section&nbsp;2.1 first, then Table&nbsp;2.1. "
        "Größe zählt, says Section\u00a02.2. Nothing is said in Section&nbsp;2.1 twice.</p></body></html>"
    ),
    "two.html": (
        '<html><body><h1>2. Ends</h1><h2 id="limits">2.1. Limits</h2><p>There are limits of every kind.</p>'
        "<p>They are told at length.</p><p>And told again, for good measure.</p>"
        '<h2 id="fees">2.2. Fees</h2><p>Fees are due.</p><p>They are paid.</p><p>On time.</p>'
        '<div id="t"><p>Table 2.1. Rates</p><table><tr><th>Kind</th><th>Rate</th></tr><tr><td>a</td><td>1</td></tr></table>'
        "</div></body></html>"
    ),
}


def page_row(text: str, before: str, after: str, anchor: str, heading: str, **more: Any) -> dict[str, Any]:
    """Return a row of the set of pages, from one.html to two.html."""
    kind, number = text.split("\u00a0")
    return {
        "doc": "one.html", "text": text, "mention": text, "before": before, "after": after, "kind": kind.lower(),
        "num": number, "tgt_doc": "two.html", "tgt_anchor": anchor, "tgt_in_set": True, "tgt_text": heading,
        "num_match": True, "same_doc": False, "toc": False, **more,
    }  # fmt: skip


def page_rows() -> list[dict[str, Any]]:
    """Return the references of the pages."""
    return [
        page_row("Section\u00a02.1", "Read", "first, then", "limits", "2.1. Limits"),
        page_row("Table\u00a02.1", "first, then", ". Größe", "t", "Table 2.1. Rates"),
        page_row("Section\u00a02.2", "Größe zählt, says", ". Nothing is", "fees", "2.2. Fees"),
        page_row("Section\u00a02.1", "Nothing is said in", "twice.", "limits", "2.1. Limits"),
    ]


def pages(folder: Path, rows: Sequence[dict[str, Any]] | None = None) -> Path:
    """Write the set of web pages."""
    for name, text in PAGES.items():
        (folder / "docs").mkdir(parents=True, exist_ok=True)
        (folder / "docs" / name).write_text(text, "utf-8")
    write_rows(folder / "refs.jsonl", page_rows() if rows is None else rows)
    return folder


def pdf(path: Path, sheets: Sequence[Sequence[tuple[float, str]]]) -> None:
    """Write a PDF of US letter pages: rows of (baseline from the top in points, text). Those at the very top are headings."""
    objects: list[bytes] = []
    kids = " ".join(f"{4 + 2 * n} 0 R" for n in range(len(sheets)))
    objects.append(b"<< /Type /Catalog /Pages 2 0 R >>")
    objects.append(f"<< /Type /Pages /Kids [{kids}] /Count {len(sheets)} >>".encode())
    objects.append(b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>")
    for n, rows in enumerate(sheets):
        shown = "".join(
            f"BT /F1 {18 if y < 100 else 11} Tf 72 {792 - y:.1f} Td ({_escaped(text)}) Tj ET\n"
            for y, text in rows
        )
        stream = shown.encode("cp1252")
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> "
            f"/Contents {5 + 2 * n} 0 R >>".encode()
        )
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream))
    out, offsets = b"%PDF-1.4\n", []
    for n, body in enumerate(objects, start=1):
        offsets.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (n, body)
    table = "".join(f"{at:010} 00000 n \n" for at in offsets)
    xref = len(out)
    out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}".encode()
    out += f"trailer << /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{xref}\n%%EOF\n".encode()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(out)


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")


SHEETS = (
    (
        (90.0, "1 Introduction"),
        (120.0, "The rates are listed in Table 1, which Section 2 explains at length."),
        (136.0, "A second look at Table 1 does no harm to anyone."),
    ),
    (
        (90.0, "2 Rates"),
        (120.0, "Rates are what one pays for the use of a thing."),
        (136.0, "They rise, and they never fall, as everybody knows."),
        (300.0, "Table 1: Rates by kind"),
        (316.0, "kind     rate"),
        (332.0, "small     1.50"),
    ),
)


def sheet_rows() -> list[dict[str, Any]]:
    """Return the references of the PDF: a table (linked twice over the same words), its second mention, a section."""
    table = {"kind": "table", "num": "1", "tgt_page": 2, "tgt_y": 250.0, "tgt_text": "Table 1: Rates by kind"}
    first = {
        **table, "doc": "rates.pdf", "page": 1, "bbox": [185.0, 112.0, 215.0, 122.0], "text": "Table 1",
        "mention": "Table 1", "before": "The rates are listed in", "after": ", which Section 2", "toc": False,
    }  # fmt: skip
    second = {
        **first,
        "bbox": [155.0, 128.0, 190.0, 138.0],
        "before": "A second look at",
        "after": "does no harm",
    }
    section = {
        **first, "bbox": [260.0, 112.0, 265.0, 122.0], "text": "2", "mention": "Section 2", "before": "which Section",
        "after": "explains at", "kind": "section", "num": "2", "tgt_y": 80.0, "tgt_text": "2 Rates",
    }  # fmt: skip
    return [first, first, second, section]


def sheets(folder: Path, rows: Sequence[dict[str, Any]] | None = None) -> Path:
    """Write the set of one PDF, with its anchors and bookmarks."""
    pdf(folder / "docs" / "rates.pdf", SHEETS)
    write_rows(folder / "refs.jsonl", sheet_rows() if rows is None else rows)
    anchors = [
        {"doc": "rates.pdf", "name": "section.1", "kind": "section", "page": 1, "y": 80, "text": "1 Introduction"},
        {"doc": "rates.pdf", "name": "table.1", "kind": "table", "page": 2, "y": 250, "text": "Table 1: Rates by kind"},
        {"doc": "rates.pdf", "name": "table.2", "kind": "table", "page": 2, "y": 500, "text": "Table 2: Never printed"},
    ]  # fmt: skip
    write_rows(folder / "anchors.jsonl", anchors)
    marks = [("1 Introduction", 1), ("2 Rates", 2), ("3 Missing", 2)]
    write_rows(
        folder / "outline.jsonl", [{"doc": "rates.pdf", "level": 1, "title": t, "page": p} for t, p in marks]
    )
    return folder


ACT = """An Act

Article 1
Scope

1. This Act applies to ships, subject to Articles 2 and 3.

2. Article 5 of Directive 95/46/EC is left as it is. See Article 9.

Article 2
Fees

1. Fees are due.

Article 3
Fines

1. Fines are due under paragraph 2.

2. They are high.
"""


def act_rows() -> list[dict[str, Any]]:
    """Return the references of the act: members of a list, another act's article, a dangling one, a relative paragraph."""

    def row(text: str, kind: str, target: str | None, sought: str, num: str) -> dict[str, Any]:
        at = ACT.index(sought)
        return {
            "doc": "act.txt", "line": ACT[:at].count("\n") + 1, "char": at, "text": text, "before": ACT[max(0, at - 20) : at],
            "after": "", "kind": kind, "num": num, "tgt_text": target,
            "tgt_line": None if target is None else ACT[: ACT.index(f"\n{target}") + 1].count("\n") + 1,
        }  # fmt: skip

    return [
        {
            **row("Article 2", "article", "Article 2\n", "Articles 2 and 3", "2"),
            "surface": "Articles 2 and 3",
        },
        {**row("Article 3", "article", "Article 3\n", "3.\n\n2. Art", "3"), "surface": "Articles 2 and 3"},
        row("Article 5", "article_external", None, "Article 5", "5"),
        row("Article 9", "article", None, "Article 9", "9"),
        row("paragraph 2", "paragraph_relative", "2. They", "paragraph 2", "2"),
    ]


def act(folder: Path, rows: Sequence[dict[str, Any]] | None = None) -> Path:
    """Write the set of one text."""
    (folder / "docs").mkdir(parents=True)
    (folder / "docs" / "act.txt").write_text(ACT, "utf-8")
    write_rows(folder / "refs.jsonl", act_rows() if rows is None else rows)
    return folder


def rulebooks(folder: Path) -> Path:
    """Write the set of two rulebooks kept as passages."""
    fees = [
        ("a", "1.", "INTRODUCTION"), ("b", "1.1", "Application"), ("c", "1.1.1", ""),
        ("d", "1.1.1.(1)", "This Rulebook applies to everyone, as Rules 1.2.1 to 1.2.3 say."),
        ("e", "1.2", "Fees"), ("f", "1.2.1", "A fee is due."), ("g", "1.2.2", "A fee is paid."),
        ("h", "1.2.3", "A fee is kept."), ("i", "1.2.3.Guidance.1.", "See GEN Rule 2.1.1, and the Tokyo Accord."),
    ]  # fmt: skip
    general = [("z", "2.", "PRINCIPLES"), ("y", "2.1", "Conduct"), ("x", "2.1.1", "One behaves.")]
    (folder / "docs").mkdir(parents=True)
    for name, passages in (("1", fees), ("2", general)):
        values = [{"ID": i, "DocumentID": int(name), "PassageID": p, "Passage": t} for i, p, t in passages]
        (folder / "docs" / f"{name}.json").write_text(json.dumps(values), "utf-8")
    names = {
        "1": ["FEES_VER01.010120", "FEES", "Fees Rules (FEES)"],
        "2": ["GEN_VER02.010120", "GEN", "General Rulebook"],
    }
    (folder / "document_names.json").write_text(json.dumps(names), "utf-8")

    def row(source: str, text: str, target: str, passage: str, doc: str, **more: Any) -> dict[str, Any]:
        return {
            "doc": "1.json", "src_id": source, "src_passage": "", "text": text, "mention": text, "before": "", "after": "",
            "char": 0, "kind": "rule", "type": "Internal", "tgt_doc": doc, "tgt_id": target, "tgt_passage": passage,
            "num": text.split()[0], "tgt_text": "", "same_doc": doc == "1.json", "num_match": True, "toc": False, **more,
        }  # fmt: skip

    rows = [
        row("d", "1.2.1 to 1.2.3", "f", "1.2.1", "1.json"),
        row("d", "1.2.1 to 1.2.3", "g", "1.2.2", "1.json"),
        row("d", "1.2.1 to 1.2.3", "h", "1.2.3", "1.json", before="as Rules", after="say."),
        row("d", "1.2.1 up to 1.2.3 in this book", "g", "1.2.2", "1.json"),
        row("i", "2.1.1", "x", "2.1.1", "2.json", type="External"),
        row("i", "Tokyo Accord", "", "", ".json", type="Outsource"),
        row("i", "2.1.1", "gone", "9.9.9", "2.json", type="External"),
    ]
    write_rows(folder / "refs.jsonl", rows)
    return folder


def deals(folder: Path) -> Path:
    """Write the set of documents that name each other."""
    (folder / "docs").mkdir(parents=True)
    memo = "Risk Memo\n\nThe risks are told in Document: Closing Checklist. See also Document: Secret Plan.\n"
    (folder / "docs" / "memo.txt").write_text(memo, "utf-8")
    (folder / "docs" / "list.txt").write_text("Closing Checklist\n\nAll is ready for the closing.\n", "utf-8")
    (folder / "other").mkdir()
    pointers = [
        {"from": "memo.txt", "to": "list.txt", "kind": "document", "cue": "Document: Closing Checklist"},
        {
            "from": "memo.txt",
            "to": None,
            "kind": "document",
            "cue": "Document: Secret Plan",
            "dangling": True,
        },
    ]
    (folder / "other" / "deal.facts.json").write_text(json.dumps({"cross_references": pointers}), "utf-8")
    return folder
