"""Which open pointers of an extractive answer would be missed: those in a sentence and a passage that bear on the question."""

from __future__ import annotations

from deref.values import Passage
from unit.answer.small_evidence import document, followed, whole, written

LEASE = document(
    "# Lease of the Weir\n\n## 1. Toll\n\nThe yearly toll of the weir is set out in Schedule 4.\n\n"
    "## 2. Boats\n\nBoats are kept as described in Schedule 6.\n",
    "weir.md",
)
KILN = document(
    "# Manual of the Kiln\n\n## 1. Firing\n\nThe kiln fires at 1,240 degrees for the first glaze.\n\n"
    "## 2. Care\n\nSwept flues are listed in Schedule 2.\n",
    "kiln.md",
)


def missed(question: str, *docs) -> list[str]:
    answer = written(question, [whole(d) for d in docs], *docs)
    aside = {r.reference.at.begins for r in answer.aside}
    return [r.reference.text for r in answer.pending if r.reference.at.begins not in aside]


def test_a_pointer_whose_sentence_tells_of_the_question_would_be_missed() -> None:
    assert missed("How high is the yearly toll of the weir?", LEASE) == ["Schedule 4"]


def test_pointers_about_something_else_would_not_be_missed_though_they_are_worth_following() -> None:
    question = "At how many degrees does the kiln fire the first glaze?"
    answer = written(question, [whole(KILN), whole(LEASE)], KILN, LEASE)
    assert "Schedule 2" in [r.reference.text for r in answer.pending]
    assert missed(question, KILN, LEASE) == []


def test_a_pointer_in_a_passage_that_is_worth_little_beside_the_best_would_not_be_missed() -> None:
    crates = document(
        "# Store\n\nThe glazed tiles of the kiln are kept in dry crates.\n\nThe tiles of the roof are listed in Schedule 9.\n",
        "store.md",
    )
    assert missed("Where are the glazed tiles of the kiln kept?", crates) == []
    assert missed("What are the tiles of the roof?", crates) == ["Schedule 9"]


def test_a_pointer_in_the_tail_of_followed_text_that_tells_little_beside_the_answer_would_not_be_missed() -> (
    None
):
    for tail, open_ones in (
        ("The duty of the north is set out in Section 3.", []),
        ("The duty on salt at the south gate of the market is that of Section 3.", ["Section 3"]),
    ):
        home = document(
            "# Market\n\n## 1 Salt\n\nThe duty on salt at the north gate of the market is set out in Section 2.\n\n"
            f"## 2 Rates\n\nThe duty on salt at the north gate of the market is fourpence.\n\n{tail}\n\n## 3 More\n\nTwo.\n",
            "market.md",
        )
        evidence = [Passage(lines=home.sections_labelled("1")[0].lines), followed(home, "Section 2")]
        told = written("How high is the duty on salt at the north gate of the market?", evidence, home)
        assert [r.reference.text for r in told.pending] == open_ones


def test_what_is_called_below_would_be_missed_only_where_its_sentence_tells_of_the_matter() -> None:
    text = "# Pans\n\nA pan is warm when the sun shines, as described below.\n\nThe pan that is for sale costs as much as is shown below.\n"
    pans = document(text, "pans.md")
    assert missed("What does the red pan that is for sale at the quay cost on a warm day?", pans) == []
    assert missed("What does the pan that is for sale cost?", pans) == ["shown below"]
