"""A real browser for the tests: Debian's Chromium, or one that Playwright knows, without a network but loopback."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

expect.set_options(timeout=60_000)

_FLAGS = [
    "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update",
    "--disable-sync", "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
]  # fmt: skip
_NAMES = ("chromium", "chromium-browser", "google-chrome")


class NoBrowser(RuntimeError):
    """There is no browser on this machine."""


@contextmanager
def chromium() -> Iterator[Browser]:
    """Run a browser while the block runs. Raises NoBrowser."""
    found = next((path for name in _NAMES if (path := shutil.which(name))), None)
    with sync_playwright() as playwright:
        if found is None and not Path(playwright.chromium.executable_path).exists():
            raise NoBrowser("no Chromium on this machine: apt-get install chromium")
        with playwright.chromium.launch(executable_path=found, args=_FLAGS, timeout=120_000) as browser:
            yield browser


def opened(context: BrowserContext, address: str) -> tuple[Page, list[str]]:
    """Return a page, and the list of what went wrong in it, which is filled while it runs. It waits long: a machine may be busy."""
    wrong: list[str] = []
    page = context.new_page()
    page.set_default_timeout(60_000)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    # Browsers write a line for each answer that is an error; those the page tells itself.
    page.on("console", lambda m: wrong.append(m.text) if m.type == "error" and "Failed to load" not in m.text else None)  # fmt: skip
    page.goto(address)
    return page, wrong


def stand_still(page: Page) -> None:
    """Have the time of a page stand still until `page.clock.resume()`: what is there for a few seconds is there until then."""
    page.clock.install()
    page.clock.pause_at(page.evaluate("Date.now() + 600_000"))
