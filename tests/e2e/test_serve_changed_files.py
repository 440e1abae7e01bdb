"""The files of a folder that is served change or go: what is stored of them stays, until they are read again."""

from __future__ import annotations

import shutil
from pathlib import Path

from e2e.serving import DEAL_ROOM, indexed, running


def test_a_file_that_has_changed_since_leaves_the_lines_of_its_pages(tmp_path: Path) -> None:
    shelf = tmp_path / "shelf"
    shelf.mkdir()
    exhibit = shelf / "exhibit.pdf"
    shutil.copy(DEAL_ROOM / "02 Exhibit B - Fee Schedule.pdf", exhibit)
    with running(tmp_path / "library", shelf) as served, served.client() as client:
        indexed(client, "shelf")
        (document,) = client.get("/libraries/shelf/documents").json()["items"]
        place = f"/libraries/shelf/documents/{document['document']}/pages/1"
        exhibit.write_bytes(exhibit.read_bytes() + b"\n")
        page, picture = client.get(place).json(), client.get(f"{place}/picture")
    assert "27,500" in " ".join(line["text"] for line in page["lines"])
    assert (page["width"], page["height"], page["picture"]) == (None, None, f"/api/v1{place}/picture")
    assert (picture.status_code, picture.json()["type"]) == (409, "urn:deref:problem:unreadable-file")
    assert "the file has changed since it was indexed" in picture.json()["detail"]
