"""Patterns that compile when they are first used."""

from __future__ import annotations

import pkgutil
import re
from importlib import import_module

import pytest

from deref.text.lazy import lazy


def test_a_source_is_not_even_written_until_the_pattern_is_used() -> None:
    asked: list[str] = []

    def source() -> str:
        asked.append("source")
        return r"note (\d)"

    pattern = lazy(source, re.IGNORECASE)
    assert asked == []
    found = pattern.search("see Note 3 there")
    assert found is not None and found.group(1) == "3"
    assert [m.group() for m in pattern.finditer("note 1, NOTE 2")] == ["note 1", "NOTE 2"]
    assert pattern.sub("-", "a note 1 b") == "a - b"
    assert asked == ["source"]


def test_a_broken_pattern_says_so_at_its_first_use() -> None:
    pattern = lazy("(")
    with pytest.raises(re.error):
        pattern.match("x")


def test_every_pattern_of_the_references_compiles() -> None:
    kind = type(lazy(""))
    for module in pkgutil.iter_modules(import_module("deref.references").__path__, "deref.references."):
        for value in vars(import_module(module.name)).values():
            if isinstance(value, kind):
                value.search("")  # raises re.error where it does not
