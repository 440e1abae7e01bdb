"""A session that stays open sees what another process has changed: pointers, names of documents, their standing."""

from __future__ import annotations

from pathlib import Path

from deref.answer.rank import Ranking
from deref.engine import Engine, open_engine
from deref.settings import settings_of
from deref.values import Resolution, Status
from e2e.shell import Shell

AGREEMENT = """# Supply Agreement

## 1 Fees

Interest is due as Section 3 of the Payment Policy says. The Yard Fee Schedule tells the fees.
"""
POLICY = "# Payment Policy\n\n## 3 Interest\n\nNine percent a year.\n"
SCHEDULE = "# Yard Fee Schedule\n\nThe fee is 1,200 crowns.\n"


def resolved(engine: Engine) -> dict[str, Resolution]:
    document = engine.document_named("agreement.md")
    lines = document.sections[-1].lines
    return {r.text: engine.resolve(r) for r in engine.references_in(document, lines)}


def test_what_another_process_adds_marks_and_removes_counts_in_an_open_session(
    tmp_path: Path, database: str
) -> None:
    papers, library = tmp_path / "papers", tmp_path / "library"
    papers.mkdir()
    (papers / "agreement.md").write_text(AGREEMENT)
    other = Shell(library)
    settings = settings_of(
        {"models": {"embedder": "hashing", "background": False}, "library": {"catalogue": database}}
    )
    with open_engine(library, settings=settings) as engine:
        engine.index(papers)
        pointer = "Section 3 of the Payment Policy"
        assert resolved(engine)[pointer].status is not Status.RESOLVED

        (papers / "policy.md").write_text(POLICY)
        (papers / "schedule.md").write_text(SCHEDULE)
        assert other("index", papers).code == 0
        after = resolved(engine)
        assert after[pointer].status is Status.RESOLVED
        assert after["Yard Fee Schedule"].status is Status.RESOLVED

        assert other("status", papers, "--mark", "policy.md", "withdrawn").code == 0
        assert "withdrawn" in resolved(engine)[pointer].why

        (papers / "policy.md").unlink()
        assert other("index", papers).code == 0
        assert resolved(engine)[pointer].status is not Status.RESOLVED


def test_what_is_kept_of_passages_is_let_go_of_when_a_document_comes_that_they_name(tmp_path: Path) -> None:
    papers = tmp_path / "papers"
    papers.mkdir()
    (papers / "agreement.md").write_text("# Agreement\n\n## 1 Fees\n\nSee Fees and Dues of the Old Yard.\n")
    settings = settings_of({"models": {"embedder": "hashing", "background": False}})
    with open_engine(tmp_path / "library", settings=settings) as engine:

        def kept() -> list[str]:
            document = engine.document_named("agreement.md")
            lines = document.sections[-1].lines
            looks = engine.seen().looks
            return [p.reference.text for p in looks.pointers(document, lines, Ranking(frozenset(), []))]

        engine.index(papers)
        assert kept() == []
        (papers / "fees.md").write_text("# Fees and Dues of the Old Yard\n\nTen crowns.\n")
        engine.index(papers)
        assert kept() == ["Fees and Dues of the Old Yard"]
