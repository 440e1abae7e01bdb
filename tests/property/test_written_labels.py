"""The labels that are written in plain text are those that are found where an odd sign has the text looked through by a pattern."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from deref.retrieve.written_labels import WrittenLabels

labels = st.sets(st.text("14.(a)_i", min_size=1, max_size=4), max_size=5)


@example({"4.5.1"}, "Rule 4.5.1(a)")
@example({"4.5.1"}, "Rule 4.5.1.2 and 4.5.12")
@example({"4", "4(a)", "a"}, "4(a) A. a")
@given(labels, st.text("14.(aA)_i x", max_size=24))
def test_a_label_is_found_in_plain_text_where_the_pattern_finds_it(some: set[str], text: str) -> None:
    written = WrittenLabels(some)
    assert written.found_in(text) == written.found_in(f"{text} \u00e9")


def test_a_part_of_another_label_is_not_written() -> None:
    written = WrittenLabels({"4.5.1", "xi"})
    assert written.found_in("see Rule 4.5.1(a) and XI.") == {"4.5.1", "xi"}
    assert written.found_in("4.5.12, 4.5.1.2, 14.5.1, xii, .xi") == set()
    assert WrittenLabels(()).found_in("4.5.1") == set()
