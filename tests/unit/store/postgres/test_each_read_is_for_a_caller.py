"""A library of a team reads for each caller through a reader of their own: no read that takes a scope goes round it."""

from __future__ import annotations

import inspect

import pytest

from deref.store.library import LibraryStore
from deref.store.postgres.team import TeamLibrary

READS = sorted(
    name
    for name, method in inspect.getmembers(LibraryStore, inspect.isfunction)
    if "scope" in inspect.signature(method).parameters and not name.startswith("_")
)


def test_there_are_reads() -> None:
    assert {"lexical", "shelf", "past", "files"} <= set(READS)


@pytest.mark.parametrize("name", READS)
def test_a_team_has_its_own(name: str) -> None:
    assert name in vars(TeamLibrary), f"{name} is read as one who sees everything"
