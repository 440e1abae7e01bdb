"""What another paper of the shelf amends is told with the answer, as far as the caller and the filter let it be seen."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from deref.engine import Engine, open_engine
from deref.replaying import replay
from deref.settings import settings_of
from deref.values import Answer, Arrived, Scope

SETTINGS = settings_of({"models": {"embedder": "none"}, "index": {"collections": "folders"}})
FILES = {
    "open/Lease.md": "# Lease Agreement\n\nThis Lease Agreement is made on 3 March 2021 between Harbour Sheds Limited (the “Landlord”) and "
    "Brightwater Cycles Limited (the “Tenant”).\n\n## 4. Rent\n\n4.1 Monthly rent. The Tenant shall pay a monthly rent of GBP 2,400 on "
    "the first day of each month.\n\n## 5. Use\n\n5.1 Permitted use. The Tenant may use the shed to repair and sell bicycles, to store "
    "them over winter, and to teach children how a puncture is mended, a chain is oiled and a wheel is trued, as long as the doors "
    "are shut by six and no engine runs in the yard between the two sheds.\n\n## 6. Hours\n\n6.1 Opening hours. The Tenant shall keep the shop open from nine to five on "
    "weekdays.\n",
    "open/First Amendment.md": "# First Amendment to Lease Agreement\n\nThe parties to the Lease Agreement of 3 March 2021 (the “Lease”) "
    "agree this.\n\n1.1 Section 4.1 of the Lease is hereby amended to read as follows:\n\n“4.1 Monthly rent. The Tenant shall pay GBP 2,750 "
    "on the fifth day of each month.”\n\n1.2 Section 5.1 of the Lease may be amended in writing only.\n",
    "secret/Second Amendment.md": "# Second Amendment to Lease Agreement\n\nThe parties to the Lease Agreement of 3 March 2021 (the “Lease”) "
    "agree this.\n\nSection 6.1 of the Lease is deleted in its entirety.\n",
    "open/Notes.md": "# Notes of the agent\n\nRent is collected as Section 4.1 of the Lease Agreement says. A broken lamp is replaced "
    "under Section 6.1 of the Lease Agreement.\n",
}  # fmt: skip
HOURS = "What are the opening hours on weekdays that the Tenant shall keep the shop open?"
RENT = "What monthly rent shall the Tenant pay on the first day of each month?"


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    for name, text in FILES.items():
        file = tmp_path / "shelf" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    with open_engine(tmp_path / "library", settings=SETTINGS) as engine:
        engine.index(tmp_path / "shelf")
        yield engine


def amended_by(answer: Answer) -> set[tuple[str, str]]:
    """Return pairs of the document that is amended and the one that amends it."""
    cited = answer.citations
    return {(cited[a.amended - 1].source, cited[a.amending - 1].source) for a in answer.amendments}


def test_new_text_of_a_quoted_section_is_told_with_the_sentence_that_says_so(engine: Engine) -> None:
    answer = engine.ask(RENT)
    assert amended_by(answer) == {("open/Lease.md", "open/First Amendment.md")}
    (cited,) = [c for c in answer.citations if c.arrived is Arrived.AMENDMENT]
    assert "hereby amended" in cited.quote
    assert "GBP 2,750" in cited.quote
    assert answer.text.endswith(f"fifth day of each month.” [{len(answer.citations)}]")


def test_a_section_that_is_deleted_elsewhere_is_told(engine: Engine) -> None:
    assert amended_by(engine.ask(HOURS)) == {("open/Lease.md", "secret/Second Amendment.md")}


def test_a_section_that_may_be_amended_is_not_amended(engine: Engine) -> None:
    answer = engine.ask("What may the Tenant use the shed for, to repair and sell bicycles?")
    assert "repair and sell bicycles" in answer.text
    assert not answer.amendments


def test_an_amendment_that_the_caller_may_not_see_is_not_told(engine: Engine) -> None:
    assert engine.ask(HOURS).amendments
    answer = engine.ask(HOURS, scope=Scope(collections=frozenset(["open"])))
    assert "nine to five" in answer.text
    assert not answer.amendments
    assert "Second Amendment" not in answer.text


def test_an_amendment_that_the_filter_leaves_out_is_not_told(engine: Engine) -> None:
    answer = engine.ask(HOURS, where="document:open/Lease.md")
    assert "nine to five" in answer.text
    assert not answer.amendments


def test_a_withdrawn_paper_amends_nothing(engine: Engine) -> None:
    assert engine.ask(HOURS).amendments
    engine.mark("secret/Second Amendment.md", "withdrawn")
    answer = engine.ask(HOURS)
    assert "nine to five" in answer.text
    assert not answer.amendments


def test_a_trace_of_it_is_answered_again_alike(engine: Engine, tmp_path: Path) -> None:
    with (tmp_path / "t.jsonl").open("w") as out:
        engine.ask(HOURS, trace=out)
    assert replay(tmp_path / "t.jsonl").same
