"""The page of the checker."""

from __future__ import annotations

from contextlib import chdir
from pathlib import Path

from deref.cli.check import Tally
from deref.cli.check_page import as_page


def test_the_page_of_the_folder_at_hand_has_its_name(tmp_path: Path) -> None:
    with chdir(tmp_path):
        page = as_page([], Tally(documents=1, accepted=0, below=0), Path())
    assert f"<title>Cross-references of {tmp_path.name}</title>" in page
