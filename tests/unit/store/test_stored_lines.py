"""Lines that are made as they are asked for are the lines that were stored, by any way of asking."""

from __future__ import annotations

import pickle
from pathlib import Path

from conformance.small_shelf import MANUAL, entry
from deref.store.library import open_library
from deref.trace.codec import encode
from deref.values import EVERYTHING, Document


def stored(folder: Path) -> Document:
    store = open_library(folder, fingerprint="f1")
    store.put_all([entry(MANUAL)])
    found = store.shelf(EVERYTHING).document(MANUAL.id)
    assert found is not None
    return found


def test_lines_come_by_place_from_the_end_in_runs_and_all(tmp_path: Path) -> None:
    lines, wanted = stored(tmp_path).lines, MANUAL.lines
    assert len(lines) == len(wanted) > 3
    assert (lines[2], lines[-1]) == (wanted[2], wanted[-1])
    assert lines[1:3] == tuple(wanted[1:3])
    assert lines[::-1] == tuple(wanted[::-1])
    assert list(lines) == list(wanted)
    assert lines[2] is lines[2]


def test_a_stored_document_equals_the_one_that_was_put_and_can_be_sent_and_recorded(tmp_path: Path) -> None:
    found = stored(tmp_path)
    assert found == MANUAL
    assert MANUAL == found  # noqa: SIM300 - it is asked the other way round
    assert pickle.loads(pickle.dumps(found)) == MANUAL
    assert encode(found) == encode(MANUAL)
