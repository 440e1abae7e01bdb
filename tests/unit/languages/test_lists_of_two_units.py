"""A further word in a list of labels that begins a pointer of its own."""

from __future__ import annotations

import pytest

from deref.references import find_in
from deref.values import Line


@pytest.mark.parametrize(
    ("language", "text", "found"),
    [
        ("de", "Es gelten die §§ 1 bis 3 sowie Abschnitt 2.", ["§§ 1 bis 3", "Abschnitt 2"]),
        ("de", "Es gelten Abschnitt 2 und § 3 dazu.", ["Abschnitt 2", "§ 3"]),
        ("de", "Es gelten § 2 und § 3 dazu.", ["§ 2 und § 3"]),
        ("fr", "Voir l'article 3 et l'article L. 121-1 du code de commerce.", ["article 3", "article L. 121-1 du code de commerce"]),
        ("fr", "Voir l'article 3 et l'article 5 du code de commerce.", ["article 3 et l'article 5 du code de commerce"]),
        ("fr", "Voir l'article L. 121-1 et l'article L. 122-1 du code de commerce.", ["article L. 121-1 et l'article L. 122-1 du code de commerce"]),
    ],
)  # fmt: skip
def test_another_unit_or_the_number_of_a_code_ends_a_list(language: str, text: str, found: list[str]) -> None:
    line = Line(doc="d", n=0, page=1, row=1, text=text, starts_block=True)
    assert [r.text for r in find_in([line], language=language)] == found
