"""Settings: each one has an effect, and a message that names one names it rightly."""

from __future__ import annotations

import ast
import dataclasses
import re
from typing import Any, cast

import pytest

from architecture.source_tree import TREES
from deref.settings import GROUPS

FIELDS = {
    f"{group}.{field.name}" for group, part in GROUPS.items() for field in dataclasses.fields(cast(Any, part))
}
_NAMED = re.compile(rf"(?<![\w.])(?:{'|'.join(GROUPS)})\.[a-z_]+(?![\w(])")


@pytest.mark.parametrize("field", sorted(FIELDS))
def test_every_setting_is_read_by_someone(field: str) -> None:
    wanted = field.split(".")[1]
    readers = [
        name
        for name, tree in TREES.items()
        if name != "settings.py"
        and any(isinstance(n, ast.Attribute) and n.attr == wanted for n in ast.walk(tree))
    ]
    assert readers, f"nothing reads {field}"


def test_a_message_that_tells_to_change_a_setting_names_one_that_is_there() -> None:
    wrong = []
    for name, tree in TREES.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                told = re.findall(r"(?:raise|set|lower|change) ([a-z]+\.[a-z_]+)", node.value)
                wrong += [(name, t) for t in told if _NAMED.fullmatch(t) and t not in FIELDS]
    assert not wrong
