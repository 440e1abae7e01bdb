"""Letters and digits only, whatever script stands beside them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deref.evaluate.references.squash import Squashed, squash
from deref.values import Line


@pytest.mark.parametrize(
    ("text", "squashed"),
    [
        ("Section\u00a04.2 of the Act", "section42oftheact"),
        ("Section 4.2 of the Act", "section42oftheact"),
        ("Größe, ﬁne, CAFÉ", "groefinecafe"),
        ("§\u00a012 Abs. 3", "§12abs3"),
    ],
)
def test_a_sign_of_another_script_changes_nothing_around_it(text: str, squashed: str):
    assert squash(text) == squashed


@given(st.lists(st.text(max_size=30), min_size=1, max_size=5))
def test_every_sign_leads_back_to_the_line_and_character_it_came_from(texts: list[str]):
    lines = [Line(doc="d", n=n, page=1, row=n + 1, text=text) for n, text in enumerate(texts)]
    squashed = Squashed(lines)
    assert squashed.text == "".join(squash(text) for text in texts)
    for at, sign in enumerate(squashed.text):
        line, char = squashed.place(at)
        assert sign in squash(texts[line][char])
    for n in range(len(lines)):
        start, end = squashed.reach(n, n + 1)
        assert squashed.text[start:end] == squash(texts[n])
