"""Write the PDF and DOCX files of the deal room from their sources; running it twice gives the same bytes.

    python examples/build_deal_room.py

The Markdown and HTML files are their own sources. The PDF files need reportlab (in the extra "dev").
"""

from __future__ import annotations

from pathlib import Path

from deal_room_sources.blocks import Block, read
from deal_room_sources.pdf import Look, write_pdf
from deal_room_sources.word import write_docx

HERE = Path(__file__).resolve().parent

PDFS = {
    "master_services_agreement": (
        "01 Master Services Agreement.pdf",
        Look(
            title="Master Services Agreement",
            head_left="Master Services Agreement",
            head_right="Tarnbrook / Ostrea",
            front_pages=2,
        ),
    ),
    "exhibit_b_fee_schedule": (
        "02 Exhibit B - Fee Schedule.pdf",
        Look(
            title="Exhibit B to the Master Services Agreement: Fee Schedule",
            head_left="Exhibit B: Fee Schedule",
            head_right="Tarnbrook / Ostrea",
        ),
    ),
    "due_diligence_report": (
        "Due Diligence Report.pdf",
        Look(
            title="Technical and Legal Due Diligence Report",
            head_left="Due Diligence Report",
            head_right="Project Saltmarsh",
            links=True,
        ),
    ),
}
DOCXS = {
    "credit_agreement": ("03 Credit Agreement.docx", "Credit Agreement"),
    "board_minutes": ("Board Minutes 2025-03-13.docx", "Minutes of the Board"),
    "disclosure_letter": ("Disclosure Letter.docx", "Disclosure Letter"),
}


def build(folder: Path) -> list[Path]:
    """Write every generated file into the folder and return their paths."""
    written = []
    for source, (name, look) in PDFS.items():
        write_pdf(_source(source), folder / name, look)
        written.append(folder / name)
    for source, (name, title) in DOCXS.items():
        write_docx(_source(source), folder / name, title)
        written.append(folder / name)
    return written


def _source(name: str) -> list[Block]:
    return read((HERE / "deal_room_sources" / f"{name}.txt").read_text(encoding="utf-8"))


if __name__ == "__main__":
    for path in build(HERE / "deal-room"):
        print(path.relative_to(HERE.parent))
