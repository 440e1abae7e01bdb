"""Every table of a language, by its own examples and counter-examples."""

from __future__ import annotations

import pytest

from deref.references import find_in
from deref.references.grammar import WORDED
from deref.text.languages import Example, Language, every_language
from deref.values import Line, Reference

TABLES = [table for table in every_language() if table.pointing is not None]
EXAMPLES = [(table.code, example) for table in TABLES for example in table.examples]
SILENT = [(table.code, sentence) for table in TABLES for sentence in table.silent]


def found(text: str, code: str) -> list[Reference]:
    line = Line(doc="d", n=0, page=1, row=1, text=text, starts_block=True)
    return list(find_in([line], language=code))


@pytest.mark.parametrize(("code", "example"), EXAMPLES, ids=lambda v: v.text if isinstance(v, Example) else v)
def test_an_example_yields_the_one_reference_it_names(code: str, example: Example) -> None:
    (reference,) = found(example.text, code)
    assert reference.text == example.found
    assert (reference.kind.value, reference.labels) == (example.kind, example.labels)
    assert (reference.selector, reference.container) == (example.selector, example.container)
    assert reference.effect.value == example.effect


@pytest.mark.parametrize(("code", "sentence"), SILENT)
def test_a_counter_example_yields_nothing(code: str, sentence: str) -> None:
    assert [r.text for r in found(sentence, code)] == []


@pytest.mark.parametrize("table", TABLES, ids=lambda t: t.code)
def test_each_label_word_is_found(table: Language) -> None:
    for row, forms in table.labels.items():
        for word in forms.replace("|", " ").split():
            if row in ("point", "page"):
                continue
            said = f"{table.pointing.see.split('|')[0] if table.pointing else ''} {word.replace('·', ' ')} 7"
            assert [r.kind.value for r in found(said.replace("\\", ""), table.code)] == [row], said


def test_the_rows_of_every_table_are_rows_of_the_grammar() -> None:
    rows = {row.name for row in WORDED} | {"point"}
    for table in every_language():
        assert set(table.labels) <= rows, table.name
        assert not set(table.headings) - set(every_language()[0].headings), table.name


def test_a_label_word_broken_by_a_hyphen_at_a_line_end_is_found() -> None:
    rows = ("Das steht in Ab-", "schnitt 4.2 des Berichts")
    lines = [Line(doc="d", n=n, page=1, row=n + 1, text=t, starts_block=n == 0) for n, t in enumerate(rows)]
    assert [r.labels for r in find_in(lines, language="de")] == [("4.2",)]
