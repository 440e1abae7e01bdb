"""The tree that is drawn in the docstring of `errors` is the tree of the classes."""

from __future__ import annotations

import re

from deref import errors
from deref.errors import DerefError

_BRANCH = re.compile(r"^(?P<indent>[│ ]*)(?:├── |└── )?(?P<name>[A-Z]\w+)(?:\s{2,}\S|$)")


def drawn() -> dict[str, str | None]:
    """Return the drawn parent of each class; four signs of indent are one level."""
    parents: dict[str, str | None] = {}
    path: list[str] = []
    for line in (errors.__doc__ or "").splitlines():
        match = _BRANCH.match(line)
        if match is None or not (parents or line == "DerefError"):
            continue
        depth = (match.start("name")) // 4
        path = [*path[:depth], match["name"]]
        parents[match["name"]] = path[-2] if depth else None
    return parents


def defined() -> dict[str, str | None]:
    """Return the parent of each class in the code."""

    def below(kind: type[DerefError]) -> dict[str, str | None]:
        here: dict[str, str | None] = {}
        for child in kind.__subclasses__():
            if child.__module__ == errors.__name__:
                here |= {child.__name__: kind.__name__, **below(child)}
        return here

    return {"DerefError": None, **below(DerefError)}


def test_the_drawn_tree_is_the_tree_of_the_classes() -> None:
    assert drawn() == defined()
    assert len(drawn()) > 10


def test_every_error_is_exported_and_says_what_it_is_for() -> None:
    assert sorted(defined()) == sorted(errors.__all__)
    for name in errors.__all__:
        assert len((vars(errors)[name].__doc__ or "").split()) > 3, name
