"""What the tests of the page share: a browser, and where its screenshots stay."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from e2e.browsing import NoBrowser, chromium


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A browser for the tests of one file, which are skipped, and say so, on a machine without one."""
    try:
        with chromium() as one:
            yield one
    except NoBrowser as error:
        pytest.skip(str(error))


@pytest.fixture(scope="module")
def shots() -> Path:
    """The folder of the screenshots, which stay to be looked at: build/screenshots of the checkout."""
    folder = Path(__file__).resolve().parents[2] / "build" / "screenshots"
    folder.mkdir(parents=True, exist_ok=True)
    return folder
