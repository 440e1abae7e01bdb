"""Each rule of the checker marks its example, and nothing in what looks alike."""

from __future__ import annotations

import pytest

from deref.parse import parse
from deref.references import MemoryShelf, find
from deref.references.check import Checker
from deref.references.check_rules import RULES, Files, Rule
from deref.references.documents import spoken_names
from deref.references.mentions import find_names, with_mentions
from deref.structure import build_document
from deref.values import Document, Finding


def checked(files: Files, rules: tuple[Rule, ...] = RULES) -> list[Finding]:
    documents = [
        build_document(parse(text.encode(), doc=name, name=name), doc=name, name=name, fingerprint="test")
        for name, text in files.items()
    ]
    shelf = MemoryShelf(documents)
    names = tuple(spoken_names(shelf.cards()))

    def references(document: Document) -> list:
        return with_mentions(find(document), find_names(document, names))

    checker = Checker(shelf, references, rules)
    return [finding for document in documents for finding in checker(document)]


def named(name: str) -> Rule:
    return next(r for r in RULES if r.name == name)


@pytest.mark.parametrize("rule", RULES, ids=lambda r: r.name)
def test_a_rule_marks_its_example(rule: Rule) -> None:
    assert [f.text for f in checked(rule.example, (rule,))] == list(rule.finds)


@pytest.mark.parametrize(
    ("rule", "files"),
    [pytest.param(r, c, id=f"{r.name}-{n}") for r in RULES for n, c in enumerate(r.counters)],
)
def test_a_rule_is_quiet_on_what_looks_alike(rule: Rule, files: Files) -> None:
    assert checked(files, (rule,)) == []


@pytest.mark.parametrize("rule", RULES, ids=lambda r: r.name)
def test_no_other_warning_is_given_on_the_example_of_a_rule(rule: Rule) -> None:
    others = {f.rule for f in checked(rule.example) if f.severity.weight} - {rule.name}
    assert not others


@pytest.mark.parametrize("rule", RULES, ids=lambda r: r.name)
def test_a_finding_never_weighs_more_than_its_rule(rule: Rule) -> None:
    assert all(f.severity.weight <= rule.severity.weight for f in checked(rule.example, (rule,)))


def test_behind_the_name_of_the_work_a_number_is_missed_in_the_file_of_its_part() -> None:
    often = "\n\n".join(f"45.{n} Slipway {n}\n\nThe rate follows HMR 45.101." for n in range(102, 124))
    files = {
        "hmr-part-02.txt": "Part 2 - Words\n\n2.101 Berth\n\nA place for one hull.\n\n2.102 Hull\n\nA body that floats.\n",
        "hmr-part-45.txt": f"Part 45 - Slipways\n\n45.101 Rates\n\nA berth, as defined in HMR 2.296, is paid by the day.\n\n{often}\n",
    }
    assert [f.text for f in checked(files, (named("dangling"),))] == ["HMR 2.296"]
    good = {name: text.replace("2.296", "2.101") for name, text in files.items()}
    assert checked(good, (named("dangling"),)) == []
    # "GCC" means many things: that it is the work at hand is told by the pointers that reach a place.
    other = {name.replace("hmr", "rules"): text.replace("HMR", "GCC") for name, text in files.items()}
    assert [f.text for f in checked(other, (named("dangling"),))] == ["2.296"]


def test_a_number_of_this_very_paper_is_missed_also_where_another_paper_has_it() -> None:
    files = {
        "Guaranty.md": "# Guaranty\n\n## 1. Payment\n\nThe Guarantor pays under Section 6 of this Guaranty.\n\n## 2. Term\n\nA year.\n",
        "Lease.md": "# Lease\n\n## 5. Rent\n\nRent is due.\n\n## 6. Use\n\nUse it well.\n",
    }
    assert [f.text for f in checked(files, (named("dangling"),))] == ["Section 6 of this Guaranty"]
